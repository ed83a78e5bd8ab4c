"""Results of `probe` with everything in them, made by hand: for whatever shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from understudy.metrics.base.registry import metric
from understudy.metrics.base.score import Interval
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.probing.challenge_sets.results import (
    AcesScore,
    ChallengeResults,
    MeanResult,
    MetricDifference,
    MissedPair,
    PhenomenonResult,
    SeverityOrder,
    SeverityResult,
)
from understudy.probing.permutations.bounds import PermutationBounds, SegmentBound
from understudy.probing.perturbations.results import (
    BLIND,
    SENSITIVE,
    UNDECIDED,
    BlindSpot,
    Estimate,
    HarmlessComparison,
    PerturbationFacts,
    Perturbations,
    PerturbedExample,
    Response,
)
from understudy.probing.plan import ProbePlan
from understudy.probing.results import Probe
from understudy.probing.search.results import Search, Searches, SearchStep
from understudy.probing.variants.results import (
    Notice,
    SegmentVariants,
    Variant,
    VariantCorpus,
    Variants,
)

HYPOTHESES = (
    "The town library opens again on Monday .",
    "The <b>cost</b> was 4.6 million & more than planned .",
    "افتتحت مكتبة المدينة بعد عامين من جديد .",
    "市图书馆在两年后重新开放。",
)
REFERENCES = (
    ("The town library reopens on Monday .", "On Monday the library will open again ."),
    ("It cost 4.6 million , more than was planned .", "The cost of 4.6 million exceeded the plan ."),
    ("أعيد افتتاح مكتبة المدينة بعد عامين .", "افتتحت المكتبة من جديد ."),
    ("市图书馆经过两年重新开放。", "两年之后图书馆又开放了。"),
)
CONSTRUCTIONS = ("permuted blocks", "replaced words", "reference n-grams")
FACTS = (
    PerturbationFacts("drop-words", "words", False, "Deletes words.", "none", True),
    PerturbationFacts("change-numbers", "facts", False, "Changes numbers.", "none", True),
    PerturbationFacts(
        "flip-negation", "meaning", False, "Adds or removes a negation.", "list of negation words", False
    ),
    PerturbationFacts(
        "copy-source", "segments", False, "Replaces the hypothesis by the source.", "source", False
    ),
    PerturbationFacts("change-punctuation", "surface", True, "Changes punctuation marks.", "none", False),
)
STRENGTHS = (0.1, 0.25, 0.5)
GRADED = tuple(facts.name for facts in FACTS if facts.graded)


def made_up(specs: tuple[str, ...] = ("bleu", "chrf", "ter"), **parts: Any) -> Probe:
    """All parts, on four segments; `parts` replace them."""
    metrics = [metric(spec) for spec in specs]
    found = Probe(
        ProbePlan(what=("all",)),
        "system-medium.en",
        len(HYPOTHESES),
        metrics,
        [each.corpus(HYPOTHESES, REFERENCES) for each in metrics],
        permutations(),
        variants(len(metrics)),
        perturbations(len(metrics)),
        searches(len(metrics)),
    )
    return replace(found, **parts)


def permutations(
    lengths: tuple[tuple[int, int], ...] = ((8, 5), (11, 3), (7, 2), (5, 0)),
) -> PermutationBounds:
    """Segments of these lengths with so many bigram matches; of the first, not all permutations differ."""
    return PermutationBounds(
        "13a",
        tuple(
            SegmentBound(
                number,
                tuple((word,) for word in HYPOTHESES[number % 4].split()),
                length,
                matches,
                4 if number == 0 else None,
            )
            for number, (length, matches) in enumerate(lengths)
        ),
    )


def variants(metrics: int) -> Variants:
    def scored(value: float, falls: bool) -> tuple[float, ...]:
        return tuple(
            value - (7.5 if falls and number else 0.0) * (-1) ** (number == 2) for number in range(metrics)
        )

    of_segments = tuple(
        SegmentVariants(
            segment,
            text,
            scored(40.0 + segment, falls=False),
            tuple(
                Variant(
                    segment,
                    construction,
                    " ".join(reversed(text.split())) + f" {number}",
                    tuple(reversed(text.split())),
                    scored(40.0 + segment + number, falls=construction == "permuted blocks"),
                )
                for construction in CONSTRUCTIONS[: 3 - segment % 2]
                for number in range(2)
            ),
            dict.fromkeys(CONSTRUCTIONS, 20),
            {"reference n-grams": "the time limit was reached"} if segment % 2 else {},
        )
        for segment, text in enumerate(HYPOTHESES)
    )
    notices = tuple(
        Notice(
            construction,
            number,
            8 if number_of < 2 else 4,
            4 if number_of < 2 else 2,
            0.0 if number == 0 else 0.9 - 0.3 * number_of,
            None if number == 0 else Interval(0.5 - 0.2 * number_of, 0.97),
            0.5 if number == 0 else -3.25,
        )
        for number_of, construction in enumerate(CONSTRUCTIONS)
        for number in range(metrics)
    )
    corpora = tuple(
        VariantCorpus(construction, 4 - number, tuple(30.0 + number - of for of in range(metrics)))
        for number, construction in enumerate(CONSTRUCTIONS)
    )
    return Variants("bleu", tuple(30.0 - of for of in range(metrics)), of_segments, notices, corpora)


def perturbations(metrics: int) -> Perturbations:
    responses = tuple(
        Response(
            facts.name,
            strength,
            number,
            3,
            Estimate(fall := -(1.0 + number) * (strength or 0.3) * 10, Interval(fall - 1, fall + 1)),
            fall / 2,
            Estimate(0.5 + (strength or 0.0) / 2, Interval(0.2, 0.9)),
            0.1,
            0.4 - (strength or 0.0) / 2,
        )
        for facts in FACTS
        for strength in (STRENGTHS if facts.graded else (None,))
        for number in range(metrics)
    )
    blind = {"change-numbers": 0.3, "flip-negation": 0.45, "drop-words": 0.9, "copy-source": 0.95}
    blind_spots = tuple(
        blind_spot(name, min(0.98, share + 0.3 * number), number, 0.25 if name in GRADED else None)
        for number in range(metrics)
        for name, share in blind.items()
    )
    examples = tuple(
        PerturbedExample(
            facts.name,
            0.25 if facts.graded else None,
            1,
            HYPOTHESES[1],
            HYPOTHESES[1].replace("4.6", "6.4") if facts.name == "change-numbers" else f"Not {HYPOTHESES[1]}",
            (41.0,) * metrics,
            tuple(40.0 - 2 * number for number in range(metrics)),
        )
        for facts in FACTS
    )
    return Perturbations(
        FACTS, responses, blind_spots, examples, {"swap-antonyms": "needs WordNet: apt-get install wordnet"}
    )


def blind_spot(name: str, share: float, metric: int, strength: float | None) -> BlindSpot:
    """An error that costs more than harmless changes in this share of 20 segments."""
    below = Estimate(share, Interval(share - 0.1, min(1.0, share + 0.1)))
    excess = Estimate(10 * (share - 0.5), Interval(10 * (share - 0.6), 10 * (share - 0.4)))
    verdict = BLIND if share <= 0.45 else SENSITIVE if share > 0.65 else UNDECIDED
    return BlindSpot(
        name,
        strength,
        metric,
        20,
        below,
        excess,
        Estimate(0.7, Interval(0.5, 0.9)),
        Estimate(0.2, Interval(0.05, 0.5)),
        (HarmlessComparison("change-punctuation", 20, below, excess, verdict),),
        verdict,
    )


def searches(metrics: int) -> Searches:
    steps = (
        SearchStep("replace 'again' by 'reopens'", "The town library opens reopens on Monday .", 55.0, None),
        SearchStep("delete 'opens'", "The town library reopens on Monday . .", 88.5, None),
    )
    worse = tuple(replace(step, badness=0.75 * number) for number, step in enumerate(steps, start=1))
    return Searches(
        5.0,
        20_000,
        tuple(
            Search(
                goal,
                number,
                0,
                HYPOTHESES[0],
                "hypothesis",
                40.0,
                40.0,
                worse if goal == "worst" else steps,
                ("chrf",) if goal == "worst" else (),
                (61.5,) if goal == "worst" else (),
                (32.25,) if goal == "worst" else (),
                1234,
                "local optimum" if number == 0 else "time limit",
            )
            for number in range(metrics)
            for goal in ("best", "worst")
        ),
    )


def challenge(**parts: Any) -> ChallengeResults:
    """Three metrics on three phenomena of ACES and on pairs of three severities, one of which is not ranked."""
    names = ("addition", "omission", "real-world-knowledge-entailment")
    results = tuple(
        _on_phenomenon(name, place, number) for place, name in enumerate(names) for number in range(3)
    )
    found = ChallengeResults(
        ChallengePlan(),
        "aces.tsv",
        "aces",
        {"good": "good-translation", "incorrect": "incorrect-translation"},
        ["BLEU", "chrF", "comet"],
        ["bleu", "chrf", "comet"],
        [True, True, True],
        120,
        100,
        1,
        {"no reference": 3},
        results,
        tuple(
            MeanResult(
                number,
                3,
                120,
                accuracy := sum(each.accuracy for each in results if each.metric == number) / 3,
                Interval(accuracy - 0.1, accuracy + 0.1),
                0.05,
                2 * accuracy - 1,
            )
            for number in range(3)
        ),
        tuple(
            MetricDifference(
                name,
                first,
                second,
                4,
                9,
                -0.125,
                "permutation" if name is None else "mcnemar",
                0.001,
                0.004 if first == 0 else 0.4,
                first == 0,
            )
            for name in (None, *names)
            for first, second in ((0, 1), (0, 2), (1, 2))
        ),
        tuple(
            SeverityResult(severity, number, 40, 0.5 + 0.1 * place, 1.5 * place)
            for place, severity in enumerate(("minor", "critical", "base"))
            for number in range(3)
        ),
        tuple(
            SeverityOrder(number, True, 40, 0.7 - 0.1 * number, 0.05, Interval(0.4, 0.8))
            for number in range(3)
        ),
        ("base",),
        tuple(
            AcesScore(
                number, {"addition": 0.5, "omission": 0.25, "real-world knowledge": -0.1}, 11.5 + number
            )
            for number in range(3)
        ),
        tuple(
            MissedPair(
                name,
                number,
                "aces.tsv, line 7",
                "Die Stadt",
                ("The town",),
                "The town <b>library</b>",
                "The city , the city",
                ((40.0, 52.5), (50.0, 50.0), (0.81, 0.43)),
            )
            for name in names
            for number in range(2)
        ),
    )
    return replace(found, **parts)


def _on_phenomenon(name: str, place: int, metric: int) -> PhenomenonResult:
    right = 22 + 6 * metric - 4 * place
    return PhenomenonResult(
        name,
        "",
        metric,
        40,
        35,
        right,
        2,
        right / 40,
        Interval((right - 6) / 40, min(1.0, (right + 5) / 40)),
        2 * right / 40 - 1,
        1.5 - place,
    )

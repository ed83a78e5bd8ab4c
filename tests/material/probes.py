"""Results of `probe` with everything in them, made by hand: for whatever shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from understudy.metrics.base.registry import metric
from understudy.metrics.base.score import Interval
from understudy.probing.challenge_sets.results import (
    ChallengeResults,
    MetricDifference,
    PhenomenonResult,
    SeverityOrder,
)
from understudy.probing.permutations.bounds import PermutationBounds, SegmentBound
from understudy.probing.perturbations.results import (
    BlindSpot,
    Estimate,
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
    PerturbationFacts("copy-source", "segments", False, "Replaces the hypothesis by the source.", "source", False),
    PerturbationFacts("change-punctuation", "surface", True, "Changes punctuation marks.", "none", False),
)
STRENGTHS = (0.1, 0.25, 0.5)


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


def permutations(lengths: tuple[tuple[int, int], ...] = ((8, 5), (11, 3), (7, 2), (5, 0))) -> PermutationBounds:
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
        return tuple(value - (7.5 if falls and number else 0.0) * (-1) ** (number == 2) for number in range(metrics))

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
    blind = {"drop-words": 0.9, "copy-source": 0.95, "change-numbers": 0.3, "flip-negation": 0.45}
    blind_spots = tuple(
        BlindSpot(
            name,
            0.25 if name in ("drop-words", "change-numbers") else None,
            number,
            3,
            Estimate(share := min(0.98, blind[name] + 0.3 * number), Interval(share - 0.1, min(1.0, share + 0.1))),
            Estimate(0.7, Interval(0.5, 0.9)),
            Estimate(0.2, Interval(0.05, 0.5)),
        )
        for number in range(metrics)
        for name in sorted(blind, key=blind.__getitem__)
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


def searches(metrics: int) -> Searches:
    steps = (
        SearchStep("replace 'again' by 'reopens'", "The town library opens reopens on Monday .", 55.0, None),
        SearchStep("delete 'opens'", "The town library reopens on Monday . .", 88.5, None),
    )
    worse = tuple(replace(step, badness=-10.0 * number) for number, step in enumerate(steps, start=1))
    return Searches(
        5.0,
        tuple(
            Search(
                goal,
                number,
                0,
                HYPOTHESES[0],
                40.0,
                40.0,
                worse if goal == "worst" else steps,
                "chrf" if goal == "worst" else None,
                1234,
                "local optimum" if number == 0 else "time limit",
            )
            for number in range(metrics)
            for goal in ("best", "worst")
        ),
    )


def challenge(severities: tuple[str, ...] = ("minor", "major"), **parts: Any) -> ChallengeResults:
    """Three metrics on three phenomena of ACES' names."""
    phenomena = ("addition", "omission", "real-world-knowledge-entailment")
    results = tuple(
        PhenomenonResult(
            phenomenon,
            "",
            number,
            40,
            30 - 5 * number - 4 * place,
            2,
            (30 - 5 * number - 4 * place) / 40,
            Interval((22 - 5 * number - 4 * place) / 40, (36 - 5 * number - 4 * place) / 40),
            2 * (30 - 5 * number - 4 * place) / 40 - 1,
            1.5 - place,
        )
        for place, phenomenon in enumerate(phenomena)
        for number in range(3)
    )
    means = tuple(
        replace(results[3 + number], phenomenon="mean", pairs=120, right=78 - 15 * number, tied=6) for number in range(3)
    )
    found = ChallengeResults(
        "aces.tsv",
        "aces",
        ["BLEU", "chrF", "comet"],
        ["bleu", "chrf", "comet"],
        120,
        {"no reference": 3},
        results,
        means,
        tuple(
            MetricDifference(phenomenon, first, second, 0.125, 0.004 if first == 0 else 0.4, first == 0)
            for phenomenon in (*phenomena, None)
            for first, second in ((0, 1), (0, 2), (1, 2))
        ),
        tuple(
            SeverityOrder(number, dict(zip(severities, (1.5, 4.0), strict=True)), 0.7 - 0.1 * number, Interval(0.4, 0.8))
            for number in range(3)
        )
        if severities
        else (),
        (11.5, 13.25, 17.0),
    )
    return replace(found, **parts)

"""Blind spots: compared with a slow computation, and with metrics whose blindness is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material import stand_in_perturbations as stand_ins
from understudy import BLEU, Corpus, metric
from understudy.probing.perturbations.applied import apply_perturbation, perturbable_segments
from understudy.probing.perturbations.blind_spots import FEWEST_SEGMENTS, NOTICED
from understudy.probing.perturbations.perturbation import Change, Perturbation
from understudy.probing.perturbations.results import BlindSpot, HarmlessComparison, Perturbations
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.run import probe

REFERENCES = ["examples/reference-1.en", "examples/reference-2.en"]
MEDIUM = "examples/system-medium.en"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus([MEDIUM], REFERENCES)


def perturbed(corpus: Corpus, *metrics: str, **plan: Any) -> Perturbations:
    found = probe(corpus, metrics=metrics, what="perturbations", **plan).perturbations
    assert found is not None
    return found


def spot(found: Perturbations, name: str, strength: float | None = None, metric: int = 0) -> BlindSpot:
    (only,) = [
        each
        for each in found.blind_spots
        if (each.perturbation, each.strength, each.metric) == (name, strength, metric)
    ]
    return only


def edits(before: str, after: str) -> int:
    """Levenshtein distance, in characters."""
    row = list(range(len(after) + 1))
    for i, one in enumerate(before, start=1):
        last, row[0] = row[0], i
        for j, other in enumerate(after, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (one != other))
    return row[-1]


def slow(corpus: Corpus, error: Perturbation, strength: float | None, spec: str) -> tuple[float, ...]:
    """Segments, the share below harmless, the excess, sensitivity and false alarms, segment by segment."""
    plan = ProbePlan()
    system = ProbedSystem.of(corpus, [metric(spec)], language=None, threads=None)
    segments = perturbable_segments(system, plan.seed)
    known = metric(spec)

    def worth(text: str, references: list[str]) -> float:
        return float(known.worth(known.segment(text, references).value))

    def texts(perturbation: Perturbation, row: int) -> dict[float | None, str]:
        applied = apply_perturbation(perturbation, segments, system, plan)
        return {
            at: applied.texts[applied.text_of[place, row]]
            for place, at in enumerate(applied.strengths)
            if applied.text_of[place, row] >= 0
        }

    wins: list[float] = []
    excesses: list[float] = []
    alarms: list[float] = []
    sensed: list[bool] = []
    for row, segment in enumerate(segments):
        before, references = segment.text, list(segment.references)
        after = texts(error, row).get(strength)
        if after is None:
            continue
        of_group: dict[str, list[tuple[float, float, bool]]] = {}
        for harmless in (stand_ins.PERIOD, stand_ins.UPPER, stand_ins.PARAPHRASE):
            changed = texts(harmless, row)
            if not changed:
                continue
            size = edits(before.strip(), after)
            text = min(changed.values(), key=lambda each: abs(edits(before.strip(), each) - size))
            used = references
            if harmless.held_out is not None:
                used = [each for each in references if each != text]
            excess = worth(text, used) - worth(after, used)
            excess = 0.0 if abs(excess) < 1e-9 else excess
            of_group.setdefault(harmless.facts.group, []).append(
                ((np.sign(excess) + 1) / 2, excess, worth(text, used) < worth(before, used) - 1e-9)
            )
        if of_group:
            means = np.mean([np.mean(group, axis=0) for group in of_group.values()], axis=0)
            for found, value in zip((wins, excesses, alarms), means, strict=True):
                found.append(float(value))
            sensed.append(worth(after, references) < worth(before, references) - 1e-9)
    return len(wins), *(float(np.mean(values)) for values in (wins, excesses, sensed, alarms))


@pytest.mark.parametrize("spec", ["bleu", "ter", "length-ratio"])
@pytest.mark.parametrize(
    ("error", "strength"), [(stand_ins.DROP, 0.1), (stand_ins.DROP, 1.0), (stand_ins.REVERSE, None)]
)
def test_as_computed_segment_by_segment(
    monkeypatch: pytest.MonkeyPatch, spec: str, error: Perturbation, strength: float | None
) -> None:
    stand_ins.use(monkeypatch)
    lines = [Path(name).read_text(encoding="utf-8").splitlines()[:12] for name in (MEDIUM, *REFERENCES)]
    corpus = Corpus.of_texts({"a": lines[0]}, list(zip(*lines[1:], strict=True)))
    found = spot(perturbed(corpus, spec), error.facts.name, strength)
    estimates = (found.below_harmless, found.excess, found.sensitivity, found.false_alarms)
    assert (found.segments, *(each.value for each in estimates)) == pytest.approx(
        slow(corpus, error, strength, spec)
    )


def test_length_is_blind_to_reversed_words(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE, stand_ins.UPPER])
    found = spot(perturbed(corpus, "length-ratio:tokenize=none"), "reverse")
    assert found.below_harmless.value == 0.5
    assert found.verdict == "blind"


def test_bleu_notices_other_words(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.OTHER_WORDS, stand_ins.PERIOD])
    found = spot(perturbed(corpus, "bleu"), "other-words")
    assert found.verdict == "sensitive"


def test_a_few_segments_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.OTHER_WORDS, stand_ins.PERIOD])
    few = FEWEST_SEGMENTS - 1
    corpus = Corpus.of_texts({"a": ["The cat sat on the mat."] * few}, ["The cat sat on the mat."] * few)
    for level in ("segment", "corpus"):
        found = spot(perturbed(corpus, "bleu", level=level), "other-words")
        assert found.excess.value > 0
        assert found.verdict == "undecided"


@pytest.mark.parametrize("level", ["segment", "corpus"])
def test_ranked_by_what_the_verdict_is_about(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    stand_ins.use(monkeypatch)
    spots = perturbed(corpus, "bleu", "chrf", level=level).blind_spots
    shown = [each.excess if level == "corpus" else each.below_harmless for each in spots]
    threshold = 0.0 if level == "corpus" else NOTICED
    assert [each.metric for each in spots] == [0] * 6 + [1] * 6
    for of_metric in (shown[:6], shown[6:]):
        values = [each.value for each in of_metric]
        assert values == sorted(values)
    compared = [beside for each in spots for beside in each.beside if beside.segments >= FEWEST_SEGMENTS]
    judged: list[BlindSpot | HarmlessComparison] = [*spots, *compared]
    for each in judged:
        estimate = each.excess if level == "corpus" else each.below_harmless
        assert estimate.interval is not None
        expected = {(True, True): "sensitive", (False, False): "blind"}
        above = estimate.interval.low > threshold, estimate.interval.high > threshold
        assert each.verdict == expected.get(above, "undecided")


def test_a_rare_harmless_change_does_not_count_at_level_corpus(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = corpus["system-medium.en"][0]
    rare = stand_ins.perturbation(
        "rare", lambda segment, *_: "zzz" if segment.text == first else None, harmless=True, group="rare"
    )
    stand_ins.use(monkeypatch, [stand_ins.REVERSE, stand_ins.PERIOD])
    alone = spot(perturbed(corpus, "bleu", level="corpus"), "reverse")
    stand_ins.use(monkeypatch, [stand_ins.REVERSE, stand_ins.PERIOD, rare])
    found = spot(perturbed(corpus, "bleu", level="corpus"), "reverse")
    assert [each.segments for each in found.beside if each.harmless == "rare"] == [1]
    assert found.excess == alone.excess


def test_the_excess_at_level_corpus_is_of_the_segments_with_both(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE, stand_ins.PERIOD])
    found = spot(perturbed(corpus, "bleu", level="corpus"), "reverse")
    assert corpus.references is not None
    column = corpus["system-medium.en"]
    both = [
        (text, corpus.references[row])
        for row in range(len(column))
        for text in [str(column[row])]
        if text.endswith(".")
    ]
    references = [each for _, each in both]
    harmless = BLEU().corpus([text.removesuffix(".").rstrip() for text, _ in both], references).value
    error = BLEU().corpus([" ".join(text.split()[::-1]) for text, _ in both], references).value
    assert found.segments == len(both)
    assert found.excess.value == pytest.approx(harmless - error)
    assert found.beside[0].excess == found.excess


def test_errors_without_a_harmless_change_are_not_listed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    assert perturbed(corpus, "bleu").blind_spots == ()


@pytest.mark.parametrize("level", ["segment", "corpus"])
def test_the_share_of_verdicts_that_are_wrong(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    """A metric that reacts to an error as it does to a harmless change, on average: one that is not blind to it in 40
    samples of segments would be chance.
    """
    noise = np.random.default_rng(1)

    def replaced(word: str) -> Change:
        return lambda *_: " ".join([word] * int(noise.integers(1, 9)))

    verdicts = []
    for _ in range(40):
        stand_ins.use(
            monkeypatch,
            [
                stand_ins.perturbation("error", replaced("bad")),
                stand_ins.perturbation("harmless", replaced("fine"), harmless=True),
            ],
        )
        corpus = Corpus.of_texts({"a": ["x"] * 60}, ["a b c d e f g h i j"] * 60)
        (found,) = perturbed(corpus, "length-ratio", level=level, samples=200).blind_spots
        verdicts.append(found.verdict)
    assert verdicts.count("sensitive") <= 4

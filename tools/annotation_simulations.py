"""Do the intervals of one judge and of error spans keep their promises? Simulations in which the truth is known.

    python tools/annotation_simulations.py [--rounds N] [NAME...]

prints how often an interval contains what the value is on average over test sets of this size: the last tables of
docs/guide/trust-tests.md. The tests run the same simulations with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from simulation_command import Simulation, parser_of, print_tables

from understudy.corpus.error_spans import Spans
from understudy.corpus.judgments import Ratings, ScoreTable, means_over_segments
from understudy.metrics.base.score import Interval
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.human_ceiling import CeilingValue, ceiling
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.spans.run import span_agreement

SAMPLES = 199
ASKED = (CoefficientSpec("pearson", "system"), CoefficientSpec("kendall-b", "segment", "segment"))
CHARACTERS = 100  # of every translation


def covered(values: Sequence[float], intervals: Sequence[Interval | None]) -> float:
    """How often an interval contains the mean of the values."""
    truth = float(np.mean(values))
    return float(np.mean([each is not None and each.low <= truth <= each.high for each in intervals]))


# --- one judge ----------------------------------------------------------------------------------------------


def one_judge_covered(systems: int, segments: int, judges: int, rounds: int) -> list[float]:
    """By coefficient, over segments: the systems are the same in all rounds."""
    truth = [_of_one_judge(systems, segments, judges, [1, number], samples=1) for number in range(4 * rounds)]
    found = [_of_one_judge(systems, segments, judges, [2, number], SAMPLES) for number in range(rounds)]
    return [
        covered([each[place].value for each in truth], [each[place].interval for each in found])
        for place in range(len(ASKED))
    ]


def _of_one_judge(
    systems: int, segments: int, judges: int, seed: Sequence[int], samples: int
) -> tuple[CeilingValue, ...]:
    quality = np.random.default_rng(1).normal(0, 0.3, (systems, 1))
    generator = np.random.default_rng(seed)
    seen = quality + generator.normal(0, 1, segments) + generator.normal(0, 1, (systems, segments))
    given = seen + generator.normal(0, 1, (judges, systems, segments))
    judge, row, column = (axis.ravel() for axis in np.indices(given.shape))
    names = tuple(f"system {number + 1}" for number in range(systems))
    numbers = tuple(range(1, segments + 1))
    means = given.mean(axis=0)
    human = ScoreTable(
        "simulated",
        names,
        numbers,
        means,
        means_over_segments(means),
        tuple(f"judge {number + 1}" for number in range(judges)),
        ratings=Ratings(judge, row, column, given.ravel()),
    )
    paired = AlignedScores(human, names, numbers, {"metric": PairedScores(names, means, seen)}, ())
    found = ceiling(paired, ASKED, TrustPlan(samples=samples), over="segments")
    assert found is not None
    return found.values


def judges(rounds: int) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals of the human ceiling, over segments:\n"
    yield f"| systems | segments | raters | {' | '.join(one.coefficient for one in ASKED)} |"
    yield "| --- | --- | --- | --- | --- |"
    for systems, segments, count in ((8, 60, 2), (8, 60, 5), (15, 60, 3)):
        shares = one_judge_covered(systems, segments, count, rounds)
        yield f"| {systems} | {segments} | {count} | {' | '.join(f'{share:.3f}' for share in shares)} |"


# --- error spans --------------------------------------------------------------------------------------------

MEASURES = ("precision", "recall", "f1")


def spans_covered(systems: int, segments: int, rounds: int) -> list[float]:
    """By measure."""
    truth = [_of_spans(systems, segments, [3, number], samples=1) for number in range(4 * rounds)]
    found = [_of_spans(systems, segments, [4, number], SAMPLES) for number in range(rounds)]
    return [
        covered([each[place][0] for each in truth], [each[place][1] for each in found])
        for place in range(len(MEASURES))
    ]


def _of_spans(
    systems: int, segments: int, seed: Sequence[int], samples: int
) -> list[tuple[float, Interval | None]]:
    """People find errors in some segments more than in others, and a predictor finds some of them, and others."""
    generator = np.random.default_rng(seed)
    errors = generator.poisson(generator.gamma(1.0, 1.5, segments), (systems, segments))
    start = generator.integers(0, CHARACTERS - 20, errors.sum())
    length, major = generator.integers(3, 20, len(start)), generator.random(len(start)) < 0.3
    place = np.repeat(np.arange(errors.size), errors.ravel())
    found = generator.random(len(start)) < 0.6
    moved = np.clip(start[found] + generator.integers(-4, 5, found.sum()), 0, CHARACTERS - 20)
    of_human = _spans("human", errors.shape, place, (start, start + length), major)
    false = generator.integers(0, errors.size, errors.size // 2)
    false_start = generator.integers(0, CHARACTERS - 20, len(false))
    predicted = _spans(
        "predicted",
        errors.shape,
        np.concatenate([place[found], false]),
        (np.concatenate([moved, false_start]), np.concatenate([moved + length[found], false_start + 8])),
        np.concatenate([major[found], np.zeros(len(false), dtype=bool)]),
    )
    (scores,) = span_agreement(of_human, {"predicted": predicted}, samples=samples).predictors
    return [(scores.of(name).value, scores.of(name).interval) for name in MEASURES]


def _spans(
    name: str,
    shape: tuple[int, ...],
    place: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    major: np.ndarray,
) -> Spans:
    """In translations [systems, segments], by their places."""
    annotations = tuple((f"system {system}", segment + 1, "") for system, segment in np.ndindex(*shape))
    order = np.argsort(place, kind="stable")
    start, end = (each[order] for each in bounds)
    return Spans(name, annotations, place[order], start, end, major[order], {}, names_error_free=True)


def spans(rounds: int) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals of predicted error spans (micro-averages), over segments:\n"
    yield f"| systems | segments | {' | '.join(MEASURES)} |"
    yield "| --- | --- | --- | --- | --- |"
    for systems, segments in ((4, 40), (4, 200), (10, 40)):
        shares = spans_covered(systems, segments, rounds)
        yield f"| {systems} | {segments} | {' | '.join(f'{share:.3f}' for share in shares)} |"


SIMULATIONS: dict[str, Simulation] = {"judges": judges, "spans": spans}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=300)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

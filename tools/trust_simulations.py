"""Do the tests and intervals of `understudy trust` keep their promises? Simulations in which the truth is known.

    python tools/trust_simulations.py [--rounds N] [NAME...]

makes human and metric scores of metrics that agree with people equally well, or by a known amount, or not at all, and
prints how often `trust` is right: the tables of docs/guide/trust-tests.md. The tests run the same simulations with
fewer rounds.

People and metrics see the quality of a system, how hard a segment is and how well the system did on it. A metric adds
noise of its own to every translation and, if it is biased, something for or against every system.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from simulation_command import parser_of, print_tables

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, METRIC_TESTS, RESAMPLED
from understudy.errors import UnderstudyError
from understudy.metrics.base.score import Interval
from understudy.resampling.intervals import interval_of
from understudy.trusting.coefficients.by_name import COEFFICIENTS, CoefficientSpec, agreement
from understudy.trusting.intervals import estimates, sampled
from understudy.trusting.metric_tests.metric_ranking import rank_metrics
from understudy.trusting.noticeable_difference import Threshold, noticeable_difference
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.permutation_baseline import chances

SAMPLES = 199  # of every test and interval
SIGNIFICANCE = 0.05

# Standard deviations: of the quality of systems; of how hard segments are; of what people see in a translation beside
# that, and how much of this metrics see; of the noise of a metric.
QUALITY, SEGMENTS, TRANSLATIONS, SEEN, NOISE = 0.3, 1.0, 1.0, 0.6, 1.0

PEARSON, SOFT_ACCURACY = CoefficientSpec("pearson", "system"), CoefficientSpec("spa", "system")
RANKING = (
    PEARSON,
    CoefficientSpec("accuracy", "system"),
    SOFT_ACCURACY,
    CoefficientSpec("kendall-b", "segment", "segment"),
    CoefficientSpec("acc-eq", "segment", "segment"),
)
SLOW = 5  # what takes a coefficient anew for every exchange has so many times fewer rounds


@dataclass(frozen=True)
class SimulatedScores:
    """Human scores, and metrics that see the same through noise of their own."""

    systems: int = 12
    segments: int = 60
    # Of each metric, as standard deviations: its bias for or against systems, and its noise.
    biases: tuple[float, ...] = (0.0, 0.0)
    noises: tuple[float, ...] = (NOISE, NOISE)
    same_systems: bool = False  # in all rounds
    same_segments: bool = False

    def drawn(self, rounds: int, seed: int) -> Iterator[dict[str, PairedScores]]:
        for round_number in range(rounds):
            yield self.one([seed, round_number])

    def one(self, seed: Sequence[int]) -> dict[str, PairedScores]:
        generator = np.random.default_rng(seed)
        of_systems = np.random.default_rng(1) if self.same_systems else generator
        of_segments = np.random.default_rng(2) if self.same_segments else generator
        quality = of_systems.normal(0, QUALITY, (self.systems, 1))
        biases = [of_systems.normal(0, bias, quality.shape) for bias in self.biases]
        hard = of_segments.normal(0, SEGMENTS, self.segments)
        shape = (self.systems, self.segments)
        seen = generator.normal(0, TRANSLATIONS, shape)
        human = np.round(2 * (quality + hard + seen)) / 2  # half points, so that people tie
        names = tuple(f"system {number + 1}" for number in range(self.systems))
        return {
            f"metric {number + 1}": PairedScores(
                names,
                human,
                quality + bias + hard + SEEN * seen + generator.normal(0, self.noises[number], shape),
            )
            for number, bias in enumerate(biases)
        }


# Intervals of what samples give, and what was seen: `trust` has the second over systems, else the third.
INTERVALS: dict[str, Callable[[Floats, float], Interval]] = {
    "percentile": lambda drawn, _seen: interval_of(drawn, CONFIDENCE),
    "bias-corrected (BC)": lambda drawn, seen: interval_of(drawn, CONFIDENCE, seen),
    "shifted": lambda drawn, seen: interval_of(drawn + (seen - np.median(drawn)), CONFIDENCE),
}

UNBIASED = SimulatedScores()
BIASED = SimulatedScores(biases=(QUALITY / 2, QUALITY / 2))
UNEQUAL = SimulatedScores(biases=(0.0, QUALITY), noises=(NOISE, 1.3 * NOISE))


# --- what is promised ---------------------------------------------------------------------------------------


def rejected(
    sets: SimulatedScores,
    asked: CoefficientSpec,
    test: str,
    rounds: int,
    *,
    over: str = "segments",
    seed: int = 1,
) -> float:
    """How often two metrics are said to differ: no more often than the level, 0.05, if they are equally good."""
    found = [
        rank_metrics(pairings, asked, test=test, over=over, samples=SAMPLES, seed=number).pairs[0]
        for number, pairings in enumerate(sets.drawn(rounds, seed))
    ]
    return float(np.mean([pair.p_value <= SIGNIFICANCE for pair in found]))


def coverage(
    sets: SimulatedScores, asked: Sequence[CoefficientSpec], over: str, rounds: int, seed: int = 2
) -> dict[CoefficientSpec, float]:
    """How often an interval contains what the coefficient is on average over test sets of this size: 0.95 of the time.
    What is not resampled is the same in all of them.
    """
    drawn = _resampled(sets, over)
    truth = {
        one: np.mean([_value(pairings, one) for pairings in drawn.drawn(4 * rounds, seed)]) for one in asked
    }
    covered = dict.fromkeys(asked, 0)
    for number, pairings in enumerate(drawn.drawn(rounds, seed + 1)):
        (found,) = estimates(pairings, asked, over=over, samples=SAMPLES, seed=number).values()
        for one, each in zip(asked, found, strict=True):
            assert each.interval is not None
            covered[one] += bool(each.interval.low <= truth[one] <= each.interval.high)
    return {one: count / rounds for one, count in covered.items()}


def intervals_covered(
    sets: SimulatedScores, asked: CoefficientSpec, over: str, rounds: int, seed: int = 2
) -> dict[str, float]:
    """The same of each kind of interval that could be made of the samples."""
    drawn = _resampled(sets, over)
    truth = np.mean([_value(pairings, asked) for pairings in drawn.drawn(4 * rounds, seed)])
    covered = dict.fromkeys(INTERVALS, 0)
    for number, pairings in enumerate(drawn.drawn(rounds, seed + 1)):
        ((values,),) = sampled(pairings, [asked], over=over, samples=SAMPLES, seed=number).values()
        known, seen = values[~np.isnan(values)], _value(pairings, asked)
        for name, interval in INTERVALS.items():
            found = interval(known, seen)
            covered[name] += int(found.low <= truth <= found.high)
    return {name: count / rounds for name, count in covered.items()}


def threshold_covered(sets: SimulatedScores, over: str, rounds: int, seed: int = 5) -> float:
    """The same of the metric difference with which people agree in 80% of pairs, and its median over test sets: it is
    infinite where they never agree so often.
    """
    drawn = _resampled(sets, over)
    truth = np.median(
        [_threshold(pairings, over, 1).difference or np.inf for pairings in drawn.drawn(4 * rounds, seed)]
    )
    found = [
        _threshold(pairings, over, SAMPLES, number).interval
        for number, pairings in enumerate(drawn.drawn(rounds, seed + 1))
    ]
    return float(
        np.mean([np.isinf(truth) if each is None else each.low <= truth <= each.high for each in found])
    )


def difference_covered(
    sets: SimulatedScores, asked: CoefficientSpec, over: str, rounds: int, seed: int = 3
) -> float:
    """How often the interval of the difference of two metrics that are equally good contains 0."""
    found = [
        rank_metrics(pairings, asked, test="bootstrap", over=over, samples=SAMPLES, seed=number)
        .pairs[0]
        .interval
        for number, pairings in enumerate(sets.drawn(rounds, seed))
    ]
    return float(np.mean([each is not None and each.low <= 0 <= each.high for each in found]))


@dataclass(frozen=True)
class Permuted:
    """A coefficient of permuted human scores, over many rounds."""

    mean: float
    error: float  # of the mean
    beside_chance: float  # the mean distance from what `trust` shows as chance
    beside_error: float
    marked: float  # how often it is better than chance, by `trust`


def permuted(asked: Sequence[CoefficientSpec], rounds: int, seed: int = 4) -> dict[CoefficientSpec, Permuted]:
    """What coefficients get if it is chance which translation has which human score."""
    values, baselines, p_values = (np.empty((rounds, len(asked))) for _ in range(3))
    for number in range(rounds):
        pairing = _permuted(SimulatedScores(systems=6, segments=40, biases=(QUALITY,)), [seed, number])
        for place, (one, chance) in enumerate(zip(asked, chances(pairing, asked, seed=number), strict=True)):
            values[number, place] = agreement(pairing, one).value
            baselines[number, place], p_values[number, place] = chance.mean, chance.p_value
    return {
        one: Permuted(
            *_mean_and_error(values[:, place]),
            *_mean_and_error(values[:, place] - baselines[:, place]),
            float(np.mean(p_values[:, place] <= SIGNIFICANCE)),
        )
        for place, one in enumerate(asked)
    }


def _permuted(sets: SimulatedScores, seed: Sequence[int]) -> PairedScores:
    (pairing,) = sets.one(seed).values()
    human, _ = pairing.segment_scores
    # Spread out, so that some differ by the 25 points that direct assessments must differ by.
    dealt = 20 * np.random.default_rng([*seed, 1]).permutation(human.ravel()).reshape(human.shape)
    return replace(pairing, human=dealt)


def _mean_and_error(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))


def _resampled(sets: SimulatedScores, over: str) -> SimulatedScores:
    """One metric; what is not resampled is the same in all rounds."""
    return replace(
        sets, biases=sets.biases[:1], same_systems=over == "segments", same_segments=over == "systems"
    )


def _threshold(pairings: dict[str, PairedScores], over: str, samples: int, seed: int = 0) -> Threshold:
    (pairing,) = pairings.values()
    return noticeable_difference(pairing, over=over, samples=samples, seed=seed).thresholds[0]


def _value(pairings: dict[str, PairedScores], asked: CoefficientSpec) -> float:
    (pairing,) = pairings.values()
    return agreement(pairing, asked).value


# --- the tables ---------------------------------------------------------------------------------------------


def columns() -> list[tuple[str, str, str]]:
    """Every test, the bootstrap over everything that it can resample: its name, test, over."""
    return [
        (f"{test} over {over}" if test == "bootstrap" else test, test, over)
        for test in METRIC_TESTS
        for over in (RESAMPLED if test == "bootstrap" else RESAMPLED[:1])
    ]


def rates(row: tuple[str, SimulatedScores, CoefficientSpec], rounds: int) -> str:
    """How often each test rejects; nothing where it is no test of this coefficient."""
    name, sets, asked = row
    fewer = rounds if asked in RANKING[:2] else max(20, rounds // SLOW)
    cells = []
    for _, test, over in columns():
        try:
            cells.append(f"{rejected(sets, asked, test, fewer, over=over):.3f}")
        except UnderstudyError:
            cells.append("")
    return f"| {asked_name(asked)} | {name} | {' | '.join(cells)} |"


def type_one_errors(rounds: int, run: Run) -> Iterator[str]:
    yield "Type-I error at the 0.05 level, two equally good metrics, 12 systems, 60 segments:\n"
    rows = [(name, sets, one) for one in RANKING for name, sets in (("no", UNBIASED), ("yes", BIASED))]
    yield from _table("biased for systems", rows, rounds, run)


def power(rounds: int, run: Run) -> Iterator[str]:
    yield "Power for two metrics of different quality, 12 systems, 60 segments:\n"
    yield from _table("biased for systems", [("the worse", UNEQUAL, one) for one in RANKING], rounds, run)


def _table(
    what: str, rows: Sequence[tuple[str, SimulatedScores, CoefficientSpec]], rounds: int, run: Run
) -> Iterator[str]:
    names = [name for name, *_ in columns()]
    yield f"| coefficient | {what} | {' | '.join(names)} |"
    yield f"| --- | --- | {' | '.join(['---'] * len(names))} |"
    yield from run(functools.partial(rates, rounds=rounds), rows)
    yield f"\nRows of spa, kendall-b and acc-eq are from {max(20, rounds // SLOW):,} test sets."


INTERVAL_SIZES = ((8, 60), (15, 60), (15, 300))
INTERVALS_OF = (
    *RANKING,
    CoefficientSpec("spearman", "system"),
    CoefficientSpec("pearson", "segment", "none"),
)


def intervals(rounds: int, run: Run) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals, a biased metric:\n"
    columns = [*map(asked_name, INTERVALS_OF), "difference in r", "difference for 80% agreement"]
    yield f"| systems | segments | resampled | {' | '.join(columns)} |"
    yield f"| --- | --- | --- | {' | '.join(['---'] * len(columns))} |"
    rows = [(*size, over) for size in INTERVAL_SIZES for over in RESAMPLED]
    yield from run(functools.partial(covered_row, rounds=rounds), rows)


def covered_row(row: tuple[int, int, str], rounds: int) -> str:
    systems, segments, over = row
    sets = replace(BIASED, systems=systems, segments=segments)
    cells = [f"{share:.3f}" for share in coverage(sets, INTERVALS_OF, over, rounds).values()]
    # Metrics whose bias is drawn anew are equally good over systems, not over segments of the same systems.
    equal = replace(sets, biases=UNBIASED.biases) if over == "segments" else sets
    cells.append(f"{difference_covered(equal, PEARSON, over, rounds):.3f}")
    cells.append(f"{threshold_covered(sets, over, rounds):.3f}")
    return f"| {systems} | {segments} | {over} | {' | '.join(cells)} |"


def alternatives(rounds: int, run: Run) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals of three kinds, a biased metric, 8 systems, 60 segments:\n"
    yield f"| coefficient | resampled | {' | '.join(INTERVALS)} |"
    yield f"| --- | --- | {' | '.join(['---'] * len(INTERVALS))} |"
    coefficients = (PEARSON, CoefficientSpec("spearman", "system"), SOFT_ACCURACY)
    rows = [(one, over) for over in ("segments", "systems") for one in coefficients]
    yield from run(functools.partial(alternatives_row, rounds=rounds), rows)


def alternatives_row(row: tuple[CoefficientSpec, str], rounds: int) -> str:
    asked, over = row
    found = intervals_covered(replace(BIASED, systems=8), asked, over, rounds)
    return f"| {asked_name(asked)} | {over} | {' | '.join(f'{share:.3f}' for share in found.values())} |"


def permutations(rounds: int, run: Run) -> Iterator[str]:
    yield "Permuted human scores, 6 systems, 40 segments:\n"
    yield "| coefficient | mean | standard error | mean minus permutation baseline | standard error | significant |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from run(functools.partial(permuted_row, rounds=rounds), every_coefficient())


def permuted_row(asked: CoefficientSpec, rounds: int) -> str:
    found = permuted([asked], rounds)[asked]
    numbers = (found.mean, found.error, found.beside_chance, found.beside_error, found.marked)
    return f"| {asked_name(asked)} | {' | '.join(f'{round(number, 3) + 0.0:.3f}' for number in numbers)} |"


def every_coefficient() -> list[CoefficientSpec]:
    return [
        CoefficientSpec(one.name, one.level, grouping)
        for one in COEFFICIENTS
        for grouping in (one.groupings if one.level == "segment" else ("none",))
    ]


def asked_name(asked: CoefficientSpec) -> str:
    of_segments = f":{asked.grouping}" if asked.level == "segment" else ""
    return f"{asked.coefficient}{of_segments}"


# --- the command --------------------------------------------------------------------------------------------

Run = Callable[[Callable[..., str], Sequence[object]], Iterator[str]]

SIMULATIONS: dict[str, Callable[..., Iterator[str]]] = {
    "tests": type_one_errors,
    "power": power,
    "intervals": intervals,
    "alternatives": alternatives,
    "permuted": permutations,
}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=1000)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="(default: one for each core)")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.processes) as pool:
        simulations = {name: functools.partial(each, run=pool.map) for name, each in SIMULATIONS.items()}
        print_tables(parser, arguments, simulations)


if __name__ == "__main__":
    main()

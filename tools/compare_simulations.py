"""Do the tests of `understudy compare` keep their promises? Simulations in which the truth is known.

    python tools/compare_simulations.py [--rounds N] [NAME...]

makes test sets whose systems differ by nothing, or by a known amount, lets `compare` judge them, and prints how often
it is right: the tables of docs/guide/compare-tests.md. The tests run the same simulations with fewer rounds.

A simulated test set is a table of BLEU's counts. Segments are more or less hard, systems are good at different
segments, training runs are better or worse as a whole and good at different segments too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from simulation_command import Simulation, parser_of, print_tables

from understudy import BLEU
from understudy.arrays import Floats
from understudy.choices import COMPARE_TESTS
from understudy.comparing.plan import Plan
from understudy.comparing.results import MetricComparison
from understudy.comparing.run import compare_evidence
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.evidence import Evidence

METRIC = BLEU()
LOGITS_PER_BLEU = (
    0.0480  # how much likelier words must match for one point of BLEU more, in the test sets below
)

# How far apart the log-odds of matching words are, in standard deviations: between segments; between segments for one
# system beside another; between segments for one training run beside another.
SEGMENTS, SYSTEM_BY_SEGMENT, RUN_BY_SEGMENT = 0.8, 0.35, 0.3


@dataclass(frozen=True)
class SimulatedSets:
    """Test sets to be drawn: so many segments and systems, of so many training runs each."""

    segments: int
    systems: int = 2
    runs: int = 1
    run_deviation: float = 0.0  # in BLEU
    gains: tuple[float, ...] = ()  # in BLEU: by how much each system is better than the first

    def drawn(self, rounds: int, seed: int) -> Iterator[Evidence]:
        generator = np.random.default_rng(seed)
        for _ in range(rounds):
            yield self._one(generator)

    def _one(self, generator: np.random.Generator) -> Evidence:
        shape = (self.systems, self.runs, self.segments)
        lengths = 4 + generator.poisson(generator.gamma(4, 4.5, self.segments))
        gains = np.array(self.gains or [0.0] * self.systems) * LOGITS_PER_BLEU
        odds = (
            0.55
            + generator.normal(0, SEGMENTS, self.segments)
            + gains[:, np.newaxis, np.newaxis]
            + generator.normal(0, SYSTEM_BY_SEGMENT, (self.systems, 1, self.segments))
            + generator.normal(0, self.run_deviation * LOGITS_PER_BLEU, (self.systems, self.runs, 1))
            + generator.normal(0, RUN_BY_SEGMENT, shape)
        )
        counts = _counts(generator, np.broadcast_to(lengths, shape), 1 / (1 + np.exp(-odds)))
        template = METRIC.statistics(["a"], ["a"])
        return Evidence.of_statistics(
            METRIC,
            [
                (f"system {system + 1}", _statistics(template, counts[system, run]))
                for system in range(self.systems)
                for run in range(self.runs)
            ],
        )


def _counts(generator: np.random.Generator, lengths: np.ndarray, chances: Floats) -> np.ndarray:
    """BLEU's counts [..., K]: a longer n-gram matches where the shorter one does and its next word too."""
    totals = np.stack([np.maximum(lengths - order, 0) for order in range(4)], axis=-1)
    matches = np.empty_like(totals)
    likely = chances
    for order in range(4):
        matches[..., order] = generator.binomial(totals[..., order], likely)
        likely = likely * (0.45 + 0.5 * chances)
    by_name = {"hyp_length": lengths, "ref_length": lengths}
    by_name |= {f"match_{order + 1}": matches[..., order] for order in range(4)}
    by_name |= {f"total_{order + 1}": totals[..., order] for order in range(4)}
    return np.stack([by_name[name] for name in METRIC.columns], axis=-1)


def _statistics(template: Statistics, counts: np.ndarray) -> Statistics:
    return replace(template, array=counts.astype(np.int64), segments=len(counts))


def judged(evidence: Evidence, plan: Plan) -> MetricComparison:
    """What `compare` says of it."""
    decided = plan.for_segments(evidence.segments, runs=evidence.has_runs)
    at_level = evidence if decided.level == "corpus" else _of_means(evidence)
    return compare_evidence([at_level], decided)[0]


def _of_means(evidence: Evidence) -> Evidence:
    scores = evidence.run_segment_scores
    return Evidence.of_scores(
        [(evidence.systems[s], row) for s, row in zip(evidence.system_of, scores, strict=True)], METRIC
    )


# --- what is promised ---------------------------------------------------------------------------------------


def false_alarms(sets: SimulatedSets, plan: Plan, rounds: int, seed: int = 1) -> float:
    """How often systems that are as good as each other are said to differ: no more often than the level, 0.05."""
    return float(
        np.mean([judged(evidence, plan).pairs[0].significant for evidence in sets.drawn(rounds, seed)])
    )


def coverage(sets: SimulatedSets, plan: Plan, rounds: int, seed: int = 2) -> float:
    """How often the interval of a difference that is 0 contains 0: 0.95 of the time."""
    found = [judged(evidence, plan).pairs[0].interval for evidence in sets.drawn(rounds, seed)]
    return float(np.mean([interval.low <= 0 <= interval.high for interval in found]))


def power_at_minimum(sets: SimulatedSets, plan: Plan, rounds: int, seed: int = 3) -> tuple[float, float]:
    """The minimum detectable difference of two systems that are as good as all others, on average over test sets; and
    how often they are said to differ where they differ by that much: 0.8 of the time.
    """
    detectable = [
        judged(evidence, plan).pairs[0].smallest_detectable
        for evidence in sets.drawn(max(20, rounds // 20), seed)
    ]
    difference = float(np.mean([each for each in detectable if each is not None]))
    apart = replace(sets, gains=(0.0, difference, *[0.0] * (sets.systems - 2)))
    found = [judged(evidence, plan).pairs[0].significant for evidence in apart.drawn(rounds, seed + 1)]
    return difference, float(np.mean(found))


# --- the tables ---------------------------------------------------------------------------------------------


def small_sets(rounds: int) -> Iterator[str]:
    yield "Type-I error at the 0.05 level, two systems of equal quality:\n"
    names = [test for test in COMPARE_TESTS if test != "multeval"]
    yield f"| segments | {' | '.join(names)} |"
    yield f"| --- | {' | '.join(['---'] * len(names))} |"
    for segments in (20, 40, 100, 300):
        rates = []
        for test in names:
            plan = Plan(
                test=test, samples=1000 if test in ("bootstrap", "randomization", "permutation") else None
            )
            blocks = replace(plan, blocks=10) if test == "blocks" else plan
            rates.append(f"{false_alarms(SimulatedSets(segments), blocks, rounds):.3f}")
        yield f"| {segments} | {' | '.join(rates)} |"


def intervals(rounds: int) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals of a difference of two systems of equal quality:\n"
    yield "| segments | percentile | bca | Student's t (ttest) |"
    yield "| --- | --- | --- | --- |"
    for segments in (20, 60, 300):
        plans = [Plan(test="bootstrap", interval=method) for method in ("percentile", "bca")]
        rates = [
            f"{coverage(SimulatedSets(segments), plan, rounds):.3f}" for plan in [*plans, Plan(test="ttest")]
        ]
        yield f"| {segments} | {' | '.join(rates)} |"


def runs(rounds: int) -> Iterator[str]:
    yield "Type-I error at the 0.05 level, two systems of equal quality with several training runs, 300 segments:\n"
    yield "| runs | SD across runs (BLEU) | bootstrap | ttest | multeval |"
    yield "| --- | --- | --- | --- | --- |"
    for number in (3, 5):
        for deviation in (0.0, 1.2, 2.4):
            sets = SimulatedSets(300, runs=number, run_deviation=deviation)
            plans = (Plan(test="bootstrap"), Plan(test="ttest"), Plan(test="multeval", samples=200))
            rates = [f"{false_alarms(sets, plan, rounds):.3f}" for plan in plans]
            yield f"| {number} + {number} | {deviation} | {' | '.join(rates)} |"


def power(rounds: int) -> Iterator[str]:
    yield "Power for a true difference as large as the minimum detectable difference (nominal: 0.8):\n"
    yield "| systems | pairs | test | correction | minimum detectable difference (BLEU) | power |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for systems, test, correction in (
        (2, "bootstrap", "holm"),
        (2, "randomization", "holm"),
        (2, "ttest", "holm"),
        (2, "blocks", "holm"),
        (10, "bootstrap", "holm"),
        (10, "bootstrap", "none"),
        (10, "ttest", "holm"),
    ):
        plan = Plan(test=test, correct=correction, all_pairs=systems > 2)
        difference, share = power_at_minimum(
            SimulatedSets(300, systems), plan, max(50, rounds // (1 if systems == 2 else 4))
        )
        pairs = systems * (systems - 1) // 2
        yield f"| {systems} | {pairs} | {test} | {correction} | {difference:.2f} | {share:.2f} |"


SIMULATIONS: dict[str, Simulation] = {
    "small-sets": small_sets,
    "intervals": intervals,
    "runs": runs,
    "power": power,
}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=4000)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

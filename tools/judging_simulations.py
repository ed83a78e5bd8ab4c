"""Are known qualities and severities recovered from judgments, and do intervals keep their promises?

    python tools/judging_simulations.py [--rounds N] [NAME...]

draws judgments of systems of known quality by judges of known severity and prints how often a 95% confidence interval
contains the truth. The tests run the same simulations with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from simulation_command import Simulation, parser_of, print_tables

from understudy.corpus.error_spans import TARGET
from understudy.judging.agreement.cohen import cohen_kappa
from understudy.judging.agreement.fleiss import fleiss_kappa
from understudy.judging.agreement.krippendorff import LEVELS, krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.agreement.self_agreement import self_agreement
from understudy.judging.agreement.span_agreement import matched_spans
from understudy.judging.analysis.adjacent_systems import adjacent_systems
from understudy.judging.analysis.bradley_terry import BradleyTerry, bradley_terry
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.judge_and_item_effects import JudgeAndItemEffects, judge_and_item_effects
from understudy.judging.analysis.means import system_means
from understudy.judging.analysis.win_rates import win_rates
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.judgments import Annotated, Rankings, Ratings, Spans
from understudy.metrics.base.score import Interval

SAMPLES = 299
QUALITY = np.array([-0.5, -0.2, 0.0, 0.7])  # of systems, in the order of their names
NAMES = ("A", "B", "C", "D")
SPREAD_OF_SEGMENTS = 0.6
NOISE = 0.8


def holds(truth: float, interval: Interval | None) -> bool:
    return interval is not None and interval.low <= truth <= interval.high


# --- ratings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """Who judges what. `interaction` is how far the quality of a system differs between segments."""

    segments: int = 40
    judges: int = 6
    interaction: float = 0.0
    share: float = 1.0  # of all judge, system and segment triples that are judged

    def severities(self) -> np.ndarray:
        found = np.linspace(-0.8, 0.8, self.judges)
        return found - found.mean()

    def ratings(self, seed: Sequence[int]) -> Ratings:
        generator = np.random.default_rng(seed)
        shape = (self.judges, len(QUALITY), self.segments)
        quality = (
            QUALITY[:, np.newaxis]
            + generator.normal(0, SPREAD_OF_SEGMENTS, self.segments)
            + generator.normal(0, self.interaction, shape[1:])
        )
        given = quality + self.severities()[:, np.newaxis, np.newaxis] + generator.normal(0, NOISE, shape)
        judge, system, segment = np.nonzero(self._judged(generator, shape))
        return Ratings.of(judge, system, segment, given[judge, system, segment])

    def _judged(self, generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Unequal shares: harsh judges judge the best system most often."""
        if self.share == 1:
            return np.ones(shape, dtype=bool)
        leaning = np.linspace(0.4, -0.4, shape[0])[:, np.newaxis] * np.linspace(-1, 1, shape[1])
        return generator.random(shape) < self.share * (1 + leaning[..., np.newaxis])


def means_of(design: Design, seed: Sequence[int]) -> list[bool]:
    return [
        holds(truth, each.mean.interval)
        for truth, each in zip(QUALITY, system_means(design.ratings(seed), NAMES), strict=True)
    ]


def neighbors_of(design: Design, seed: Sequence[int]) -> tuple[list[bool], list[bool]]:
    """By the report's interval, and by that over segments."""
    found = adjacent_systems(design.ratings(seed), NAMES)
    assert not isinstance(found, Absent)
    quality = dict(zip(NAMES, QUALITY, strict=True))
    truths = [quality[pair.better] - quality[pair.worse] for pair in found]
    return (
        [holds(truth, pair.by_judge_and_segment.interval) for truth, pair in zip(truths, found, strict=True)],
        [holds(truth, pair.by_segment.interval) for truth, pair in zip(truths, found, strict=True)],
    )


def effects_of(design: Design, seed: Sequence[int]) -> tuple[list[bool], list[bool]]:
    """Of systems, and of judges."""
    found = judge_and_item_effects(
        design.ratings(seed), NAMES, [f"judge {number}" for number in range(design.judges)]
    )
    assert isinstance(found, JudgeAndItemEffects)
    truths = (QUALITY - QUALITY.mean(), design.severities())
    of_systems, of_judges = (
        [holds(truth, each.effect.interval) for truth, each in zip(of_truth, effects, strict=True)]
        for of_truth, effects in zip(truths, (found.systems, found.judges), strict=True)
    )
    return of_systems, of_judges


def ratings(rounds: int) -> Iterator[str]:
    yield "Coverage of 95% confidence intervals of ratings:\n"
    yield (
        "| segments | judges | interaction | share judged | means | neighbors, report | neighbors, by segment "
        "| system effects | judge effects |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for design in (
        Design(),
        Design(interaction=0.5),
        Design(segments=15, interaction=0.5),
        Design(segments=60, share=0.4),
        Design(segments=60, interaction=0.5, share=0.4),
        Design(segments=200, judges=12, interaction=0.5, share=0.1),
    ):
        shares = coverage_of_ratings(design, rounds)
        yield (
            f"| {design.segments} | {design.judges} | {design.interaction} | {design.share} | "
            f"{' | '.join('' if share is None else f'{share:.3f}' for share in shares)} |"
        )


def coverage_of_ratings(design: Design, rounds: int) -> list[float | None]:
    """Of means, neighbors (report), neighbors (by segment), system effects, judge effects. Means of unequal shares
    are biased by the judges, which is what effects are for, and have no coverage.
    """
    seeds = [[1, number] for number in range(rounds)]
    means = np.mean([means_of(design, seed) for seed in seeds]) if design.share == 1 else None
    report, clustered = np.mean([neighbors_of(design, seed) for seed in seeds], axis=(0, 2))
    effects = [effects_of(design, seed) for seed in seeds]
    return [
        means,
        report,
        clustered,
        np.mean([each[0] for each in effects]),
        np.mean([each[1] for each in effects]),
    ]


# --- agreement ----------------------------------------------------------------------------------------------

Made = Callable[[Sequence[int]], dict[str, Estimate]]  # of a seed


def scored(
    generator: np.random.Generator, segments: int, judges: int, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Five-point ratings of systems [judges, systems, segments], and which of them were given."""
    shape = (judges, len(QUALITY), segments)
    quality = (
        QUALITY[:, np.newaxis] + generator.normal(0, 0.6, segments) + generator.normal(0, 0.5, shape[1:])
    )
    given = np.clip(np.round(3 + quality + generator.normal(0, 0.7, shape)), 1, 5)
    return given, generator.random(shape) < share


def agreement_of(segments: int, judges: int, share: float) -> Made:
    def made(seed: Sequence[int]) -> dict[str, Estimate]:
        given, judged = scored(np.random.default_rng(seed), segments, judges, share)
        judge, system, segment = np.nonzero(judged)
        value = given[judge, system, segment]
        data = ReliabilityData.of(judge, system * segments + segment, value, segment)
        alphas = {f"alpha, {level}": krippendorff_alpha(data, level, samples=SAMPLES) for level in LEVELS}
        return alphas | {
            "Fleiss": fleiss_kappa(data, samples=SAMPLES),
            "Cohen": cohen_kappa(data, samples=SAMPLES).mean,
        }

    return made


def self_agreement_of(segments: int, judges: int) -> Made:
    def made(seed: Sequence[int]) -> dict[str, Estimate]:
        generator = np.random.default_rng(seed)
        first, repeated = scored(generator, segments, judges, 0.2)
        moved = generator.choice([-1, 0, 0, 1], first.shape)
        judge, system, segment = np.nonzero(repeated)
        value = first[judge, system, segment]
        later = np.clip(value + moved[judge, system, segment], 1, 5)
        both = Ratings.of(
            np.tile(judge, 2), np.tile(system, 2), np.tile(segment, 2), np.concatenate([value, later])
        )
        found = self_agreement(both, [str(number) for number in range(judges)], "ordinal", samples=SAMPLES)[0]
        return {"identical": found.identical, "alpha, ordinal": found.alpha}

    return made


def spans_of(segments: int, judges: int) -> Made:
    """Each judge finds most of the errors of a translation, not quite where they are, and marks some others."""

    def made(seed: Sequence[int]) -> dict[str, Estimate]:
        generator = np.random.default_rng(seed)
        shape = (len(QUALITY), segments)
        errors = generator.poisson(generator.gamma(1.0, 1.5, segments), shape)
        system, segment = (np.repeat(axis.ravel(), errors.ravel()) for axis in np.indices(shape))
        start = generator.integers(0, 80, len(system))
        found = generator.random((judges, len(system))) < 0.6
        judge, error = np.nonzero(found)
        moved = start[error] + generator.integers(0, 9, len(error))
        severity = tuple(np.where(generator.random(len(error)) < 0.3, "major", "minor").tolist())
        of_all = [axis.ravel() for axis in np.indices((judges, *shape))]
        text = system[error] * segments + segment[error]
        return {
            "matched F1": matched_spans(
                Spans(
                    judge,
                    system[error],
                    segment[error],
                    text,
                    judge * errors.size + text,
                    moved,
                    moved + 12,
                    (TARGET,) * len(error),
                    ("",) * len(error),
                    severity,
                    np.ones(len(error)),
                    ("judge",) * len(error),
                    Annotated.of(of_all[0], of_all[1], of_all[2], unit=of_all[1] * segments + of_all[2]),
                ),
                [f"judge {number}" for number in range(judges)],
                NAMES,
                samples=SAMPLES,
            ).f1
        }

    return made


def covered(made: Made, rounds: int) -> dict[str, float]:
    """How often the interval contains what the value is on average over test sets of this size."""
    found = [made([2, number]) for number in range(rounds)]
    truths = {name: float(np.mean([each[name].value for each in found])) for name in found[0]}
    return {
        name: float(np.mean([holds(truth, each[name].interval) for each in found]))
        for name, truth in truths.items()
    }


def table_of(title: str, cases: dict[str, Made], rounds: int) -> Iterator[str]:
    yield f"Coverage of 95% confidence intervals of {title}, {SAMPLES} bootstrap samples of segments:\n"
    for place, (name, made) in enumerate(cases.items()):
        shares = covered(made, rounds)
        if not place:
            yield f"| judgments | {' | '.join(shares)} |"
            yield f"| --- |{' --- |' * len(shares)}"
        yield f"| {name} | {' | '.join(f'{share:.3f}' for share in shares.values())} |"


def agreement(rounds: int) -> Iterator[str]:
    cases = {
        "30 segments, 3 judges": agreement_of(30, 3, 1.0),
        "100 segments, 3 judges": agreement_of(100, 3, 1.0),
        "100 segments, 5 judges, 40 % judged": agreement_of(100, 5, 0.4),
    }
    yield from table_of("agreement", cases, rounds)


def repeats(rounds: int) -> Iterator[str]:
    cases = {"30 segments": self_agreement_of(30, 3), "100 segments": self_agreement_of(100, 3)}
    yield from table_of("self-agreement", cases, rounds)


def spans(rounds: int) -> Iterator[str]:
    cases = {"30 segments": spans_of(30, 2), "100 segments": spans_of(100, 2)}
    yield from table_of("agreement on error spans", cases, rounds)


# --- rankings -----------------------------------------------------------------------------------------------


def rankings_of(segments: int, screens: int, interaction: float, tie: float) -> Made:
    """Rankings of all systems, `screens` of each segment: utilities with Gumbel noise, whose comparisons follow the
    Bradley-Terry model; those closer than `tie` are ties.
    """

    def made(seed: Sequence[int]) -> dict[str, Estimate]:
        generator = np.random.default_rng(seed)
        of_segment = QUALITY[:, np.newaxis] + generator.normal(0, interaction, (len(QUALITY), segments))
        utility = np.repeat(of_segment, screens, axis=1) + generator.gumbel(
            size=(len(QUALITY), segments * screens)
        )
        steps = utility if tie == 0 else np.round(utility / tie)
        rank = 1 + (steps[:, np.newaxis] < steps).sum(axis=1)
        system, screen = (axis.ravel() for axis in np.indices(rank.shape))
        compared = Comparisons.of(Rankings.of(screen * 0, screen // screens, screen, system, rank.ravel()))
        found = bradley_terry(compared, NAMES, samples=SAMPLES)
        assert isinstance(found, BradleyTerry)
        strengths = {f"strength of {each.system}": each.strength for each in found.systems}
        rates = win_rates(compared, NAMES, samples=SAMPLES)
        return strengths | {f"win rate of {each.system}": each.better for each in rates}

    return made


def rankings(rounds: int) -> Iterator[str]:
    cases = {
        "40 segments, no ties": rankings_of(40, 2, 0.0, 0.0),
        "100 segments, no ties, interaction": rankings_of(100, 2, 0.5, 0.0),
        "100 segments, ties, interaction": rankings_of(100, 2, 0.5, 1.0),
    }
    yield from table_of("strengths and win rates", cases, rounds)


SIMULATIONS: dict[str, Simulation] = {
    "ratings": ratings,
    "agreement": agreement,
    "repeats": repeats,
    "spans": spans,
    "rankings": rankings,
}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=2000)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

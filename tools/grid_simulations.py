"""What does the selected setting of a grid gain where the truth is known? Permuted and real human scores, out of fold.

    python tools/grid_simulations.py [--rounds N] [NAME...]

makes settings of a metric that see the quality of systems and translations, share a part of their noise, and each favor
some systems; selects one of them by cross-validation; and prints its mean gain over the plain metric, the share of
confidence intervals that contain the true gain, and the mean gain in sample: the tables of docs/guide/trust-grid.md.
`permuted`: the human scores are permuted among all translations, so the true gain is 0. `real`: some settings have less
noise than others, and all test sets have the same systems; the true gain is the mean over all test sets. The tests run
the same simulations with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from simulation_command import parser_of, print_tables

from understudy.arrays import Floats
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.grids.selection import best_of, select
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan

SETTINGS, SEGMENTS = 20, 48
DOCUMENTS = [f"{number // 4}" for number in range(SEGMENTS)]
FAVOR = 0.3  # the standard deviation of what a setting adds to a system; that of its own noise is 1
# Of a generator and a number of systems: human scores, and those of all settings.
MadeUp = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
COEFFICIENTS = (CoefficientSpec("pearson", "system"), CoefficientSpec("kendall-b", "segment", "segment"))


@dataclass(frozen=True, eq=False)
class Gains:
    """Of the selected setting over the plain one, by test set."""

    out_of_fold: Floats
    lows: Floats
    highs: Floats
    in_sample: Floats

    def covering(self, true: float) -> float:
        """The share of intervals that contain it."""
        return float(np.mean((self.lows <= true) & (true <= self.highs)))


def permuted_scores(generator: np.random.Generator, systems: int) -> tuple[Floats, Floats]:
    """Human scores [systems, segments] that have nothing to do with those of the settings [settings, ...]."""
    of_systems = generator.normal(0, 0.5, (systems, 1))
    favors = generator.normal(0, FAVOR, (SETTINGS, systems, 1))
    human, scores = _scores(generator, of_systems, favors, np.ones(SETTINGS))
    return generator.permuted(human, axis=None), scores


def real_scores(generator: np.random.Generator, systems: int) -> tuple[Floats, Floats]:
    """The same, with human scores that settings agree with, the last ones best; of the same systems each time."""
    same = np.random.default_rng(systems)
    of_systems = same.normal(0, 0.5, (systems, 1))
    favors = same.normal(0, FAVOR, (SETTINGS, systems, 1))
    return _scores(generator, of_systems, favors, np.linspace(1.2, 0.8, SETTINGS))


def _scores(
    generator: np.random.Generator, of_systems: Floats, favors: Floats, noise: Floats
) -> tuple[Floats, Floats]:
    quality = of_systems + generator.normal(size=(len(of_systems), SEGMENTS))
    shared = quality + generator.normal(size=quality.shape)
    own = noise[:, np.newaxis, np.newaxis] * generator.normal(size=(SETTINGS, *quality.shape))
    return quality, shared + favors + own


def simulated(
    made_up: MadeUp, systems: int, asked: CoefficientSpec, rounds: int, samples: int = 200
) -> Gains:
    names = tuple(f"system {number:02}" for number in range(systems))
    found = np.empty((4, rounds))
    for number in range(rounds):
        human, scores = made_up(np.random.default_rng([19, number]), systems)
        pairings = {
            f"setting {place}": PairedScores(names, human, of_setting)
            for place, of_setting in enumerate(scores)
        }
        plain = "setting 0"
        chosen = select(
            pairings,
            list(pairings),
            plain,
            asked,
            documents=DOCUMENTS,
            over="segments",
            plan=TrustPlan(samples=samples),
        )
        best = best_of({name: agreement(each, asked).value for name, each in pairings.items()}, plain)
        assert chosen.interval is not None
        assert best is not None
        in_sample = chosen.mean(chosen.values[best] - chosen.values[plain])
        found[:, number] = chosen.gain, chosen.interval.low, chosen.interval.high, in_sample
    return Gains(*found)


def _table(made_up: MadeUp, rounds: int, true: float | None) -> Iterator[str]:
    yield "| systems | coefficient | gain out of fold | CIs with the true gain | gain in sample |"
    yield "| --- | --- | --- | --- | --- |"
    for systems in (8, 16):
        for asked in COEFFICIENTS:
            gains = simulated(made_up, systems, asked, rounds)
            shown = [
                f"{values.mean():+.3f} ± {values.std(ddof=1) / sqrt(rounds):.3f}"
                for values in (gains.out_of_fold, gains.in_sample)
            ]
            covering = gains.covering(gains.out_of_fold.mean() if true is None else true)
            name = f"{asked.level} level, `{asked.coefficient}`"
            yield f"| {systems} | {name} | {shown[0]} | {covering:.1%} | {shown[1]} |"


def permuted(rounds: int) -> Iterator[str]:
    yield f"Gain of the selected one of {SETTINGS} settings with permuted human scores, mean ± standard error:\n"
    yield from _table(permuted_scores, rounds, 0.0)


def real(rounds: int) -> Iterator[str]:
    yield f"Gain of the selected one of {SETTINGS} settings of different quality, mean ± standard error:\n"
    yield from _table(real_scores, rounds, None)


SIMULATIONS = {"permuted": permuted, "real": real}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=300)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

"""What does the selected setting of a grid gain where there is nothing to select? Permuted human scores, out of fold.

    python tools/grid_simulations.py [--rounds N] [NAME...]

makes settings of a metric that see the quality of systems and translations, share a part of their noise, and each favor
some systems; permutes the human scores among all translations; selects a setting by cross-validation; and prints its
mean gain over the plain metric, the share of confidence intervals that contain 0, and the mean gain in sample: the
table of docs/guide/trust-grid.md. The tests run the same simulation with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
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
COEFFICIENTS = (CoefficientSpec("pearson", "system"), CoefficientSpec("kendall-b", "segment", "segment"))


def gains_with_permuted_scores(
    systems: int, asked: CoefficientSpec, rounds: int, samples: int = 200
) -> Floats:
    """The gain out of fold, whether its interval contains 0, and the gain in sample [rounds, 3]."""
    names = tuple(f"system {number:02}" for number in range(systems))
    plan = TrustPlan(samples=samples)
    found = np.empty((rounds, 3))
    for number in range(rounds):
        generator = np.random.default_rng([19, number])
        quality = generator.normal(0, 0.5, (systems, 1)) + generator.normal(size=(systems, SEGMENTS))
        shared = quality + generator.normal(size=(systems, SEGMENTS))
        own = generator.normal(size=(SETTINGS, systems, SEGMENTS))
        scores = shared + generator.normal(0, FAVOR, (SETTINGS, systems, 1)) + own
        human = generator.permuted(quality, axis=None)
        pairings = {
            f"setting {place}": PairedScores(names, human, of_setting)
            for place, of_setting in enumerate(scores)
        }
        plain = "setting 0"
        chosen = select(
            pairings, list(pairings), plain, asked, documents=DOCUMENTS, over="segments", plan=plan
        )
        best = best_of({name: agreement(each, asked).value for name, each in pairings.items()}, plain)
        assert chosen.interval is not None
        assert best is not None
        found[number] = (
            chosen.gain,
            chosen.interval.low <= 0 <= chosen.interval.high,
            chosen.mean(chosen.values[best] - chosen.values[plain]),
        )
    return found


def permuted(rounds: int) -> Iterator[str]:
    yield f"Gain of the selected one of {SETTINGS} settings with permuted human scores, mean ± standard error:\n"
    yield "| systems | coefficient | gain out of fold | CIs with 0 | gain in sample |"
    yield "| --- | --- | --- | --- | --- |"
    for systems in (8, 16):
        for asked in COEFFICIENTS:
            values = gains_with_permuted_scores(systems, asked, rounds)
            means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / sqrt(rounds)
            yield (
                f"| {systems} | {asked.level} level, `{asked.coefficient}` | {means[0]:+.3f} ± {errors[0]:.3f} "
                f"| {means[1]:.1%} | {means[2]:+.3f} ± {errors[2]:.3f} |"
            )


SIMULATIONS = {"permuted": permuted}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=300)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

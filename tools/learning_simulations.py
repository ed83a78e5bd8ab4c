"""What does a learned combination agree with where there is nothing to learn? Permuted human scores, out of fold.

    python tools/learning_simulations.py [--rounds N] [NAME...]

makes metrics that see the quality of systems and translations, and each favor some systems; permutes the human scores
among all translations; learns a combination by cross-validation; and prints its mean correlation with these scores: the
table of docs/guide/trust-learned.md. The tests run the same simulation with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from simulation_command import parser_of, print_tables

from understudy.arrays import Floats
from understudy.trusting.combinations.cross_fitting import GROUPINGS
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn

METRICS, SEGMENTS = 3, 48
DOCUMENTS = [f"{number // 4}" for number in range(SEGMENTS)]
FAVOR = 0.5  # the standard deviation of what a metric adds to a system; that of its noise is 1


def agreement_with_permuted_scores(systems: int, grouping: str, rounds: int) -> Floats:
    """Pearson's r of out-of-fold scores [rounds, 2]: of all translations, and of systems."""
    names = tuple(f"system {number:02}" for number in range(systems))
    found = np.empty((rounds, 2))
    for number in range(rounds):
        generator = np.random.default_rng([6, number])
        quality = generator.normal(0, 0.5, (systems, 1)) + generator.normal(size=(systems, SEGMENTS))
        favor = generator.normal(0, FAVOR, (METRICS, systems, 1))
        parts = quality + favor + generator.normal(size=(METRICS, systems, SEGMENTS))
        human = generator.permuted(quality, axis=None)
        features = [Feature(f"metric {place}", part) for place, part in enumerate(parts)]
        scores = learn(
            features, Target.of_scores(names, human), DOCUMENTS, folds=4, grouping=grouping
        ).predictions
        found[number] = (
            np.corrcoef(scores.ravel(), human.ravel())[0, 1],
            np.corrcoef(scores.mean(axis=1), human.mean(axis=1))[0, 1],
        )
    return found


def agreement_of_three_systems(rounds: int) -> Floats:
    """The same [rounds] over three systems, within segments: metrics and people that favor systems, independently of
    each other.
    """
    found = np.empty(rounds)
    for number in range(rounds):
        generator = np.random.default_rng([7, number])
        favor, hard = (
            generator.normal(size=(METRICS + 1, 3, 1)),
            generator.normal(size=(METRICS + 1, 1, SEGMENTS)),
        )
        *parts, human = favor + hard + generator.normal(size=(METRICS + 1, 3, SEGMENTS))
        features = [Feature(f"metric {place}", part) for place, part in enumerate(parts)]
        target = Target.of_scores(("a", "b", "c"), human)
        learning = learn(features, target, DOCUMENTS, folds=4, grouping="segment")
        found[number] = np.corrcoef(learning.predictions.mean(axis=1), human.mean(axis=1))[0, 1]
    return found


def permuted(rounds: int) -> Iterator[str]:
    yield "Pearson's r of a learned combination with permuted human scores, mean ± standard error:\n"
    yield "| systems | `grouping` | all translations | systems |"
    yield "| --- | --- | --- | --- |"
    for systems in (8, 16):
        for grouping in GROUPINGS:
            values = agreement_with_permuted_scores(systems, grouping, rounds)
            shown = [
                f"{mean:+.3f} ± {error:.3f}"
                for mean, error in zip(
                    values.mean(axis=0), values.std(axis=0, ddof=1) / sqrt(rounds), strict=True
                )
            ]
            yield f"| {systems} | `{grouping}` | {' | '.join(shown)} |"


def three_systems(rounds: int) -> Iterator[str]:
    values = agreement_of_three_systems(rounds)
    yield (
        "Pearson's r over three systems of a combination learned within segments, where people and metrics favor "
        f"systems independently: {values.mean():+.3f} ± {values.std(ddof=1) / sqrt(rounds):.3f}"
    )


SIMULATIONS = {"permuted": permuted, "three-systems": three_systems}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=300)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

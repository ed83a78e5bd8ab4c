"""What do learned feature weights find where the truth is known? Permuted human scores, and planted weights.

    python tools/feature_simulations.py [--rounds N] [NAME...]

makes up references and systems that replace, drop and repeat their words. `permuted`: human scores that have nothing to
do with the text; the table shows the mean out-of-fold correlation and the mean gain over BLEU, which are 0 if nothing
leaks, and the share of confidence intervals of the gain that contain 0. `planted`: human scores that are a weighted
sum of some n-grams, plus noise; the table shows how often these are found, and how often the confidence interval of the
gain over BLEU is above 0. The tests run the same simulations with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from simulation_command import parser_of, print_tables

from understudy import FeatureSettings, trust
from understudy.arrays import Floats
from understudy.corpus.judgments import ScoreTable
from understudy.trusting.combinations.cross_fitting import GROUPINGS
from understudy.trusting.results import Trust

SEGMENTS, LENGTH, WORDS = 120, 12, 40
DOCUMENTS = [f"{number // 6}" for number in range(SEGMENTS)]
# By kind and n-gram: the change of the human score per share of the words.
PLANTED = {("matched", "w1"): 6.0, ("extra", "w2"): -8.0, ("missed", "w3"): -6.0, ("extra", "w0"): 5.0}
NOISE = 0.3  # standard deviation; that of the planted sums is about 0.5


@dataclass(frozen=True)
class MadeUp:
    """References and systems of made-up words."""

    references: list[list[str]]
    systems: dict[str, list[list[str]]]

    @classmethod
    def of(cls, generator: np.random.Generator, systems: int) -> MadeUp:
        """Frequent words first, as in text; systems differ in how many words they replace."""
        shares = 1 / np.arange(2, WORDS + 2)
        words = np.array([f"w{number}" for number in range(WORDS)])

        def drawn(count: int) -> list[str]:
            return generator.choice(words, count, p=shares / shares.sum()).tolist()

        references = [drawn(int(generator.integers(LENGTH // 2, 2 * LENGTH))) for _ in range(SEGMENTS)]
        texts = {}
        for number in range(systems):
            error = generator.uniform(0.1, 0.5)
            texts[f"system {number:02}"] = [
                [
                    word if generator.random() > error else drawn(1)[0]
                    for word in reference
                    if generator.random() > 0.05
                ]
                or drawn(1)
                for reference in references
            ]
        return cls(references, texts)

    def trusted(self, human: Floats, grouping: str = "none", **options: Any) -> Trust:
        """The agreement of BLEU and of learned weights with these human scores [systems, segments]."""
        names = tuple(self.systems)
        plan: dict[str, Any] = {
            "level": "segment",
            "coefficients": ("pearson:none", "pearson:segment"),
            "samples": 200,
            **options,
        }
        table = ScoreTable(
            "made up", names, tuple(range(1, SEGMENTS + 1)), human, human.mean(axis=1), given=False
        )
        return trust(
            table,
            {name: list(map(" ".join, text)) for name, text in self.systems.items()},
            list(map(" ".join, self.references)),
            ["bleu:tokenize=none,max_order=2"],
            learn_features=FeatureSettings("ngrams", grouping=grouping, documents=DOCUMENTS),
            threads=1,
            **plan,
        )

    def planted(self) -> Floats:
        """The sum of planted weights of every translation [systems, segments]."""
        found = []
        for text in self.systems.values():
            for hypothesis, reference in zip(text, self.references, strict=True):
                value = 0.0
                for (kind, word), weight in PLANTED.items():
                    ours, theirs = hypothesis.count(word), reference.count(word)
                    value += (
                        weight
                        * {
                            "matched": min(ours, theirs) / len(hypothesis),
                            "extra": max(ours - theirs, 0) / len(hypothesis),
                            "missed": max(theirs - ours, 0) / len(reference),
                        }[kind]
                    )
                found.append(value)
        return np.array(found).reshape(len(self.systems), -1)


def permuted_rounds(systems: int, grouping: str, rounds: int) -> Floats:
    """Pearson's r of out-of-fold scores, its gain over BLEU's, and whether the CI of the gain contains 0, for permuted
    human scores [rounds, 3].
    """
    found = np.empty((rounds, 3))
    for number in range(rounds):
        generator = np.random.default_rng([7, number])
        made_up = MadeUp.of(generator, systems)
        human = generator.permuted(
            made_up.planted() + generator.normal(0, NOISE, (systems, SEGMENTS)), axis=None
        )
        gain = made_up.trusted(human, grouping, coefficients=("pearson:none",)).gains[0]
        assert gain.interval is not None
        found[number] = gain.better, gain.difference, gain.interval.low <= 0 <= gain.interval.high
    return found


def planted_rounds(systems: int, grouping: str, rounds: int) -> Floats:
    """The share of planted features among the largest effects with the right sign, and whether the CI of the gain is
    above 0, for both coefficients [rounds, 3].
    """
    found = np.empty((rounds, 3))
    for number in range(rounds):
        generator = np.random.default_rng([8, number])
        made_up = MadeUp.of(generator, systems)
        human = made_up.planted() + generator.normal(0, NOISE, (systems, SEGMENTS))
        result = made_up.trusted(human, grouping)
        assert result.feature_learning is not None
        largest = result.feature_learning.model.largest
        top = {(each.kind, each.text) for each in largest[:4] if each.effect > 0}
        bottom = {(each.kind, each.text) for each in largest[-4:] if each.effect < 0}
        hits = [feature in (top if weight > 0 else bottom) for feature, weight in PLANTED.items()]
        above = [gain.interval is not None and gain.interval.low > 0 for gain in result.gains]
        found[number] = [float(np.mean(hits)), *map(float, above)]
    return found


def permuted(rounds: int) -> Iterator[str]:
    yield "Learned weights of n-grams with permuted human scores, Pearson's r, mean ± standard error:\n"
    yield "| systems | `grouping` | learned | gain over BLEU | CIs with 0 |"
    yield "| --- | --- | --- | --- | --- |"
    for systems in (4, 8):
        for grouping in GROUPINGS:
            values = permuted_rounds(systems, grouping, rounds)
            errors = values.std(axis=0, ddof=1) / sqrt(rounds)
            means = values.mean(axis=0)
            shown = [f"{means[place]:+.3f} ± {errors[place]:.3f}" for place in (0, 1)]
            yield f"| {systems} | `{grouping}` | {' | '.join(shown)} | {means[2]:.1%} |"


def planted(rounds: int) -> Iterator[str]:
    yield "Learned weights of n-grams with planted weights:\n"
    yield "| systems | `grouping` | planted features found | CI of the gain above 0: no grouping | group-by-item |"
    yield "| --- | --- | --- | --- | --- |"
    for systems in (4, 8):
        for grouping in GROUPINGS:
            values = planted_rounds(systems, grouping, rounds).mean(axis=0)
            yield f"| {systems} | `{grouping}` | {' | '.join(f'{value:.0%}' for value in values)} |"


SIMULATIONS = {"permuted": permuted, "planted": planted}


def main() -> None:
    parser = parser_of(__doc__, SIMULATIONS, rounds=40)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

"""Metrics beside people, from the examples: for whoever shows how far they agree."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from material.comparisons import EXAMPLES, REFERENCE, files
from understudy.corpus.judgments import ScoreTable
from understudy.trusting.by_order import AgreementByOrder
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_scores import Measure, MetricScores
from understudy.trusting.results import Trust
from understudy.trusting.run import trust

KINDS = {"rule-based": ["system-rulebased.en"], "human": ["reference-2.en"]}


@cache
def trusted(measure: str = "adequacy") -> Trust:
    """The example systems and a human translation, by two metrics, one of which is better the lower it is."""
    systems: dict[str, Path] = {path.name: path for path in files().values()}
    systems["reference-2.en"] = EXAMPLES / "reference-2.en"
    return trust(
        EXAMPLES / "judgments.tsv",
        systems,
        [REFERENCE],
        ["bleu", "ter"],
        measure=measure,
        kinds=KINDS,
        samples=100,
    )


def by_length() -> list[AgreementByOrder]:
    nan = float("nan")
    return [
        AgreementByOrder(
            "BLEU",
            "max_order",
            CoefficientSpec("pearson", "system"),
            (1, 2, 3, 4),
            (0.5, 0.6, 0.7, 0.6),
            (0.4,) * 4,
            (0.8,) * 4,
        ),
        AgreementByOrder(
            "HWCM",
            "max_order",
            CoefficientSpec("pearson", "system"),
            (1, 2),
            (0.75, nan),
            (nan, nan),
            (nan, nan),
        ),
    ]


def made_up(
    metrics: int = 2, systems: int = 6, segments: int = 4, names: str = "system {}", **plan: Any
) -> Trust:
    """Metrics that are ever farther from what people say of systems that are ever better. Without segments, of systems
    alone.
    """
    generator = np.random.default_rng(7)
    worth = np.arange(float(systems))

    def scores(name: str, noise: float) -> ScoreTable:
        called = tuple(names.format(number) for number in range(1, systems + 1))
        of_segments = worth[:, np.newaxis] + noise * generator.normal(size=(systems, segments))
        of_systems = of_segments.mean(axis=1) if segments else worth + noise * generator.normal(size=systems)
        return ScoreTable(
            name, called, tuple(range(1, segments + 1)), of_segments, of_systems, given=not segments
        )

    people = scores("people", 0.5)
    measures = tuple(
        Measure(
            f"metric {number}", f"metric {number}", "", "scores.tsv", scores(f"metric {number}", 0.3 * number)
        )
        for number in range(1, metrics + 1)
    )
    return trust(people, MetricScores(measures), samples=20, **plan)

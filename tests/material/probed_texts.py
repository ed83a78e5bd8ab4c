"""Texts as a system that is probed."""

from __future__ import annotations

from collections.abc import Sequence

from understudy import Corpus, Metric, metric
from understudy.probing.probed_system import ProbedSystem


def probed(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *metrics: str | Metric,
    language: str | None = None,
) -> ProbedSystem:
    """A system, with BLEU if no metric is named."""
    chosen = [metric(each) if isinstance(each, str) else each for each in metrics or ("bleu",)]
    corpus = Corpus.of_texts(list(hypotheses), [list(group) for group in references])
    return ProbedSystem.of(corpus, chosen, language=language, threads=1)

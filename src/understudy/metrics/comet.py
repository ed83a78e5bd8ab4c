"""COMET: a score learned from human judgments, by Unbabel's models (Rei et al. 2020, 2022; Guerreiro et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from understudy.errors import LengthMismatch, UnderstudyError
from understudy.metrics.base.neural_metric import NeuralMetric
from understudy.metrics.base.parameters import param
from understudy.neural.comet.engine import ALL, INPUTS, CometEngine
from understudy.neural.comet.error_spans import ErrorSpan
from understudy.neural.comet.hyperparameters import REFERENCE, SOURCE
from understudy.neural.pairs import Pair, texts_of
from understudy.neural.torch_backend import Place


@dataclass(frozen=True, kw_only=True, repr=False)
class COMET(NeuralMetric):
    """COMET with a checkpoint on this machine: regression, referenceless (QE), ranking and unified models (Kiwi,
    UniTE), and XCOMET.

    >>> COMET().missing
    'no model given. Use comet:model=FOLDER; see understudy models.'
    """

    inputs: str = param(
        ALL,
        "texts that a unified model or XCOMET reads beside the hypothesis: all that it can, or one of them",
        choices=INPUTS,
    )

    name: ClassVar[str] = "comet"
    title: ClassVar[str] = "COMET"
    summary: ClassVar[str] = (
        "Score of a model that was trained on human scores, from source, hypothesis and reference."
    )
    formula: ClassVar[str] = (
        r"\text{COMET}(s, h, r) = f([\mathbf{h}; \mathbf{r}; \mathbf{h} \odot \mathbf{r}; |\mathbf{h} - \mathbf{r}|; "
        r"\mathbf{h} \odot \mathbf{s}; |\mathbf{h} - \mathbf{s}|])"
    )
    citation: ClassVar[str] = (
        "Ricardo Rei, Craig Stewart, Ana C Farinha, Alon Lavie: COMET: A Neural Framework for MT Evaluation. EMNLP "
        "2020."
    )
    not_for: ClassVar[str] = (
        "Comparing scores of different models: each has its own scale. Languages or domains that the model has not "
        "seen. Texts longer than about 500 tokens, of which it reads the beginning."
    )
    written_as: ClassVar[str] = "comet:model=FOLDER"
    values: ClassVar[tuple[str, ...]] = ("score",)

    def engine(self) -> CometEngine:
        engine = CometEngine(self.found, self.inputs, Place(self.device, self.dtype))
        engine.check()
        return engine

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        return REFERENCE in self._reads

    @property
    def reads_sources(self) -> bool:  # type: ignore[override]
        return SOURCE in self._reads

    @cached_property
    def _reads(self) -> tuple[str, ...]:
        """References, as long as there is no model that says otherwise: then an error says what is wrong with it."""
        if self.model:
            try:
                return self.engine().reads
            except UnderstudyError:
                pass
        return (REFERENCE,)

    def error_spans(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
    ) -> list[list[ErrorSpan]]:
        """The errors that an XCOMET model finds in each hypothesis."""
        for word, texts in (("references", references), ("sources", sources)):
            if texts is not None and len(texts) != len(hypotheses):
                raise LengthMismatch(f"{len(hypotheses):,} hypotheses, but {len(texts):,} {word}.")
        nothing = [None] * len(hypotheses)
        pairs = [
            Pair(*row) for row in zip(hypotheses, references or nothing, sources or nothing, strict=True)
        ]
        engine = self.engine()
        self.warn_of_special_tokens(engine, texts_of(pairs))
        return engine.scores_and_spans(pairs, batch_size=self.batch_size)[1]

"""BLEURT: a score learned from human judgments, from hypothesis and reference (Sellam et al. 2020, Pu et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.neural_metric import NeuralMetric
from understudy.neural.bleurt import BleurtEngine
from understudy.neural.torch_backend import Place


@dataclass(frozen=True, kw_only=True, repr=False)
class BLEURT(NeuralMetric):
    """BLEURT with a checkpoint on this machine, in the form of bleurt-pytorch.

    >>> BLEURT().missing
    'no model given. Use bleurt:model=FOLDER; see understudy models.'
    """

    name: ClassVar[str] = "bleurt"
    title: ClassVar[str] = "BLEURT"
    summary: ClassVar[str] = (
        "Score of a model that was trained on human scores, from hypothesis and reference."
    )
    formula: ClassVar[str] = (
        r"\text{BLEURT}(h, r) = \mathbf{w}^\top \tanh(\mathbf{W} \mathbf{v}_{[CLS]}(r, h)) + b"
    )
    citation: ClassVar[str] = (
        "Amy Pu, Hyung Won Chung, Ankur P Parikh, Sebastian Gehrmann, Thibault Sellam: Learning Compact Metrics for "
        "MT. EMNLP 2021."
    )
    not_for: ClassVar[str] = (
        "Comparing scores of different checkpoints: each has its own scale. Languages that the checkpoint has not "
        "seen; those before BLEURT-20 know English only."
    )
    written_as: ClassVar[str] = "bleurt:model=FOLDER"
    values: ClassVar[tuple[str, ...]] = ("score",)

    def engine(self) -> BleurtEngine:
        engine = BleurtEngine(self.found, Place(self.device, self.dtype))
        engine.check()
        return engine

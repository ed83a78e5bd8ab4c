"""MetricX: an error score learned from human judgments, by Google's models (Juraska et al. 2023, 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from understudy.errors import UnderstudyError
from understudy.metrics.base.neural_metric import NeuralMetric
from understudy.metrics.base.parameters import param
from understudy.neural.metricx import MODES, MetricXEngine, Mode, mode_of_name
from understudy.neural.torch_backend import Place

_OF_NAME = "auto"


@dataclass(frozen=True, kw_only=True, repr=False)
class MetricX(NeuralMetric):
    """MetricX-23 or MetricX-24 with a checkpoint on this machine. 0 is best, 25 is worst.

    >>> MetricX().missing
    'no model given. Use metricx:model=FOLDER; see understudy models.'
    """

    mode: str = param(
        _OF_NAME,
        "version of the model and whether it does without references (qe); auto is what the model's name says",
        choices=(_OF_NAME, *MODES),
    )
    tokenizer: str = param("", "folder or name of a model with mT5's tokenizer; the default finds one")
    multi: str = param(
        "min", "value of a segment with several references", choices=("min", "mean"), key="multi"
    )

    name: ClassVar[str] = "metricx"
    title: ClassVar[str] = "MetricX"
    summary: ClassVar[str] = (
        "Error score from 0 to 25 of a model that was trained on human scores; lower is better."
    )
    formula: ClassVar[str] = r"\text{MetricX}(s, h, r) = \min(25, \max(0, z(s, h, r)))"
    citation: ClassVar[str] = (
        "Juraj Juraska, Daniel Deutsch, Mara Finkelstein, Markus Freitag: MetricX-24: The Google Submission to the WMT "
        "2024 Metrics Shared Task. WMT 2024."
    )
    not_for: ClassVar[str] = (
        "Comparing scores of different models: each has its own scale. Texts longer than 1,024 tokens (MetricX-23) or "
        "1,536 tokens (MetricX-24), of which it reads the beginning."
    )
    higher_is_better: ClassVar[bool | None] = False
    below_zero: ClassVar[bool] = False
    written_as: ClassVar[str] = "metricx:model=FOLDER"
    told_by_input: ClassVar[frozenset[str]] = NeuralMetric.told_by_input | {"tokenizer"}
    values: ClassVar[tuple[str, ...]] = ("score",)

    def engine(self) -> MetricXEngine:
        found = self.found
        mode = mode_of_name(found.name) if self.mode == _OF_NAME else self.mode
        engine = MetricXEngine(found, mode, self.tokenizer, Place(self.device, self.dtype))
        engine.check()
        return engine

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        return self._mode.reference

    @property
    def reads_sources(self) -> bool:  # type: ignore[override]
        return self._mode.source

    @cached_property
    def _mode(self) -> Mode:
        """References, as long as there is no model that says otherwise: then an error says what is wrong with it."""
        if self.model:
            try:
                return MODES[self.engine().mode]
            except UnderstudyError:
                pass
        return MODES["23"]

"""Learned weights of n-grams, headword chains or subtrees, used as a metric (proposed by Liu & Gildea 2005)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput
from understudy.metrics.base.averages import SCORE_UNIT, average_columns, averaged, mean_of
from understudy.metrics.base.feature_model import FeatureModel
from understudy.metrics.base.match_features import FeatureSource, NgramSource, TreeSource
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.model_file_metric import ModelFileMetric
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import UNPARSED, Statistics
from understudy.metrics.bleu import BLEU
from understudy.metrics.dstm import DSTM
from understudy.metrics.hwcm import HWCM
from understudy.metrics.stm import LIU_GILDEA, STM

# The metrics whose parts can have weights; without one among the metrics, the first.
FEATURE_METRICS: dict[str, tuple[type[Metric], ...]] = {
    "ngrams": (BLEU,),
    "chains": (HWCM,),
    "subtrees": (STM, DSTM),
}


def feature_source(metric: Metric) -> FeatureSource | None:
    """The features of a metric; None: it has none. Subclasses compare other texts."""
    if type(metric) is BLEU:
        return NgramSource(metric, metric.max_order)
    return TreeSource(metric) if isinstance(metric, (HWCM, STM, DSTM)) else None


@dataclass(frozen=True, kw_only=True, repr=False)
class LearnedFeatures(ModelFileMetric[FeatureModel]):
    """A weighted sum of matched, extra and missed parts of a translation, with weights from a file.

    >>> LearnedFeatures().missing
    'no model file given. Use learned-features:model=FILE, with the file of learned feature weights.'
    """

    model: str = param("", "model file of feature weights, see `understudy trust --learn-features`")

    name: ClassVar[str] = "learned-features"
    title: ClassVar[str] = "Learned features"
    summary: ClassVar[str] = (
        "Weighted sum of matched, extra and missed n-grams, headword chains or subtrees, fitted to human scores."
    )
    formula: ClassVar[str] = (
        r"\frac{1}{S} \sum_s \left(b + \sum_{n} \sum_{k} \sum_{g} (w_{n,k} + w_{g,k}) \cdot x_{g,k}(s)\right), \quad "
        r"x_{g,\text{matched}} = \frac{\text{count}_\text{clip}(g)}{\sum_{g'} \text{count}(g')}, \quad "
        r"x_{g,\text{extra}} = \frac{\text{count}(g) - \text{count}_\text{clip}(g)}{\sum_{g'} \text{count}(g')}, \quad "
        r"x_{g,\text{missed}} = \frac{1}{|R|} \sum_{r \in R} \frac{\max(\text{count}_r(g) - \text{count}(g), 0)}"
        r"{\sum_{g'} \text{count}_r(g')}"
    )
    citation: ClassVar[str] = (
        f"{LIU_GILDEA} Section 4 proposes to train the weights. Hashed features: Kilian Weinberger, Anirban Dasgupta, "
        "John Langford, Alex Smola, Josh Attenberg: Feature Hashing for Large Scale Multitask Learning. ICML 2009."
    )
    not_for: ClassVar[str] = (
        "Languages, domains, references or system types other than those of the training data: weights of single words "
        "are weights of topics, too. Optimization: systems can be tuned to contain words with high weights."
    )
    written_as: ClassVar[str] = "learned-features:model=FILE"
    file_of: ClassVar[str] = "learned feature weights"

    @staticmethod
    def load(path: str) -> FeatureModel:
        return FeatureModel.load(path)

    @property
    def source(self) -> FeatureSource:
        """The features of the metric that the weights were learned with."""
        found = feature_source(self._parts[0])
        if found is None or found.orders != len(self.known.orders):
            raise BadInput(
                f"'{self.model}' has weights of {len(self.known.orders)} orders of {self._parts[0].spec}, which has "
                "others. Train the weights again with `understudy trust --learn-features`."
            )
        return found

    # --- counting: the standardized score of every segment -------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return (*average_columns("score"), *((UNPARSED,) if self.parses else ()))

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        found = self.source.features(hypotheses, references, threads)
        rows = averaged([self.known.standardized(found) / SCORE_UNIT])
        return np.column_stack([rows, found.unparsed]) if self.parses else rows

    # --- scoring ------------------------------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self.known.score(SCORE_UNIT * mean_of(statistics, "score"))  # the mean of scores, by linearity

    # --- explaining ---------------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        unparsed = {UNPARSED: totals[UNPARSED].item()} if self.parses else {}
        return {"standardized": SCORE_UNIT * mean_of(totals, "score").item(), **unparsed}

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"(no tree for {detail[UNPARSED]:,})" if detail.get(UNPARSED) else ""

    def choices(self) -> dict[str, str]:
        if self._model is None:
            return {"model": "none"}
        return {
            "model": self._model.digest,
            "features": self._model.features,
            "method": self._model.method,
            "of": self.signed_parts,
        }

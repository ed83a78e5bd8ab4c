"""The settings of learned feature weights, and the metric whose parts are the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy.choices import FEATURE_BITS, FEATURE_DOCUMENTS, FEATURES
from understudy.errors import BadParameter
from understudy.metrics.base.feature_model import BITS
from understudy.metrics.base.metric import Metric
from understudy.metrics.learned_features import FEATURE_METRICS
from understudy.settings import Settings, check_choice, check_whole
from understudy.trusting.feature_weights.sparse_methods import sparse_method


@dataclass(frozen=True)
class FeatureSettings(Settings):
    """The settings of learned feature weights."""

    features: str  # ngrams, chains or subtrees
    method: str = "ridge"  # or lasso
    grouping: str = "none"  # or segment: only from differences between translations of a segment
    bits: int = FEATURE_BITS  # features are hashed into 2^bits buckets
    min_documents: int = FEATURE_DOCUMENTS  # a bucket must occur in so many documents
    documents: Sequence[str] | None = None  # the document of every segment

    def __post_init__(self) -> None:
        check_choice("learn_features", self.features, FEATURES)
        sparse_method(self.method)
        check_whole("bits", self.bits, least=BITS[0], most=BITS[1])
        check_whole("min_documents", self.min_documents)

    @property
    def plain(self) -> str:
        """The plain metric of the features, if no other is given."""
        return FEATURE_METRICS[self.features][0].name

    def among(self, metrics: Sequence[Metric]) -> Metric | None:
        """The first of the metrics with these features: its tokenizer, letter case and maximum order apply."""
        return next((metric for metric in metrics if type(metric) in FEATURE_METRICS[self.features]), None)

    def plain_metric(self, metrics: Sequence[Metric]) -> Metric:
        """The same; an error if there is none."""
        found = self.among(metrics)
        if found is None:
            names = " or ".join(metric.name for metric in FEATURE_METRICS[self.features])
            raise BadParameter(
                f"weights of {self.features} are learned for {names}, which is not among the computed metrics. Add it."
            )
        return found

"""understudy's metrics in mbrs, a library of decoders for minimum Bayes risk decoding.

`register_metrics` registers two metrics: `understudy`, any spec, and `understudy_aggregatable`, specs that can
aggregate references, which mbrs' decoder `aggregate_mbr` requires.

    from mbrs.decoders import DecoderMBR
    from mbrs.metrics import get_metric
    from understudy.compat.mbrs import register_metrics

    register_metrics()
    kind = get_metric("understudy")
    decoder = DecoderMBR(DecoderMBR.Config(), kind(kind.Config(spec="chrf")))
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from understudy.errors import BadParameter, MissingExtra
from understudy.metrics.base.registry import metric as metric_of


def register_metrics() -> None:
    """Register the metrics with mbrs, once."""
    try:
        mbrs = import_module("mbrs.metrics")
    except ImportError as error:
        raise MissingExtra(
            f"understudy in mbrs needs mbrs ({error}): pip install torch==2.13.0, then pip install mbrs 'setuptools<81'"
        ) from None
    for name, base, own in (
        ("understudy", mbrs.Metric, _Utility),
        ("understudy_aggregatable", mbrs.MetricAggregatable, _AggregatableUtility),
    ):
        try:
            mbrs.get_metric(name)
        except KeyError:
            mbrs.register(name)(
                type(f"Metric{name.title().replace('_', '')}", (own, base), {"Config": _Config})
            )


@dataclass
class _Config:
    """Configuration of the metric: its spec, e.g. bleu:tokenize=intl, and the number of threads."""

    spec: str = "chrf"
    threads: int | None = None


class _Utility:
    """The methods of mbrs' metrics. Utilities are computed in double precision, and given in single, as mbrs has it."""

    def __init__(self, cfg: _Config) -> None:
        self.cfg = cfg
        self._metric = metric_of(cfg.spec)
        if not self._metric.reads_references or self._metric.higher_is_better is None:
            raise BadParameter(
                f"{cfg.spec} cannot be a utility. Use a metric that compares with references, e.g. chrf."
            )
        self.HIGHER_IS_BETTER = self._metric.higher_is_better

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """The score of one pair."""
        return self._metric.segment(hypothesis, reference, source).value

    def scores(self, hypotheses: list[str], references: list[str], sources: list[str] | None = None) -> Any:
        """The scores of pairs."""
        return _tensor(
            self._metric.segments(hypotheses, references, sources=sources, threads=self.cfg.threads)
        )

    def pairwise_scores(self, hypotheses: list[str], references: list[str], source: str | None = None) -> Any:
        """The scores of all pairs."""
        return _tensor(
            self._metric.pairwise(hypotheses, references, sources=source, threads=self.cfg.threads)
        )

    def expected_scores(
        self,
        hypotheses: list[str],
        references: list[str],
        source: str | None = None,
        reference_lprobs: Any = None,
    ) -> Any:
        """The expected score of each hypothesis."""
        return self._expected(hypotheses, references, source, reference_lprobs, aggregated=False)

    def corpus_score(
        self,
        hypotheses: list[str],
        references_lists: list[list[str]],
        sources: list[str] | None = None,
    ) -> float:
        """The corpus score; each list has one reference per hypothesis."""
        references = [list(group) for group in zip(*references_lists, strict=True)]
        found = self._metric.corpus(hypotheses, references, sources=sources, threads=self.cfg.threads)
        return found.value

    def _expected(
        self,
        hypotheses: list[str],
        references: list[str],
        source: str | None,
        lprobs: Any,
        *,
        aggregated: bool,
    ) -> Any:
        weights = None if lprobs is None else lprobs.detach().double().softmax(dim=-1).cpu().numpy()
        return _tensor(
            self._metric.expected_utility(
                hypotheses,
                references,
                weights=weights,
                aggregated=aggregated,
                sources=source,
                threads=self.cfg.threads,
            )
        )


class _AggregatableUtility(_Utility):
    """With aggregated references."""

    def __init__(self, cfg: _Config) -> None:
        super().__init__(cfg)
        if not self._metric.aggregates:
            raise BadParameter(f"{cfg.spec} cannot aggregate references. Use chrf or bleu.")

    def expected_scores_reference_aggregation(
        self,
        hypotheses: list[str],
        references: list[str],
        source: str | None = None,
        reference_lprobs: Any = None,
    ) -> Any:
        """The score of each hypothesis against the aggregated reference."""
        return self._expected(hypotheses, references, source, reference_lprobs, aggregated=True)


def _tensor(values: Any) -> Any:
    return import_module("torch").from_numpy(np.ascontiguousarray(values, dtype=np.float32))

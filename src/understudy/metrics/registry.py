"""The metrics by name, and the one parser of metric specs."""

from __future__ import annotations

from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base import Metric
from understudy.metrics.bleu import BLEU
from understudy.metrics.parameters import parse_settings

METRICS: dict[str, type[Metric]] = {metric.name: metric for metric in (BLEU,)}


def metric(spec: str | Metric) -> Metric:
    """The metric a spec means: a name, alone or with settings and a preset.

    >>> metric("bleu")
    BLEU()
    >>> metric("bleu:tokenize=intl,lowercase=true")
    BLEU(lowercase=True, tokenize='intl')
    >>> metric("bleu:papineni2002,max_order=3").spec
    'bleu:max_order=3,lowercase=true,smooth=none'
    """
    if isinstance(spec, Metric):
        return spec
    name, _, settings_text = spec.strip().partition(":")
    metric_class = METRICS.get(name.strip().lower())
    if metric_class is None:
        raise BadParameter(f"no metric '{name}'. {did_you_mean(name, METRICS)}")
    try:
        settings = parse_settings(metric_class, settings_text)
        preset = settings.pop("preset", None)
        return metric_class.preset(preset, **settings) if preset else metric_class(**settings)
    except BadParameter as error:
        raise BadParameter(f"{name}: {error}") from None

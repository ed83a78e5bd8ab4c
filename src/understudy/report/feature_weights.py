"""Learned feature weights as tables: their gain over the plain metric, and the features with the largest effects."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.agreement_details import NO_VALUE, interval_in_words, title
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.trusting.feature_weights.learning import FEATURE_TITLES

if TYPE_CHECKING:
    from understudy.metrics.base.feature_model import FeatureModel, NamedWeight
    from understudy.trusting.feature_weights.learning import FeatureLearning
    from understudy.trusting.results import Trust

_SHOWN = 10  # features with a positive and with a negative effect

_NGRAMS = ("unigram", "bigram", "trigram")


def as_grids(trust: Trust, digits: int) -> list[Grid]:
    """The gain and the largest weights, if any were learned."""
    learning = trust.feature_learning
    if learning is None:
        return []
    return [*([_gain_grid(trust, learning, digits)] if trust.gains else []), _weight_grid(learning, digits)]


def _gain_grid(trust: Trust, learning: FeatureLearning, digits: int) -> Grid:
    """The learned weights beside the plain metric, by every coefficient."""
    gains = trust.gains
    coefficients = [
        f"{title(gain.asked)}{', system level' if gain.asked.level == 'system' else ''}" for gain in gains
    ]
    resampled = "systems and segments" if trust.over == "both" else trust.over
    return Grid(
        [
            GridColumn((f"gain over {printable(learning.plain)}",), coefficients, numeric=False),
            GridColumn((printable(learning.plain),), [f"{gain.plain:.{digits}f}" for gain in gains]),
            GridColumn((printable(learning.name),), [f"{gain.better:.{digits}f}" for gain in gains]),
            GridColumn(
                ("gain",),
                [
                    f"{gain.difference:+.{digits}f}{interval_in_words(gain.interval, digits)}"
                    for gain in gains
                ],
            ),
            GridColumn(
                ("p",), [NO_VALUE if math.isnan(gain.p_value) else shown_p(gain.p_value) for gain in gains]
            ),
        ],
        [
            f"In parentheses: {trust.plan.confidence:.0%} CI of the paired difference, {trust.plan.samples:,} "
            f"bootstrap resamples of {resampled}. p: two-sided bootstrap test of the same difference, uncorrected."
        ],
    )


def _weight_grid(learning: FeatureLearning, digits: int) -> Grid:
    """The features with the largest positive and negative effects."""
    model = learning.model
    raising = [each for each in model.largest if each.effect > 0][:_SHOWN]
    lowering = [each for each in model.largest if each.effect < 0][-_SHOWN:]
    shown = [*raising, *lowering]
    sharing = any(each.shares_bucket for each in shown)
    return Grid(
        [
            GridColumn(("feature",), [_in_words(model, each) for each in shown], numeric=False),
            GridColumn(("effect",), [f"{each.effect:+.{digits}f}" for each in shown]),
            GridColumn((f"{model.trained_on.by}s",), [f"{each.documents:,}" for each in shown]),
        ],
        [
            "Effect: mean change of the score in translations with this feature, relative to other "
            f"{FEATURE_TITLES[model.features]} of the same order. matched: clipped count; extra: in the hypothesis "
            "only; missed: in a reference only.",
            *(["* has the weight of its bucket, which it shares with rarer features."] if sharing else []),
        ],
    )


def _in_words(model: FeatureModel, weight: NamedWeight) -> str:
    """For example bigram "of the" matched."""
    if model.features == "ngrams":
        what = _NGRAMS[weight.order - 1] if weight.order <= len(_NGRAMS) else f"{weight.order}-gram"
    elif model.features == "chains":
        what = "word" if weight.order == 1 else f"chain of {weight.order}"
    else:
        what = f"subtree of depth {weight.order}"
    return f'{what} "{printable(weight.text)}" {weight.kind}{"*" if weight.shares_bucket else ""}'


def as_data(trust: Trust) -> dict[str, Any]:
    """The gains and the model, without the weights of all buckets, which the model file has."""
    learning = trust.feature_learning
    if learning is None:
        return {}
    model = learning.model
    return {
        "learned_features": plain(
            {
                "plain_metric": learning.plain,
                "features": model.features,
                "metric": model.metric.spec,
                "method": model.method,
                "strength": model.strength,
                "bits": model.bits,
                "digest": model.digest,
                "orders": model.orders,
                "largest": [asdict(each) for each in model.largest],
                "fitted": asdict(model.fitted),
                "trained_on": asdict(model.trained_on),
                "gains": [asdict(gain) for gain in trust.gains],
            }
        )
    }

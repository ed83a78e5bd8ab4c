"""The file of learned feature weights: readable numbers, no executable content.

    score = center + scale * (sum over orders and kinds of weight * share + sum over features of weight * value)

The shares are those of all parts of an order together (see `match_features`). A feature has the weight of its bucket,
the last bits of its hash; buckets that are not in the file weigh nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.corpus.files import Path, written_whole
from understudy.metrics.base.json_models import ModelEntries, Unexpected, read_model
from understudy.metrics.base.learned_model import TrainedOn, trained_on_of
from understudy.metrics.base.match_features import FEATURE_KINDS, MatchFeatures, buckets_of
from understudy.metrics.base.parameters import DEPTHS

_FORMAT = "understudy feature weights"
_VERSION = 1
_LEARN_AGAIN = "Train the weights again with `understudy trust --learn-features`."

BITS = (8, 32)  # minimum and maximum: 2^bits buckets
# Far above any weight of standardized scores; sums of segment scores stay exact integers.
LARGEST_WEIGHT = 1000.0


@dataclass(frozen=True)
class FeatureMetric:
    """The metric whose parts are the features."""

    spec: str
    choices: Mapping[str, str]  # signature of its segment scores
    of_input: Mapping[str, str]  # what the input added to the signature, see Statistics


@dataclass(frozen=True)
class NamedWeight:
    """One of the largest weights of single parts."""

    text: str
    kind: str  # of FEATURE_KINDS
    order: int
    effect: float  # mean change of the score of a translation in which it occurs
    documents: int  # in which it occurs
    shares_bucket: bool  # with another part; they have one weight


@dataclass(frozen=True)
class FittedFeatures:
    """How much was fitted."""

    features: int  # distinct parts in the training data, each matched, extra and missed
    min_documents: int  # buckets that occur in fewer documents weigh nothing
    buckets: int  # that occur in enough documents
    in_buckets: int  # distinct parts in these
    sharing: int  # of these, parts that share their bucket with another
    non_zero: int  # weights, without those of the orders


@dataclass(frozen=True, eq=False)
class FeatureModel:
    """Weights of features, and their training data."""

    features: str  # ngrams, chains or subtrees
    metric: FeatureMetric
    method: str
    strength: float  # regularization strength per translation
    bits: int
    center: float
    scale: float
    orders: tuple[tuple[float, ...], ...]  # [orders, kinds]: weights of all parts of an order together
    buckets: NDArray[np.int64]  # ascending
    weights: Floats  # of these buckets
    largest: tuple[NamedWeight, ...]  # from the most positive to the most negative
    fitted: FittedFeatures
    trained_on: TrainedOn

    @property
    def parts(self) -> tuple[FeatureMetric]:
        """As of a learned combination."""
        return (self.metric,)

    @property
    def orders_fitted(self) -> int:
        """The number of weights of whole orders."""
        return sum(map(len, self.orders))

    def standardized(self, found: MatchFeatures) -> Floats:
        """The scores [segments] before `scale` and `center`."""
        values = (found.shares * np.array(self.orders)).sum(axis=(1, 2))
        weights = found.values * self._weights_of(buckets_of(found.ids, self.bits))
        return np.asarray(values + np.bincount(found.segment, weights, minlength=len(values)))

    def score(self, standardized: Floats) -> Floats:
        """The scores on the scale of the human scores."""
        return np.asarray(self.center + self.scale * standardized)

    def _weights_of(self, buckets: NDArray[np.intp]) -> Floats:
        if not len(self.buckets):
            return np.zeros(len(buckets))
        places = np.minimum(np.searchsorted(self.buckets, buckets), len(self.buckets) - 1)
        return np.where(self.buckets[places] == buckets, self.weights[places], 0.0)

    # --- writing ---------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the file that the metric `learned-features` reads. The file is written atomically."""
        with written_whole(path) as file:
            file.write(self.text().encode())

    def text(self) -> str:
        """The content of the file."""
        return _with_digest(self._content)

    @cached_property
    def digest(self) -> str:
        """A hash of the content, also in the file."""
        return _digest(self._content)

    @property
    def _content(self) -> dict[str, Any]:
        content = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("metric", "fitted", "trained_on"):
            content[name] = asdict(content[name])
        content["orders"] = [dict(zip(FEATURE_KINDS, weights, strict=True)) for weights in self.orders]
        content["largest"] = [asdict(each) for each in self.largest]
        content["buckets"], content["weights"] = self.buckets.tolist(), self.weights.tolist()
        return {"format": _FORMAT, "version": _VERSION, **content}

    # --- reading ---------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Path) -> FeatureModel:
        """Read a file written by `save`."""
        return read_model(
            path, (_FORMAT, _VERSION), cls._of, what="a file of feature weights", cure=_LEARN_AGAIN
        )

    @classmethod
    def _of(cls, content: ModelEntries) -> FeatureModel:
        content.expect("format", "version", *(field.name for field in fields(cls)), "digest")
        written = dict(content.content)
        if written.pop("digest") != _digest(written):
            raise Unexpected("its content has changed since it was written (the digest does not match)")
        bits = content.count("bits")
        if not BITS[0] <= bits <= BITS[1]:
            raise Unexpected(f"'bits' is {bits}, expected {BITS[0]} to {BITS[1]}")
        buckets = content.counts("buckets", (1 << bits) - 1)
        weights = content.numbers("weights", LARGEST_WEIGHT)
        if len(buckets) != len(weights) or any(a >= b for a, b in pairwise(buckets)):
            raise Unexpected(
                "'buckets' and 'weights' do not fit: expected ascending buckets with a weight each"
            )
        orders = content.entries("orders")
        if not 1 <= len(orders) <= DEPTHS[1]:
            raise Unexpected(f"'orders' has {len(orders)} entries, expected at least 1")
        if content.number("scale") <= 0:
            raise Unexpected(f"'scale' is {content.number('scale'):g}, expected a value above 0")
        return cls(
            features=content.text("features"),
            metric=_metric(content.entry("metric")),
            method=content.text("method"),
            strength=content.number("strength"),
            bits=bits,
            center=content.number("center"),
            scale=content.number("scale"),
            orders=tuple(_order(entry) for entry in orders),
            buckets=np.array(buckets, dtype=np.int64),
            weights=np.array(weights, dtype=np.float64),
            largest=tuple(_named_weight(entry) for entry in content.entries("largest")),
            fitted=_fitted(content.entry("fitted")),
            trained_on=trained_on_of(content.entry("trained_on")),
        )


def _with_digest(content: Mapping[str, Any]) -> str:
    # One line per entry: the buckets are too many for a line each.
    lines = [f"  {_json(name)}: {_json(value)}" for name, value in content.items()]
    return "{\n" + ",\n".join([*lines, f'  "digest": "{_digest(content)}"']) + "\n}\n"


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(_json(content).encode()).hexdigest()[:16]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _metric(content: ModelEntries) -> FeatureMetric:
    content.expect(*FeatureMetric.__dataclass_fields__)
    return FeatureMetric(content.text("spec"), content.texts("choices"), content.texts("of_input"))


def _order(content: ModelEntries) -> tuple[float, ...]:
    content.expect(*FEATURE_KINDS)
    weights = tuple(content.number(kind) for kind in FEATURE_KINDS)
    if max(map(abs, weights)) > LARGEST_WEIGHT:
        raise Unexpected(f"a weight in 'orders' is above {LARGEST_WEIGHT:g}")
    return weights


def _named_weight(content: ModelEntries) -> NamedWeight:
    content.expect(*NamedWeight.__dataclass_fields__)
    return NamedWeight(
        text=content.text("text"),
        kind=content.text("kind"),
        order=content.count("order"),
        effect=content.number("effect"),
        documents=content.count("documents"),
        shares_bucket=content.flag("shares_bucket"),
    )


def _fitted(content: ModelEntries) -> FittedFeatures:
    names = tuple(FittedFeatures.__dataclass_fields__)
    content.expect(*names)
    return FittedFeatures(**{name: content.count(name) for name in names})

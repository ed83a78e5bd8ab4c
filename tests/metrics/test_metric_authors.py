"""What the author of a metric can get wrong: refused in one line, or impossible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from understudy import BLEU, Metric, compare, param
from understudy.errors import BadMetric
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.registry import metrics


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """What is defined here is known here only."""
    known = metrics()
    yield
    METRICS_BY_NAME.clear()
    METRICS_BY_NAME.update(known)


class Described:
    """What every metric must say of itself."""

    name: ClassVar[str] = "mine"
    title: ClassVar[str] = "Mine"
    summary: ClassVar[str] = "A test."
    formula: ClassVar[str] = "m / n"
    citation: ClassVar[str] = "None needed."
    not_for: ClassVar[str] = "Anything."
    columns: ClassVar[tuple[str, ...]] = ("matches", "segments")

    def count(self, hypotheses: Any, references: Any, threads: int) -> Any:
        raise NotImplementedError

    def score(self, statistics: Any) -> Any:
        return 100 * statistics["matches"] / np.maximum(statistics["segments"], 1)


def counting(counts: Any) -> Metric:
    """A metric that counts this, whatever the text."""

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Mine(Described, Metric):
        def count(self, *_: Any) -> Any:
            return counts

    return Mine()


SHAPE = "expected an array of int64 or float64 with shape (2, 2): a row per segment, a column per name in columns."


@pytest.mark.parametrize(
    ("counts", "got"),
    [
        (np.ones((2, 3), np.int64), "an array of int64 with shape (2, 3)"),
        (np.ones((1, 2), np.int64), "an array of int64 with shape (1, 2)"),
        (np.ones((3, 2), np.int64), "an array of int64 with shape (3, 2)"),
        (np.ones(2, np.int64), "an array of int64 with shape (2,)"),
        (np.ones((2, 2, 1), np.int64), "an array of int64 with shape (2, 2, 1)"),
        (np.ones((2, 2), np.int32), "an array of int32 with shape (2, 2)"),
        (np.ones((2, 2), np.float32), "an array of float32 with shape (2, 2)"),
        (np.ones((2, 2), np.bool_), "an array of bool with shape (2, 2)"),
        (np.array([["1", "2"]] * 2), "an array of <U1 with shape (2, 2)"),
        ([[1, 1], [1, 1]], "list"),
        (None, "NoneType"),
    ],
)
def test_counts_of_another_shape_or_type_are_refused(counts: Any, got: str) -> None:
    with pytest.raises(BadMetric) as caught:
        counting(counts).corpus(["a", "b"], ["a", "b"])
    assert str(caught.value) == f"mine: count returned {got}, {SHAPE}"


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_counts_as_they_should_be_are_taken(kind: Any) -> None:
    assert counting(np.array([[1, 1], [0, 1]], kind)).corpus(["a", "b"], ["a", "b"]).value == 50


def test_every_parameter_is_in_the_signature() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Many(Described, Metric):
        flag: bool = param(False, "of a kind")
        order: int = param(4, "of a kind", between=(1, 9))
        share: float = param(0.1, "of a kind", key="part")
        weights: tuple[float, ...] | None = param(None, "of a kind")
        mark: str = param("\n", "of a kind")

    signature = str(Many(weights=(0.5, 1.0)).signature())
    assert signature.startswith("flag:no|order:4|part:0.1|weights:0.5/1|mark:\\n|agg:corpus|")
    assert "|weights:default|" in str(Many().signature())


def test_a_parameter_that_a_subclass_adds_is_in_the_signature() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class More(BLEU):
        more: int = param(3, "of something")

    assert "|more:3|" in str(More().signature())
    assert str(More(more=4).signature()) != str(More().signature())


@pytest.mark.parametrize(
    ("key", "owner"), [("order", "the parameter 'max_order'"), ("agg", "every signature"), ("tokenize", "")]
)
def test_a_key_that_is_taken_is_refused(key: str, owner: str) -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Twice(BLEU):
        more: int = param(3, "of something", key=key)

    with pytest.raises(
        BadMetric, match=f"Twice: the key '{key}' of the parameter 'more' is taken by {owner}"
    ):
        Twice()


def test_a_field_that_is_no_parameter_is_refused() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Plain(BLEU):
        more: int = 3

    with pytest.raises(BadMetric, match=r"Plain: the field more is not declared as a parameter\. Use param"):
        Plain()


def test_a_type_that_no_spec_holds_is_refused() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Complex(BLEU):
        more: complex = param(1j, "of something")

    with pytest.raises(BadMetric, match="Complex: the parameter 'more' is of a type that specs do not hold"):
        Complex()


def test_parameters_without_a_dataclass_are_refused() -> None:
    class Undecorated(BLEU):
        more: int = param(3, "of something")

    with pytest.raises(
        BadMetric, match=r"more is a parameter, but the class is not a dataclass\. Write @dataclass"
    ):
        Undecorated()


def scoring(score: Any) -> Metric:
    """A metric whose score is that function of its statistics, whatever the text."""

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Mine(Described, Metric):
        def count(self, *_: Any) -> Any:
            return np.ones((2, 2), np.int64)

        def score(self, statistics: Any) -> Any:
            return score(statistics)

    return Mine()


@pytest.mark.parametrize(
    ("score", "got"),
    [
        (lambda _: 1.0, "float"),
        (lambda _: None, "NoneType"),
        (lambda _: [1.0, 1.0], "list"),
        (lambda _: np.float64(1), "float64"),
        (lambda _: np.ones((2, 2)), "an array of float64 with shape (2, 2)"),
        (lambda _: np.ones(3), "an array of float64 with shape (3,)"),
        (lambda _: np.ones(2, np.float32), "an array of float32 with shape (2,)"),
        (lambda _: np.array(["x", "y"]), "an array of <U1 with shape (2,)"),
    ],
)
def test_scores_of_another_shape_or_type_are_refused(score: Any, got: str) -> None:
    with pytest.raises(BadMetric) as caught:
        scoring(score).segments(["a", "b"], ["a", "b"])
    expected = "expected an array of float64 with shape (2,): a score for each row of counts."
    assert str(caught.value) == f"mine: score returned {got}, {expected}"


@pytest.mark.parametrize("call", ["corpus", "segments", "mean"])
def test_one_number_for_all_rows_is_refused_at_every_level(call: str) -> None:
    with pytest.raises(
        BadMetric, match=r"^mine: score returned float, expected an array of float64 with shape \("
    ):
        getattr(scoring(lambda _: 1.0), call)(["a", "b"], ["a", "b"])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_are_refused(value: float) -> None:
    said = f"mine: score returned {value}, expected a finite number. Does it divide by a count that is 0?"
    with pytest.raises(BadMetric) as caught:
        scoring(lambda statistics: statistics["matches"] * value).corpus(["a", "b"], ["a", "b"])
    assert str(caught.value) == said


def test_a_score_of_another_shape_cannot_be_compared() -> None:
    metric = scoring(lambda statistics: np.ones(3) if statistics.array.ndim > 1 else np.float64(1))
    with pytest.raises(BadMetric, match=r"^mine: score returned an array of float64 with shape \(3,\)"):
        compare({"one": ["a b", "c"], "two": ["a c", "d"]}, ["a b", "d e"], [metric])


@pytest.mark.parametrize("method", ["count", "score", "detail"])
def test_an_exception_in_a_metric_names_the_metric(method: str) -> None:
    metric = scoring(lambda statistics: statistics["matches"] / 1.0)

    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    setattr(type(metric), method, fail)
    with pytest.raises(BadMetric) as caught:
        metric.corpus(["a", "b"], ["a", "b"])
    raised = "ZeroDivisionError: division by zero"
    assert str(caught.value) == f"mine: {method} raised {raised}. Report this to its author."
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_error_in_one_of_understudys_own_metrics_stays_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BLEU, "score", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        BLEU().corpus(["a"], ["a"])


def test_an_unfinished_metric_cannot_be_made() -> None:
    class Half(Described, Metric):
        count: Any = Metric.count

    with pytest.raises(BadMetric, match=r"Half does not define count\.$"):
        Half()

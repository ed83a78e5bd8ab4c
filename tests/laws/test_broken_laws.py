"""check_metric finds out metrics that break a law, and says which, on which text, and what came instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from understudy import WordMetric, param
from understudy.errors import BadMetric
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.registry import metrics
from understudy.testing import BrokenLaw, check_metric


@dataclass(frozen=True, kw_only=True, repr=False)
class Lawful(WordMetric):
    """The share of words in common with the best reference."""

    weight: float = param(1.0, "factor of the number of matches")

    title: ClassVar[str] = "Lawful"
    summary: ClassVar[str] = "Share of words in common."
    formula: ClassVar[str] = "2 m / n"
    citation: ClassVar[str] = "None needed."
    not_for: ClassVar[str] = "Anything but tests."
    blind_to: ClassVar[frozenset[str]] = frozenset({"order"})
    best_reference: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("matches", "words")

    def count(self, hypotheses: Any, references: Any, *_: Any) -> Any:
        rows = [
            max((self.row(hypotheses[i], each) for each in references[i]), key=_share)
            for i in range(len(hypotheses))
        ]
        return np.array(rows, dtype=np.int64)

    def row(self, hypothesis: str, reference: str) -> tuple[int, int]:
        one, other = Counter(self.tokens(hypothesis)), Counter(self.tokens(reference))
        return (one & other).total(), one.total() + other.total()

    def score(self, statistics: Any) -> Any:
        return 200 * min(self.weight, 1) * statistics["matches"] / np.maximum(statistics["words"], 1)

    @property
    def full_marks(self) -> bool:
        return self.weight >= 1


def _share(row: tuple[int, int]) -> tuple[float, int]:
    return row[0] / max(row[1], 1), -row[1]


class CountsNeighbors(Lawful):
    def count(self, hypotheses: Any, references: Any, threads: int) -> Any:
        return super().count(hypotheses, references, threads) + np.array([0, len(hypotheses)])


class CountsPlaces(Lawful):
    def count(self, hypotheses: Any, references: Any, threads: int) -> Any:
        return super().count(hypotheses, references, threads) + [(0, i) for i in range(len(hypotheses))]


class CountsThreads(Lawful):
    def count(self, hypotheses: Any, references: Any, threads: int) -> Any:
        return super().count(hypotheses, references, threads) + np.array([0, threads])


class ReadsTheFirstReference(Lawful):
    def count(self, hypotheses: Any, references: Any, *_: Any) -> Any:
        rows = [self.row(hypotheses[i], references[i][0]) for i in range(len(hypotheses))]
        return np.array(rows, dtype=np.int64)


class ReadsNoEmptyText(Lawful):
    def row(self, hypothesis: str, reference: str) -> tuple[int, int]:
        assert hypothesis[0]
        return super().row(hypothesis, reference)


class DividesByZero(Lawful):
    def score(self, statistics: Any) -> Any:
        with np.errstate(invalid="ignore"):
            return 200 * statistics["matches"] / statistics["words"]


class HasNoNumber(Lawful):
    def score(self, statistics: Any) -> Any:
        return np.where(statistics["words"] == 19, np.nan, super().score(statistics))


class HasOneScoreForAll(Lawful):
    def score(self, statistics: Any) -> Any:
        return np.float64(statistics["words"].mean())


class CountsPrecision(Lawful):
    def row(self, hypothesis: str, reference: str) -> tuple[int, int]:
        return super().row(hypothesis, reference)[0], 2 * len(self.tokens(hypothesis))


class PrefersTheWorse(Lawful):
    higher_is_better: ClassVar[bool | None] = False


class SaysItIsNotBlind(Lawful):
    blind_to: ClassVar[frozenset[str]] = frozenset()


class HasOneNameForTwoColumns(Lawful):
    columns: ClassVar[tuple[str, ...]] = ("words", "words")


class HasNoSummary(Lawful):
    summary: ClassVar[str] = ""


class SignsNoWeight(Lawful):
    def choices(self) -> dict[str, str]:
        choices = super().choices()
        del choices["weight"]
        return choices


class RoundsItsWeight(Lawful):
    def choices(self) -> dict[str, str]:
        return {**super().choices(), "weight": f"{self.weight:.2f}"}


class SignsNoCase(Lawful):
    def choices(self) -> dict[str, str]:
        return {**super().choices(), "case": "mixed"}


class ReadsDocumentsInSecret(Lawful):
    def count(self, hypotheses: Any, references: Any, threads: int) -> Any:
        return super().count(hypotheses, references, threads) + np.array(
            [0, references.documents is not None]
        )


class CannotBePickled(Lawful):
    __qualname__ = "nowhere"


class HasAnotherSpec(Lawful):
    @property
    def spec(self) -> str:
        return "bleu"


LAW_BROKEN_BY = {
    CountsNeighbors: "any_chunks",
    CountsPlaces: "any_chunks",
    CountsThreads: "any_number_of_threads",
    ReadsTheFirstReference: "any_order_of_references",
    ReadsNoEmptyText: "any_number_of_threads",
    DividesByZero: "scores_lie_in_their_range",
    HasNoNumber: "scores_are_finite",
    HasOneScoreForAll: "scores_have_the_shape_of_the_counts",
    CountsPrecision: "a_copy_of_a_reference_is_best",
    PrefersTheWorse: "a_copy_of_a_reference_is_best",
    SaysItIsNotBlind: "a_copy_of_a_reference_is_best",
    HasOneNameForTwoColumns: "columns_have_names",
    HasNoSummary: "a_metric_says_what_it_is",
    SignsNoWeight: "every_parameter_is_in_a_signature",
    RoundsItsWeight: "one_signature_one_score",
    SignsNoCase: "one_signature_one_score",
    ReadsDocumentsInSecret: "documents_count_alike",
    CannotBePickled: "copies_are_the_same",
    HasAnotherSpec: "repr_and_spec_give_the_metric_back",
}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """What is named here is known here only."""
    known = metrics()
    yield
    METRICS_BY_NAME.clear()
    METRICS_BY_NAME.update(known)


def named(metric_class: type[Lawful]) -> type[Lawful]:
    """The class as a metric of the registry."""
    metric_class.name = metric_class.__name__.lower()
    METRICS_BY_NAME[metric_class.name] = metric_class
    return metric_class


def test_a_lawful_metric_breaks_none() -> None:
    check_metric(named(Lawful))


@pytest.mark.parametrize("metric_class", LAW_BROKEN_BY, ids=lambda broken: broken.__name__)
def test_a_law_is_broken(metric_class: type[Lawful]) -> None:
    with pytest.raises(BrokenLaw, match=f"breaks the law {LAW_BROKEN_BY[metric_class]}: "):
        check_metric(named(metric_class))


def test_the_error_says_on_which_text_and_with_what() -> None:
    with pytest.raises(BrokenLaw) as caught:
        check_metric(named(DividesByZero))
    law, found, *text = str(caught.value).splitlines()
    assert law.startswith("DividesByZero() breaks the law scores_lie_in_their_range: Scores are finite")
    said = "score of segment {} (hypothesis '', references ['']): got nan, expected a finite number"
    assert found in [f"  {said.format(number)}" for number in range(1, len(text) + 1)]
    assert text[int(found.split()[3]) - 1] == "  hypothesis '', references ['']"
    assert "  hypothesis '', references ['']" in text


def test_a_score_that_is_no_number_is_that_of_a_segment() -> None:
    """Also on the text that most laws use, in which it would be unequal to itself."""
    said = r"breaks the law scores_are_finite: .*\n  score of segment \d \(hypothesis '.+', references .*\): got nan"
    with pytest.raises(BrokenLaw, match=said):
        check_metric(named(HasNoNumber))


def test_a_score_of_another_shape_is_named_with_the_right_one() -> None:
    said = r"\n  hasonescoreforall: score returned float64, expected an array of float64 with shape \(6,\)"
    with pytest.raises(BrokenLaw, match=said):
        check_metric(named(HasOneScoreForAll))


def test_a_metric_that_fails_breaks_the_law_on_which_it_does() -> None:
    with pytest.raises(BrokenLaw, match=r"raised IndexError: string index out of range"):
        check_metric(named(ReadsNoEmptyText))


def test_a_class_that_is_no_metric_yet_is_refused() -> None:
    with pytest.raises(BadMetric, match=r"WordMetric does not define name, .*score\.$"):
        check_metric(WordMetric)


def test_pytest_is_not_needed() -> None:
    import subprocess
    import sys

    asked = "import sys; sys.modules['pytest'] = sys.modules['hypothesis'] = None; import understudy.testing"
    subprocess.run([sys.executable, "-c", asked], check=True)

"""Results of the comparison of error spans with human error spans."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.corpus.error_spans import Spans
from understudy.equality import EqualByValue
from understudy.metrics.base.score import Interval
from understudy.renderable import Renderable

AVERAGES = ("micro", "macro")
# Where predictors have their names.
ONE_RATER = "one rater"
EVERYTHING = "all characters, minor"


@dataclass(frozen=True, eq=False)
class SpanValue(EqualByValue):
    """Precision, recall or F1, of all errors or some."""

    average: str  # micro or macro
    kind: str  # one of KINDS
    measure: str  # one of MEASURES
    value: float  # NaN: it has none
    interval: Interval | None


@dataclass(frozen=True)
class SpanScores:
    """Agreement of one predictor with human error spans, or of one rater with the others."""

    name: str
    translations: int
    spans: int  # predicted in these
    values: tuple[SpanValue, ...]

    def of(self, measure: str = "f1", kind: str = "all", average: str = "micro") -> SpanValue:
        return next(
            each
            for each in self.values
            if (each.measure, each.kind, each.average) == (measure, kind, average)
        )


@dataclass(frozen=True)
class SpanPair:
    """Two predictors by micro F1 of all errors: approximate randomization, which exchanges whole segments."""

    first: str
    second: str
    difference: float
    p_value: float
    corrected: float  # for the number of pairs (Holm)
    significant: bool


@dataclass(frozen=True, eq=False, repr=False)
class SpanAgreement(Renderable):
    """All predictors compared with human error spans."""

    human: Spans
    systems: tuple[str, ...]
    segments: int
    translations: int
    credit: float
    samples: int
    seed: int
    confidence: float
    significance: float
    predictors: tuple[SpanScores, ...]
    pairs: tuple[SpanPair, ...]
    # What whoever marks every translation from end to end gets, as a baseline; None: the texts are not known.
    everything: SpanScores | None
    one_rater: SpanScores | None  # against each other rater; None: no translation has two
    # The predictors and the baseline on the translations that one rater has a value for; empty if these are all.
    alike: tuple[SpanScores, ...]
    notes: list[str] = field(default_factory=list)

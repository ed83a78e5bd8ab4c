"""Score: one value, with everything needed to interpret and reproduce it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Signature:
    """All parameters of a score, in a fixed order. Two scores are comparable only if their signatures are equal.

    >>> str(Signature({"nrefs": "1", "tok": "13a"}))
    'nrefs:1|tok:13a'
    """

    choices: Mapping[str, str]

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.choices.items())


@dataclass(frozen=True)
class Interval:
    """A confidence interval with its confidence level."""

    low: float
    high: float
    confidence: float = 0.95


@dataclass(frozen=True)
class Score:
    """A metric's score of a set of segments."""

    metric: str  # the title in tables, such as BLEU
    spec: str  # the metric itself, such as bleu:tokenize=intl
    value: float  # as usually reported: in percent for fractions
    fraction: float | None  # 0 to 1, where the metric is a fraction
    aggregate: str  # corpus, segment or mean
    segments: int
    references: tuple[int, int]  # minimum and maximum per segment
    detail: Mapping[str, Any]  # the components of the score
    signature: Signature
    explanation: str  # the detail in one line
    interval: Interval | None = None  # if requested

    @classmethod
    def made_when_asked(cls, value: float, make: Callable[[], Score]) -> Score:
        """The score that `make` gives, of which the value is known. All else is made when any of it is asked for: in a
        loop over segments, few ask.
        """
        score = object.__new__(cls)
        vars(score).update(value=value, _make=make)
        return score

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        if name not in self.__dataclass_fields__ or "_make" not in vars(self):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._complete()
        return vars(self)[name]

    def __getstate__(self) -> dict[str, Any]:
        self._complete()
        return vars(self)

    def _complete(self) -> None:
        if make := vars(self).get("_make"):
            vars(self).update(vars(make()))
            vars(self).pop("_make", None)

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __format__(self, form: str) -> str:
        """The value in the given format; without a format, the same as `str`."""
        return format(self.value, form) if form else str(self)

    def __str__(self) -> str:
        parts = [f"{self.metric} = {self.value:.2f}", self.explanation, f"[{self.signature}]"]
        return " ".join(part for part in parts if part)

    def __repr__(self) -> str:
        return (
            f"<{self.metric} {self.value:.2f}: {self.aggregate} of {self.segments:,} "
            f"segment{'s' if self.segments != 1 else ''}, {references_in_words(self.references)}>"
        )

    def _repr_html_(self) -> str:
        import html  # for notebooks only, and its table of characters is long

        rows = [
            *(
                [("interval", f"{self.interval.low:.2f} to {self.interval.high:.2f}")]
                if self.interval
                else []
            ),
            ("aggregate", self.aggregate),
            ("segments", f"{self.segments:,}"),
            ("references", references_in_words(self.references)),
            *((name.replace("_", " "), _shown(value)) for name, value in self.detail.items()),
            ("signature", str(self.signature)),
        ]
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for name, value in rows
        )
        return (
            f"<table><caption style='text-align:left'><b>{html.escape(self.metric)} {self.value:.2f}</b></caption>"
            f"<tbody>{body}</tbody></table>"
        )


def references_in_words(references: tuple[int, int]) -> str:
    """The number of references, in words.

    >>> references_in_words((1, 1)), references_in_words((2, 4)), references_in_words((0, 0))
    ('1 reference', '2 to 4 references', 'no references')
    """
    fewest, most = references
    if fewest != most:
        return f"{fewest} to {most} references"
    return f"{most or 'no'} reference{'s' if most != 1 else ''}"


def _shown(value: Any) -> str:
    """A detail rounded for display; the stored value has full precision."""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}"
    if isinstance(value, (list, tuple)):
        return " / ".join(_shown(item) for item in value)
    return str(value)

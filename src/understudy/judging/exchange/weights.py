"""Weights of errors in MQM: what an error of a severity and a category costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.arrays import LARGEST_SCORE
from understudy.errors import BadParameter, did_you_mean

# Freitag et al. (2021), table 4, and the categories that WMT23 counted nothing for.
_DEFAULT_WEIGHTS: Mapping[str, float] = {
    "neutral": 0.0,
    "undecided": 0.0,  # marked in Appraise, without a severity
    "minor": 1.0,
    "major": 5.0,
    "minor:fluency/punctuation": 0.1,
    "non-translation": 25.0,
    "source issue": 0.0,
    "source error": 0.0,
    "accuracy/creative reinterpretation": 0.0,
}
_EXAMPLE = "minor=1,major=5,minor:fluency/punctuation=0.1,non-translation=25"


@dataclass(frozen=True)
class Weights:
    """By severity, by category, or by severity and category: the more specific one counts. A category includes those
    below it, and letter case does not matter.
    """

    by_name: Mapping[str, float] = field(default_factory=lambda: dict(_DEFAULT_WEIGHTS))

    @classmethod
    def of(cls, weights: Mapping[str, float] | str | None) -> Weights:
        """As a mapping or as text, SEVERITY=W, CATEGORY=W or SEVERITY:CATEGORY=W; both replace some of the defaults."""
        if weights is None:
            return cls()
        given = _parsed(weights) if isinstance(weights, str) else dict(weights)
        for name, weight in given.items():
            if not isinstance(weight, (int, float)) or not 0 <= weight <= LARGEST_SCORE:
                raise BadParameter(f"weight of '{name}': got {weight!r}, expected a number of at least 0.")
        return cls(
            {**_DEFAULT_WEIGHTS, **{name.strip().lower(): float(each) for name, each in given.items()}}
        )

    def penalty(self, severity: str, category: str) -> float | None:
        """None: no weight is known for this severity.

        >>> weights = Weights()
        >>> weights.penalty("Minor", "Fluency/Punctuation"), weights.penalty("Major", "Fluency/Punctuation")
        (0.1, 5.0)
        >>> weights.penalty("major", "Non-translation!"), weights.penalty("severe", "Accuracy")
        (25.0, None)
        """
        severity, category = severity.strip().lower(), category.strip().lower().rstrip("!")
        parts = category.split("/")
        above = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
        names = [*(f"{severity}:{each}" for each in above), *above, severity]
        return next((self.by_name[name] for name in names if name in self.by_name), None)

    def unknown(self, severity: str) -> str:
        """What to tell about a severity without weight."""
        known = [name for name in self.by_name if ":" not in name and "/" not in name]
        weight = f"Give its weight with --weights {severity.lower() or 'NAME'}=W."
        return f"{did_you_mean(severity, known)} {weight}"


def _parsed(text: str) -> dict[str, float]:
    found = {}
    for part in text.split(","):
        name, equals, weight = part.rpartition("=")
        try:
            found[name.strip()] = float(weight)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise BadParameter(f"weights '{part}': expected NAME=WEIGHT, such as {_EXAMPLE}.")
    return found

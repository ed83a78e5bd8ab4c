"""Grids of settings: `bleu:max_order=1..6,average=geometric|arithmetic` as the metrics it stands for."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric
from understudy.settings import check_name

MOST_SETTINGS = 1_000

_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:\.\.({_NUMBER}))?")
_BEGUN = re.compile(rf"{_NUMBER}(?:[eE][-+]?\d+)?\.\.")  # what can only be meant as a range

Choose = Callable[[Sequence[str]], Sequence[Metric]]  # the metrics of specs


@dataclass(frozen=True)
class SettingsGrid:
    """The settings of a metric that a grid stands for, and the metric without the parameters that vary."""

    text: str  # as given
    plain: Metric
    settings: tuple[Metric, ...]  # distinct, in the order of the grid
    invalid: int = 0  # combinations that the metric does not accept
    reason: str = ""  # why it refuses the first of them

    @classmethod
    def of(cls, text: str, choose: Choose | None = None) -> SettingsGrid:
        """Expand a grid: a spec in which parameters, or the preset, may have alternatives `a|b` and ranges `1..6` or
        `0..2..0.5`, whose third number is the step. A backslash before `|` makes it part of a value. `choose` makes
        metrics of specs, for example for a language.

        >>> grid = SettingsGrid.of("bleu:max_order=1..3,average=geometric|arithmetic")
        >>> len(grid.settings), grid.plain, grid.settings[1]
        (6, BLEU(), BLEU(max_order=1, average='arithmetic'))
        """
        check_name("grid", text)
        name, _, listed = text.partition(":")
        metric(name)  # an unknown metric is named first
        varied = [_values(piece.strip(), text) for piece in _split(listed, ",") if piece.strip()]
        number = math.prod(of_one.number for of_one in varied)
        if number < 2:
            raise BadParameter(
                f"grid '{text}' has a single setting. Give a parameter several values, e.g. {name}:NAME=a|b or "
                "NAME=1..4; for a single setting, use a metric."
            )
        if number > MOST_SETTINGS:
            raise BadParameter(
                f"grid '{text}' has {number:,} settings, expected at most {MOST_SETTINGS:,}. Vary fewer parameters, "
                "use ranges with larger steps, or give several smaller grids."
            )
        values = [of_one.pieces() for of_one in varied]
        specs = [f"{name}:{','.join(chosen)}" for chosen in itertools.product(*values)]
        errors = {spec: error for spec in specs if (error := _error_of(spec)) is not None}
        _refuse_values_without_setting(values, specs, errors)
        chosen = choose or (lambda given: [metric(spec) for spec in given])
        valid = [spec for spec in specs if spec not in errors]
        fixed = ",".join(of_piece[0] for of_piece in values if len(of_piece) == 1)
        (plain,) = chosen([f"{name}:{fixed}" if fixed else name])
        settings = tuple(dict.fromkeys(chosen(valid)))
        if len(settings) < 2:
            raise BadParameter(f"grid '{text}' has a single setting, {settings[0].spec}, several times.")
        return cls(text, plain, settings, len(errors), str(next(iter(errors.values()), "")))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The settings, and the plain metric if it is none of them."""
        return tuple(dict.fromkeys((*self.settings, self.plain)))


def grids_given(
    given: str | SettingsGrid | Iterable[str | SettingsGrid], choose: Choose
) -> list[SettingsGrid]:
    """The grids of an argument: one or several, as text or expanded."""
    listed = [given] if isinstance(given, (str, SettingsGrid)) else list(given)
    return [each if isinstance(each, SettingsGrid) else SettingsGrid.of(each, choose) for each in listed]


def _error_of(spec: str) -> BadParameter | None:
    try:
        metric(spec)
    except BadParameter as error:
        return error
    return None


def _refuse_values_without_setting(
    values: Sequence[Sequence[str]], specs: Sequence[str], errors: dict[str, BadParameter]
) -> None:
    """Parameters may exclude each other, but every value must be part of a setting: else it is a mistake."""
    used = {
        (place, value)
        for spec, chosen in zip(specs, itertools.product(*values), strict=True)
        if spec not in errors
        for place, value in enumerate(chosen)
    }
    for spec, chosen in zip(specs, itertools.product(*values), strict=True):
        if any((place, value) not in used for place, value in enumerate(chosen)):
            raise errors[spec]


class _Values(NamedTuple):
    """The values of one parameter: single ones, and ranges of numbers, which are written out only if there are not too
    many.
    """

    beginning: str  # of a piece of a spec: the name and an equals sign; empty for presets
    ranges: list[tuple[Decimal, Decimal, int] | str]  # first number, step and how many; or a value

    @property
    def number(self) -> int:
        return sum(1 if isinstance(each, str) else each[2] for each in self.ranges)

    def pieces(self) -> list[str]:
        found = []
        for each in self.ranges:
            if isinstance(each, str):
                found.append(each)
            else:
                first, step, number = each
                found += [str(first + place * step) for place in range(number)]
        return [f"{self.beginning}{value}" for value in found]


def _values(piece: str, grid: str) -> _Values:
    """Of a piece of a grid: `NAME=VALUES`, or presets."""
    name, equals, listed = piece.partition("=")
    values = [value.strip() for value in _split(listed if equals else name, "|")]
    for value in values:
        if _BEGUN.match(value) and not _RANGE.fullmatch(value):
            raise BadParameter(
                f"grid '{grid}': '{value}' is not a range. Write plain numbers: 1..6, or 0..2..0.5 with a step."
            )
    if not all(values):
        raise BadParameter(f"grid '{grid}': '{piece}' has an empty alternative. Write NAME=a|b.")
    return _Values(
        f"{name}=" if equals else "",
        [
            _bounds(value, grid, *found.groups())
            if (found := _RANGE.fullmatch(value))
            else value.replace("\\|", "|")
            for value in values
        ],
    )


def _bounds(text: str, grid: str, first: str, last: str, step: str | None) -> tuple[Decimal, Decimal, int]:
    low, high, width = Decimal(first), Decimal(last), Decimal(step or "1")
    if step is None and (low % 1 or high % 1):
        raise BadParameter(f"grid '{grid}': the range {text} needs a step, such as {text}..0.25.")
    if width <= 0 or high < low:
        raise BadParameter(
            f"grid '{grid}': the range {text} is empty. Write the smaller number first, and a step above 0."
        )
    return low, width, int((high - low) / width) + 1


def _split(text: str, separator: str) -> list[str]:
    """Split at a character that has no backslash before it; backslashes stay."""
    pieces = [""]
    characters = iter(text)
    for character in characters:
        if character == "\\":
            pieces[-1] += character + next(characters, "")
        elif character == separator:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces

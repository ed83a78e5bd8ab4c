"""Types of numeric options, whose errors are worded as those of metric parameters."""

from __future__ import annotations

import math
from typing import Any

import click


class Integer(click.IntRange):
    """An integer in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error that states what is expected.

        >>> Integer(min=1).convert("two", None, None)
        Traceback (most recent call last):
        click.exceptions.BadParameter: expected an integer of at least 1, got 'two'.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected an integer{_limits(self)}, got '{value}'.", param, ctx)


class Number(click.FloatRange):
    """A number in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error that states what is expected.

        >>> Number(0, 1, min_open=True, max_open=True).convert("1", None, None)
        Traceback (most recent call last):
        click.exceptions.BadParameter: expected a number between 0 and 1, got '1'.
        """
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):  # which click takes to be in any range
            self.fail(f"expected a number{_limits(self)}, got '{value}'.", param, ctx)
        return number


class AnyNumber(click.types.FloatParamType):
    """A number without a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error that states what is expected.

        >>> AnyNumber().convert("high", None, None)
        Traceback (most recent call last):
        click.exceptions.BadParameter: expected a number, got 'high'.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a number, got '{value}'.", param, ctx)


def _limits(kind: Integer | Number) -> str:
    """
    >>> _limits(Integer(0, 15)), _limits(Integer(min=2))
    (' from 0 to 15', ' of at least 2')
    >>> _limits(Number(0, min_open=True)), _limits(Number(0, 1, min_open=True))
    (' above 0', ' above 0 and of at most 1')
    """
    if kind.max is None:
        return f" above {kind.min}" if kind.min_open else f" of at least {kind.min}"
    if kind.min_open:
        return (
            f" between {kind.min} and {kind.max}"
            if kind.max_open
            else f" above {kind.min} and of at most {kind.max}"
        )
    return f" from {kind.min} to {kind.max}"

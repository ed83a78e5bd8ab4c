"""Settings of the verbs: unknown names and invalid values are refused before anything is computed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, TypeVar

from understudy.errors import BadParameter, UnknownParameter, WrongType, did_you_mean

S = TypeVar("S", bound="Settings")


class Settings:
    """A dataclass of settings. An unknown one is an `UnknownParameter`, not the dataclass's bare TypeError."""

    def __new__(cls: type[S], *_: Any, **given: Any) -> S:
        _refuse_unknown(given, [field.name for field in fields(cls)])  # type: ignore[arg-type]
        return super().__new__(cls)


def refuse_unknown_keywords(given: Mapping[str, Any], function: Callable[..., Any], settings: type) -> None:
    """Raise an error for keywords that neither the function nor its settings have."""
    own = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    _refuse_unknown(given, [*own, *(field.name for field in fields(settings))])


def _refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """Raise an error that names the closest known option, and all of them.

    >>> _refuse_unknown(["sampels"], ["test", "samples"])
    Traceback (most recent call last):
    understudy.errors.UnknownParameter: unknown option 'sampels'. Did you mean 'samples'? Known: test, samples.
    """
    for name in given:
        if name not in known:
            every = f"Known: {', '.join(known)}."
            closest = did_you_mean(name, known)
            raise UnknownParameter(
                f"unknown option '{name}'. {closest if closest == every else f'{closest} {every}'}"
            )


def check_whole(name: str, value: Any, *, least: int = 1, most: int | None = None) -> None:
    """Raise an error unless it is an integer of at least `least`, and of at most `most`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise BadParameter(f"{name}={value!r}: expected an integer {allowed}.")


def check_between(name: str, value: Any) -> None:
    """Raise an error unless it is a number between 0 and 1, neither included."""
    if not _is_number(value) or not 0 < value < 1:
        raise BadParameter(f"{name}={value!r}: expected a number between 0 and 1.")


def check_share(name: str, value: Any) -> None:
    """Raise an error unless it is a number from 0 to 1."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise BadParameter(f"{name}={value!r}: expected a number from 0 to 1.")


def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raise an error unless it is one of the known values."""
    if not isinstance(value, str) or value not in known:
        raise BadParameter(f"{name}={value!r}: expected {', '.join(known)}.")


def check_name(what: str, value: Any) -> None:
    """Raise an error unless it is a string."""
    if not isinstance(value, str):
        raise WrongType(f"{what}: got {_kind(value)}, expected a string.")


def check_file(what: str, value: Any) -> None:
    """Raise an error unless it is a path."""
    if not isinstance(value, (str, os.PathLike)):
        raise WrongType(f"{what}: got {_kind(value)}, expected the path of a file.")


def checked_names(what: str, values: Any) -> tuple[str, ...]:
    """Names, or the only one.

    >>> checked_names("exclude", "online-a"), checked_names("exclude", ["a", "b"])
    (('online-a',), ('a', 'b'))
    """
    names = _listed(what, values, "strings", alone=str)
    for name in names:
        check_name(what, name)
    return names


def checked_files(what: str, values: Any) -> tuple[Any, ...]:
    """Paths of files, or the only one."""
    files = _listed(what, values, "paths of files", alone=(str, os.PathLike))
    for file in files:
        check_file(what, file)
    return files


def _listed(what: str, values: Any, expected: str, *, alone: Any) -> tuple[Any, ...]:
    if isinstance(values, alone):
        return (values,)
    if isinstance(values, bytes) or not isinstance(values, Iterable) or getattr(values, "shape", None) == ():
        raise WrongType(f"{what}: got {_kind(values)}, expected a list of {expected}.")
    return tuple(values)


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)

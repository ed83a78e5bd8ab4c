"""A metric's parameters, declared once as frozen dataclass fields.

The command line, the signature, `understudy metrics` and the reference pages are all derived from what `param`
records, so they cannot diverge.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
import typing
from typing import Any, NamedTuple

import numpy as np

from understudy.errors import BadMetric, BadParameter, did_you_mean

# Minimum and maximum. All orders up to the maximum are counted, whether or not they occur.
ORDERS = (1, 100)
ORDERS_OR_NONE = (0, 100)
DEPTHS = (1, 10_000)  # of trees, which can be as deep as the text is long
LIMITS = (0, 2**64 - 1)  # of words or tries: any number that the core can represent

_RESERVED_KEYS = ("nrefs", "agg", "version")  # of what every signature says, see `Metric.signature`


def param(
    default: Any,
    help: str,
    *,
    choices: tuple[Any, ...] = (),
    between: tuple[int, int] | None = None,
    key: str = "",
) -> Any:
    """A dataclass field with help text. `between` bounds an integer. `key` is the name in the signature, by default the
    name of the field.
    """
    return dataclasses.field(
        default=default, metadata={"help": help, "choices": choices, "between": between, "key": key}
    )


class Unchosen(str):
    """The default of a parameter that depends on the language of the text and has not been set. It equals the same
    string set explicitly, and stays unset in copies of the metric that change other parameters.

    >>> Unchosen("13a") == "13a", isinstance(Unchosen("13a"), Unchosen), isinstance("13a", Unchosen)
    (True, True, False)
    """

    __slots__ = ()


class Parameter(NamedTuple):
    """One parameter of a metric class: name, default, help text, and conversion from and to text."""

    name: str
    default: Any
    help: str
    choices: tuple[Any, ...]
    types: tuple[Any, ...]
    between: tuple[int, int] | None = None
    key: str = ""  # its name in the signature

    def parse(self, text: str) -> Any:
        """The value of this part of a spec."""
        for choice in self.choices:
            if text.lower() == self.format(choice).lower():
                return choice
        if type(None) in self.types and text.lower() == "default":
            return None
        for kind in self.types:
            reader = _READERS.get(kind)
            value = reader(text) if reader else None
            if value is not None:
                return value
        raise BadParameter(f"{self.name}={text}: expected {self.expected}.")

    @staticmethod
    def format(value: Any) -> str:
        """The value as written in a spec; the inverse of `parse`.

        >>> Parameter.format(True), Parameter.format((0.5, 0.5)), Parameter.format(4)
        ('true', '0.5/0.5', '4')
        """
        if value is None:
            return "default"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, tuple):
            return "/".join(Parameter.format(item) for item in value)
        return str(value).replace("\\", "\\\\").replace(",", "\\,") if isinstance(value, str) else repr(value)

    @staticmethod
    def signed(value: Any) -> str:
        """The value as the signature has it.

        >>> Parameter.signed(True), Parameter.signed((0.5, 1.0)), Parameter.signed(1e-7), Parameter.signed("a\\n")
        ('yes', '0.5/1', '0.0000001', 'a\\\\n')
        """
        if isinstance(value, str):
            return repr(value)[1:-1]  # a signature is one line, whatever the text
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return all_digits(value)
        if isinstance(value, tuple):
            return "/".join(map(Parameter.signed, value))
        return Parameter.format(value)

    def checked(self, value: Any) -> Any:
        """The value, converted to the declared type: 1 and 1.0 are the same number, with one spec. Raises an error
        for a value that is not among the choices or has the wrong type.
        """
        # 1 == True in Python, but lowercase=1 is probably a mistake.
        kind = str if isinstance(value, Unchosen) else type(value)
        same_type = [choice for choice in self.choices if type(choice) is kind]
        fits = value in same_type if self.choices else any(_is_a(value, kind) for kind in self.types)
        if fits and self.between and type(value) is int:
            least, most = self.between
            fits = least <= value <= most
        if not fits:
            raise BadParameter(f"{self.name}={value!r}: expected {self.expected}.")
        if self.choices:
            return value
        try:
            return next(_as_a(value, kind) for kind in self.types if _is_a(value, kind))
        except OverflowError:
            raise BadParameter(f"{self.name} is too large for a float; expected {self.expected}.") from None

    @property
    def expected(self) -> str:
        """The accepted values, in words."""
        if self.choices:
            return ", ".join(self.format(choice) for choice in self.choices)
        limits = f" from {self.between[0]} to {self.between[1]}" if self.between else ""
        return " or ".join(
            _WORDS[kind] + (limits if kind is int else "") for kind in self.types if kind in _WORDS
        )


def all_digits(value: float) -> str:
    """The shortest exact form of a number, for signatures.

    >>> all_digits(0.1), all_digits(1.0), all_digits(1 / 3), all_digits(1e-7)
    ('0.1', '1', '0.3333333333333333', '0.0000001')
    """
    return np.format_float_positional(value, trim="-")


@functools.cache
def parameters_of(metric_class: type) -> dict[str, Parameter]:
    """The parameters of a metric class, in the order of their declaration."""
    _refuse_fields_that_are_no_parameters(metric_class)
    parameters = {
        field.name: Parameter(
            name=field.name,
            default=field.default,
            help=field.metadata["help"],
            choices=field.metadata["choices"],
            types=_members(_hint(metric_class, field)),
            between=field.metadata["between"],
            key=field.metadata["key"] or field.name,
        )
        for field in dataclasses.fields(metric_class)
    }
    _refuse_unknown_types(metric_class, parameters.values())
    _refuse_shared_keys(metric_class, parameters.values())
    return parameters


def without(choices: dict[str, str], *keys: str) -> dict[str, str]:
    """The entries of a signature but for these, which the caller words itself or knows to be told by the input."""
    for key in keys:
        del choices[key]
    return choices


def moved_last(choices: dict[str, str], *keys: str) -> dict[str, str]:
    """The entries of a signature with these at the end, in this order."""
    moved = {key: choices.pop(key) for key in keys}
    return {**choices, **moved}


def _refuse_fields_that_are_no_parameters(metric_class: type) -> None:
    """They would be missing from specs and signatures."""
    left = [name for name, value in vars(metric_class).items() if isinstance(value, dataclasses.Field)]
    if left:
        raise BadMetric(
            f"{metric_class.__name__}: {left[0]} is a parameter, but the class is not a dataclass. "
            "Write @dataclass(frozen=True, kw_only=True, repr=False) above it."
        )
    for field in dataclasses.fields(metric_class):
        if "help" not in field.metadata:
            raise BadMetric(
                f"{metric_class.__name__}: the field {field.name} is not declared as a parameter. Use "
                "param(default, help), or ClassVar if it is not a parameter."
            )


def _refuse_unknown_types(metric_class: type, parameters: typing.Iterable[Parameter]) -> None:
    """Their values could not be read from a spec."""
    for parameter in parameters:
        if not parameter.choices and not {*parameter.types} <= {*_WORDS}:
            raise BadMetric(
                f"{metric_class.__name__}: the parameter '{parameter.name}' is of a type that specs do not hold. "
                "Expected bool, int, float, str, tuple[float, ...], a union of these and None, or choices."
            )


def _refuse_shared_keys(metric_class: type, parameters: typing.Iterable[Parameter]) -> None:
    """Of two entries with one key, a signature would lose the first."""
    owners = dict.fromkeys(_RESERVED_KEYS, "every signature")
    for parameter in parameters:
        if parameter.key in owners:
            raise BadMetric(
                f"{metric_class.__name__}: the key '{parameter.key}' of the parameter '{parameter.name}' is taken by "
                f"{owners[parameter.key]}. Choose another: param(..., key=...)."
            )
        owners[parameter.key] = f"the parameter '{parameter.name}'"


def _hint(metric_class: type, field: dataclasses.Field[Any]) -> Any:
    """The type that a parameter is declared with. To ask for the hints of all that a class declares takes longer."""
    if not isinstance(field.type, str):
        return field.type
    homes = [base for base in metric_class.__mro__ if _declares(base, field)]
    return eval(field.type, getattr(sys.modules.get(homes[-1].__module__), "__dict__", {}))


def _declares(base: type, field: dataclasses.Field[Any]) -> bool:
    return vars(base).get("__dataclass_fields__", {}).get(field.name) is field


def parse_settings(metric_class: type, text: str) -> dict[str, Any]:
    """Parse `tokenize=intl,lowercase=true` into keyword arguments. A word without `=` is a preset."""
    parameters = parameters_of(metric_class)
    settings: dict[str, Any] = {}
    for piece in _split_at_commas(text):
        name, equals, value = piece.partition("=")
        name = name.strip().replace("-", "_") if equals else "preset"
        value = value.strip() if equals else piece.strip()
        if name in settings:
            raise BadParameter(f"'{name}' is set twice in '{text}'. Set it once.")
        if name == "preset":
            settings[name] = value
        elif name in parameters:
            settings[name] = parameters[name].parse(value)
        else:
            raise BadParameter(f"unknown parameter '{name}'. {did_you_mean(name, [*parameters, 'preset'])}")
    return settings


def _split_at_commas(text: str) -> list[str]:
    """Split at commas; a backslash escapes the next character (for file names with commas)."""
    pieces = [""]
    characters = iter(text)
    for character in characters:
        if character == "\\":
            pieces[-1] += next(characters, "\\")
        elif character == ",":
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece for piece in pieces if piece.strip()]


def _is_a(value: Any, kind: Any) -> bool:
    if kind == tuple[float, ...]:
        return isinstance(value, (tuple, list)) and all(_is_a(item, float) for item in value)
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is kind or (kind is str and isinstance(value, Unchosen))


def _as_a(value: Any, kind: Any) -> Any:
    if kind == tuple[float, ...]:
        return tuple(map(float, value))  # a list would not be hashable
    return float(value) if kind is float else value


def _members(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a union, or the type alone."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _read_bool(text: str) -> bool | None:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower())


def _read_int(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _read_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read_floats(text: str) -> tuple[float, ...] | None:
    values = [_read_float(piece) for piece in text.split("/")]
    return None if None in values else tuple(value for value in values if value is not None)


_READERS: dict[Any, typing.Callable[[str], Any]] = {
    bool: _read_bool,
    int: _read_int,
    float: _read_float,
    tuple[float, ...]: _read_floats,
    str: str,
}

_WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    tuple[float, ...]: "numbers separated by '/'",
    str: "a name",
    type(None): "'default'",
}

"""Objects with parameters: Python object, repr and spec of the command line, each derived from the same fields."""

from __future__ import annotations

import copy
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from understudy.errors import BadMetric, BadParameter, UnknownParameter, did_you_mean
from understudy.metrics.base.parameters import Parameter, Unchosen, parameters_of
from understudy.settings import check_name

P = TypeVar("P", bound="Parameterized")


@dataclass(frozen=True, kw_only=True, repr=False)
class Parameterized(ABC):
    """An object with a name and parameters. Immutable, hashable, and readable as code: `repr` gives Python, `spec` the
    command line's form, and both give the object back.
    """

    name: ClassVar[str]  # in specs and on the command line
    title: ClassVar[str]  # independent of the parameters
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    # For presets that reproduce a program: the version with identical scores, and any exceptions.
    preset_notes: ClassVar[Mapping[str, str]] = {}
    aliases: ClassVar[Mapping[str, str]] = {}  # other names, each for one of the presets

    # Check the parameters before the dataclass's __init__, whose error messages for unknown parameters are unhelpful.
    def __new__(cls: type[P], *values: Any, **settings: Any) -> P:
        if lacking := sorted(getattr(cls, "__abstractmethods__", ())):
            raise BadMetric(f"{cls.__module__}.{cls.__qualname__} does not define {', '.join(lacking)}.")
        known = [field.name for field in fields(cls)]
        if values and all(field.kw_only for field in fields(cls)):
            listed = f"Known: {', '.join(known)}." if known else f"{cls.__name__} has no parameters."
            raise UnknownParameter(
                f"{cls.__name__}({values[0]!r}): parameters must be given by name. {listed}"
            )
        for name in settings:
            if name == "preset" and name not in known:
                raise UnknownParameter(f"{cls.__name__}: use {cls.__name__}.preset(name) for a preset.")
            if name not in known:
                raise UnknownParameter(
                    f"{cls.__name__}: unknown parameter '{name}'. {did_you_mean(name, known)}"
                )
        return super().__new__(cls)

    @classmethod
    def preset(cls: type[P], name: str, **changes: Any) -> P:
        """A preset, with changes."""
        return cls(**{**cls.preset_settings(name), **changes}).as_preset(name)

    def as_preset(self: P, name: str) -> P:
        """The metric with that preset. A preset for a program or a paper also sets the tokenizer; one that only names
        a variant, such as rouge1, does not.
        """
        return self if name in self.aliases.values() else self.with_defaults_chosen("tokenize")

    def with_defaults_chosen(self: P, *names: str) -> P:
        """The same metric, with the defaults of these parameters (or of all) fixed whatever the language."""
        chosen = copy.copy(self)
        for name in names or self.parameters():
            if isinstance(value := getattr(self, name, None), Unchosen):
                object.__setattr__(chosen, name, str(value))
        return chosen

    @classmethod
    def preset_settings(cls, name: str) -> Mapping[str, Any]:
        """What a preset sets."""
        check_name("preset", name)
        if name not in cls.presets:
            raise BadParameter(f"unknown preset '{name}'. {cls.presets_hint(name)}")
        return cls.presets[name]

    @classmethod
    def presets_hint(cls, name: str) -> str:
        """The end of an error message about an unknown preset: the known presets, or what to write instead."""
        if cls.presets:
            return did_you_mean(name, cls.presets)
        parameters = ", ".join(cls.parameters())
        return f"{cls.title} has no presets. " + (
            f"Its parameters are {parameters}; use NAME=VALUE."
            if parameters
            else "It has no parameters either."
        )

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The parameters, by name."""
        return parameters_of(cls)

    @cached_property
    def spec(self) -> str:
        """The metric as one string, as accepted by the command line and by `understudy.metric`."""
        changed = self._changed()
        for preset, settings in self.presets.items():
            if changed and settings and type(self)(**settings) == self:
                aliases = [alias for alias, meant in self.aliases.items() if meant == preset]
                return aliases[0] if aliases else f"{self.name}:{preset}"
        settings_text = ",".join(f"{name}={Parameter.format(value)}" for name, value in changed.items())
        return f"{self.name}:{settings_text}" if settings_text else self.name

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: without what is only kept in order not to be made again."""
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._changed().items())})"

    def _changed(self) -> dict[str, Any]:
        return {
            name: value
            for name, parameter in self.parameters().items()
            if (value := getattr(self, name)) != parameter.default
        }

    def __post_init__(self) -> None:
        for name, parameter in self.parameters().items():
            object.__setattr__(self, name, parameter.checked(getattr(self, name)))

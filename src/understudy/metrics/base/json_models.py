"""Reading of model files: JSON with plain numbers that may be damaged, or hold anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from understudy.corpus.files import Path, read_all, shown
from understudy.errors import BadInput, UnderstudyError

T = TypeVar("T")

LARGEST = 1e100  # far above any score, far below the largest float


class Unexpected(Exception):
    """Unexpected content of a file."""


def read_model(
    path: Path, format: tuple[str, int], read: Callable[[ModelEntries], T], *, what: str, cure: str
) -> T:
    """The content of a file of this format and version, as `read` makes it of the file's entries."""
    name, version = format
    where = shown(os.fspath(path))
    try:
        content = json.loads(read_all(os.fspath(path)), parse_constant=_refuse_constant)
    except UnderstudyError:
        raise
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested too deeply
        raise BadInput(f"{where} is not {what}: invalid JSON ({error}).") from None
    if not isinstance(content, dict) or content.get("format") != name:
        raise BadInput(f'{where} is not {what}: expected "format": "{name}".')
    if content.get("version") != version:
        raise BadInput(f"{where} has format version {content.get('version')}, expected {version}. {cure}")
    try:
        return read(ModelEntries(content))
    except Unexpected as error:
        raise BadInput(f"{where} is damaged: {error}. {cure}") from None


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


@dataclass(frozen=True)
class ModelEntries:
    """A JSON object with type-checked access to its entries."""

    content: Mapping[str, Any]

    def expect(self, *names: str) -> None:
        for name in names:
            if name not in self.content:
                raise Unexpected(f"'{name}' is missing")
        for name in self.content:
            if name not in names:
                raise Unexpected(f"'{name}' is unknown")

    def text(self, name: str) -> str:
        return str(self._of(name, isinstance(self.content[name], str), "a string"))

    def number(self, name: str) -> float:
        return float(self._of(name, _is_number(self.content[name]), "a number"))

    def number_or_none(self, name: str) -> float | None:
        return None if self.content[name] is None else self.number(name)

    def count(self, name: str) -> int:
        return int(self._of(name, _is_count(self.content[name]), "an integer of at least 0"))

    def flag(self, name: str) -> bool:
        return bool(self._of(name, isinstance(self.content[name], bool), "true or false"))

    def counts(self, name: str, most: int) -> list[int]:
        value = self.content[name]
        fits = isinstance(value, list) and all(_is_count(count) and count <= most for count in value)
        return list(self._of(name, fits, f"a list of integers from 0 to {most:,}"))

    def numbers(self, name: str, largest: float = LARGEST) -> list[float]:
        value = self.content[name]
        fits = isinstance(value, list) and all(
            _is_number(number) and abs(number) <= largest for number in value
        )
        return list(map(float, self._of(name, fits, f"a list of numbers from {-largest:g} to {largest:g}")))

    def range_or_none(self, name: str) -> tuple[int, int] | None:
        value = self.content[name]
        if value is None:
            return None
        fits = isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))
        fewest, most = self._of(name, fits, "two integers")
        return fewest, most

    def texts(self, name: str) -> dict[str, str]:
        value = self.content[name]
        fits = isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
        return dict(self._of(name, fits, "an object with string values"))

    def entry(self, name: str) -> ModelEntries:
        return ModelEntries(self._of(name, isinstance(self.content[name], dict), "an object"))

    def entries(self, name: str) -> list[ModelEntries]:
        value = self.content[name]
        fits = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        return [ModelEntries(entry) for entry in self._of(name, fits, "a list of objects")]

    def _of(self, name: str, fits: bool, expected: str) -> Any:
        value = self.content[name]
        if not fits:
            raise Unexpected(f"'{name}' is {json.dumps(value, ensure_ascii=False)[:40]}, expected {expected}")
        return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0

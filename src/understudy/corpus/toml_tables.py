"""TOML tables whose every mistake is one line: the file, the key, what was expected and what was found."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from understudy.errors import BadInput, did_you_mean

Item = TypeVar("Item")

_NAME = re.compile("[a-z][a-z0-9-]*")
_NAME_RULE = "lowercase letters, digits and hyphens, starting with a letter"
_LARGEST = 10**9  # number
_MOST_SHOWN = 60  # characters of a wrong value in a message


def parsed_toml(text: str, file: str) -> Table:
    """The text of a TOML file as its outermost table."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return Table(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"'{file}' is not valid TOML: {error}. Correct the line.") from None
    except RecursionError:
        raise BadInput(f"'{file}' is nested too deeply. Copy a file of understudy and change it.") from None


@dataclass
class Table:
    """A table, the file it comes from, and its place there. Every key must be read: `end` reports the others."""

    values: Mapping[str, Any]
    file: str
    place: str = ""  # such as "steps[2].scale."
    read: set[str] = field(default_factory=set)

    def wrong(self, key: str, expected: str, got: Any = None) -> NoReturn:
        """Raise the error about a key."""
        found = "" if got is None else f", got {_shown(got)}"
        raise BadInput(f"'{self.file}', key '{self.place}{key}': expected {expected}{found}.")

    def take(self, key: str, kind: type | tuple[type, ...], expected: str, default: Any = None) -> Any:
        self.read.add(key)
        if key not in self.values:
            if default is None:
                raise BadInput(
                    f"'{self.file}', key '{self.place}{key}' is missing: expected {expected}. Add it."
                )
            return default
        value = self.values[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.wrong(key, expected, value)
        return value

    def has(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str, default: str | None = None) -> str:
        """A string that is not blank, unless it is left out and has a default."""
        text: str = self.take(key, str, "a string", default)
        if key in self.values and not text.strip():
            self.wrong(key, "a string that is not empty", text)
        if any(character < " " and character not in "\t\n" for character in text):
            self.wrong(key, "a string without control characters", text)
        return text

    def name(self, key: str) -> str:
        """A name that also stands in links, files and tables."""
        name = self.text(key)
        if not _NAME.fullmatch(name):
            self.wrong(key, _NAME_RULE, name)
        return name

    def names(self) -> Sequence[str]:
        """The keys, where they are names."""
        for key in self.values:
            if not _NAME.fullmatch(key):
                self.wrong(key, f"a key of {_NAME_RULE}", key)
        return list(self.values)

    def choice(self, key: str, known: Sequence[str], default: str | None = None) -> str:
        chosen = self.text(key, default)
        if chosen not in known:
            self.wrong(key, _one_of(known), chosen)
        return chosen

    def choices(
        self, key: str, known: Sequence[str], default: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Several of them, each once."""
        chosen = self.texts(key, default)
        for each in chosen:
            if each not in known:
                self.wrong(key, f"a list of {', '.join(known)}", each)
        if len(set(chosen)) < len(chosen):
            self.wrong(key, "every entry once", list(chosen))
        return chosen

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        entries = self.take(key, (list, tuple), "a list of strings", default)
        for entry in entries:
            if not isinstance(entry, str) or not entry.strip():
                self.wrong(key, "a list of strings that are not empty", entry)
        return tuple(entries)

    def flag(self, key: str, default: bool) -> bool:
        value: bool = self.take(key, bool, "true or false", default)
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.take(key, (int, float), "a number", default)
        if not -_LARGEST <= value <= _LARGEST:
            self.wrong(key, f"a number from {-_LARGEST:,} to {_LARGEST:,}", value)
        return float(value)

    def count(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self.take(key, int, "an integer", default)
        if not low <= value <= high:
            self.wrong(key, f"an integer from {low} to {high}", value)
        return value

    def counts(self, key: str, low: int, high: int) -> tuple[int, ...]:
        values = self.take(key, list, "a list of integers", [])
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                self.wrong(key, f"a list of integers from {low} to {high}", value)
        return tuple(values)

    def table(self, key: str) -> Table:
        """A table inside this one; an empty one if it is left out."""
        inner = self.take(key, dict, "a table", {})
        return Table(inner, self.file, f"{self.place}{key}.")

    def text_by_key(self, key: str) -> dict[str, str]:
        """A table of strings."""
        inner = self.table(key)
        return {name: inner.text(name) for name in inner.values}

    def tables(self, key: str, each: Callable[[Table], Item]) -> tuple[Item, ...]:
        """A list of tables, each read by a function; empty if it is left out."""
        entries = self.take(key, list, "a list of tables", [])
        found = []
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, dict):
                self.wrong(f"{key}[{number}]", "a table", entry)
            table = Table(entry, self.file, f"{self.place}{key}[{number}].")
            found.append(each(table))
            table.end()
        return tuple(found)

    def end(self) -> None:
        """Report keys that nothing reads."""
        for key in self.values:
            if key not in self.read:
                known = did_you_mean(key, sorted(self.read))
                raise BadInput(f"'{self.file}': unknown key '{self.place}{key}'. {known}")


def once_each(table: Table, key: str, names: Sequence[str]) -> None:
    """Check that names, keys or positions differ."""
    for name in names:
        if names.count(name) > 1:
            table.wrong(key, "different entries", name)


def _one_of(known: Sequence[str]) -> str:
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} or {known[-1]}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    written = repr(value) if isinstance(value, str) else str(value)
    return written if len(written) <= _MOST_SHOWN else f"{written[:_MOST_SHOWN]}…"

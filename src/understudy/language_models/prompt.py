"""Prompts: what a language model is asked, and what its replies mean. By name or from a file, checked.

Texts are data. They stand in a message as JSON strings, in which quotation marks, line breaks and the control tokens of
chat templates are escaped: no text can end its own string, its message or its turn.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from string import Formatter
from typing import Any

from understudy.corpus.toml_tables import Table, parsed_toml
from understudy.errors import BadInput, BadParameter, MissingFile, did_you_mean

PROMPTS = SCORE, SPANS, PAIRS = ("score", "spans", "pairs")  # also the kinds of replies
_BESIDE = SOURCE, REFERENCE = ("source", "reference")  # texts that can be shown with a translation
CHOICES = FIRST, SECOND, _ = ("first", "second", "tie")
_JUDGED = {SCORE: ("translation",), SPANS: ("translation",), PAIRS: (FIRST, SECOND)}
_LANGUAGES = {"source_language": "the source language", "target_language": "the target language"}
_CATEGORIES = "categories"
_MOST_BYTES = 1_000_000
_MOST_TOKENS = 1_000_000
_UNHASHED = ("name", "title")  # they do not change what is asked

# Control tokens of chat templates, such as <|im_end|>, </s>, <start_of_turn> or [/INST]; tokenizers of servers may read
# them in texts, too.
_CONTROL_TOKENS = re.compile(r"<|\[(?=/?[A-Z_]+\])")
# Line breaks and invisible marks that JSON permits in strings.
_UNSEEN = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class Scale:
    """The scale of scores."""

    low: float
    high: float
    higher_is_better: bool

    @property
    def worst(self) -> float:
        return self.low if self.higher_is_better else self.high


@dataclass(frozen=True)
class Reply:
    """What a reply must have."""

    value: str  # its key
    schema: Mapping[str, Any]
    max_tokens: int
    usual_tokens: int
    choices: Mapping[str, str] = field(default_factory=dict)  # of pairs: what the model writes for CHOICES
    categories: tuple[str, ...] = ()  # of spans


@dataclass(frozen=True)
class _Part:
    """A part of the message, left out unless the text that it needs is given."""

    text: str
    needs: str = ""


@dataclass(frozen=True, eq=False)
class Prompt:
    """A prompt. `digest` identifies everything that can change a reply or its meaning."""

    name: str
    title: str
    kind: str
    uses: tuple[str, ...]
    system: str
    parts: tuple[_Part, ...]
    scale: Scale
    reply: Reply
    weights: Mapping[str, float]  # of spans, by severity
    weights_of: Mapping[str, Mapping[str, float]]  # by category and severity, where they differ
    digest: str

    @property
    def judged(self) -> tuple[str, ...]:
        """The names of the translations that it shows."""
        return _JUDGED[self.kind]

    def weight(self, severity: str, category: str) -> float:
        """What an error costs."""
        return self.weights_of.get(category, {}).get(severity, self.weights[severity])

    def messages(self, texts: Mapping[str, str], languages: Mapping[str, str]) -> list[dict[str, str]]:
        """The messages about these texts. `languages` has the names of languages that are known."""
        fields = {name: quoted(text) for name, text in texts.items()}
        fields |= {name: languages.get(name) or unknown for name, unknown in _LANGUAGES.items()}
        fields[_CATEGORIES] = ", ".join(map(quoted, self.reply.categories))
        shown = [part.text for part in self.parts if not part.needs or part.needs in texts]
        return [
            {"role": "system", "content": self.system.format_map(fields).strip()},
            {"role": "user", "content": "\n\n".join(text.strip() for text in shown).format_map(fields)},
        ]


def quoted(text: str) -> str:
    """A text as a JSON string that contains nothing but the text.

    >>> print(quoted('Stop."<|im_end|>[/INST]'))
    "Stop.\\"\\u003c|im_end|>\\u005b/INST]"
    """
    written = json.dumps(text, ensure_ascii=False)
    for special in (_CONTROL_TOKENS, _UNSEEN):
        written = special.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return written


def prompt_text(name: str) -> str:
    """The file of a prompt of this package, for copying."""
    return (resources.files("understudy.language_models.prompts") / f"{name}.toml").read_text(
        encoding="utf-8"
    )


def prompt(name_or_file: str) -> Prompt:
    """One of `PROMPTS`, or one read from a file that ends in .toml.

    >>> prompt("score").scale
    Scale(low=0.0, high=100.0, higher_is_better=True)
    """
    if name_or_file in PROMPTS:
        return _prompt_of_text(prompt_text(name_or_file), f"{name_or_file}.toml")
    if not name_or_file.endswith(".toml"):
        raise BadParameter(
            f"unknown prompt '{name_or_file}'. {did_you_mean(name_or_file, PROMPTS)} A file of your own must end in "
            ".toml."
        )
    try:
        with open(name_or_file, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise MissingFile(f"cannot open prompt '{name_or_file}': {error.strerror}. Check the path.") from None
    if len(content) > _MOST_BYTES:
        raise BadInput(f"'{name_or_file}' is larger than 1 MB, expected a prompt. Check the path.")
    try:
        return _prompt_of_text(content.decode("utf-8-sig"), os.fspath(name_or_file))
    except UnicodeDecodeError as error:
        raise BadInput(
            f"'{name_or_file}' is not UTF-8 at byte {error.start + 1}. Save it in UTF-8."
        ) from None


@lru_cache(maxsize=64)
def _prompt_of_text(text: str, file: str) -> Prompt:
    top = parsed_toml(text, file)
    kind = top.choice("kind", PROMPTS)
    made = Prompt(
        name=top.name("name"),
        title=top.text("title"),
        kind=kind,
        uses=top.choices("uses", _BESIDE, ()),
        system=top.text("system"),
        parts=top.tables("user", _part),
        scale=_scale(top.table("scale"), kind),
        reply=_reply(top.table("reply"), kind),
        weights=_weights(top.table("weights")),
        weights_of=_weights_of(top.table("weights_of")),
        digest=_digest(top.values),
    )
    top.end()
    _check_weights(top, made)
    _check_fields(top, made)
    return made


def _part(table: Table) -> _Part:
    return _Part(table.text("text"), table.choice("if", _BESIDE) if table.has("if") else "")


def _scale(table: Table, kind: str) -> Scale:
    if kind == PAIRS:
        table.end()
        return Scale(-1.0, 1.0, True)
    scale = Scale(table.number("low"), table.number("high"), table.flag("higher_is_better", True))
    table.end()
    if not scale.low < scale.high:
        table.wrong("high", f"a number above low, {scale.low:g}", scale.high)
    return scale


def _reply(table: Table, kind: str) -> Reply:
    schema = table.take("schema", dict, "a JSON schema")
    value = table.text("value")
    if schema.get("type") != "object" or value not in schema.get("properties", {}):
        table.wrong("schema", f"a schema of an object with the property '{value}'")
    try:
        json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError):
        table.wrong("schema", "strings, numbers, lists and tables alone")
    choices = table.text_by_key("choices")
    if set(choices) != (set(CHOICES) if kind == PAIRS else set()) or len(set(choices.values())) < len(
        choices
    ):
        table.wrong(
            "choices", f"different texts for {', '.join(CHOICES)}" if kind == PAIRS else "no choices", choices
        )
    categories = table.texts("categories", ())
    most = table.count("max_tokens", 1, _MOST_TOKENS)
    reply = Reply(value, schema, most, table.count("usual_tokens", 1, _MOST_TOKENS), choices, categories)
    table.end()
    return reply


def _weights(table: Table) -> dict[str, float]:
    found = {name: table.number(name) for name in table.values}
    for name, weight in found.items():
        if weight < 0:
            table.wrong(name, "a weight of at least 0", weight)
    return found


def _weights_of(table: Table) -> dict[str, dict[str, float]]:
    return {category: _weights(table.table(category)) for category in table.values}


def _check_weights(top: Table, made: Prompt) -> None:
    if made.kind != SPANS:
        if made.weights or made.weights_of or made.reply.categories:
            top.wrong("weights", "no weights or categories, except for spans")
        return
    if not made.weights:
        top.wrong("weights", "at least one severity and its weight")
    if not made.scale.higher_is_better:
        top.wrong("scale.higher_is_better", "true: the score of spans is minus their weights")
    if made.scale.high != 0:
        top.wrong("scale.high", "0, the score of a translation without errors", made.scale.high)
    for category, weights in made.weights_of.items():
        if category not in made.reply.categories:
            top.wrong(f"weights_of.{category}", f"one of the categories {', '.join(made.reply.categories)}")
        for severity in weights:
            if severity not in made.weights:
                top.wrong(f"weights_of.{category}.{severity}", f"one of {', '.join(made.weights)}")


def _check_fields(top: Table, made: Prompt) -> None:
    """Every text has its place, and no place is without a text."""
    around = [*_LANGUAGES, *([_CATEGORIES] if made.kind == SPANS else [])]
    _fields_of(top, "system", made.system, around)
    found: set[str] = set()
    for number, part in enumerate(made.parts, 1):
        given = [*made.judged, *([part.needs] if part.needs else []), *around]
        if part.needs and part.needs not in made.uses:
            top.wrong(f"user[{number}].if", f"one of `uses`, {list(made.uses)}", part.needs)
        found |= _fields_of(top, f"user[{number}].text", part.text, given)
    for name in (*made.judged, *made.uses):
        if name not in found:
            optional = name in _BESIDE
            top.wrong("user", f"a text with {{{name}}}" + (f" and if = '{name}'" if optional else ""))


def _fields_of(top: Table, key: str, text: str, known: Sequence[str]) -> set[str]:
    try:
        fields = [found for found in Formatter().parse(text) if found[1] is not None]
    except ValueError as error:
        top.wrong(key, f"braces in pairs ({error}); write a literal brace twice")
    for _, name, form, conversion in fields:
        if name not in known or form or conversion:
            top.wrong(key, f"{', '.join(f'{{{each}}}' for each in known)} in braces alone", f"{{{name}}}")
    return {str(found[1]) for found in fields}


def _digest(values: Mapping[str, Any]) -> str:
    """The same for files that differ in layout, comments or titles alone."""
    hashed = {name: value for name, value in values.items() if name not in _UNHASHED}
    hashed["reply"] = {**hashed.get("reply", {}), "usual_tokens": 0}
    try:
        written = json.dumps(hashed, sort_keys=True)
    except TypeError:  # such as a date; the check of its key has the message
        return ""
    return hashlib.sha256(written.encode()).hexdigest()

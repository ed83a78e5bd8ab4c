"""Answers: what the reply of a language model says, or why it says nothing that counts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from understudy.language_models.prompt import CHOICES, PAIRS, SPANS, Prompt

# Why a reply does not count.
REFUSAL = "refusal"
FILTERED = "content filter"
CUT_OFF = "reply cut off"
NO_JSON = "no JSON in the reply"
SEVERAL = "several answers in one reply"
WRONG_TYPE = "wrong type or missing key"
OUT_OF_RANGE = "score outside the scale"

_THOUGHT_ENDS = "</think>"  # of models that think aloud before they reply
_OTHER = "other"
_MOST_PLACES = 1000  # at which a quoted text is looked for
_MOST_BRACES = (
    200  # at which an object is looked for: nobody writes more, and a text of braces would take hours
)
_TARGET, _SOURCE = "target", "source"


@dataclass(frozen=True)
class ErrorSpan:
    """An error that a model named. Offsets count characters, and are None if the text is not found."""

    text: str
    side: str  # target or source
    category: str
    severity: str
    weight: float
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Answer:
    """The content of a valid reply, or the problem with it."""

    problem: str = ""
    score: float | None = None
    choice: str = ""  # of pairs: one of CHOICES
    spans: tuple[ErrorSpan, ...] = ()


class Malformed(Exception):
    """A response that is no chat completion. Its server is at fault, not the model."""


def read_answer(prompt: Prompt, body: str, texts: Mapping[str, str]) -> Answer:
    """What a chat completion says about these texts."""
    content, problem = _content(body)
    if problem:
        return Answer(problem)
    found = [_value_of(prompt, value, texts) for value in _objects(content) if prompt.reply.value in value]
    if not found:
        return Answer(NO_JSON if not any(True for _ in _objects(content)) else WRONG_TYPE)
    if any(answer != found[0] for answer in found):
        return Answer(SEVERAL)
    return found[0]


def usage(body: str) -> tuple[int | None, int | None]:
    """The numbers of tokens in request and reply, as far as the server says."""
    try:
        counted = json.loads(body).get("usage") or {}
        numbers = (counted.get("prompt_tokens"), counted.get("completion_tokens"))
    except (ValueError, AttributeError, RecursionError):
        return None, None
    asked, replied = (number if type(number) is int and 0 <= number < 10**12 else None for number in numbers)
    return asked, replied


def is_filtered(body: str) -> bool:
    """Whether a response is an error of a content filter, as Azure sends them."""
    try:
        error = json.loads(body).get("error")
    except (ValueError, AttributeError, RecursionError):
        return False
    return isinstance(error, dict) and "content_filter" in (error.get("code"), error.get("type"))


# --- the completion -------------------------------------------------------------------------------------------


def _content(body: str) -> tuple[str, str]:
    """The text of the first choice, or why there is none."""
    if is_filtered(body):
        return "", FILTERED
    try:
        choice = json.loads(body)["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        content, refusal = message.get("content"), message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Malformed("the response is not a chat completion") from None
    if isinstance(content, list):  # of parts
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    if reason == "content_filter":
        return "", FILTERED
    if refusal:
        return "", REFUSAL
    if reason == "length":
        return "", CUT_OFF
    if content is not None and not isinstance(content, str):
        raise Malformed("the content of the message is not text")
    return (content or "").rpartition(_THOUGHT_ENDS)[2], ""


def _objects(content: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, which may have other text around them."""
    decoder = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_constant)
    place = content.find("{")
    for _ in range(_MOST_BRACES):
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(content, place)
        except RecursionError:
            return
        except ValueError as error:
            if _is_cut(error, content):
                return  # an object inside one that is cut off is not the answer
            end = place + 1
        else:
            yield found
        place = content.find("{", end)


def _is_cut(error: Exception, content: str) -> bool:
    return isinstance(error, json.JSONDecodeError) and (
        error.msg.startswith("Unterminated string") or error.pos >= len(content.rstrip())
    )


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# --- values ---------------------------------------------------------------------------------------------------


def _value_of(prompt: Prompt, reply: Mapping[str, Any], texts: Mapping[str, str]) -> Answer:
    value = reply[prompt.reply.value]
    if prompt.kind == PAIRS:
        chosen = [
            name for name in CHOICES if isinstance(value, str) and value.strip() == prompt.reply.choices[name]
        ]
        return Answer(choice=chosen[0]) if chosen else Answer(WRONG_TYPE)
    if prompt.kind == SPANS:
        return _annotated(prompt, value, texts)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Answer(WRONG_TYPE)
    if not prompt.scale.low <= value <= prompt.scale.high:
        return Answer(OUT_OF_RANGE)
    return Answer(score=float(value))


def _annotated(prompt: Prompt, value: Any, texts: Mapping[str, str]) -> Answer:
    if not isinstance(value, list):
        return Answer(WRONG_TYPE)
    spans: list[ErrorSpan] = []
    taken: dict[tuple[str, str], int] = {}  # by side and text: where to look for the next one
    for error in value:
        named = _named(prompt, error)
        if named is None:
            return Answer(WRONG_TYPE)
        text, side, category, severity = named
        within = texts.get("source", "") if side == _SOURCE else texts["translation"]
        start = _found(text, within, taken.get((side, text), 0))
        taken[side, text] = start + 1
        weight = prompt.weight(severity, category)
        place = (start, start + len(text)) if start >= 0 else (None, None)
        spans.append(ErrorSpan(text, side, category, severity, weight, *place))
    total = math.fsum(span.weight for span in spans)
    return Answer(score=max(prompt.scale.low, -total) + 0.0, spans=tuple(spans))


def _found(text: str, within: str, after: int) -> int:
    """Where a text is, as whole words if possible: after that place, else at the beginning; -1 if it is not there."""
    if not text:
        return -1
    places: list[int] = []
    place = within.find(text)
    while place >= 0 and len(places) < _MOST_PLACES:
        places.append(place)
        place = within.find(text, place + 1)
    whole = [place for place in places if _is_whole(text, within, place)] or places
    return next((place for place in whole if place >= after), whole[0] if whole else -1)


def _is_whole(text: str, within: str, place: int) -> bool:
    """Whether no word continues before or after it."""
    before, after = within[place - 1 : place] if place else "", within[place + len(text) :][:1]
    return not (before.isalnum() and text[0].isalnum()) and not (after.isalnum() and text[-1].isalnum())


def _named(prompt: Prompt, error: Any) -> tuple[str, str, str, str] | None:
    """Text, side, category and severity of an error; None if they are not given as asked for."""
    if not isinstance(error, dict):
        return None
    text, category, severity = (error.get(key) for key in ("text", "category", "severity"))
    if not (isinstance(text, str) and isinstance(category, str) and isinstance(severity, str)):
        return None
    severity = severity.strip().lower()
    category = "-".join(category.strip().lower().replace("_", " ").split())
    if category not in prompt.reply.categories:
        category = _OTHER
    side = _SOURCE if error.get("where") == "source" else _TARGET
    return (text, side, category, severity) if severity in prompt.weights else None

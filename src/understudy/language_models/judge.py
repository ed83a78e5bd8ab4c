"""LanguageModelJudge: a model with its prompt and everything else that determines its replies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from understudy.errors import BadParameter
from understudy.language_models.prompt import Prompt, prompt
from understudy.settings import check_choice, check_whole
from understudy.text.language_names import language_name
from understudy.text.languages import language_of, split_pair

SCHEMA, OBJECT, NO_FORMAT = "json_schema", "json_object", "none"
REPLY_FORMATS = ("auto", SCHEMA, OBJECT, NO_FORMAT)

Texts = tuple[tuple[str, str], ...]  # by name: what is judged, and what stands beside it


@dataclass(frozen=True)
class RequestForm:
    """The parts of a request that some servers reject."""

    reply_format: str = SCHEMA
    tokens_key: str = "max_tokens"
    sends_seed: bool = True


@dataclass(frozen=True)
class LanguageModelJudge:
    """A judge. Equal judges have the same replies to the same texts."""

    model: str
    prompt_name: str
    language: str = ""  # code or pair; empty if not known
    temperature: float = 0.0
    seed: int = 0
    samples: int = 1
    tries: int = 3  # replies that do not count are asked for again, up to so many in all
    reply_format: str = "auto"

    def __post_init__(self) -> None:
        check_whole("samples", self.samples, most=100)
        check_whole("tries", self.tries, most=100)
        check_whole("seed", self.seed, least=0)
        check_choice("reply_format", self.reply_format, REPLY_FORMATS)
        if not 0 <= self.temperature <= 2:
            raise BadParameter(f"temperature={self.temperature:g}: expected a number from 0 to 2.")
        if self.language:
            language_of(self.language)  # raises an error if it is none

    @cached_property
    def prompt(self) -> Prompt:
        return prompt(self.prompt_name)

    @cached_property
    def languages(self) -> Mapping[str, str]:
        """The names of the languages that are known, for the prompt."""
        if not self.language:
            return {}
        source, target = split_pair(self.language)
        names = {"source_language": source, "target_language": target}
        return {name: language_name(code) or language_of(code).code for name, code in names.items() if code}

    @property
    def first_form(self) -> RequestForm:
        return RequestForm(SCHEMA if self.reply_format == "auto" else self.reply_format)

    def key(self, texts: Texts, sample: int, attempt: int) -> bytes:
        """Identifies a call. The server is no part of it: a model is the same wherever it runs."""
        parts = [
            *(self.model, self.prompt.digest, sorted(self.languages.items()), sorted(texts)),
            *(self.temperature, self.seed, self.reply_format, sample, attempt),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).digest()

    def request(self, texts: Texts, sample: int, attempt: int, form: RequestForm) -> dict[str, Any]:
        """The body of a call."""
        reply = self.prompt.reply
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": self.prompt.messages(dict(texts), self.languages),
            "temperature": self.temperature,
            form.tokens_key: reply.max_tokens,
            "stream": False,
        }
        if form.sends_seed:
            # At temperature 0, the same request would get the same reply.
            asked["seed"] = self.seed + 1000 * sample + attempt
        if form.reply_format == SCHEMA:
            named = {"name": self.prompt.name, "strict": True, "schema": reply.schema}
            asked["response_format"] = {"type": SCHEMA, "json_schema": named}
        elif form.reply_format == OBJECT:
            asked["response_format"] = {"type": OBJECT}
        return asked

"""Caller: calls that are repeated until there is a reply, after pauses, or in another form if the server wants one."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from understudy.language_models.answers import Malformed, is_filtered, read_answer, usage
from understudy.language_models.connection import Connection, Failed, Response, Unreachable, Untrusted
from understudy.language_models.endpoint import Endpoint
from understudy.language_models.judge import NO_FORMAT, OBJECT, SCHEMA, LanguageModelJudge, RequestForm, Texts
from understudy.language_models.reply_store import Reply

_REJECTED = (400, 413, 415, 422)  # the request itself
_AGAIN = (408, 409, 425, 429)  # and all from 500 on
_RATE_LIMIT = 429
_MOST_SHOWN = 200  # characters of a message of the server


class GivenUp(Exception):
    """No reply, for a reason that may not hold for other calls."""


class Rejected(GivenUp):
    """The server does not take the request."""


class Fatal(Exception):
    """No reply, and there would be none to other calls."""


class Stopped(Exception):
    """The run ends."""


@dataclass
class Agreement:
    """What all calls of a run share: the form of request that the server accepts, and pauses that it asked for."""

    form: RequestForm
    adapts: bool  # whether the format of replies may change
    proven: bool = False
    notes: list[str] = field(default_factory=list)  # what was changed
    pause_until: float = 0.0
    stopped: threading.Event = field(default_factory=threading.Event)

    def adapt(self, message: str) -> bool:
        """Another form of request, after the server rejected this one. False if there is none."""
        form = self.form
        if form.tokens_key == "max_tokens" and "max_completion_tokens" in message:
            self.form = replace(form, tokens_key="max_completion_tokens")
        elif form.sends_seed and "seed" in message and "response_format" not in message:
            self.form = replace(form, sends_seed=False)
            self.notes.append("it does not take a random seed")
        elif self.adapts and form.reply_format != NO_FORMAT:
            other = OBJECT if form.reply_format == SCHEMA else NO_FORMAT
            self.form = replace(form, reply_format=other)
            self.notes.append(f"it does not take response_format {form.reply_format}")
        else:
            return False
        return True


class Caller:
    """Makes calls one after another."""

    def __init__(self, judge: LanguageModelJudge, endpoint: Endpoint, agreement: Agreement) -> None:
        self._judge, self._endpoint, self._agreement = judge, endpoint, agreement
        self.connection = Connection(endpoint)
        self._chance: Callable[[], float] = random.Random().random

    def reply(self, texts: Texts, sample: int, attempt: int) -> tuple[Mapping[str, Any], Reply]:
        """The request and its reply, which is a chat completion, whatever its content."""
        failed = 0
        while True:
            self._wait_for_pause()
            agreement = self._agreement
            request = self._judge.request(texts, sample, attempt, agreement.form)
            started = time.monotonic()
            try:
                response = self.connection.call(request)
                reply = self._accepted(response, texts, time.monotonic() - started)
            except Rejected as rejected:
                if agreement.proven or not agreement.adapt(str(rejected)):
                    raise
                continue
            except Untrusted as problem:
                raise Fatal(f"{self._endpoint.place}: the certificate is not valid: {problem}.") from None
            except (Failed, Malformed) as problem:
                if agreement.stopped.is_set():
                    raise Stopped from None
                # A server that has answered may be back in a moment. One that never has is not running.
                if isinstance(problem, Unreachable) and not agreement.proven:
                    raise Fatal(
                        f"{self._endpoint.place}: {problem}. Check the address, and that the server is running."
                    ) from None
                failed += 1
                if failed >= self._endpoint.patience.calls:
                    raise GivenUp(f"no reply ({problem})") from None
                self._wait(self._delay(problem, failed))
                continue
            agreement.proven = True
            return request, reply

    def _accepted(self, response: Response, texts: Texts, seconds: float) -> Reply:
        status, body = response.status, self._endpoint.without_key(response.body)
        if status == 200 or (status in _REJECTED and is_filtered(body)):
            read_answer(self._judge.prompt, body, dict(texts))  # raises Malformed
            return Reply(body, seconds, *usage(body))
        said = self._message(body)
        if status in _REJECTED:
            raise Rejected(f"rejected by the server (HTTP {status}{said})")
        if status in _AGAIN or status >= 500:
            raise _Repeat(f"HTTP {status}", response.retry_after, everyone=status == _RATE_LIMIT)
        where = self._endpoint.place
        if 300 <= status < 400:
            raise Fatal(
                f"{where} redirects calls, and redirects are not followed. Give the address it redirects to."
            )
        raise Fatal(
            f"{where} rejects calls: HTTP {status}{said}. Check the address, the key and the name of the model."
        )

    def _message(self, body: str) -> str:
        """What the server says about an error, in one line."""
        try:
            error = json.loads(body).get("error")
            text = error.get("message") if isinstance(error, dict) else error
        except (ValueError, AttributeError, RecursionError):
            text = None
        line = " ".join(text.split()) if isinstance(text, str) else ""
        line = "".join(character for character in line if character.isprintable())
        return f": {line[:_MOST_SHOWN]}" if line else ""

    # --- pauses -----------------------------------------------------------------------------------------------

    def _delay(self, problem: Exception, failed: int) -> float:
        delay = self._endpoint.patience.delay(failed, self._chance())
        if isinstance(problem, _Repeat):
            asked = _seconds(problem.retry_after)
            if asked is not None and asked > self._endpoint.patience.retry_after:
                raise Fatal(f"{self._endpoint.place} asks to wait {asked:,.0f} seconds ({problem}).")
            delay = max(delay, asked or 0.0)
            if problem.everyone:
                self._agreement.pause_until = max(self._agreement.pause_until, time.monotonic() + delay)
        return delay

    def _wait_for_pause(self) -> None:
        if self._agreement.stopped.is_set():
            raise Stopped
        left = self._agreement.pause_until - time.monotonic()
        if left > 0:
            self._wait(left)

    def _wait(self, seconds: float) -> None:
        if self._agreement.stopped.wait(seconds):
            raise Stopped


class _Repeat(Failed):
    """The server failed or has too much to do."""

    def __init__(self, reason: str, retry_after: str, *, everyone: bool) -> None:
        super().__init__(reason)
        self.retry_after, self.everyone = retry_after, everyone


def _seconds(retry_after: str) -> float | None:
    """The delay of a header Retry-After: seconds or a date; None if it has neither.

    >>> _seconds("2"), _seconds(""), _seconds("Wed, 21 Oct 2015 07:28:00 GMT"), _seconds("soon")
    (2.0, None, 0.0, None)
    """
    text = retry_after.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            until = parsedate_to_datetime(text)
        except (TypeError, ValueError):
            return None
        aware = until if until.tzinfo else until.replace(tzinfo=timezone.utc)
        seconds = (aware - datetime.now(timezone.utc)).total_seconds()
    return max(seconds, 0.0) if seconds < float("inf") else None

"""A language model on loopback that fails in all ways that servers fail, and keeps a log: the judge of what was asked.

What is done to a request depends on the translation in it: `faults` has, by text, what happens to its first, second and
further requests, in words of FAULTS. Afterwards it is answered as by `StandIn`.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from stand_in_model import Handler, StandIn, completion, texts_in


class FaultyModel(StandIn):
    """`log` has every request: the texts, and whether it was answered, failed or left by its client."""

    def __init__(self, faults: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__()
        self.faults = dict(faults or {})
        self.log: list[tuple[str, str]] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.rejects: Callable[[Mapping[str, Any]], str] = lambda _: ""  # the message about a request
        self.holds = threading.Event()  # while it is clear, replies wait
        self.holds.set()
        self.hold_after: int | None = None  # so many replies
        self._lock = threading.Lock()
        self._seen: Counter[str] = Counter()

    @property
    def answered(self) -> Counter[str]:
        """The number of replies that reached a client, by text."""
        return Counter(text for text, event in self.log if event == "answered")

    @property
    def asked(self) -> Counter[str]:
        """The number of requests, by text."""
        return Counter(text for text, _ in self.log)

    def respond(self, handler: Handler, asked: Mapping[str, Any]) -> None:
        texts = texts_in(asked["messages"][-1]["content"])
        name = texts["translation"]
        with self._lock:
            self.requests.append(dict(asked))
            self.headers.append(dict(handler.headers))
            self.times.append(time.monotonic())
            place = len(self.log)
            self.log.append((name, "asked"))
            listed = self.faults.get(name, ())
            fault = listed[self._seen[name]] if self._seen[name] < len(listed) else ""
            self._seen[name] += 1
            if self.hold_after is not None and len(self.answered) >= self.hold_after:
                self.holds.clear()
        kind, _, detail = fault.partition(" ")
        if message := self.rejects(asked):
            self.log[place] = (name, "rejected")
            handler.send(400, json.dumps({"error": {"message": message}}))
            return
        self.holds.wait()
        if is_gone(handler.connection):
            self.log[place] = (name, "gone")
            return
        # Before it is sent, so that the log is complete when the client has the reply.
        self.log[place] = (name, "failed" if kind in FAILURES else "answered")
        with suppress(OSError):
            if kind:
                FAULTS[kind](handler, asked, detail, self.answer(asked))
            else:
                super().respond(handler, asked)


def is_gone(connection: socket.socket) -> bool:
    """Whether the client has closed the connection."""
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""


def _status(handler: Handler, _asked: Mapping[str, Any], detail: str, _answer: str) -> None:
    code, _, retry_after = detail.partition(" ")
    headers = {"Retry-After": retry_after} if retry_after else {}
    handler.send(int(code), json.dumps({"error": {"message": "busy"}}), headers)


def _late(handler: Handler, asked: Mapping[str, Any], detail: str, answer: str) -> None:
    time.sleep(float(detail))
    handler.send(200, json.dumps(completion(answer, asked)))


def _drop(handler: Handler, *_: Any) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def _cut(handler: Handler, asked: Mapping[str, Any], _detail: str, answer: str) -> None:
    body = json.dumps(completion(answer, asked)).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[:20])
    handler.wfile.flush()
    _drop(handler)


def _drip(handler: Handler, *_asked: Any) -> None:
    """A byte now and then, for longer than any client should wait."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)
    handler.close_connection = True


def _endless(handler: Handler, *_asked: Any) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.close_connection = True
    for _ in range(200):
        handler.wfile.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")


def _garbage(handler: Handler, *_: Any) -> None:
    handler.send(200, "<html>Bad gateway</html>")


def _other_json(handler: Handler, *_: Any) -> None:
    handler.send(200, '{"choices": []}')


def _filter_error(handler: Handler, *_: Any) -> None:
    handler.send(400, json.dumps({"error": {"code": "content_filter", "message": "filtered"}}))


def _says(content: str | None, **choice: Any) -> Callable[..., None]:
    def fault(handler: Handler, asked: Mapping[str, Any], _detail: str, answer: str) -> None:
        shown = content.replace("ANSWER", answer) if content is not None else None
        handler.send(200, json.dumps(completion(shown, asked, **choice)))

    return fault


def _refusal(handler: Handler, asked: Mapping[str, Any], _detail: str, _answer: str) -> None:
    said = completion(None, asked)
    said["choices"][0]["message"]["refusal"] = "I cannot help with that."
    handler.send(200, json.dumps(said))


# Replies of a model, which are stored; those after the empty line count.
CONTENTS: dict[str, Callable[..., None]] = {
    "refusal": _refusal,
    "filtered": _says("", finish_reason="content_filter"),
    "filter-error": _filter_error,
    "length": _says('{"score": 1', finish_reason="length"),
    "prose": _says("I would give it a 90."),
    "invalid": _says('{"score": 90,}'),
    "unfinished": _says('{"note": {"score": 90}'),
    "text": _says('{"score": "90"}'),
    "boolean": _says('{"score": true}'),
    "nan": _says('{"score": NaN}'),
    "null": _says(None),
    "too-high": _says('{"score": 101}'),
    "negative": _says('{"score": -1}'),
    "infinite": _says('{"score": 1e999}'),
    "other-key": _says('{"rating": 90}'),
    "list": _says("[90]"),
    "two": _says('{"score": 10} or rather {"score": 90}'),
    "twice": _says('{"score": 10, "score": 90}'),
    # ---
    "around": _says("Sure! Here is my {verdict}:\n```json\nANSWER\n```\nAnything else?"),
    "thought": _says('<think>perhaps {"score": 3}?</think>ANSWER'),
    "same": _says("ANSWER\nANSWER"),
    "more": _says('{"explanation": "{}", "score": 55}'),
}
INVALID = list(CONTENTS)[: list(CONTENTS).index("around")]
FAILURES: dict[str, Callable[..., None]] = {
    "status": _status,
    "late": _late,
    "drop": _drop,
    "cut": _cut,
    "drip": _drip,
    "endless": _endless,
    "garbage": _garbage,
    "other-json": _other_json,
}
FAULTS = {**CONTENTS, **FAILURES}

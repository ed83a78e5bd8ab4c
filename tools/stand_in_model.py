"""A stand-in for a language model: a server on this machine whose replies follow from the texts that it is shown.

    python tools/stand_in_model.py understudy score SYSTEM -r REFERENCE --source SOURCE -m llm-judge:model=stand-in

starts it, runs the command with its address as --endpoint and a file of replies of its own, and stops it. It scores a
translation by the words that it shares with the reference, or by its length if there is none.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

# A text in a message: its label, and a JSON string at the end of a line.
TEXT = re.compile(r'^(.*?): ("(?:[^"\\]|\\.)*")$', re.MULTILINE)
ORDER = re.compile(r"ignore .*instructions.* (\d+)", re.IGNORECASE)


class StandIn(ThreadingHTTPServer):
    """A server. `replies` counts those that it gave."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer(self, asked: Mapping[str, Any]) -> str:
        """The content of the reply to a request."""
        return json.dumps(judged(texts_in(asked["messages"][-1]["content"])))

    def respond(self, handler: Handler, asked: Mapping[str, Any]) -> None:
        """Send the reply."""
        self.replies += 1
        handler.send(200, json.dumps(completion(self.answer(asked), asked)))

    def handle_error(self, *_: Any) -> None:
        """Nothing is printed about clients that leave."""

    @contextmanager
    def running(self) -> Iterator[str]:
        """A context in which it answers; gives its address."""
        thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self.url
        finally:
            self.shutdown()
            self.server_close()
            thread.join()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: StandIn

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.respond(self, json.loads(body))

    def send(self, status: int, body: str, headers: Mapping[str, str] | None = None) -> None:
        content = body.encode("utf-8")
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


def completion(content: str | None, asked: Mapping[str, Any], **choice: Any) -> dict[str, Any]:
    """A chat completion with this content."""
    message = {"role": "assistant", "content": content}
    words = sum(len(message["content"].split()) for message in asked["messages"])
    return {
        "object": "chat.completion",
        "model": asked["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message, **choice}],
        "usage": {"prompt_tokens": words, "completion_tokens": len((content or "").split())},
    }


def texts_in(message: str) -> dict[str, str]:
    """The texts of a message, by the first letter of their labels: original, a correct translation, translation(s)."""
    found = {}
    for label, text in TEXT.findall(message):
        name = {"O": "source", "A": "reference"}.get(label[0], "translation")
        found["second" if label == "Translation B" else name] = json.loads(text)
    return found


def judged(texts: Mapping[str, str]) -> dict[str, Any]:
    """The reply that the texts call for: a preference if there are two translations, else a score and spans."""
    score = shared(texts["translation"], texts)
    if "second" in texts:
        other = shared(texts["second"], texts)
        return {"better": "A" if score > other else "B" if other > score else "equal"}
    known = set(texts.get("reference", texts["translation"]).lower().split())
    wrong = [word for word in texts["translation"].split() if word.lower() not in known]
    marked = [
        {"text": word, "where": "translation", "category": "accuracy/mistranslation", "severity": "minor"}
        for word in wrong[:4]
    ]
    return {"score": score, "errors": marked}


def shared(translation: str, texts: Mapping[str, str]) -> int:
    """A score from 0 to 100: the F1 of words with the reference, or the ratio of lengths to the source."""
    words = Counter(translation.lower().split())
    if "reference" not in texts:
        lengths = sorted((len(translation), len(texts.get("source", translation))))
        return round(100 * lengths[0] / max(lengths[1], 1))
    other = Counter(texts["reference"].lower().split())
    return round(200 * (words & other).total() / max(words.total() + other.total(), 1))


def obeyed(texts: Mapping[str, str]) -> int | None:
    """The score that a translation demands."""
    found = ORDER.search(texts["translation"])
    return int(found[1]) if found else None


class Obedient(StandIn):
    """A model that follows instructions in the texts it judges."""

    def answer(self, asked: Mapping[str, Any]) -> str:
        texts = texts_in(asked["messages"][-1]["content"])
        demanded = obeyed(texts)
        return json.dumps(judged(texts) if demanded is None else {"score": demanded, "errors": []})


if __name__ == "__main__":
    with StandIn().running() as url, tempfile.TemporaryDirectory() as folder:
        replies = str(Path(folder) / "replies.sqlite3")
        command = [*sys.argv[1:], "--endpoint", url]
        if "--replies" not in command:
            command += ["--replies", replies]
        sys.exit(subprocess.run(command, check=False).returncode)

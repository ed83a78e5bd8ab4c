"""A small campaign on the example data, with invented answers to look at.

    python tools/judge_demo.py demo.campaign              serve it until Ctrl-C
    python tools/judge_demo.py demo.campaign --no-serve   make it, and stop

The invented judges answer over HTTP, as the page does. The same seed gives the same answers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from understudy import CHRF, Campaign, Corpus

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SEGMENTS = 12

References = Mapping[str, Sequence[str]]  # by source text
PRACTICE = ("-",)  # practice items have no references


class Invented(NamedTuple):
    """A judge who does not exist."""

    share: float  # of the tasks that are answered
    leniency: float  # in points of the scale
    noise: float  # standard deviation, in points of the scale


JUDGES = {
    "ada": Invented(share=1, leniency=5, noise=4),
    "ben": Invented(share=1, leniency=-5, noise=5),
    "cleo": Invented(share=0.5, leniency=0, noise=6),
    "dan": Invented(share=0.8, leniency=10, noise=30),  # careless
}
YOU = "you"  # has no answers yet


def main() -> None:
    options = arguments()
    corpus = examples()
    sources = corpus.sources
    assert sources is not None
    references = {sources[place]: corpus.references[place] for place in range(len(sources))}
    campaign = Campaign.create(
        options.campaign,
        corpus,
        protocol="esa",
        judges=[*JUDGES, YOU],
        assignment="same",
        segments=SEGMENTS,
        repeats=0.1,
        controls=0.15,
        source_language="de",
        target_language="en",
        seed=options.seed,
    )
    with campaign:
        links = {link.name: link for link in campaign.links()}
    with served(options.campaign, 0 if options.no_serve else options.port) as (server, address):
        for name, judge in JUDGES.items():
            answer(address, links[name].token, judge, random.Random(f"{options.seed} {name}"), references)
        print(f"{options.campaign}: answers of {len(JUDGES)} invented judges, and none of '{YOU}' yet.")
        if not options.no_serve:
            for title, name in {"judge": YOU, "lead": "lead", "viewer": "viewer"}.items():
                print(f"  {title:8}{links[name].at(address)}")
            command = os.path.relpath(Path(sys.executable).with_name("understudy"))
            print(f"Open the links in a browser, or try: {command} judge results {options.campaign}")
            print("Press Ctrl-C to stop.", flush=True)
            server.wait()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("campaign", metavar="CAMPAIGN", help="new file for the campaign")
    parser.add_argument("--port", type=int, default=8000, help="port of the page (default: 8000)")
    parser.add_argument("--seed", type=int, default=8, help="random seed of design and answers (default: 8)")
    parser.add_argument("--no-serve", action="store_true", help="stop when the answers are stored")
    return parser.parse_args()


def examples() -> Corpus:
    systems = {path.stem.removeprefix("system-"): path for path in sorted(EXAMPLES.glob("system-*.en"))}
    return Corpus.read(systems, sorted(EXAMPLES.glob("reference-*.en")), sources=EXAMPLES / "source.de")


@contextmanager
def served(campaign: str, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`understudy judge serve`, and the address that it prints."""
    command = [sys.executable, "-m", "understudy", "judge", "serve", campaign, "--port", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(r"is served at (\S+)", line)
        if found is None:
            sys.exit(line.strip())
        with suppress(KeyboardInterrupt):
            yield server, found[1]
    finally:
        server.terminate()
        server.wait()


# -- the invented judges ---------------------------------------------------------------------------------------


def answer(address: str, token: str, judge: Invented, chance: random.Random, known: References) -> None:
    """Enter with a personal link and answer one task after another."""
    browser = build_opener(ProxyHandler({}), HTTPCookieProcessor())

    def ask(path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with browser.open(Request(address + path, data, {"Content-Type": "application/json"})) as reply:
            return json.load(reply)

    ask("/api/enter", {"token": token})
    task = ask("/api/task")
    last = judge.share * task["count"]
    while task is not None and task["position"] <= last:
        (output,) = task["outputs"]
        name, text = output["id"], output["text"]
        references = known.get(task["source"]["text"], PRACTICE)
        payloads = {
            "errors": {"spans": {name: marked(text, references, chance)}},
            "score": {"values": {name: scored(text, references, judge, chance)}},
        }
        answers = [
            {
                **{"key": key(chance), "task": task["task"], "step": step, "payload": payload},
                "seconds": seconds(judge, chance),
            }
            for step, payload in payloads.items()
        ]
        reply = ask("/api/answers", {"answers": answers})
        if reply["refused"]:
            sys.exit(f"refused: {reply['refused']}")
        task = reply["next"]


def scored(text: str, references: Sequence[str], judge: Invented, chance: random.Random) -> int:
    """chrF, with the judge's leniency and noise."""
    score = CHRF().segment(text, references).value + judge.leniency + chance.gauss(0, judge.noise)
    return round(min(max(score, 0), 100))


def marked(text: str, references: Sequence[str], chance: random.Random) -> list[dict[str, Any]]:
    """Words that no reference has: one in three is noticed."""
    known = {word for reference in references for word in re.findall(r"\w+", reference)}
    return [
        {
            **{"start": word.start(), "end": word.end(), "text": word[0], "side": "target"},
            "severity": chance.choice(["minor", "minor", "major"]),
        }
        for word in re.finditer(r"\w+", text)
        if word[0] not in known and chance.random() < 1 / 3
    ]


def seconds(judge: Invented, chance: random.Random) -> float:
    """The careless are quick."""
    return round(chance.uniform(100, 300) / judge.noise, 1)


def key(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128)))


if __name__ == "__main__":
    main()

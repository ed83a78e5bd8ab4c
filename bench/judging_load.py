"""The page of judge under load: many judges answer at once, each as fast as the server replies, and nothing is lost.

    python bench/judging_load.py                              SQLite
    python bench/judging_load.py --postgresql                 PostgreSQL, a private server
    python bench/judging_load.py --database postgresql://...  PostgreSQL, an existing database

The server is one process, the judges are another. The time of an answer is from its first byte out to its last byte in.
Afterwards every acknowledged answer is looked up in the database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

SERVE = """
import sys
from understudy import Campaign
Campaign.open(sys.argv[1]).serve(port=0, ready=lambda address: print(address, flush=True))
"""
NEXT = re.compile(rb'(?:"next":|^)\{"task":(\d+)')
STORED = re.compile(rb'"stored":\["([^"]+)"\]')


def main() -> None:
    options = arguments()
    if options.play:
        asyncio.run(play(options))
        return
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        if options.postgresql:
            options.database = stack.enter_context(private_postgresql(Path(folder)))
        place = make_campaign(options, folder)
        server = subprocess.Popen([sys.executable, "-c", SERVE, place], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            play_command = [sys.executable, __file__, "--play", address, "--tokens", f"{folder}/tokens"]
            play_command += ["--seconds", str(options.seconds), "--results", f"{folder}/results"]
            subprocess.run(play_command, check=True)
        finally:
            server.terminate()
            used = os.wait4(server.pid, 0)[2]
        played = json.loads(Path(f"{folder}/results").read_text())
        report(played, stored_keys(place), used.ru_utime + used.ru_stime, options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--database", help="postgresql://... (default: an SQLite file)")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL server for this run")
    parser.add_argument("--protocol", default="da")
    for internal in ("--play", "--tokens", "--results"):
        parser.add_argument(internal, help=argparse.SUPPRESS)
    return parser.parse_args()


def private_postgresql(folder: Path) -> AbstractContextManager[str]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from material.postgresql import cluster

    made = folder / "postgresql"
    made.mkdir()
    return cluster(made)


def make_campaign(options: argparse.Namespace, folder: str) -> str:
    """A campaign with more tasks for each judge than anyone could answer in the time."""
    from understudy import Campaign, Corpus

    tasks = int(options.seconds * 20) + 100
    systems = {name: [f"Translation {number} by {name}." for number in range(tasks)] for name in "AB"}
    sources = [f"Satz {number} der Vorlage." for number in range(tasks)]
    place = f"{folder}/load.campaign"
    campaign = Campaign.create(
        place,
        Corpus.of_texts(systems, sources, sources=sources),
        protocol=options.protocol,
        judges=options.judges,
        assignment="same",
        practice=False,
        database=options.database,
    )
    with campaign:
        tokens = [link.token for link in campaign.links() if link.role == "judge"]
    Path(f"{folder}/tokens").write_text("\n".join(tokens))
    return place


def stored_keys(place: str) -> Counter[str]:
    from understudy.judging.campaigns.store import Store

    store = Store.open(place)
    with store.reading() as connection:
        return Counter(row.key for row in connection.execute(store.tables.answers.select()))


def report(
    played: dict[str, list], stored: Counter[str], processor: float, options: argparse.Namespace
) -> None:
    times = sorted(played["times"])
    acknowledged = set(played["acknowledged"])

    def percentile(share: float) -> float:
        return 1000 * times[min(len(times) - 1, int(share * len(times)))]

    print(f"{options.judges} judges, {options.seconds:g} s, {'PostgreSQL' if options.database else 'SQLite'}")
    print(f"answers per second  {len(times) / played['seconds']:,.0f}")
    print(f"processor time      {1000 * processor / len(times):.2f} ms per answer, of the server")
    print(f"p50                 {percentile(0.5):.0f} ms")
    print(f"p99                 {percentile(0.99):.0f} ms")
    print(f"longest             {1000 * times[-1]:.0f} ms")
    print(f"errors              {len(played['errors'])} {played['errors'][:3] or ''}")
    print(f"lost                {len(acknowledged - set(stored))}")
    print(f"doubled             {sum(count > 1 for count in stored.values())}")


# -- the judges ------------------------------------------------------------------------------------------------


class Player(asyncio.Protocol):
    """One judge with one connection. Written without a library, to leave the processor to the server."""

    def __init__(self, host: str, token: str, played: dict[str, list], until: float) -> None:
        self.host, self.token, self.played, self.until = host, token, played, until
        self.cookie, self.key, self.started = b"", b"", 0.0
        self.received = bytearray()
        self.finished = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.ask(b"POST", b"/api/enter", json.dumps({"token": self.token}).encode())

    def ask(self, method: bytes, path: bytes, body: bytes = b"") -> None:
        self.received.clear()
        self.started = time.perf_counter()
        self.transport.write(
            b"%s %s HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nContent-Type: application/json\r\n"
            b"Cookie: %s\r\nContent-Length: %d\r\n\r\n%s"
            % (method, path, self.host.encode(), self.host.encode(), self.cookie, len(body), body)
        )

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, found, body = bytes(self.received).partition(b"\r\n\r\n")
        lowered = head.lower()
        if not found or len(body) < int(lowered.partition(b"content-length: ")[2].split(b"\r\n")[0]):
            return
        taken = time.perf_counter() - self.started
        if not head.startswith(b"HTTP/1.1 200"):
            self.played["errors"].append(head[:30].decode() + body[:200].decode())
            self.stop()
        elif not self.cookie:
            self.cookie = re.search(rb"set-cookie: ([^;]+)", head, re.I)[1]
            self.ask(b"GET", b"/api/task")
        elif not self.key or (STORED.search(body) or b" ")[1] == self.key:
            if self.key:
                self.played["times"].append(taken)
                self.played["acknowledged"].append(self.key.decode())
            if (following := NEXT.search(body)) and time.monotonic() < self.until:
                self.answer(following[1])
            else:
                self.stop()
        else:
            self.played["errors"].append(body[:200].decode())
            self.stop()

    def answer(self, task: bytes) -> None:
        self.key = uuid.uuid4().hex.encode()
        payload = b'{"values":{"o1":%d}}' % (self.key[0] % 100)
        self.ask(
            b"POST",
            b"/api/answers",
            b'{"answers":[{"key":"%s","task":%s,"step":"score","payload":%s,"seconds":4.5}]}'
            % (self.key, task, payload),
        )

    def connection_lost(self, error: Exception | None) -> None:
        if not self.finished.done():
            self.played["errors"].append(f"connection lost: {error}")
            self.finished.set_result(None)

    def stop(self) -> None:
        if not self.finished.done():
            self.finished.set_result(None)
        self.transport.close()


async def play(options: argparse.Namespace) -> None:
    host = options.play.removeprefix("http://")
    name, _, port = host.partition(":")
    played: dict = {"times": [], "acknowledged": [], "errors": []}
    loop = asyncio.get_running_loop()
    started = time.monotonic()
    players = []
    for token in Path(options.tokens).read_text().split():
        make = lambda token=token: Player(host, token, played, started + options.seconds)  # noqa: E731
        players.append((await loop.create_connection(make, name, int(port)))[1])
    await asyncio.gather(*(player.finished for player in players))
    played["seconds"] = time.monotonic() - started
    Path(options.results).write_text(json.dumps(played))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()

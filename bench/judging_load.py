"""The page of judge under load: many judges answer at once, each as fast as the server replies, and nothing is lost.

    python bench/judging_load.py                              SQLite
    python bench/judging_load.py --postgresql                 PostgreSQL, a private server
    python bench/judging_load.py --database postgresql://...  PostgreSQL, an existing database
    python bench/judging_load.py --kills 20                   the server is killed at random moments and started again

The server is one process, the judges are another. The time of an answer is from its first byte out to its last byte in;
processor time is counted from the moment that the page can be opened. A judge whose connection is lost connects again
and sends the same answer again, as the page does. Afterwards every acknowledged answer is looked up in the database.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

SERVE = """
import sys
from understudy import Campaign
Campaign.open(sys.argv[1]).serve(port=int(sys.argv[2]), ready=lambda address: print(address, flush=True))
"""
SECONDS_BETWEEN_KILLS = (0.2, 2.0)
SECONDS_BETWEEN_CONNECTIONS = 0.1
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
        port = free_port()
        server = served(place, port)
        before = processor_seconds(server.pid)
        play_command = [sys.executable, __file__, "--play", str(port), "--tokens", f"{folder}/tokens"]
        play_command += ["--seconds", str(options.seconds), "--results", f"{folder}/results"]
        if options.kills:
            play_command += ["--until", f"{folder}/killed"]
        judges = subprocess.Popen(play_command)
        try:
            for _ in range(options.kills):
                time.sleep(random.uniform(*SECONDS_BETWEEN_KILLS))
                server.kill()
                server.wait()
                server = served(place, port)
            Path(f"{folder}/killed").touch()
            assert judges.wait() == 0
            used = processor_seconds(server.pid) - before
        finally:
            judges.kill()
            server.terminate()
            server.wait()
        played = json.loads(Path(f"{folder}/results").read_text())
        report(played, stored_keys(place), used, options)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def served(place: str, port: int) -> subprocess.Popen[str]:
    """A server that is ready."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVE, place, str(port)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert server.stdout.readline()
    return server


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--database", help="postgresql://... (default: an SQLite file)")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL server for this run")
    parser.add_argument("--kills", type=int, default=0, help="kill the server so many times (default: 0)")
    for internal in ("--play", "--tokens", "--results", "--until"):
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

    tasks = 100 + 20 * (options.kills or int(options.seconds))
    systems = {name: [f"Translation {number} by {name}." for number in range(tasks)] for name in "AB"}
    sources = [f"Satz {number} der Vorlage." for number in range(tasks)]
    place = f"{folder}/load.campaign"
    campaign = Campaign.create(
        place,
        Corpus.of_texts(systems, sources, sources=sources),
        protocol="da",
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

    database = "PostgreSQL" if options.database else "SQLite"
    print(f"{options.judges} judges, {played['seconds']:.0f} s, {database}")
    print(f"answers             {len(times):,}, {len(times) / played['seconds']:,.0f} per second")
    if options.kills:
        print(f"kills               {options.kills}")
    else:
        print(f"processor time      {1000 * processor / len(times):.2f} ms per answer, of the server")
    print(f"p50                 {percentile(0.5):.0f} ms")
    print(f"p99                 {percentile(0.99):.0f} ms")
    print(f"longest             {1000 * times[-1]:.0f} ms")
    print(f"lost connections    {len(played['lost connections'])}")
    print(f"errors              {len(played['errors'])} {played['errors'][:3] or ''}")
    print(f"lost                {len(acknowledged - set(stored))}")
    print(f"doubled             {sum(count > 1 for count in stored.values())}")


# -- the judges ------------------------------------------------------------------------------------------------


class Player(asyncio.Protocol):
    """One judge with one connection at a time. Written without a library, to leave the processor to the server."""

    def __init__(self, port: int, token: str, played: dict[str, list], goes_on: Callable[[], bool]) -> None:
        self.port, self.played, self.goes_on = port, played, goes_on
        self.cookie, self.key, self.started = b"", b"", 0.0
        self.asked = (b"POST", b"/api/enter", json.dumps({"token": token}).encode())
        self.received = bytearray()
        self.finished = asyncio.get_running_loop().create_future()

    async def play(self) -> None:
        while not self.finished.done():
            self.lost = asyncio.get_running_loop().create_future()
            try:
                await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(SECONDS_BETWEEN_CONNECTIONS)
            else:
                await self.lost

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.ask(*self.asked)

    def ask(self, method: bytes, path: bytes, body: bytes = b"") -> None:
        self.asked = (method, path, body)
        self.received.clear()
        self.started = time.perf_counter()
        self.transport.write(
            b"%s %s HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            b"Content-Type: application/json\r\nCookie: %s\r\nContent-Length: %d\r\n\r\n%s"
            % (method, path, self.cookie, len(body), body)
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
            if (following := NEXT.search(body)) and self.goes_on():
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
            self.played["lost connections"].append(str(error))
        self.lost.set_result(None)

    def stop(self) -> None:
        if not self.finished.done():
            self.finished.set_result(None)
        self.transport.close()


async def play(options: argparse.Namespace) -> None:
    played: dict = {"times": [], "acknowledged": [], "errors": [], "lost connections": []}
    started = time.monotonic()

    def goes_on() -> bool:
        if options.until:
            return not os.path.exists(options.until)
        return time.monotonic() < started + options.seconds

    tokens = Path(options.tokens).read_text().split()
    await asyncio.gather(*(Player(int(options.play), token, played, goes_on).play() for token in tokens))
    played["seconds"] = time.monotonic() - started
    Path(options.results).write_text(json.dumps(played))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()

"""What a process costs: run, run by turns, and the processes that score the same files with understudy."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from text import ROOT

# What every program of Python begins with: the lines of a file.
READ = """
import sys, time
def lines(path):
    with open(path, encoding="utf-8", newline="\\n") as file:
        return file.read().split("\\n")[:-1]
"""
IN_PROCESS = """
import json, sys, time
from understudy import score
score([sys.argv[1]], [sys.argv[2]], [sys.argv[4]], threads=1)
wall, cpu = time.perf_counter(), time.process_time()
result = score([sys.argv[1]], [sys.argv[2]], [sys.argv[4]], threads=int(sys.argv[3]))
print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall,
                  "value": result.systems[0].scores[0].value}))
"""


@dataclass
class Cost:
    cpu: float  # seconds
    wall: float
    memory: float  # MiB at the peak
    output: str = ""


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def understudy_in_process(
    hypotheses: str, references: str, *, threads: int, metric: str = "bleu"
) -> list[str]:
    return python(IN_PROCESS, hypotheses, references, str(threads), metric)


def understudy_command(hypotheses: str, references: str, *options: str) -> list[str]:
    return [str(script("understudy")), "score", hypotheses, "-r", references, *options]


def script(name: str) -> Path:
    return Path(sys.executable).with_name(name)


def best_call(runs: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """The shortest CPU time of several calls in this process, and what was found."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        found = call()
        times.append(time.process_time() - start)
    return min(times), found


def best_of(runs: int, *commands: list[str]) -> list[Cost]:
    """The cheapest of several runs of each command, the commands taking turns."""
    costs: list[list[Cost]] = [[] for _ in commands]
    for _ in range(runs):
        for command, seen in zip(commands, costs, strict=True):
            seen.append(run(command))
    return [
        Cost(
            min(cost.cpu for cost in seen),
            min(cost.wall for cost in seen),
            min(cost.memory for cost in seen),
            min(seen, key=lambda cost: cost.wall).output,
        )
        for seen in costs
    ]


def run(command: list[str]) -> Cost:
    start = time.perf_counter()
    with tempfile.TemporaryFile() as complaints:  # some peers say much
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=complaints, cwd=ROOT, env=_environment()
        )
        assert process.stdout is not None
        output = process.stdout.read().decode()
        complaints.seek(0)
        said = complaints.read()[-1000:].decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{said}")
    wall = time.perf_counter() - start
    return Cost(usage.ru_utime + usage.ru_stime, wall, _mebibytes(usage), output.strip())


def _environment() -> dict[str, str]:
    """Without the ban on writing bytecode: else an editable installation is compiled anew at every start, which no
    installed package is.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)  # macOS counts bytes

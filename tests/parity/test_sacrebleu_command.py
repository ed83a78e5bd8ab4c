"""`understudy sacrebleu` beside sacreBLEU's own program: the same standard output, exit code and log."""

from __future__ import annotations

import gzip
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sacrebleu")
pytest.importorskip("lxml")  # with which sacreBLEU reads test sets

from material.command_files import write_files
from material.command_runs import Outcome, outcomes
from material.sacrebleu_command_lines import GROUPS, command_line, command_lines
from material.shared import SHARED, needs

THEIRS = ("from sacrebleu.sacrebleu import main\nimport numpy", "main()")
OURS = ("from understudy.compat.sacrebleu.sacrebleu import main", "main()")
WMT21 = SHARED / "data" / "wmt21.en-de"


def differences(written: list[str], folder: Path) -> Iterator[str]:
    lines = [command_line(line) for line in written]
    for name in ("ours", "theirs"):
        (folder / name).mkdir()
        write_files(folder / name)
    ours = outcomes(*OURS, lines, folder / "ours")
    theirs = outcomes(*THEIRS, lines, folder / "theirs")
    for line, mine, their in zip(written, ours, theirs, strict=True):
        assert "Traceback" not in their.errors, f"{line}\n{their.errors}"
        yield from different(line, mine, their)


def different(line: str, mine: Outcome, their: Outcome) -> Iterator[str]:
    if mine.code != their.code:
        yield f"{line}: exit code {mine.code}, sacreBLEU's {their.code}: {mine.errors}"
    elif mine.output != their.output:
        yield f"{line}: prints\n{mine.output.decode()}sacreBLEU\n{their.output.decode()}"
    elif mine.code != 2 and (said := log_of(mine)) != log_of(their):  # the usage is in our words
        yield f"{line}: says\n{said}sacreBLEU\n{their.errors}"


def log_of(outcome: Outcome) -> str:
    """Without what understudy says in its own name."""
    lines = outcome.errors.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("understudy: "))


@pytest.mark.parametrize("group", GROUPS)
def test_the_same_output_code_and_log(group: str, tmp_path: Path) -> None:
    found = list(differences(command_lines(group), tmp_path))
    assert not found, "\n\n".join(found)


def test_the_table_is_as_long_as_promised() -> None:
    lines = [line for group in GROUPS for line in command_lines(group)]
    assert len(lines) == len(set(lines)) >= 200


REAL = """
    refA.txt -i Facebook-AI.txt
    refA.txt refC.txt refD.txt -i Online-W.txt -m bleu chrf -w 4
    refA.txt refC.txt -i UF.txt -m chrf -cw 2 -f text -ci -cin 50
    refA.txt -i Facebook-AI.txt UF.txt Online-W.txt -m bleu chrf --paired-bs -pbsn 50 -f text
    refA.txt -i Facebook-AI.txt UF.txt --paired-ar -parn 100 -f latex
    refA.txt -i UF.txt -sl -b -w 6
    refA.txt -i UF.txt -sl -m chrf -b -w 6
    refA.txt -i UF.txt -l en-zh
    refA.txt -i UF.txt -tok intl -lc -s add-k
    refA.part refC.part -i UF.part -m ter -w 4 -ci -cin 20
    refA.part refC.part -i UF.part -m ter -sl
"""


@needs(WMT21)
def test_the_same_on_real_systems(tmp_path: Path) -> None:
    written = [line.strip() for line in REAL.strip().split("\n")]
    lines = [command_line(line) for line in written]
    for name in ("refA", "refC", "refD"):
        (tmp_path / f"{name}.txt").write_bytes((WMT21 / f"{name}.txt").read_bytes())
    for name in ("Facebook-AI", "UF", "Online-W"):
        text = gzip.decompress((WMT21 / "systems" / f"{name}.txt.gz").read_bytes())
        (tmp_path / f"{name}.txt").write_bytes(text)
    for name in ("refA", "refC", "UF"):  # sacreBLEU's TER takes 20 seconds for all segments
        head = (tmp_path / f"{name}.txt").read_bytes().split(b"\n")[:60]
        (tmp_path / f"{name}.part").write_bytes(b"\n".join(head) + b"\n")
    ours, theirs = (outcomes(*program, lines, tmp_path) for program in (OURS, THEIRS))
    found = [
        difference
        for line, mine, their in zip(written, ours, theirs, strict=True)
        for difference in different(line, mine, their)
    ]
    assert not found, "\n\n".join(found)
    assert all(outcome.code == 0 and outcome.output for outcome in theirs)


ON_A_TERMINAL = {  # with colors or without
    "ref.txt -i strong.txt weak.txt -f text": True,
    "ref.txt -i strong.txt weak.txt -f text -nc": False,
    "ref.txt -i strong.txt weak.txt": False,
    "ref.txt -i medium.txt weak.txt -f latex -par -parn 50": True,
    "ref.txt -i medium.txt weak.txt strong.txt -f text -pbs -pbsn 9 -m bleu chrf -q": True,
    "ref.txt -i medium.txt -ci -cin 50 -f text -m bleu chrf": True,
    "-t wmt18 -l en-de -i set.de -d": True,
}


@pytest.mark.parametrize(("written", "colored"), ON_A_TERMINAL.items())
def test_the_same_colors_on_a_terminal(written: str, colored: bool, tmp_path: Path) -> None:
    write_files(tmp_path)
    shown = [
        shown_on_a_terminal([sys.executable, "-c", f"{imports}\n{call}", *written.split()], tmp_path)
        for imports, call in (OURS, THEIRS)
    ]
    # sacreBLEU resets the color once more at its end.
    assert shown[0] == shown[1].removesuffix(b"\x1b[0m")
    assert (b"\x1b[" in shown[0]) == colored


def shown_on_a_terminal(command: list[str], folder: Path) -> bytes:
    reader, terminal = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**environment, "SACREBLEU": str(folder / "cache")},
    ):
        os.close(terminal)
        shown = b""
        while part := read_terminal(reader):
            shown += part
    os.close(reader)
    return shown


def read_terminal(reader: int) -> bytes:
    try:
        return os.read(reader, 1 << 16)
    except OSError:  # its other end is closed
        return b""

"""The command as a process among others: pipes, locales, terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.cli.progress import estimated_segments
from understudy.version import __version__

GOOD = ["score", "system-weak.en", "system-strong.en", "-r", "reference-1.en"]
EXAMPLES = Path(__file__).parents[2] / "examples"

pty = pytest.importorskip("pty", reason="this platform has no pseudo-terminals")


def test_version(shell) -> None:
    done = shell("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"understudy {__version__}\n".encode(), b"")


@pytest.mark.parametrize("arguments", [["--version"], ["score", "--help"], ["completion", "bash"]])
def test_what_needs_no_numbers_does_not_load_numpy(arguments: list[str]) -> None:
    code = (
        "import sys; from understudy.cli import program\n"
        f"try: program.main({arguments!r}, prog_name='understudy')\n"
        "except SystemExit: pass\n"
        "sys.exit('numpy' in sys.modules or 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_exit_codes(shell) -> None:
    assert shell(*GOOD).returncode == 0
    assert shell(*GOOD, "--fail-under", "99").returncode == 1
    assert shell(*GOOD, "--threads", "0").returncode == 2
    assert shell("score", "nope", "-r", "reference-1.en").returncode == 2


def test_standard_input_from_a_pipe(shell) -> None:
    done = shell("score", "-", "-r", "reference-1.en", "-q", input=(EXAMPLES / "system-weak.en").read_bytes())
    assert done.stdout == b"10.11\n"


def test_a_metric_that_reads_references_twice(shell, tmp_path: Path) -> None:
    """From a file it can; a pipe is empty the second time, or nobody writes into it again."""
    weak, reference = ((EXAMPLES / name).read_bytes() for name in ("system-weak.en", "reference-1.en"))
    done = shell("score", "-", "-r", "reference-1.en", "-m", "nist", "-q", input=weak)
    assert (done.stdout, done.stderr) == (b"4.05\n", b"")
    os.mkfifo(tmp_path / "pipe")
    for name in ("-", str(tmp_path / "pipe")):
        done = shell("score", "system-weak.en", "-r", name, "-m", "nist", input=reference)
        assert done.returncode == 2
        said = f"understudy: error: nist reads the references twice, but '{name}' can be read only once."
        assert done.stderr.decode() == f"{said} Save it to a file first.\n"
    done = shell("score", "system-weak.en", "-r", "nope", "-m", "nist")
    assert done.stderr.startswith(b"understudy: error: no such file: 'nope'.")


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_locales_without_unicode(shell, environment: dict[str, str]) -> None:
    for format in ("table", "json", "tsv", "markdown", "latex"):
        done = shell("score", "système=system-weak.en", *GOOD[2:], "-f", format, environment=environment)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
    done = shell("tokenizers", environment=environment)
    assert done.returncode == 0


def test_arrows_in_ascii(shell) -> None:
    metrics = ["-m", "bleu", "-m", "ter", "-m", "length-ratio"]
    said = shell(*GOOD, *metrics, environment={"PYTHONIOENCODING": "ascii"}).stdout
    for header in (b"BLEU ^", b"TER v", b"length ratio -> 100"):
        assert header in said


def test_in_a_pipe_the_width_of_the_terminal_does_not_matter(shell) -> None:
    narrow = shell(*GOOD, environment={"COLUMNS": "10"})
    assert narrow.stdout == shell(*GOOD, environment={"COLUMNS": "200"}).stdout
    assert narrow.stderr == b""
    assert b"\x1b" not in narrow.stdout


@pytest.mark.parametrize(
    "arguments", [[*GOOD, "--level", "segment", "-f", "tsv"], ["tokenize", "reference-1.en"], ["--help"]]
)
def test_a_reader_that_stops_early(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "understudy", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=EXAMPLES,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == (1 if arguments == ["--help"] else 141)  # the help is click's own


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_stops_in_the_middle(tmp_path: Path, unbuffered: str) -> None:
    (tmp_path / "nmt.txt").write_text("a line of text\n" * 20_000)
    arguments = ["score", "nmt.txt", "-r", "nmt.txt", "--level", "segment", "-f", "tsv"]
    with subprocess.Popen(
        [sys.executable, "-m", "understudy", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10) == b"system\tseg"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this platform has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [GOOD, [*GOOD, "--level", "segment", "-f", "tsv"], ["--help"]])
def test_a_full_disk(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "understudy", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=EXAMPLES,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"understudy: error: output: No space left")
    assert done.stderr.count(b"\n") == 1


def test_standard_output_closed() -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m understudy {' '.join(GOOD)} >&-"],
        stderr=subprocess.PIPE,
        cwd=EXAMPLES,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b"understudy: error: standard output is closed: there is nowhere to write to.\n"


@pytest.mark.parametrize("lines", [1, 60, 100_000])
def test_an_estimate_of_the_work(tmp_path: Path, lines: int) -> None:
    file, packed = tmp_path / "nmt.txt", tmp_path / "nmt.txt.gz"
    file.write_text("a line of text\n" * lines)
    packed.touch()
    assert estimated_segments(["-", str(packed), str(file)]) == pytest.approx(lines, rel=0.01)
    assert estimated_segments(["-", str(packed), str(tmp_path)]) is None


# --- terminals ------------------------------------------------------------------------------------------

SLOW = """
import sys
import understudy.cli.progress as bar
import understudy.scoring.run as scoring
from understudy.cli import main

bar._DELAY = 0
score = scoring.score

def slow(*arguments, progress, **options):
    if progress:
        progress(5)
    if {interrupt}:
        raise KeyboardInterrupt
    return score(*arguments, progress=progress, **options)

scoring.score = slow
main()
"""


def on_a_terminal(command: list[str], *, stdout: bool, **environment: str) -> tuple[int, str, str]:
    """Exit code, what the terminal saw, and what the pipe got if standard output is not on the terminal."""
    ours, theirs = pty.openpty()
    kept = {
        key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")
    }
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=theirs if stdout else subprocess.PIPE,
        stderr=theirs,
        cwd=EXAMPLES,
        env={**kept, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side has closed
                break
            if not block:
                break
            seen += block
        piped = process.stdout.read() if process.stdout else b""
    os.close(ours)
    return process.returncode, seen.decode(), piped.decode()


def test_long_work_shows_a_bar_and_takes_it_away() -> None:
    command = [sys.executable, "-c", SLOW.format(interrupt=False), *GOOD]
    code, seen, piped = on_a_terminal(command, stdout=False)
    assert code == 0
    assert "scoring" in seen
    assert "segments" in seen
    assert seen.rstrip().endswith("\x1b[2K")
    assert "68" not in seen
    assert "system-weak.en" in piped
    assert "\x1b" not in piped


def test_the_bar_names_what_it_counts() -> None:
    systems = ["system-weak.en", "system-medium.en", "system-strong.en", "--measure", "fluency"]
    command = ["trust", *systems, "-r", "reference-1.en", "--human", "judgments.tsv"]
    code, seen, _ = on_a_terminal(
        [sys.executable, "-c", SLOW.format(interrupt=False), *command], stdout=False
    )
    assert code == 0
    resampling = seen.partition("resampling")[2].partition("\n")[0]
    assert "steps" in resampling
    assert "segments" not in resampling


def test_an_interrupt_takes_the_bar_away() -> None:
    code, seen, piped = on_a_terminal(
        [sys.executable, "-c", SLOW.format(interrupt=True), *GOOD], stdout=False
    )
    assert (code, piped) == (130, "")
    assert "scoring" in seen
    assert "Traceback" not in seen
    assert seen.rstrip().endswith("\x1b[2K")
    assert "\x1b[?25h" in seen


def test_quiet_shows_no_bar() -> None:
    command = [sys.executable, "-c", SLOW.format(interrupt=False), *GOOD, "-q"]
    assert on_a_terminal(command, stdout=False)[1] == ""


def test_in_a_pipe_there_is_no_bar() -> None:
    command = [sys.executable, "-c", SLOW.format(interrupt=False), *GOOD]
    done = subprocess.run(command, capture_output=True, cwd=EXAMPLES, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_gets_bold_letters_and_fitting_lines() -> None:
    command = [sys.executable, "-m", "understudy", *GOOD]
    code, seen, _ = on_a_terminal(command, stdout=True, COLUMNS="50")
    assert code == 0
    assert "\x1b[1m" in seen
    assert seen.count("system-weak.en") == 2


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_styles(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "understudy", *GOOD]
    assert "\x1b" not in on_a_terminal(command, stdout=True, **environment)[1]

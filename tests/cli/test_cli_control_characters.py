"""Whatever stands in files: nothing that a terminal would obey reaches it, and nothing is left out of what it shows."""

from __future__ import annotations

import json
import re
import sys

import pytest

from material.optional import needs_packages
from material.parsers import FlatParser
from understudy.cli import output
from understudy.report.scores import FORMATS
from understudy.syntax import parsing

# Color, bell, NUL, the one-character CSI, delete, and text from right to left.
STEERING = "\x1b[31mred\x07\x00\x9b2J\x7f\u202e"
ESCAPED = r"\x1b[31mred\x07\x00\x9b2J\x7f\u202e"
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
NAME = "nmt\x1b[31m\x9b.txt"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names of files")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(parsing._KINDS, "auto", ("", lambda _language, _keep_words: FlatParser()))
    word = STEERING.replace("\x00", "")
    lines = {
        NAME: [f"the {STEERING} cat sat .", f"a dog {STEERING}"],
        "old.txt": [f"the {STEERING} cat sits .", "a dog"],
        "ref.txt": [f"the {STEERING} cat sat .", f"the dog {STEERING}"],
        "labels.txt": [f"document {STEERING}", "other"],
        "human.tsv": ["system\tsegment\tscore", f"old{STEERING}\t1\tgood{STEERING}"],
        "table.tsv": [f"source\tnmt {STEERING}", "a\tb"],
        "t.ptb": [f"(S{STEERING} (NP (NN {STEERING})) (VP (VB{STEERING} go)))"],
        "broken.ptb": [f"(S (NN {word})"],
        "t.conllu": [f"1\t{STEERING}\t_\tX\tT{STEERING}\t_\t0\troot{STEERING}\t_\t_"],
        "broken.conllu": [f"1\ta\t_\tX\tT\t_\t{STEERING}\troot\t_\t_"],
    }
    for name, some in lines.items():
        (tmp_path / name).write_bytes("\n".join([*some, ""]).encode())


def seen(run, *arguments: str) -> str:
    """What a terminal would get."""
    result = run(*arguments, color=True)
    return str(result.stdout + result.stderr)


TWO = [NAME, "old.txt", "-r", "ref.txt"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "command",
    [
        ["score", *TWO],
        ["compare", *TWO, "--breakdown", "--labels", "labels.txt"],
        ["compare", *TWO, "-r", "old.txt", "--references-study"],
        ["explain", NAME, "-r", "ref.txt", "--against", "tokenize=none"],
    ],
    ids=lambda command: " ".join(command[:1] + command[5:6]),
)
def test_tables(run, command, format):
    shown = seen(run, *command, "-f", format)
    assert not OBEYED.search(shown)
    name = {"json": json.dumps(NAME[:-4])[1:-1], "latex": r"\textbackslash{}x1b", "markdown": r"\\x1b"}
    if command[0] != "explain":
        assert name.get(format, r"nmt\x1b[31m\x9b") in shown


@pytest.mark.parametrize(
    "given",
    [
        [NAME],
        [NAME, "--kind", "both", "--ascii"],
        ["t.ptb"],
        ["t.ptb", "--kind", "dependencies"],
        ["t.conllu"],
    ],
    ids=" ".join,
)
def test_trees(run, given):
    shown = seen(run, "trees", *given)
    assert not OBEYED.search(shown)
    assert ESCAPED in shown


@pytest.mark.parametrize(
    "command",
    [
        ["trees", "broken.ptb"],
        ["trees", "broken.conllu"],
        ["score", "broken.conllu", "-r", "broken.conllu", "-m", "hwcm"],
        ["score", "table.tsv:mt", "-r", "ref.txt"],
        ["trust", *TWO, "--human", "human.tsv"],
        ["score", *TWO, "-m", "bl\x1beu"],
        ["score", "no\x1bsuch.txt", "-r", "ref.txt"],
        pytest.param(["trees", "a", "--parser", "spacy:\x1bx"], marks=needs_packages("spacy")),
    ],
    ids=lambda command: repr(" ".join(command[:2])),
)
def test_errors(run, command):
    result = run(*command, color=True)
    assert result.exit_code == 2
    assert not OBEYED.search(result.stderr)
    assert r"\x1b" in result.stderr
    assert result.stderr.count("\n") == 1


def test_lines_on_standard_error(run):
    shown = seen(run, "score", NAME, "-r", "ref.txt", "--fail-under", "100")
    assert r"nmt\x1b[31m\x9b: BLEU" in shown
    assert not OBEYED.search(shown)


@pytest.mark.parametrize("command", ["tokenize", "parse"])
def test_data_is_escaped_on_a_terminal_only(run, monkeypatch, command):
    raw = run(command, NAME).stdout
    assert "\x1b" in raw
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    expected = OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), raw)
    assert run(command, NAME).stdout == expected

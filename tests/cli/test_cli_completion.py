"""The TAB key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from understudy import BLEU, CHRF
from understudy.report.scores import FORMATS
from understudy.text.tokenizers import KINDS

WORD_BREAKS = " \t\n\"'><=;|&(:"  # bash's own default, without @


def completed(shell, line: str, breaks: str = "") -> list[tuple[str, str]]:
    """What the shell would be told: kinds and values."""
    done = shell(
        environment={"_UNDERSTUDY_COMPLETE": "bash_complete", "COMP_LINE": line, "COMP_WORDBREAKS": breaks}
    )
    assert done.stderr == b""
    assert done.returncode == 0
    pairs = (entry.partition(",") for entry in done.stdout.decode().splitlines() if entry)
    return [(kind, value) for kind, _, value in pairs]


def values(shell, line: str, breaks: str = "") -> list[str]:
    return [value for _, value in completed(shell, line, breaks)]


def test_commands(shell) -> None:
    assert {"score", "metrics", "tokenizers", "tokenize", "completion"} <= set(values(shell, "understudy "))
    assert values(shell, "understudy sc") == ["score"]


def test_options_and_their_values(shell) -> None:
    assert "--fail-under" in values(shell, "understudy score --")
    assert values(shell, "understudy score --format ") == [*FORMATS, "xlsx"]
    assert values(shell, "understudy score --level s") == ["segment"]
    assert values(shell, "understudy score --tokenize z") == ["zh", "zh-fixed"]
    assert values(shell, "understudy completion ") == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    "line", ["understudy score ex", "understudy score a -r ex", "understudy tokenize ex"]
)
def test_files(shell, line: str) -> None:
    assert completed(shell, line) == [("file", "ex")]


def test_metrics(shell) -> None:
    assert values(shell, "understudy score -m bl") == ["bleu", "bleurt", "bleu:", "bleurt:"]
    assert values(shell, "understudy metrics ri") == ["ribes", "ribes:"]
    assert values(shell, "understudy score -m al") == ["all"]
    assert values(shell, "understudy metrics al") == []
    first = values(shell, "understudy score x -r y -m bleu:")
    assert first[: len(BLEU.presets)] == [f"bleu:{preset}" for preset in BLEU.presets]
    assert first[len(BLEU.presets) :] == [f"bleu:{name}=" for name in BLEU.parameters()]
    assert values(shell, "understudy score -m bleu:tok") == ["bleu:tokenize="]
    assert values(shell, "understudy score -m blue:") == []


def test_aliases_of_metrics(shell) -> None:
    offered = values(shell, "understudy score -m chr")
    assert [name for name in offered if ":" not in name] == ["chrf", *CHRF.aliases]
    assert values(shell, "understudy score -m chrf++:") == [f"chrf++:{name}=" for name in CHRF.parameters()]
    assert values(shell, "understudy score -m chrf++:average=e") == [
        "chrf++:average=effective",
        "chrf++:average=eps",
    ]


def test_settings(shell) -> None:
    offered = values(shell, "understudy score -m bleu:tokenize=")
    assert offered == [f"bleu:tokenize={kind.written.removesuffix('FILE')}" for kind in KINDS.values()]
    assert values(shell, "understudy score -m bleu:lowercase=") == [
        "bleu:lowercase=false",
        "bleu:lowercase=true",
        "bleu:lowercase=ascii",
    ]
    assert values(shell, "understudy score -m bleu:effective_order=t") == ["bleu:effective_order=true"]
    assert values(shell, "understudy score -m bleu:max_order=") == []
    second = values(shell, "understudy score -m bleu:papineni2002,")
    assert second == [f"bleu:papineni2002,{name}=" for name in BLEU.parameters()]
    assert "bleu:smooth=exp,smooth=" not in values(shell, "understudy score -m bleu:smooth=exp,")
    assert values(shell, "understudy score -m bleu:nonsense=") == []


def test_what_bash_has_cut_off_is_not_repeated(shell) -> None:
    assert values(shell, "understudy score -m bleu:tok", WORD_BREAKS) == ["tokenize="]
    assert values(shell, "understudy score -m bleu:tokenize=ji", WORD_BREAKS) == ["jiwer"]


@pytest.mark.parametrize(
    ("name", "marker"), [("bash", "complete -o nosort"), ("zsh", "#compdef"), ("fish", "--max 1")]
)
def test_the_scripts(run, name: str, marker: str) -> None:
    result = run("completion", name)
    assert result.exit_code == 0
    assert marker in result.stdout
    assert "_UNDERSTUDY_COMPLETE" in result.stdout


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells(shell, name: str) -> None:
    words = {"zsh": "3", "fish": "bleu:tok"}[name]
    done = shell(
        environment={
            "_UNDERSTUDY_COMPLETE": f"{name}_complete",
            "COMP_WORDS": "understudy score -m bleu:tok",
            "COMP_CWORD": words,
        }
    )
    assert b"tokenize=" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="this platform runs no scripts of the shell")
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash: apt-get install bash")
@pytest.mark.parametrize(
    ("line", "replies"),
    [
        ("understudy sco", ["score"]),
        ("understudy score -m bleu:tokenize=ji", ["jiwer"]),
        ("understudy score -m bleu:smooth=exp,low", ["bleu:smooth=exp,lowercase="]),
    ],
)
def test_the_script_in_a_real_bash(run, tmp_path: Path, line: str, replies: list[str]) -> None:
    command = tmp_path / "understudy"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m understudy "$@"\n')
    command.chmod(0o755)
    (tmp_path / "completion.bash").write_text(run("completion", "bash").stdout)
    breaks = "=:" if ",low" not in line else ""
    script = (
        "compopt() { :; }\n"  # exists only while bash itself completes
        f"source {tmp_path}/completion.bash\n"
        f"COMP_WORDBREAKS='{breaks}'; COMP_LINE='{line} and more'; COMP_POINT={len(line)}\n"
        "_understudy_completion understudy\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.splitlines(), done.stderr) == (replies, "")

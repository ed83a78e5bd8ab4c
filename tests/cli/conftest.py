"""How the tests of the command line call it: inside this process, or as a user's shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from understudy.cli import NAME, program

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = ["strong", "medium", "rulebased", "weak"]

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example data, as the current directory."""
    monkeypatch.chdir(EXAMPLES)
    return EXAMPLES


@pytest.fixture
def run() -> Run:
    """`run("score", "a.txt", ...)` inside this process. Whatever happens, it is never a traceback."""

    def call(*arguments: str, **extra: Any) -> Result:
        result = CliRunner().invoke(program, list(arguments), prog_name=NAME, **extra)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def fails(run: Run) -> Callable[..., str]:
    """`fails("score", ...)` is the one line that bad input or usage leads to."""

    def call(*arguments: str, **extra: Any) -> str:
        result = run(*arguments, **extra)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith("understudy: error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr

    return call


@pytest.fixture
def shell() -> Shell:
    """`shell("score", ...)` in a process of its own, whatever the language of this one."""

    def call(
        *arguments: str, environment: dict[str, str] | None = None, **extra: Any
    ) -> subprocess.CompletedProcess[bytes]:
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))
        }
        return subprocess.run(
            [sys.executable, "-m", "understudy", *arguments],
            env={**kept, **(environment or {})},
            cwd=extra.pop("cwd", EXAMPLES),
            capture_output=True,
            check=False,
            timeout=60,
            **extra,
        )

    return call

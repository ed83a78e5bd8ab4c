"""Libraries that need other versions of packages than the tests do. Each has an environment in build/, made by the
Makefile, in which a file of checks is run.
"""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def needs_environment(library: str) -> pytest.MarkDecorator:
    # It sees the packages of the tests, so they must be there, too.
    made = (ROOT / "build" / library / "installed").exists() and find_spec("torch") is not None
    return pytest.mark.skipif(not made, reason=f"needs {library}: make {library}")


def assert_all_pass(library: str, checks: str, count: int) -> None:
    """As many tests of a file pass, and none is skipped. Warnings of the library are its own business."""
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
    python = str(ROOT / "build" / library / "bin" / "python")
    done = subprocess.run(
        [python, "-m", "pytest", *options, checks], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"^{count} passed in", done.stdout, re.MULTILINE), done.stdout

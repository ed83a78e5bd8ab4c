"""lighteval, which needs other versions of packages than the tests and so has an environment of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / "build" / "lighteval"


@pytest.mark.skipif(not (ENVIRONMENT / "installed").exists(), reason="needs lighteval: make lighteval")
def test_lighteval_computes_what_understudy_does():
    command = [
        str(ENVIRONMENT / "bin" / "python"),
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-W",
        "ignore",
    ]
    checks = "tests/compat/lighteval_checks.py"
    done = subprocess.run([*command, checks], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout

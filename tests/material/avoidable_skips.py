"""In CI, where everything that can be installed is, a test that is skipped for want of it has failed."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.CollectReport, pytest.TestReport)

# Parts of the reasons for which a test may be skipped in CI too: nothing that is installed would help.
UNAVOIDABLE = (
    "../shared/",  # the data beside the repository
    "this platform",
    "root may write anywhere",
    "too large for every run",
    "has one reference only",
    "no model given",  # of learned metrics: tests/metrics/test_learned_model_metrics.py has small ones
    "under Python 3.11",  # digits that depend on the version
    "no model given",  # weights, or a server, that no package brings; see the tests of each metric
)
# What tools/system_packages.sh installs may be missing where it may not.
OF_THE_SYSTEM = ("WordNet", "Java", "chromium", "PostgreSQL")


def without_avoidable_skip(report: Report) -> Report:
    """The report; with CI set, a failure if the test was skipped without need."""
    if not os.environ.get("CI") or not report.skipped or hasattr(report, "wasxfail"):
        return report
    assert isinstance(report.longrepr, tuple)
    *_, reason = report.longrepr
    unavoidable = UNAVOIDABLE if may_install() else UNAVOIDABLE + OF_THE_SYSTEM
    if not any(part in reason for part in unavoidable):
        report.outcome = "failed"
        report.longrepr = f"CI is set, and this was skipped for want of what can be installed. {reason}"
    return report


@functools.cache
def may_install() -> bool:
    """Whether tools/system_packages.sh may install anything on this machine."""
    script = Path(__file__).parents[2] / "tools" / "system_packages.sh"
    return sys.platform == "linux" and subprocess.run([str(script), "--may"], check=False).returncode == 0

"""The folder ../shared beside the repository: real data, numbers of other programs, models, treebanks.

It is no part of the repository, and tests that read it are skipped where it is absent. UNDERSTUDY_TEST_SHARED names
another; `make test-bare` names one that does not exist.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("UNDERSTUDY_TEST_SHARED") or Path(__file__).parents[3] / "shared")


def without(path: Path) -> str:
    return f"reads ../shared/{path.relative_to(SHARED)}, which is not part of the repository"


def needs(path: Path) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not path.exists(), reason=without(path))

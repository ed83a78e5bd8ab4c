"""docs/architecture.md: every folder is in it, in the order in which imports are allowed, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from test_layers import HEIGHT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

SOURCE = ROOT / "src" / "understudy"
PACKAGES = sorted(f"{path.parent.relative_to(SOURCE).as_posix()}/" for path in SOURCE.rglob("*/__init__.py"))
CORE = sorted({f"core/{path.parent.name}/" for path in (ROOT / "core").glob("*/*.cpp")})
TESTS = sorted({f"{path.parent.name}/" for path in (ROOT / "tests").glob("*/*.py")})


@pytest.mark.parametrize("folder", [*PACKAGES, *CORE])
def test_every_folder_has_a_row(folder):
    assert re.search(rf"^\| `{folder}` \| .", PAGE, re.MULTILINE), (
        f"docs/architecture.md has no row of `{folder}`"
    )


def test_every_folder_of_tests_is_one_of_the_source_or_explained():
    known = {folder.rstrip("/").split("/")[-1] for folder in PACKAGES} | {"core"}
    unexplained = [
        folder for folder in TESTS if folder.rstrip("/") not in known and f"`{folder}`" not in PAGE
    ]
    assert not unexplained


def test_rows_follow_the_layers():
    rows = re.findall(r"^\| `([a-z_/]+)/` \|", PAGE.partition("## Folders")[2], re.MULTILINE)
    heights = [HEIGHT[name] for row in rows if (name := row.replace("/", ".")) in HEIGHT]
    assert len(heights) > 10
    assert heights == sorted(heights)


def test_files_that_are_named_exist():
    place = PAGE.partition("## Where to find")[2]
    names = re.findall(r"`([a-z_/]+/[a-z_.]*)`", place)
    missing = [name for name in names if not (SOURCE / name).exists() and not (ROOT / name).exists()]
    assert len(names) > 8
    assert not missing

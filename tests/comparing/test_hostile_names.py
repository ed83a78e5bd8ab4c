"""Names and scores that break what is not prepared for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from material.comparisons import EXAMPLES
from material.optional import needs_report
from understudy import UnderstudyError, compare, compare_scores

FILES = [EXAMPLES / "system-strong.en", EXAMPLES / "system-weak.en"]
REFERENCE = EXAMPLES / "reference-1.en"


@needs_report
@pytest.mark.parametrize("name", ["a\x1bb", "\x00", "a\ufffe", "L" * 300])
def test_any_name_can_be_drawn(name: str, tmp_path: Path) -> None:
    """The program that draws figures ends the process on characters that XML does not allow."""
    found = compare({name: FILES[0], "weak": FILES[1]}, [REFERENCE], samples=20)
    found.report(tmp_path / "report.html")
    found.figures(tmp_path / "figures")
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert len(list((tmp_path / "figures").glob("*.svg"))) > 3


@pytest.mark.parametrize("values", [["1", "x"], [[1.0], [2.0]], "12"])
def test_scores_that_are_no_numbers(values: object) -> None:
    with pytest.raises(UnderstudyError, match=r"C scores of 'a'.*expected a number for every segment"):
        compare_scores({"C": {"a": values, "b": [1.0, 2.0]}})

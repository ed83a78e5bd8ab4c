"""In CI no test is skipped for want of what can be installed; elsewhere all may be."""

from __future__ import annotations

import pytest

from material import avoidable_skips
from material.avoidable_skips import without_avoidable_skip
from material.optional import missing


def outcome(reason: str) -> str:
    """Of a test that was skipped for that reason."""
    skipped = pytest.TestReport("a test", ("a.py", 1, "a test"), {}, "skipped", ("a.py", 1, reason), "setup")
    return without_avoidable_skip(skipped).outcome


@pytest.fixture(params=[True, False], ids=["may install", "may not install"])
def in_ci(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(avoidable_skips, "may_install", lambda: request.param)
    return bool(request.param)


PACKAGE = f"Skipped: {missing('no_such_package')}"
IMPORT = "Skipped: could not import 'no_such_package': No module named 'no_such_package'"
WORDNET = "Skipped: this machine has no WordNet. Install Debian's wordnet-base or NLTK's corpus wordnet"
DATA = "Skipped: reads ../shared/data, which is not part of the repository"


def test_what_can_be_installed_is_not_skipped_in_ci(in_ci: bool) -> None:
    assert outcome(PACKAGE) == "failed"
    assert outcome(IMPORT) == "failed"
    assert outcome(WORDNET) == ("failed" if in_ci else "skipped")
    assert outcome(DATA) == "skipped"


def test_without_ci_everything_may_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert {outcome(reason) for reason in (PACKAGE, IMPORT, WORDNET, DATA)} == {"skipped"}


def test_what_has_run_is_left_alone(in_ci: bool) -> None:  # noqa: ARG001
    passed = pytest.TestReport("a test", ("a.py", 1, "a test"), {}, "passed", None, "call")
    assert without_avoidable_skip(passed).outcome == "passed"

"""lighteval, which needs an older NLTK than the tests, in an environment of its own."""

from __future__ import annotations

from material.own_environments import assert_all_pass, needs_environment


@needs_environment("lighteval")
def test_lighteval_computes_what_understudy_does() -> None:
    assert_all_pass("lighteval", "tests/compat/lighteval_checks.py", 6)

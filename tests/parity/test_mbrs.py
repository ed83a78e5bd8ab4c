"""mbrs, which needs numpy 1, in an environment of its own."""

from __future__ import annotations

from material.own_environments import assert_all_pass, needs_environment
from material.wmt import needs_data


@needs_data
@needs_environment("mbrs")
def test_mbrs_chooses_what_understudy_does() -> None:
    assert_all_pass("mbrs", "tests/parity/mbrs_checks.py", 13)

"""METEOR's matcher: what it refuses. That its counts are right: tests/metrics, tests/parity."""

from __future__ import annotations

from typing import Any

import pytest

from material.meteor_matcher import plain_matcher


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"letter_case": "upper"}, "no such letter case"),
        ({"stages": ["exakt"]}, "no such stage"),
        ({"stages": ["synonym"]}, "a stage lacks its table"),
        ({"beam": 0}, "nothing to do"),
    ],
)
def test_what_it_does_not_know_is_refused(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        plain_matcher(**choices)


def test_a_beam_too_wide_for_a_text_is_refused_before_it_fills_the_memory() -> None:
    repeated = " ".join(["a"] * 4200)  # at its second word 4200 * 4200 steps, more than a rank can number
    with pytest.raises(ValueError, match="choose a smaller beam"):
        plain_matcher(beam=4200).align(repeated, repeated, stems=None)
    assert len(plain_matcher(beam=4200).align("a a a", "a a a", stems=None)[2]) == 3

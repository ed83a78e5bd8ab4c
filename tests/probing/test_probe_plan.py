"""The settings of `probe`."""

from __future__ import annotations

from typing import Any

import pytest

from understudy.probing.plan import ProbePlan


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"what": "permutation"}, "what='permutation': expected permutations, variants"),
        ({"what": ()}, "what: the list is empty"),
        ({"strengths": 0}, "strengths: got 0, expected numbers above 0 and of at most 1"),
        ({"strengths": [0.5, 1.5]}, "strengths: got 1.5"),
        ({"strengths": [True]}, "strengths: got True"),
        ({"strengths": []}, "strengths: the list is empty"),
        ({"strengths": "0.5"}, "strengths: got str, expected a list of numbers"),
        ({"strengths": [float("nan")]}, "strengths: got nan"),
        ({"samples": 0}, "samples=0: expected an integer of at least 1"),
        ({"level": "document"}, "level='document': expected segment, corpus"),
        ({"seed": -1}, "seed=-1"),
        ({"confidence": 1}, "confidence=1"),
        ({"seconds": 0}, "seconds: got 0"),
        ({"perturbations": 3}, "perturbations: got int"),
    ],
)
def test_what_cannot_be_is_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        ProbePlan(**setting)
    assert str(refused.value).startswith(message)


def test_all_is_every_part() -> None:
    assert ProbePlan(what=("all",)).what == ("permutations", "variants", "perturbations", "search")


def test_steps_are_the_segments_of_every_part() -> None:
    assert ProbePlan(what=("variants", "permutations")).steps(60) == 120

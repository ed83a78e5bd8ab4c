"""`probe --pairs`: do metrics prefer the good translation?"""

from __future__ import annotations

from typing import Any

from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.scoring.run import Metrics


def probe_pairs(
    pairs: Any,
    metrics: Metrics | None = None,
    *,
    scores: Any = None,
    lang: str | None = None,
    threads: int | None = None,
    **plan: Any,
) -> ChallengeResults:
    """Compare good and incorrect translations of a challenge set with every metric."""
    raise NotImplementedError

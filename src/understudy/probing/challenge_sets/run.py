"""`probe --pairs`: do metrics prefer the good translation?"""

from __future__ import annotations

from typing import Any

from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.scoring.run import Metrics


def probe_pairs(pairs: Any, metrics: Metrics = ("bleu",), **plan: Any) -> ChallengeResults:
    """Compare good and incorrect translations of a challenge set with every metric."""
    raise NotImplementedError

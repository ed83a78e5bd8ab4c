"""How often a system is ranked above others, as the WMT translation tasks reported it before they fitted models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.agreement.bootstrap import SAMPLES, bootstrapped, share
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import combined

NOT_COMPARED = "no comparison with another system"
ONLY_TIES = "no comparison with another system other than ties"


@dataclass(frozen=True)
class WinRate:
    """Comparisons of one system with all others."""

    system: str
    wins: int
    losses: int
    ties: int
    better: Estimate  # wins / (wins + losses): "> others" of WMT12
    better_or_tied: Estimate  # (wins + ties) / all: ">= others" of WMT11 and before


def win_rates(
    comparisons: Comparisons,
    systems: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> tuple[WinRate, ...]:
    """In the order of the systems, with bootstrap intervals over segments. Hidden repeats are left out."""
    rows = ~comparisons.repeat
    first, second, outcome = comparisons.first[rows], comparisons.second[rows], comparisons.outcome[rows]
    cluster = combined(comparisons.segment[rows])
    clusters = int(cluster.max(initial=-1)) + 1
    how: dict[str, Any] = {"samples": samples, "seed": seed, "confidence": confidence}

    def counted(chosen: NDArray[np.bool_]) -> Floats:
        return np.asarray(np.bincount(cluster[chosen], minlength=clusters), dtype=np.float64)

    found = []
    for place, name in enumerate(systems):
        mine, other = first == place, second == place
        won = counted((mine & (outcome > 0)) | (other & (outcome < 0)))
        lost = counted((mine & (outcome < 0)) | (other & (outcome > 0)))
        tied = counted((mine | other) & (outcome == 0))
        better = _rate(won, won + lost, ONLY_TIES if tied.any() else NOT_COMPARED, how)
        better_or_tied = _rate(won + tied, won + lost + tied, NOT_COMPARED, how)
        wins, losses, ties = (int(each.sum()) for each in (won, lost, tied))
        found.append(WinRate(name, wins, losses, ties, better, better_or_tied))
    return tuple(found)


def _rate(part: Floats, whole: Floats, undefined: str, how: dict[str, Any]) -> Estimate:
    """Resampled over the segments that have any of the whole."""
    has_any = whole > 0
    if not has_any.any():
        return Estimate.absent(undefined)
    of_part, of_whole = part[has_any], whole[has_any]
    return bootstrapped(
        lambda weights: share(weights @ of_part, weights @ of_whole),
        len(of_whole),
        undefined,
        bounds=(0.0, 1.0),
        **how,
    )

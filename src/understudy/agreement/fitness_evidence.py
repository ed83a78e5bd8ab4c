"""Is a metric fit for this use? What human judgments say of that.

Systems of two kinds may lie on two lines in the graph of human scores on metric scores ("might end up in different
regions of the human scores / Bleu score graph", Callison-Burch et al. 2006, section 4). How far the lines are apart is
how much the metric underrates one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from understudy.agreement.estimators import with_both
from understudy.agreement.intervals import SAMPLES
from understudy.agreement.noticed import Noticed
from understudy.agreement.pairing import Pairing
from understudy.agreement.regression import regress
from understudy.agreement.system_level import preferred_alike
from understudy.comparison.evidence import Floats
from understudy.comparison.findings import PAIRS_TOLD, Agreed, Finding, Fitness, KindContrast
from understudy.comparison.fitness import (
    and_more,
    different_kinds,
    few_references,
    few_segments,
)
from understudy.comparison.kinds import Kinds
from understudy.comparison.many_pairs import corrected
from understudy.comparison.placement import Standing, placements
from understudy.comparison.results import digits_for
from understudy.comparison.samples import SEED
from understudy.comparison.significance import SIGNIFICANCE, is_real, p_value
from understudy.errors import BadInput

# From so many systems on there is a test: two lines of one slope take three of them, and as many again must be left to
# say how far systems stray from their line.
FEWEST_SYSTEMS = 6

# The share of pairs of systems on which people should agree with the metric, of those in `noticed`.
NOTICED = 0.80


def fitness_with_people(
    pairings: Mapping[str, Pairing],
    kinds: Kinds,
    *,
    specs: Mapping[str, str] | None = None,
    references: Mapping[str, int] | None = None,
    segments: int | None = None,
    noticed: Mapping[str, Noticed] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
) -> Fitness:
    """Of metrics by what they are called, all of the same systems. By those names, as far as it is known, `specs` holds
    their specs, `references` the fewest references of a segment that those read which read any, and `noticed` how large
    a difference people notice. `segments` is how many were judged. Every two systems count as compared.
    """
    standings = [
        Standing(label, (specs or {}).get(label, label), pairing.systems, pairing.system_scores[1])
        for label, pairing in pairings.items()
    ]
    read = references or {}
    contrasts = [
        contrast
        for standing, pairing in zip(standings, pairings.values(), strict=True)
        for contrast in contrast_kinds(
            pairing,
            kinds,
            spec=standing.spec,
            label=standing.label,
            samples=samples,
            seed=seed,
            significance=significance,
        )
    ]
    # The first metric is told in words; the contrasts are a table of all.
    people = {contrast.kinds: _in_words(contrast, significance) for contrast in contrasts[: len(kinds.pairs)]}
    pairs = list(combinations(standings[0].systems, 2))
    placeable = [standing for standing in standings if not np.isnan(standing.worths).any()]
    findings = [
        *different_kinds(placeable, kinds, pairs, people),
        *few_references(
            [standing for standing in standings if standing.label in read],
            min(read.values(), default=None),
            kinds,
            pairs,
        ),
        *(few_segments(standings, segments, pairs) if segments is not None else ()),
    ]
    for standing in standings:
        if noticed and standing.label in noticed:
            findings += unnoticed(standing, noticed[standing.label])
    placed = [placement for standing in placeable for placement in placements(standing, kinds)]
    return Fitness(kinds, placed, findings, contrasts)


# --- kinds --------------------------------------------------------------------------------------------------


def contrast_kinds(
    pairing: Pairing,
    kinds: Kinds,
    *,
    spec: str = "score",
    label: str = "score",
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
) -> list[KindContrast]:
    """For every two kinds: on which pairs of systems people and the metric agree, across the kinds and within them, and
    by how much people rate the one kind higher where the metric scores the same. p-values are corrected after Holm.
    """
    human, metric = with_both(*(scores[np.newaxis] for scores in pairing.system_scores))
    number = {name: index for index, name in enumerate(pairing.systems)}
    found = []
    for first, second in kinds.pairs:
        members = [[number[name] for name in kinds.members[kind]] for kind in (first, second)]
        known = [[index for index in group if not np.isnan(human[0, index])] for group in members]
        within = [pair for kind in (first, second) for pair in kinds.between(kind, kind)]
        shift, p = _shift(human[0], metric[0], known, samples=samples, seed=seed, significance=significance)
        found.append(
            KindContrast(
                metric=label,
                spec=spec,
                kinds=(first, second),
                systems=(len(known[0]), len(known[1])),
                across=_agreed(human, metric, number, kinds.between(first, second)),
                within=_agreed(human, metric, number, within),
                shift=shift,
                p_value=p,
                corrected=None,
            )
        )
    tested = np.array([contrast.p_value for contrast in found if contrast.p_value is not None])
    adjusted = iter(corrected(tested, "holm").tolist())
    return [
        contrast if contrast.p_value is None else replace(contrast, corrected=next(adjusted))
        for contrast in found
    ]


def _agreed(
    human: Floats, metric: Floats, number: Mapping[str, int], pairs: Sequence[tuple[str, str]]
) -> Agreed:
    first, second = (np.array([number[pair[side]] for pair in pairs], dtype=np.intp) for side in (0, 1))
    known, alike = preferred_alike(human, metric, first, second)
    return Agreed(int(known.sum()), int((known & alike).sum()))


def _shift(
    human: Floats,
    metric: Floats,
    groups: Sequence[Sequence[int]],
    *,
    samples: int,
    seed: int,
    significance: float,
) -> tuple[float | None, float | None]:
    """c of human = a + b metric + c [of the first kind], by least squares, and its p-value: how often c explains as
    much if what the metric leaves unexplained is dealt to the systems at random (Freedman & Lane 1983). How much it
    explains is a correlation of what is left: by its size alone, c would be called real too often with few systems.
    """
    chosen = np.array([index for group in groups for index in group], dtype=np.intp)
    if not all(groups) or len(chosen) < 3:
        return None, None
    scores, of_first = metric[chosen], np.isin(chosen, groups[0]).astype(np.float64)
    try:
        left = [_unexplained(values, scores) for values in (human[chosen], of_first)]
    except BadInput:  # the metric scores all of them the same
        return None, None
    squares = float(left[1] @ left[1])
    if squares < 1e-9 * len(chosen):  # by its score alone the metric tells which kind a system is of
        return None, None
    shift = float(left[1] @ left[0]) / squares
    # With few ways to name the systems of a kind, not even the rarest one is rare enough.
    ways = comb(len(chosen), len(groups[0]))
    if len(chosen) < FEWEST_SYSTEMS or not is_real(1 / ways, significance):
        return shift, None
    dealt: NDArray[np.intp] = np.random.default_rng(seed).permuted(
        np.tile(np.arange(len(chosen)), (samples, 1)), axis=1
    )
    away = scores - scores.mean()
    at_random = left[0][dealt]  # its mean is 0, as that of all residuals
    at_random = at_random - np.outer(at_random @ away / (away @ away), away)
    explained = [
        rest @ left[1] / np.maximum(np.linalg.norm(rest, axis=-1), 1e-300) for rest in (at_random, left[0])
    ]
    return shift, p_value(explained[0], float(explained[1]))


def _unexplained(values: Floats, metric: Floats) -> Floats:
    return np.asarray(values - regress(values, metric).line(metric))


def _in_words(contrast: KindContrast, significance: float) -> str:
    """What people say of two kinds."""
    within = f" (within them {contrast.within})" if contrast.within.pairs else ""
    agreed = f"People agree with {contrast.metric} on {contrast.across} pairs across{within}"
    return f"{agreed}{_shifted(contrast, significance)}."


def _shifted(contrast: KindContrast, significance: float) -> str:
    if contrast.shift is None:
        return ""
    higher, lower = contrast.kinds if contrast.shift >= 0 else contrast.kinds[::-1]
    size = abs(contrast.shift)
    said = f"; at the same {contrast.metric} they rate {higher} {size:.{digits_for(size)}f} above {lower}"
    if contrast.corrected is None:
        return f"{said}, which {contrast.systems[0]} and {contrast.systems[1]} systems are too few to test"
    real = is_real(contrast.corrected, significance)
    verdict = f"{contrast.metric} underrates {higher}" if real else "which may be chance"
    return f"{said} ({verdict}, p = {contrast.corrected:.2g})"


# --- small differences --------------------------------------------------------------------------------------


def unnoticed(standing: Standing, noticed: Noticed) -> list[Finding]:
    """Pairs of systems whose difference is smaller than what people notice in 80 % of cases; the smallest are told."""
    threshold = next((each for each in noticed.thresholds if each.share == NOTICED), None)
    if threshold is None:
        return []
    apart = [
        (abs(float(one - two)), pair)
        for (one, two), pair in zip(
            combinations(standing.worths, 2), combinations(standing.systems, 2), strict=True
        )
        if not np.isnan(one - two)
    ]
    limit = np.inf if threshold.difference is None else threshold.difference
    small = sorted(entry for entry in apart if entry[0] < limit)
    if not small:
        return []
    told = [
        f"{first} and {second} by {size:.{digits_for(size)}f}" for size, (first, second) in small[:PAIRS_TOLD]
    ]
    label, told_pairs = standing.label, and_more(told, len(small))
    if threshold.difference is None:
        never = f"At no difference in these data do people agree with {label} on {NOTICED:.0%} of pairs"
        said = f"{never}. The {len(small):,} pairs differ by up to {small[-1][0]:.2f}: {told_pairs}."
    else:
        at = f"{threshold.difference:.{digits_for(threshold.difference)}f}"
        from_there = f"People agree with {label} on {NOTICED:.0%} of pairs from a difference of {at} on"
        said = f"{from_there}; {len(small):,} of {len(apart):,} pairs differ by less: {told_pairs}."
    pairs = tuple(pair for _, pair in small)
    return [Finding("small-difference", (standing.spec,), (standing.label,), (), pairs, said)]

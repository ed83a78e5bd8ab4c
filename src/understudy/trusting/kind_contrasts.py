"""What people say of two kinds of systems, beside what a metric says of them.

Systems of two kinds may lie on two lines in the graph of human scores on metric scores ("might end up in different
regions of the human scores / Bleu score graph", Callison-Burch et al. 2006, section 4). How far the lines are apart is
how much the metric underrates one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import SEED, SIGNIFICANCE
from understudy.corpus.system_kinds import Kinds
from understudy.errors import BadInput
from understudy.fitness.findings import KindContrast, PairAgreement
from understudy.resampling.multiple_testing import corrected
from understudy.resampling.significance_tests import is_real, p_value
from understudy.trusting.coefficients.estimators import with_both
from understudy.trusting.coefficients.system_level import preferred_alike
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.outliers import chosen_systems
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.regression import regress
from understudy.wording import digits_for, listed

# From so many systems on there is a test: two lines of one slope take three of them, and as many again must be left to
# say how far systems stray from their line.
_FEWEST_SYSTEMS = 6


def contrast_kinds(
    pairing: PairedScores,
    kinds: Kinds,
    *,
    spec: str = "score",
    label: str = "score",
    outliers: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
) -> list[KindContrast]:
    """For every two kinds: on which pairs of systems people and the metric agree, across the kinds and within them, and
    by how much people rate the one kind higher where the metric scores the same. p-values are corrected after Holm.
    Where the two kinds have outliers, the same without them follows, if a system of either kind is left.
    """

    def contrasts(of: PairedScores, known: Kinds) -> list[KindContrast]:
        found = [
            _contrast(of, known, pair, spec, label, samples=samples, seed=seed, significance=significance)
            for pair in known.pairs
        ]
        return _corrected(found)

    whole = contrasts(pairing, kinds)
    kept = [name for name in pairing.systems if name not in outliers or kinds[name] is None]
    if len(kept) == len(pairing.systems):
        return whole
    rest = contrasts(
        chosen_systems(pairing, [pairing.systems.index(name) for name in kept]), kinds.among(kept)
    )
    without = {each.kinds: each for each in rest}
    found = []
    for each in whole:
        found.append(each)
        left_out = _of_kinds(outliers, kinds, each.kinds)
        if left_out and each.kinds in without:
            found.append(replace(without[each.kinds], without=left_out))
    return found


def contrasts_in_words(
    contrasts: Sequence[KindContrast], kinds: Kinds, outliers: Sequence[str], significance: float
) -> dict[tuple[str, str], str]:
    """For one metric, by pair of system types."""
    found: dict[tuple[str, str], str] = {}
    for each in contrasts:
        if each.without:
            found[each.kinds] += f" Without {listed(list(each.without))}: {_in_words(each, significance)}"
            continue
        found[each.kinds] = _in_words(each, significance)
        left_out = _of_kinds(outliers, kinds, each.kinds)
        gone = [kind for kind in each.kinds if set(kinds.members[kind]) <= set(left_out)]
        if gone:
            found[each.kinds] += f" Without {listed(list(left_out))}, no {gone[0]} system is left."
    return found


def _of_kinds(systems: Sequence[str], kinds: Kinds, both: tuple[str, str]) -> tuple[str, ...]:
    return tuple(name for name in systems if kinds[name] in both)


def _contrast(
    pairing: PairedScores,
    kinds: Kinds,
    both: tuple[str, str],
    spec: str,
    label: str,
    *,
    samples: int,
    seed: int,
    significance: float,
) -> KindContrast:
    human, metric = with_both(*(scores[np.newaxis] for scores in pairing.system_scores))
    number = {name: index for index, name in enumerate(pairing.systems)}
    members = [[number[name] for name in kinds.members[kind]] for kind in both]
    known = [[index for index in group if not np.isnan(human[0, index])] for group in members]
    within = [pair for kind in both for pair in kinds.between(kind, kind)]
    apart = _gap(*(metric[0, group] for group in known))
    shift, p = (
        _shift(human[0], metric[0], known, samples=samples, seed=seed, significance=significance)
        if apart is None
        else (None, None)  # it would be read off both lines beyond all systems of one kind
    )
    return KindContrast(
        metric=label,
        spec=spec,
        kinds=both,
        systems=(len(known[0]), len(known[1])),
        across=_agreed(human, metric, number, kinds.between(*both)),
        within=_agreed(human, metric, number, within),
        apart=apart,
        shift=shift,
        p_value=p,
    )


def _corrected(found: Sequence[KindContrast]) -> list[KindContrast]:
    tested = np.array([contrast.p_value for contrast in found if contrast.p_value is not None])
    adjusted = iter(corrected(tested, "holm").tolist())
    return [
        contrast if contrast.p_value is None else replace(contrast, corrected=next(adjusted))
        for contrast in found
    ]


def _gap(one: Floats, two: Floats) -> float | None:
    """Between the ranges of the scores; None if they overlap, or if there are none.

    >>> _gap(np.array([1.0, 2.0]), np.array([5.0, 4.5])), _gap(np.array([1.0, 3.0]), np.array([2.0]))
    (2.5, None)
    """
    if not one.size or not two.size:
        return None
    gap = float(max(one.min(), two.min()) - min(one.max(), two.max()))
    return gap if gap > 0 else None


def _agreed(
    human: Floats, metric: Floats, number: Mapping[str, int], pairs: Sequence[tuple[str, str]]
) -> PairAgreement:
    first, second = (np.array([number[pair[side]] for pair in pairs], dtype=np.intp) for side in (0, 1))
    known, alike = preferred_alike(human, metric, first, second)
    return PairAgreement(int(known.sum()), int((known & alike).sum()))


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
    much if the residuals of the metric are randomly permuted among the systems (Freedman & Lane 1983). How much it
    explains is a partial correlation: a test of c itself would reject too often with few systems.
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
    if len(chosen) < _FEWEST_SYSTEMS or not is_real(1 / ways, significance):
        return shift, None
    permuted: NDArray[np.intp] = np.random.default_rng(seed).permuted(
        np.tile(np.arange(len(chosen)), (samples, 1)), axis=1
    )
    away = scores - scores.mean()
    at_random = left[0][permuted]  # its mean is 0, as that of all residuals
    at_random = at_random - np.outer(at_random @ away / (away @ away), away)
    explained = [
        rest @ left[1] / np.maximum(np.linalg.norm(rest, axis=-1), 1e-300) for rest in (at_random, left[0])
    ]
    return shift, p_value(explained[0], float(explained[1]))


def _unexplained(values: Floats, metric: Floats) -> Floats:
    return np.asarray(values - regress(values, metric).line(metric))


def _in_words(contrast: KindContrast, significance: float) -> str:
    """Human scores of two system types, in words."""
    within = f" (within types: {contrast.within})" if contrast.within.pairs else ""
    agreed = f"Human scores agree with {contrast.metric} on {contrast.across} pairs across types{within}"
    return f"{agreed}{_shifted(contrast, significance)}."


def _shifted(contrast: KindContrast, significance: float) -> str:
    first, second = contrast.kinds
    if contrast.apart is not None:
        gap = f"{contrast.apart:.{digits_for(contrast.apart)}f}"
        return (
            f"; the {contrast.metric} scores of {first} and {second} do not overlap (gap: {gap}), so there are no "
            f"systems with the same {contrast.metric} to compare"
        )
    if contrast.shift is None:
        return ""
    higher, lower = contrast.kinds if contrast.shift >= 0 else contrast.kinds[::-1]
    size = abs(contrast.shift)
    said = (
        f"; at the same {contrast.metric}, human scores of {higher} are {size:.{digits_for(size)}f} higher than of "
        f"{lower}"
    )
    if contrast.corrected is None:
        return f"{said} (not tested: only {contrast.systems[0]} and {contrast.systems[1]} systems)"
    real = is_real(contrast.corrected, significance)
    verdict = f"{contrast.metric} underrates {higher}" if real else "not significant"
    return f"{said} ({verdict}, p = {contrast.corrected:.2g})"

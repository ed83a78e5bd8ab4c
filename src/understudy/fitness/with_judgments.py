"""Suitability of metrics for a comparison, by human scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from understudy.choices import SEED, SIGNIFICANCE
from understudy.corpus.system_kinds import Kinds
from understudy.fitness.findings import PAIRS_TOLD, Finding, Fitness
from understudy.fitness.type_ranks import SystemScores, placements
from understudy.fitness.without_judgments import and_more, different_kinds, few_references, few_segments
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.kind_contrasts import contrast_kinds, contrasts_in_words
from understudy.trusting.noticeable_difference import NoticeableDifference
from understudy.trusting.paired_scores import PairedScores
from understudy.wording import digits_for

# The share of pairs of systems on which people should agree with the metric, of those in `noticed`.
_NOTICED = 0.80


def fitness_with_people(
    pairings: Mapping[str, PairedScores],
    kinds: Kinds,
    *,
    specs: Mapping[str, str] | None = None,
    references: Mapping[str, int] | None = None,
    segments: int | None = None,
    noticed: Mapping[str, NoticeableDifference] | None = None,
    outliers: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
) -> Fitness:
    """Suitability of metrics by human scores. All metrics scored the same systems. By name of the metric, `specs` has
    the specs, `references` the minimum number of references per segment, and `noticed` the human agreement by metric
    difference, as far as they are known. `segments` is the number of segments with human scores. All pairs of systems
    count as compared. Types with `outliers` by human score are contrasted with and without them.
    """
    standings = [
        SystemScores(label, (specs or {}).get(label, label), pairing.systems, pairing.system_scores[1])
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
            outliers=outliers,
            samples=samples,
            seed=seed,
            significance=significance,
        )
    ]
    # The first metric is told in words; the contrasts are a table of all.
    first = [contrast for contrast in contrasts if contrast.metric == standings[0].label]
    people = contrasts_in_words(first, kinds, outliers, significance)
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


# --- small differences --------------------------------------------------------------------------------------


def unnoticed(standing: SystemScores, noticed: NoticeableDifference) -> list[Finding]:
    """System pairs with a smaller difference than needed for 80% human agreement; the smallest are listed."""
    threshold = next((each for each in noticed.thresholds if each.share == _NOTICED), None)
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
        never = (
            f"At no difference in these data do human scores agree with {label} on {_NOTICED:.0%} of pairs"
        )
        said = f"{never}. The {len(small):,} pairs differ by up to {small[-1][0]:.2f}: {told_pairs}."
    else:
        at = f"{threshold.difference:.{digits_for(threshold.difference)}f}"
        from_there = (
            f"Human scores agree with {label} on {_NOTICED:.0%} of pairs at differences of at least {at}"
        )
        said = f"{from_there}; {len(small):,} of {len(apart):,} pairs differ by less: {told_pairs}."
    pairs = tuple(pair for _, pair in small)
    return [Finding("small-difference", (standing.spec,), (standing.label,), (), pairs, said)]

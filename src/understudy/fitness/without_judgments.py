"""Suitability of metrics for a comparison, without human scores.

For findings from human scores see `understudy.fitness.with_judgments`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.comparing.results import MetricComparison, PairResult
from understudy.corpus.system_kinds import Kinds
from understudy.fitness.findings import PAIRS_TOLD, Finding, Fitness
from understudy.fitness.type_ranks import Placement, SystemScores, placements
from understudy.resampling.evidence import Evidence
from understudy.wording import digits_for, number_of

# On "a test corpus of about 500 sentences" the report's differences had t of 3.4 and more (Papineni et al. 2001,
# section 3): what it shows of BLEU's reliability it shows of that many.
_FEW_SEGMENTS = 500

# "Synonyms and paraphrases are only handled if they are in the set of multiple reference translations" (Callison-Burch
# et al. 2006, section 3.3).
_FEW_REFERENCES = 2

# "improvements that occur infrequently within a test corpus" (Callison-Burch et al. 2006, section 6) is no number. Here
# it is one segment in twenty; or fewer than the 30 from which on a mean is usually taken to be about normal, if that is
# not most of the segments.
_RARE_SHARE = 0.05
_RARE_SEGMENTS = 30

Pairs = Sequence[tuple[str, str]]


class MetricName(Protocol):
    """A metric by its spec and its label."""

    @property
    def spec(self) -> str: ...
    @property
    def label(self) -> str: ...


def fitness(
    metrics: Sequence[MetricComparison],
    evidence: Sequence[Evidence],
    references: Sequence[tuple[int, int]],
    kinds: Kinds,
    by_reference: Sequence[Floats | None] = (),
) -> Fitness:
    """Suitability of metrics for a comparison, in the order of their evidence: each with the minimum and maximum number
    of references per segment, and with the scores by each reference alone, if known.
    """
    alone = by_reference or [None] * len(metrics)
    standings = [
        SystemScores(found.label, found.spec, each.systems, each.worth(each.scores), worths)
        for found, each, worths in zip(metrics, evidence, alone, strict=True)
        if each.metric is None or each.metric.reads_references
    ]
    pairs = [(pair.first, pair.second) for pair in metrics[0].pairs]
    # Metrics that read no references say 0. Of scores of other tools it is not known.
    read = min((fewest for fewest, most in references if most), default=None)
    findings = [
        *different_kinds(standings, kinds, pairs),
        *few_references([standing for standing in standings if read is not None], read, kinds, pairs),
        *few_segments(metrics, evidence[0].segments, pairs, _shown_from(metrics)),
        *(found for metric in metrics for found in _small_differences(metric)),
        *(
            found
            for metric, each in zip(metrics, evidence, strict=True)
            for found in _rare_phenomena(metric, each)
        ),
    ]
    placed = [placement for standing in standings for placement in placements(standing, kinds)]
    return Fitness(kinds, placed, findings)


# --- kinds --------------------------------------------------------------------------------------------------


def different_kinds(
    standings: Sequence[SystemScores],
    kinds: Kinds,
    pairs: Pairs,
    people: Mapping[tuple[str, str], str] | None = None,
) -> list[Finding]:
    """For every pair of system types with compared systems: their ranks by each metric and with each reference alone.
    Agreement of metrics does not prove suitability: they may share a bias. `people` are the findings from human scores.
    """
    found = []
    for both in kinds.pairs if standings else ():
        compared = tuple(pair for pair in pairs if kinds.apart(*pair) == both)
        if compared:
            found.append(
                Finding(
                    "different-kinds",
                    tuple(standing.spec for standing in standings),
                    tuple(standing.label for standing in standings),
                    both,
                    compared,
                    " ".join(
                        [
                            *_placed(standings, kinds, both),
                            *_by_each_reference(standings[0], kinds, both),
                            *([people[both]] if people and both in people else []),
                        ]
                    ),
                )
            )
    return found


def _placed(standings: Sequence[SystemScores], kinds: Kinds, both: tuple[str, str]) -> list[str]:
    """The ranks by the first metric in full, then those by the other metrics."""
    placed = [[_of_kind(standing, kinds, kind) for kind in both] for standing in standings]
    one, two = placed[0]
    said = [f"{one.metric} ranks {_in_words(one)} of {one.ranked} and {_in_words(two)}."]
    if len(standings) > 1:
        ranges = [_range([of_metric[side].mean_rank for of_metric in placed[1:]]) for side in (0, 1)]
        others = standings[1].label if len(standings) == 2 else f"{len(standings) - 1} other metrics"
        across, within = kinds.between(*both), _within(kinds, both)
        agreed = [sum(_all_agree(standings, pair) for pair in some) for some in (across, within)]
        inside = f" and {agreed[1]} of {len(within)} within types" if within else ""
        said += [
            f"By {others}, their mean ranks are {ranges[0]} and {ranges[1]}.",
            f"All metrics agree on the order of {agreed[0]} of {_counted(across)} across types{inside}.",
        ]
    return said


def _by_each_reference(standing: SystemScores, kinds: Kinds, both: tuple[str, str]) -> list[str]:
    if standing.by_reference is None:
        return []
    one, two = (_range(_of_kind(standing, kinds, kind).by_reference) for kind in both)
    turned = [
        f"{sum(standing.changed(worths, some) for worths in standing.by_reference):,} of "
        f"{len(standing.by_reference) * len(some):,} pairs {where} types"
        for some, where in ((kinds.between(*both), "across"), (_within(kinds, both), "within"))
        if some
    ]
    alone = f"With each of the {len(standing.by_reference)} references alone,"
    moved = f"their mean ranks by {standing.label} are {one} and {two}"
    return [f"{alone} {moved}; this reverses {' and '.join(turned)}."]


def _of_kind(standing: SystemScores, kinds: Kinds, kind: str) -> Placement:
    return next(placement for placement in placements(standing, kinds) if placement.kind == kind)


def _in_words(placement: Placement) -> str:
    if len(placement.systems) == 1:
        return f"{placement.kind} ({placement.best}) at rank {placement.best_rank:g}"
    best = f"best: {placement.best}, {placement.best_rank:g}"
    return (
        f"{placement.kind} ({number_of(len(placement.systems), 'system')}; {best}) at mean rank "
        f"{placement.mean_rank:.1f}"
    )


def _all_agree(standings: Sequence[SystemScores], pair: tuple[str, str]) -> bool:
    return not any(standings[0].changed(other.worths, [pair]) for other in standings[1:])


def _within(kinds: Kinds, both: tuple[str, str]) -> list[tuple[str, str]]:
    return [pair for kind in both for pair in kinds.between(kind, kind)]


def _range(values: Sequence[float]) -> str:
    low, high = (f"{value:.1f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def few_references(
    standings: Sequence[SystemScores], references: int | None, kinds: Kinds, pairs: Pairs
) -> list[Finding]:
    """System types compared with too few references."""
    compared = tuple(pair for pair in pairs if kinds.apart(*pair))
    if references is None or references >= _FEW_REFERENCES or not compared or not standings:
        return []
    shown = "1 reference" if references == 1 else f"{references} references"
    return [
        Finding(
            "few-references",
            tuple(standing.spec for standing in standings),
            tuple(standing.label for standing in standings),
            (),
            compared,
            f"{_counted(compared).capitalize()} of systems of different types, and {shown} per segment.",
        )
    ]


# --- the test set -------------------------------------------------------------------------------------------


def few_segments(
    metrics: Sequence[MetricName], segments: int, pairs: Pairs, shown_from: Sequence[str] = ()
) -> list[Finding]:
    """Too few segments, with the minimum detectable differences if they are known."""
    if segments >= _FEW_SEGMENTS:
        return []
    said = f"{number_of(segments, 'segment')}."
    shown = f" Minimum detectable difference (80% power): {', '.join(shown_from)}." if shown_from else ""
    specs, labels = tuple(metric.spec for metric in metrics), tuple(metric.label for metric in metrics)
    return [Finding("few-segments", specs, labels, (), tuple(pairs), said + shown)]


def _shown_from(metrics: Sequence[MetricComparison]) -> list[str]:
    """By metric, the median of the minimum detectable differences."""
    found = []
    for metric in metrics:
        known = [pair.smallest_detectable for pair in metric.pairs if pair.smallest_detectable is not None]
        median = float(np.median(known)) if known else 0.0
        if median > 0:  # samples of one segment are all alike
            found.append(f"{median:.{digits_for(median)}f} {metric.quantity}")
    return found


def _small_differences(metric: MetricComparison) -> list[Finding]:
    """Differences that are not significant; the smallest are listed."""
    small = sorted(
        (pair for pair in metric.pairs if not pair.significant), key=lambda pair: abs(pair.difference)
    )
    if not small:
        return []
    told = [f"{pair.first} and {pair.second} differ by {_size(pair)}" for pair in small[:PAIRS_TOLD]]
    count = f"{len(small)} of {len(metric.pairs)} differences in {metric.quantity} are not significant"
    return [
        Finding(
            "small-difference",
            (metric.spec,),
            (metric.label,),
            (),
            tuple((pair.first, pair.second) for pair in small),
            f"{count}: {and_more(told, len(small))}.",
        )
    ]


def _size(pair: PairResult) -> str:
    """The difference, with the minimum detectable difference if it is known."""
    detectable = pair.smallest_detectable
    digits = digits_for(abs(pair.difference) if detectable is None else detectable)
    size = f"{abs(pair.difference):.{digits}f}"
    return size if detectable is None else f"{size} (minimum detectable difference {detectable:.{digits}f})"


def _rare_phenomena(metric: MetricComparison, evidence: Evidence) -> list[Finding]:
    """System pairs with different counts in few segments; the most similar are listed. Pairs without any difference are
    excluded.
    """
    number = {name: index for index, name in enumerate(evidence.systems)}
    limit = max(math.ceil(_RARE_SHARE * evidence.segments), _RARE_SEGMENTS)
    rare = []
    for pair in metric.pairs:
        a, b = number[pair.first], number[pair.second]
        differ = int((_of_system(evidence, a) != _of_system(evidence, b)).any(axis=1).sum())
        if 0 < differ < limit and 2 * differ < evidence.segments:
            rare.append((differ, (pair.first, pair.second)))
    if not rare:
        return []
    rare.sort(key=lambda found: found[0])
    told = [
        f"{first} and {second} in {differ:,} of {evidence.segments:,} segments ({differ / evidence.segments:.1%})"
        for differ, (first, second) in rare[:PAIRS_TOLD]
    ]
    return [
        Finding(
            "rare-phenomenon",
            (metric.spec,),
            (metric.label,),
            (),
            tuple(pair for _, pair in rare),
            f"{metric.label} differs between {and_more(told, len(rare))}.",
        )
    ]


def _of_system(evidence: Evidence, system: int) -> NDArray[Any]:
    """The counts of each segment [segments, K], averaged over training runs."""
    runs = evidence.runs_of(system)
    return evidence.counts[:, runs[0]] if len(runs) == 1 else evidence.counts[:, runs].mean(axis=1)


# ------------------------------------------------------------------------------------------------------------


def _counted(pairs: Pairs) -> str:
    return "1 pair" if len(pairs) == 1 else f"{len(pairs):,} pairs"


def and_more(told: Iterable[str], count: int) -> str:
    more = count - PAIRS_TOLD
    return "; ".join([*told, *([f"and {more:,} more"] if more > 0 else [])])

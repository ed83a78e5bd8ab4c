"""A telling example of each perturbation."""

from __future__ import annotations

import numpy as np

from understudy.arrays import untied
from understudy.probing.perturbations.applied import AppliedPerturbation
from understudy.probing.perturbations.results import PerturbedExample

_LONGEST = 160  # characters of an example, if there are such short ones


def telling_example(applied: AppliedPerturbation) -> PerturbedExample:
    """The changed text that the metrics react to least if it is an error, most if it is harmless; among texts of
    readable length, if there are any. If tied, the one with the most changes, then the first.
    """
    before = applied.original_scores[applied.segments]
    cost = untied(applied.original_worths[applied.segments], applied.worths)  # [texts, metrics]
    scale = np.abs(cost).mean(axis=0)
    relative = cost / np.where(scale > 0, scale, 1.0)  # so that no metric outweighs another
    unexpected = relative.mean(axis=1) if applied.facts.harmless else -np.abs(relative).mean(axis=1)
    hypotheses = applied.system.hypotheses
    readable = [
        max(len(text), len(hypotheses[segment])) <= _LONGEST
        for text, segment in zip(applied.texts, applied.segments.tolist(), strict=True)
    ]
    first = -np.arange(len(applied.texts))
    chosen = int(np.lexsort((first, applied.sizes, unexpected, np.array(readable)))[-1])
    segment = int(applied.segments[chosen])
    place = int(np.flatnonzero((applied.text_of == chosen).any(axis=1))[0])
    return PerturbedExample(
        applied.facts.name,
        applied.strengths[place],
        segment,
        hypotheses[segment],
        applied.texts[chosen],
        tuple(before[chosen].tolist()),
        tuple(applied.scores[chosen].tolist()),
    )

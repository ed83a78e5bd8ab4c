"""Which judges judge which parts of a campaign: everyone the same, or fixed shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

USUAL_JUDGMENTS = 2  # per item: the fewest that tell how well judges agree


def judges_of_parts(
    sizes: Sequence[int],
    judges: Sequence[int],
    per_item: int,
    rng: np.random.Generator,
    load: Sequence[int] | None = None,
) -> list[list[int]]:
    """For every part, such as a segment with all its outputs or a document, `per_item` of the judges. Judges get about
    equally much, and judge about equally much together with every other judge. `load` is what they have already.

    A judge gets a whole segment, never one system's output alone: then differences between systems can be taken within
    judge and segment, as in the BLEU report (section 4), and systems are balanced for every judge.

    >>> judges_of_parts([2, 2, 2], [0, 1, 2], 2, np.random.default_rng(1))
    [[0, 1], [0, 2], [1, 2]]
    """
    loads = np.array(load or [0] * len(judges), dtype=np.int64)
    together = np.zeros((len(judges), len(judges)), np.int64)
    found: list[list[int]] = [[] for _ in sizes]
    noise = rng.random(len(sizes))
    # The largest first: what comes last evens out the rest.
    for part in sorted(range(len(sizes)), key=lambda part: (-sizes[part], noise[part])):
        chosen: list[int] = []
        for _ in range(min(per_item, len(judges))):
            rest = np.setdiff1d(np.arange(len(judges)), chosen)
            rest = rest[loads[rest] == loads[rest].min()]
            shared = together[rest][:, chosen].sum(axis=1)
            rest = rest[shared == shared.min()]
            chosen.append(int(rng.choice(rest)))
        loads[chosen] += sizes[part]
        together[np.ix_(chosen, chosen)] += 1
        found[part] = sorted(judges[place] for place in chosen)
    return found

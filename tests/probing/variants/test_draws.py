"""Random choices are uniform."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import chisquare

from material.probed_texts import probed
from understudy.probing.tokens import TokenReader
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.permuted_blocks import permuted_blocks
from understudy.probing.variants.sources import sources_of


def p_value(counts: Counter[tuple[str, ...]], kinds: int) -> float:
    assert len(counts) == kinds
    return float(chisquare(list(counts.values())).pvalue)


def test_every_order_of_a_list_is_as_likely():
    draws = Draws(np.random.default_rng(1))
    counts: Counter[tuple[str, ...]] = Counter()
    for _ in range(2400):
        items = list("abcd")
        draws.shuffle(items)
        counts[tuple(items)] += 1
    assert p_value(counts, 24) > 0.01


def test_every_order_of_the_blocks_is_as_likely_also_of_repeated_ones():
    system = probed(["x y x"], [["a"]])
    (sources,) = sources_of(system, TokenReader(system))
    counts = Counter(
        tuple(phrase.text for phrase in next(permuted_blocks(sources, Draws(np.random.default_rng(seed)))))
        for seed in range(300)
    )
    assert p_value(counts, 3) > 0.01

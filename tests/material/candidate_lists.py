"""Candidates for tests of tuning: made-up statistics and features, and real translations with made-up features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import BLEU, CHRF, TER, Metric, NBest
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.objective import Objective

VOCABULARY = [f"w{number}" for number in range(40)]


def made_up_texts(
    random: np.random.Generator, segments: int, most: int
) -> tuple[list[list[str]], list[str], list[list[float]]]:
    """Candidates, references, and how much of each reference a candidate keeps."""
    references, candidates, kept = [], [], []
    for _ in range(segments):
        words = random.choice(VOCABULARY, int(random.integers(4, 15)))
        references.append(" ".join(words))
        shares = random.random(int(random.integers(1, most + 1)))
        candidates.append(
            [
                " ".join(
                    np.where(random.random(len(words)) < share, words, random.choice(VOCABULARY, len(words)))
                )
                for share in shares
            ]
        )
        kept.append(shares.tolist())
    return candidates, references, kept


def counted_candidates(
    lists: NBest, references: list[str], metrics: Sequence[Metric], weights: Sequence[float] = ()
) -> Candidates:
    """The candidates with the statistics of these metrics."""
    repeated = [text for text, count in zip(references, lists.counts, strict=True) for _ in range(count)]
    statistics = [metric.statistics(lists.texts, repeated) for metric in metrics]
    objective = Objective(
        tuple(metrics), tuple(weights) or (1.0,) * len(metrics), tuple(each[:0] for each in statistics)
    )
    return Candidates.of(objective, lists.offsets, lists.features, tuple(each.array for each in statistics))


def candidates_of_bleu(seed: int, segments: int, each: int, features: int) -> Candidates:
    """Statistics of BLEU with integer features, without texts: the same for the same seed with any numpy."""
    random = np.random.RandomState(seed)  # whose stream of numbers is frozen
    lengths = np.repeat(random.randint(6, 20, segments), each)
    totals = np.maximum(lengths[:, np.newaxis] - random.randint(0, 3, (len(lengths), 1)) - np.arange(4), 0)
    matches = totals.copy()
    quality = random.randint(30, 100, len(lengths))
    for order in range(4):
        share = totals[:, order] * (quality ** (order + 1)) // 100 ** (order + 1)
        matches[:, order] = np.minimum(share, matches[:, max(order - 1, 0)])
    counts = np.column_stack([totals[:, 0], lengths, matches, totals]).astype(np.int64)
    values = np.column_stack(
        [quality // (5 + 5 * number) + random.randint(-8, 9, len(lengths)) for number in range(features)]
    ).astype(np.float64)
    metric = BLEU(smooth="none")
    template = metric.statistics(["a"], ["a"])[:0]
    offsets = np.arange(segments + 1, dtype=np.int64) * each
    return Candidates.of(Objective((metric,), (1.0,), (template,)), offsets, values, (counts,))


METRICS = {
    "bleu": ((BLEU(),), ()),
    "ter": ((TER(),), ()),
    "chrf": ((CHRF(),), ()),
    "bleu and ter": ((BLEU(), TER()), (2.0, 0.5)),
}

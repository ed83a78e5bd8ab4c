"""Agreement between people and a metric, worked from the published definitions: slow, plain, and on purpose not how the
package does it. Scores are lists of lists [systems][segments] with None for what is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

Scores = Sequence[Sequence["float | None"]]
Pairs = list[tuple[float, float]]  # human, metric


def groups(human: Scores, metric: Scores, grouping: str) -> list[Pairs]:
    """The translations that have both scores, in groups."""
    systems, segments = range(len(human)), range(len(human[0]))
    cells = {
        "none": [[(i, s) for i in systems for s in segments]],
        "segment": [[(i, s) for i in systems] for s in segments],
        "system": [[(i, s) for s in segments] for i in systems],
    }[grouping]
    found = []
    for group in cells:
        both = [(human[i][s], metric[i][s]) for i, s in group]
        found.append([(h, m) for h, m in both if h is not None and m is not None])
    return found


def mean_over_groups(groups_of_pairs: list[Pairs], coefficient: Callable[[Pairs], float]) -> float:
    values = [coefficient(pairs) for pairs in groups_of_pairs]
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def pearson(pairs: Pairs) -> float:
    if len(pairs) < 2 or len({h for h, _ in pairs}) < 2 or len({m for _, m in pairs}) < 2:
        return math.nan
    h_mean, m_mean = (math.fsum(column) / len(pairs) for column in zip(*pairs, strict=True))
    products = math.fsum((h - h_mean) * (m - m_mean) for h, m in pairs)
    h_squares = math.fsum((h - h_mean) ** 2 for h, _ in pairs)
    m_squares = math.fsum((m - m_mean) ** 2 for _, m in pairs)
    return products / math.sqrt(h_squares) / math.sqrt(m_squares)


def spearman(pairs: Pairs) -> float:
    def ranks(values: Sequence[float]) -> list[float]:
        return [sum(u < v for u in values) + (sum(u == v for u in values) + 1) / 2 for v in values]

    if not pairs:
        return math.nan
    return pearson(list(zip(*(ranks(column) for column in zip(*pairs, strict=True)), strict=True)))


def kinds_of_pairs(pairs: Pairs, threshold: float = 0.0) -> tuple[int, int, int, int, int]:
    """Concordant, discordant, tied by people only, by the metric only, by both (Deutsch et al. 2023, table 1)."""
    concordant = discordant = human = metric = both = 0
    for (h1, m1), (h2, m2) in itertools.combinations(pairs, 2):
        tied_by_metric = abs(m1 - m2) <= threshold
        if h1 == h2 and tied_by_metric:
            both += 1
        elif h1 == h2:
            human += 1
        elif tied_by_metric:
            metric += 1
        elif (h1 < h2) == (m1 < m2):
            concordant += 1
        else:
            discordant += 1
    return concordant, discordant, human, metric, both


def tau_b(pairs: Pairs) -> float:
    concordant, discordant, human, metric, _ = kinds_of_pairs(pairs)
    left = (concordant + discordant + human) * (concordant + discordant + metric)
    return (concordant - discordant) / math.sqrt(left) if left else math.nan


def tau_c(pairs: Pairs) -> float:
    concordant, discordant, *_ = kinds_of_pairs(pairs)
    fewest = min(len({h for h, _ in pairs}), len({m for _, m in pairs}))
    if fewest < 2:
        return math.nan
    return 2 * (concordant - discordant) / (len(pairs) ** 2 * (fewest - 1) / fewest)


def kendall_like(human: Scores, metric: Scores, variant: str, at_least: float = 0.0) -> float:
    """Macháček & Bojar 2014, section 3.2: the coefficients of their table for every outcome of two comparisons."""
    numerator = denominator = 0.0
    for pairs in groups(human, metric, "segment"):
        for (h1, m1), (h2, m2) in itertools.combinations(pairs, 2):
            if h1 == h2 or abs(h1 - h2) < at_least:
                continue
            if m1 == m2:
                numerator += {"wmt12": -1, "wmt13": 0, "wmt14": 0}[variant]
                denominator += {"wmt12": 1, "wmt13": 0, "wmt14": 1}[variant]
            else:
                numerator += 1 if (h1 < h2) == (m1 < m2) else -1
                denominator += 1
    return numerator / denominator if denominator else math.nan


def acc_eq(groups_of_pairs: list[Pairs], threshold: float) -> float:
    def accuracy(pairs: Pairs) -> float:
        kinds = kinds_of_pairs(pairs, threshold)
        return (kinds[0] + kinds[4]) / sum(kinds) if sum(kinds) else math.nan

    return mean_over_groups(groups_of_pairs, accuracy)


def best_ties(groups_of_pairs: list[Pairs]) -> tuple[float, float]:
    """The accuracy and the threshold: every difference that occurs is tried, and 0 (Deutsch et al. 2023, section 5)."""
    differences = {
        abs(m1 - m2) for pairs in groups_of_pairs for (_, m1), (_, m2) in itertools.combinations(pairs, 2)
    }
    best = (math.nan, math.nan)
    for threshold in sorted(differences | {0.0}):
        accuracy = acc_eq(groups_of_pairs, threshold)
        if math.isnan(best[0]) or accuracy > best[0] + 1e-12:
            best = (accuracy, threshold)
    return best if not math.isnan(best[0]) else (math.nan, math.nan)


def difference_pearson(human: Scores, metric: Scores) -> float:
    """Over all ordered pairs of translations of a segment."""
    differences = [
        (one[0] - other[0], one[1] - other[1])
        for pairs in groups(human, metric, "segment")
        for one, other in itertools.permutations(pairs, 2)
    ]
    return pearson(differences)


def pairwise_accuracy(pairs: Pairs) -> float:
    """Kocmi et al. 2021, equation 1; ties as np.sign compares them in mt-metrics-eval."""
    right = total = 0
    for (h1, m1), (h2, m2) in itertools.combinations(pairs, 2):
        total += 1
        right += (h1 > h2) - (h1 < h2) == (m1 > m2) - (m1 < m2)
    return right / total if total else math.nan


def soft_pairwise_accuracy(human: Scores, metric: Scores) -> float:
    """Thompson et al. 2024, equation 3, with all exchanges there are; those that change nothing count half."""
    differences = []
    for i, j in itertools.combinations(range(len(human)), 2):
        shared = [
            s
            for s in range(len(human[0]))
            if None not in (human[i][s], human[j][s], metric[i][s], metric[j][s])
        ]
        if shared:
            rows = [[scores[i][s] - scores[j][s] for s in shared] for scores in (human, metric)]
            differences.append((sign_flip_p_value(rows[0]), sign_flip_p_value(rows[1]), *map(any, rows)))
    if not any(row[2] for row in differences) or not any(row[3] for row in differences):
        return math.nan  # all systems have the same scores
    return 1 - sum(abs(row[0] - row[1]) for row in differences) / len(differences)


def sign_flip_p_value(differences: Sequence[float]) -> float:
    """The share of all signs with which the sum is larger than it is, and half of that with which it is the same."""
    seen, rounding = math.fsum(differences), 1e-9 * sum(map(abs, differences))
    reached = 0.0
    for signs in itertools.product((1, -1), repeat=len(differences)):
        change = math.fsum(sign * d for sign, d in zip(signs, differences, strict=True)) - seen
        reached += 0.5 if abs(change) <= rounding else float(change > 0)
    return reached / 2 ** len(differences)

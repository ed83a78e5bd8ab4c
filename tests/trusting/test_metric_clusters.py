"""Clusters of metrics by both rules: beside the definitions, and as `trust` tells of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from understudy import UnderstudyError, trust
from understudy.report.agreements import render
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_tests.clusters import adjusted_by, clusters_by, p_values_by
from understudy.trusting.metric_tests.metric_ranking import null_differences, rank_metrics
from understudy.trusting.paired_scores import PairedScores

SYSTEM_R = CoefficientSpec("pearson", "system")


def ranks_of_the_metrics_tasks(matrix, level):
    """The rule of mt-metrics-eval (AssignRanks of data.py) in other words: p-values of the row being better than the
    column, metrics from best to worst; a metric that any before it in its rank beats opens the next rank.
    """
    ranks: list[int] = []
    members: list[int] = []
    for metric in range(len(matrix)):
        if any(matrix[member][metric] <= level for member in members):
            members = []
        ranks.append(ranks[-1] + (not members) if ranks else 1)
        members.append(metric)
    return ranks


def test_the_definition_as_mt_metrics_eval_tests_its_own():
    """The three cases of testAssignRanks in its data_test.py."""
    upper = [[0, 0.6, 0.6, 0.6], [0, 0, 0.6, 0.6], [0, 0, 0, 0.6], [0, 0, 0, 0]]
    assert ranks_of_the_metrics_tasks(upper, 0.5) == [1, 1, 1, 1]
    assert ranks_of_the_metrics_tasks(upper, 1.0) == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(20))
def test_clusters_of_the_metrics_tasks(seed):
    generator = np.random.default_rng(seed)
    count = int(generator.integers(2, 9))
    names = [f"m{number}" for number in range(count)]
    values = generator.permutation(count).astype(float)
    pairs = list(combinations(range(count), 2))
    p_values = generator.choice(np.array([0.001, 0.05, 0.0501, 0.8]), len(pairs))
    order = np.argsort(-values).tolist()
    of_pair = {frozenset(pair): p for pair, p in zip(pairs, p_values, strict=True)}
    matrix = [[of_pair.get(frozenset((row, column)), 1.0) for column in order] for row in order]
    ranks = ranks_of_the_metrics_tasks(matrix, 0.05)
    expected = [
        [names[order[place]] for place in range(count) if ranks[place] == rank]
        for rank in range(1, ranks[-1] + 1)
    ]
    assert clusters_by("wmt", names, values, pairs, p_values) == expected


def test_a_metric_beats_some_of_the_next_cluster_or_all_of_it():
    """a beats c alone: enough for a cluster of the metrics tasks, not for a strict one."""
    pairs, values = [(0, 1), (0, 2), (1, 2)], np.array([0.9, 0.8, 0.7])
    p_values = np.array([0.3, 0.01, 0.3])
    assert clusters_by("wmt", "abc", values, pairs, p_values) == [["a", "b"], ["c"]]
    assert clusters_by("strict", "abc", values, pairs, p_values) == [["a", "b", "c"]]


def test_p_values_of_the_rules():
    """Of 19 differences under the null hypothesis, 1 is as far ahead as what was seen, and 2 as far behind."""
    null = np.array([[0.5, -0.5, -0.6, *np.zeros(16)]])
    for sign, ahead in ((1, 1), (-1, 2)):
        assert p_values_by("wmt", np.array([sign * 0.5]), null)[0] == (ahead + 1) / 20
        assert p_values_by("strict", np.array([sign * 0.5]), null)[0] == (3 + 1) / 20
    raw = np.array([0.01, np.nan, 0.02])
    assert np.array_equal(adjusted_by("wmt", raw), raw, equal_nan=True)
    assert np.array_equal(adjusted_by("strict", raw), [0.02, np.nan, 0.02], equal_nan=True)


def three_metrics():
    generator = np.random.default_rng(5)
    human = generator.normal(np.arange(8)[:, np.newaxis] / 4, 1, (8, 60))
    return {
        f"m{noise}": PairedScores(tuple("abcdefgh"), human, human + generator.normal(0, noise, human.shape))
        for noise in (1, 2, 9)
    }


@pytest.mark.parametrize("test", ["perm-both", "bootstrap", "williams"])
def test_one_sided_and_uncorrected_or_two_sided_and_corrected(test):
    metrics = three_metrics()
    strict, wmt = (
        rank_metrics(metrics, SYSTEM_R, test=test, samples=400, rule=rule) for rule in ("strict", "wmt")
    )
    assert (strict.rule, wmt.rule) == ("strict", "wmt")
    for two_sided, one_sided in zip(strict.pairs, wmt.pairs, strict=True):
        assert one_sided.corrected == one_sided.p_value
        assert abs(one_sided.p_value - two_sided.p_value / 2) < 0.1  # the bootstrap's samples are skewed
        assert two_sided.corrected >= two_sided.p_value


def test_p_values_are_of_the_differences_that_are_given_away():
    """What an average over several sets is made of."""
    metrics = three_metrics()
    values, differences = null_differences(metrics, SYSTEM_R, test="perm-both", samples=99, seed=3)
    seen = np.array([values[a] - values[b] for a, b in combinations(range(3), 2)])
    found = rank_metrics(metrics, SYSTEM_R, test="perm-both", samples=99, seed=3)
    assert p_values_by("strict", seen, differences).tolist() == [pair.p_value for pair in found.pairs]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("strict", ["Holm-corrected p-values", "Clusters (strict)"]),
        ("wmt", ["one-sided, uncorrected p-values", "as in the WMT metrics tasks"]),
    ],
)
def test_the_table_says_which_rule_it_follows(rule, said):
    found = trust(
        "examples/judgments.tsv",
        ["examples/system-weak.en", "examples/system-medium.en", "examples/system-strong.en"],
        ["examples/reference-1.en"],
        ["bleu", "chrf"],
        measure="adequacy",
        level="system",
        samples=50,
        clusters=rule,
    )
    text = render(found)
    assert all(words in text for words in said)
    assert f'"rule": "{rule}"' in render(found, "json")


def test_another_rule_is_refused():
    with pytest.raises(UnderstudyError, match="clusters 'loose': expected strict or wmt"):
        clusters_by("loose", "ab", np.array([1.0, 2.0]), [(0, 1)], np.array([0.5]))

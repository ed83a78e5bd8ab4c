"""The law of verdicts: who is called better is better by the very statistic that the p-value is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compare_simulations import SimulatedSets, judged
from numpy.typing import NDArray
from scipy import stats

from material.wmt import DATA
from understudy import BLEU, UnderstudyError
from understudy.choices import COMPARE_TESTS
from understudy.comparing.plan import Plan
from understudy.comparing.results import by_the_reports_rule, in_words
from understudy.comparing.run import compare, compare_evidence, compare_scores
from understudy.report.comparisons import render
from understudy.resampling.evidence import Evidence

ZH_EN = DATA / "wmt23.zh-en"


def scores_of(**systems: Sequence[float] | NDArray[np.float64]):
    return {"m": {name: np.array(column) for name, column in systems.items()}}


@pytest.mark.parametrize("test", COMPARE_TESTS)
def test_the_better_system_is_better_by_what_was_tested(test: str) -> None:
    """Systems of long and of short good segments: corpus scores and means of segments disagree in a third of them."""
    plan = Plan(
        test=test, samples=99 if test in ("bootstrap", "randomization", "multeval", "permutation") else None
    )
    runs = 2 if test == "multeval" else 1
    found = 0
    for evidence in SimulatedSets(120, systems=2, runs=runs, gains=(0.0, 3.0)).drawn(25, seed=4):
        metric = judged(evidence, plan)
        (pair,) = metric.pairs
        shown = {system.name: system.score for system in metric.systems}
        if test == "wilcoxon":
            assert (pair.interval.low <= 0 <= pair.interval.high) or pair.p_value < 0.06
        else:
            assert pair.difference == pytest.approx(shown[pair.first] - shown[pair.second], abs=1e-9)
        assert pair.interval.low <= pair.difference <= pair.interval.high
        if pair.better is not None:
            found += 1
            assert shown[pair.better] > shown[pair.worse]
            assert metric.clusters == [[pair.better], [pair.worse]]
        else:
            assert metric.clusters is not None
            assert len(metric.clusters) == 1
    assert found >= 5


@pytest.mark.skipif(not ZH_EN.exists(), reason="needs ../shared/data/wmt23.zh-en")
@pytest.mark.parametrize("test", ["ttest", "permutation", "bootstrap", "randomization"])
def test_corpus_scores_and_means_that_disagree_are_kept_apart(test: str) -> None:
    """ONLINE-G and ZengHuiMT: corpus BLEU 26.58 and 26.97, mean segment BLEU 24.26 and 23.52 (t-test: p = .029)."""
    files = {name: ZH_EN / "systems" / f"{name}.txt.gz" for name in ("ZengHuiMT", "ONLINE-G")}
    found = compare(files, [ZH_EN / "refA.txt"], test=test, samples=None if test == "ttest" else 2000)
    metric = found.metrics[0]
    (pair,) = metric.pairs
    zenghui, online = metric.systems
    if test in ("ttest", "permutation"):
        assert (round(zenghui.score, 2), round(online.score, 2)) == (23.52, 24.26)
        assert (round(zenghui.corpus_score, 2), round(online.corpus_score, 2)) == (26.97, 26.58)
        assert pair.better == "ONLINE-G"
        assert pair.difference > 0
        shown = render(found)
        assert "ONLINE-G is better than ZengHuiMT by 0.74 mean segment BLEU" in shown
        assert "Corpus BLEU favors ZengHuiMT over ONLINE-G: 26.97 vs. 26.58." in shown
        assert "|agg:mean|" in metric.signature
    else:
        assert (round(zenghui.score, 2), round(online.score, 2)) == (26.97, 26.58)
        assert pair.better is None
        assert zenghui.corpus_score is None


def test_ranks_and_means_that_disagree_give_no_verdict() -> None:
    """Nearly all segments are a little better, a few are a lot worse: the test is for b, the mean for a."""
    difference = np.concatenate([np.linspace(0.5, 1.0, 57), [-30.0, -31.0, -32.0]])
    assert stats.wilcoxon(difference).pvalue < 0.001
    assert difference.mean() < 0
    found = compare_scores(scores_of(a=[0.0] * 60, b=list(difference)), test="wilcoxon")
    (pair,) = found.pairs
    assert pair.corrected < 0.001
    assert pair.contradicted
    assert not pair.significant
    assert pair.better is None
    assert found.metrics[0].clusters == [["a", "b"]]
    assert pair.difference > 0
    assert pair.interval.low > 0
    said = in_words(pair, found.metrics[0])
    assert said.startswith("No verdict on b and a: b leads by 0.74 pseudo-median m (95% CI 0.6")
    assert said.endswith("but a has the better mean segment score.")
    assert said in render(found)


def test_segment_tests_and_corpus_level_exclude_each_other() -> None:
    for test in ("ttest", "wilcoxon", "permutation"):
        assert Plan(test=test).level == "mean"
        with pytest.raises(UnderstudyError, match="compares segment scores, not corpus scores"):
            Plan(test=test, level="corpus")
    for test in ("bootstrap", "randomization", "blocks", "multeval", "auto"):
        assert Plan(test=test).level == "corpus"
        assert Plan(test=test, level="mean").level == "mean"


# --- directions ---------------------------------------------------------------------------------------------


def test_what_is_neither_better_nor_worse_is_not_ranked() -> None:
    examples = Path(__file__).parents[2] / "examples"
    files = {name: examples / f"system-{name}.en" for name in ("strong", "weak", "medium")}
    found = compare(files, [examples / "reference-1.en"], ["length-ratio"], all_pairs=True, samples=200)
    metric = found.metrics[0]
    assert metric.clusters is None
    assert any(pair.significant for pair in metric.pairs)
    assert all(pair.better is None for pair in metric.pairs)
    shown = render(found)
    assert "is better than" not in shown
    assert "weak and strong differ significantly: strong is higher by" in shown
    assert "length ratio does not measure quality; systems are not ranked by it." in shown


# --- several training runs ----------------------------------------------------------------------------------


def test_runs_are_a_sample_too() -> None:
    """The means of runs differ by less than the runs of one system do."""
    generator = np.random.default_rng(1)
    common = generator.normal(30, 10, 200)
    runs = [(name, common + shift) for name, shift in (("a", 0.0), ("a", 6.0), ("b", 4.0), ("b", 11.0))]
    (metric,) = compare_evidence([Evidence.of_scores(runs)], Plan(test="ttest").for_segments(200, runs=True))
    (pair,) = metric.pairs
    assert pair.difference == pytest.approx(4.5)
    assert pair.run_share == pytest.approx(1.0)
    # With runs alone to vary it is Welch's t-test of the runs.
    expected = stats.ttest_ind([4.0, 11.0], [0.0, 6.0], equal_var=False)
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    interval = expected.confidence_interval(0.95)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((interval.low, interval.high), rel=1e-6)


def test_runs_that_do_not_differ_leave_the_plain_test() -> None:
    evidence = next(SimulatedSets(200, gains=(0.0, 1.0)).drawn(1, seed=1))
    a, b = evidence.segment_scores
    plain = judged(evidence, Plan(test="ttest")).pairs[0]
    copies = Evidence.of_scores([("a", a), ("a", a), ("b", b), ("b", b)], BLEU())
    (metric,) = compare_evidence([copies], Plan(test="ttest").for_segments(200, runs=True))
    assert metric.pairs[0].p_value == pytest.approx(plain.p_value, rel=1e-9)
    assert metric.pairs[0].run_share == 0
    same = Evidence.of_scores([("a", a), ("a", a), ("b", a), ("b", a)], BLEU())
    (metric,) = compare_evidence([same], Plan(test="ttest").for_segments(200, runs=True))
    assert (metric.pairs[0].p_value, metric.pairs[0].run_share) == (1, None)


def test_the_source_of_variance_is_named() -> None:
    for deviation, larger in ((8.0, "training runs"), (0.0, "segments")):
        evidence = next(SimulatedSets(100, runs=3, run_deviation=deviation).drawn(1, seed=2))
        metric = judged(evidence, Plan())
        from understudy.report.comparisons import run_sentences

        assert f"{larger} dominate." in run_sentences(metric)[-1]


def test_a_single_run_is_taken_to_vary_as_much_as_its_rivals() -> None:
    evidence = next(SimulatedSets(100, runs=3, run_deviation=4.0).drawn(1, seed=3))
    single = Evidence.of_scores(
        [(("a", "a", "a", "b")[run], evidence.run_segment_scores[run]) for run in range(4)], BLEU()
    )
    (metric,) = compare_evidence([single], Plan(test="ttest").for_segments(100, runs=True))
    assert metric.pairs[0].run_share > 0.5
    assert metric.systems[1].run_deviation is None


@pytest.mark.parametrize("test", ["randomization", "permutation", "wilcoxon"])
def test_tests_that_know_nothing_of_runs_are_refused(test: str) -> None:
    with pytest.raises(UnderstudyError, match=f"test '{test}' cannot account for several training runs"):
        Plan(test=test).for_segments(500, runs=True)
    with pytest.raises(UnderstudyError, match="permutes training runs, but each system has one run"):
        Plan(test="multeval").for_segments(500)


# --- the BLEU report's rule ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (3, "t ≥ 2.92 for 3 blocks)"),
        (20, "t ≥ 1.73 for 20 blocks, 1.7 in the report)"),
        (60, "t ≥ 1.67 for 60 blocks)"),
    ],
)
def test_the_reports_rule_has_the_bound_of_its_blocks(blocks: int, said: str) -> None:
    evidence = next(SimulatedSets(120, gains=(0.0, 9.0)).drawn(1, seed=1))
    metric = judged(evidence, Plan(test="blocks", blocks=blocks))
    rule = by_the_reports_rule(metric)
    assert said in rule
    assert "1 of 1 difference is significant: system 2 over system 1 (t = " in rule
    turned = Evidence.of_scores(
        [(name, row) for name, row in zip(("b", "a"), evidence.segment_scores[::-1], strict=True)], BLEU()
    )
    worse = judged(turned, Plan(test="blocks", blocks=blocks, level="mean"))
    assert worse.pairs[0].t_statistic < -2
    assert "significant: b over a (t = " in by_the_reports_rule(worse)  # whatever the order of the arguments


# --- few segments, few samples ------------------------------------------------------------------------------


def test_few_segments_are_tested_by_randomization() -> None:
    assert Plan().for_segments(99).test == "randomization"
    assert Plan().for_segments(100).test == "bootstrap"
    assert Plan().for_segments(99, runs=True).test == "bootstrap"
    assert Plan(test="bootstrap").for_segments(40).test == "bootstrap"
    assert Plan().for_segments(99).cautions(1, 99) == [
        "Fewer than 100 segments: approximate randomization is used, because the paired bootstrap rejects too many "
        "true null hypotheses."
    ]
    assert Plan(test="bootstrap").cautions(1, 40) == [
        "Only 40 segments: below 100 the paired bootstrap rejects too many true null hypotheses (8% instead of 5% on "
        "20 segments). Use --test randomization."
    ]
    assert Plan(test="bootstrap").cautions(1, 100) == []


def test_p_values_at_the_floor_are_bounds() -> None:
    common = np.arange(40.0)
    found = compare_scores(scores_of(a=list(common), b=list(common + 1)), test="bootstrap", samples=99)
    (pair,) = found.pairs
    assert pair.p_is_bound
    assert "p ≤ 0.01)" in render(found)
    undecided = compare_scores(scores_of(a=[1.0, 2.0, 3.0, 4.0], b=[2.0, 1.0, 4.0, 3.0]), samples=99)
    assert not undecided.pairs[0].p_is_bound
    assert "p = " in render(undecided)
    assert "p ≤" not in render(undecided)
    exact = compare_scores(scores_of(a=list(common), b=list(common + 1)), test="ttest")
    assert not exact.pairs[0].p_is_bound


def test_many_pairs_take_samples_enough_and_no_more() -> None:
    assert Plan(test="bootstrap").drawn(45) == 3600
    assert Plan(test="bootstrap").drawn(190) == 10_000
    assert Plan(test="bootstrap").drawn(4950) == 99_000
    assert Plan(test="bootstrap").drawn(4950, runs=True) == 1000
    for pairs in (1, 45, 190, 4950):
        assert Plan(test="bootstrap").cautions(pairs, 1000) == []


@pytest.mark.parametrize("test", ["randomization", "permutation", "wilcoxon"])
def test_segments_too_few_for_any_p_value_are_named(test: str) -> None:
    plan = Plan(test=test)
    assert plan.smallest_p(5) == 2 / 2**5
    said = "With 5 segments and 1 pair, no difference can be significant at 0.05 by this test."
    assert said in plan.cautions(1, 5)
    assert said not in Plan(test="bootstrap").cautions(1, 5)
    assert not any("no difference" in caution for caution in plan.cautions(1, 6))
    assert any("6 pairs, no difference" in caution for caution in plan.cautions(6, 6))
    scores = scores_of(a=[1.0, 2.0, 3.0, 4.0, 5.0], b=[2.0, 4.0, 5.0, 9.0, 7.0])
    assert compare_scores(scores, test=test).pairs[0].smallest_detectable is None


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "permutation", "ttest", "wilcoxon"])
def test_p_values_do_not_depend_on_the_scale_of_scores(test: str) -> None:
    """Nor on a large number that all have in common."""
    generator = np.random.default_rng(3)
    a, b = generator.normal(0, 1, 30).round(3), generator.normal(0.8, 1, 30).round(3)
    plain = compare_scores(scores_of(a=a, b=b), test=test).pairs[0].p_value
    assert 0.001 < plain < 0.2
    for factor in (1e-12, 1e12):
        scaled = compare_scores(scores_of(a=a * factor, b=b * factor), test=test).pairs[0].p_value
        assert scaled == pytest.approx(plain, rel=0.02)
    moved = compare_scores(scores_of(a=a * 8 + 2**26, b=b * 8 + 2**26), test=test).pairs[0].p_value
    assert moved == pytest.approx(plain, rel=0.05)


def test_scores_beyond_all_measure_are_refused() -> None:
    with pytest.raises(
        UnderstudyError, match=r"segment 2 has the score 1e\+300, expected a number of at most 1e\+100"
    ):
        compare_scores(scores_of(a=[1.0, 2.0], b=[2.0, 1e300]))


def test_who_is_ahead_is_named_where_nothing_is_significant() -> None:
    found = compare_scores(scores_of(a=[1.0, 5.0, 3.0, 4.0], b=[2.0, 1.0, 4.0, 3.0]), test="ttest")
    assert "b and a are not significantly different: a leads by 0.75 m (95% CI -" in str(found)
    lower = compare_scores(
        scores_of(a=[1.0, 5.0, 3.0, 4.0], b=[2.0, 1.0, 4.0, 3.0]), test="ttest", lower_is_better=["m"]
    )
    assert "b and a are not significantly different: b leads by 0.75 m (95% CI -" in str(lower)


def test_two_settings_of_a_metric_are_told_apart_in_sentences() -> None:
    systems = {"a": ["the cat sat on the mat"] * 8, "b": ["the dog sat on the mat"] * 8}
    found = str(compare(systems, ["the cat sat on the mat"] * 8, ["bleu", "bleu:max_order=2", "chrf"]))
    settings = [line.split(" (")[0].rpartition(" ")[2] for line in found.splitlines()]
    assert settings == ["bleu", "bleu:max_order=2", "chrF"]


def test_bounds_of_p_values_are_rounded_up() -> None:
    """105 pairs and 8,400 samples: 105 / 8401 = 0.012499."""
    from understudy.report.grid import shown_p

    assert shown_p(105 / 8401, bound=True) == "≤0.013"
    assert shown_p(0.012, bound=True) == "≤0.012"


def test_the_pseudo_median_is_the_median_of_the_means_of_pairs() -> None:
    from understudy.resampling.signed_ranks import pseudo_median

    generator = np.random.default_rng(5)
    for count in (7, 40, 41):
        differences = generator.normal(0.3, 1, count).round(2)
        means = [
            (x + y) / 2
            for i, x in enumerate(differences[differences != 0])
            for y in differences[differences != 0][i:]
        ]
        found, low, high = pseudo_median(differences, 0.95)
        assert found == pytest.approx(np.median(means), abs=1e-9)
        assert low <= found <= high
        assert (low > 0 or high < 0) <= (stats.wilcoxon(differences).pvalue < 0.06)
    assert pseudo_median(np.zeros(4), 0.95) == (0, 0, 0)


def test_one_run_against_several_is_no_surer_than_the_runs_allow() -> None:
    """The variance of three runs speaks for both systems: with 2 degrees of freedom, not 3.2."""
    common = np.random.default_rng(1).normal(30, 10, 200)
    runs = [(name, common + shift) for name, shift in (("a", 0.0), ("a", 2.0), ("a", 7.0), ("b", 9.0))]
    (metric,) = compare_evidence([Evidence.of_scores(runs)], Plan(test="ttest").for_segments(200, runs=True))
    error = np.std([0.0, 2.0, 7.0], ddof=1) * np.sqrt(1 / 3 + 1)
    assert metric.pairs[0].p_value == pytest.approx(2 * stats.t.sf(6 / error, 2), rel=1e-6)


def test_pairs_of_metrics_without_direction_are_in_a_matrix_too() -> None:
    examples = Path(__file__).parents[2] / "examples"
    files: dict[Any, Any] = {
        f"{name}{copy}": examples / f"system-{name}.en" for name in ("strong", "weak") for copy in (1, 2)
    }
    found = compare(files, [examples / "reference-1.en"], ["length-ratio"], all_pairs=True, samples=200)
    assert "difference" not in render(found).splitlines()[0]
    more = compare(
        {**files, "medium": examples / "system-medium.en"},
        [examples / "reference-1.en"],
        ["length-ratio"],
        all_pairs=True,
        samples=200,
    )
    assert "p-values of the system in the row against" in render(more, pairs=True)

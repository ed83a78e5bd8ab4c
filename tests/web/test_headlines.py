"""What the first screen of a report says: who is better, by how much, and how sure that is."""

from __future__ import annotations

from dataclasses import replace

from understudy.comparing.results import MetricComparison, PairResult, SystemResult, in_words
from understudy.metrics.base.score import Interval
from understudy.report.headlines import headline


def pair(first: str, second: str, difference: float, better: str | None, p: float = 0.0123) -> PairResult:
    return PairResult(
        metric="bleu",
        first=first,
        second=second,
        difference=difference,
        interval=Interval(difference - 1, difference + 1, 0.95),
        p_value=p,
        corrected=p,
        p_is_bound=False,
        significant=better is not None,
        better=better,
        effect_size=0.1,
        smallest_detectable=0.5,
    )


def compared(
    pairs: list[PairResult], clusters: list[list[str]] | None, higher_is_better: bool | None = True
) -> MetricComparison:
    names = list(dict.fromkeys(name for each in pairs for name in (each.first, each.second)))
    systems = [SystemResult(name, 0.0, Interval(0.0, 0.0, 0.95), (0.0,)) for name in names]
    return MetricComparison("BLEU", "bleu", higher_is_better, "", "corpus", systems, pairs, clusters)


def test_of_two_systems_it_says_all_there_is() -> None:
    only = pair("a", "b", 2.5, "a")
    found = compared([only], [["a"], ["b"]])
    assert headline(found) == in_words(only, found)


def test_the_lead_is_that_over_the_second() -> None:
    pairs = [pair("b", "a", -2.5, "a", 0.004), pair("c", "a", -9.0, "a"), pair("c", "b", -6.5, "b")]
    assert headline(compared(pairs, [["a"], ["b"], ["c"]])) == (
        "a ranks first by BLEU, 2.50 ahead of b (95% CI 1.50 to 3.50, p = 0.004). It is significantly better than both "
        "others."
    )


def test_the_first_cluster_is_named_where_the_first_is_not_alone() -> None:
    pairs = [pair("b", "a", -0.5, None, 0.4), pair("c", "a", -9.0, "a"), pair("c", "b", -8.5, "b")]
    assert headline(compared(pairs, [["a", "b"], ["c"]])) == (
        "a ranks first by BLEU, 0.50 ahead of b (95% CI -0.50 to 1.50, p = 0.4). It is not significantly better than "
        "b. First cluster: a and b."
    )


def test_of_many_systems_in_the_first_cluster_the_number_is_said() -> None:
    others = [f"s{number}" for number in range(1, 8)]
    pairs = [pair(name, "a", -0.5, None, 1.0) for name in others]
    assert headline(compared(pairs, [["a", *others]])).endswith(
        "It is not significantly better than 7 of the 7 others. First cluster: 8 of 8 systems."
    )


def test_lower_scores_lead_where_they_are_better() -> None:
    pairs = [pair("b", "a", 2.5, "a"), pair("c", "a", 9.0, "a"), pair("c", "b", 6.5, "b")]
    assert headline(compared(pairs, [["a"], ["b"], ["c"]], higher_is_better=False)).startswith(
        "a ranks first by BLEU, 2.50 ahead of b (95% CI 1.50 to 3.50,"
    )


def test_where_neither_more_nor_less_is_better_nobody_is_ahead() -> None:
    pairs = [
        pair("b", "a", 5.0, None),
        replace(pair("c", "a", -9.0, None), significant=True),
        pair("c", "b", 4.0, None),
    ]
    assert headline(compared(pairs, None, higher_is_better=None)) == (
        "By BLEU, 1 of 3 pairs differ significantly. The largest difference is between c and a: -9.00, 95% CI -10.00 "
        "to -8.00, p = 0.012."
    )


def test_a_p_value_that_samples_bound_is_said_to_be_one() -> None:
    pairs = [replace(pair(name, "base", 1.0, name), p_is_bound=True) for name in ("a", "b")]
    assert "p ≤ 0.012" in headline(compared(pairs, None))


def test_where_ranks_and_means_disagree_there_is_no_verdict() -> None:
    pairs = [replace(pair("a", "base", 1.0, None), contradicted=True), pair("b", "base", 2.0, "b")]
    assert headline(compared(pairs, None)).endswith(
        "; a (+1.00, 95% CI +0.00 to +2.00, p = 0.012) is without a verdict against base."
    )


def test_a_test_of_another_statistic_may_rank_otherwise() -> None:
    """Then that is said, not turned round."""
    pairs = [pair("b", "a", 0.5, None), pair("c", "a", -9.0, "a"), pair("c", "b", -9.5, "b")]
    assert headline(compared(pairs, [["a", "b"], ["c"]])).startswith(
        "a ranks first by BLEU, 0.50 behind b (95% CI -1.50 to 0.50, p = 0.012)."
    )


def test_zero_has_no_sign() -> None:
    close = replace(pair("b", "base", 0.5, None), interval=Interval(-0.0001, 1.0, 0.95))
    found = headline(compared([close, pair("a", "base", 2.0, "a")], None))
    assert "b (+0.50, 95% CI +0.00 to +1.00" in found


def test_equal_scores_are_level() -> None:
    pairs = [pair("b", "a", 0.0, None), pair("c", "a", -9.0, "a"), pair("c", "b", -9.0, "b")]
    assert headline(compared(pairs, [["a", "b"], ["c"]])).startswith(
        "a ranks first by BLEU, tied with b (95% CI -1.00 to 1.00, p = 0.012)."
    )


def test_against_a_baseline_few_systems_have_their_numbers() -> None:
    pairs = [pair("a", "base", 2.5, "a"), pair("b", "base", -0.5, None, 0.3)]
    assert headline(compared(pairs, None)) == (
        "By BLEU, a (+2.50, 95% CI +1.50 to +3.50, p = 0.012) is significantly better than base; b (-0.50, 95% CI "
        "-1.50 to +0.50, p = 0.3) is not significantly different from base."
    )


def test_against_a_baseline_of_many_systems_the_farthest_has() -> None:
    pairs = [pair(f"s{number}", "base", float(number), f"s{number}") for number in range(1, 5)]
    pairs += [pair("low", "base", -3.0, "base")]
    assert headline(compared(pairs, None)) == (
        "By BLEU, 4 systems, s4 (+4.00, 95% CI +3.00 to +5.00, p = 0.012) farthest, are significantly better than "
        "base; low (-3.00, 95% CI -4.00 to -2.00, p = 0.012) is significantly worse than base."
    )


def test_names_are_printable() -> None:
    pairs = [pair("b", "a\tb", -2.5, "a\tb"), pair("c", "a\tb", -9.0, "a\tb"), pair("c", "b", -6.5, "b")]
    assert headline(compared(pairs, [["a\tb"], ["b"], ["c"]])).startswith("a\\tb ranks first")
    only = replace(pairs[0], second="x\ny", better="x\ny")
    assert "\n" not in headline(compared([only], [["x\ny"], ["b"]]))

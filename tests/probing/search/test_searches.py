"""The searches of a system: limits, segments, words, second opinions, and what every result must be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from understudy import CHRF, Corpus
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.climbing import BEST_POSSIBLE, TIME_LIMIT
from understudy.probing.search.goals import searched
from understudy.probing.search.searched_segment import SearchedSegment, segments_to_search
from understudy.probing.search.second_opinion import SecondOpinion
from understudy.scoring.run import chosen_metrics

EXAMPLES = Path(__file__).parents[3] / "examples"
METRICS = ("bleu", "chrf", "ter")


def probed(metrics, system=None, references=None, language="en"):
    if system is None:
        files = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
        corpus = Corpus.read([EXAMPLES / "system-medium.en"], files)
    else:
        corpus = Corpus.of_texts(system, references)
    return ProbedSystem.of(corpus, chosen_metrics(metrics, language), language=language, threads=1)


@pytest.fixture(scope="module")
def system():
    return probed(METRICS)


def standing_still():
    return 0.0


@pytest.fixture(scope="module")
def found(system):
    return searched(system, ProbePlan(searched=1), standing_still).searches


class Ticking:
    """A clock that goes on by `step` seconds whenever it is read."""

    def __init__(self, step):
        self.seconds, self.step = 0.0, step

    def __call__(self):
        self.seconds += self.step
        return self.seconds


def test_every_metric_and_goal_is_searched(found):
    assert [(each.metric, each.goal) for each in found] == [
        (metric, goal) for metric in range(3) for goal in ("best", "worst")
    ]


def test_scores_are_those_of_the_metric(system, found):
    for each in found:
        metric = system.metrics[each.metric]
        references = list(system.references[each.segment])
        texts = [each.start, *(step.text for step in each.steps)]
        scores = metric.segments(texts, [references] * len(texts))
        assert [each.start_score, *(step.score for step in each.steps)] == scores.tolist()


def test_no_result_scores_lower_than_the_system(system, found):
    for each in found:
        worth = system.metrics[each.metric].worth
        assert worth(each.score) >= worth(each.system_score) - 1e-9


def test_the_best_text_is_better_than_the_hypothesis_and_no_reference(system, found):
    for each in found:
        if each.goal == "best":
            worth = system.metrics[each.metric].worth
            assert worth(each.score) > worth(each.system_score)
            written = {" ".join(text.split()) for text in system.references[each.segment]}
            assert each.text not in written


def test_the_worst_text_is_worse_in_the_opinion_of_the_others(system, found):
    specs = [metric.spec for metric in system.metrics]
    for each in found:
        if each.goal == "worst":
            assert each.judged_by == tuple(spec for spec in specs if spec != specs[each.metric])
            assert each.badness > 1


def test_the_best_text_of_bleu_combines_the_references(found):
    assert found[0].score == pytest.approx(100)
    assert found[0].ended == BEST_POSSIBLE


def test_badness_in_standard_deviations(system, found):
    """Of the segment scores, the mean over the other metrics."""
    worst = found[1]  # of BLEU, by chrF and TER
    deviations = system.segment_scores[:, 1:].std(axis=0, ddof=1)
    change = np.array(worst.system_judged) - np.array(worst.judged)
    assert worst.badness == pytest.approx(np.mean(change * [1, -1] / deviations))


def test_badness_without_standard_deviations_is_in_points():
    scores = np.array([[100.0, 40.0], [100.0, 60.0]])
    changed = np.array([[90.0, 30.0]])
    metrics = tuple(chosen_metrics(("exact-match", "chrf"), "en"))
    both = SecondOpinion(metrics, scores)
    assert not both.in_points
    assert both.badness(0, changed) == pytest.approx(10 / np.std([40, 60], ddof=1))  # only chrF has one
    for same in (SecondOpinion(metrics, scores[:1]), SecondOpinion(metrics, scores[[0, 0]])):
        assert same.in_points
        assert same.badness(0, changed) == pytest.approx(10)


def test_the_same_seed_gives_the_same_searches(system, found):
    again = searched(system, ProbePlan(searched=1), Ticking(1e-9)).searches
    assert again == found


def test_a_metric_does_not_change_the_search_of_another(found):
    alone = searched(probed(("bleu",)), ProbePlan(searched=1), standing_still).searches
    assert alone[0] == found[0]


def test_another_seed_gives_another_path(system, found):
    others = searched(system, ProbePlan(searched=1, seed=2), standing_still).searches
    assert [each.steps for each in others] != [each.steps for each in found]


def test_the_time_limit_ends_every_search(system):
    cut = searched(system, ProbePlan(seconds=60), Ticking(0.2)).searches
    assert {each.ended for each in cut} - {BEST_POSSIBLE} == {TIME_LIMIT}


def test_searches_share_the_time_limit():
    """The clock is read before every batch: as often in the last search as in the first."""
    cut = searched(probed(("ter",)), ProbePlan(seconds=60, searched=2), Ticking(0.1)).searches
    assert max(each.scored for each in cut) < 2 * min(each.scored for each in cut)


def test_a_single_metric_is_judged_by_chrf_and_chrf_by_bleu():
    judges = [
        searched(probed((spec,)), ProbePlan(seconds=1, searched=1), Ticking(1)).searches[1].judged_by
        for spec in ("ter", "chrf++")
    ]
    assert judges == [("chrf",), ("bleu",)]


def test_segments_from_the_whole_range_of_scores():
    hypotheses = ["a b c d", "a b c x", "a b x x", "a x x x", "x x x x", "b"]
    system = probed(("bleu",), hypotheses, ["a b c d"] * 6)
    ranked = np.argsort(system.segment_scores[:, 0], kind="stable").tolist()
    assert segments_to_search(system, 3) == sorted(ranked[1::2])


def test_all_segments_if_there_are_few():
    assert segments_to_search(probed(("bleu",), ["a", "b"], ["a", "a"]), 3) == [0, 1]


def test_segments_without_any_word_in_their_references_are_left_out():
    system = probed(("chrf",), ["a", "b"], ["", "a b"])
    assert [each.segment for each in searched(system, ProbePlan(), standing_still).searches] == [1, 1]


def test_a_hypothesis_that_is_a_reference_is_left():
    system = probed(("bleu",), ["red green blue"], ["red green blue"])
    best = searched(system, ProbePlan(seconds=1), Ticking(1)).searches[0]
    assert best.text != "red green blue"


@pytest.mark.parametrize("text", ["The  café", "the café", "THE CAFÉ", "The cafe\u0301"])
def test_spacing_letter_case_and_combining_characters_make_no_other_text(text):
    searched_text = SearchedSegment.of(probed(("bleu",), [text], ["The café"]), 0, 0, seed=1)
    assert searched_text.is_reference(searched_text.hypothesis)


def test_words_of_other_segments_belong_to_the_vocabulary():
    system = probed(("bleu",), ["a", "b"], ["c", "d"])
    assert SearchedSegment.of(system, 0, 0, seed=1).vocabulary == ["a", "c", "d"]


def test_arbitrary_words_where_there_is_no_other_segment():
    assert "helicopters" in SearchedSegment.of(probed(("bleu",), ["a"], ["b"]), 0, 0, seed=1).vocabulary


def test_an_empty_hypothesis():
    best, worst = searched(probed(("bleu",), [""], ["red green"]), ProbePlan(), standing_still).searches
    assert best.score > 0
    assert (best.start, worst.system_score) == ("", 0.0)


def test_text_of_a_script_without_word_boundaries():
    system = probed(("bleu",), ["我去商店买牛奶"], [["我去商店买了牛奶", "我去店里买牛奶了"]], "zh")
    best, worst = searched(system, ProbePlan(), standing_still).searches
    assert best.score > best.system_score
    assert worst.judged[0] < worst.system_judged[0]
    assert " " not in best.text


def test_a_metric_that_ignores_letter_case_is_searched_in_the_case_of_the_text():
    system = probed(("bleu:lowercase=true",), ["The Cat sat"], ["The cat sat on Mars"])
    best = searched(system, ProbePlan(), standing_still).searches[0]
    assert "Mars" in best.text


def test_texts_are_written_as_text():
    system = probed((CHRF(),), ["Yes, we can."], ["Yes, we can do it."])
    best = searched(system, ProbePlan(), standing_still).searches[0]
    assert " ," not in best.text

"""Laws of every design: balance, blindness, distances, reproducibility."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.campaigns import campaign, corpus, spread, times_seen
from understudy import Corpus
from understudy.judging.campaigns.sequences import far_enough
from understudy.judging.protocols.reading import PROTOCOLS

RANKINGS = ("ranking", "pairwise")
RATINGS = tuple(name for name in PROTOCOLS if name not in RANKINGS)

plans = st.fixed_dictionaries(
    {
        "systems": st.integers(2, 6),
        "segments": st.integers(1, 25),
        "judges": st.integers(2, 5),
        "seed": st.integers(0, 2**32),
        "assignment": st.sampled_from(["same", "shares"]),
        "order": st.sampled_from([None, "same", "own"]),
        "repeats": st.sampled_from([0, 0.05, 0.2]),
        "controls": st.sampled_from([0, 0.05, 0.2]),
        "context": st.integers(0, 2),
        "target_language": st.sampled_from([None, "en"]),
    }
)
laws = settings(max_examples=40, deadline=None)


@laws
@given(st.sampled_from([name for name in RATINGS if name != "cesa"]), plans)
def test_every_judge_sees_every_system_equally_often(name, plan):
    design = campaign(name, **plan)
    assert {spread(times_seen(design, tasks)) for tasks in design.assignments.values()} == {0}


@laws
@given(st.sampled_from(RANKINGS), plans)
def test_rankings_show_systems_equally_often_in_all(name, plan):
    design = campaign(name, **plan)
    assert spread(times_seen(design, [task for block in design.blocks for task in block])) <= 1


@laws
@given(st.sampled_from(RANKINGS), plans)
def test_rankings_show_every_judge_systems_equally_often(name, plan):
    one_judge_per_item = {"judgments_per_item": 1} if plan["assignment"] == "shares" else {}
    design = campaign(name, **{**plan, **one_judge_per_item})
    assert max(spread(times_seen(design, tasks)) for tasks in design.assignments.values()) <= 1


@laws
@given(st.sampled_from(RANKINGS), plans, st.integers(2, 3))
def test_judges_who_share_items_see_systems_equally_often_but_for_one_more(name, plan, per_item):
    changed = {"assignment": "shares", "judges": 5, "judgments_per_item": per_item}
    design = campaign(name, **{**plan, **changed})
    assert max(spread(times_seen(design, tasks)) for tasks in design.assignments.values()) <= 2


@laws
@given(st.sampled_from(PROTOCOLS), plans)
def test_the_same_seed_gives_the_same_design(name, plan):
    assert campaign(name, **plan) == campaign(name, **plan)


@laws
@given(st.sampled_from(PROTOCOLS), plans)
def test_repeats_and_controls_are_far_from_their_originals(name, plan):
    design = campaign(name, **plan)
    for tasks in design.assignments.values():
        places = {task: place for place, task in enumerate(tasks)}
        main = sum(design.by_id[task].role == "main" for task in tasks)
        for task in map(design.by_id.get, tasks):
            original = task.control_of if task.repeat_of is None else task.repeat_of
            if original is not None:
                assert abs(places[task.id] - places[original]) > far_enough(main)


@laws
@given(st.sampled_from(PROTOCOLS), plans)
def test_a_repeat_comes_after_its_original_and_shows_the_same(name, plan):
    design = campaign(name, **plan)
    for tasks in design.assignments.values():
        for place, task in enumerate(map(design.by_id.get, tasks)):
            if task.repeat_of is not None:
                assert task.repeat_of in tasks[:place]
                assert set(task.outputs) == set(design.by_id[task.repeat_of].outputs)


@laws
@given(st.sampled_from(PROTOCOLS), plans)
def test_nobody_gets_a_task_twice(name, plan):
    design = campaign(name, **plan)
    assert all(len(set(tasks)) == len(tasks) for tasks in design.assignments.values())


@laws
@given(st.sampled_from(PROTOCOLS), plans)
def test_a_control_has_a_text_that_no_system_wrote(name, plan):
    design = campaign(name, **plan)
    written = {(output.segment, output.text) for output in design.outputs if output.systems}
    degraded = [output for output in design.outputs if output.control_of is not None]
    assert not any((output.segment, output.text) in written for output in degraded)
    assert all(output.systems == () for output in degraded)


def test_controls_are_made_of_good_outputs():
    good = [f"the committee met on day {segment} and talked for long" for segment in range(20)]
    bad = [f"day the zzz committee qqq {segment}" for segment in range(20)]
    given = Corpus.of_texts({"good": good, "bad": bad}, good, sources=good)
    design = campaign(given=given, controls=0.2)
    degraded = [output.control_of for output in design.outputs if output.control_of is not None]
    assert {design.outputs[original].systems for original in degraded} == {("good",)}


def test_a_control_is_no_output_of_another_system():
    """Half of 'a b c d' can only be replaced by 'x x', and other systems wrote all results."""
    same = ["x x x x x", "x x x x"]
    given = Corpus.of_texts(
        {"a": ["a b c d", *same], "b": ["x x c d", *same], "c": ["a x x d", *same], "d": ["a b x x", *same]},
        sources=["s"] * 3,
    )
    designs = [campaign(given=given, judges=1, controls=0.5, seed=seed) for seed in range(5)]
    degraded = {
        output.text for design in designs for output in design.outputs if output.control_of is not None
    }
    assert degraded
    assert not degraded & {"a b c d", "x x c d", "a x x d", "a b x x"}


@laws
@given(st.sampled_from(RATINGS), plans)
def test_every_output_is_judged_as_often_as_planned(name, plan):
    per_item = 2 if plan["assignment"] == "shares" else None
    design = campaign(name, **{**plan, "judges": 4, "judgments_per_item": per_item})
    groups = max(1, len(design.protocol.groups))
    expected = 4 if per_item is None else 2 * groups
    judged = Counter(
        output
        for tasks in design.assignments.values()
        for task in tasks
        if design.by_id[task].role == "main"
        for output in design.by_id[task].outputs
    )
    assert all(judged[index] >= expected for index, output in enumerate(design.outputs) if output.systems)


def test_positions_of_systems_on_a_screen_are_balanced():
    design = campaign("pairwise", systems=4, segments=120)
    first = Counter(design.systems_of(task)[0] for task in design.tasks if task.role == "main")
    both = Counter(
        system for task in design.tasks if task.role == "main" for system in design.systems_of(task)
    )
    assert all(abs(first[system] - both[system] / 2) <= 3 for system in design.systems)


@pytest.mark.parametrize(("systems", "screens"), [(4, 6), (9, 15)])
def test_dynamic_pairs_are_all_pairs_or_many(systems, screens):
    design = campaign("pairwise", systems=systems, segments=24, assignment="dynamic", repeats=0, controls=0)
    pairs = {(task.segment, frozenset(task.outputs)) for task in design.tasks}
    assert len(pairs) == len(design.tasks) == 24 * screens


def test_many_pairs_are_compared_equally_often():
    design = campaign("pairwise", systems=9, segments=24, assignment="dynamic", repeats=0, controls=0)
    compared = Counter(frozenset(design.systems_of(task)) for task in design.tasks)
    assert {*compared.values()} == {10}


def test_a_segment_has_no_two_screens_with_the_same_outputs():
    design = campaign(
        "ranking", systems=4, outputs_per_screen=3, screens_per_segment=9, repeats=0, controls=0
    )
    screens = [(task.segment, frozenset(task.outputs)) for task in design.tasks]
    assert len(set(screens)) == len(screens)


def test_identifiers_tell_nothing_about_the_role():
    design = campaign(segments=60, repeats=0.2, controls=0.2)
    ids = sorted(task.id for task in design.tasks if task.role != "main")
    assert sorted(task.id for task in design.tasks) == list(range(1, len(design.tasks) + 1))
    assert ids[0] < len(design.tasks) / 4
    assert ids[-1] > 3 * len(design.tasks) / 4


def test_identical_outputs_are_judged_once_and_credited_to_all():
    same = corpus(3, 4, b=["a0 says so", "b1", "b2", "b3"], c=["a0 says so", "c1", "c2", "c3"])
    design = campaign(given=same, repeats=0, controls=0)
    shared = [output for output in design.outputs if output.systems == ("b", "c")]
    assert [output.text for output in shared] == ["a0 says so"]


def test_identical_outputs_keep_judges_balanced():
    same = corpus(3, 4, c=corpus(3, 4).systems["b"])
    design = campaign(given=same, repeats=0, controls=0, judges=2, assignment="shares", judgments_per_item=1)
    assert {spread(times_seen(design, tasks)) for tasks in design.assignments.values()} == {0}


def test_a_ranking_skips_segments_with_one_output():
    same = corpus(2, 3, b=["a0 says words number0 and more0", "b1", "b2"])
    design = campaign("pairwise", given=same, repeats=0, controls=0)
    assert sorted(design.segments[task.segment].number for task in design.tasks) == [2, 3]


def test_contrastive_screens_show_every_output():
    design = campaign("cesa", systems=5, segments=4, repeats=0, controls=0)
    assert [len(task.outputs) for task in design.tasks if task.segment == 0] in ([3, 2], [2, 3], [3, 3])
    assert {output for task in design.tasks for output in task.outputs} == set(range(len(design.outputs)))


def test_all_judges_of_the_report_see_the_same_order():
    design = campaign("report", judges=4, target_language=None)
    assert len(set(design.assignments.values())) == 1


def test_other_protocols_have_an_order_for_every_judge():
    design = campaign("da", judges=4, assignment="same")
    assert len(set(design.assignments.values())) == 4


def test_outputs_of_a_segment_are_dispersed():
    design = campaign("report", systems=5, segments=50, repeats=0, controls=0)
    tasks = [design.by_id[task] for task in design.assignments["judge-1"]]
    last: dict[int, int] = {}
    gaps = []
    for place, task in enumerate(tasks):
        if task.segment in last:
            gaps.append(place - last[task.segment])
        last[task.segment] = place
    assert min(gaps) >= 50 // 3


def test_systems_are_balanced_at_every_moment():
    design = campaign("report", systems=5, segments=50, repeats=0, controls=0)
    tasks = design.assignments["judge-1"]
    assert max(spread(times_seen(design, tasks[:end])) for end in range(len(tasks))) <= 2


def test_systems_do_not_follow_each_other_in_a_fixed_order():
    design = campaign("report", systems=3, segments=60, repeats=0, controls=0)
    order = [design.systems_of(design.by_id[task])[0] for task in design.assignments["judge-1"]]
    after = Counter(pairwise(order))
    assert min(after[a, b] for a in "abc" for b in "abc" if a != b) > 10


def test_a_document_is_judged_in_one_go_and_in_order():
    documents = [f"document {segment // 4}" for segment in range(20)]
    design = campaign(given=corpus(2, 20, documents), documents=True, repeats=0, controls=0, judges=2)
    numbers = [design.segments[design.by_id[task].segment].number for task in design.assignments["judge-1"]]
    blocks = [numbers[start : start + 4] for start in range(0, len(numbers), 4)]
    assert all(block == list(range(block[0], block[0] + 4)) and block[0] % 4 == 1 for block in blocks)


def test_a_document_is_of_one_system():
    documents = [f"document {segment // 4}" for segment in range(20)]
    design = campaign(given=corpus(2, 20, documents), documents=True)
    assert all(
        len({design.systems_of(design.by_id[task])[0] for task in block}) == 1 for block in design.blocks
    )


def test_the_context_is_of_the_same_document_and_system():
    documents = ["one", "one", "two", "two"]
    design = campaign(given=corpus(2, 4, documents), context=2, repeats=0, controls=0)
    task = next(task for task in design.tasks if task.segment == 1 and design.systems_of(task) == ["b"])
    assert [line.source for line in task.before] == ["source 0"]
    assert task.before[0].output.startswith("b0 ")
    assert task.after == ()


def test_screens_of_several_outputs_have_the_source_as_context():
    design = campaign("ranking", context=1, segments=3)
    assert {line.output for task in design.tasks for line in task.before} == {None}


def test_practice_comes_first():
    design = campaign("da", target_language="en", source_language="de")
    roles = [design.by_id[task].role for task in design.assignments["judge-1"]]
    assert roles[:2] == ["practice"] * 2
    assert "practice" not in roles[2:]


def test_practice_shows_the_source_in_the_judges_language():
    design = campaign("da", target_language="en", source_language="zho_Hans")
    practice = [design.segments[task.segment].source for task in design.tasks if task.role == "practice"]
    assert set(practice) == {"博物馆每逢星期一闭馆。", "火车八点以前不会发车。"}


@pytest.mark.parametrize("languages", [{}, {"target_language": "de"}, {"target_language": "en"}])
def test_practice_that_judges_cannot_read_is_left_out(languages):
    assert not [task for task in campaign("da", **languages).tasks if task.role == "practice"]


def test_shares_are_even():
    design = campaign(systems=4, segments=101, judges=7, assignment="shares", repeats=0, controls=0)
    loads = [len(tasks) for tasks in design.assignments.values()]
    assert max(loads) - min(loads) <= 4


def test_every_two_judges_share_items():
    design = campaign(systems=2, segments=60, judges=4, assignment="shares", judgments_per_item=2)
    sets = [set(tasks) for tasks in design.assignments.values()]
    assert min(len(a & b) for a in sets for b in sets) >= 10


def test_selected_segments_alone_are_judged():
    assert len({task.segment for task in campaign(segments=30, share=0.2).tasks}) == 6

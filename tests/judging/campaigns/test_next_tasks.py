"""Pool and dynamic assignment: who gets what next, and that dynamic assignment settles close pairs sooner."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.campaigns import campaign, corpus, spread, times_seen
from understudy.errors import BadParameter
from understudy.judging.campaigns.differences import Differences
from understudy.judging.campaigns.pool import RECENT, Pool
from understudy.judging.campaigns.sequences import far_enough


def played(pool: Pool, answers: int | None = None, scores=None) -> dict[str, list[int]]:
    """Judges take turns until nothing is left, or for so many answers; the tasks of each in order."""
    done: dict[str, list[int]] = {judge: [] for judge in pool.desks}
    idle = 0
    count = 0
    while idle < len(done) and (answers is None or count < answers):
        judge = list(done)[(count + idle) % len(done)]
        task = pool.next_task(judge)
        if task is None:
            idle += 1
            continue
        idle = 0
        count += 1
        outputs = pool.design.by_id[task].outputs
        pool.answer(judge, task, scores(judge, task) if scores else dict.fromkeys(outputs, 1.0))
        done[judge].append(task)
    return done


pools = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["da", "esa", "ranking", "pairwise", "report"]),
        "systems": st.integers(2, 4),
        "segments": st.integers(1, 15),
        "judges": st.integers(2, 4),
        "seed": st.integers(0, 2**32),
        "assignment": st.sampled_from(["pool", "dynamic"]),
        "repeats": st.sampled_from([0, 0.2]),
        "controls": st.sampled_from([0, 0.2]),
    }
)
laws = settings(max_examples=30, deadline=None)


@laws
@given(pools)
def test_every_item_is_judged_as_often_as_planned(options):
    pool = Pool(campaign(**options))
    counts = Counter(task for tasks in played(pool).values() for task in tasks)
    groups = Counter(desk.group for desk in pool.desks.values())
    expected = sum(min(2, judges) for judges in groups.values())
    assert {counts[task] for block in pool.design.blocks for task in block} <= {expected}


@laws
@given(pools)
def test_nobody_gets_a_task_twice(options):
    assert all(len(set(tasks)) == len(tasks) for tasks in played(Pool(campaign(**options))).values())


@laws
@given(pools)
def test_hidden_items_come_after_their_originals_and_far_enough(options):
    design = campaign(**options)
    for tasks in played(Pool(design)).values():
        for place, task in enumerate(map(design.by_id.get, tasks)):
            original = task.control_of if task.repeat_of is None else task.repeat_of
            if original is not None:
                main = [each for each in tasks[:place] if design.by_id[each].role == "main"]
                assert len(main) - main.index(original) - 1 >= far_enough(len(main))


@laws
@given(pools, st.integers(0, 30))
def test_a_pool_is_rebuilt_from_what_happened(options, answers):
    design = campaign(**options)
    first, second = Pool(design), Pool(design)
    happened: list[tuple[str, int, dict[int, float]]] = []

    def scores(judge, task):
        given = {output: float(hash((judge, task, output)) % 7) for output in design.by_id[task].outputs}
        happened.append((judge, task, given))
        return given

    played(first, answers, scores)
    for judge, task, _ in happened:
        second.serve(judge, task)
    for judge, task, answer in happened:
        second.answer(judge, task, answer)
    assert [first.next_task(judge) for judge in first.desks] == [
        second.next_task(judge) for judge in second.desks
    ]


def test_judges_see_systems_equally_often():
    design = campaign(systems=4, segments=40, assignment="pool", repeats=0, controls=0)
    done = played(Pool(design), 200)
    assert max(spread(times_seen(design, tasks)) for tasks in done.values()) <= 1


@pytest.mark.parametrize("assignment", ["pool", "dynamic"])
def test_outputs_of_a_segment_are_dispersed(assignment):
    design = campaign(systems=4, segments=40, judges=2, assignment=assignment, repeats=0, controls=0)
    segments = [design.by_id[task].segment for task in played(Pool(design), 200)["judge-1"]]
    assert all(
        segment not in segments[max(0, place - RECENT) : place] for place, segment in enumerate(segments)
    )


def test_asking_twice_gives_the_same_task():
    pool = Pool(campaign(assignment="pool"))
    assert pool.next_task("judge-1") == pool.next_task("judge-1")


def test_judges_do_not_share_an_item_that_one_judgment_settles():
    pool = Pool(campaign(assignment="pool", judgments_per_item=1))
    assert len({pool.next_task(judge) for judge in pool.desks}) == 3


def test_practice_comes_first():
    design = campaign(assignment="pool", target_language="en", source_language="de")
    tasks = played(Pool(design))["judge-1"]
    assert [design.by_id[task].role for task in tasks[:3]] == ["practice", "practice", "main"]


def test_documents_are_judged_in_one_go():
    documents = [f"document {segment // 4}" for segment in range(20)]
    design = campaign(
        given=corpus(2, 20, documents), documents=True, assignment="pool", repeats=0, controls=0
    )
    tasks = played(Pool(design))["judge-1"]
    blocks = {tuple(tasks[start : start + 4]) for start in range(0, len(tasks), 4)}
    assert blocks <= set(design.blocks)


def test_what_a_revoked_judge_has_begun_is_given_to_others():
    design = campaign(
        systems=2, segments=1, judges=2, assignment="pool", judgments_per_item=1, repeats=0, controls=0
    )
    pool = Pool(design)
    begun = pool.next_task("judge-1")
    pool.release("judge-1")
    found = [pool.next_task("judge-2")]
    pool.answer("judge-2", found[0])
    assert begun in [*found, pool.next_task("judge-2")]


def test_a_judge_who_joins_gets_items():
    pool = Pool(campaign(assignment="dynamic"))
    pool.add_judge("late")
    assert pool.next_task("late") is not None


def test_what_is_left_is_counted():
    pool = Pool(campaign(systems=2, segments=5, assignment="pool", judges=2, repeats=0, controls=0))
    played(pool, 4)
    assert pool.left("judge-1") == 8


def test_fixed_assignments_have_no_pool():
    with pytest.raises(BadParameter, match="assignment 'shares' is fixed from the start"):
        Pool(campaign(assignment="shares"))


def test_differences_are_within_judge_and_segment():
    differences = Differences(2)
    for place, first, second in ((("ann", 1), 3, 1), (("bob", 1), 5, 4)):
        differences.record(place, {0: first})
        differences.record(place, {1: second})
    assert differences.total[0, 1] == 3
    assert differences.count[0, 1] == 2


def test_a_changed_score_replaces_the_old_one():
    differences = Differences(2)
    differences.record("here", {0: 3, 1: 1})
    differences.record("here", {1: 2})
    assert (differences.total[0, 1], differences.squares[0, 1], differences.count[0, 1]) == (1, 1, 1)


def test_z_is_the_mean_difference_in_standard_errors():
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    differences = Differences(2)
    for place, value in enumerate(values):
        differences.record(place, {0: value, 1: 0.0})
    assert differences.z()[0, 1] == pytest.approx(
        values.mean() / (values.std(ddof=1) / np.sqrt(5)), rel=1e-12
    )


QUALITY = dict(zip("abcdef", (0.0, 0.5, 2.0, 4.0, 6.0, 8.0), strict=True))


def judgments_to_separate(name: str, assignment: str, seed: int, most: int = 1500) -> int:
    """How many answers it takes until a and b, the closest pair, differ by 3 standard errors in the right direction."""
    design = campaign(
        name, systems=6, segments=60, judges=6, assignment=assignment, seed=seed, judgments_per_item=6
    )
    pool = Pool(design)
    rng = np.random.default_rng(seed)
    difficulty, severity = rng.normal(0, 3, 60), dict(zip(pool.desks, rng.normal(0, 3, 6), strict=True))

    def scores(judge, task):
        found = design.by_id[task]
        return {
            output: QUALITY[systems[0]] + difficulty[found.segment] + severity[judge] + rng.normal(0, 1)
            for output in found.outputs
            if (systems := design.outputs[output].systems)
        }

    for answers in range(0, most, 30):
        if pool.differences.z()[1, 0] > 3:
            return answers
        played(pool, 30, scores)
    return most


@pytest.mark.parametrize("name", ["da", "pairwise"])
def test_dynamic_assignment_separates_close_systems_with_fewer_judgments(name):
    dynamic, chance = (
        np.mean([judgments_to_separate(name, assignment, seed) for seed in range(5)])
        for assignment in ("dynamic", "pool")
    )
    assert dynamic < 0.7 * chance

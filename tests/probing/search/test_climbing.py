"""Hill climbing on objectives that are easy to follow."""

from __future__ import annotations

import math

import numpy as np

from understudy.probing.search.climbing import (
    BATCH,
    BEST_POSSIBLE,
    LOCAL_OPTIMUM,
    TEXT_LIMIT,
    TIME_LIMIT,
    Budget,
    Climber,
)
from understudy.probing.search.edits import Neighborhood


class Ticking:
    """A clock that goes on by one second whenever it is read."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        self.seconds += 1
        return self.seconds


def standing_still():
    return 0.0


def number_of_x(texts):
    """At most five count."""
    return np.array([min(5, text.count("x")) for text in texts], dtype=float)


def climber(values=number_of_x, seed=0, **options):
    return Climber(
        values,
        Neighborhood(["x", "y"], [("y", "y")]),
        np.random.default_rng(seed),
        is_possible=lambda tokens: 0 < len(tokens) <= 8,
        **options,
    )


def unlimited():
    return Budget(10**9, 1.0, standing_still)


def test_it_ends_at_the_top():
    climb = climber().climb(("y",), unlimited())
    assert (climb.value, climb.ended) == (5.0, LOCAL_OPTIMUM)


def test_no_step_but_random_ones_leads_down():
    climb = climber().climb(("y",), unlimited())
    values = [climb.start_value, *(step.value for step in climb.steps)]
    gains = np.diff(values)
    assert all(gain > 0 for gain, step in zip(gains, climb.steps, strict=True) if not step.random)


def test_it_stops_at_the_best_possible_value():
    climb = climber(best_possible=5.0).climb(("y",), unlimited())
    assert (climb.value, climb.ended) == (5.0, BEST_POSSIBLE)


def test_it_stops_when_the_texts_are_used_up():
    limited = climber()
    climb = limited.climb(("y",), Budget(1, 1.0, standing_still))
    assert (climb.ended, limited.scored, climb.steps) == (TEXT_LIMIT, 1, ())


def test_the_last_batch_alone_may_exceed_the_limit_of_texts():
    limited = climber()
    climb = limited.climb(("y",), Budget(10, 1.0, standing_still))
    assert climb.ended == TEXT_LIMIT
    assert 10 <= limited.scored < 10 + BATCH


def test_it_stops_when_time_is_up():
    climb = climber().climb(("y",), Budget(10**9, 3.0, Ticking()))
    assert climb.ended == TIME_LIMIT


def test_beyond_the_time_limit_only_the_start_is_scored():
    late = climber()
    late.climb(("y",), Budget(10**9, 0.0, Ticking()))
    assert late.scored == 1


def test_a_start_that_is_not_permitted_is_left_even_if_time_is_up():
    def not_y(texts):
        return np.array([-math.inf if text == ("y",) else 0.0 for text in texts])

    climb = climber(not_y).climb(("y",), Budget(0, 0.0, Ticking()))
    assert climb.value == 0.0
    assert climb.steps[-1].tokens != ("y",)


def test_long_texts_are_scored_in_small_batches():
    """The clock is read once per batch."""
    sizes = []

    def recorded(texts):
        sizes.append(len(texts))
        return np.zeros(len(texts))

    neighborhood = Neighborhood(["x"], [("y",)])
    climber = Climber(recorded, neighborhood, np.random.default_rng(0), is_possible=lambda _: True)
    climber.climb(("y",) * 2000, Budget(20, 1.0, standing_still))
    assert max(sizes) == 3


def test_no_text_is_scored_twice():
    seen = []

    def recorded(texts):
        seen.extend(texts)
        return number_of_x(texts)

    climber(recorded).climb(("y",), unlimited())
    assert len(seen) == len(set(seen))


def test_random_restarts_leave_a_local_optimum():
    """Every longer text is worse, but for one that is two edits away."""

    def valley(texts):
        return np.array([10.0 if text == ("x",) * 3 else -float(len(text)) for text in texts])

    climb = climber(valley, best_possible=10.0).climb(("y",), unlimited())
    assert climb.value == 10.0
    assert any(step.random for step in climb.steps)


def test_the_seed_determines_the_path():
    paths = [climber(seed=seed).climb(("y", "y"), unlimited()).steps for seed in (1, 1, 2)]
    assert paths[0] == paths[1] != paths[2]


def test_parts_of_a_budget_leave_what_they_did_not_use():
    whole = Budget(90, 30.0, standing_still)
    first = whole.share(3)
    first.spend(10)
    assert (first.texts, whole.share(2).texts) == (20, 40)


def test_parts_of_a_budget_share_the_time_that_is_left():
    clock = Ticking()
    whole = Budget(90, 30.0, clock)  # until 31
    clock.seconds = 10
    assert whole.share(2).seconds == (31 - 11) / 2

"""What is searched for: the best text that is not a reference, and the worst that scores as well as the system."""

from __future__ import annotations

import time
from dataclasses import replace

from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.climbing import BEST_POSSIBLE, ENDINGS, Budget, Climb, Climber, Clock
from understudy.probing.search.edits import Neighborhood
from understudy.probing.search.objectives import Best, Worst
from understudy.probing.search.results import Search, Searches, SearchStep
from understudy.probing.search.searched_segment import SearchedSegment, segments_to_search
from understudy.probing.search.second_opinion import SecondOpinion
from understudy.resampling.randomness import generator

_TEXTS = 5_000  # scored at most in each search
LONGEST = 2  # times the longest of hypothesis and references: some metrics can be improved without end


def searched(system: ProbedSystem, plan: ProbePlan, clock: Clock = time.monotonic) -> Searches:
    """Search against every metric in the chosen segments, at segment level.

    All searches share the time limit: each may use an equal part of the time that is left. With the same seed, results
    are the same unless the time limit ended a search.
    """
    whole = Budget(_TEXTS, plan.seconds, clock)
    opinions = [SecondOpinion.on(system, metric) for metric in range(len(system.metrics))]
    segments = segments_to_search(system, plan.searched)
    tasks = [(segment, metric) for segment in segments for metric in range(len(system.metrics))]
    found: list[Search] = []
    for segment, metric in tasks:
        text = SearchedSegment.of(system, segment, metric, plan.seed)
        alone = replace(system, metrics=(system.metrics[metric],))
        for objective in (Best(alone, text), Worst(alone, text, opinions[metric])):
            left = 2 * len(tasks) - len(found)
            found.append(
                search(objective, metric, plan.seed, Budget(_TEXTS, whole.seconds_left / left, clock))
            )
            system.progress(len(system.hypotheses) // (2 * len(tasks)))
    return Searches(plan.seconds, _TEXTS, tuple(found))


def search(objective: Best, metric: int, seed: int, budget: Budget) -> Search:
    """Climb from every start; the best end wins, and the first of them if tied."""
    text = objective.text
    climber = Climber(
        objective.values,
        Neighborhood(text.vocabulary, text.references),
        generator(seed, "search", objective.goal, objective.metric.spec, text.segment),
        is_possible=lambda words: 0 < len(words) <= LONGEST * text.longest and text.can_be_written(words),
        best_possible=objective.best_possible,
    )
    starts = objective.starts
    climbs: dict[str, Climb] = {}
    for name, start in starts.items():
        climbs[name] = climber.climb(start, budget.share(len(starts) - len(climbs)))
        if climbs[name].ended == BEST_POSSIBLE:
            break
    winner = max(climbs, key=lambda name: climbs[name].value)
    return _result(objective, metric, winner, climbs, climber.scored)


def _result(objective: Best, metric: int, winner: str, climbs: dict[str, Climb], scored: int) -> Search:
    climb = climbs[winner]
    text = objective.text
    endings = {each.ended for each in climbs.values()}
    path = [text.hypothesis, climb.start, *(step.tokens for step in climb.steps)]
    system_score, start_score, *scores = objective.scores(path).tolist()
    judges: tuple[str, ...] = ()
    judged: list[list[float]] = []
    in_points = False
    if isinstance(objective, Worst):
        judges, judged = objective.opinion.specs, objective.judged(path).tolist()
        in_points = objective.opinion.in_points
    return Search(
        goal=objective.goal,
        metric=metric,
        segment=text.segment,
        start=text.written(climb.start),
        start_name=winner,
        start_score=start_score,
        system_score=system_score,
        steps=tuple(
            SearchStep(
                step.edit, text.written(step.tokens), score, step.value if judges else None, step.random
            )
            for step, score in zip(climb.steps, scores, strict=True)
        ),
        judged_by=judges,
        system_judged=tuple(judged[0]) if judges else (),
        judged=tuple(judged[-1]) if judges else (),
        scored=scored,
        ended=climb.ended if climb.ended == BEST_POSSIBLE else max(endings, key=ENDINGS.index),
        in_points=in_points,
    )

"""The findings on challenge sets, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.report.grid import printable, shown_p
from understudy.report.probe_examples import Example, ScoreCell, TextRow, pieces
from understudy.report.probe_prose import HALF, PEOPLE, Finding, some
from understudy.report.probe_wording import BETTER, SAME, WORSE, percent, percent_with_interval
from understudy.wording import listed

if TYPE_CHECKING:
    from understudy.probing.challenge_sets.results import (
        ChallengeResults,
        MeanResult,
        MissedPair,
        PhenomenonResult,
    )

_NAMED = 3  # phenomena in a line
_RANDOM = "random scores get 50%"


def challenge_findings(found: ChallengeResults) -> list[Finding]:
    """The metrics from best to worst, what each gets wrong, and whether it orders errors by severity."""
    made = [_ranking(found)] if len(found.labels) > 1 else []
    made += [_of_metric(found, metric) for metric in range(len(found.labels))]
    return made + _of_severities(found)


def _ranking(found: ChallengeResults) -> Finding:
    ranked = sorted(found.means, key=lambda each: -each.accuracy)
    first, second = ranked[0], ranked[1]
    best = printable(found.labels[first.metric])
    pair = next(
        each
        for each in found.differences
        if each.phenomenon is None and {each.first, each.second} == {first.metric, second.metric}
    )
    verdict = "significantly" if pair.significant else "not significantly"
    return Finding(
        "accuracy",
        f"{best} prefers the good translation in {percent(first.accuracy)} of pairs (mean over phenomena); "
        f"{printable(found.labels[second.metric])} in {percent(second.accuracy)}.",
        f"The difference is {verdict} different from zero (p = {shown_p(pair.p_value)}). Mean accuracy: "
        f"{listed([f'{printable(found.labels[each.metric])} {_shown(each)}' for each in ranked])}; {_RANDOM}.",
        f"Of these metrics, use {best} for errors like those of the challenge set. {PEOPLE}"
        if pair.significant
        else PEOPLE,
    )


def _of_metric(found: ChallengeResults, metric: int) -> Finding:
    label = printable(found.labels[metric])
    results = sorted(
        (each for each in found.phenomena if each.metric == metric), key=lambda each: each.accuracy
    )
    poor = [each for each in results if each.interval.low <= HALF]
    names = [f"{printable(each.phenomenon)} ({percent(each.accuracy)})" for each in poor or results]
    line = (
        f"{label} is not significantly above 50% on {len(poor)} of {len(results)} phenomena: {some(names, _NAMED)}."
        if poor
        else f"{label} is significantly above 50% on all {len(results)} phenomena; the lowest: {names[0]}."
    )
    worst = results[0]
    missed = next(
        (each for each in found.missed if (each.phenomenon, each.metric) == (worst.phenomenon, metric)), None
    )
    return Finding(
        "accuracy",
        line,
        f"On {printable(worst.phenomenon)}, the good translation scores better in {_shown(worst)} of {worst.pairs:,} "
        f"pairs; {worst.tied:,} are ties. {_RANDOM.capitalize()}.",
        _better_ones(found, worst),
        () if missed is None else (_missed_example(found, missed),),
    )


def _better_ones(found: ChallengeResults, worst: PhenomenonResult) -> str:
    better = [
        printable(found.labels[each.metric])
        for each in found.phenomena
        if each.phenomenon == worst.phenomenon and each.interval.low > HALF
    ]
    if better:
        return f"Significantly above 50% on this phenomenon: {listed(better)}. {PEOPLE}"
    return f"None of the metrics is significantly above 50% on this phenomenon. {PEOPLE}"


def _of_severities(found: ChallengeResults) -> list[Finding]:
    made = []
    for order in found.severity_orders:
        label = printable(found.labels[order.metric])
        where = "in the same segment" if order.within_segments else "of different severity"
        made.append(
            Finding(
                "severities",
                f"{label}: the more severe of two errors costs more in {percent(order.ordered)} of cases.",
                f"{order.compared:,} pairs of errors {where} were compared; {percent(order.tied)} cost the same. "
                f"{_RANDOM.capitalize()}.",
                "",
            )
        )
    return made


def _missed_example(found: ChallengeResults, missed: MissedPair) -> Example:
    labels = [printable(label) for label in found.labels]
    rows = [
        TextRow(f"reference {number}", pieces(text), ())
        for number, text in enumerate(missed.references, start=1)
    ]
    good = tuple(ScoreCell(name, good, "") for name, (good, _) in zip(labels, missed.scores, strict=True))
    incorrect = tuple(
        ScoreCell(name, scores[1], _change(scores, found.higher_is_better[place]))
        for place, (name, scores) in enumerate(zip(labels, missed.scores, strict=True))
    )
    rows += [
        TextRow("good translation", pieces(missed.good), good),
        TextRow("incorrect translation", pieces(missed.incorrect, missed.good), incorrect),
    ]
    return Example(f"{printable(missed.phenomenon)}, {printable(missed.where)}", tuple(rows))


def _change(scores: tuple[float, float], higher_is_better: bool | None) -> str:
    """Of the incorrect translation; without a direction, nothing but that it differs."""
    good, incorrect = scores
    if good == incorrect or higher_is_better is None:
        return SAME if good == incorrect else ""
    return BETTER if (incorrect > good) == higher_is_better else WORSE


def _shown(result: PhenomenonResult | MeanResult) -> str:
    return percent_with_interval(result.accuracy, result.interval)

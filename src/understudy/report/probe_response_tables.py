"""The responses of metrics to perturbations as tables: errors compared with harmless changes, and all strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.probing.perturbations.results import BLIND, UNDECIDED
from understudy.report.grid import Grid, GridColumn
from understudy.report.probe_examples import example_grid, perturbed_example
from understudy.report.probe_wording import (
    metric_labels,
    percent,
    percent_with_interval,
    signed,
    strength_in_words,
)

if TYPE_CHECKING:
    from understudy.probing.perturbations.results import BlindSpot, Perturbations, Response
    from understudy.probing.results import Probe

_MOST_ERRORS = 15  # in the terminal
_EXAMPLES = 3
_VERDICTS = {BLIND: "▼", UNDECIDED: "≈"}

Named = list[tuple[str, Grid]]
Error = tuple[str, "float | None"]  # an error and its strength


def response_grids(found: Probe, perturbations: Perturbations, digits: int) -> Named:
    """The blind spots, the harmless changes, and examples of what the first metric does not notice."""
    named = []
    if perturbations.blind_spots:
        named.append(("Blind spots", blind_spots_grid(found, perturbations, most=_MOST_ERRORS)))
    harmless = [facts.name for facts in perturbations.facts if facts.harmless]
    if harmless:
        named.append(("Harmless changes", responses_grid(found, perturbations, harmless, digits)))
    examples = {each.perturbation: each for each in perturbations.examples}
    blind = [
        spot.perturbation
        for spot in perturbations.blind_spots
        if spot.metric == 0 and spot.verdict == BLIND and spot.perturbation in examples
    ]
    shown = [perturbed_example(found, examples[name]) for name in dict.fromkeys(blind)][:_EXAMPLES]
    if shown:
        label = metric_labels(found.metrics)[0]
        named.append((f"Examples of blind spots of {label}", example_grid(shown, digits)))
    return named


def ranked_errors(perturbations: Perturbations) -> list[Error]:
    """Every error once, at the highest strength to which a metric is blind, else at the lowest; first those to which a
    metric is blind, by the share of segments in which that metric notices them.
    """
    spots: dict[str, list[BlindSpot]] = {}
    for spot in perturbations.blind_spots:
        spots.setdefault(spot.perturbation, []).append(spot)
    chosen = []
    for name, of_error in spots.items():
        blind = [spot for spot in of_error if spot.verdict == BLIND]
        strengths = [spot.strength or 0.0 for spot in blind or of_error]
        strength = max(strengths) if blind else min(strengths)
        here = [spot for spot in of_error if (spot.strength or 0.0) == strength]
        least = min(spot.below_harmless.value for spot in here)
        chosen.append((not blind, least, name, here[0].strength))
    return [(name, strength) for _, _, name, strength in sorted(chosen, key=lambda each: each[:3])]


def blind_spots_grid(
    found: Probe, perturbations: Perturbations, errors: Sequence[Error] = (), *, most: int | None = None
) -> Grid:
    """Errors by metrics: in how many segments an error costs more than harmless changes. `most` shows so many of the
    errors to which a metric is blind, or the least noticed if there are none.
    """
    spots = {(spot.perturbation, spot.strength, spot.metric): spot for spot in perturbations.blind_spots}
    every = list(errors) or ranked_errors(perturbations)
    metrics = range(len(found.metrics))
    blind = [
        error
        for error in every
        if any((spot := spots.get((*error, metric))) and spot.verdict == BLIND for metric in metrics)
    ]
    rows = every if most is None else (blind or every)[:most]
    columns = [GridColumn(("error",), [name for name, _ in rows], numeric=False), *_strengths(rows)]
    for metric, label in enumerate(metric_labels(found.metrics)):
        of_metric = [spots.get((*row, metric)) for row in rows]
        columns.append(
            GridColumn(
                (label,),
                [_below(spot) for spot in of_metric],
                marks=tuple("" if spot is None else _VERDICTS.get(spot.verdict, "") for spot in of_metric),
            )
        )
    left_out = perturbations.left_out
    return Grid(
        columns,
        [
            *([f"{len(rows)} of {len(every)} errors are shown, the least noticed first."] if most else []),
            f"Share of segments in which the error costs more than harmless changes, {found.plan.confidence:.0%} CI "
            "(bootstrap resamples of segments, not corrected for the number of errors). 50%: no difference.",
            "▼ blind spot, ≈ undecided; without a mark: the metric notices the error.",
            *(
                [f"{len(left_out)} perturbations were not applied: {_reasons(perturbations)}."]
                if left_out
                else []
            ),
        ],
        caption="Errors compared with harmless changes of the same segments.",
    )


def _reasons(perturbations: Perturbations) -> str:
    by_reason: dict[str, list[str]] = {}
    for name, reason in perturbations.left_out.items():
        by_reason.setdefault(reason.rstrip("."), []).append(name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in by_reason.items())


def _below(spot: BlindSpot | None) -> str:
    if spot is None:
        return "–"
    return percent_with_interval(spot.below_harmless.value, spot.below_harmless.interval)


def _strengths(rows: Sequence[Error]) -> list[GridColumn]:
    if all(strength is None for _, strength in rows):
        return []
    return [GridColumn(("strength",), [strength_in_words(strength) for _, strength in rows])]


def responses_grid(found: Probe, perturbations: Perturbations, names: Sequence[str], digits: int) -> Grid:
    """The difference and the share of worse scores, by perturbation and strength."""
    by_place: dict[tuple[str, float | None, int], Response] = {
        (each.perturbation, each.strength, each.metric): each for each in perturbations.responses
    }
    rows = [
        row for row in dict.fromkeys((name, strength) for name, strength, _ in by_place) if row[0] in names
    ]
    columns = [
        GridColumn(("change",), [name for name, _ in rows], numeric=False),
        *_strengths(rows),
        GridColumn(("segments",), [f"{by_place[(*row, 0)].changed:,}" for row in rows]),
    ]
    for metric, label in enumerate(metric_labels(found.metrics)):
        of_metric = [by_place[(*row, metric)] for row in rows]
        columns += [
            GridColumn((label, "difference"), [signed(each.difference.value, digits) for each in of_metric]),
            GridColumn((label, "worse"), [percent(each.worse.value) for each in of_metric]),
        ]
    corpus = found.plan.level == "corpus"
    difference = "difference of the corpus scores" if corpus else "mean difference of the segment scores"
    return Grid(
        columns,
        [
            f"difference: {difference}, changed minus original; worse: share of segments that the metric scores "
            "worse."
        ],
        caption="Responses to changes.",
    )

"""The responses of metrics to perturbations as tables: errors compared with harmless changes, and all strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.probing.perturbations.blind_spots import FEWEST_SEGMENTS, NOTICED
from understudy.probing.perturbations.catalog import UNKNOWN_LANGUAGE
from understudy.probing.perturbations.results import BLIND, UNDECIDED
from understudy.report.grid import Grid, GridColumn
from understudy.report.probe_examples import example_grid, perturbed_example
from understudy.report.probe_wording import (
    metric_labels,
    percent,
    percent_with_interval,
    signed,
    signed_with_interval,
    strength_in_words,
)
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.probing.perturbations.results import (
        BlindSpot,
        HarmlessComparison,
        Perturbations,
        Response,
    )
    from understudy.probing.results import Probe

_MOST_ERRORS = 12  # in the terminal
_EXAMPLES = 3
_REWORDING = "paraphrase"  # the group of harmless changes that say the same in other words
_GRAVE = ("facts", "meaning")  # groups of errors that change what a text says
_VERDICTS = {BLIND: "▼", UNDECIDED: "≈"}

Named = list[tuple[str, Grid]]
Error = tuple[str, "float | None"]  # an error and its strength


def response_grids(found: Probe, perturbations: Perturbations, digits: int) -> Named:
    """The blind spots, the harmless changes, and examples of what the first metric does not notice."""
    named = []
    if perturbations.blind_spots:
        named.append(("Blind spots", blind_spots_grid(found, perturbations, most=_MOST_ERRORS)))
    if (rewording := closest_rewording(perturbations, 0)) is not None:
        errors = errors_beside(perturbations, rewording)
        table = blind_spots_grid(found, perturbations, errors, harmless=rewording, most=_MOST_ERRORS)
        named.append((f"Errors compared with {rewording}", table))
    harmless = [facts.name for facts in perturbations.facts if facts.harmless]
    if harmless:
        strongest = responses_grid(found, perturbations, harmless, digits, strongest=True)
        named.append(("Harmless changes", strongest))
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


def rewordings(perturbations: Perturbations) -> list[str]:
    """The harmless changes that say the same in other words."""
    compared = {each.harmless for spot in perturbations.blind_spots for each in spot.beside}
    return [
        facts.name for facts in perturbations.facts if facts.group == _REWORDING and facts.name in compared
    ]


def closest_rewording(perturbations: Perturbations, metric: int) -> str | None:
    """The rewording than which most errors cost no more under a metric; None if there is no such error."""
    missed = {
        name: sum(
            (compared := beside(spot, name)) is not None and compared.verdict == BLIND
            for spot in perturbations.blind_spots
            if spot.metric == metric
        )
        for name in rewordings(perturbations)
    }
    most = max(missed, key=missed.__getitem__, default=None)
    return most if most is not None and missed[most] else None


def beside(spot: BlindSpot | None, harmless: str) -> HarmlessComparison | None:
    """An error compared with one harmless change, if enough segments have both."""
    if spot is None:
        return None
    return next(
        (each for each in spot.beside if each.harmless == harmless and each.segments >= FEWEST_SEGMENTS), None
    )


def errors_beside(perturbations: Perturbations, harmless: str) -> list[Error]:
    """Every error at its lowest strength that can be compared with a harmless change; errors of fact and of meaning
    first, then by the smallest share of segments in which a metric scores the error worse.
    """
    groups = {facts.name: facts.group for facts in perturbations.facts}
    lowest: dict[str, float] = {}
    for spot in perturbations.blind_spots:
        lowest[spot.perturbation] = min(lowest.get(spot.perturbation, 1.0), spot.strength or 0.0)
    shares: dict[Error, float] = {}
    for spot in perturbations.blind_spots:
        compared = beside(spot, harmless)
        if compared is not None and (spot.strength or 0.0) == lowest[spot.perturbation]:
            error = (spot.perturbation, spot.strength)
            shares[error] = min(shares.get(error, 1.0), compared.below_harmless.value)
    return sorted(shares, key=lambda error: (groups.get(error[0]) not in _GRAVE, shares[error], error[0]))


def blind_spots_grid(
    found: Probe,
    perturbations: Perturbations,
    errors: Sequence[Error] = (),
    *,
    harmless: str | None = None,
    most: int | None = None,
) -> Grid:
    """Errors by metrics: in how many segments an error costs more than harmless changes, or than one of them; for
    corpus scores, how much more. `most` shows the first of the errors, without those that all metrics notice.
    """
    spots = {(spot.perturbation, spot.strength, spot.metric): spot for spot in perturbations.blind_spots}
    every = list(errors) or ranked_errors(perturbations)
    rows = every
    if most is not None:
        metrics = range(len(found.metrics))
        missed = [
            error
            for error in every
            if any(_verdict(spots.get((*error, metric)), harmless) == BLIND for metric in metrics)
        ]
        rows = (missed or every)[:most]
    columns = [GridColumn(("error",), [name for name, _ in rows], numeric=False), *_strengths(rows)]
    for metric, label in enumerate(metric_labels(found.metrics)):
        of_metric = [spots.get((*row, metric)) for row in rows]
        columns.append(
            GridColumn(
                (label,),
                [_cost(spot, harmless, found.plan.level) for spot in of_metric],
                marks=tuple(_VERDICTS.get(_verdict(spot, harmless), "") for spot in of_metric),
            )
        )
    shown = (
        [f"{len(rows)} of {number_of(len(every), 'error')} shown, the least noticed first."] if most else []
    )
    changes = "harmless changes" if harmless is None else in_words(perturbations, harmless)
    resamples = (
        f"{found.plan.confidence:.0%} CI (bootstrap resamples of segments, not corrected for the number of "
        "errors)"
    )
    if found.plan.level == "corpus":
        threshold = "0"
        notes = [
            *shown,
            f"How much more the error costs than {changes}, in points of the corpus score, {resamples}.",
        ]
    else:
        threshold = f"{NOTICED:.0%}"
        notes = [
            *shown,
            f"Share of segments in which the error costs more than {changes}, {resamples}. 50%: no difference.",
        ]
    undecided = f"≈ undecided: above and below, or fewer than {FEWEST_SEGMENTS} segments; without a mark: "
    if harmless is None:
        notes.append(
            f"▼ blind spot: the CI is not above {threshold}; {undecided}the metric notices the error."
        )
        if perturbations.left_out:
            left_out = number_of(len(perturbations.left_out), "perturbation")
            notes.append(f"Not applied: {left_out}: {_reasons(perturbations)}.")
    else:
        notes.append(
            f"▼ costs no more than {harmless}: the CI is not above {threshold}; {undecided}costs more."
        )
    return Grid(columns, notes, caption=f"Errors compared with {changes}.")


def in_words(perturbations: Perturbations, harmless: str) -> str:
    """A harmless change; one with strengths is compared at the strength that is closest in size to the error."""
    graded = any(facts.name == harmless and facts.graded for facts in perturbations.facts)
    return f"{harmless} of similar size" if graded else harmless


def _reasons(perturbations: Perturbations) -> str:
    """Each reason once. For want of a language, a dozen lists are missing, with one remedy."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in perturbations.left_out.items():
        unknown = reason.endswith(UNKNOWN_LANGUAGE)
        short = (
            f"it needs a word list, WordNet or a parser, and {UNKNOWN_LANGUAGE}"
            if unknown
            else reason.rstrip(".")
        )
        by_reason.setdefault(short, []).append(name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in by_reason.items())


def _cost(spot: BlindSpot | None, harmless: str | None, level: str) -> str:
    """What the verdict is based on."""
    compared = spot if harmless is None else beside(spot, harmless)
    if compared is None:
        return "–"
    if level == "corpus":
        return signed_with_interval(compared.excess.value, compared.excess.interval)
    return percent_with_interval(compared.below_harmless.value, compared.below_harmless.interval)


def _verdict(spot: BlindSpot | None, harmless: str | None) -> str:
    compared = spot if harmless is None else beside(spot, harmless)
    return "" if compared is None else compared.verdict


def _strengths(rows: Sequence[Error]) -> list[GridColumn]:
    if all(strength is None for _, strength in rows):
        return []
    return [GridColumn(("strength",), [strength_in_words(strength) for _, strength in rows])]


def responses_grid(
    found: Probe, perturbations: Perturbations, names: Sequence[str], digits: int, *, strongest: bool = False
) -> Grid:
    """The difference and the share of worse scores, by perturbation and strength, or at the highest strength only."""
    by_place: dict[tuple[str, float | None, int], Response] = {
        (each.perturbation, each.strength, each.metric): each for each in perturbations.responses
    }
    rows = [
        row for row in dict.fromkeys((name, strength) for name, strength, _ in by_place) if row[0] in names
    ]
    if strongest:
        rows = list(dict(sorted(rows, key=lambda row: row[1] or 0.0)).items())
        rows.sort(key=lambda row: names.index(row[0]))
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

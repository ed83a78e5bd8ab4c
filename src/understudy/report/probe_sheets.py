"""The results of `probe` for programs: JSON values and tables, at full precision."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from understudy.report.json_values import plain
from understudy.report.probe_wording import exact_permutations
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.probing.permutations.bounds import PermutationBounds
    from understudy.probing.perturbations.results import Estimate, Perturbations
    from understudy.probing.results import Probe
    from understudy.probing.search.results import Searches
    from understudy.probing.variants.results import Variants

_REPEATED = ("tokens",)  # what the tokenizer makes of a text that is there itself
_PRECISE = 2**53  # spreadsheets hold integers below it exactly


def as_data(found: Probe) -> dict[str, Any]:
    """Everything, as JSON can hold it. Segments are counted from 1; metrics are named by their spec."""
    specs = [metric.spec for metric in found.metrics]
    return {
        "understudy": __version__,
        "plan": plain(found.plan),
        "system": found.system,
        "segments": found.segments,
        "metrics": [
            {
                "metric": metric.label,
                "spec": metric.spec,
                "value": plain(score.value),
                "signature": str(score.signature),
            }
            for metric, score in zip(found.metrics, found.scores, strict=True)
        ],
        **({} if found.permutations is None else {"permutations": _of_bounds(found.permutations)}),
        **({} if found.variants is None else {"variants": _named(found.variants, specs)}),
        **({} if found.perturbations is None else {"perturbations": _named(found.perturbations, specs)}),
        **({} if found.search is None else {"search": _named(found.search, specs)}),
    }


def _of_bounds(bounds: PermutationBounds) -> dict[str, Any]:
    return {
        "tokenizer": bounds.tokenizer,
        "segments": [
            {
                "segment": bound.segment + 1,
                "k": bound.length,
                "b": bound.matches,
                "permutations": exact_permutations(bound),
                "log10": bound.log10,
                "distinct": bound.distinct,
                "sites": bound.sites,
            }
            for bound in bounds.segments
        ],
    }


def _named(value: Any, specs: list[str]) -> Any:
    """As JSON values, with segments from 1 and the specs of metrics instead of positions."""
    if hasattr(value, "__dataclass_fields__"):
        return {
            field.name: getattr(value, field.name) + 1
            if field.name == "segment"
            else specs[getattr(value, field.name)]
            if field.name == "metric"
            else _named(getattr(value, field.name), specs)
            for field in fields(value)
            if field.name not in _REPEATED
        }
    if isinstance(value, (list, tuple)):
        return [_named(item, specs) for item in value]
    return plain(value)


# --- tables ------------------------------------------------------------------------------------------------


def as_sheets(found: Probe) -> list[Sheet]:
    """The tables of the parts that there are, in their order."""
    specs = tuple(metric.spec for metric in found.metrics)
    sheets: list[Sheet] = []
    if found.permutations is not None:
        sheets.append(_permutations(found.permutations))
    if found.variants is not None:
        sheets += _variants(found.variants, specs)
    if found.perturbations is not None:
        sheets += _perturbations(found.perturbations, specs)
    if found.search is not None:
        sheets += _searches(found.search, specs)
    return sheets


def _permutations(bounds: PermutationBounds) -> Sheet:
    return Sheet(
        "permutations",
        ("segment", "k", "b", "permutations", "log10", "distinct", "sites"),
        [
            (
                *(bound.segment + 1, bound.length, bound.matches, _whole(exact_permutations(bound))),
                *(bound.log10, _whole(bound.distinct), bound.sites),
            )
            for bound in bounds.segments
        ],
    )


def _whole(number: int | None) -> int | str | None:
    """As text where a spreadsheet would round it."""
    return number if number is None or number < _PRECISE else str(number)


def _variants(variants: Variants, specs: tuple[str, ...]) -> list[Sheet]:
    texts: list[tuple[Any, ...]] = []
    for segment in variants.segments:
        if segment.variants:
            texts.append((segment.segment + 1, "hypothesis", *segment.scores, segment.hypothesis))
        texts += [(each.segment + 1, each.construction, *each.scores, each.text) for each in segment.variants]
    noticed = [
        (
            *(each.construction, specs[each.metric], each.segments, each.variants, each.scored_lower),
            *(*_ends(each.interval), each.mean_difference),
        )
        for each in variants.notices
    ]
    corpora: list[tuple[Any, ...]] = [("system", None, *variants.system_scores)]
    corpora += [(each.construction, each.replaced, *each.scores) for each in variants.corpora]
    columns = ("construction", "metric", "segments", "variants", "scored_lower", "low", "high", "difference")
    return [
        Sheet("variants", ("segment", "construction", *specs, "text"), texts),
        Sheet("noticed variants", columns, noticed),
        Sheet("variant corpora", ("construction", "replaced", *specs), corpora),
    ]


def _perturbations(perturbations: Perturbations, specs: tuple[str, ...]) -> list[Sheet]:
    harmless = {facts.name: facts.harmless for facts in perturbations.facts}
    responses = [
        (
            *(
                each.perturbation,
                harmless[each.perturbation],
                each.strength,
                specs[each.metric],
                each.changed,
            ),
            *(*_numbers(each.difference), each.corpus_difference, *_numbers(each.worse)),
            *(each.tied, each.better),
        )
        for each in perturbations.responses
    ]
    blind = [
        (
            *(each.perturbation, each.strength, specs[each.metric], each.segments, each.verdict),
            *(*_numbers(each.below_harmless), *_numbers(each.excess)),
            *(*_numbers(each.sensitivity), *_numbers(each.false_alarms)),
        )
        for each in perturbations.blind_spots
    ]
    examples: list[tuple[Any, ...]] = []
    for each in perturbations.examples:
        where = (each.perturbation, each.strength, each.segment + 1)
        examples.append((*where, "before", *each.scores_before, each.before))
        examples.append((*where, "after", *each.scores_after, each.after))
    left_out = list(perturbations.left_out.items())
    return [
        Sheet(
            "responses",
            (
                *("perturbation", "harmless", "strength", "metric", "segments", *_bounded("difference")),
                *("corpus_difference", *_bounded("worse"), "tied", "better"),
            ),
            responses,
        ),
        Sheet(
            "blind spots",
            (
                *("perturbation", "strength", "metric", "segments", "verdict", *_bounded("below_harmless")),
                *(*_bounded("excess"), *_bounded("sensitivity"), *_bounded("false_alarms")),
            ),
            blind,
        ),
        Sheet(
            "perturbed examples", ("perturbation", "strength", "segment", "when", *specs, "text"), examples
        ),
        *([Sheet("left out", ("perturbation", "reason"), left_out)] if left_out else []),
    ]


def _searches(searches: Searches, specs: tuple[str, ...]) -> list[Sheet]:
    steps: list[tuple[Any, ...]] = []
    for number, each in enumerate(searches.searches, start=1):
        where = (number, specs[each.metric], each.goal, each.segment + 1)
        steps.append((*where, 0, each.start_name, each.start_score, None, each.start))
        steps += [
            (*where, place, step.edit, step.score, step.badness, step.text)
            for place, step in enumerate(each.steps, start=1)
        ]
    columns = ("search", "metric", "goal", "segment", "step", "edit", "score", "badness", "text")
    return [
        Sheet(
            "searches",
            (
                *("search", "metric", "goal", "segment", "system_score", "score", "edits", "scored", "ended"),
                *("judged_by", "badness", "text"),
            ),
            [
                (
                    *(number, specs[each.metric], each.goal, each.segment + 1, each.system_score, each.score),
                    *(len(each.steps), each.scored, each.ended, ", ".join(each.judged_by) or None),
                    *(each.badness, each.text),
                )
                for number, each in enumerate(searches.searches, start=1)
            ],
        ),
        Sheet("search steps", columns, steps),
    ]


def _bounded(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _numbers(estimate: Estimate) -> tuple[float, float | None, float | None]:
    return estimate.value, *_ends(estimate.interval)


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)

"""The findings of `probe`, in sentences: what a metric does not notice, why, and what to use instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from understudy.probing.perturbations.blind_spots import FEWEST_SEGMENTS
from understudy.probing.perturbations.results import BLIND, SENSITIVE, UNDECIDED
from understudy.report.grid import printable
from understudy.report.probe_examples import (
    Example,
    perturbed_example,
    search_example,
    variant_examples,
)
from understudy.report.probe_response_tables import beside, closest_rewording, errors_beside, in_words
from understudy.report.probe_wording import (
    metric_labels,
    percent,
    percent_with_interval,
    shown_count,
    shown_permutations,
    signed,
    signed_with_interval,
    strength_in_words,
)
from understudy.wording import listed, number_of

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.probing.permutations.bounds import PermutationBounds
    from understudy.probing.perturbations.results import (
        BlindSpot,
        Estimate,
        HarmlessComparison,
        PerturbationFacts,
        Response,
    )
    from understudy.probing.results import Probe
    from understudy.probing.search.results import Search
    from understudy.probing.variants.results import Notice

HALF = 0.5
_NAMED = 3  # blind spots named in a line
_MILLION = 6  # as a logarithm: the paper speaks of millions of variants

_CONSTRUCTIONS = {
    "permuted blocks": (
        "The blocks between bigram mismatches are in another order. No matching n-gram is lost.",
        "metrics that penalize word order, such as TER, RIBES, CDER and METEOR",
    ),
    "replaced words": (
        "Words that occur in no reference are replaced by arbitrary words. They matched nothing before, either.",
        "metrics that compare parts of words or meanings: chrF, METEOR with synonyms, learned metrics",
    ),
    "reference n-grams": (
        "The text is composed of n-grams from several references, up to the match counts of the hypothesis. "
        "Nothing requires the matches to come from one reference, or a part of the source to be translated only once.",
        "metrics that align the hypothesis with one reference, such as TER and METEOR",
    ),
}
_OF_GROUP = {
    "words": "metrics with recall (chrF, METEOR, ROUGE) for missing words, TER for added and repeated words",
    "facts": "a separate check of numbers and names against the source, or MQM annotation",
    "meaning": "learned metrics, or MQM annotation",
    "segments": "the length ratio and metrics with recall, and a check of the output language",
    "surface": "other settings of letter case and tokenization",
}
_OF_HARMLESS = {
    "paraphrase": "Use several references, or a metric that accepts synonyms and paraphrases (METEOR, learned "
    "metrics).",
    "typography": "Write quotation marks, full stops, digits and Unicode alike in hypotheses and references before "
    "scoring.",
}
PEOPLE = "Human evaluation (understudy judge) detects such errors."


@dataclass(frozen=True)
class Finding:
    """One result, from one line to the whole explanation."""

    part: str  # permutations, variants, perturbations or search
    line: str  # all of it in one sentence
    reason: str  # why it is so
    instead: str  # what to use
    examples: tuple[Example, ...] = ()


def findings(found: Probe) -> list[Finding]:
    """In the order of the parts."""
    return [
        *([_of_permutations(found, found.permutations)] if found.permutations else []),
        *_of_variants(found),
        *_of_perturbations(found),
        *_of_searches(found),
    ]


# --- permutations ------------------------------------------------------------------------------------------


def _of_permutations(found: Probe, bounds: PermutationBounds) -> Finding:
    largest = bounds.largest
    logs = [bound.log10 for bound in bounds.segments]
    millions = sum(log >= _MILLION for log in logs)
    ranked = sorted(bounds.segments, key=lambda bound: bound.length - bound.matches)
    median = f" (median: {shown_permutations(ranked[(len(ranked) - 1) // 2])})" if len(ranked) > 1 else ""
    number = f"segment {largest.segment + 1}"
    distinct = "" if largest.distinct is None else f", of which {shown_count(largest.distinct)} are different"
    reason = (
        "BLEU counts matching n-grams, wherever they occur. The blocks between bigram mismatches can be in any order "
        f"without losing a match (Callison-Burch et al. 2006, section 3.1). In {number}, k = {largest.length} tokens "
        f"and b = {largest.matches} bigram matches give (k - b)! = {shown_permutations(largest)} permutations"
        f"{distinct}. {percent(millions / len(logs))} of the segments have a million permutations or more. The blocks "
        f"of {number}: {printable(largest.sites)}"
    )
    if largest.length - largest.matches < 2:
        line = "BLEU: no hypothesis has blocks that can be permuted without losing a matching bigram."
        return Finding("permutations", line, "All bigrams of all hypotheses match a reference.", "")
    return Finding(
        "permutations",
        f"BLEU admits {shown_permutations(largest)} word orders of {number} at no worse score{median}.",
        reason,
        _instead(_noticed_permutations(found), _CONSTRUCTIONS["permuted blocks"][1]),
    )


# --- variants ----------------------------------------------------------------------------------------------


def _of_variants(found: Probe) -> list[Finding]:
    if found.variants is None:
        return []
    labels = metric_labels(found.metrics)
    examples = {example.title.partition(",")[0]: example for example in variant_examples(found)}
    made = []
    for construction in dict.fromkeys(notice.construction for notice in found.variants.notices):
        of_target, *others = [each for each in found.variants.notices if each.construction == construction]
        if not of_target.variants:
            continue
        why, kinds = _CONSTRUCTIONS[construction]
        score = "scores" if of_target.variants == 1 else "score"
        line = f"{labels[0]}: {number_of(of_target.variants, 'variant')} ({construction}) {score} no worse."
        if others:
            lower = [f"{labels[each.metric]} {percent(each.scored_lower)}" for each in others]
            line += f" Scored worse by {some(lower, _NAMED)}."
        shown = [examples[construction]] if construction in examples else []
        made.append(
            Finding(
                "variants",
                line,
                f"{why} Each variant is verified by scoring.",
                _instead(_noticed_variants(labels, others), kinds),
                tuple(shown),
            )
        )
    return made


def _noticed_permutations(found: Probe) -> str:
    """Permutations are only counted; their scores are those of the variants with permuted blocks."""
    notices = found.variants.notices if found.variants else ()
    scored = [each for each in notices if each.construction == "permuted blocks" and each.variants]
    return _noticed_variants(metric_labels(found.metrics), scored[1:])


def _noticed_variants(labels: Sequence[str], others: Sequence[Notice]) -> str:
    """Which metrics other than the first score most variants worse; empty without other metrics."""
    if not others:
        return ""
    noticing = [labels[each.metric] for each in others if _is_majority(each)]
    return (
        f"{listed(noticing)} noticed most of them here."
        if noticing
        else "None of the other metrics here noticed most of them."
    )


def _is_majority(notice: Notice) -> bool:
    return _lowest(notice.scored_lower, notice.interval) > HALF


# --- perturbations -----------------------------------------------------------------------------------------


def _of_perturbations(found: Probe) -> list[Finding]:
    if found.perturbations is None:
        return []
    made = []
    for metric in range(len(found.metrics)):
        spots = [spot for spot in found.perturbations.blind_spots if spot.metric == metric]
        if spots:
            made += [_of_blind_spots(found, metric, spots), *_of_rewordings(found, metric, spots)]
    return made + _of_false_alarms(found)


def _of_blind_spots(found: Probe, metric: int, spots: Sequence[BlindSpot]) -> Finding:
    assert found.perturbations is not None
    label = metric_labels(found.metrics)[metric]
    errors = list(dict.fromkeys(spot.perturbation for spot in spots))
    blind = [spot for spot in spots if spot.verdict == BLIND]
    if not blind:
        return _of_no_blind_spot(found, label, spots, errors)
    strongest = _strongest(blind)
    first = strongest[0]
    examples = {each.perturbation: each for each in found.perturbations.examples}
    return Finding(
        "perturbations",
        f"{label} is blind to {len(strongest)} of {number_of(len(errors), 'error')}: "
        f"{some([_with_strength(spot) for spot in strongest], _NAMED)}.",
        f"{_beside_harmless(found, first, label)} {label} scores {_shown(first.sensitivity)} of the errors worse than "
        f"the original, and {_shown(first.false_alarms)} of the harmless changes.",
        _instead(_noticed_errors(found, strongest), _kinds(found.perturbations.facts, strongest)),
        tuple(
            perturbed_example(found, examples[spot.perturbation])
            for spot in strongest
            if spot.perturbation in examples
        )[:_NAMED],
    )


def _strongest(blind: Sequence[BlindSpot]) -> list[BlindSpot]:
    """Each error once, at the highest strength to which the metric is blind."""
    highest: dict[str, BlindSpot] = {}
    for spot in blind:
        known = highest.setdefault(spot.perturbation, spot)
        if (spot.strength or 0.0) > (known.strength or 0.0):
            highest[spot.perturbation] = spot
    return list(highest.values())


def _noticed_errors(found: Probe, blind: Sequence[BlindSpot]) -> str:
    """Which of the errors that one metric does not notice the others do; empty without other metrics."""
    assert found.perturbations is not None
    labels = metric_labels(found.metrics)
    if len(labels) == 1:
        return ""
    sensed = {
        (spot.metric, spot.perturbation, spot.strength)
        for spot in found.perturbations.blind_spots
        if spot.verdict == SENSITIVE
    }
    noticed = []
    for metric, label in enumerate(labels):
        names = [_named(spot) for spot in blind if (metric, spot.perturbation, spot.strength) in sensed]
        if len(names) == len(blind):
            noticed.append(f"{label} notices {'it' if len(names) == 1 else 'all of them'} here")
        elif names:
            noticed.append(f"{label} notices {len(names)} of them here ({some(names, _NAMED)})")
    if noticed:
        return f"{'; '.join(noticed)}."
    return f"None of the other metrics here notices {'it' if len(blind) == 1 else 'any of them'}."


def _kinds(facts: Sequence[PerturbationFacts], blind: Sequence[BlindSpot]) -> str:
    """What notices errors of their groups; an error of each group is named if there are several."""
    groups = {each.name: each.group for each in facts}
    first: dict[str, str] = {}
    for spot in blind:
        first.setdefault(groups.get(spot.perturbation, "meaning"), spot.perturbation)
    if len(first) == 1:
        return _OF_GROUP[next(iter(first))]
    return "; ".join(f"{_OF_GROUP[group]} (for {name})" for group, name in first.items())


def _of_no_blind_spot(found: Probe, label: str, spots: Sequence[BlindSpot], errors: Sequence[str]) -> Finding:
    least = spots[0]
    if all(spot.verdict == UNDECIDED for spot in spots):
        return Finding(
            "perturbations",
            f"{label}: the data do not decide whether it notices "
            f"{errors[0] if len(errors) == 1 else f'any of {len(errors):,} errors'}.",
            f"The least noticed is {_named(least)}. {_beside_harmless(found, least, label)} A verdict needs at least "
            f"{FEWEST_SEGMENTS} segments with an error and a harmless change.",
            "Use more segments.",
        )
    undecided = {spot.perturbation for spot in spots if spot.verdict != SENSITIVE}
    noticed = len(errors) - len(undecided)
    return Finding(
        "perturbations",
        f"{label}: no blind spot among {number_of(len(errors), 'error')}; it notices {noticed} at all strengths.",
        f"The least noticed is {_named(least)}. {_beside_harmless(found, least, label)}",
        "Other errors than these may go unnoticed.",
    )


def _of_rewordings(found: Probe, metric: int, spots: Sequence[BlindSpot]) -> list[Finding]:
    """Errors that cost no more than saying the same in other words."""
    assert found.perturbations is not None
    if (name := closest_rewording(found.perturbations, metric)) is None:
        return []
    label = metric_labels(found.metrics)[metric]
    by_error = {(spot.perturbation, spot.strength): spot for spot in spots}
    compared = [
        (error[0], share)
        for error in errors_beside(found.perturbations, name)
        if (share := beside(by_error.get(error), name)) is not None
    ]
    missed = [(error, share) for error, share in compared if share.verdict == BLIND]
    if not missed:
        return []
    error, share = missed[0]
    examples = {each.perturbation: each for each in found.perturbations.examples}
    return [
        Finding(
            "perturbations",
            f"{label}: {len(missed)} of {number_of(len(compared), 'error')}, at the lowest strength, cost no more than "
            f"{name}: "
            f"{some([each for each, _ in missed], _NAMED)}.",
            f"{_compared(found, error, in_words(found.perturbations, name), share)} "
            f"{label} penalizes a correct rewording that no reference has.",
            f"Use more references, or metrics that accept rewordings (METEOR, learned metrics). {PEOPLE}",
            tuple(perturbed_example(found, examples[each]) for each in (error, name) if each in examples),
        )
    ]


def _beside_harmless(found: Probe, spot: BlindSpot, label: str) -> str:
    compared = _compared(found, _named(spot), "harmless changes of the same segments", spot)
    if found.plan.level == "corpus":
        return compared
    direction = "less" if spot.excess.value < 0 else "more"
    return f"{compared} On average it costs {abs(spot.excess.value):.2f} {label} {direction} than they do."


def _compared(found: Probe, error: str, harmless: str, cost: BlindSpot | HarmlessComparison) -> str:
    """How much more an error costs, in the numbers that the verdict is based on."""
    of_segments = f"of {number_of(cost.segments, 'segment')}"
    if found.plan.level == "corpus":
        more = signed_with_interval(cost.excess.value, cost.excess.interval)
        return f"{error} costs {more} more than {harmless}, in the corpus score {of_segments}."
    return f"{error} costs more than {harmless} in {_shown(cost.below_harmless)} {of_segments}, where 50% is chance."


def _of_false_alarms(found: Probe) -> list[Finding]:
    """By metric, the harmless change that it penalizes most."""
    assert found.perturbations is not None
    labels = metric_labels(found.metrics)
    harmless = {facts.name: facts for facts in found.perturbations.facts if facts.harmless}
    made = []
    for metric in range(len(found.metrics)):
        responses = [
            each
            for each in found.perturbations.responses
            if each.metric == metric and each.perturbation in harmless and each.changed >= FEWEST_SEGMENTS
        ]
        worst = max(responses, key=lambda each: each.worse.value, default=None)
        if worst is not None and worst.worse.value > HALF:
            made.append(_of_false_alarm(labels[metric], worst, harmless[worst.perturbation]))
    return made


def _of_false_alarm(label: str, response: Response, facts: PerturbationFacts) -> Finding:
    name = f"{facts.name} {strength_in_words(response.strength)}".rstrip()
    return Finding(
        "perturbations",
        f"{label}: false alarms: {name} is harmless, but {percent(response.worse.value)} of the segments score worse.",
        f"{facts.description} The mean difference is {signed(response.difference.value, 2)} {label}.",
        _OF_HARMLESS.get(facts.group, _OF_HARMLESS["paraphrase"]),
    )


# --- search ------------------------------------------------------------------------------------------------


def _of_searches(found: Probe) -> list[Finding]:
    if found.search is None:
        return []
    made = []
    for metric in range(len(found.metrics)):
        for goal, describe in (("best", _of_best), ("worst", _of_worst)):
            searches = [
                each
                for each in found.search.searches
                if each.metric == metric and each.goal == goal and _succeeded(found, each)
            ]
            if searches:
                made.append(describe(found, searches))
    return made


def _succeeded(found: Probe, search: Search) -> bool:
    """Whether it found a better text, or a worse one. A hypothesis that is a reference cannot be improved."""
    worth = found.metrics[search.metric].worth
    if search.goal == "worst":
        return (search.badness or 0.0) > 0
    return bool(search.steps) and worth(search.score) > worth(search.system_score)


def _of_best(found: Probe, searches: Sequence[Search]) -> Finding:
    metric = found.metrics[searches[0].metric]
    label = metric_labels(found.metrics)[searches[0].metric]
    best = max(searches, key=lambda each: metric.worth(each.score) - metric.worth(each.system_score))
    return Finding(
        "search",
        f"{label}: search improves segment {best.segment + 1} from {best.system_score:.2f} to {best.score:.2f}, by a "
        "text that is not a reference.",
        f"{number_of(len(best.steps), 'edit')} lead to a text that is not a reference; {best.scored:,} texts were "
        "scored. A system that is tuned on the metric can find such texts.",
        f"Tune and evaluate with different metrics. {PEOPLE}",
        (search_example(found, best),),
    )


def _of_worst(found: Probe, searches: Sequence[Search]) -> Finding:
    label = metric_labels(found.metrics)[searches[0].metric]
    worst = max(searches, key=lambda each: each.badness or 0.0)
    label_of = {
        metric.spec: name for metric, name in zip(found.metrics, metric_labels(found.metrics), strict=True)
    }
    names = [label_of.get(spec) or printable(spec) for spec in worst.judged_by]
    judges = listed(names)
    size = f"{worst.badness or 0.0:.1f}"
    badness, mean = (
        (f"{size} points",) * 2 if worst.in_points else (f"{size} SD", f"{size} SD of the segment scores")
    )
    falls = listed(
        [
            f"from {before:.2f} to {after:.2f} {name}"
            for name, before, after in zip(names, worst.system_judged, worst.judged, strict=True)
        ]
    )
    return Finding(
        "search",
        f"{label}: search makes segment {worst.segment + 1} worse by {badness} of other metrics, at no worse {label}.",
        f"{number_of(len(worst.steps), 'edit')} lead to the worst text by {judges} that {label} scores no worse than "
        f"the hypothesis ({worst.score:.2f} vs. {worst.system_score:.2f}). It changes {falls}: {mean} on "
        f"average. {worst.scored:,} texts were scored.",
        f"Use {judges} beside {label}. {PEOPLE}",
        (search_example(found, worst),),
    )


# --- parts of sentences ------------------------------------------------------------------------------------


def _instead(noticed: str, kinds: str) -> str:
    """What to use instead: `noticed` says which metrics noticed it here, `kinds` what does in general."""
    advice = f"{noticed} In general: {kinds}." if noticed else f"Use {kinds}."
    return f"{advice} {PEOPLE}"


def some(names: Sequence[str], most: int) -> str:
    """
    >>> some(["a", "b"], 3), some(["a", "b", "c"], 2)
    ('a, b', 'a, b and 1 more')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _named(spot: BlindSpot) -> str:
    return f"{spot.perturbation} {strength_in_words(spot.strength)}".rstrip()


def _with_strength(spot: BlindSpot) -> str:
    return f"{spot.perturbation} ({strength_in_words(spot.strength)})" if spot.strength else spot.perturbation


def _shown(estimate: Estimate) -> str:
    return percent_with_interval(estimate.value, estimate.interval)


def _lowest(value: float, interval: Interval | None) -> float:
    return value if interval is None else interval.low

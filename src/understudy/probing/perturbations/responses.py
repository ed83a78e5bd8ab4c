"""The responses of metrics to perturbations."""

from __future__ import annotations

import numpy as np

from understudy.arrays import untied
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.metrics.base.score import Interval
from understudy.metrics.base.statistics import Statistics
from understudy.probing.perturbations.applied import (
    NONE,
    AppliedPerturbation,
    apply_perturbation,
    perturbable_segments,
    replaced_rows,
)
from understudy.probing.perturbations.blind_spots import blind_spots_of, ranked
from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.examples import telling_example
from understudy.probing.perturbations.perturbation import Perturbation, Segment
from understudy.probing.perturbations.results import (
    BlindSpot,
    Estimate,
    Perturbations,
    PerturbedExample,
    Response,
)
from understudy.probing.perturbations.segment_bootstrap import SegmentBootstrap
from understudy.probing.perturbations.tags import with_tags
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap
from understudy.resampling.samples import bootstrap_scores
from understudy.syntax.parsing import is_auto
from understudy.syntax.tree_columns import parser_named


def perturbed(system: ProbedSystem, plan: ProbePlan) -> Perturbations:
    """Apply every perturbation and score the result with every metric."""
    perturbations, left_out = _chosen_perturbations(system, plan)
    perturbations, segments = _tagged_if_used(
        perturbations, perturbable_segments(system, plan.seed), system, plan, left_out
    )
    bootstrap = SegmentBootstrap(len(segments), plan.samples, plan.seed, plan.confidence)
    harmless = {
        perturbation.facts.name: apply_perturbation(perturbation, segments, system, plan)
        for perturbation in perturbations
        if perturbation.facts.harmless
    }
    responses: list[Response] = []
    blind_spots: list[BlindSpot] = []
    examples: list[PerturbedExample] = []
    facts = []
    finished = 0
    for number, perturbation in enumerate(perturbations, start=1):
        name = perturbation.facts.name
        applied = harmless.get(name) or apply_perturbation(perturbation, segments, system, plan)
        if applied.texts:
            facts.append(perturbation.facts)
            responses += _responses_to(applied, plan, bootstrap)
            examples.append(telling_example(applied))
        else:
            left_out[name] = "no segment has anything that it changes"
        if not perturbation.facts.harmless:
            blind_spots += blind_spots_of(applied, list(harmless.values()), plan, bootstrap)
        system.progress(number * len(segments) // len(perturbations) - finished)
        finished = number * len(segments) // len(perturbations)
    return Perturbations(
        tuple(facts), tuple(responses), ranked(blind_spots, plan.level), tuple(examples), left_out
    )


def _chosen_perturbations(system: ProbedSystem, plan: ProbePlan) -> tuple[list[Perturbation], dict[str, str]]:
    """The requested perturbations and all harmless ones, which errors are compared with; and by name why others are
    left out.
    """
    available, left_out = catalog(
        system.language,
        sources=system.sources is not None,
        references=system.grouped.counts[1],
        parser=plan.parser,
    )
    names = [perturbation.facts.name for perturbation in available]
    for name in plan.perturbations:
        if name in left_out:
            raise BadParameter(f"perturbation '{name}' cannot be applied: {left_out[name]}.")
        if name not in names:
            raise BadParameter(f"unknown perturbation '{name}'. {did_you_mean(name, [*names, *left_out])}")
    if not plan.perturbations:
        asked = any(metric.follows_instructions for metric in system.metrics)
        return [each for each in available if asked or not each.for_language_models], dict(left_out)
    chosen = [
        perturbation
        for perturbation in available
        if perturbation.facts.harmless or perturbation.facts.name in plan.perturbations
    ]
    return chosen, {}


def _tagged_if_used(
    perturbations: list[Perturbation],
    segments: list[Segment],
    system: ProbedSystem,
    plan: ProbePlan,
    left_out: dict[str, str],
) -> tuple[list[Perturbation], list[Segment]]:
    """The segments with part-of-speech tags if a perturbation uses them. If the parser that was found, rather than
    named, does not tag them, these perturbations are left out.
    """
    using = [each.facts.name for each in perturbations if each.uses_tags]
    if not using:
        return perturbations, segments
    try:
        parser = parser_named(plan.parser, system.language or "en")
        return perturbations, with_tags(segments, parser, system.threads)
    except BadInput as error:
        if plan.perturbations or not is_auto(plan.parser):
            raise
        left_out.update(dict.fromkeys(using, str(error).rstrip(".")))
        return [each for each in perturbations if not each.uses_tags], segments


def _responses_to(
    applied: AppliedPerturbation, plan: ProbePlan, bootstrap: SegmentBootstrap
) -> list[Response]:
    """The responses of every metric, by strength."""
    applies = applied.text_of.T != NONE  # [segments, strengths]
    after = applied.scores[
        applied.text_of
    ]  # [strengths, segments, metrics]; anything where it does not apply
    differences = (after - applied.original_scores).transpose(1, 0, 2)
    signs = np.sign(untied(applied.worths[applied.text_of], applied.original_worths)).transpose(1, 0, 2)
    worse = bootstrap.shares((signs < 0).astype(np.float64), applies)
    means = bootstrap.means(differences, applies)
    of_corpus = _corpus_differences(applied, plan)
    found = []
    for place, strength in enumerate(applied.strengths):
        changed = int(applies[:, place].sum())
        if not changed:
            continue
        for metric in range(len(applied.system.metrics)):
            of_metric = signs[applies[:, place], place, metric]
            found.append(
                Response(
                    applied.facts.name,
                    strength,
                    metric,
                    changed,
                    of_corpus[place][metric] if plan.level == "corpus" else means[place][metric],
                    of_corpus[place][metric].value,
                    worse[place][metric],
                    float(np.mean(of_metric == 0)),
                    float(np.mean(of_metric > 0)),
                )
            )
    return found


def _corpus_differences(applied: AppliedPerturbation, plan: ProbePlan) -> list[list[Estimate]]:
    """Changed minus original corpus scores, by strength and metric; with an interval at level `corpus`."""
    systems = applied.system.metrics
    compared = [
        [original, *(_changed(applied, place, original, rows) for place in range(len(applied.strengths)))]
        for original, rows in zip(applied.originals, applied.statistics, strict=True)
    ]
    scores = [
        [float(metric.scores_of(statistics.sum())) for statistics in of_metric]
        for metric, of_metric in zip(systems, compared, strict=True)
    ]
    intervals: list[list[Interval | None]] = [[None] * len(applied.strengths) for _ in systems]
    if plan.level == "corpus" and len(applied.originals[0]) > 1:
        evidence = [
            Evidence.of_statistics(metric, [(str(run), each) for run, each in enumerate(of_metric)])
            for metric, of_metric in zip(systems, compared, strict=True)
        ]
        pairs = [(place + 1, 0) for place in range(len(applied.strengths))]
        drawn = bootstrap_scores(evidence, plan.samples, plan.seed)
        intervals = [
            [*Bootstrap(each, samples, confidence=plan.confidence).of_differences(pairs)]
            for each, samples in zip(evidence, drawn, strict=True)
        ]
    return [
        [
            Estimate(of_metric[place + 1] - of_metric[0], of_intervals[place])
            for of_metric, of_intervals in zip(scores, intervals, strict=True)
        ]
        for place in range(len(applied.strengths))
    ]


def _changed(applied: AppliedPerturbation, place: int, original: Statistics, rows: Statistics) -> Statistics:
    """The statistics of all segments at one strength."""
    segments = np.flatnonzero(applied.text_of[place] != NONE)
    return replaced_rows(original, segments, rows[applied.text_of[place, segments]])

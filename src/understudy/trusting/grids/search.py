"""Grids of settings against human scores: the agreement of every setting, and the gain of the selected one."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping, Sequence

from understudy.corpus.corpus import Corpus
from understudy.corpus.judgments import ScoreTable
from understudy.errors import BadInput
from understudy.scoring.shared_counts import count_settings
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.combinations.combining import documents_of_segments
from understudy.trusting.excluded_systems import excluding
from understudy.trusting.grids.results import GridSearch, HeldOut, Setting
from understudy.trusting.grids.selection import Selected, best_of, select
from understudy.trusting.grids.settings import SettingsGrid
from understudy.trusting.metric_scores import Measure, MetricScores, align_with_human, measure_of
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.thread_map import thread_map


def search(
    grids: Sequence[SettingsGrid],
    human: ScoreTable,
    corpus: Corpus | None,
    plan: TrustPlan,
    *,
    documents: Sequence[str] | None = None,
    over: str,
    judged_only: bool = False,
    exclude: Collection[str] = (),
    threads: int = 1,
) -> list[GridSearch]:
    """Search grids at every level of the plan that the human scores have, by the coefficient that metrics are ranked
    by.
    """
    if grids and corpus is None:
        raise BadInput("a grid needs texts to score. Give systems and references.")
    found = []
    for grid in grids:
        assert corpus is not None
        people, scored = excluding(human, _settings_scored(grid, corpus, threads=threads), exclude)
        found += _search_scored(
            grid,
            people,
            scored,
            plan,
            documents=documents,
            over=over,
            judged_only=judged_only,
            threads=threads,
        )
    return found


def _settings_scored(grid: SettingsGrid, corpus: Corpus, *, threads: int | None = None) -> MetricScores:
    """The scores of every setting and of the plain metric, which are named by their specs."""
    evidence = count_settings(corpus, grid.metrics, threads=threads)
    measures = [
        measure_of(each, metric.spec, (0, 0) if each.template is None else each.template.references)
        for metric, each in zip(grid.metrics, evidence, strict=True)
    ]
    return MetricScores(tuple(measures), corpus)


def _search_scored(
    grid: SettingsGrid,
    human: ScoreTable,
    scored: MetricScores,
    plan: TrustPlan,
    *,
    documents: Sequence[str] | None,
    over: str,
    judged_only: bool = False,
    threads: int = 1,
) -> list[GridSearch]:
    """The same for one grid, all of whose settings are `scored`."""
    paired = align_with_human(human, scored, judged_only=judged_only, system_means="system" in plan.levels)
    labels = documents_of_segments(documents, paired.segments) if paired.segments else None
    found = []
    for level in plan.levels:
        asked = plan.ranked_by(level, len(paired.systems))
        if asked is None or not (human.segments if level == "segment" else len(paired.systems) > 1):
            continue
        look = functools.partial(_value, asked=asked, seed=plan.seed)
        whole = thread_map(look, paired.pairings.values(), threads)
        values = dict(zip(paired.pairings, whole, strict=True))
        if all(math.isnan(values[metric.spec]) for metric in grid.settings):
            continue
        chosen = select(
            paired.pairings,
            [metric.spec for metric in grid.settings],
            grid.plain.spec,
            asked,
            documents=labels,
            over=over,
            plan=plan,
            threads=threads,
        )
        found.append(_result(grid, paired, scored.measures, values, chosen))
    if not found:
        raise BadInput(
            f"grid '{grid.text}': the coefficient that settings are ranked by is undefined for all of them. Rank by "
            "another one, such as pearson:none if there is one system."
        )
    return found


def _value(pairing: PairedScores, asked: CoefficientSpec, seed: int) -> float:
    return agreement(pairing, asked, seed=seed).value


def _result(
    grid: SettingsGrid,
    paired: AlignedScores,
    measures: Sequence[Measure],
    values: Mapping[str, float],
    chosen: Selected,
) -> GridSearch:
    """What was selected, with the coefficients of all settings on all data."""
    plain, names, asked = grid.plain.spec, [metric.spec for metric in grid.settings], chosen.asked
    best = best_of({name: values[name] for name in names}, plain)
    assert best is not None, "some setting has a value"
    settings = {
        measure.name: Setting(
            measure.spec,
            measure.signature,
            values[measure.name],
            chosen.mean(chosen.values[measure.name]),
            chosen.settings.count(measure.name),
        )
        for measure in measures
    }
    return GridSearch(
        grid=grid.text,
        asked=asked,
        settings=tuple(settings[name] for name in names),
        plain=settings[plain],
        best=settings[best],
        parts=_held_out(chosen, paired.systems, plain),
        selected=chosen.mean(chosen.of_selected),
        gain=chosen.gain,
        interval=chosen.interval,
        resamples=chosen.resamples,
        folds=len(chosen.documents),
        by=chosen.by,
        systems_left_out=chosen.systems_left_out,
        invalid=grid.invalid,
        reason=grid.reason,
    )


def _held_out(chosen: Selected, systems: Sequence[str], plain: str) -> tuple[HeldOut, ...]:
    return tuple(
        HeldOut(
            chosen.documents[part.fold] if chosen.documents else (),
            tuple(systems[system] for system in part.systems),
            part.weight,
            selected,
            float(value),
            float(of_plain),
        )
        for part, selected, value, of_plain in zip(
            chosen.parts, chosen.settings, chosen.of_selected, chosen.values[plain], strict=True
        )
    )

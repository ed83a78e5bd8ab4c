"""Suitability of metrics: ranks of system types, and findings against comparing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.sheets import Sheet
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.fitness.findings import Finding, Fitness, KindContrast
    from understudy.fitness.type_ranks import Placement


def as_grids(fitness: Fitness) -> list[Grid]:
    """Ranks by system type, human scores by pair of system types if there are any, and the findings below the last
    table.
    """
    *tables, last = [_placement_grid(fitness), *([_contrast_grid(fitness)] if fitness.contrasts else [])]
    return [*tables, replace(last, notes=[*last.notes, *_sentences(fitness.findings)])]


def _placement_grid(fitness: Fitness) -> Grid:
    """One row per system type."""
    by_metric: dict[
        tuple[str, str], list[Placement]
    ] = {}  # one computed and one of a file may have the same spec
    for placement in fitness.placements:
        by_metric.setdefault((placement.spec, placement.metric), []).append(placement)
    members = fitness.kinds.members
    columns = [
        GridColumn(("type",), [printable(kind) for kind in members], numeric=False),
        GridColumn(("systems",), [f"{len(systems)}" for systems in members.values()]),
    ]
    for placed in by_metric.values():
        label = placed[0].metric
        columns.append(GridColumn((label, "mean rank"), [f"{each.mean_rank:.1f}" for each in placed]))
        if placed[0].by_reference:
            alone = [f"{min(each.by_reference):.1f} to {max(each.by_reference):.1f}" for each in placed]
            columns.append(GridColumn(("with single", "references"), alone))
        best = [f"{printable(each.best)} ({each.best_rank:g})" for each in placed]
        columns.append(GridColumn((label, "best (rank)"), best, numeric=False))
    return Grid(columns, _notes(fitness))


def _contrast_grid(fitness: Fitness) -> Grid:
    """One row per metric and pair of system types."""
    found = fitness.contrasts
    left_out = GridColumn(
        ("excluded",), [", ".join(map(printable, each.without)) for each in found], numeric=False
    )
    return Grid(
        [
            GridColumn(("metric",), [printable(each.metric) for each in found], numeric=False),
            GridColumn(
                ("types",),
                [printable(f"{first} and {second}") for first, second in (each.kinds for each in found)],
                numeric=False,
            ),
            *([left_out] if any(each.without for each in found) else []),
            GridColumn(("agreement", "across types"), [str(each.across) for each in found]),
            GridColumn(("agreement", "within types"), [str(each.within) for each in found]),
            GridColumn(
                ("human score", "first - second"),
                list(map(_shift, found)),
            ),
            GridColumn(("p",), ["" if each.corrected is None else shown_p(each.corrected) for each in found]),
        ],
        [
            "Agreement: system pairs on which human scores and the metric agree. Human score, first - second: "
            "difference between the two types at the same metric score. p: Holm-corrected; empty if there are too few "
            "systems.",
            *(
                ["no overlap: the metric scores all systems of one type above all systems of the other."]
                if any(each.apart is not None for each in found)
                else []
            ),
        ],
    )


def _shift(contrast: KindContrast) -> str:
    if contrast.apart is not None:
        return "no overlap"
    return "" if contrast.shift is None else f"{contrast.shift:+.2f}"


def for_page(fitness: Fitness) -> dict[str, Any]:
    """The variables of templates/fitness.html."""
    titles = ["Metric ranks by system type", "Human scores by system type"]
    tables = [_placement_grid(fitness), *([_contrast_grid(fitness)] if fitness.contrasts else [])]
    return {
        "fitness": fitness,
        "fitness_tables": list(zip(titles, tables, strict=False)),
        "fitness_rules": _rules_of(fitness.findings),
        "fitness_unsaid": unsaid(fitness),
    }


def _sentences(findings: Sequence[Finding]) -> list[str]:
    """One line per finding, then the reason for each rule once."""
    found = [
        f"{each.rule} ({number_of(len(each.pairs), 'pair')}): {printable(each.evidence)}" for each in findings
    ]
    return found + [f"{rule}: {why} ({source})" for rule, why, source in _rules_of(findings)]


def _notes(fitness: Fitness) -> list[str]:
    ranked = {placement.ranked for placement in fitness.placements}
    of_ranks = [f"Ranks among {ranked.pop()} systems; 1 is best."] if ranked else []
    names = ", ".join(map(printable, fitness.kinds.without))
    return of_ranks + ([f"Without a type, not reported: {names}."] if names else [])


def _rules_of(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    """The rules that apply, once each: name, reason and source."""
    return list(dict.fromkeys((found.rule, found.why, found.source) for found in findings))


def unsaid(fitness: Fitness) -> list[str]:
    """The finding that is reported even without system types: one line, or none."""
    found = None if fitness.kinds else fitness.unsaid
    return [] if found is None else [printable(f"{found.evidence} {found.why} ({found.source})")]


# --- for programs: full precision ---------------------------------------------------------------------------


def as_data(fitness: Fitness) -> dict[str, Any]:
    """The result as JSON values."""
    return {
        "kinds": dict(fitness.kinds.members),
        "of_no_kind": list(fitness.kinds.without),
        "placements": [asdict(placement) for placement in fitness.placements],
        "findings": [
            {**asdict(found), "why": found.why, "source": found.source} for found in fitness.findings
        ],
        **({"contrasts": [asdict(each) for each in fitness.contrasts]} if fitness.contrasts else {}),
    }


def as_sheet(findings: Sequence[Finding]) -> Sheet:
    """A row for every finding."""
    rows = [
        (
            *(found.rule, ", ".join(found.metrics), ", ".join(found.kinds)),
            "; ".join(f"{first}, {second}" for first, second in found.pairs),
            *(found.evidence, found.source),
        )
        for found in findings
    ]
    return Sheet("fitness", ("rule", "metrics", "kinds", "pairs", "evidence", "source"), rows)

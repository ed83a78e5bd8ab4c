"""The results of `probe` as one self-contained HTML file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from understudy.report.charts import check_installed
from understudy.report.grid import Grid, printable
from understudy.report.page import DrawnFigure, render_page
from understudy.report.probe_charts import DRAWN, probe_figures
from understudy.report.probe_examples import (
    MARKS,
    Example,
    search_example,
    segment_example,
    segments_with_variants,
)
from understudy.report.probe_prose import Finding, findings
from understudy.report.probe_response_tables import (
    blind_spots_grid,
    errors_beside,
    responses_grid,
    rewordings,
)
from understudy.report.probe_sheets import as_data, as_sheets
from understudy.report.probe_tables import corpora_grid, notices_grid, permutations_grid, searches_grid
from understudy.report.probe_wording import SAME, metric_labels
from understudy.report.sheets import as_text
from understudy.wording import listed, number_of

if TYPE_CHECKING:
    from understudy.probing.results import Probe

_LARGEST = 20  # segments with the most permutations
_SEGMENTS = 20  # with all their variants
_SEARCHES = 20
_NAMED = 4  # metrics in the title
_LEGEND = (
    "Colored words differ from the text above. Scores: ▼ worse than the first text, ▲ better, = the same."
)


@dataclass(frozen=True)
class Part:
    """A section of the page."""

    key: str
    short: str  # in the contents
    title: str
    intro: str
    findings: list[KeyedFinding]
    tables: Sequence[tuple[str, Grid]]
    figures: list[DrawnFigure]
    more: Sequence[tuple[str, Sequence[Example]]] = ()


@dataclass(frozen=True)
class KeyedFinding(Finding):
    """A finding with its address."""

    key: str = ""


def probe_report(found: Probe, *, title: str | None = None, digits: int = 2) -> str:
    """The whole page."""
    check_installed()
    drawn = [DrawnFigure.of(figure) for figure in probe_figures(found)]
    keyed = with_keys(findings(found))
    labels = metric_labels(found.metrics)
    facts = [
        printable(found.system),
        number_of(found.segments, "segment"),
        *(f"{label} {score.value:.{digits}f}" for label, score in zip(labels, found.scores, strict=True)),
    ]
    return findings_page(
        _parts(found, keyed, drawn, digits),
        digits=digits,
        drawn=drawn,
        kind="Probe",
        title=title
        or f"Blind spots of {listed(labels) if len(labels) <= _NAMED else f'{len(labels)} metrics'}",
        facts=facts,
        lines=[(finding.line, finding.key) for finding in keyed],
        notes=_notes(found),
        method=_method(found),
        signatures=[(label, str(score.signature)) for label, score in zip(labels, found.scores, strict=True)],
        tsv=as_text(as_sheets(found), "tsv"),
        json=json.dumps(as_data(found), separators=(",", ":"), allow_nan=False),
    )


def findings_page(parts: Sequence[Part], *, digits: int, drawn: Sequence[DrawnFigure], **content: Any) -> str:
    """A page of findings: of `probe` and of challenge sets."""
    signs = {**MARKS, SAME: "="}
    return render_page(
        "probe.html", digits=digits, charts=drawn, parts=parts, signs=signs, legend=_LEGEND, **content
    )


def with_keys(found: Sequence[Finding]) -> list[KeyedFinding]:
    """Findings with the addresses of their cards."""
    return [
        KeyedFinding(**vars(finding), key=f"finding-{number}")
        for number, finding in enumerate(found, start=1)
    ]


def _parts(found: Probe, keyed: list[KeyedFinding], drawn: list[DrawnFigure], digits: int) -> list[Part]:
    made = [
        _permutations(found),
        _variants(found, digits),
        _perturbations(found, digits),
        _search(found, digits),
    ]
    return [
        replace(
            part,
            findings=[finding for finding in keyed if finding.part == part.key],
            figures=[one for one in drawn if one.figure.part in _FIGURES[part.key]],
        )
        for part in made
        if part is not None
    ]


_FIGURES = {
    "permutations": ("permutations",),
    "variants": ("variants",),
    "perturbations": ("blind-spots", "responses"),
    "search": ("search",),
}


def _permutations(found: Probe) -> Part | None:
    if found.permutations is None:
        return None
    return Part(
        "permutations",
        "Permutations",
        "Permutations",
        "Blocks of words between bigram mismatches can change places without losing a matching n-gram.",
        [],
        [("Segments with the most permutations", permutations_grid(found.permutations, _LARGEST))],
        [],
    )


def _variants(found: Probe, digits: int) -> Part | None:
    variants = found.variants
    if variants is None:
        return None
    label = metric_labels(found.metrics)[0]
    tables = []
    if variants.count:
        tables = [
            ("Variants by construction", notices_grid(found, variants)),
            ("Corpus scores of variants", corpora_grid(found, variants, digits)),
        ]
    shown = segments_with_variants(variants)[:_SEGMENTS]
    of_all = [segment_example(found, segment) for segment in shown]
    return Part(
        "variants",
        "Variants",
        f"Variants with the same {label} or better",
        f"Texts that {label} scores no worse than the hypothesis, with their scores under every metric.",
        [],
        tables,
        [],
        [(f"All variants of {number_of(len(shown), 'segment')}", of_all)] if of_all else [],
    )


def _perturbations(found: Probe, digits: int) -> Part | None:
    perturbations = found.perturbations
    if perturbations is None:
        return None
    tables = []
    if perturbations.blind_spots:
        tables.append(("Errors compared with harmless changes", blind_spots_grid(found, perturbations)))
    for name in rewordings(perturbations):
        if reworded := errors_beside(perturbations, name):
            table = blind_spots_grid(found, perturbations, reworded, harmless=name)
            tables.append((f"Errors compared with {name}", table))
    for title, harmless in (("Responses to errors", False), ("Responses to harmless changes", True)):
        names = [facts.name for facts in perturbations.facts if facts.harmless == harmless]
        if names:
            tables.append((title, responses_grid(found, perturbations, names, digits)))
    return Part(
        "perturbations",
        "Perturbations",
        "Perturbations",
        "Graded errors, compared with harmless changes of the same segments. A metric that serves as a measure of "
        "quality penalizes errors more than harmless changes.",
        [],
        tables,
        [],
    )


def _search(found: Probe, digits: int) -> Part | None:
    if found.search is None:
        return None
    paths = [search_example(found, search) for search in found.search.searches[:_SEARCHES] if search.steps]
    return Part(
        "search",
        "Search",
        "Search against the metric",
        "Hill climbing over edits, as a system that is tuned on the metric would do it.",
        [],
        [("Searches", searches_grid(found, found.search, digits))] if found.search.searches else [],
        [],
        [("Search paths", paths)] if paths else [],
    )


def _notes(found: Probe) -> list[str]:
    notes = []
    if len(found.metrics) == 1:
        notes.append(
            "Only one metric was probed. With several (-m), the report shows which one notices what."
        )
    if len(found.metrics) > DRAWN:
        notes.append(
            f"{DRAWN} of {len(found.metrics)} metrics have their own figures. The tables contain all metrics."
        )
    if found.perturbations is not None and found.perturbations.left_out:
        left = found.perturbations.left_out
        notes.append(
            f"{number_of(len(left), 'perturbation')} not applied; the table of errors has the reasons."
        )
    return notes


def _method(found: Probe) -> list[str]:
    plan = found.plan
    said = []
    if found.permutations is not None:
        said.append(
            "Permutations: blocks between bigram mismatches, tokenizer "
            f"{printable(found.permutations.tokenizer)} (Callison-Burch, Osborne and Koehn 2006, section 3.1)."
        )
    if found.variants is not None:
        said.append(
            f"Variants: at most {plan.variants:,} per segment and construction, each verified by scoring at "
            f"{plan.level} level with {printable(found.variants.target)}."
        )
    if found.perturbations is not None:
        said.append(
            f"Perturbations: differences at {plan.level} level. An error is a blind spot if it does not cost "
            "clearly more than harmless changes of the same segments."
        )
    if found.search is not None:
        said.append(
            f"Search: {number_of(plan.searched, 'segment')}, at most {plan.seconds:g} seconds in total; how far a "
            "search gets in that time depends on the machine."
        )
    return [*said, f"Random seed {plan.seed}. Confidence level {plan.confidence:.0%}."]

"""The results of `probe` as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report import latex, markdown
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, arrow, printable
from understudy.report.probe_examples import example_grid, variant_examples
from understudy.report.probe_prose import findings
from understudy.report.probe_response_tables import response_grids
from understudy.report.probe_sheets import as_data, as_sheets
from understudy.report.probe_wording import (
    metric_labels,
    percent_with_interval,
    shown_count,
    shown_permutations,
)
from understudy.report.render_grid import drawn
from understudy.report.scatter import density_plot
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.probing.permutations.bounds import PermutationBounds
    from understudy.probing.results import Probe
    from understudy.probing.search.results import Searches
    from understudy.probing.variants.results import Variants

_DIGITS = 2
WIDTH = 100  # columns, where the terminal does not tell: texts of segments would have no end
_LIMITS = ("time limit", "text limit")  # endings of a search
_LARGEST = 5  # segments with the most permutations

Named = list[tuple[str, Grid]]


def render(
    found: Probe,
    format: str = "table",
    *,
    digits: int = _DIGITS,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`: what was found in one line each, then the tables."""
    if format in DATA_FORMATS:
        return data_text(found, format, as_data, as_sheets)
    lines = [finding.line for finding in findings(found)]
    named = _as_grids(found, digits)
    if format == "table":
        return _for_terminal(found, lines, named, digits=digits, width=width or WIDTH, styled=styled)
    return written_up(_headline(found, digits), lines, named, format)


def written_up(first: str, lines: Sequence[str], named: Named, format: str) -> str:
    """In Markdown or LaTeX: the findings as a list, and the tables with their titles."""
    if format == "markdown":
        parts = [markdown.escaped(first), "\n".join(f"- {markdown.escaped(line)}" for line in lines)]
        for title, grid in named:
            parts += [f"**{markdown.escaped(title)}**", *drawn([grid], format)]
        return "\n\n".join(parts)
    items = [rf"\item {latex.escaped(line)}" for line in lines]
    listing = "\n".join([r"\begin{itemize}", *items, r"\end{itemize}"]) if items else ""
    return "\n\n".join(
        filter(None, [latex.escaped(first), listing, *drawn((grid for _, grid in named), format)])
    )


def _for_terminal(
    found: Probe, lines: Sequence[str], named: Named, *, digits: int, width: int, styled: bool
) -> str:
    parts = [*wrapped([_headline(found, digits)], width), "\n".join(wrapped(lines, width, "- "))]
    for title, grid in named:
        parts += [title, *drawn([grid], "table", width=width, styled=styled)]
        if title == _PERMUTATIONS and found.permutations is not None:
            parts.append(_scatter(found.permutations))
    return "\n\n".join(parts)


def wrapped(sentences: Sequence[str], width: int, mark: str = "") -> list[str]:
    """Sentences as paragraphs of so many columns, each with a mark before it."""
    import textwrap

    return [
        textwrap.fill(
            sentence,
            width,
            initial_indent=mark,
            subsequent_indent=" " * len(mark),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for sentence in sentences
    ]


def _headline(found: Probe, digits: int = _DIGITS) -> str:
    """The system, its size and its scores."""
    scores = [
        f"{label} {score.value:.{digits}f}"
        for label, score in zip(metric_labels(found.metrics), found.scores, strict=True)
    ]
    return f"Probe of {printable(found.system)}: {number_of(found.segments, 'segment')}. {', '.join(scores)}."


def shown(found: Probe, digits: int) -> list[Grid]:
    """At the end of a line of Python: the findings."""
    lines = [finding.line for finding in findings(found)]
    return [Grid([GridColumn((_headline(found, digits),), lines, numeric=False, prose=True)])]


_PERMUTATIONS = "Permutations"


def _as_grids(found: Probe, digits: int = _DIGITS) -> Named:
    """The tables of all parts, with their titles."""
    named: Named = []
    if found.permutations is not None:
        named.append((_PERMUTATIONS, permutations_grid(found.permutations)))
    if found.variants is not None and found.variants.count:
        named += [
            ("Variants", notices_grid(found, found.variants)),
            ("Corpus scores of variants", corpora_grid(found, found.variants, digits)),
            ("Examples of variants", example_grid(variant_examples(found), digits)),
        ]
    if found.perturbations is not None and found.perturbations.responses:
        named += response_grids(found, found.perturbations, digits)
    if found.search is not None and found.search.searches:
        named.append(("Search", searches_grid(found, found.search, digits)))
    return named


# --- permutations and variants -----------------------------------------------------------------------------


def permutations_grid(bounds: PermutationBounds, most: int = _LARGEST) -> Grid:
    """The segments with the most permutations."""
    shown = sorted(bounds.segments, key=lambda bound: (bound.matches - bound.length, bound.segment))[:most]
    return Grid(
        [
            GridColumn(("segment",), [f"{bound.segment + 1}" for bound in shown]),
            GridColumn(("k",), [f"{bound.length:,}" for bound in shown]),
            GridColumn(("b",), [f"{bound.matches:,}" for bound in shown]),
            GridColumn(("permutations",), [shown_permutations(bound) for bound in shown]),
            GridColumn(("distinct",), [shown_count(bound.distinct) for bound in shown]),
            GridColumn(("blocks",), [printable(bound.sites) for bound in shown], numeric=False, prose=True),
        ],
        [
            f"The {len(shown)} of {number_of(len(bounds.segments), 'segment')} with the most permutations. k: tokens "
            f"({bounds.tokenizer}); b: bigram matches; permutations: (k - b)!, Callison-Burch et al. (2006), equation "
            "1; distinct: different sentences among them"
            f"{'' if all(bound.distinct is not None for bound in shown) else ' (–: too many to count)'}."
        ],
        caption="Permutations of blocks between bigram mismatches that do not lower BLEU.",
    )


def _scatter(bounds: PermutationBounds) -> str:
    """Figure 1 of the paper, in letters."""
    logs = [bound.log10 for bound in bounds.segments]
    return density_plot(
        [(bound.length, log) for bound, log in zip(bounds.segments, logs, strict=True)],
        x="tokens",
        y="permutations",
        across=(0.0, float(max(bound.length for bound in bounds.segments) or 1)),
        up=(0.0, max(1.0, math.ceil(max(logs)))),
        y_number=lambda value: f"10^{value:.0f}",
    )


def notices_grid(found: Probe, variants: Variants) -> Grid:
    """How often each metric scores the variants of a construction worse."""
    labels = metric_labels(found.metrics)
    constructions = list(dict.fromkeys(notice.construction for notice in variants.notices))
    by_place = {(notice.construction, notice.metric): notice for notice in variants.notices}
    columns = [
        GridColumn(("construction",), constructions, numeric=False),
        GridColumn(("segments",), [f"{by_place[each, 0].segments:,}" for each in constructions]),
        GridColumn(("variants",), [f"{by_place[each, 0].variants:,}" for each in constructions]),
    ]
    for metric, label in enumerate(labels):
        cells = [
            percent_with_interval(notice.scored_lower, notice.interval) if notice.variants else "–"
            for notice in (by_place[each, metric] for each in constructions)
        ]
        columns.append(GridColumn((label, "worse"), cells))
    gave_up = _gave_up(variants)
    return Grid(
        columns,
        [
            f"Variants that {labels[0]} scores no worse than the hypothesis, each verified by scoring; worse: share "
            f"that the metric scores worse than the hypothesis ({found.plan.confidence:.0%} CI, bootstrap resamples of "
            "segments).",
            *gave_up,
        ],
        caption=f"Variants with the same {labels[0]} or a better one.",
    )


def _gave_up(variants: Variants) -> list[str]:
    """By construction: in how many segments there are fewer variants than requested, and the most common reason."""
    reasons: dict[str, Counter[str]] = {}
    for segment in variants.segments:
        for construction, reason in segment.gave_up.items():
            reasons.setdefault(construction, Counter())[reason] += 1
    return [
        f"{construction}: fewer variants than requested in {number_of(found.total(), 'segment')}. "
        f"Most common reason: {found.most_common(1)[0][0].rstrip('.')}."
        for construction, found in reasons.items()
    ]


def corpora_grid(found: Probe, variants: Variants, digits: int) -> Grid:
    """The corpus scores of systems made of variants."""
    several = any(corpus.number for corpus in variants.corpora)
    names = [
        "system",
        *(
            f"{corpus.construction} {corpus.number + 1}" if several else corpus.construction
            for corpus in variants.corpora
        ),
    ]
    replaced = ["", *(f"{corpus.replaced:,}" for corpus in variants.corpora)]
    scores = [variants.system_scores, *(corpus.scores for corpus in variants.corpora)]
    return Grid(
        [
            GridColumn(("hypotheses",), names, numeric=False),
            GridColumn(("replaced segments",), replaced),
            *(
                GridColumn(
                    (f"{label} {arrow(metric.higher_is_better, metric.target)}",),
                    [f"{each[place]:.{digits}f}" for each in scores],
                )
                for place, (metric, label) in enumerate(
                    zip(found.metrics, metric_labels(found.metrics), strict=True)
                )
            ),
        ],
        ["One variant in place of every hypothesis that has one."],
        caption="Corpus scores with one variant per segment.",
    )


# --- search ------------------------------------------------------------------------------------------------


def searches_grid(found: Probe, searches: Searches, digits: int) -> Grid:
    """Where every search began and ended."""
    labels = metric_labels(found.metrics)
    shown = searches.searches
    limited = sum(each.ended in _LIMITS for each in shown)
    return Grid(
        [
            GridColumn(("metric",), [labels[each.metric] for each in shown], numeric=False),
            GridColumn(("goal",), [each.goal for each in shown], numeric=False),
            GridColumn(("segment",), [f"{each.segment + 1}" for each in shown]),
            GridColumn(("system",), [f"{each.system_score:.{digits}f}" for each in shown]),
            GridColumn(("found",), [f"{each.score:.{digits}f}" for each in shown]),
            GridColumn(("edits",), [f"{len(each.steps):,}" for each in shown]),
            GridColumn(("text",), [printable(each.text) for each in shown], numeric=False, prose=True),
        ],
        [
            "best: the best-scoring text that is not a reference; worst: the worst text, by the other metrics, that "
            "scores no worse than the hypothesis. system: score of the hypothesis; found: score of the text.",
            *(
                ["SD: standard deviation of the segment scores of the system."]
                if any(each.badness and not each.in_points for each in shown)
                else []
            ),
            f"Hill climbing over edits; {limited} of {number_of(len(shown), 'search', 'searches')} ended at the limit "
            f"of {searches.seconds:g} seconds in total or {searches.texts:,} texts each.",
        ],
        caption="Texts found by searching against the metric.",
    )

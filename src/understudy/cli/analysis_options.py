"""Options of `understudy compare` for further analysis: breakdowns and the references study."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import NGRAMS, REFERENCE_DRAWS, TOP
from understudy.cli.arguments import FileArgument, complete_file
from understudy.cli.number_types import Integer
from understudy.cli.options import refuse_beside, refuse_idle

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.comparing.results import Comparison
    from understudy.report.sheets import Sheet
    from understudy.studies.references_study import ReferencesStudy

_OPTIONS = [
    click.option(
        "--breakdown",
        is_flag=True,
        help="Break scores down by length, difficulty, document, word frequency and n-gram; list the segments that "
        "differ most.",
    ),
    click.option(
        "--labels",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="Segment labels, one per line or one column per label, for --breakdown, --by-document, --references-study "
        "and metrics that use documents. Repeatable.",
    ),
    click.option(
        "--word-labels",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="Word labels for --breakdown: line i has one label per word of segment i. One file per reference.",
    ),
    click.option(
        "--train",
        metavar="FILE",
        shell_complete=complete_file,
        help="Text for word frequencies in --breakdown (default: the references).",
    ),
    click.option(
        "--source",
        metavar="FILE",
        shell_complete=complete_file,
        help="Source text, for metrics that read it; shown beside the translations by --breakdown and --report.",
    ),
    click.option(
        "--top",
        metavar="N",
        type=Integer(min=1),
        default=TOP,
        show_default=True,
        help="Number of n-grams and segments shown by --breakdown.",
    ),
    click.option(
        "--references-study",
        "references_study",
        is_flag=True,
        help="Check whether fewer references give the same ranking.",
    ),
    click.option(
        "--draws",
        metavar="N",
        type=Integer(min=1),
        default=REFERENCE_DRAWS,
        show_default=True,
        help="Random selections per number of references in --references-study.",
    ),
]


@dataclass(frozen=True)
class AnalysisOptions:
    """The values of the options."""

    breakdown: bool
    labels: tuple[str, ...]
    word_labels: tuple[str, ...]
    train: str | None
    source: str | None
    top: int
    references_study: bool
    draws: int

    @property
    def files(self) -> list[str]:
        return [*self.labels, *self.word_labels, *filter(None, (self.train, self.source))]

    def check(
        self,
        *,
        scores: bool,
        documents_wanted: bool,
        source_wanted: bool = False,
        report: bool = False,
        named_set: bool = False,
    ) -> None:
        """Raise an error for options that contradict each other or have no effect. A report includes a breakdown, and a
        test set by name its source text.
        """
        if named_set:
            refuse_beside(["source"], "-t")
        broken_down = self.breakdown or (report and not scores)
        if scores and (self.breakdown or self.references_study):
            raise click.UsageError(
                "--breakdown and --references-study need text, which --scores does not contain. Give system files "
                "instead."
            )
        of_breakdown = "give SYSTEM files instead of --scores" if scores else "add --breakdown or --report"
        refuse_idle(["word_labels", "train", "top"], unless=broken_down, cure=of_breakdown)
        refuse_idle(["source"], unless=broken_down or source_wanted, cure=of_breakdown)
        refuse_idle(["draws"], unless=self.references_study, cure="add --references-study")
        if self.labels and not (broken_down or documents_wanted or self.references_study):
            raise click.UsageError(
                "--labels needs --breakdown, --report, --by-document, --references-study or a metric that uses "
                "documents."
            )

    @property
    def label_files(self) -> list[FileArgument] | None:
        """The label files, if any, for `documents`: a list of strings would be document names."""
        return [FileArgument(path) for path in self.labels] or None

    def rendering(
        self, found: Comparison, breakdown: Breakdown | None = None, studies: Sequence[ReferencesStudy] = ()
    ) -> Callable[..., str]:
        """The renderer of the comparison and of the further analyses requested."""
        if not (self.breakdown or studies):
            from understudy.report.comparisons import render as render_comparison

            return functools.partial(render_comparison, found)
        from understudy.report.breakdowns import render

        shown = breakdown if self.breakdown else None
        return functools.partial(render, found, shown, studies, top=self.top)

    def of_breakdown(self, found: Comparison, language: str | None) -> dict[str, Any]:
        """The arguments of the breakdown. `language` is the language of the texts, if given."""
        return {
            "baseline": found.plan.baseline,
            "all_pairs": found.plan.all_pairs,
            "level": found.plan.level,
            "word_labels": self.word_labels,
            "train": self.train,
            "ngrams": max(self.top, NGRAMS),
            "lang": language,
        }

    def drawn_segments(self, found: Comparison) -> int:
        """Number of segments scored by --references-study: for every number of references except the maximum, and once
        with all.
        """
        drawn = found.references[1] - 1
        return found.segments * (drawn * self.draws + 1)

    def sheets(
        self, found: Comparison, breakdown: Breakdown | None = None, studies: Sequence[ReferencesStudy] = ()
    ) -> Callable[[], list[Sheet]]:
        """A function that returns the sheets of the comparison, the breakdown and the studies."""

        def made() -> list[Sheet]:
            from understudy.report.breakdowns import as_sheets
            from understudy.report.comparison_sheets import systems_sheet

            shown = breakdown if self.breakdown else None
            return [systems_sheet(found), *as_sheets(found, shown, studies, top=self.top)]

        return made


def analysis_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command, as one argument `analysis`."""

    @functools.wraps(command)
    def with_analysis(**options: Any) -> None:
        analysis = AnalysisOptions(
            **{name: options.pop(name) for name in AnalysisOptions.__dataclass_fields__}
        )
        command(**options, analysis=analysis)

    for option in reversed(_OPTIONS):
        with_analysis = option(with_analysis)
    return with_analysis

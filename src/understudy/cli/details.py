"""What `understudy compare` shows beyond its verdicts: where systems differ, and how many references it takes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from understudy.cli.arguments import complete_file
from understudy.cli.options import refuse_idle
from understudy.cli.progress import progress

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.comparing.plan import Plan
    from understudy.comparing.results import Comparison
    from understudy.corpus.labels import Labelling
    from understudy.scoring.counted import CountedSystems
    from understudy.studies.references_study import ReferencesStudy

# As in understudy.report.breakdowns and understudy.studies, which are not imported before they are needed. A test
# compares them.
TOP = 10
DRAWS = 20

_OPTIONS = [
    click.option(
        "--breakdown",
        is_flag=True,
        help="Show where systems differ: by length, difficulty and document, by frequency of words, by n-grams, and in "
        "which segments most.",
    ),
    click.option(
        "--labels",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="What each segment is, for --breakdown, --by-document, --references-study and metrics that look at "
        "documents: a label per line, or a table with a label per column. Repeat it for several.",
    ),
    click.option(
        "--word-labels",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="What each word of a reference is, for --breakdown: in line i as many labels as segment i has words. "
        "One file for each reference.",
    ),
    click.option(
        "--train",
        metavar="FILE",
        shell_complete=complete_file,
        help="The text in which --breakdown looks up how frequent words are (default: the references).",
    ),
    click.option(
        "--top",
        metavar="N",
        type=click.IntRange(min=1),
        default=TOP,
        show_default=True,
        help="How many n-grams and segments --breakdown shows.",
    ),
    click.option(
        "--references-study",
        "references_study",
        is_flag=True,
        help="Show whether systems would be ranked alike with fewer references.",
    ),
    click.option(
        "--draws",
        metavar="N",
        type=click.IntRange(min=1),
        default=DRAWS,
        show_default=True,
        help="How often --references-study draws so many of the references.",
    ),
]


@dataclass(frozen=True)
class Details:
    """What the options ask for."""

    breakdown: bool
    labels: tuple[str, ...]
    word_labels: tuple[str, ...]
    train: str | None
    top: int
    references_study: bool
    draws: int

    @property
    def files(self) -> list[str]:
        return [*self.labels, *self.word_labels, *([self.train] if self.train is not None else [])]

    def check(self, *, scores: bool, documents_wanted: bool, report: bool = False) -> None:
        """Refuses options that contradict each other, or change nothing. A report holds a breakdown."""
        broken_down = self.breakdown or (report and not scores)
        if scores and (self.breakdown or self.references_study):
            raise click.UsageError("--breakdown and --references-study look at text, and --scores has none.")
        of_breakdown = "give files of text in place of --scores" if scores else "add --breakdown or --report"
        refuse_idle(["word_labels", "train", "top"], unless=broken_down, cure=of_breakdown)
        refuse_idle(["draws"], unless=self.references_study, cure="add --references-study")
        if self.labels and not (broken_down or documents_wanted or self.references_study):
            raise click.UsageError(
                "--labels belongs to --breakdown, --report, --by-document or --references-study, or to a metric that "
                "looks at documents."
            )

    def documents(self, *, sought: bool) -> list[str] | None:
        """The document of every segment, if there are labels that say it: labels called so, and where documents are
        sought and nothing else, labels called anything.
        """
        from understudy.corpus.labels import called_documents, documents_among

        return (documents_among if sought else called_documents)(self._labellings())

    def _labellings(self) -> list[Labelling]:
        from understudy.corpus.labels import read_labels

        return [labelling for path in self.labels for labelling in read_labels(path)]

    def rendering(
        self, found: Comparison, breakdown: Breakdown | None = None, studies: Sequence[ReferencesStudy] = ()
    ) -> Callable[..., str]:
        """What makes text of the comparison and of what was asked for beyond it."""
        if not (self.breakdown or studies):
            from understudy.report.comparisons import render as render_comparison

            return functools.partial(render_comparison, found)
        from understudy.report.breakdowns import render

        shown = breakdown if self.breakdown else None
        return functools.partial(render, found, shown, studies, top=self.top)

    def broken_down(
        self, found: Comparison, gathered: CountedSystems, language: str | None = None
    ) -> Breakdown:
        """Where systems differ. `language` is that of the texts, if it is given."""
        from understudy.breakdown.run import NGRAMS, break_down_gathered

        return break_down_gathered(
            gathered,
            baseline=found.plan.baseline,
            all_pairs=found.plan.all_pairs,
            labels=self.labels,
            word_labels=self.word_labels,
            train=self.train,
            ngrams=max(self.top, NGRAMS),
            language=language,
        )

    def studied(self, gathered: CountedSystems, plan: Plan, threads: int | None) -> list[ReferencesStudy]:
        """Whether fewer references would do, if that is asked."""
        if not self.references_study:
            return []
        from understudy.corpus.labels import called_documents
        from understudy.studies.references_study import study_references

        metrics = [evidence.metric for evidence in gathered.evidence if evidence.metric is not None]
        drawn = (
            max(most for _, most in gathered.references) - 1
        )  # every number of references but all, and once all
        total = gathered.segments * (drawn * self.draws + 1)
        with progress("drawing references", lambda: total) as advance:
            return study_references(
                {system: _files(gathered, system) for system in gathered.runs.systems},
                gathered.reference_files,
                metrics,
                documents=called_documents(self._labellings()),
                level=plan.level,
                draws=self.draws,
                seed=plan.seed,
                alone=[
                    {
                        name: evidence.scores
                        for name, evidence in by_reference.items()
                        if evidence.higher_is_better is not None
                    }
                    for by_reference in gathered.by_reference
                ],
                threads=threads,
                progress=advance,
            )


def _files(gathered: CountedSystems, system: str) -> list[Any]:
    return [gathered.runs.files[run] for run in gathered.runs.of_system(system)]


def details_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command these options, as one argument `details`."""

    @functools.wraps(command)
    def with_details(**options: Any) -> None:
        details = Details(**{name: options.pop(name) for name in Details.__dataclass_fields__})
        command(**options, details=details)

    for option in reversed(_OPTIONS):
        with_details = option(with_details)
    return with_details

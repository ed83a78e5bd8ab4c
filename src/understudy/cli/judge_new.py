"""`understudy judge new`: a campaign from hypothesis files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import click

from understudy.choices import SEED
from understudy.cli import say
from understudy.cli.arguments import complete_file, complete_metrics, systems_in_folders
from understudy.cli.judge_people import (
    campaign_argument,
    check_links_file,
    judges_given,
    output_option,
    show_links,
    url_option,
)
from understudy.cli.named_sets import ChosenSet, named_set_options, references_with, systems_with
from understudy.cli.number_types import Integer, Number
from understudy.cli.option_groups import GroupedCommand
from understudy.cli.options import references_for

if TYPE_CHECKING:
    from understudy.judging.campaigns.design import CampaignDesign

_Command = Callable[..., Any]

_INPUT = (
    click.option(
        "--systems",
        "more_systems",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="Hypotheses of a system, like SYSTEM; or a folder with one file per system. Repeatable.",
    ),
    click.option(
        "--source",
        metavar="FILE",
        shell_complete=complete_file,
        help="Source text, for protocols that show it.",
    ),
    references_for(
        "Reference translation, for protocols that show it and for --select variance. Repeatable."
    ),
    click.option(
        "--labels",
        metavar="FILE",
        multiple=True,
        shell_complete=complete_file,
        help="Segment labels with a column `document`, for --documents and --context. Repeatable.",
    ),
    named_set_options(),
    click.option(
        "-l",
        "--lang",
        "--language-pair",
        "language",
        metavar="CODE",
        help="Language pair of the texts, e.g. de-en, or target language, e.g. en. With -t, the pair of the test set.",
    ),
)
_PROTOCOL = (
    click.option(
        "--protocol",
        metavar="NAME|FILE",
        required=True,
        help="Protocol: report, adequacy-fluency, ranking, pairwise, da, da-sqm, esa, mqm or cesa; or a .toml file.",
    ),
    click.option(
        "--prefilled",
        metavar="FILE",
        shell_complete=complete_file,
        help="Error spans to start from, for protocols with spans: TSV or JSON lines with system, seg, start, end, "
        "severity.",
    ),
    click.option(
        "--outputs-per-screen",
        metavar="N",
        type=Integer(min=1),
        help="Number of hypotheses on a screen (default: protocol's).",
    ),
    click.option(
        "--screens-per-segment",
        metavar="N",
        type=Integer(min=1),
        help="Screens per segment, if a screen has several hypotheses.",
    ),
    click.option(
        "--no-practice", "practice", is_flag=True, flag_value=False, default=True, help="No practice round."
    ),
    click.option("--comment", is_flag=True, help="Ask for an optional comment on every task."),
    click.option("--post-edit", is_flag=True, help="Ask for an optional post-edited text on every task."),
)
_ITEMS = (
    click.option(
        "--select",
        metavar="METHOD",
        help="Selection of segments: all, random, variance (of metric scores between systems) or diversity (default: "
        "all; random with --segments or --share).",
    ),
    click.option(
        "--segments", metavar="N", type=Integer(min=1), help="Number of segments to judge (default: all)."
    ),
    click.option(
        "--share",
        metavar="X",
        type=Number(0, 1, min_open=True),
        help="Share of the segments to judge, instead of --segments.",
    ),
    click.option(
        "--metric",
        metavar="SPEC",
        default="chrf",
        show_default=True,
        shell_complete=complete_metrics,
        help="Metric for --select variance.",
    ),
    click.option("--documents", is_flag=True, help="Keep the segments of a document together, in order."),
    click.option(
        "--context",
        metavar="N",
        type=Integer(min=0),
        default=0,
        help="Segments to show before and after (default: 0).",
    ),
    click.option(
        "--repeats",
        metavar="X",
        type=Number(0, 0.5),
        default=0.05,
        show_default=True,
        help="Hidden repeats, as a share of the items.",
    ),
    click.option(
        "--controls",
        metavar="X",
        type=Number(0, 0.5),
        default=0.05,
        show_default=True,
        help="Degraded hypotheses, as a share of the items.",
    ),
)
_JUDGES = (
    click.option(
        "--judges",
        metavar="N|NAMES",
        default="2",
        show_default=True,
        help="Number of judges, or names separated by commas; NAME:GROUP chooses a group of the protocol.",
    ),
    click.option(
        "--crowd",
        metavar="N",
        type=Integer(min=1),
        help="Places for a crowd, instead of --judges: one link for all, which gives each participant a place.",
    ),
    click.option(
        "--participant-field",
        metavar="NAME",
        help="Parameter of the link of a crowd with the participant's id (default: PROLIFIC_PID, workerId or "
        "participant).",
    ),
    click.option(
        "--assignment",
        metavar="METHOD",
        help="Assignment of items: same (for all judges), shares, pool or dynamic (default: protocol's).",
    ),
    click.option(
        "--per-item",
        metavar="N",
        type=Integer(min=1),
        help="Judgments per item (default: 2; with same, all judges).",
    ),
    click.option(
        "--order", metavar="ORDER", help="Order of items: same (for all judges) or own (default: protocol's)."
    ),
    click.option(
        "--seed",
        metavar="N",
        type=Integer(min=0),
        default=SEED,
        show_default=True,
        help="Random seed of the design.",
    ),
    click.option(
        "--consent", metavar="FILE", shell_complete=complete_file, help="Text that judges must agree to."
    ),
    click.option(
        "--demographics",
        metavar="FILE",
        shell_complete=complete_file,
        help="Questions about the judges: JSON, a list of objects with name, label, kind (text, choice or number) and "
        "choices.",
    ),
    click.option(
        "--completion-code", metavar="CODE", help="Code for a crowd platform, shown after the last task."
    ),
    click.option("--completion-url", metavar="URL", help="Return address of a crowd platform."),
)
_OUTPUT = (
    click.option(
        "--database",
        metavar="URL",
        help="PostgreSQL database, e.g. postgresql://HOST/NAME; CAMPAIGN then holds its URL (default: SQLite).",
    ),
    url_option,
    output_option,
)


class _NewCommand(GroupedCommand):
    """Its options in groups."""

    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Input": (
            *("--systems", "--source", "--reference", "--labels", "--lang"),
            *("--test-set", "--origlang", "--subset", "--download"),
        ),
        "Protocol": (
            "--protocol",
            "--prefilled",
            "--outputs-per-screen",
            "--screens-per-segment",
            "--no-practice",
            "--comment",
            "--post-edit",
        ),
        "Items": (
            *("--select", "--segments", "--share", "--metric"),
            *("--documents", "--context", "--repeats", "--controls"),
        ),
        "Judges": (
            *(
                "--judges",
                "--crowd",
                "--participant-field",
                "--assignment",
                "--per-item",
                "--order",
                "--seed",
            ),
            *("--consent", "--demographics", "--completion-code", "--completion-url"),
        ),
        "Output": ("--database", "--url", "--output", "--help"),
    }


def _with_options(command: _Command) -> _Command:
    for option in reversed((*_INPUT, *_PROTOCOL, *_ITEMS, *_JUDGES, *_OUTPUT)):
        command = option(command)
    return command


@click.command(cls=_NewCommand)
@campaign_argument
@click.argument("systems", metavar="[SYSTEM...]", nargs=-1, shell_complete=complete_file)
@_with_options
def new(  # noqa: PLR0917
    campaign: str,
    systems: Sequence[str],
    more_systems: Sequence[str],
    source: str | None,
    references: Sequence[str],
    chosen_set: ChosenSet,
    labels: Sequence[str],
    language: str | None,
    judges: str,
    crowd: int | None,
    per_item: int | None,
    consent: str | None,
    demographics: str | None,
    url: str,
    output: str | None,
    **plan: Any,
) -> None:
    """Make a campaign from hypothesis files and issue a personal link for every judge.

    SYSTEM is a file with one hypothesis per line, or NAME=FILE. Systems are anonymous to judges, and identical
    hypotheses are judged once. The same input and --seed give the same design.

    With --crowd, participants of a crowd platform share one link, which the platform completes with their ids: each
    gets the next free place, and the same one again later.

    A link is shown only when it is issued: the campaign stores a hash. `understudy judge links` issues new ones.
    """
    from understudy import Campaign, Corpus

    check_links_file(output, campaign)
    if crowd is not None and _is_given("judges"):
        raise click.UsageError("--crowd and --judges cannot be combined. Omit one of them.")
    test_set = chosen_set.read(language)
    if test_set is not None and source is not None:
        raise click.UsageError(
            "--source cannot be combined with -t, which has the source text. Omit one of them."
        )
    files = systems_in_folders(systems_with(test_set, [*more_systems, *systems], all_of_them=True))
    if not files:
        raise click.UsageError("Missing argument 'SYSTEM'. Give at least one hypothesis file.")
    source_language, target_language = _languages(language)
    made = Campaign.create(
        campaign,
        Corpus.read(
            files, references_with(test_set, references), sources=source, labels=list(labels) or None
        ),
        judges=judges_given([judges]) if crowd is None else crowd,
        crowd=crowd is not None,
        judgments_per_item=per_item,
        consent=consent and _text_of(consent, "--consent"),
        demographics=demographics and _text_of(demographics, "--demographics"),
        source_language=source_language,
        target_language=target_language,
        **plan,
    )
    with made:
        say(f"made {campaign}: {_summary(made.design)}. Serve it with: understudy judge serve {campaign}")
        for problem in made.check():
            say(f"{'error' if problem.serious else 'warning'}: {problem.message}")
        show_links(made.links(), url, output)


def _summary(design: CampaignDesign) -> str:
    """
    >>> from types import SimpleNamespace as Some
    >>> _summary(Some(plan=Some(judges=["ann"]), tasks=[Some(role="main")] * 1200))
    '1 judge, 1,200 different tasks'
    """
    judges, tasks = len(design.plan.judges), sum(task.role == "main" for task in design.tasks)
    return (
        f"{judges:,} judge{'s' if judges != 1 else ''}, {tasks:,} different task{'s' if tasks != 1 else ''}"
    )


def _is_given(parameter: str) -> bool:
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT


def _languages(given: str | None) -> tuple[str | None, str | None]:
    """The source language, if it is known, and the target language."""
    if given is None:
        return None, None
    source, _, target = given.partition("-") if "-" in given else ("", "", given)
    return source or None, target


def _text_of(path: str, option: str) -> str:
    from understudy.errors import BadInput, MissingFile

    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        raise MissingFile(f"{option} '{path}': {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{option} '{path}' is not UTF-8. Save it in UTF-8.") from None
    if not text.strip():
        raise BadInput(f"{option} '{path}' is empty. Write the text into it, or omit the option.")
    return text

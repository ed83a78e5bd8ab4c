"""`understudy judge ask`: a language model as a judge."""

from __future__ import annotations

from typing import Any, ClassVar

import click

from understudy.cli import options, say
from understudy.cli.arguments import FileArgument, as_files, complete_file, named_system
from understudy.cli.language_models import NAMES, asking, calls_shown, language_model_options
from understudy.cli.number_types import Integer, Number
from understudy.cli.option_groups import LANGUAGE_MODELS, GroupedCommand

_LAYOUTS = {"score": "ratings", "spans": "spans", "pairs": "rankings"}


class _Command(GroupedCommand):
    groups: ClassVar[dict[str, tuple[str, ...]]] = {
        "Input": ("--source", "--reference", "--lang", "--tsv-quoting"),
        "Question": (
            *("--model", "--prompt", "--baseline", "--samples", "--temperature", "--seed", "--tries"),
            *("--reply-format", "--skip-unscored"),
        ),
        "Language models": LANGUAGE_MODELS,
        "Output": ("--to", "--show-prompt", "--help"),
    }


def _print_prompt(ctx: click.Context, _param: click.Parameter, name: str | None) -> None:
    if name is not None:
        from understudy.cli.output import print_data
        from understudy.language_models.prompt import prompt_text

        print_data(prompt_text(name).rstrip())
        ctx.exit()


@click.command(cls=_Command)
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "--source",
    metavar="FILE",
    shell_complete=complete_file,
    help="Source text. The model sees it, if it is given.",
)
@options.references_for("Reference translation. The model sees it, if it is given.")
@click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="Language pair of the texts, e.g. de-en, or target language, for the prompt.",
)
@options.tsv_quoting
@click.option("--model", metavar="NAME", required=True, help="Name of the model, as its server calls it.")
@click.option(
    "--prompt",
    metavar="NAME|FILE",
    default="score",
    show_default=True,
    help="Prompt: score (0 to 100), spans (error spans) or pairs (preferences); or a .toml file of your own.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="System to compare with all others, for preferences (default: all pairs).",
)
@click.option(
    "--samples",
    metavar="N",
    type=Integer(1, 100),
    default=1,
    show_default=True,
    help="Number of replies per question; their mean or majority counts.",
)
@click.option(
    "--temperature",
    metavar="T",
    type=Number(0, 2),
    default=0.0,
    show_default=True,
    help="Sampling temperature.",
)
@click.option(
    "--seed",
    metavar="N",
    type=Integer(min=0),
    default=0,
    show_default=True,
    help="Random seed that is sent to the server.",
)
@click.option(
    "--tries",
    metavar="N",
    type=Integer(1, 100),
    default=3,
    show_default=True,
    help="Number of replies to ask for until one is valid.",
)
@click.option(
    "--reply-format",
    type=click.Choice(("auto", "json_schema", "json_object", "none")),
    default="auto",
    show_default=True,
    help="JSON schema enforced by the server, JSON, or neither; auto takes the first that the server accepts.",
)
@click.option("--skip-unscored", is_flag=True, help="Leave out items without a valid reply (default: error).")
@language_model_options
@click.option(
    "--to",
    metavar="FILE|DIR",
    required=True,
    shell_complete=complete_file,
    help="TSV file, or folder for all tables.",
)
@click.option(
    "--show-prompt",
    type=click.Choice(tuple(_LAYOUTS)),
    is_eager=True,
    expose_value=False,
    callback=_print_prompt,
    help="Print the file of a prompt, to copy and change, and exit.",
)
def ask(
    *,
    systems: tuple[str, ...],
    source: str | None,
    references: tuple[str, ...],
    language: str | None,
    to: str,
    **settings: Any,
) -> None:
    """Ask a language model for scores, error spans or preferences, and write them as judgments.

    The judgments are for `understudy judge results`, `understudy trust --human` and, with spans, for `understudy judge
    new --prefilled` and `understudy trust --spans`. Every reply is stored: an interrupted run continues where it was.

    \b
    understudy judge ask A.txt B.txt --source src.txt --model NAME --endpoint http://localhost:8000/v1 --to scores.tsv
    understudy judge ask A.txt B.txt --source src.txt --model NAME --prompt spans --to spans.tsv
    understudy judge ask A.txt B.txt --source src.txt --model NAME --prompt pairs --to preferences.tsv
    understudy judge ask --show-prompt score > my.toml
    """
    from understudy import ask_model, export_judgments

    of_server = {name: settings.pop(name) for name in NAMES}
    with asking(of_server), calls_shown():
        found = ask_model(
            as_files([named_system(system) for system in systems]),
            list(map(FileArgument, references)) or None,
            sources=None if source is None else FileArgument(source),
            lang=language,
            **settings,
        )
    is_file = "." in to.rpartition("/")[2]
    for path in export_judgments(found, to, layout=_LAYOUTS[found.judge.prompt.kind] if is_file else None):
        say(f"written: {path}")
    for note in found.given.notes:
        say(note)

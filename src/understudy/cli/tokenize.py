"""`understudy tokenize`: show the tokens of a text."""

from __future__ import annotations

from contextlib import closing

import click

from understudy.cli.arguments import complete_file, complete_tokenizer
from understudy.cli.output import print_data

_LINES_AT_ONCE = 4096


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "-t",
    "--tokenizer",
    "--tokenize",
    "name",
    metavar="NAME",
    shell_complete=complete_tokenizer,
    default="13a",
    show_default=True,
    help="Tokenizer. See `understudy tokenizers`.",
)
@click.option("--lowercase", is_flag=True, help="Lowercase the text first, as the metrics do.")
def tokenize(files: tuple[str, ...], name: str, lowercase: bool) -> None:
    """Print the tokens of each line, separated by spaces.

    Reads standard input if no FILE is given. Shows the tokens that a metric compares.

    \b
    Examples:
      understudy tokenize nmt.txt | head
      echo "It's 3.5%, isn't it?" | understudy tokenize --tokenizer intl
    """
    from understudy.corpus.lines import LineSource
    from understudy.text.tokenizers import tokenizer

    chosen = tokenizer(name)
    for file in files or ("-",):
        with closing(LineSource(file)) as lines:
            while len(block := lines.take(_LINES_AT_ONCE)):
                print_data(
                    "\n".join(
                        " ".join(chosen(block[row] or "", letter_case="lower" if lowercase else "keep"))
                        for row in range(len(block))
                    )
                )

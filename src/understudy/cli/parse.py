"""`understudy parse`: parse text and write the trees to a file."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click

from understudy.cli import options
from understudy.cli.arguments import complete_file
from understudy.cli.output import check_output, print_cache, print_data, write_file
from understudy.cli.parsers import (
    cache_of_parses,
    chosen_parser,
    language_option,
    no_cache_option,
    parser_option,
    say_what_was_taken,
)
from understudy.cli.progress import progress
from understudy.corpus.segment_sources import TREE_SUFFIXES
from understudy.errors import BadInput, BadParameter

if TYPE_CHECKING:
    from understudy.corpus.segment_sources import SegmentSource

_SUFFIXES = {"conllu": ".conllu", "brackets": ".ptb"}  # of files written; more are read
_SEGMENTS_AT_ONCE = 8192
_KIND_OF = {"conllu": "dependencies", "brackets": "constituents"}


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, shell_complete=complete_file)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    callback=lambda _ctx, _param, path: None if path == "-" else path,
    help="Write to FILE (atomically) instead of standard output. With several input files, a folder.",
)
@parser_option
@language_option
@click.option(
    "-f",
    "--format",
    type=click.Choice(tuple(_KIND_OF)),
    help="Output format: dependencies as CoNLL-U, or constituents as Penn brackets (default: according to the output "
    "file name, or to what the parser produces).",
)
@options.tsv_quoting
@options.threads
@no_cache_option
@click.option("--cache-info", is_flag=True, help="Show the location, size and content of the parse cache.")
@click.option("--clear-cache", is_flag=True, help="Delete the parse cache.")
def parse(
    *,
    files: tuple[str, ...],
    output: str | None,
    parser_spec: str,
    language: str | None,
    format: str | None,
    threads: int | None,
    no_cache: bool,
    cache_info: bool,
    clear_cache: bool,
) -> None:
    """Parse text and write the trees to files.

    FILE has one segment per line, or is a table or a WMT file, as for `understudy score`. The trees contain segment
    numbers and can be scored in place of the text. Parses are cached.

    \b
    Examples:
      understudy parse nmt.txt -o nmt.conllu
      understudy parse nmt.txt ref.txt -o trees --format brackets
      understudy parse sortie.fr -o sortie.conllu --parser spacy:fr_core_news_sm
      understudy parse tokenized.txt -o trees.conllu --parser auto@words
      understudy parse --cache-info
    """
    if cache_info or clear_cache:
        if files:
            raise click.UsageError("--cache-info and --clear-cache do not take files. Omit them.")
        print_cache(cache_of_parses(), "texts", clear=clear_cache)
        return
    if not files:
        raise click.UsageError("missing argument 'FILE...'.")
    read = [_read(file) for file in files]
    named = ((f"'{file}'", texts) for file, (_, texts) in zip(files, read, strict=True))
    chosen = chosen_parser(parser_spec, language, named, no_cache=no_cache)
    wanted = _format(format, output, chosen.schemes)
    targets = _targets([name for name, _ in read], output, _SUFFIXES[wanted])
    for target in targets:
        if target is not None and os.path.isdir(os.path.dirname(target) or "."):
            check_output(target, files)
    say_what_was_taken(chosen, parser_spec)

    from understudy.metrics.base.threads import checked_threads
    from understudy.syntax.written_trees import brackets_of, conllu_of

    cores = checked_threads(threads)
    with progress("parsing", lambda: sum(len(texts) for _, texts in read)) as advance:
        parses = [chosen.parse(texts, threads=cores, progress=advance) for _, texts in read]
    if len(targets) > 1:
        os.makedirs(str(output), exist_ok=True)
    for target, found in zip(targets, parses, strict=True):
        origin = f"{chosen.signature}/{chosen.schemes[_KIND_OF[wanted]]}"
        lines = conllu_of(found, origin) if wanted == "conllu" else brackets_of(found)
        text = "".join(lines).removesuffix("\n")  # added when writing
        if target is None:
            print_data(text)
        else:
            write_file(text, target)


def _targets(names: Sequence[str], output: str | None, suffix: str) -> Sequence[str | None]:
    """The output file of each text; None for standard output."""
    if len(names) == 1 and not (output is not None and os.path.isdir(output)):
        return [output]
    if output is None:
        raise click.UsageError("several input files need an output folder: -o FOLDER.")
    if os.path.exists(output) and not os.path.isdir(output):
        raise BadInput(
            f"--output '{output}' is a file, but {len(names)} input files need a folder. Use -o FOLDER."
        )
    targets = [os.path.join(output, name.replace(":", "-") + suffix) for name in names]
    for target in targets:
        if targets.count(target) > 1:
            raise BadInput(f"two input files would both be written to '{target}'. Parse them separately.")
    return targets


def _format(asked: str | None, output: str | None, kinds: Collection[str]) -> str:
    """The requested format, the format of the output file name, or a format that the parser produces."""
    given = [name for name, kind in _KIND_OF.items() if kind in kinds]
    suffix = os.path.splitext(output or "")[1].lower()
    named = TREE_SUFFIXES.get(suffix)
    chosen = asked or named or given[0]
    if chosen not in given:
        raise BadParameter(
            f"the parser does not produce {_KIND_OF[chosen]}, only {_KIND_OF[given[0]]}. Use --format {given[0]}"
        )
    return chosen


def _read(file: str) -> tuple[str, list[str]]:
    """The name of a file, and its segments."""
    from understudy.corpus.segment_sources import open_sources

    with ExitStack() as opened:
        sources = [opened.enter_context(closing(source)) for source in open_sources(file, role="system")]
        if len(sources) != 1:
            names = ", ".join(source.where for source in sources)
            raise BadInput(f"'{file}' contains {len(sources)} texts. Use one of {names}.")
        return sources[0].name, list(_segments(sources[0]))


def _segments(source: SegmentSource) -> Iterator[str]:
    while len(column := source.take(_SEGMENTS_AT_ONCE)):
        yield from (column[row] or "" for row in range(len(column)))

"""`understudy trees`: draw trees in the terminal."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from understudy.cli.arguments import complete_file
from understudy.cli.output import print_text, terminal_width
from understudy.cli.parsers import (
    chosen_parser,
    language_option,
    no_cache_option,
    parser_option,
    say_what_was_taken,
)
from understudy.errors import BadInput, BadParameter, MissingFile
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.syntax.parsing import PreparedParser
    from understudy.syntax.trees import ConstituentTree, DependencyTree

_KINDS = ("constituents", "dependencies", "both")
_GIVEN = ("auto", "text", "brackets", "conllu")

_TOKEN_LINE = re.compile(r"^\d+\t(?:[^\t\n]*\t){8}", re.MULTILINE)
_BRACKETS = re.compile(r"\(\s*(\(|[^\s()]+\s*\(|[^\s()a-z]+\s+[^\s()]+\s*\))")
_LABELED = re.compile(r"(\(\s*)+[^\s()a-z]+\s*\(")


@click.command()
@click.argument("what", metavar="[TEXT|FILE]", required=False, shell_complete=complete_file)
@parser_option
@language_option
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    help="Kind of tree to draw (default: constituents if available, otherwise dependencies).",
)
@click.option(
    "--given",
    type=click.Choice(_GIVEN),
    default="auto",
    show_default=True,
    help="Input format: text to parse, with one segment per line, or trees.",
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@no_cache_option
def trees(
    *,
    what: str | None,
    parser_spec: str,
    language: str | None,
    kind: str | None,
    given: str,
    ascii_only: bool,
    no_cache: bool,
) -> None:
    """Draw the trees of a text.

    TEXT or FILE (default: standard input) contains text to parse, Penn brackets or CoNLL-U. Collins' head rules derive
    dependencies from brackets.

    \b
    Examples:
      understudy trees "I had a dog."
      understudy trees "(S (NP (PRP I)) (VP (VBD slept)))"
      understudy trees nmt.ptb --kind dependencies
      understudy trees trees.conllu | less
      understudy trees "Le chat dort." --parser spacy:fr_core_news_sm
    """
    text, path = _content(what)
    form = given if given != "auto" else _form(text, path)
    if form == "text":
        rows = [row for row in text.splitlines() if row.strip()]
        parser = chosen_parser(parser_spec, language, [(path, rows)], no_cache=no_cache)
        drawings = _of_text(rows, parser, parser_spec, kind, ascii_only=ascii_only)
    else:
        drawings = _of_trees(text, path, form, kind, ascii_only=ascii_only)
    for number, drawing in enumerate(drawings):
        print_text(("\n" if number else "") + drawing)


def _content(what: str | None) -> tuple[str, str]:
    """The text, and its location for messages."""
    from understudy.corpus.files import STDIN, read_all
    from understudy.corpus.lines import decoded
    from understudy.corpus.segment_sources import trees_promised

    if what is not None and what != STDIN and not os.path.isfile(what):
        if trees_promised(what) is not None and not any(map(str.isspace, what)):
            raise MissingFile(f"no such file: '{what}'.")
        return what, "TEXT"
    path = what or STDIN
    return decoded(read_all(path), path), path


def _form(text: str, path: str) -> str:
    """The input format. A file name determines it, as in all commands. Otherwise, text in brackets is a tree if it
    starts with nested brackets, or with a tag in capitals and a word: `(He left.)` is a sentence. It must end with a
    bracket or be unbalanced: `(S (NN` is not a sentence, but `(EU (European Union) law) applies` is.
    """
    from understudy.corpus.segment_sources import trees_promised

    if (promised := trees_promised(path)) is not None:
        return promised
    if _TOKEN_LINE.search(text):
        return "conllu"
    start = text.lstrip()
    whole = _BRACKETS.match(start) and text.rstrip().endswith(")")
    broken = _LABELED.match(start) and text.count("(") != text.count(")")
    return "brackets" if whole or broken else "text"


def _of_text(
    rows: Sequence[str], chosen: PreparedParser, spec: str, kind: str | None, *, ascii_only: bool
) -> Iterator[str]:
    from understudy.syntax.trees import ConstituentTree, DependencyTree

    wanted = _KINDS[:2] if kind in (None, "both") else (kind,)
    for one in wanted:
        if kind is not None and one not in chosen.schemes:
            raise BadParameter(
                f"parser '{chosen.name}' does not produce {one}. Use --kind {next(iter(chosen.schemes))}"
            )
    say_what_was_taken(chosen, spec)
    for parse in chosen.parse(rows):
        constituents = parse.constituents if "constituents" in wanted else None
        dependencies = parse.dependencies if "dependencies" in wanted else None
        yield from _drawn(
            ConstituentTree.read(constituents or ""),
            DependencyTree.read(dependencies or ""),
            ascii_only=ascii_only,
        )


def _of_trees(text: str, path: str, form: str, kind: str | None, *, ascii_only: bool) -> Iterator[str]:
    from understudy.corpus.tree_files import read_conllu
    from understudy.syntax.head_rules import dependencies
    from understudy.syntax.trees import ConstituentTree, DependencyTree

    if form == "brackets":
        try:
            phrases = ConstituentTree.read(text)
        except BadInput as error:
            raise BadInput(f"{error} If the input is text, use --given text") from None
        by_rules = list(map(dependencies, phrases)) if kind in ("dependencies", "both") else []
        yield from _drawn([] if kind == "dependencies" else phrases, by_rules, ascii_only=ascii_only)
    elif kind in (None, "dependencies"):
        trees = read_conllu(text, path).dependencies
        assert trees is not None, "CoNLL-U contains dependencies only"
        written = "\n".join(trees[row] or "" for row in range(len(trees)))
        yield from _drawn([], DependencyTree.read(written), ascii_only=ascii_only)
    else:
        raise BadParameter(
            f"--kind {kind}: '{path}' contains dependencies, which cannot be converted to constituents. Give "
            "trees in brackets, or text to parse."
        )


def _drawn(
    constituents: Sequence[ConstituentTree], dependencies: Sequence[DependencyTree], *, ascii_only: bool
) -> Iterator[str]:
    """The trees of a text, sentence by sentence, each below its words."""
    from understudy.report.tree_drawing import ASCII, BOXES, draw_constituents, draw_dependencies
    from understudy.syntax.written_trees import text_of

    width = terminal_width()
    strokes = ASCII if ascii_only or not _can_hold(BOXES.branch + BOXES.last + BOXES.bar) else BOXES
    for phrase, arcs in zip_longest(constituents, dependencies):
        blocks = []
        if arcs is not None:  # the drawing does not show the words in text order
            words = printable(text_of(arcs))
            blocks.append(textwrap.fill(words, width) if width else words)
        if phrase is not None:
            blocks.append(draw_constituents(phrase, strokes=strokes, width=width))
        if arcs is not None:
            blocks.append(draw_dependencies(arcs, strokes=strokes, width=width))
        yield "\n\n".join(blocks)


def _can_hold(strokes: str) -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        strokes.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

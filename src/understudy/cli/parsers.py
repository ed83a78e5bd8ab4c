"""What the commands that parse have in common: which parser, and where its parses are kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from understudy.cli import say, warn
from understudy.cli.progress import progress_of_part
from understudy.errors import BadInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from understudy.metrics.base.metric import Metric
    from understudy.syntax.parse_cache import ParseCache
    from understudy.syntax.parsing import PreparedParser


def complete_parser(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A parser, such as spacy:fr_core_news_sm."""
    from importlib.metadata import entry_points

    models = sorted(f"spacy:{entry.name}" for entry in entry_points(group="spacy_models"))
    known = ["auto", "english", *models, "spacy:", "stanza:", "udpipe:"]
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in known if name.startswith(incomplete)]


parser_option = click.option(
    "--parser",
    "parser_spec",
    metavar="NAME",
    default="auto",
    show_default=True,
    shell_complete=complete_parser,
    help="english, spacy:MODEL, stanza:LANGUAGE or udpipe:FILE; auto takes the best that is installed. With @words "
    "at its end the words are those between white space.",
)
language_option = click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="The language of the text, for --parser auto (default: en).",
)
no_cache_option = click.option(
    "--no-cache", is_flag=True, help="Parse anew, and keep nothing for the next time."
)


def chosen_parser(
    spec: str, language: str | None, texts: Iterable[tuple[str, Sequence[str]]], *, no_cache: bool
) -> PreparedParser:
    """The parser, which keeps what it parses in the user's cache. Where nobody chose a language, texts that cannot be
    English are refused; they come with what to call them.
    """
    from understudy.syntax.parsing import is_auto, parser
    from understudy.text.languages import NAMES
    from understudy.text.scripts import unspaced_language

    if language is None and is_auto(spec):
        for where, segments in texts:
            if (found := unspaced_language(segments)) is not None:
                raise BadInput(
                    f"{where}: {NAMES[found]} text, which would be parsed as English. Use --lang {found}."
                )
    return parser(spec, language or "en", cache=None if no_cache else cache_of_parses())


def say_what_was_taken(parser: PreparedParser, spec: str) -> None:
    """Names the parser, on standard error, if the user did not."""
    if parser.name != spec:
        say(f"parser {parser.name}")


@contextmanager
def parsing_shown(metrics: Sequence[Metric], *, no_cache: bool, wanted: bool = True) -> Iterator[None]:
    """While metrics are counted that may parse: keeps parses in the user's cache, shows on a terminal how far parsing
    is, and says once which parser was taken where none was named.
    """
    named = {getattr(metric, "parser", None) for metric in metrics} - {None}
    if not named:
        yield
        return
    from understudy.syntax.parse_cache import ParseCache
    from understudy.syntax.parsing import PreparedParser

    told: set[str] = set()

    @contextmanager
    def watch(parser: PreparedParser, texts: int) -> Iterator[Callable[[int], None] | None]:
        if wanted and parser.name not in named | told:
            told.add(parser.name)
            say(f"parser {parser.name}")
        with progress_of_part(f"parsing with {parser.name}", texts) as advance:
            yield advance

    before = ParseCache.default, PreparedParser.watch
    ParseCache.default = None if no_cache else cache_of_parses()
    PreparedParser.watch = watch
    try:
        yield
    finally:
        ParseCache.default, PreparedParser.watch = before


def warn_of_unparsed(unparsed: Iterable[tuple[str, str, int]]) -> None:
    """Says of how many segments there is no tree. The entries are a system, a metric and their number."""
    for system, metric, count in unparsed:
        if count:
            segments = "1 segment has" if count == 1 else f"{count:,} segments have"
            warn(f"{system}: {segments} text and no tree; {metric} finds nothing there.")


def cache_of_parses() -> ParseCache:
    """The user's."""
    from understudy.syntax.parse_cache import FILE, ParseCache, cache_folder

    return ParseCache(cache_folder(os.environ, sys.platform) / FILE, complain=say)

"""Parser selection and the parse cache, for all commands that parse."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from understudy.cli import say, warn
from understudy.cli.arguments import given_language
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
    help="Parser: english, spacy:MODEL, stanza:LANGUAGE or udpipe:FILE; auto selects the best installed one. Append "
    "@words for tokenized text, e.g. auto@words.",
)
language_option = click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="Language of the text, for --parser auto (default: en).",
)
no_cache_option = click.option(
    "--no-cache",
    is_flag=True,
    help="Do not read or write the parse cache and the score cache.",
)


def chosen_parser(
    spec: str, language: str | None, texts: Iterable[tuple[str, Sequence[str]]], *, no_cache: bool
) -> PreparedParser:
    """The parser, with the user's parse cache. If no language is set, texts that are not English raise an error; each
    text comes with a name for the message.
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
    spoken = "en" if language is None else given_language(language).with_script
    return parser(spec, spoken, cache=None if no_cache else cache_of_parses())


def say_what_was_taken(parser: PreparedParser, spec: str) -> None:
    """Report the parser on standard error if the user did not name it."""
    if parser.name != spec:
        say(f"parser {parser.name}")


@contextmanager
def parsing_shown(
    metrics: Sequence[Metric], *, no_cache: bool, wanted: bool = True, also: bool = False
) -> Iterator[None]:
    """Context for counting metrics that may parse: uses the user's parse cache, shows progress on a terminal, and
    reports once which parser was selected if none was named. `also`: something else may parse, too.
    """
    named = {getattr(metric, "parser", None) for metric in metrics} - {None}
    if not named and not also:
        yield
        return
    from understudy.syntax.parse_cache import ParseCache
    from understudy.syntax.parsing import PreparedParser

    told: set[str] = set()

    @contextmanager
    def watch(parser: PreparedParser, texts: int) -> Iterator[Callable[[int], None] | None]:
        if wanted and named and parser.name not in named | told:
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
    """Warn about segments without a tree. The entries are a system, a metric and the number of such segments."""
    for system, metric, count in unparsed:
        if count:
            segments = "1 segment has" if count == 1 else f"{count:,} segments have"
            warn(f"{system}: {segments} text but no tree; {metric} counts no matches there.")


def cache_of_parses() -> ParseCache:
    """The user's parse cache."""
    from understudy.disk_cache import cache_folder
    from understudy.syntax.parse_cache import FILE, ParseCache

    return ParseCache(cache_folder(os.environ, sys.platform) / FILE, complain=say)

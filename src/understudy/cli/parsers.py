"""What the commands that parse have in common: which parser, and where its parses are kept."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from understudy.syntax.parse_cache import ParseCache
    from understudy.syntax.parsing import PreparedParser


def complete_parser(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A parser, such as spacy:fr_core_news_sm."""
    from importlib.metadata import entry_points

    models = sorted(f"spacy:{entry.name}" for entry in entry_points(group="spacy_models"))
    known = ["auto", "english", *models, "spacy:", "stanza:", "udpipe:"]
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
    default="en",
    show_default=True,
    help="The language of the text, for --parser auto.",
)
no_cache_option = click.option(
    "--no-cache", is_flag=True, help="Parse anew, and keep nothing for the next time."
)


def chosen_parser(spec: str, language: str, *, no_cache: bool) -> PreparedParser:
    """The parser, which keeps what it parses in the user's cache."""
    from understudy.syntax.parsing import parser

    return parser(spec, language, cache=None if no_cache else cache_of_parses())


def say_what_was_taken(parser: PreparedParser, spec: str) -> None:
    """Names the parser, on standard error, if the user did not."""
    if parser.name != spec:
        click.echo(f"understudy: parser {parser.name}", err=True)


def cache_of_parses() -> ParseCache:
    """The user's."""
    from understudy.syntax.parse_cache import FILE, ParseCache, cache_folder

    return ParseCache(
        cache_folder(os.environ, sys.platform) / FILE,
        complain=lambda message: click.echo(f"understudy: {message}", err=True),
    )

"""The trees of a column of text: its own if it has them, else a parser's."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal

from understudy._core import Column
from understudy.corpus.columns import as_hypotheses
from understudy.corpus.parsed import ParsedColumn
from understudy.errors import BadInput, MissingExtra
from understudy.syntax.head_rules import SCHEME, dependencies
from understudy.syntax.parsing import Parse, Parser
from understudy.syntax.parsing import parser as parser_of
from understudy.syntax.trees import ConstituentTree, DependencyTree, written

Kind = Literal["constituents", "dependencies"]

# What was parsed lately, by parser and text: several metrics ask for the trees of the same references, and for
# each system anew. Bounded by what a test set of the usual size with twenty systems has. A text that a parser failed on
# is among them, so that all metrics and systems of a run see the same trees.
_LATELY: dict[tuple[str, str], Parse] = {}
_MOST = 50_000


def parse(
    segments: Any, parser: str | Parser = "auto", language: str = "en", *, threads: int = 1
) -> ParsedColumn:
    """The segments with their trees, which metrics take in place of text. `parser` is a name, as in
    `understudy parse`, or an object of your own with the same methods as `understudy.syntax.parsing.Parser`.
    """
    return _parsed(as_hypotheses(segments), parser_of(parser, language), threads)


def trees_of(column: Column, kind: Kind, parser: Parser | None, threads: int) -> Column:
    """Trees of that kind as text. Dependencies can be had from constituents, by head rules."""
    parsed = column if isinstance(column, ParsedColumn) else _parsed(column, parser, threads)
    found = parsed.constituents if kind == "constituents" else parsed.dependencies
    if found is not None:
        return found
    if parsed.constituents is None:
        raise BadInput(
            f"the trees are dependencies, and {kind} are needed. Give trees in brackets, or text to parse."
        )
    return _by_head_rules(parsed.constituents)


def origin_of(column: Column, kind: Kind, parser: Parser | None) -> str:
    """Who made the trees, and by which scheme, as in signatures."""
    if isinstance(column, ParsedColumn):
        derived = kind == "dependencies" and column.dependencies is None
        scheme = SCHEME if derived else column.schemes.get(kind)
        return f"{column.origin}/{scheme}" if scheme else column.origin
    assert parser is not None, "text is parsed"
    return f"{parser.signature}/{parser.schemes.get(kind, SCHEME)}"


def common_origin(what: str, sides: Sequence[Column], kind: Kind, spec: str, language: str) -> str:
    """Who made the trees of all of these, of which text is parsed by the parser of that name. `what` needs them."""
    try:
        origins = [origin_of(side, kind, parser_for(side, spec, language)) for side in sides]
    except MissingExtra as error:
        if not any(isinstance(side, ParsedColumn) for side in sides):
            raise
        raise BadInput(
            f"{what}: trees and text do not compare. Give trees for all, which `understudy parse` writes, or text for "
            f"all. ({error})"
        ) from None
    for origin in origins[1:]:
        if origin != origins[0]:
            raise BadInput(
                f"{what}: trees by {origins[0]} and trees by {origin} do not compare. Have all of them parsed by the "
                "same program, for example with `understudy parse`."
            )
    return origins[0]


def parser_for(column: Column, spec: str, language: str) -> Parser | None:
    """The parser that a column needs: none if it has its trees."""
    return None if isinstance(column, ParsedColumn) else parser_named(spec, language)


@functools.lru_cache(maxsize=16)  # to look for what is installed takes a while, and every count asks
def parser_named(spec: str, language: str) -> Parser:
    """The parser of that name."""
    return parser_of(spec, language)


def words_and_tags(trees: Column, *, coarse: bool) -> tuple[Column, Column]:
    """The words of dependency trees in the order of the text, and their parts of speech, with spaces between them."""
    words: list[str | None] = []
    tags: list[str | None] = []
    for row in range(len(trees)):
        text = trees[row]
        if text is None:
            words.append(None)
            tags.append(None)
            continue
        tokens = [token for tree in DependencyTree.read(text) for token in tree.tokens]
        # A word may hold spaces, as numbers in French do; here spaces separate words.
        words.append(" ".join("_".join(token.form.split()) for token in tokens))
        tags.append(" ".join(token.coarse if coarse else token.tag for token in tokens))
        if any((token.coarse if coarse else token.tag) == "_" for token in tokens):
            raise BadInput(
                f"segment {row + 1}: a word of its trees has no {'coarse ' * coarse}part of speech."
            )
    return Column.from_strings(words), Column.from_strings(tags)


def _parsed(column: Column, parser: Parser | None, threads: int) -> ParsedColumn:
    assert parser is not None, "text is parsed"
    texts = [column[row] for row in range(len(column))]
    parses = _parse_all([text for text in texts if text is not None], parser, threads)
    in_order = iter(parses)
    by_segment = [None if text is None else next(in_order) for text in texts]
    kinds: dict[str, Column] = {
        kind: Column.from_strings([None if parse is None else getattr(parse, kind) for parse in by_segment])
        for kind in parser.schemes
    }
    return ParsedColumn(column, origin=parser.signature, schemes=parser.schemes, **kinds)


def _parse_all(texts: Sequence[str], parser: Parser, threads: int) -> list[Parse]:
    signature = parser.signature
    known = {text: _LATELY[signature, text] for text in texts if (signature, text) in _LATELY}
    wanted = [text for text in dict.fromkeys(texts) if text not in known]
    if wanted:
        known.update(zip(wanted, parser.parse(wanted, threads=threads, progress=None), strict=True))
        if len(_LATELY) + len(wanted) > _MOST:
            _LATELY.clear()
        _LATELY.update(((signature, text), known[text]) for text in wanted)
    return [known[text] for text in texts]


def _by_head_rules(constituents: Column) -> Column:
    rows = [constituents[row] for row in range(len(constituents))]
    return Column.from_strings(
        [None if row is None else written(list(map(dependencies, ConstituentTree.read(row)))) for row in rows]
    )

"""The trees of a text column: its own if it has them, otherwise a parser's."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal

from understudy._core import Column
from understudy.corpus.columns import as_hypotheses
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadInput, BadSegment, MissingExtra
from understudy.settings import check_name, check_whole
from understudy.syntax.head_rules import SCHEME, dependencies
from understudy.syntax.parsing import Parse, Parser
from understudy.syntax.parsing import parser as parser_of
from understudy.syntax.trees import ConstituentTree, DependencyTree, written

Kind = Literal["constituents", "dependencies"]

# Recent parses, by parser and text: several metrics need the trees of the same references, for each system. The limit
# fits a typical test set with twenty systems. Failed parses are included, so that all metrics and systems of a run see
# the same trees.
_LATELY: dict[tuple[str, str], Parse] = {}
_MOST = 50_000


def parse(
    segments: Any, parser: str | Parser = "auto", lang: str = "en", *, threads: int = 1
) -> ParsedColumn:
    """The segments with their trees, which metrics accept in place of text. `parser` is a name, as in `understudy
    parse`, or an object with the interface of `understudy.syntax.parsing.Parser`.
    """
    check_name("lang", lang)
    check_whole("threads", threads)
    return _parsed(as_hypotheses(segments), parser_of(parser, lang), threads)


def trees_of(column: Column, kind: Kind, parser: Parser | None, threads: int) -> Column:
    """Trees of that kind as text. Dependencies are derived from constituents by head rules if necessary."""
    parsed = column if isinstance(column, ParsedColumn) else _parsed(column, parser, threads)
    found = parsed.constituents if kind == "constituents" else parsed.dependencies
    if found is not None:
        return found
    if parsed.constituents is None:
        raise BadInput(
            f"{kind} are needed, but the trees are dependencies. Give trees in brackets, or text to parse."
        )
    return _by_head_rules(parsed.constituents)


def _origin_of(column: Column, kind: Kind, parser: Parser | None) -> str:
    """The parser and annotation scheme of the trees, as in signatures."""
    if isinstance(column, ParsedColumn):
        derived = kind == "dependencies" and column.dependencies is None
        scheme = SCHEME if derived else column.schemes.get(kind)
        return f"{column.origin}/{scheme}" if scheme else column.origin
    assert parser is not None, "text is parsed"
    return f"{parser.signature}/{parser.schemes.get(kind, SCHEME)}"


def common_origin(what: str, sides: Sequence[Column], kind: Kind, spec: str, language: str) -> str:
    """The parser of all these columns; text is parsed by the named parser. `what` is the metric that needs them."""
    try:
        origins = [_origin_of(side, kind, parser_for(side, spec, language)) for side in sides]
    except MissingExtra as error:
        if not any(isinstance(side, ParsedColumn) for side in sides):
            raise
        raise BadInput(
            f"{what}: cannot compare trees with text. Give trees for all inputs (see `understudy parse`), or text "
            f"for all. ({error})"
        ) from None
    for origin in origins[1:]:
        if origin != origins[0]:
            raise BadInput(
                f"{what}: trees from {origins[0]} and trees from {origin} are not comparable. Parse all inputs "
                "with the same parser, e.g. with `understudy parse`."
            )
    return origins[0]


def parser_for(column: Column, spec: str, language: str) -> Parser | None:
    """The parser that a column needs; None if it has trees."""
    return None if isinstance(column, ParsedColumn) else parser_named(spec, language)


@functools.lru_cache(maxsize=16)  # finding installed parsers is slow, and every count needs it
def parser_named(spec: str, language: str) -> Parser:
    """The parser of that name."""
    return parser_of(spec, language)


def words_and_tags(trees: Column, *, coarse: bool) -> tuple[Column, Column]:
    """The words of dependency trees in text order, and their part-of-speech tags, separated by spaces."""
    words: list[str | None] = []
    tags: list[str | None] = []
    for row in range(len(trees)):
        text = trees[row]
        if text is None:
            words.append(None)
            tags.append(None)
            continue
        tokens = [token for tree in DependencyTree.read(text) for token in tree.tokens]
        # A word may contain spaces, as in French numbers; here, spaces separate words.
        words.append(" ".join("_".join(token.form.split()) for token in tokens))
        tags.append(" ".join(token.coarse if coarse else token.tag for token in tokens))
        if any((token.coarse if coarse else token.tag) == "_" for token in tokens):
            raise BadSegment.at(
                "", row, f": a word in its trees has no {'universal ' * coarse}part-of-speech tag."
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

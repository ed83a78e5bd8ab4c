"""The trees of a column of text: its own if it has them, else a parser's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from understudy._core import Column
from understudy.corpus.columns import as_hypotheses
from understudy.corpus.parsed import ParsedColumn
from understudy.errors import BadInput
from understudy.syntax.head_rules import SCHEME, dependencies
from understudy.syntax.parsing import Parse, Parser
from understudy.syntax.parsing import parser as parser_of
from understudy.syntax.trees import ConstituentTree, written

Kind = Literal["constituents", "dependencies"]

# What was parsed lately, by parser and text: several metrics ask for the trees of the same references, and for
# each system anew. Bounded by what a test set of the usual size with twenty systems has.
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

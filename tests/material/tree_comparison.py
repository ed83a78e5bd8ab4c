"""A comparison by metrics of trees, with hand-written trees: for whoever shows trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from understudy import ParsedColumn, References
from understudy.breakdown.results import Breakdown
from understudy.breakdown.segment_views import segment_views
from understudy.breakdown.tree_views import TreeView, tree_views
from understudy.comparing.results import Comparison
from understudy.comparing.run import compare
from understudy.corpus.corpus import Corpus
from understudy.scoring.counted_systems import count_systems

DOG = "(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))"
# The first is the paper's example; the others run from right to left, have no spaces, or have no tree.
FIRST = (
    DOG,
    "(S (VP (VBD نام) (NP (NN الكلب)) (PP (IN في) (NP (NN الحديقة)))) (PUNC .))",
    "(IP (NP (NN 市) (NN 图书馆)) (VP (ADVP (AD 重新)) (VP (VV 开放))) (PU 。))",
    "(S (NP (NN a))) (S (NP (NN b)))",
)
SECOND = (
    "(S (NP (DT A) (NN dog)) (NP (PRP I)) (VP (VBD had)) (. .))",
    "(S (NP (NN الكلب)) (VP (VBD نام) (NP (NN الحديقة))) (PUNC .))",
    "(IP (NP (NN 图书馆)) (VP (VV 开放)) (PU 。))",
    "",
)
REFERENCES = (
    (
        "(S (NP (PRP I)) (VP (VBP have) (NP (DT the) (NN dog))) (. .))",
        "(S (VP (VBD نام) (NP (NN الكلب)) (PP (IN في) (NP (DT هذه) (NN الحديقة)))) (PUNC .))",
        "(IP (NP (NN 市) (NN 图书馆)) (VP (PP (P 经过) (NP (CD 两) (M 年))) (ADVP (AD 重新)) (VP (VV 开放))) (PU 。))",
        "(S (NP (NN a)))",
    ),
    (
        "(S (NP (DT The) (NN dog)) (VP (VBD was) (NP (PRP$ my) (NN dog))) (. .))",
        None,
        "(IP (NP (NN 图书馆)) (VP (VV 开放) (AS 了)) (PU 。))",
        "(S (NP (NN b)))",
    ),
)


def column(brackets: Sequence[str | None]) -> ParsedColumn:
    if None not in brackets:
        return ParsedColumn.from_brackets(text for text in brackets if text is not None)
    whole = ParsedColumn.from_brackets(text or "" for text in brackets)
    texts = [whole[row] if text is not None else None for row, text in enumerate(brackets)]
    from understudy._core import Column

    return ParsedColumn(Column.from_strings(texts), constituents=Column.from_strings(brackets))


def outputs() -> dict[str, ParsedColumn]:
    return {"first": column(FIRST), "second": column(SECOND)}


def references() -> References:
    return References(tuple(map(column, REFERENCES)))


def report_parts(
    specs: Sequence[str] = ("stm", "hwcm"),
    systems: dict[str, ParsedColumn] | None = None,
    answers: References | None = None,
    **choices: Any,
) -> tuple[Comparison, Breakdown, list[TreeView]]:
    """What a report is made of."""
    chosen = outputs() if systems is None else systems
    read = references() if answers is None else answers
    corpus = Corpus(chosen, read)
    counted = count_systems(corpus, metrics=specs)
    views = segment_views(counted, read, None)
    found = compare(corpus, metrics=specs, all_pairs=True, samples=50)
    return found, Breakdown([], [], views), tree_views(counted, views, **choices)

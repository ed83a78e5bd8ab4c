"""TreeMetric: the base of all syntax-based metrics; the source of trees, and its record in the signature."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column, TreeReading
from understudy.corpus.columns import References
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadSegment, UnderstudyError
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Unchosen, moved_last, param, without
from understudy.metrics.base.words import LETTER_CASES
from understudy.syntax.parsing import is_auto
from understudy.syntax.tree_columns import Kind, common_origin, parser_for, parser_named, trees_of
from understudy.text.languages import language_of

if TYPE_CHECKING:
    from understudy._core import BadTree

T = TypeVar("T", bound="TreeMetric")


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeMetric(Metric):
    """A syntax-based metric. Text is parsed first; trees from files are used unchanged."""

    parser: str = param("auto", "parser, see `understudy parse --help`; not needed for trees from files")
    language: str = param(Unchosen("en"), "language for parser selection")
    punctuation: bool = param(True, "keep punctuation in the trees", choices=(True, False), key="punct")

    told_by_input: ClassVar[frozenset[str]] = frozenset({"parser", "language"})
    kind: ClassVar[Kind]

    @property
    @abstractmethod
    def reading(self) -> TreeReading:
        """The core's options for reading the trees."""

    @property
    def parses(self) -> bool:
        return True

    @property
    def missing(self) -> str:
        try:
            chosen = parser_named(self.parser, self.language)
        except UnderstudyError as error:
            return str(error)
        if self.kind in chosen.schemes or "constituents" in chosen.schemes:
            return ""
        return f"{self.name} needs {self.kind}, which the parser {chosen.name} does not produce. Use another parser."

    @property
    def undecided_language(self) -> bool:
        return isinstance(self.language, Unchosen) and is_auto(self.parser)

    def takes_for_english(self, text: Column) -> bool:
        return self.undecided_language and not isinstance(text, ParsedColumn)

    def for_language(self: T, language: str) -> T:
        spoken = language_of(language).with_script
        return replace(self, language=spoken) if isinstance(self.language, Unchosen) else self

    def of_input(self, hypotheses: Column, references: References) -> dict[str, str]:
        sides = (hypotheses, *references.columns)
        origin = common_origin(self.name, sides, self.kind, self.parser, self.language)
        return {**super().of_input(hypotheses, references), "trees": origin}

    def trees(
        self, hypotheses: Column, references: References, threads: int
    ) -> tuple[Column, list[Column], NDArray[np.int64]]:
        """The trees for the core, and for each segment whether it has text but no tree."""
        sides = (hypotheses, *references.columns)
        parsers = [parser_for(side, self.parser, self.language) for side in sides]
        first, *others = [
            trees_of(side, self.kind, parser, threads) for side, parser in zip(sides, parsers, strict=True)
        ]
        rows = range(len(hypotheses))
        unparsed = [_is_blank(first[row]) and bool((hypotheses[row] or "").strip()) for row in rows]
        return first, others, np.array(unparsed, dtype=np.int64)

    def refuse_bad(self, bad: BadTree) -> None:
        """The core's report of a malformed tree, as an error."""
        if bad is not None:
            segment, reference, offset, what = bad
            side = "hypotheses" if reference is None else f"reference {reference + 1}"
            raise BadSegment.at(f"{side}: ", segment, f", byte {offset + 1} of its trees: {what}.")

    def choices(self) -> dict[str, str]:
        return moved_last(super().choices(), "punct")


@dataclass(frozen=True, kw_only=True, repr=False)
class ConstituentMetric(TreeMetric):
    """A metric on constituency trees without words: part-of-speech tags are the leaves."""

    pos: str = param(
        "fine",
        "part-of-speech tags of the trees, or universal tags (UPOS)",
        choices=("fine", "coarse"),
    )

    kind: ClassVar[Kind] = "constituents"

    @property
    def reading(self) -> TreeReading:
        return TreeReading.brackets(tags=self.pos, punctuation=self.punctuation)


@dataclass(frozen=True, kw_only=True, repr=False)
class DependencyMetric(TreeMetric):
    """A metric on dependency trees, where every node is a word."""

    node: str = param(
        "word", "attribute by which nodes are compared", choices=("word", "lemma", "tag", "relation")
    )
    pos: str = param(
        "fine",
        "with node=tag: language-specific tags (XPOS) or universal tags (UPOS)",
        choices=("fine", "coarse"),
    )
    lowercase: bool = param(False, "lowercase words and lemmas", choices=(False, True), key="case")

    kind: ClassVar[Kind] = "dependencies"

    @property
    def reading(self) -> TreeReading:
        return TreeReading.dependencies(
            node="coarse-tag" if (self.node, self.pos) == ("tag", "coarse") else self.node,
            letter_case=LETTER_CASES[self.lowercase],
            punctuation=self.punctuation,
        )

    def choices(self) -> dict[str, str]:
        choices = {**super().choices(), "case": "lc" if self.lowercase else "mixed"}
        without_effect = {"word": ["pos"], "lemma": ["pos"], "tag": ["case"], "relation": ["pos", "case"]}
        return without(choices, *without_effect[self.node])


def _is_blank(trees: str | None) -> bool:
    return not (trees or "").strip(" \n()")

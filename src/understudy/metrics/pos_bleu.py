"""BLEU on part-of-speech tags, alone or combined with BLEU on words (Hovy & Ravichandra 2003)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadParameter, BadSegment
from understudy.metrics.base.parameters import Unchosen, moved_last, param, without
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.bleu import BLEU
from understudy.syntax.parsing import is_auto
from understudy.syntax.tree_columns import common_origin, parser_for, trees_of, words_and_tags
from understudy.text.languages import language_of


@dataclass(frozen=True, kw_only=True, repr=False)
class POSBLEU(BLEU):
    """BLEU on the part-of-speech tags of hypothesis and references. The other parameters are BLEU's.

    >>> print(f"{POSBLEU().corpus(['DT NN VBD IN DT NN .'], ['DT NN VBZ IN DT NN .']).value:.2f}")
    48.89
    >>> tagged = POSBLEU(separator="_", word_weight=0.5)
    >>> score = tagged.corpus(["the_DT dog_NN sat_VBD on_IN it_PRP"], ["the_DT cat_NN sat_VBD on_IN it_PRP"])
    >>> print(f"{score.value:.2f} {score.detail['tags']['bleu']:.2f} {score.detail['words']['bleu']:.2f}")
    71.36 100.00 42.73
    """

    tokenize: str = param("none", "tokens are separated by whitespace", choices=("none",))
    separator: str = param(
        "", "separator between word and tag, as in the_DT (default: the input consists of tags)"
    )
    parser: str = param(
        "", "parser that assigns the tags, see `understudy parse --help` (default: the input is tagged)"
    )
    language: str = param(Unchosen("en"), "language for parser selection")
    pos: str = param(
        "fine",
        "tags from trees: language-specific (XPOS) or universal (UPOS)",
        choices=("fine", "coarse"),
    )
    word_weight: float = param(
        0.0, "weight of BLEU on words; BLEU on tags has the remaining weight", key="words"
    )

    name: ClassVar[str] = "pos-bleu"
    title: ClassVar[str] = "POS-BLEU"
    summary: ClassVar[str] = "BLEU on part-of-speech tags, given or assigned by a parser."
    formula: ClassVar[str] = r"(1 - w) \cdot \mathrm{BLEU}(\text{tags}) + w \cdot \mathrm{BLEU}(\text{words})"
    citation: ClassVar[str] = (
        "Eduard Hovy, Deepak Ravichandra: Holy and Unholy Grails. Panel discussion, MT Summit IX, 2003; as Chris "
        "Callison-Burch, Miles Osborne, Philipp Koehn: Re-evaluating the Role of BLEU in Machine Translation "
        f"Research, EACL 2006, section 5, describes it. BLEU: {BLEU.citation}"
    )
    not_for: ClassVar[str] = (
        "Adequacy: sentences with the same tag sequence are indistinguishable. Comparing texts tagged by "
        "different taggers or with different tag sets. Taggers make more errors on bad translations than on good "
        "ones."
    )
    panel: ClassVar[tuple[int, str] | None] = None
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    told_by_input: ClassVar[frozenset[str]] = frozenset({"parser", "language", "pos"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.word_weight <= 1:
            raise BadParameter(f"word_weight={self.word_weight:g}: expected a number from 0 to 1.")
        if self.word_weight and not self.separator and not self.parser:
            raise BadParameter(
                f"word_weight={self.word_weight:g}: the input has tags only. Set separator=_ for text like the_DT "
                "cat_NN, or set a parser."
            )
        if self.separator and self.parser:
            raise BadParameter(
                f"separator={self.separator}: cannot be combined with a parser, which expects untagged text. Set "
                "one of them."
            )
        if any(map(str.isspace, self.separator)):
            raise BadParameter("separator: must not contain whitespace, which separates tokens.")

    @property
    def parses(self) -> bool:
        return bool(self.parser)

    @property
    def cuts_text(self) -> bool:
        return False  # the input is tagged, or a parser tokenizes it

    @property
    def undecided_language(self) -> bool:
        return isinstance(self.language, Unchosen) and is_auto(self.parser)

    def takes_for_english(self, text: Column) -> bool:
        return self.undecided_language and not isinstance(text, ParsedColumn)

    def for_language(self, language: str) -> POSBLEU:
        spoken = language_of(language).with_script
        return replace(self, language=spoken) if isinstance(self.language, Unchosen) else self

    def for_counting(self) -> POSBLEU:
        alike = super().for_counting()
        assert isinstance(alike, POSBLEU)
        return alike

    # --- counting: tags first, then words if they weigh anything ---------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        words = tuple(f"word_{name}" for name in super().columns) if self.word_weight else ()
        return (*super().columns, *words)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        if self.takes_text_as_tags(hypotheses, *references.columns):
            return super().count(hypotheses, references, threads)
        hypothesis = self._split(hypotheses, "hypotheses", threads)
        reference = [self._split(column, "references", threads) for column in references.columns]
        layers = [1, 0] if self.word_weight else [1]  # `_split` returns the words first
        return np.hstack(
            [
                super(POSBLEU, self).count(
                    hypothesis[layer], References(tuple(pair[layer] for pair in reference)), threads
                )
                for layer in layers
            ]
        )

    def of_input(self, hypotheses: Column, references: References) -> dict[str, str]:
        added = super().of_input(hypotheses, references)
        if self.separator or self.takes_text_as_tags(hypotheses, *references.columns):
            return added
        sides = (hypotheses, *references.columns)
        origin = common_origin(self.name, sides, "dependencies", self.parser or "auto", self.language)
        return {**added, "trees": origin, "pos": self.pos}

    def takes_text_as_tags(self, *sides: Column) -> bool:
        """Whether the text consists of tags. False if it has trees, which contain the tags."""
        return (
            not self.separator
            and not self.parser
            and not any(isinstance(side, ParsedColumn) for side in sides)
        )

    def _split(self, column: Column, side: str, threads: int) -> tuple[Column, Column]:
        """The words and the tags."""
        if not self.separator:
            parser = parser_for(column, self.parser or "auto", self.language)
            trees = trees_of(column, "dependencies", parser, threads)
            return words_and_tags(trees, coarse=self.pos == "coarse")
        first, second = _core.split_tagged(column, self.separator)
        if isinstance(first, int):
            raise BadSegment.at(
                f"{side}: ",
                first,
                f" has '{second}', expected WORD{self.separator}TAG. Omit the separator if the input consists of tags.",
            )
        assert isinstance(second, Column)
        return first, second

    # --- scoring ---------------------------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        tags = super().score(self._layer(statistics, 0))
        if not self.word_weight:
            return tags
        return (1 - self.word_weight) * tags + self.word_weight * super().score(self._layer(statistics, 1))

    def detail(self, totals: Statistics) -> dict[str, Any]:
        layers = ["tags", "words"] if self.word_weight else ["tags"]
        found = [self._layer(totals, index) for index in range(len(layers))]
        return {
            layer: {"bleu": super(POSBLEU, self).score(counts).item(), **super(POSBLEU, self).detail(counts)}
            for layer, counts in zip(layers, found, strict=True)
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return "  ".join(
            f"{layer} {part['bleu']:.2f} = {super(POSBLEU, self).explain(part)}"
            for layer, part in detail.items()
        )

    def choices(self) -> dict[str, str]:
        tags = self.separator or ("parsed" if self.parser else "only")
        own = without(super().choices(), "separator")
        return moved_last({**own, "tags": tags}, "words")

    def _layer(self, statistics: Statistics, index: int) -> Statistics:
        names = super().columns
        first = index * len(names)
        return replace(statistics, array=statistics.array[..., first : first + len(names)], columns=names)


def look_like_words(texts: Iterable[str]) -> bool:
    """Whether the tokens of the texts are words rather than tags.

    No tag set has this many tags of four or more lowercase letters. Penn, STTS, UPOS and positional tags have
    capitals, lowercase Brown tags are shorter, and Universal Dependencies has 37 relations without subtypes.

    >>> look_like_words(["DT NN VBD IN DT NN ."]), look_like_words(["at nn vbd in at nn ."])
    (False, False)
    """
    tokens = {token for text in texts for token in text.split()}
    return sum(len(token) >= 4 and token.isalpha() and token == token.lower() for token in tokens) > 50

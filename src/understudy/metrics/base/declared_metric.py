"""DeclaredMetric: what each metric declares: facts about it, its two functions, and what it needs to know or be given.

`Metric` derives everything else from this.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.parameterized import Parameterized
from understudy.metrics.base.parameters import Parameter
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import Reader

D = TypeVar("D", bound="DeclaredMetric")


class Fitted(Protocol):
    """What a metric has learned from a whole set of references. Its content is up to the metric and never changes."""

    @property
    def fingerprint(self) -> int:
        """Identical for identical sets of references, regardless of order and of how the set is split."""


@dataclass(frozen=True, kw_only=True, repr=False)
class DeclaredMetric(Parameterized):
    """The declaration of a metric: everything that its class may define. All but the first facts have defaults."""

    summary: ClassVar[str]  # one sentence: what it measures
    formula: ClassVar[str]  # as in the source, in LaTeX
    citation: ClassVar[str]
    not_for: ClassVar[str]  # when not to use it
    higher_is_better: ClassVar[bool | None] = True  # None: the value closest to `target` is best
    target: ClassVar[float | None] = None  # the best value, where that is neither the highest nor the lowest
    percent: ClassVar[bool] = True  # a fraction, reported times 100
    below_zero: ClassVar[bool] = False  # whether a score can be below 0
    # What does not affect the score: "order", "words", "repetition" (the whole text repeated).
    blind_to: ClassVar[frozenset[str]] = frozenset()
    panel: ClassVar[tuple[int, str] | None] = None  # position and spec in the default panel (`-m all`)
    reads_references: ClassVar[bool] = True  # False: a reference-free metric
    reads_sources: ClassVar[bool] = False  # True: it compares with the source text
    needs_fit: ClassVar[bool] = False  # it must see the whole test set before counting
    prepares: ClassVar[bool] = False  # it wants to see all hypotheses before counting any, see `prepare`
    written_as: ClassVar[str] = ""  # the form of its spec, if the name alone is not enough
    # Parameters that choose where part of the input comes from, such as a parser. The signature has what `of_input`
    # reports instead.
    told_by_input: ClassVar[frozenset[str]] = frozenset()
    # Entries of the signature that are versions of packages: another one changes the last digits of a score at most.
    versions: ClassVar[frozenset[str]] = frozenset()
    # Whether each segment is scored against its best reference only (the first, if tied). The order of the references
    # can then affect the corpus score.
    best_reference: ClassVar[bool] = False
    # Whether its counts are also exactly those for the reference that `of_best_reference` selects. After counting with
    # each single reference, it is then unnecessary to count with all of them.
    counts_single_references: ClassVar[bool] = False
    # Whether each segment is compared with all its references at once. Their order can then affect the score, and a
    # copy of one of several references need not get the best score.
    pools_references: ClassVar[bool] = False
    follows_instructions: ClassVar[bool] = False  # whether instructions in a text may affect it
    # Parameters that are maximum orders: a higher one adds columns to the statistics, and the others stay the same.
    maximum_orders: ClassVar[tuple[str, ...]] = ()
    aggregates: ClassVar[bool] = False  # whether it can score against aggregated references
    of_another_package: ClassVar[bool] = (
        False  # found out for every subclass: what it returns is then checked
    )

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics it counts."""

    @abstractmethod
    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[Any]:
        """The counts [segments, K], of int64 or float64."""

    @abstractmethod
    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        """The scores [...] of counts [..., K]."""

    def choices(self) -> dict[str, str]:
        """The metric's own part of the signature: every parameter under its key, in the order of declaration. A metric
        with other wording replaces entries, so that none is missing.
        """
        return {
            parameter.key: Parameter.signed(getattr(self, name))
            for name, parameter in self.parameters().items()
            if name not in self.told_by_input
        }

    @property
    def label(self) -> str:
        """The title in tables, which may depend on the parameters."""
        return self.title

    @property
    def sees_no(self) -> frozenset[str]:
        """As `blind_to`, where it depends on the parameters."""
        return self.blind_to

    @property
    def reads_documents(self) -> bool:
        """Whether document labels, where known, affect the score."""
        return False

    @property
    def parses(self) -> bool:
        """Whether it parses text; a parser may start processes."""
        return False

    @property
    def uses_models(self) -> bool:
        """Whether a learned model computes it; its scores are cached on disk."""
        return False

    @property
    def missing(self) -> str:
        """One line naming what it needs but cannot find on this machine, such as data; empty if nothing is missing."""
        return ""

    @property
    def if_too_long(self) -> str:
        """What to do about a segment that is too long, other than splitting it; continues a sentence."""
        return ""

    @property
    def full_marks(self) -> bool:
        """Whether an exact copy of a reference gets the best possible score."""
        return True

    @property
    def undecided_reader(self) -> Reader | None:
        """The metric itself, if it compares words and its tokenizer is still the default."""
        return None

    @property
    def undecided_language(self) -> bool:
        """Whether it treats text as English because no language has been set."""
        return False

    @cached_property
    def undecided(self) -> bool:
        """Whether text may not fit what it takes text for while nobody has chosen: see `refuse_unsplit`."""
        return self.undecided_reader is not None or self.undecided_language

    def takes_for_english(self, text: Column) -> bool:  # noqa: ARG002
        """The same for one text, which may already have what depends on the language, such as trees."""
        return self.undecided_language

    def detail(self, totals: Statistics) -> dict[str, Any]:
        """The components of the score of one sum."""
        return {name: totals[name].item() for name in totals.columns}

    def explain(self, detail: Mapping[str, Any]) -> str:  # noqa: ARG002
        """The detail in one readable line."""
        return ""

    def for_segments(self: D) -> D:
        """The metric as applied at segment level, where that differs."""
        return self

    def for_counting(self: D) -> D:
        """A metric with the same counts: parameters that affect only the formula may have other values. What counts
        alike is counted once (`scoring/shared_counts.py`).
        """
        return self

    def for_language(self: D, language: str) -> D:  # noqa: ARG002
        """The metric for text in that language: an ISO 639 code or a language pair, whose target language is used. It
        sets what has not been set explicitly: the tokenizer, the parser's language.

        >>> from understudy import BLEU
        >>> BLEU().for_language("en-zh"), BLEU(tokenize="char").for_language("zh"), BLEU().for_language("de")
        (BLEU(tokenize='zh'), BLEU(tokenize='char'), BLEU())
        """
        return self

    def of_input(self, hypotheses: Column, references: References) -> dict[str, str]:  # noqa: ARG002
        """What the input adds to the signature, by name."""
        return {"docs": "given"} if self.reads_documents and references.documents is not None else {}

    def prepare(self, texts: Iterable[tuple[Column, References]]) -> None:
        """What a metric with `prepares` does before the first count: `texts` has the hypotheses of all systems, in
        parts, with their references.
        """

    def learn(self, parts: Iterable[References]) -> Fitted:
        """What a metric with `needs_fit` must learn from the references, which arrive in parts."""
        raise NotImplementedError(f"{type(self).__name__} does not need fitting")


def check_sources(metrics: Iterable[DeclaredMetric], given: bool) -> None:
    """Raise an error if a metric reads the source text and there is none."""
    for metric in metrics:
        if metric.reads_sources and not given:
            problem = f"{metric.spec} reads the source text, but none is given."
            raise BadParameter(
                f"{problem} Add it with sources= (source= for one segment).",
                f"{problem} Add it with --source FILE.",
            )

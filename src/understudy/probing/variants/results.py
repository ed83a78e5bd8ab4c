"""Variants: other texts with the same score or a better one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.metrics.base.score import Interval


@dataclass(frozen=True)
class Variant:
    """A text that the first metric scores no lower than the hypothesis."""

    segment: int  # from 0
    construction: str  # see CONSTRUCTIONS
    text: str
    tokens: tuple[str, ...]  # as the metric compares them
    scores: tuple[float, ...]  # by metric
    number: int = 0  # among those of its segment and construction; at corpus level, that of its corpus


@dataclass(frozen=True)
class SegmentVariants:
    """The variants of one hypothesis."""

    segment: int  # from 0
    hypothesis: str
    scores: tuple[float, ...]  # of the hypothesis, by metric
    variants: tuple[Variant, ...]
    tried: Mapping[str, int]  # by construction: candidates scored
    gave_up: Mapping[str, str]  # by construction: why there are fewer variants than requested
    # By construction: candidates that no text gives, because the tokenizer splits or joins their tokens differently.
    unwritten: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Notice:
    """How a metric scores the variants of one construction. Share and difference are means over segments, so that each
    segment counts the same, however many variants it has.
    """

    construction: str
    metric: int  # its position
    variants: int  # number of them
    segments: int  # with such variants
    scored_lower: float  # share of variants that the metric scores worse than the hypothesis
    # Of that share, over segments. None with fewer than two segments, and for the metric that verified each variant.
    interval: Interval | None
    mean_difference: float  # variant minus hypothesis, in the metric's points


@dataclass(frozen=True)
class VariantCorpus:
    """One variant of every segment that has one: the corpus scores of the resulting system. At corpus level there is
    one such system per requested variant, each verified; at segment level only that of the first variants.
    """

    construction: str
    replaced: int  # segments
    scores: tuple[float, ...]  # by metric
    number: int = 0  # which variant of every segment, from 0


@dataclass(frozen=True)
class Variants:
    """The variants of all segments, verified by the first metric."""

    target: str  # spec of the first metric
    system_scores: tuple[float, ...]  # corpus scores, by metric
    segments: tuple[SegmentVariants, ...]
    notices: tuple[Notice, ...]
    corpora: tuple[VariantCorpus, ...]

    @property
    def count(self) -> int:
        """The number of verified variants."""
        return sum(len(segment.variants) for segment in self.segments)

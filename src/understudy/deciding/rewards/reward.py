"""Rewards of completions: the part that the interfaces of all training libraries share."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from understudy.corpus.columns import kind_of, listed
from understudy.errors import BadInput, BadParameter, LengthMismatch, WrongType
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.reward_scale import check_rewarding
from understudy.metrics.base.threads import checked_threads
from understudy.settings import Settings, check_name

# Scored in place of a sample without an answer or a reference, so that errors have the right number of the sample.
_PLACEHOLDER = "-"


@dataclass(frozen=True, kw_only=True)
class Reward(Settings):
    """A metric as a reward of completions, from 0 to 1. It can be pickled, for workers in other processes.

    >>> reward = Reward(metric="chrf", after="</think>")
    >>> reward.of(["<think>Hm.</think> The cat sat.", "The cat sat.", "</think> A dog."], ["The cat sat."] * 2 + [None])
    [1.0, 0.0, None]
    """

    metric: str | Metric = "bleu"  # at segment level, BLEU is smoothed
    extract: str | None = None  # regular expression: the answer is the (first group of the) last match
    after: str | None = None  # the answer is the text after the last occurrence
    threads: int | None = 1  # reward functions usually run in many workers at once

    def __post_init__(self) -> None:
        checked_threads(self.threads)
        if not self._metric.reads_references:
            raise BadParameter(
                f"metric={self._metric.spec}: it does not compare completions with references. Use a metric that "
                "reads references."
            )
        check_rewarding(self._metric)
        if self.extract is not None and self.after is not None:
            raise BadParameter("extract and after: expected only one of them.")
        if self.after is not None:
            check_name("after", self.after)
            if not self.after:
                raise BadParameter("after='': expected a tag, such as '</think>'.")
        if self._pattern is not None and self._pattern.groups > 1:
            raise BadParameter(
                f"extract={self.extract!r}: got {self._pattern.groups} groups, expected at most one. Use (?:...) for "
                "the others."
            )

    def of(self, completions: Sequence[str], references: Sequence[Any]) -> list[float | None]:
        """The rewards of completions. `references[i]` is a string or the list of all references of completion i.

        None if a sample has no reference: None, an empty string, or a list of nothing else. 0 if a completion is empty
        or has no answer where `extract` or `after` expects it.
        """
        texts = listed(completions, "completions")
        given = listed(references, "references")
        if len(texts) != len(given):
            raise LengthMismatch(
                f"got {len(texts):,} completions and references of {len(given):,} samples. Both must have one entry "
                "per sample, in the same order."
            )
        answers = [self._answer(text, number) for number, text in enumerate(texts, start=1)]
        groups = [_present(entry, number) for number, entry in enumerate(given, start=1)]
        applies = [bool(answer and group) for answer, group in zip(answers, groups, strict=True)]
        rewards: list[float | None] = [0.0 if group else None for group in groups]
        if not any(applies):
            return rewards
        scored = self._metric.rewards(
            [text if applied else _PLACEHOLDER for text, applied in zip(answers, applies, strict=True)],
            [group if applied else [_PLACEHOLDER] for group, applied in zip(groups, applies, strict=True)],
            threads=self.threads,
        ).tolist()
        return [
            value if applied else other
            for value, other, applied in zip(scored, rewards, applies, strict=True)
        ]

    def of_all(self, completions: Sequence[str], references: Sequence[Any], library: str) -> list[float]:
        """As `of`, for a library in which every sample must have a reward."""
        rewards = self.of(completions, references)
        for number, reward in enumerate(rewards, start=1):
            if reward is None:
                raise BadInput(
                    f"references: sample {number} of {len(rewards):,} has none, and {library} needs a reward of every "
                    "sample. Remove the sample from the data set."
                )
        return [reward for reward in rewards if reward is not None]

    def _answer(self, completion: Any, number: int) -> str:
        """The part of a completion that is scored; empty if there is none."""
        if not isinstance(completion, str):
            raise WrongType(f"completions: sample {number} is {kind_of(completion)}, expected a string.")
        if self.after is not None:
            _, found, rest = completion.rpartition(self.after)
            return rest.strip() if found else ""
        if self._pattern is None:
            return completion.strip()
        last = deque(self._pattern.finditer(completion), maxlen=1)
        return (last[0][self._pattern.groups] or "").strip() if last else ""

    @cached_property
    def _metric(self) -> Metric:
        return metric_of(self.metric)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if self.extract is None:
            return None
        check_name("extract", self.extract)
        try:
            return re.compile(self.extract, re.DOTALL)  # an answer may have several lines
        except re.error as error:
            raise BadParameter(f"extract={self.extract!r}: not a regular expression: {error}.") from None

    @property
    def __name__(self) -> str:
        """The spec of the metric. Libraries log a reward function under its name."""
        return self._metric.spec


def _present(entry: Any, number: int) -> list[str]:
    """The references of a sample that are not empty."""
    if entry is None or isinstance(entry, str):
        group: Sequence[Any] = [entry]
    else:
        group = listed(entry, f"references of sample {number}")
    for reference in group:
        if reference is not None and not isinstance(reference, str):
            raise WrongType(
                f"references: sample {number} has {kind_of(reference)}, expected a string or a list of strings."
            )
    return [reference for reference in group if reference is not None and reference.strip()]

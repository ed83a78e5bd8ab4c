"""Reward functions for TRL's trainers: `GRPOTrainer(reward_funcs=...)` and `RLOOTrainer(reward_funcs=...)`.

>>> from understudy.compat.trl import MetricReward
>>> reward = MetricReward(metric="chrf", references=["reference"])
>>> reward(prompts=["Übersetze: Hallo!"] * 2, completions=["Hello!", "Bye!"], reference=["Hello!", None])
[1.0, None]

A trainer calls `reward_func(prompts=, completions=, completion_ids=, **columns)`, with the columns of the data set and
`trainer_state`, `log_extra`, `log_metric` and `environments` (TRL 1.16). It excludes a reward function for samples of
which the reward is None, and logs the reward under the function's `__name__`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from understudy.corpus.columns import kind_of
from understudy.deciding.rewards.reward import Reward
from understudy.errors import BadInput, LengthMismatch, WrongType
from understudy.settings import checked_names


@dataclass(frozen=True, kw_only=True)
class MetricReward(Reward):
    """A metric as a reward function. `references` names the columns of the data set with the references: each has a
    string, a list of strings or None per sample. Of a conversational completion, the last message of the assistant is
    scored.
    """

    references: str | tuple[str, ...] = "reference"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "references", checked_names("references", self.references))

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,  # noqa: ARG002 (TRL passes it to every reward function)
        completions: Sequence[Any] = (),
        completion_ids: Sequence[Any] | None = None,  # noqa: ARG002
        **columns: Any,
    ) -> list[float | None]:
        """The rewards, as TRL calls for them."""
        texts = [_text_of(completion, number) for number, completion in enumerate(completions, start=1)]
        given = [self._column(name, columns, len(texts)) for name in self.references]
        return self.of(texts, [_joined(entries) for entries in zip(*given, strict=True)])

    @staticmethod
    def _column(name: str, columns: Mapping[str, Any], samples: int) -> Sequence[Any]:
        if name not in columns:
            known = ", ".join(key for key, value in columns.items() if isinstance(value, (list, tuple)))
            raise BadInput(
                f"the data set has no column {name!r}. Columns: {known or 'none'}. Name the columns of the references "
                "in MetricReward(references=...)."
            )
        column: Sequence[Any] = columns[name]
        if len(column) != samples:
            raise LengthMismatch(
                f"column {name!r} has {len(column):,} entries, expected {samples:,}, one per completion."
            )
        return column


def _joined(entries: Sequence[Any]) -> list[Any]:
    """The references of a sample from all columns."""
    joined: list[Any] = []
    for entry in entries:
        several = isinstance(entry, Iterable) and not isinstance(entry, str)
        joined.extend(entry if several else [entry])
    return joined


def _text_of(completion: Any, number: int) -> str:
    """A completion, or the text of the assistant's last message in it."""
    if isinstance(completion, str):
        return completion
    messages = completion if isinstance(completion, (list, tuple)) else [completion]
    for message in reversed(messages):
        if not isinstance(message, Mapping) or "content" not in message:
            raise WrongType(
                f"completions: sample {number} has {kind_of(message)}, expected a string or a list of messages with "
                "role and content."
            )
        if message.get("role", "assistant") == "assistant":
            return _content(message["content"])
    return ""


def _content(content: Any) -> str:
    """The text of a message, which may be None (a call of a tool) or have several parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))


bleu_reward = MetricReward(metric="bleu")
gleu_reward = MetricReward(metric="gleu")
chrf_reward = MetricReward(metric="chrf")

"""Reward functions for OpenRLHF: `reward_func` in a Python file.

`--reward.remote_url` (`--remote_rm_url` before OpenRLHF 0.10.2) takes the path of a Python file with `reward_func`:

    from understudy.compat.openrlhf import MetricReward

    reward_func = MetricReward(metric="chrf", after="</think>")

`--data.label_key` names the field of the data set with the reference. OpenRLHF needs a reward of every sample, so a
missing reference is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from understudy.deciding.rewards.reward import Reward
from understudy.errors import BadInput, LengthMismatch, MissingExtra
from understudy.settings import checked_names

# OpenRLHF decodes with special tokens, so a completion ends in the end-of-text token of its model.
_END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
)


@dataclass(frozen=True, kw_only=True)
class MetricReward(Reward):
    """A metric as a reward function (OpenRLHF 0.11). A completion is the text after its prompt, up to the first of the
    `end_tokens`.
    """

    end_tokens: str | tuple[str, ...] = _END_TOKENS

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "end_tokens", checked_names("end_tokens", self.end_tokens))

    def __call__(
        self,
        queries: Sequence[str],
        prompts: Sequence[str],
        labels: Sequence[Any],
        **_: Any,
    ) -> dict[str, Any]:
        """The rewards as tensors: `rewards` for the advantage, `scores` for dynamic filtering, both from 0 to 1."""
        try:
            import torch
        except ImportError:
            raise MissingExtra.of("reward functions of OpenRLHF", "torch", "neural") from None
        if not len(queries) == len(prompts) == len(labels):
            raise LengthMismatch(
                f"got {len(queries):,} queries, {len(prompts):,} prompts and {len(labels):,} labels, expected as "
                "many of each."
            )
        pairs = enumerate(zip(queries, prompts, strict=True), start=1)
        completions = [self._completion(query, prompt, number) for number, (query, prompt) in pairs]
        rewards = torch.tensor(self.of_all(completions, labels, "OpenRLHF"), dtype=torch.float32)
        return {"rewards": rewards, "scores": rewards, "extra_logs": {self.__name__: rewards}}

    def _completion(self, query: str, prompt: str, number: int) -> str:
        _, found, completion = query.partition(prompt) if prompt else ("", True, query)
        if not found:
            raise BadInput(
                f"queries: sample {number} does not contain its prompt, so its completion is unknown. Was the prompt "
                "truncated, or changed by the tokenizer?"
            )
        for token in self.end_tokens:
            completion = completion.partition(token)[0]
        return completion

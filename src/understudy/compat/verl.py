"""Reward functions for verl: `compute_score` for one sample, `compute_score_batched` for `BatchRewardManager`.

    reward.custom_reward_function.path=pkg://understudy.compat.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.metric=chrf

The keywords of `Reward` (metric, extract, after, threads) are `reward_kwargs`; before verl 0.7.1, the keys begin with
`custom_reward_function`. A ground truth is a string or a list of references. verl needs a reward of every sample, so
a missing reference is an error.

>>> compute_score("wmt", "The cat sat.", ["The cat sat.", "A cat sat."], metric="gleu")
1.0
"""

# ruff: noqa: ARG001 (verl passes all of these to every reward function)

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from understudy.deciding.rewards.reward import Reward


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Any = None,
    *,
    reward_router_address: Any = None,  # passed where a reward model is served as well
    reward_model_tokenizer: Any = None,
    **reward_kwargs: Any,
) -> float:
    """The reward of one sample (verl 0.10, managers naive, dapo, gdpo, limited and prime)."""
    return _reward(**reward_kwargs).of_all([solution_str], [ground_truth], "verl")[0]


def compute_score_batched(
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Any] | None = None,
    **reward_kwargs: Any,
) -> list[float]:
    """The rewards of a batch (verl 0.10, manager batch).

    >>> compute_score_batched(["wmt"] * 2, ["The cat sat.", ""], ["The cat sat."] * 2, [{}, {}])
    [1.0, 0.0]
    """
    return _reward(**reward_kwargs).of_all(solution_strs, ground_truths, "verl")


@lru_cache(maxsize=64)
def _reward(**reward_kwargs: Any) -> Reward:
    """Made once for many samples."""
    return Reward(**reward_kwargs)

"""Reward functions of verl, called as verl 0.10 calls them."""

from __future__ import annotations

import functools
import importlib

import numpy as np
import pytest

from material.policies import LEARNED, REFERENCES, Policy
from material.with_torch import torch_or_skip
from understudy import metric
from understudy.compat.verl import compute_score, compute_score_batched
from understudy.errors import BadInput, BadParameter, LengthMismatch


def test_one_sample():
    got = compute_score(
        data_source="wmt", solution_str="Hi.", ground_truth="Hey.", extra_info={"num_turns": None}
    )
    assert type(got) is float
    assert got == metric("bleu").rewards(["Hi."], ["Hey."])[0]
    assert compute_score("wmt", "Hi.", ["Hey.", "Hi."], {}) == 1.0  # positional, as its manager prime calls
    assert compute_score("wmt", "Hi.", np.array(["Hey.", "Hi."], object)) == 1.0  # as Parquet gives lists


def test_a_batch():
    """As BatchRewardManager calls it."""
    solutions, truths = ["Hi.", "", "Hello!"], ["Hey.", "Hi.", ["Hi.", "Hello!"]]
    got = compute_score_batched(
        data_sources=["wmt"] * 3,
        solution_strs=solutions,
        ground_truths=truths,
        extra_infos=[{}, {}, {}],
        metric="chrf",
    )
    assert got == [metric("chrf").rewards(["Hi."], ["Hey."])[0], 0.0, 1.0]
    single = [
        compute_score("wmt", text, truth, metric="chrf")
        for text, truth in zip(solutions, truths, strict=True)
    ]
    assert got == single


def test_settings_are_reward_kwargs():
    assert compute_score("wmt", "a: Hi.", "Hi.", None, metric="gleu", after=":") == 1.0
    assert compute_score("wmt", "<b>Hi.</b>", "Hi.", None, extract="<b>(.*)</b>", threads=2) == 1.0
    assert (
        compute_score("wmt", "Hi.", "Hi.", None, reward_router_address="x", reward_model_tokenizer=None)
        == 1.0
    )
    with pytest.raises(BadParameter, match="unknown option 'metrics'"):
        compute_score("wmt", "Hi.", "Hi.", None, metrics="bleu")


def test_verl_needs_every_reward():
    with pytest.raises(BadInput, match="sample 2 of 2 has none, and verl needs"):
        compute_score_batched(["wmt"] * 2, ["Hi.", "Hi."], ["Hi.", None])
    with pytest.raises(LengthMismatch):
        compute_score_batched(["wmt"] * 2, ["Hi.", "Hi."], ["Hi."])


def test_a_policy_improves():
    """Found by the name of its module and called with the merged keywords of the configuration, as verl does it."""
    torch = torch_or_skip()
    module = importlib.import_module("understudy.compat.verl")
    reward_kwargs = {"metric": "bleu:smooth=add-k"}
    loaded = functools.partial(module.compute_score_batched, **reward_kwargs)
    policy = Policy(torch, seed=2)
    before = policy.bleu()
    policy.reinforce(
        lambda prompts, completions: loaded(
            data_sources=["toy"] * len(prompts),
            solution_strs=completions,
            ground_truths=[REFERENCES[number] for number in prompts],
            extra_infos=[{} for _ in prompts],
        )
    )
    assert policy.bleu() > before + LEARNED, policy.texts()

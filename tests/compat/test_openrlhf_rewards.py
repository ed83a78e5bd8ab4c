"""Reward functions of OpenRLHF, loaded from a file and called as OpenRLHF 0.11 does it."""

from __future__ import annotations

import importlib.util
import pickle

import pytest

from material.policies import LEARNED, REFERENCES, Policy
from material.with_torch import torch_or_skip
from understudy import metric
from understudy.compat.openrlhf import MetricReward
from understudy.errors import BadInput, LengthMismatch

torch = torch_or_skip()

OWN_FILE = """
from understudy.compat.openrlhf import MetricReward

reward_func = MetricReward(metric="gleu")
"""
PROMPT = "<|im_start|>user\nÜbersetze: Hallo!<|im_end|>\n<|im_start|>assistant\n"


def loaded(path):
    """As SingleTurnAgentExecutor loads it."""
    spec = importlib.util.spec_from_file_location("reward_func", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.reward_func


@pytest.fixture
def reward_func(tmp_path):
    file = tmp_path / "reward_func.py"
    file.write_text(OWN_FILE, encoding="utf-8")
    return loaded(file)


def test_what_it_returns(reward_func):
    got = reward_func([PROMPT + "Hi.<|im_end|>"], [PROMPT], ["Hey."])
    assert set(got) == {"rewards", "scores", "extra_logs"}
    assert got["rewards"].dtype == torch.float32
    assert (
        got["rewards"].tolist()
        == got["scores"].tolist()
        == metric("gleu").rewards(["Hi."], ["Hey."]).tolist()
    )
    assert list(got["extra_logs"]) == ["gleu"]
    # What OpenRLHF makes of the reward of one sample.
    assert torch.tensor([got["rewards"]]).shape == (1,)


@pytest.mark.parametrize("end", ["", "<|im_end|>", "</s>", "<|eot_id|>", "<|im_end|>\n<|endoftext|>"])
def test_special_tokens_are_no_part_of_the_completion(end):
    got = MetricReward(metric="exact-match")(
        [f"{PROMPT} Hi.{end}", "Hi."], [PROMPT, ""], ["Hi.", ["Ho.", "Hi."]]
    )
    assert got["rewards"].tolist() == [1.0, 1.0]


def test_settings():
    reward = MetricReward(metric="exact-match", after="</think>", end_tokens="[END]")
    assert reward([f"{PROMPT}x</think>Hi.[END]"], [PROMPT], ["Hi."])["rewards"].tolist() == [1.0]
    assert pickle.loads(pickle.dumps(reward)) == reward
    assert reward.__name__ == "exact-match"


def test_input_that_is_refused():
    reward = MetricReward()
    with pytest.raises(BadInput, match="sample 2 does not contain its prompt"):
        reward(["a b", "b"], ["a", "a"], ["b", "b"])
    with pytest.raises(BadInput, match="sample 1 of 1 has none, and OpenRLHF needs"):
        reward(["a b"], ["a"], [""])
    with pytest.raises(LengthMismatch, match="got 1 queries, 1 prompts and 2 labels"):
        reward(["a b"], ["a"], ["b", "b"])


def test_a_policy_improves(reward_func):
    """One sample at a time, positional, as OpenRLHF calls it."""
    policy = Policy(torch, seed=3)
    before = policy.bleu()
    policy.reinforce(
        lambda prompts, completions: [
            reward_func([f"{PROMPT}{text}<|im_end|>"], [PROMPT], [REFERENCES[number]])["rewards"].item()
            for number, text in zip(prompts, completions, strict=True)
        ]
    )
    assert policy.bleu() > before + LEARNED, policy.texts()

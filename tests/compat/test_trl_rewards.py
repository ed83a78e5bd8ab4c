"""Reward functions of TRL, called as TRL 1.16 calls them."""

from __future__ import annotations

import multiprocessing
import pickle

import pytest

from material.optional import missing
from material.policies import LEARNED, REFERENCES, Policy
from material.with_torch import torch_or_skip
from understudy import metric
from understudy.compat.trl import MetricReward, bleu_reward, chrf_reward, gleu_reward
from understudy.errors import BadInput, LengthMismatch, WrongType

HELLO = ["Hello there!", "Hi."]


def called(reward, completions, **columns):
    """With all that GRPOTrainer passes."""
    return reward(
        prompts=["Übersetze: Hallo!"] * len(completions),
        completions=completions,
        completion_ids=[[1, 2]] * len(completions),
        trainer_state=object(),
        log_extra=print,
        log_metric=print,
        environments=None,
        **columns,
    )


@pytest.mark.parametrize(
    ("reward", "spec"), [(bleu_reward, "bleu"), (gleu_reward, "gleu"), (chrf_reward, "chrf")]
)
def test_strings(reward, spec):
    got = called(reward, ["Hello!", "Bye."], reference=HELLO, domain=["a", "b"])
    assert got == metric(spec).rewards(["Hello!", "Bye."], HELLO).tolist()
    assert all(type(value) is float for value in got)
    assert reward.__name__ == spec


def test_messages():
    completions = [
        [{"role": "assistant", "content": "Hello there!"}],
        [
            {"role": "assistant", "content": None, "tool_calls": [{}]},
            {"role": "tool", "content": "Hello there!"},
            {"role": "assistant", "content": "Hi."},
        ],
        [{"role": "assistant", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": "."}]}],
        [{"role": "assistant", "content": None}],
        [{"role": "tool", "content": "Hi."}],
        [],
    ]
    assert called(chrf_reward, completions, reference=["Hello there!"] + ["Hi."] * 5) == [1, 1, 1, 0, 0, 0]


def test_several_references_and_none():
    reward = MetricReward(metric="chrf", references=("reference", "more"))
    columns = {"reference": ["Hello!", None, None, ""], "more": [["Hi.", "Hey."], "Hi.", None, []]}
    assert called(reward, ["Hi.", "Hi.", "Hi.", "Hi."], **columns) == [1.0, 1.0, None, None]


def test_the_answer_after_a_tag():
    reward = MetricReward(metric="gleu", after="</think>")
    assert called(reward, ["<think>Bye.</think>\nHi.", "Hi."], reference=["Hi.", "Hi."]) == [1.0, 0.0]


def test_trl_names_the_reward_by_its_spec():
    utilities = pytest.importorskip("trl.trainer.utils", reason=missing("trl"))
    assert utilities.get_callable_name(MetricReward(metric="chrf:beta=3")) == "chrf:beta=3.0"


def test_it_works_in_a_spawned_process():
    reward = MetricReward(metric="chrf", after=":")
    assert pickle.loads(pickle.dumps(reward)).__name__ == "chrf"
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        got = pool.apply(reward, kwds={"completions": ["x: Hi."], "reference": ["Hi."]})
    assert got == [1.0]


@pytest.mark.parametrize(
    ("completions", "columns", "error", "message"),
    [
        (["Hi."], {"answer": ["Hi."]}, BadInput, "no column 'reference'. Columns: answer. Name the columns"),
        (
            ["Hi."],
            {"reference": ["Hi.", "Ho."]},
            LengthMismatch,
            "column 'reference' has 2 entries, expected 1",
        ),
        ([3], {"reference": ["Hi."]}, WrongType, "completions: sample 1 has int"),
        ([[{"role": "assistant"}]], {"reference": ["Hi."]}, WrongType, "role and content"),
        (["Hi."], {"reference": [3]}, WrongType, "references: sample 1 has int"),
    ],
)
def test_input_that_is_refused(completions, columns, error, message):
    with pytest.raises(error, match=message):
        called(chrf_reward, completions, **columns)


def test_a_policy_improves():
    torch = torch_or_skip()
    policy = Policy(torch, seed=1)
    before = policy.bleu()
    policy.reinforce(
        lambda prompts, completions: called(
            chrf_reward,
            [[{"role": "assistant", "content": text}] for text in completions],
            reference=[REFERENCES[number] for number in prompts],
        )
    )
    assert policy.bleu() > before + LEARNED, policy.texts()

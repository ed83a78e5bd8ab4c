"""Training through the surrogate, by its gradient alone, improves BLEU."""

from __future__ import annotations

import pytest

from material.policies import LEARNED, REFERENCES, WORDS, Policy
from material.with_torch import torch_or_skip
from understudy import ExpectedBLEU


@pytest.mark.parametrize("what", ["segments", "corpus"])
def test_bleu_improves(what):
    torch = torch_or_skip()
    policy = Policy(torch, seed=4)
    ids = torch.tensor([[WORDS.index(word) for word in text.split()] for text in REFERENCES])
    before = policy.bleu()
    for _ in range(60):
        scores = ExpectedBLEU()(policy.logits.log_softmax(-1), ids, log=True)
        policy.climb(getattr(scores, what).mean())
    assert policy.bleu() > before + LEARNED, policy.texts()

"""Digits do not depend on how many threads multiply matrices: the command line has one, a Python session all."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from understudy import compare_scores


@pytest.mark.parametrize("test", ["wilcoxon", "permutation"])
def test_one_thread_and_all(test: str) -> None:
    generator = np.random.default_rng(1)
    scores = {"metric": {name: generator.normal(30, 10, 2000) for name in "abcde"}}
    results = []
    for threads in (1, None):
        with threadpool_limits(limits=threads, user_api="blas"):
            results.append(compare_scores(scores, test=test, samples=500).to_dict())
    assert results[0] == results[1]

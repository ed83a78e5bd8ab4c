"""bert-score, which needs transformers 4, in an environment of its own."""

from __future__ import annotations

from material.optional import needs_minilm
from material.own_environments import assert_all_pass, needs_environment
from material.wmt import needs_data


@needs_data
@needs_minilm
@needs_environment("bert-score")
def test_bert_score_gives_the_same_values() -> None:
    assert_all_pass("bert-score", "tests/parity/bert_score_checks.py", 20)

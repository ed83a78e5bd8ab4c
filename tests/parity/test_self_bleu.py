"""Self-BLEU against its definition, spelled out with other programs' sentence BLEU: sacreBLEU's and NLTK's."""

from __future__ import annotations

import math
import random
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from material.hostile import Corpus, corpora, thorough
from material.wmt import needs_data, systems
from understudy import SelfBLEU

SETS = 230  # of 45 texts each


def others(texts: list[str], index: int) -> list[str]:
    return texts[:index] + texts[index + 1 :]


def by_sacrebleu(texts: list[str], **options: Any) -> list[float]:
    bleu = sacrebleu.BLEU(effective_order=True, **options)
    return [bleu.sentence_score(text, others(texts, index)).score for index, text in enumerate(texts)]


def test_hostile_sets_score_as_sacrebleu_scores_them() -> None:
    seen: set[str] = set()

    @thorough(SETS)
    @given(
        corpora(),
        st.sampled_from(({"tokenize": "13a"}, {"tokenize": "intl"}, {"lowercase": True, "tokenize": "none"})),
    )
    def check(corpus: Corpus, options: dict[str, Any]) -> None:
        texts = corpus[0]
        expected = by_sacrebleu(texts, **options)
        assert SelfBLEU(**options).segments(texts).tolist() == pytest.approx(expected, rel=1e-12)
        assert SelfBLEU(**options).corpus(texts).value == pytest.approx(
            math.fsum(expected) / len(expected), rel=1e-12
        )
        seen.update(texts)

    check()
    assert len(seen) > 5_000


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), min_size=2, max_size=12), st.integers(2, 5))
def test_texygen_is_nltk_with_method_1(texts: list[list[str]], order: int) -> None:
    smoothing, weights = SmoothingFunction().method1, [1 / order] * order
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = [
            sentence_bleu(texts[:i] + texts[i + 1 :], text, weights, smoothing_function=smoothing)
            for i, text in enumerate(texts)
        ]
    metric = SelfBLEU.preset("texygen", max_order=order)
    found = metric.segments([" ".join(text) for text in texts])
    assert found.tolist() == pytest.approx([100 * score for score in expected], rel=1e-12, abs=1e-12)


@needs_data
def test_a_real_system() -> None:
    texts = systems("wmt21.en-de")["UEdin"]
    sample = random.Random(1).sample(range(len(texts)), 12)
    found = SelfBLEU().segments(texts)
    bleu = sacrebleu.BLEU(effective_order=True)
    for index in sample:
        expected = bleu.sentence_score(texts[index], others(texts, index)).score
        assert found[index] == pytest.approx(expected, rel=1e-12)

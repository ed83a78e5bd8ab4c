"""BLEU against sacreBLEU 2.6.0, exactly: no tolerance anywhere.

Hostile text is made by Hypothesis: a vocabulary of strange words, and from it small corpora whose hypotheses
are damaged references, so that n-grams of every order match now and then. Each of the five native tokenizers
sees at least 4,000 different pairs, with every other choice varied: at least 20,000, as each test makes sure.

Of the real data (../shared/data), every system is scored with every native tokenizer, with its first reference
and with all of them, as a corpus and segment by segment.
"""

from __future__ import annotations

import functools
import itertools
import logging
import random
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sacrebleu")
import sacrebleu

import understudy.compat.sacrebleu as facade
from material.hostile import Corpus, corpora, disputed, own_tokens, peer_tokens, thorough
from material.sacrebleu_beside import assert_scored_alike, shown
from material.wmt import REFERENCES, needs_data, references_of, systems
from understudy import BLEU

NATIVE = ("none", "13a", "intl", "zh", "char")
hostile = thorough(examples=160)  # for each tokenizer


@pytest.fixture(autouse=True)
def _no_advice() -> Iterator[None]:
    """Both sides advise against most of what is done here."""
    logger = logging.getLogger("sacrebleu")
    level = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(level)


# --- Unicode: where the two may differ --------------------------------------------------------------------


# Characters of old that later versions of Unicode classified anew: a lower-case letter became one without
# case, a non-spacing mark a spacing one. It shows only in how a capital sigma beside them is lower-cased.
RECLASSIFIED = {"\u0295", "\u1734", "\U0001171e"}


def test_disputed_characters_are_newer_than_the_interpreter() -> None:
    assigned = {c for c in disputed() if unicodedata.category(c) != "Cn"}
    assert assigned <= RECLASSIFIED
    for c in assigned:
        assert own_tokens("none", f"a{c}b", True) == [f"a{c}b".lower()]


# --- hostile text -----------------------------------------------------------------------------------------


@st.composite
def choices(draw: st.DrawFn) -> dict[str, Any]:
    smoothing, value = draw(
        st.sampled_from(
            [
                *[
                    ("none", None),
                    ("exp", None),
                    ("exp", 0.3),
                    ("floor", None),
                    ("floor", 0.01),
                    ("floor", 0),
                ],
                *[("add-k", None), ("add-k", 1.0), ("add-k", 0.5), ("add-k", 3), ("add-k", 0)],
            ]
        )
    )
    return {
        "lowercase": draw(st.booleans()),
        "smooth_method": smoothing,
        "smooth_value": value,
        "effective_order": draw(st.booleans()),
        "max_ngram_order": draw(st.sampled_from((4, 4, 1, 2, 3, 5, 7))),
    }


@pytest.mark.parametrize("tokenize", NATIVE)
def test_hostile_text_scores_alike(tokenize: str) -> None:
    pairs = set()

    @hostile
    @given(corpora(), choices())
    def check(corpus: Corpus, chosen: dict[str, Any]) -> None:
        pairs.update(assert_scored_alike("BLEU", *corpus, tokenize=tokenize, **chosen))

    check()
    assert len(pairs) * len(NATIVE) >= 20_000


# --- tokens -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NATIVE)
def test_hostile_text_is_cut_alike(name: str) -> None:
    @hostile
    @given(corpora())
    def check(corpus: Corpus) -> None:
        for text in corpus[0]:
            for lowercase in (False, True):
                assert own_tokens(name, text, lowercase) == peer_tokens(name, text, lowercase)

    check()


@pytest.mark.parametrize("name", NATIVE)
def test_every_short_string_is_cut_alike(name: str) -> None:
    """Substitutions that follow one another hide their surprises in sequences of few characters."""
    alphabet = "a5.,- &(。中'\u2019"
    entities = ("&amp;", "&lt;", "lt;", "&quot;", "<skipped>", "-\n", "\n", "-", "&", "5", ".", " ", "X")
    strings = [
        *("".join(s) for length in range(5) for s in itertools.product(alphabet, repeat=length)),
        *("".join(s) for length in range(4) for s in itertools.product(entities, repeat=length)),
    ]
    wrong = [s for s in strings if own_tokens(name, s) != peer_tokens(name, s)]
    assert not wrong


# --- understudy's own interface ---------------------------------------------------------------------------


@functools.cache
def ordinary(segments: int = 400) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and for each segment its 1 to 3 references."""
    rng = random.Random(12345)
    vocabulary = re.findall(
        r"\S+", "the cat sat on a mat , dog 's 3.5 U.S. isn't über – “quoted” 中文 rain; (was) Σίσυφος"
    )
    hypotheses, references = [], []
    for _ in range(segments):
        original = rng.choices(vocabulary, k=rng.randrange(1, 25))
        damaged = [[w for w in original if rng.random() > 0.12] for _ in range(rng.randrange(2, 5))]
        first, *others = (" ".join(tokens) for tokens in damaged)
        hypotheses.append(first)
        references.append(others)
    return hypotheses, references


def turned(references: list[list[str]]) -> list[list[str | None]]:
    return [list(column) for column in itertools.zip_longest(*references)]


@pytest.mark.parametrize("tokenize", NATIVE)
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("smooth", ["exp", "none", "floor", "add-k"])
def test_own_interface_scores_alike(tokenize: str, lowercase: bool, smooth: str) -> None:
    hypotheses, references = ordinary()
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, smooth=smooth)
    peer: dict[str, Any] = {"tokenize": tokenize, "lowercase": lowercase, "smooth_method": smooth}
    corpus = sacrebleu.corpus_bleu(hypotheses, turned(references), **peer)
    assert metric.corpus(hypotheses, references).value == corpus.score
    segments = [
        sacrebleu.sentence_bleu(h, r, **peer).score for h, r in zip(hypotheses, references, strict=True)
    ]
    assert metric.segments(hypotheses, references).tolist() == segments


def kinds_of(texts: list[str]) -> dict[str, Any]:
    """The same column as everything people keep columns in."""
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    half = len(texts) // 2
    return {
        "list": texts,
        "tuple": tuple(texts),
        "generator": (text for text in texts),
        "numpy objects": np.array(texts, dtype=object),
        "numpy strings": np.array(texts),
        "pandas": pandas.Series(texts),
        "pandas objects": pandas.Series(texts, dtype=object),
        "pyarrow": pyarrow.array(texts),
        "pyarrow large": pyarrow.array(texts, pyarrow.large_string()),
        "pyarrow chunks": pyarrow.chunked_array([texts[:half], texts[half:]]),
        "pyarrow slice": pyarrow.array(["x", *texts, "y"])[1:-1],
        "polars": polars.Series(texts),
    }


def test_every_kind_of_column_counts_alike() -> None:
    hypotheses, references = ordinary()
    first = [group[0] for group in references]
    expected = BLEU().statistics(hypotheses, first)
    assert BLEU().corpus_score(expected).value == sacrebleu.corpus_bleu(hypotheses, [first]).score
    for kind, column in kinds_of(hypotheses).items():
        counted = BLEU().statistics(column, kinds_of(first)[kind])
        assert counted.array.tolist() == expected.array.tolist(), kind
        assert counted.references == (1, 1), kind


def test_every_kind_of_reference_lists_counts_alike() -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    hypotheses, references = ordinary()
    expected = BLEU().statistics(hypotheses, references)
    assert expected.references == (1, 3)
    score = sacrebleu.corpus_bleu(hypotheses, turned(references))
    assert BLEU().corpus_score(expected).value == score.score
    kinds = {
        "tuples": [tuple(group) for group in references],
        "bare strings": [group[0] if len(group) == 1 else group for group in references],
        "gaps": [[*group, None] for group in references],
        "generator": (group for group in references),
        "numpy": np.array([np.array(group, dtype=object) for group in references], dtype=object),
        "pyarrow": pyarrow.array(references),
        "polars": polars.Series(references),
    }
    for kind, column in kinds.items():
        assert BLEU().statistics(hypotheses, column).array.tolist() == expected.array.tolist(), kind


# --- real data --------------------------------------------------------------------------------------------


class Peer:
    """sacreBLEU on one set of references: counts once, and scores the counts as a corpus and by segment."""

    def __init__(self, tokenize: str, references: list[list[str]]) -> None:
        self._metric = sacrebleu.BLEU(tokenize=tokenize, force=True, references=references)

    def scores(self, hypotheses: list[str]) -> tuple[Any, list[float]]:
        rows = self._metric._extract_corpus_statistics(hypotheses, None)
        corpus = self._metric._aggregate_and_compute(rows)
        segments = [
            sacrebleu.BLEU.compute_bleu(row[2:6], row[6:], row[0], row[1], "exp", effective_order=True).score
            for row in rows
        ]
        return corpus, segments


def assert_alike(peer: Peer, tokenize: str, hypotheses: list[str], references: list[list[str]]) -> None:
    corpus, segments = peer.scores(hypotheses)
    assert shown(facade.corpus_bleu(hypotheses, references, tokenize=tokenize)) == shown(corpus)
    metric = BLEU(tokenize=tokenize)
    statistics = metric.statistics(hypotheses, list(zip(*references, strict=True)))
    assert metric.corpus_score(statistics).value == corpus.score
    assert metric.segment_scores(statistics).tolist() == segments


@needs_data
@pytest.mark.parametrize("several", [False, True], ids=["one reference", "all references"])
@pytest.mark.parametrize("tokenize", NATIVE)
@pytest.mark.parametrize("folder", REFERENCES)
def test_real_systems_score_alike(folder: str, tokenize: str, several: bool) -> None:
    references = references_of(folder)
    if several and len(references) == 1:
        pytest.skip("has one reference only")
    references = references if several else references[:1]
    peer = Peer(tokenize, references)
    for hypotheses in systems(folder).values():
        assert_alike(peer, tokenize, hypotheses, references)

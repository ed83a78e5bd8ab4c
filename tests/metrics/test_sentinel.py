"""Sentinels see one text: features recomputed character by character, on strange text too."""

from __future__ import annotations

import math
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import Sentinel, UnderstudyError, metric, score

texts = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("  Aa1,.é東٣"), max_size=30),
    min_size=1,
    max_size=8,
)


def expected(feature: str, text: str) -> float:
    words, size = text.split(), max(len(text), 1)
    if feature in ("characters", "words"):
        return math.log(1 + len(text if feature == "characters" else words))
    if feature == "word-length":
        return sum(len(word) for word in words) / max(len(words), 1)
    if feature == "repetition":
        folded = text.casefold().split()
        return sum(word in folded[:place] for place, word in enumerate(folded)) / max(len(folded), 1)
    kind = {
        "digits": str.isdigit,
        "capitals": str.isupper,
        "punctuation": lambda character: unicodedata.category(character)[0] == "P",
    }[feature]
    return sum(1 for character in text if kind(character)) / size


@pytest.mark.parametrize("sees", ["hypothesis", "source"])
@pytest.mark.parametrize("feature", metric("sentinel").parameters()["feature"].choices)
def test_features(feature: str, sees: str):
    sentinel = Sentinel(feature=feature, sees=sees)

    @settings(max_examples=100, deadline=None)
    @given(texts)
    def compare(seen):
        others = ["other text"] * len(seen)
        read = (seen, None, others) if sees == "hypothesis" else (others, None, seen)
        found = sentinel.segments(read[0], read[1], sources=read[2])
        values = [expected(feature, text) for text in seen]
        assert found.tolist() == pytest.approx(values, rel=1e-12, abs=1e-15)
        mean = sentinel.corpus(read[0], read[1], sources=read[2]).value
        assert mean == pytest.approx(sum(values) / len(values), rel=1e-12, abs=1e-15)

    compare()


def test_a_sentinel_reads_nothing_else():
    known = {"a": ["It rained.", ""]}
    alone = score(known, None, ["sentinel"])["a"].scores[0]
    beside = score(
        known, ["Anything else", "at all"], ["sentinel"], sources=["Es hat geregnet.", "Kein Text"]
    )["a"].scores[0]
    assert alone == beside
    assert alone.value == pytest.approx(math.log(11) / 2)
    assert str(alone.signature).startswith("nrefs:0|sees:hypothesis|feature:characters|")


def test_the_source_must_be_given():
    with pytest.raises(
        UnderstudyError, match="sentinel:sees=source reads the source text, but none is given"
    ):
        Sentinel(sees="source").corpus(["a"])
    assert not Sentinel().reads_sources

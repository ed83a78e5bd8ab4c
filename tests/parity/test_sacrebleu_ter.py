"""TER against sacreBLEU 2.6.0, exactly: no tolerance but for sums of thirds, where it is stated.

Two kinds of text are made by Hypothesis. Words drawn from few, in references that are shuffled into hypotheses, so
that shifts happen; and hostile Unicode, for the tokenizer. Each test makes sure of its number of different pairs:
10,000 of either. Long texts, where the beam and the limit of candidates matter, come from a seeded generator.

Real data: test_sacrebleu_ter_data.py.
"""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("sacrebleu")
import sacrebleu
from sacrebleu.metrics.lib_ter import translation_edit_rate

import understudy.compat.sacrebleu as facade
from material import hostile
from material.sacrebleu_beside import assert_scored_alike, shown
from understudy import TER, _core

FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
EVERY_CHOICE = [
    dict(zip(FLAGS, values, strict=True)) for values in itertools.product((False, True), repeat=len(FLAGS))
]

made = functools.partial(
    settings,
    deadline=None,
    database=None,
    derandomize=True,  # so that the number of different pairs, which is asserted, does not depend on luck
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# --- shifts -----------------------------------------------------------------------------------------------


def moved(rng: random.Random, words: list[str], vocabulary: list[str], most: int) -> list[str]:
    """The words with up to so many phrases moved, words replaced, added and left out."""
    words = list(words)
    for _ in range(rng.randrange(most + 1)):
        start = rng.randrange(len(words) + 1)
        end = start + rng.randrange(1, 8)
        phrase, rest = words[start:end], words[:start] + words[end:]
        at = rng.randrange(len(rest) + 1)
        words = rest[:at] + phrase + rest[at:]
    for _ in range(rng.randrange(most + 1)):
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.randrange(2)] = [rng.choice(vocabulary)] * rng.randrange(2)
    return words


def test_shifted_words_score_alike() -> None:
    segments: set[tuple[Any, ...]] = set()

    @made(max_examples=135)
    @given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**32))
    def check(size: int, count: int, seed: int) -> None:
        rng = random.Random(seed)
        vocabulary = [f"w{n}" for n in range(size)]
        originals = [rng.choices(vocabulary, k=rng.randrange(11)) for _ in range(90)]
        hypotheses = [" ".join(moved(rng, words, vocabulary, 3)) for words in originals]
        references: list[list[str | None]] = [
            [" ".join(moved(rng, words, vocabulary, 1)) if rng.random() < 0.9 else "" for words in originals]
            for _ in range(count)
        ]
        for column in references[1:]:
            for row in range(len(column)):
                column[row] = column[row] if rng.random() < 0.8 else None
        segments.update(assert_scored_alike("TER", hypotheses, references))

    check()
    assert len(segments) >= 10_000


def edits(hypothesis: list[str], reference: list[str]) -> int:
    metric = TER.preset("sacrebleu")
    return int(metric.statistics([" ".join(hypothesis)], [" ".join(reference)])["edits"][0])


@pytest.mark.parametrize("seed", range(6))
def test_long_texts_need_the_same_edits(seed: int) -> None:
    """Beyond the beam, beyond the limit of candidates, and beyond 64 words, where the core changes its ways."""
    rng = random.Random(seed)
    for length in (25, 26, 49, 62, 63, 64, 65, 127, 128):
        vocabulary = [f"w{n}" for n in range(12 if length == 26 else rng.choice((60, 400)))]
        reference = rng.choices(vocabulary, k=length)
        hypothesis = moved(rng, reference, vocabulary, 6)
        if rng.random() < 0.4:
            cut = rng.randrange(len(hypothesis))
            hypothesis = rng.choice((hypothesis[cut:], hypothesis[:cut], hypothesis[cut:] + hypothesis[:cut]))
        assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


@pytest.mark.parametrize(
    ("hypothesis_length", "reference_length"),
    [
        *((0, 0), (0, 3), (3, 0), (1, 49), (1, 50), (1, 51), (1, 52), (2, 101), (2, 300)),
        *((3, 150), (7, 400), (9, 451), (51, 1), (300, 2), (400, 7), (80, 66)),
    ],
)
def test_unequal_lengths_need_the_same_edits(hypothesis_length: int, reference_length: int) -> None:
    """From 50 times as long on, the beam is widened."""
    rng = random.Random(hypothesis_length * 1000 + reference_length)
    vocabulary = [f"w{n}" for n in range(120)]
    for _ in range(2):
        hypothesis = rng.choices(vocabulary, k=hypothesis_length)
        reference = rng.choices(vocabulary, k=reference_length)
        assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


def test_the_limit_of_candidates_discards_the_shift_at_hand() -> None:
    """Like words make many candidates: after 1,000 of them, sacreBLEU does not do the shift it has found."""
    hypothesis = list("cbbabcababbabacacabccccbcbbbcacc")
    reference = list("abbabbcacacbcaacbbbcbbaccbbabcca")
    assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0] == 10
    for metric, fewer in ((TER(max_candidates=1000), 9), (TER(), 8)):
        assert metric.statistics([" ".join(hypothesis)], [" ".join(reference)])["edits"] == fewer


@pytest.mark.parametrize("length", [1200, 5000])
def test_thousands_of_words(length: int) -> None:
    """One phrase is shifted, three words are added: four edits."""
    reference = [f"w{n}" for n in range(length)]
    hypothesis = reference[:1000] + reference[1004:1010] + reference[1000:1004] + ["x"] * 3 + reference[1010:]
    assert edits(hypothesis, reference) == 4
    if length == 1200:  # sacreBLEU takes 10 seconds for 5,000
        assert translation_edit_rate(hypothesis, reference)[0] == 4


# --- text -------------------------------------------------------------------------------------------------

PIECES = [
    *hostile.PIECES,
    *("'S", "Jim's", "'s's", "x's.", "\n-"),
    *("\u05d0\u05b0", "\u0627\u0651", "שלום", "مرحبا", "नमस्ते"),
    *"䶿㇀㇯㏿﹏『』【】〔〟〚｡･？：；＂（）～",
    *("ひらがな", "カタカナ", "ひカ漢aカ", "ㇰㇱ", "ｶﾅ", "한국어"),
]

words = st.one_of(
    st.sampled_from(PIECES),
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=6).map("".join),
    st.text(st.characters(exclude_categories=("Cs", "Cn")), min_size=1, max_size=5).filter(
        # Characters whose case is newer than this Python's Unicode are lower-cased differently.
        lambda text: _core.tokens(f"a{text}b", "none", "lower") == f"a{text}b".lower().split()
    ),
)


@st.composite
def hostile_corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    vocabulary = draw(st.lists(words, min_size=3, max_size=16))
    rng = random.Random(draw(st.integers(0, 2**32)))

    def text(tokens: list[str]) -> str:
        return (
            rng.choice(("", "", " ", "\n"))
            + rng.choice((" ", " ", "", "\u00a0")).join(tokens)
            + rng.choice(("", "", " ", "\u00a0"))
        )

    originals = [rng.choices(vocabulary, k=rng.choice((0, 1, 2, 3, 4, 6))) for _ in range(40)]
    count = rng.choice((1, 1, 2, 3))
    return [text(moved(rng, tokens, vocabulary, 2)) for tokens in originals], [
        [text(moved(rng, tokens, vocabulary, 1)) for tokens in originals] for _ in range(count)
    ]


@pytest.mark.parametrize("chosen", EVERY_CHOICE, ids=lambda c: "+".join(k for k in c if c[k]) or "default")
def test_hostile_text_scores_alike(chosen: dict[str, Any]) -> None:
    segments: set[tuple[Any, ...]] = set()

    @made(max_examples=32)
    @given(hostile_corpora())
    def check(corpus: tuple[list[str], list[list[str | None]]]) -> None:
        segments.update(assert_scored_alike("TER", *corpus, **chosen))

    check()
    assert len(segments) * len(EVERY_CHOICE) >= 10_000


@pytest.mark.parametrize("chosen", EVERY_CHOICE, ids=lambda c: "+".join(k for k in c if c[k]) or "default")
def test_every_short_string_is_cut_alike(chosen: dict[str, Any]) -> None:
    """Substitutions that follow one another hide their surprises in sequences of few characters."""
    ours, theirs = facade.TER(**chosen).tokenizer, sacrebleu.TER(**chosen).tokenizer
    pieces = (
        "a",
        "5",
        ".",
        ",",
        "-",
        " ",
        "&",
        "(",
        "'s",
        "S",
        "中",
        "は",
        "。",
        "\u00a0",
        "\n",
        "&amp;",
        "quot;",
    )
    strings = ["".join(s) for length in range(4) for s in itertools.product(pieces, repeat=length)]
    assert not [s for s in strings if ours(s) != theirs(s)]
    assert ours.signature() == theirs.signature()


def test_lower_case_stays_as_it_is_in_lower_case() -> None:
    """References without punctuation to set apart are folded once here, twice by sacreBLEU: the same."""
    for character in map(chr, (c for c in range(0x110000) if not 0xD800 <= c < 0xE000)):
        lowered = f"aΣ{character}Σ b".lower()
        assert lowered.lower() == lowered


# --- sums -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 11, 16, 17, 23])
def test_sums_of_mean_lengths_have_the_same_digits(count: int) -> None:
    """sacreBLEU adds up rounded means. The façade does too; our own sums are exact, which shows in the last digit."""
    rng = random.Random(count)
    hypotheses = [" ".join(["w"] * rng.randrange(1, 9)) for _ in range(300)]
    references: list[list[str | None]] = [
        [" ".join(["w"] * rng.randrange(9)) if rng.random() < 0.8 or not column else None for _ in range(300)]
        for column in range(count)
    ]
    theirs = sacrebleu.corpus_ter(hypotheses, references)
    assert shown(facade.corpus_ter(hypotheses, references)) == shown(theirs)
    grouped = [[text for text in group if text is not None] for group in zip(*references, strict=True)]
    own = TER.preset("sacrebleu").corpus(hypotheses, grouped).value
    # Up to 16 references the mean is exact; over more it is rounded to a millionth of a word.
    assert own == pytest.approx(theirs.score, rel=1e-14 if count <= 16 else 1e-6)
    if count in (1, 2, 16):
        full = [[text or "" for text in column] for column in references]
        assert TER.preset("sacrebleu").corpus(hypotheses, list(zip(*full, strict=True))).value == (
            sacrebleu.corpus_ter(hypotheses, full).score
        )

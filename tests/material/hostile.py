"""Hostile text: a vocabulary of strange words, and small corpora whose hypotheses are damaged references, so that
n-grams of every order match now and then.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from understudy.text.tokenizers import tokenizer

PAIRS = 45  # per corpus

Corpus = tuple[list[str], list[list[str | None]]]  # hypotheses; references as sacreBLEU lays them out


# --- Unicode: where the two may differ --------------------------------------------------------------------


def peer_tokens(name: str, text: str, lowercase: bool = False) -> list[str]:
    """What sacreBLEU counts."""
    line = text.lower() if lowercase else text
    return peer_tokenizer(name)(line.rstrip()).split()


@functools.cache
def peer_tokenizer(name: str) -> Any:
    return pytest.importorskip("sacrebleu.metrics.bleu")._get_tokenizer(name)()


def own_tokens(name: str, text: str, lowercase: bool = False) -> list[str]:
    return tokenizer(name)(text, letter_case="lower" if lowercase else "keep")


@functools.cache
def disputed() -> frozenset[str]:
    """The characters that the interpreter (lower case) or the regex module (intl) has in another Unicode.

    Each is tried in contexts that show its own mapping, whether it counts as cased or is skipped beside a
    capital sigma, and whether it is a number, a punctuation mark or a symbol.
    """
    every = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]

    def differs(characters: list[str]) -> bool:
        lowered = " ".join(f"a{c}b aΣ{c} aΣ{c}b {c}Σ a{c}Σ" for c in characters)
        classes = " ".join(f"a{c}a 5{c}5 {c}.5" for c in characters)
        same_case = own_tokens("none", lowered, True) == lowered.lower().split()
        return not same_case or own_tokens("intl", classes) != peer_tokens("intl", classes)

    found = []
    for chunk in (every[i : i + 512] for i in range(0, len(every), 512)):
        if differs(chunk):
            found += [c for c in chunk if differs([c])]
    return frozenset(found)


def undisputed(text: str) -> str:
    return text if disputed().isdisjoint(text) else "".join(c for c in text if c not in disputed())


# --- words, sentences, corpora ----------------------------------------------------------------------------

SPACES = [c for c in map(chr, range(0x3001)) if c.isspace()]
PIECES = [
    *"abXZ059.,-'\"&()<>/!?;:%$_~`^[]{}|\\@#*+=",
    *("5.", ".5", "1,000", "3-4", "x-", "..", "...", ",,", "--", "'s", "2017.", "U.S.", "e.g.,"),
    *(
        "&amp;",
        "&lt;",
        "&gt;",
        "&quot;",
        "&amp;lt;",
        "&amp;quot;",
        "&apos;",
        "&AMP;",
        "<skipped>",
        "<SKIPPED>",
    ),
    *("-\n", "\n", "\r", "\r\n", "\t", *SPACES),
    *("\x00", "\x01", "\x1b", "\x7f", "\x80", "\x9f", "\u200b", "\u200d", "\ufeff", "\u00ad", "\ufffd"),
    *("\u0301", "\u0307", "\u0345", "\u05b0", "\u0bcd", "\u20dd", "\u3099", "\U000e0100", "e\u0301"),
    *(
        "\U0001f600",
        "\U0001f1e9\U0001f1ea",
        "\U00010400",
        "\U0001d54f",
        "\U00020000",
        "\U0002f800",
        "\U0010ffff",
    ),
    *"中文国語。，、！「」㐀鿿豈⺀⼀ㄅ㆐㈀㌀︐︰ひらカタｶﾞー한국어ㅏ",
    *"０５９．，５－٠٥۵५๕²³¹½Ⅷ①⑴ⅷ㊀",
    *"€£¥₿¢∑√≤±×÷∞°©™§¶†•…–—‘’“”«»‹›¿¡·・‐‑⁄",
    *(
        "İ",
        "I",
        "ı",
        "i̇",
        "ß",
        "ẞ",
        "ς",
        "Σ",
        "σ",
        "ΑΣ",
        "ΑΣ.",
        "Σ'",
        "ŉ",
        "ǅ",
        "ﬁ",
        "K",
        "Å",
        "Ω",
        "Ⴀ",
        "Ꭰ",
        "ꭰ",
    ),
]

words = st.one_of(
    st.sampled_from(PIECES),
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=6).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5),
)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """PAIRS hypotheses, and 1 to 4 lists of references with gaps.

    Hypothesis makes the words; a generator seeded by Hypothesis arranges them, which is much cheaper.
    """
    vocabulary = [undisputed(word) for word in draw(st.lists(words, min_size=3, max_size=16))]
    count = draw(st.integers(1, 4))
    gaps = draw(st.sampled_from((0.0, 0.3)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    separators = (" ", " ", " ", "", rng.choice(SPACES))

    def sentence() -> list[str]:
        return rng.choices(vocabulary, k=rng.choice((0, 1, 2, 3, 4, 5, 7, 12)))

    def damaged(tokens: list[str]) -> list[str]:
        kept = [
            rng.choice(vocabulary) if rng.random() < 0.15 else word for word in tokens if rng.random() > 0.1
        ]
        at = rng.randrange(len(kept) + 1)
        return kept[at:] + kept[:at] if rng.random() < 0.2 else kept

    def text(tokens: list[str]) -> str:
        return (
            rng.choice(("", "", "", " ", "\n"))
            + rng.choice(separators).join(tokens)
            + rng.choice(("", "", " "))
        )

    hypotheses: list[str] = []
    references: list[list[str | None]] = [[] for _ in range(count)]
    for _ in range(PAIRS):
        original = sentence()
        hypotheses.append(text(damaged(original)))
        present = [rng.random() >= gaps for _ in range(count)]
        present[rng.randrange(count)] = True
        for column, there in zip(references, present, strict=True):
            tokens = rng.choice((original, damaged(original), sentence()))
            column.append(text(tokens) if there else None)
    return hypotheses, references


def thorough(examples: int) -> settings:
    """Settings for tests that look at so many corpora, however long it takes."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )

"""METEOR against the slow one in tests/reference, with small data of our own in METEOR's format."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

from material.meteor_program import ENGLISH, RELATED, hostile_pairs
from reference.meteor import Lexicon, normalize, split, statistics
from understudy import METEOR
from understudy.lexicon.stems import snowball
from understudy.metrics.base.meteor_resources import matcher

PREFIXES = {"Mr": False, "Dr": False, "U": False, "No": True, "pp": True}
FUNCTION_WORDS = ["the", "a", "of", "to", "in", "and", ",", ".", "'s", "is"]
EXCEPTIONS = {"buy": ["bought"], "child": ["children"], "man": ["men"], "woman": ["women"], "run": ["ran"]}
SYNSETS = {
    "buy": {1, 2}, "purchase": {2}, "car": {3}, "automobile": {3}, "large": {4, 5}, "big": {5}, "huge": {4},
    "child": {6}, "kid": {6}, "run": {7, 8}, "start": {8, 9}, "begin": {9}, "commence": {9}, "end": {10},
    "finish": {10}, "fast": {11}, "rapid": {11}, "man": {12}, "person": {12, 13}, "people": {13}, "house": {14},
    "home": {14}, "building": {14},
}  # fmt: skip


@pytest.fixture(scope="module")
def paraphrases() -> list[tuple[str, str]]:
    """Pairs of one to three words that occur, many of them both ways, and some twice."""
    rng = random.Random(5)

    def phrase() -> str:
        return " ".join(rng.choices(ENGLISH, k=rng.choice((1, 1, 2, 2, 3)))).lower()

    pairs = [(phrase(), phrase()) for _ in range(800)]
    pairs += [(group[0], other) for group in RELATED for other in group[1:] if " " in group[0]]
    return [*pairs, *((target, source) for source, target in pairs[::2]), *pairs[::7]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, paraphrases: list[tuple[str, str]]) -> Path:
    home = tmp_path_factory.mktemp("meteor")
    for name in ("function", "nonbreaking", "synonym", "data"):
        (home / name).mkdir()
    lines = [f"{prefix}{' #NUMERIC_ONLY#' if numeric else ''}" for prefix, numeric in PREFIXES.items()]
    (home / "nonbreaking" / "english.prefixes").write_text("\n".join(["# notes", "", *lines]))
    (home / "function" / "english.words").write_text("\n".join(FUNCTION_WORDS))
    exceptions = "".join(f"{base}\n{' '.join(forms)}\n" for base, forms in EXCEPTIONS.items())
    (home / "synonym" / "english.exceptions").write_text(exceptions)
    synsets = "".join(f"{word}\n{' '.join(map(str, sets))}\n" for word, sets in SYNSETS.items())
    (home / "synonym" / "english.synsets").write_text(synsets)
    with gzip.open(home / "data" / "paraphrase-en.gz", "wt", encoding="utf-8") as file:
        file.write("".join(f"0.5\n{source}\n{target}\n" for source, target in paraphrases))
    return home


def test_hostile_pairs(folder, paraphrases):
    metric = METEOR(language="en", data=str(folder))
    # Longer ones are compared with the program itself; here they would take hours.
    pairs = [(h, r[:1]) for h, r in hostile_pairs(16_500, seed=8) if max(len(h), len(r[0])) < 60]
    assert len(pairs) > 10_000
    ours = metric.statistics(*map(list, zip(*pairs, strict=True))).array
    texts = {text for h, (r,) in pairs for text in (h, r)}
    words = {text: split(normalize(text, PREFIXES).lower()) for text in texts}
    vocabulary = sorted({word for found in words.values() for word in found})
    by_first_word: dict[str, list[tuple[list[str], list[str]]]] = {}
    for source, target in paraphrases:
        by_first_word.setdefault(source.split()[0], []).append((source.split(), target.split()))
    lexicon = Lexicon(
        stems=dict(zip(vocabulary, snowball("english")[0](vocabulary), strict=True)),
        bases={form: [base] for base, forms in EXCEPTIONS.items() for form in forms},
        synsets=SYNSETS,
        paraphrases=by_first_word,
        function_words=set(FUNCTION_WORDS),
    )
    theirs = [statistics(words[h], words[r], lexicon) for h, (r,) in pairs]
    different = np.flatnonzero((ours != np.array(theirs)).any(axis=1))
    assert [(pairs[i], ours[i].tolist(), theirs[i]) for i in different[:3]] == []
    # All stages had something to do.
    assert (ours[:, 4:20].reshape(-1, 4, 4).sum(axis=(0, 2)) > 100).all()


@pytest.mark.parametrize("punctuation", [True, False])
def test_normalised_text(folder, punctuation):
    chosen = METEOR(
        language="en", data=str(folder), stages="exact", tokenize="norm" if punctuation else "norm-nopunct"
    )
    texts = [text for h, r in hostile_pairs(4_000, seed=9) for text in (h, *r)]
    texts += ["DOTMULTI", "a DOTMULTI. b...", "..DOTMULTI.x", "D.OTMULTI. x", "DOTDOTMULTI", "x" + "." * 5000]
    texts += [". . .. .", "a,b,c,d", "'''a''b'", "‘a’ “b” ``c''", "1's 2's 's", "a--b---c – d"]
    texts += ["No. 5 No. x pp. 7 e.g. a U.S. Mr. X. y."]
    normalizer = matcher(chosen)
    for text in texts:
        assert normalizer.normalized(text) == normalize(text, PREFIXES, punctuation), repr(text)

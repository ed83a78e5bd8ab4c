"""COMET's models that encode several texts together: unified models and XCOMET."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadParameter
from understudy.neural.comet.encoder import Encoder
from understudy.neural.comet.error_spans import ErrorSpan, mqm_score, spans_in
from understudy.neural.comet.hyperparameters import XCOMET, HyperParameters
from understudy.neural.comet.joint_rows import PairRows, Row, rows_of
from understudy.neural.comet.layer_mix import LayerMix
from understudy.neural.pairs import Pair
from understudy.neural.torch_backend import in_batches, torch_of

# Weights of the three rows of a pair, with source, with reference and with both: for the labels of tokens, and for
# XCOMET's score, which has a fourth part, from the error spans.
_OF_LABELS = (0.1667, 0.3333, 0.5)
_OF_SCORES = (0.12, 0.33, 0.33)
_OF_SPANS = 0.22


class Unified:
    """Scores, and error spans if the model labels tokens."""

    def __init__(
        self, encoder: Encoder, mix: LayerMix, estimator: Any, tagger: Any, settings: HyperParameters
    ) -> None:
        self._encoder, self._mix = encoder, mix
        self._estimator, self._tagger = estimator, tagger
        self._settings = settings

    def score(self, pairs: Sequence[Pair], batch_size: int) -> Floats:
        if self._settings.kind == XCOMET:
            return self.scores_and_spans(pairs, batch_size)[0]
        scores, _ = self._of_rows(self._rows(pairs), batch_size, labels=False)
        return np.array([np.mean(each) for each in scores])

    def scores_and_spans(
        self, pairs: Sequence[Pair], batch_size: int
    ) -> tuple[Floats, list[list[ErrorSpan]]]:
        """The score and the error spans of each pair."""
        if self._tagger is None:
            raise BadParameter(
                "this COMET model does not label words, so it has no error spans. Use an XCOMET model."
            )
        rows = self._rows(pairs)
        scores, labels = self._of_rows(rows, batch_size, labels=True)
        spans = [
            spans_in(_mixed(each), of_pair.offsets, self._settings.labels)
            for each, of_pair in zip(labels, rows, strict=True)
        ]
        if self._settings.kind != XCOMET:
            return np.array([np.mean(each) for each in scores]), spans
        mixed = [_xcomet(each, mqm_score(found)) for each, found in zip(scores, spans, strict=True)]
        return np.array(mixed), spans

    def _rows(self, pairs: Sequence[Pair]) -> list[PairRows]:
        return [rows_of(pair, self._settings.inputs, self._encoder) for pair in pairs]

    def _of_rows(
        self, pairs: Sequence[PairRows], batch_size: int, *, labels: bool
    ) -> tuple[list[list[float]], list[list[Floats]]]:
        """By pair: the score of each of its rows, and the probabilities of labels for the hypothesis' tokens."""
        places = [(number, row) for number, pair in enumerate(pairs) for row in range(len(pair.rows))]
        rows = [pairs[number].rows[row] for number, row in places]
        scores = [[0.0] * len(pair.rows) for pair in pairs]
        probabilities: list[list[Floats]] = [[np.empty(0)] * len(pair.rows) for pair in pairs]
        for batch, (of_batch, labeled) in in_batches(
            lambda batch: self._of_batch([rows[row] for row in batch], labels=labels),
            [len(row.ids) for row in rows],
            batch_size=batch_size,
            device=self._encoder.device,
        ):
            for place, row in enumerate(batch):
                number, which = places[row]
                scores[number][which] = float(of_batch[place])
                if labels:
                    probabilities[number][which] = labeled[place, : len(pairs[number].offsets)]
        return scores, probabilities

    def _of_batch(self, rows: Sequence[Row], *, labels: bool) -> tuple[Floats, Floats]:
        hidden = self._encoder.layers([row.ids for row in rows], [row.first_length for row in rows])
        scores = self._estimator.ff(self._mix.of_first_token(hidden))[:, 0]
        if not labels:
            return scores.double().cpu().numpy(), np.empty(0)
        assert self._settings.word_layer is not None
        logits = self._tagger(hidden.layers[self._settings.word_layer])
        return scores.double().cpu().numpy(), torch_of().softmax(logits.float(), dim=2).double().cpu().numpy()


def _mixed(labels: Sequence[Floats]) -> Floats:
    if len(labels) == 1:
        return labels[0]
    return np.tensordot(_OF_LABELS, np.array(labels), axes=1)


def _xcomet(scores: Sequence[float], of_spans: float) -> float:
    """Without a reference there is one row, which has the weight of all three."""
    weights = _OF_SCORES if len(scores) == len(_OF_SCORES) else (sum(_OF_SCORES),)
    limited = (weight * min(score, 1.0) for weight, score in zip(weights, scores, strict=True))
    return sum(limited) + _OF_SPANS * of_spans

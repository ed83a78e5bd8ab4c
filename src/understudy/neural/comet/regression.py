"""COMET's models that encode each text on its own: regression, referenceless regression and ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.neural.comet.hyperparameters import RANKING, REFERENCELESS, REGRESSION
from understudy.neural.comet.sentence_embeddings import SentenceEmbeddings
from understudy.neural.pairs import Pair
from understudy.neural.torch_backend import in_batches, torch_of

# From the vectors [pairs, units] of hypotheses, sources and references to the scores [pairs].
Estimate = Callable[[Any, Any, Any], Any]

INPUTS_OF_ESTIMATOR = {REGRESSION: 6, REFERENCELESS: 4, RANKING: 0}  # vectors side by side


class Regression:
    """Scores from the sentence embeddings of a pair."""

    def __init__(
        self, embeddings: SentenceEmbeddings, estimate: Estimate, *, references: bool, device: Any
    ) -> None:
        self._embeddings, self._estimate = embeddings, estimate
        self._references = references
        self._device = device

    def score(self, pairs: Sequence[Pair], batch_size: int) -> Floats:
        sides = [[pair.hypothesis for pair in pairs], [pair.source or "" for pair in pairs]]
        if self._references:
            sides.append([pair.reference or "" for pair in pairs])
        vectors = self._embeddings.of((text for side in sides for text in side), batch_size)
        found = np.empty(len(pairs))
        for batch, scores in in_batches(
            lambda batch: self._of_batch([[vectors[side[row]] for row in batch] for side in sides]),
            [1] * len(pairs),
            batch_size=batch_size,
            device=self._device,
        ):
            found[batch] = scores
        return found

    def _of_batch(self, sides: Sequence[Sequence[Any]]) -> Floats:
        hypotheses, sources, *references = (torch_of().stack(side).to(self._device) for side in sides)
        scores = self._estimate(hypotheses, sources, references[0] if references else None)
        of_pairs: Floats = scores.double().cpu().numpy()
        return of_pairs


def estimate_of(kind: str, estimator: Any) -> Estimate:
    return {
        REGRESSION: lambda *vectors: estimator.ff(_with_reference(*vectors))[:, 0],
        REFERENCELESS: lambda *vectors: estimator.ff(_without_reference(*vectors))[:, 0],
        RANKING: _closeness,
    }[kind]


def _with_reference(hypotheses: Any, sources: Any, references: Any) -> Any:
    return torch_of().cat(
        (
            *(hypotheses, references),
            *(hypotheses * references, (hypotheses - references).abs()),
            *(hypotheses * sources, (hypotheses - sources).abs()),
        ),
        dim=1,
    )


def _without_reference(hypotheses: Any, sources: Any, _: Any) -> Any:
    return torch_of().cat((hypotheses, sources, hypotheses * sources, (hypotheses - sources).abs()), dim=1)


def _closeness(hypotheses: Any, sources: Any, references: Any) -> Any:
    """1 / (1 + harmonic mean of the distances to source and reference)."""
    distance = torch_of().nn.functional.pairwise_distance
    to_source, to_reference = distance(hypotheses, sources), distance(hypotheses, references)
    return 1 / (1 + 2 * to_reference * to_source / (to_reference + to_source))

"""BERTScore: greedy matching of pieces by the cosine of their vectors in an encoder (Zhang et al. 2020)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput, ModelWarning
from understudy.metrics.base.candidate_sets import CandidateSets
from understudy.metrics.base.neural_metric import NeuralMetric
from understudy.metrics.base.parameters import Unchosen, param, without
from understudy.neural import numpy_encoder
from understudy.neural.bert_score import BACKENDS, FITTED_ON, BertScore
from understudy.neural.bertscore_baselines import Baseline, read_baseline
from understudy.neural.greedy_matching import VALUES
from understudy.neural.pairs import Pair, texts_of
from understudy.neural.piece_frequencies import PieceFrequencies
from understudy.neural.scored_pairs import PairScorer
from understudy.text.languages import language_of
from understudy.wording import number_of

_ENGLISH = "all-MiniLM-L6-v2"
_OTHERS = "bert-base-multilingual-cased"
# The models of bert-score for other languages than English.
_MODELS = {"en": _ENGLISH, "zh": "bert-base-chinese", "tr": "dbmdz/bert-base-turkish-cased"}


@dataclass(frozen=True, kw_only=True, repr=False)
class BERTScore(NeuralMetric):
    """BERTScore with any encoder on this machine. Without torch, encoders of the BERT family run in numpy.

    >>> BERTScore(model="roberta-large", layer=17, idf=True).spec
    'bertscore:model=roberta-large,layer=17,idf=true'
    """

    model: str = param(Unchosen(_ENGLISH), "folder or name of the encoder, see `understudy models`")
    layer: int | None = param(
        None,
        "the output of so many layers is compared; default: the layer published with bert-score for this model, 4 for "
        "all-MiniLM-L6-v2, otherwise three quarters of the layers",
        between=(0, 1000),
    )
    value: str = param("f1", "value reported as the score", choices=("f1", "precision", "recall"))
    idf: bool = param(False, "weight tokens by their inverse document frequency in the references")
    baseline: str = param(
        "", "file with baselines by layer (LAYER,P,R,F) for rescaling, as published with bert-score"
    )
    backend: str = param(
        "auto",
        "library that runs the encoder; auto selects numpy for encoders of the BERT family in single precision on a "
        "CPU, otherwise torch",
        choices=BACKENDS,
    )

    name: ClassVar[str] = "bertscore"
    title: ClassVar[str] = "BERTScore"
    summary: ClassVar[str] = (
        "Cosine similarity of contextual embeddings, each token matched with the most similar one."
    )
    formula: ClassVar[str] = (
        r"P = \frac{\sum_{h} w(h) \max_{r} \mathbf{h}^\top \mathbf{r}}{\sum_{h} w(h)}, \quad "
        r"R = \frac{\sum_{r} w(r) \max_{h} \mathbf{h}^\top \mathbf{r}}{\sum_{r} w(r)}, \quad "
        r"F_1 = \frac{2 P R}{P + R}, \quad "
        r"w = 1 \text{ or } \log \frac{N + 1}{\mathrm{df} + 1}"
    )
    citation: ClassVar[str] = (
        "Tianyi Zhang, Varsha Kishore, Felix Wu, Kilian Q. Weinberger, Yoav Artzi: BERTScore: Evaluating Text "
        "Generation with BERT. ICLR 2020. As computed by bert-score 0.3.13."
    )
    not_for: ClassVar[str] = (
        "Comparing scores of different models or layers, whose scales differ. Letter case, if the model is uncased, as "
        "all-MiniLM-L6-v2 is. Languages that the model was not trained on: all-MiniLM-L6-v2 reads English only."
    )
    percent: ClassVar[bool] = True
    told_by_input: ClassVar[frozenset[str]] = frozenset({"model", "layer", "batch_size", "device", "backend"})

    @property
    def values(self) -> tuple[str, ...]:
        return VALUES

    @property
    def reported(self) -> str:
        return self.value

    @property
    def label(self) -> str:
        return {"f1": self.title, "precision": f"{self.title} P", "recall": f"{self.title} R"}[self.value]

    # --- the model -----------------------------------------------------------------------------------------

    def engine(self) -> BertScore:
        return self._engine(threads=1)

    def _engine(self, threads: int) -> BertScore:
        learned = self._learned
        assert learned is None or isinstance(learned, PieceFrequencies)
        made = BertScore(
            found=self.found,
            chosen_layer=self.layer,
            chosen_backend=self.backend,
            dtype=self.dtype,
            device=self.device,
            threads=threads,
            frequencies=learned,
        )
        made.check()
        self._baseline(made.layer)
        return made

    def check_packages(self) -> None:
        """Without torch, some encoders run in numpy. Which ones is known once the model is found."""
        if self.backend == "torch":
            super().check_packages()
        else:
            numpy_encoder.versions()

    def _baseline(self, layer: int) -> Baseline | None:
        return read_baseline(self.baseline, layer) if self.baseline else None

    @property
    def undecided_language(self) -> bool:
        return isinstance(self.model, Unchosen)

    def for_language(self, language: str) -> BERTScore:
        if not isinstance(self.model, Unchosen):
            return self
        return replace(self, model=_MODELS.get(language_of(language).code, _OTHERS))

    # --- fitting: the frequencies of pieces in the references ----------------------------------------------

    @property
    def needs_fit(self) -> bool:  # type: ignore[override]  # a fact of the class for other metrics
        return self.idf

    def learn(self, parts: Iterable[References]) -> PieceFrequencies:
        texts = (text for part in parts for row in range(len(part)) for text in part[row])
        learned = PieceFrequencies.of(self.engine().pieces(texts))
        if not learned.references:
            raise BadInput("no references to fit the metric on.")
        return learned

    # --- values of pairs -----------------------------------------------------------------------------------

    def values_of(self, pairs: Sequence[Pair], threads: int) -> Floats:
        engine = self._engine(threads)
        scorer = PairScorer(engine, self.label, batch_size=self.batch_size)
        values = scorer.values(pairs, threads=threads)
        self._warn_of_unread(engine, list(texts_of(pairs)))
        return self._rescaled(values, engine)

    def scores_of_pairs(self, sets: CandidateSets, threads: int) -> Floats:
        """Every text is encoded once."""
        engine = self._engine(threads)
        of_segments = []
        for segment in range(len(sets)):
            candidates, references = (
                [column[row] or "" for row in range(starts[segment], starts[segment + 1])]
                for column, starts in (
                    (sets.candidates, sets.candidate_starts),
                    (sets.references, sets.reference_starts),
                )
            )
            values = engine.score_all(candidates, references, batch_size=self.batch_size)
            self._warn_of_unread(engine, [*candidates, *references])
            of_segments.append(values.reshape(-1, len(VALUES)))
        rows = self.rows(self._rescaled(np.concatenate(of_segments), engine))
        return self.for_segments().scores_of(self.statistics_of(rows))

    def _rescaled(self, values: Floats, engine: BertScore) -> Floats:
        baseline = self._baseline(engine.layer)
        return values if baseline is None else baseline.rescaled(values)

    def _warn_of_unread(self, engine: BertScore, texts: Sequence[str]) -> None:
        self.warn_of_special_tokens(engine, texts)
        if cut := engine.cut_texts(texts):
            are = "is" if cut == 1 else "are"
            warnings.warn(
                f"{self.label}: {number_of(cut, 'text')} {are} longer than the {engine.most_pieces} tokens that "
                f"{engine.found.name} reads; the rest was ignored. Split long segments into sentences.",
                ModelWarning,
                stacklevel=2,
            )

    # --- explaining ----------------------------------------------------------------------------------------

    def explain(self, detail: Mapping[str, Any]) -> str:
        shown = {"F": "f1", "P": "precision", "R": "recall"}
        others = " ".join(
            f"{letter} = {detail[name]:.1f}" for letter, name in shown.items() if name != self.value
        )
        return f"({others}: means of segments)"

    def choices(self) -> dict[str, str]:
        choices = super().choices()
        choices.pop(FITTED_ON, None)  # the number of references is signed, their content never is
        if not self.baseline:
            return without(choices, "baseline")
        known = "" if self.missing else read_baseline(self.baseline, self.engine().layer).digest
        return {**choices, "baseline": known or "missing"}

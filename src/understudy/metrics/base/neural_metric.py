"""NeuralMetric: the base of metrics with a learned model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from understudy.arrays import Floats
from understudy.errors import BadParameter, UnderstudyError
from understudy.metrics.base.pair_metric import PairMetric
from understudy.metrics.base.parameters import param, without
from understudy.neural.model_files import FoundModel, find_model
from understudy.neural.pairs import NeuralModel, Pair, texts_of
from understudy.neural.scored_pairs import PairScorer
from understudy.neural.special_tokens import warn_of_special_tokens
from understudy.neural.torch_backend import backend_versions

_DTYPES = ("float32", "bfloat16", "float16")


@dataclass(frozen=True, kw_only=True, repr=False)
class NeuralMetric(PairMetric):
    """A metric with a learned model, which is found on this machine and never downloaded. Scores are cached by model
    and texts.
    """

    model: str = param("", "folder or name of the model, see `understudy models`")
    dtype: str = param("float32", "data type of the computation", choices=_DTYPES)
    batch_size: int = param(16, "texts per batch; affects speed and memory only", between=(1, 65536))
    device: str = param("auto", "cpu, cuda, cuda:1, mps; auto selects the first GPU, if there is one")

    percent: ClassVar[bool] = False
    told_by_input: ClassVar[frozenset[str]] = frozenset({"model", "batch_size", "device"})
    versions: ClassVar[frozenset[str]] = frozenset({"numpy", "tokenizers", "torch", "transformers"})

    @abstractmethod
    def engine(self) -> NeuralModel:
        """The model. Making it must be cheap: it is made for every count, and loads its weights when it scores."""

    @property
    def found(self) -> FoundModel:
        """The files of the model; an error that says where it was looked for, if there are none."""
        if not self.model:
            raise BadParameter(f"{self.name}: {self.missing}")
        self.check_packages()
        return find_model(self.model)

    def check_packages(self) -> None:
        """Raise an error that names the extra if the packages are missing that run the model."""
        backend_versions()

    @property
    def missing(self) -> str:
        if not self.model:
            return f"no model given. Use {self.written_as or f'{self.name}:model=FOLDER'}; see understudy models."
        try:
            self.engine()
        except UnderstudyError as error:
            return str(error)
        return ""

    def values_of(self, pairs: Sequence[Pair], threads: int) -> Floats:
        engine = self.engine()
        self.warn_of_special_tokens(engine, texts_of(pairs))
        return PairScorer(engine, self.label, batch_size=self.batch_size).values(pairs, threads=threads)

    def warn_of_special_tokens(self, engine: NeuralModel, texts: Iterable[str]) -> None:
        warn_of_special_tokens(self.label, texts, lambda: engine.special_tokens)

    def choices(self) -> dict[str, str]:
        own = super().choices()
        if self.missing:
            return {**own, "model": "none"}
        return {**without(own, "dtype"), **self.engine().identity}

"""A COMET model on this machine. Its weights are loaded when it scores for the first time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

from understudy.arrays import Floats
from understudy.errors import BadInput, BadParameter
from understudy.neural.comet.encoder import TokenLimits, architecture_named, read_subwords
from understudy.neural.comet.error_spans import ErrorSpan
from understudy.neural.comet.hyperparameters import REFERENCE, SOURCE, UNIFIED, XCOMET, HyperParameters
from understudy.neural.comet.reader import CometFiles, Scorer, read_comet
from understudy.neural.comet.unified import Unified
from understudy.neural.file_hashes import file_hash
from understudy.neural.model_files import FoundModel, config_digest, find_model, tokenizer_digest
from understudy.neural.pairs import Pair
from understudy.neural.torch_backend import Place, backend_versions
from understudy.neural.truncation import Truncation

ALL = "all"  # the inputs that a model was trained with
_ONE_INPUT = {"source": SOURCE, "reference": REFERENCE}  # of unified models that can do with one
_SPECIAL = 6  # tokens of a row with three texts
INPUTS = (ALL, *_ONE_INPUT)


@dataclass(frozen=True)
class CometEngine:
    """A model that was found, and which texts it is to read."""

    found: FoundModel
    inputs: str = ALL
    place: Place = field(default_factory=Place)
    values: tuple[str, ...] = ("score",)

    @property
    def name(self) -> str:
        """That of the folder, which tells more than `model.ckpt`."""
        return self.found.name if self.found.path.is_dir() else self.found.path.resolve().parents[1].name

    @cached_property
    def files(self) -> CometFiles:
        return CometFiles.at(self.found.path)

    @cached_property
    def settings(self) -> HyperParameters:
        return self.files.settings()

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """What it reads beside the hypothesis, under COMET's names."""
        able = self.settings.inputs[1:]
        if self.inputs == ALL:
            return able
        chosen = _ONE_INPUT[self.inputs]
        if self.settings.kind not in (UNIFIED, XCOMET) and able != (chosen,):
            raise BadParameter(
                f"inputs={self.inputs}, but '{self.name}' ({self.settings.kind}) reads {_words(able)}. Only "
                "unified models can read less."
            )
        if chosen not in able:
            raise BadParameter(f"inputs={self.inputs}, but '{self.name}' reads {_words(able)}.")
        return (chosen,)

    @cached_property
    def base(self) -> FoundModel:
        """The pretrained model: its configuration and tokenizer."""
        return find_model(self.settings.base)

    @cached_property
    def tokenizer(self) -> FoundModel:
        other = architecture_named(self.settings.encoder, self.files.weights).tokenizer_of
        return find_model(other) if other else self.base

    def check(self) -> None:
        """Raise an error if a file or a package is missing, without reading weights."""
        _ = self.reads, self.tokenizer, backend_versions()

    @cached_property
    def identity(self) -> Mapping[str, str]:
        return {
            "model": self.name,
            "sha256": file_hash(self.files.weights)[:12],  # its folder may have others
            "class": self.settings.kind,
            "encoder": self.base.name,
            # hparams.yaml has the settings of a checkpoint that has none itself.
            "config": config_digest(self.base.folder, self.files.hyper_parameters),
            "tokenizer": tokenizer_digest(self.tokenizer.folder),
            "inputs": "+".join(self.reads),
            "dtype": self.place.dtype,
            **backend_versions(),
        }

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:
        read = self._read(pairs)
        self.truncation.warn(read)
        return self._scorer.score(read, batch_size).reshape(-1, 1)

    def scores_and_spans(
        self, pairs: Sequence[Pair], *, batch_size: int
    ) -> tuple[Floats, list[list[ErrorSpan]]]:
        """Scores [pairs], and the error spans in each hypothesis. Only models that label words have them."""
        if self.settings.word_layer is None:
            raise BadParameter(
                f"'{self.name}' has no error spans, because it does not label words. Use XCOMET."
            )
        scorer = self._scorer
        assert isinstance(scorer, Unified)
        read = self._read(pairs)
        self.truncation.warn(read)
        return scorer.scores_and_spans(read, batch_size)

    @property
    def truncation(self) -> Truncation:
        return _truncation(self.settings, self.base, self.tokenizer.folder, self._digests)

    @property
    def special_tokens(self) -> frozenset[str]:
        architecture = architecture_named(self.settings.encoder, self.base.folder)
        return read_subwords(self.tokenizer.folder, architecture).special_tokens

    @property
    def _digests(self) -> tuple[str, ...]:
        """Those of its files, so that changed ones are read again."""
        return tuple(self.identity[name] for name in ("sha256", "class", "config", "tokenizer"))

    @property
    def _scorer(self) -> Scorer:
        return _loaded(self.files, self.base.folder, self.tokenizer.folder, self.place, self._digests)

    def _read(self, pairs: Sequence[Pair]) -> list[Pair]:
        """The pairs with no other texts than the model reads."""
        reads_source, reads_reference = SOURCE in self.reads, REFERENCE in self.reads
        for word, reads, texts in (
            ("source", reads_source, (pair.source for pair in pairs)),
            ("reference", reads_reference, (pair.reference for pair in pairs)),
        ):
            if reads and any(text is None for text in texts):
                raise BadInput(f"'{self.name}' reads a {word} with every hypothesis, and some have none.")
        return [
            Pair(
                pair.hypothesis,
                pair.reference if reads_reference else None,
                pair.source if reads_source else None,
            )
            for pair in pairs
        ]


@lru_cache(maxsize=4)
def _truncation(
    settings: HyperParameters,
    base: FoundModel,
    tokenizer: Path,
    digests: tuple[str, ...],  # noqa: ARG001 (a changed file is read again)
) -> Truncation:
    architecture = architecture_named(settings.encoder, base.folder)
    limits = TokenLimits.of(int(base.config["max_position_embeddings"]))
    joint = settings.kind in (UNIFIED, XCOMET)

    subwords = cache(lambda: read_subwords(tokenizer, architecture))

    def is_truncated(pair: Pair) -> bool:
        hypothesis, *others = (len(subwords().ids(text)) for text in pair if text is not None)
        together = hypothesis + sum(others) + architecture.separators * len(others) + 2
        return max(hypothesis, *others) > limits.text - 2 or (joint and together > limits.joint)

    return Truncation("COMET", limits.joint if joint else limits.text, _SPECIAL, is_truncated)


@lru_cache(maxsize=4)
def _loaded(
    files: CometFiles,
    base: Path,
    tokenizer: Path,
    place: Place,
    digests: tuple[str, ...],  # noqa: ARG001 (a changed file is read again)
) -> Scorer:
    return read_comet(files, base, tokenizer, place)


def _words(inputs: Sequence[str]) -> str:
    return " and ".join({SOURCE: "sources", REFERENCE: "references"}[name] for name in inputs)

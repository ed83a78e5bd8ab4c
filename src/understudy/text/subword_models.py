"""The SentencePiece models of spBLEU: which are published, and where they are on this machine.

They are stored in sacreBLEU's folder, under its names, so that both programs share them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy import text
from understudy.disk_cache import home_folder
from understudy.errors import BadParameter, MissingExtra, MissingFile

if TYPE_CHECKING:
    from understudy.downloads import RemoteFile


@dataclass(frozen=True)
class PublishedModel:
    """A model that a tokenizer is named after."""

    name: str
    file: str  # in the folder of models
    url: str
    checksum: str = ""  # empty if none was published

    @property
    def remote(self) -> RemoteFile:
        """What is to be downloaded."""
        from understudy.downloads import RemoteFile  # urllib takes a while to load

        return RemoteFile(self.url, self.checksum)

    def path(self, environment: Mapping[str, str]) -> Path:
        """Where sacreBLEU stores it."""
        return models_folder(environment) / self.file

    def found(self, environment: Mapping[str, str]) -> Path:
        """The same, or an error that says how to get it."""
        path = self.path(environment)
        if not path.is_file():
            raise MissingFile(
                f"tokenizer '{self.name}': no model '{path}'. Get it with `understudy models fetch {self.name}`, or "
                f"give another file: {self.name}:FILE"
            )
        return path


PUBLISHED = {
    model.name: model
    for model in [
        PublishedModel(
            "flores101",
            "sacrebleu_tokenizer_spm.model",
            "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
            # In https://github.com/facebookresearch/dynabench, evaluation/metrics/sentencepiece.bpe.model was
            # downloaded from this address.
            "git:a4d2e850952f392917421d5cf7e3cca55fa4586b",
        ),
        PublishedModel(
            "flores200",
            "flores200sacrebleuspm",
            # https://tinyurl.com/flores200sacrebleuspm, sacreBLEU's address, leads here.
            "https://dl.fbaipublicfiles.com/large_objects/nllb/models/spm_200/flores200_sacrebleu_tokenizer_spm.model",
            # The same file is sentencepiece.bpe.model in https://huggingface.co/facebook/nllb-200-distilled-600M.
            "sha256:14bb8dfb35c0ffdea7bc01e56cea38b9e3d5efcdcb9c251d6b40538e1aab555a",
        ),
        PublishedModel(
            "spBLEU-1K",
            "spbleu-1k_tokenizer_spm.model",
            "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
        ),
    ]
}


def models_folder(environment: Mapping[str, str]) -> Path:
    """sacreBLEU's folder of models, according to the environment variable SACREBLEU.

    >>> models_folder({"SACREBLEU": "/data"}).as_posix()
    '/data/models'
    """
    home = environment.get("SACREBLEU")
    return (Path(home) if home else home_folder() / ".sacrebleu") / "models"


def is_here(name: str) -> bool:
    """Whether a published model is on this machine."""
    return PUBLISHED[name].path(text.environment).is_file()


def published_model(name: str) -> Path:
    """The file of a published model on this machine."""
    return PUBLISHED[name].found(text.environment)


def signature_of(name: str, path: Path) -> str:
    """The name of the published model that a file is; otherwise the tokenizer's name with the digest of the file,
    which identifies its content on any machine.
    """
    from understudy.downloads import checksum_of

    for model in PUBLISHED.values():
        if model.checksum and model.remote.matches(path):
            return model.name
    return f"{name}-{checksum_of(path, 'sha256').partition(':')[2][:12]}"


@functools.lru_cache(maxsize=16)
def pieces_of(path: Path) -> Any:
    """The opened model."""
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtra.of("SentencePiece models", "sentencepiece", "spm") from None
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError):
        raise BadParameter(f"'{path}' is not a SentencePiece model.") from None

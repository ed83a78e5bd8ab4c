"""The tokenizers of spBLEU: subwords of SentencePiece models in sacreBLEU's folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from understudy.compat.sacrebleu.utils import SACREBLEU_DIR, download_file, sacrelogger
from understudy.text.subword_models import PUBLISHED, pieces_of, signature_of

if TYPE_CHECKING:
    from understudy.downloads import RemoteFile

__all__ = [
    "SACREBLEU_DIR",
    "SPM_MODELS",
    "BaseTokenizer",
    "Flores101Tokenizer",
    "Flores200Tokenizer",
    "TokenizerSPM",
    "download_file",
    "fetch_model",
    "sacrelogger",
    "spBLEU1KTokenizer",
]

SPM_MODELS = {
    key: {"url": PUBLISHED[name].url, "signature": name}
    for key, name in {"spm": "flores101", **{name: name for name in PUBLISHED}}.items()
}


class TokenizerSPM(BaseTokenizer):
    """Subwords of the model with this key. Nothing is downloaded: a missing model is an error that names the command.

    The signature is the key's name if the file is the published model, or if no checksum of that was published.
    """

    def __init__(self, key: str = "spm") -> None:
        if key == "spm":
            sacrelogger.warning(
                "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."
            )
        self.name = SPM_MODELS[key]["signature"]
        self.path = model_path(key)
        self.sp = pieces_of(self.path)
        if PUBLISHED[self.name].checksum:
            self.name = signature_of(self.name, self.path)

    def signature(self) -> str:
        return self.name

    def __call__(self, line: str) -> str:
        return " ".join(self.sp.encode(line, out_type=str))


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 (sacreBLEU's name)
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")


def fetch_model(key: str, bring: Callable[[RemoteFile, Path], object]) -> None:
    """Download a model with a function such as `understudy.downloads.download`, unless it is there."""
    model = PUBLISHED[SPM_MODELS[key]["signature"]]
    path = model.path({"SACREBLEU": SACREBLEU_DIR})
    if not path.is_file():
        bring(model.remote, path)


def model_path(key: str) -> Path:
    """The file of a model, in the folder that sacreBLEU uses."""
    return PUBLISHED[SPM_MODELS[key]["signature"]].found({"SACREBLEU": SACREBLEU_DIR})

"""What a COMET checkpoint says about its model: the class, its parts and its inputs.

Facts from unbabel-comet 2.2.7: the class is that of hparams.yaml; everything else is that of the checkpoint itself, and
what it does not name has the default of its class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingExtra, MissingFile, did_you_mean

REGRESSION = "regression_metric"
REFERENCELESS = "referenceless_regression_metric"
RANKING = "ranking_metric"
UNIFIED = "unified_metric"
XCOMET = "xcomet_metric"

HYPOTHESIS, SOURCE, REFERENCE = "mt", "src", "ref"  # COMET's names
_ALL = (HYPOTHESIS, SOURCE, REFERENCE)
_SEVERITIES = ("minor", "major", "critical")

_SHARED = {
    "encoder_model": "XLM-RoBERTa",
    "pretrained_model": "xlm-roberta-large",
    "pool": "avg",
    "layer": "mix",
    "layer_transformation": "softmax",
    "layer_norm": True,
    "hidden_sizes": (3072, 1024),
    "activations": "Tanh",
    "final_activation": None,
}
_JOINT = {
    **_SHARED,
    "pretrained_model": "microsoft/infoxlm-large",
    "pool": "cls",
    "sent_layer": "mix",
    "layer_transformation": "sparsemax",
    "word_layer": 24,
    "word_level_training": False,
    "error_labels": ("minor", "major"),
    "input_segments": _ALL,
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    REGRESSION: _SHARED,
    REFERENCELESS: {**_SHARED, "hidden_sizes": (2048, 1024)},
    RANKING: {**_SHARED, "pretrained_model": "xlm-roberta-base"},
    UNIFIED: _JOINT,
    XCOMET: {
        **_JOINT,
        "encoder_model": "XLM-RoBERTa-XL",
        "pretrained_model": "facebook/xlm-roberta-xl",
        "layer_norm": False,
        "word_layer": 36,
        "hidden_sizes": (2560, 1280),
        "error_labels": _SEVERITIES,
    },
}


@dataclass(frozen=True)
class HyperParameters:
    """Those that determine a score. Others are about training."""

    kind: str  # COMET's identifier of the class
    encoder: str  # COMET's name of the architecture
    base: str  # the pretrained model, whose configuration and tokenizer are needed
    pool: str
    layer: int | None  # None: the mix of all
    sparse: bool  # the transformation of the layers' weights: sparsemax, else softmax
    layer_norm: bool
    hidden_sizes: tuple[int, ...]
    activation: str
    final_activation: str | None
    inputs: tuple[str, ...]
    word_layer: int | None  # None: no error spans
    labels: tuple[str, ...]  # severities

    @classmethod
    def of(cls, kind: str, given: Mapping[str, Any], where: Path) -> HyperParameters:
        """From what a checkpoint names. Values of the wrong type fail here."""
        named = {
            **_DEFAULTS[kind],
            **{name: value for name, value in given.items() if name in _DEFAULTS[kind]},
        }
        try:
            joint = kind in (UNIFIED, XCOMET)
            words = kind == XCOMET or (joint and bool(named["word_level_training"]))
            return cls(
                kind=kind,
                encoder=str(named["encoder_model"]),
                base=str(named["pretrained_model"]),
                pool=str(named["pool"]) if not joint else "cls",
                layer=_layer(named["sent_layer" if joint else "layer"]),
                # Also for "sparsemax_patch", which COMET takes for softmax.
                sparse=named["layer_transformation"] == "sparsemax",
                layer_norm=bool(named["layer_norm"]),
                hidden_sizes=tuple(int(size) for size in named["hidden_sizes"]) if kind != RANKING else (),
                activation=str(named["activations"]),
                final_activation=None
                if named["final_activation"] is None
                else str(named["final_activation"]),
                inputs=_inputs(kind, named),
                word_layer=int(named["word_layer"]) if words else None,
                labels=tuple(named["error_labels"]) if words else (),
            )
        except (TypeError, ValueError) as error:
            raise BadInput(
                f"'{where}' has hyper-parameters of another type than COMET's ({error})."
            ) from None


def class_in(path: Path) -> tuple[str, dict[str, Any]]:
    """The class that hparams.yaml names, and all else it has."""
    try:
        import yaml
    except ImportError:
        raise MissingExtra.of("COMET models", "pyyaml", "neural") from None
    try:
        text = path.read_text(encoding="utf-8")
        named = yaml.safe_load(text)
    except FileNotFoundError:
        raise MissingFile(
            f"no '{path}', expected it two folders above the checkpoint, as COMET does."
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"'{path}' cannot be read ({' '.join(str(error).split())}).") from None
    kind = named.get("class_identifier") if isinstance(named, dict) else None
    if kind not in _DEFAULTS:
        raise BadInput(f"'{path}': unknown class '{kind}'. {did_you_mean(str(kind), _DEFAULTS)}")
    return str(kind), named


def _inputs(kind: str, named: Mapping[str, Any]) -> tuple[str, ...]:
    if kind == UNIFIED:
        given = tuple(named["input_segments"])
        if unknown := [name for name in given if name not in _ALL]:
            raise ValueError(f"input segment '{unknown[0]}'")
        return tuple(name for name in _ALL if name in given)
    return (HYPOTHESIS, SOURCE) if kind == REFERENCELESS else _ALL


def _layer(given: object) -> int | None:
    return None if given == "mix" else int(given)  # type: ignore[call-overload]

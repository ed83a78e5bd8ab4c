"""Stanza parsers: dependencies, and constituents for languages that have a constituency model.

Only models on disk are used; download them with `stanza.download("fr")`.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingExtra, MissingFile
from understudy.syntax.model_files import digest, installed_version, safe
from understudy.syntax.parsing import (
    CONSTITUENTS,
    DEPENDENCIES,
    ModelParser,
    Parse,
    Progress,
    first_line,
    no_trees,
)
from understudy.syntax.trees import DependencyToken, DependencyTree, written

_TASKS = (
    "tokenize",
    "pos",
    "lemma",
    "depparse",
)  # Stanza adds `mwt` itself for languages with multi-word tokens
_TEXTS_AT_ONCE = 64


@dataclass(frozen=True, kw_only=True)
class StanzaParser(ModelParser):
    """Stanza's models for a language, loaded on first use."""

    language: str
    folder: Path

    @classmethod
    def open(cls, language: str, *, keep_words: bool = False) -> StanzaParser:
        """The models for that language."""
        program = installed_version("stanza")
        if program is None or importlib.util.find_spec("stanza") is None:
            raise MissingExtra("Stanza parsers need stanza: pip install stanza")
        folder = _folder()
        files = {task: path for task, path in _models(folder, language).items() if path.is_file()}
        if "depparse" not in files:
            raise MissingFile(
                f"no Stanza parser for '{language}' in '{folder}'. Download it: "
                f"""python -c "import stanza; stanza.download('{language}')\""""
            )
        return cls(
            model=f"stanza:{language}",
            version=f"stanza-{program}:{safe(language)}-{digest(folder, files.values())}",
            schemes=({CONSTITUENTS: "ptb"} if "constituency" in files else {}) | {DEPENDENCIES: "ud"},
            language=language,
            folder=folder,
            keep_words=keep_words,
        )

    def parse(
        self,
        texts: Sequence[str],
        *,
        threads: int = 1,  # noqa: ARG002
        progress: Progress | None = None,
    ) -> list[Parse]:
        pipeline = _loaded(self.language, str(self.folder), CONSTITUENTS in self.schemes, self.keep_words)
        parses = [no_trees(self.schemes)] * len(texts)
        rows = [row for row, text in enumerate(texts) if text.strip()]
        if progress is not None and len(rows) < len(texts):
            progress(len(texts) - len(rows))
        for start in range(0, len(rows), _TEXTS_AT_ONCE):
            part = rows[start : start + _TEXTS_AT_ONCE]
            for row, document in zip(part, _documents(pipeline, [texts[row] for row in part]), strict=True):
                parses[row] = (
                    self.failed(texts[row], document)
                    if isinstance(document, Exception)
                    else self._parsed(document)
                )
            if progress is not None:
                progress(len(part))
        return parses

    def _parsed(self, document: Any) -> Parse:
        trees = [DependencyTree(tuple(_tokens(sentence))) for sentence in document.sentences]
        constituents = None
        if CONSTITUENTS in self.schemes:
            constituents = " ".join(str(sentence.constituency) for sentence in document.sentences)
        return Parse(constituents, written(trees))


def has_models(language: str) -> bool:
    """Whether Stanza and its models for a language are installed."""
    if installed_version("stanza") is None or importlib.util.find_spec("stanza") is None:
        return False
    models = _models(_folder(), language)
    return "depparse" in models and models["depparse"].is_file()


def _folder() -> Path:
    from stanza.resources.common import DEFAULT_MODEL_DIR

    return Path(DEFAULT_MODEL_DIR)


def _models(folder: Path, language: str) -> dict[str, Path]:
    """Stanza's default models by processor, with their paths if present."""
    try:
        resources = json.loads((folder / "resources.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadInput(f"Stanza's '{folder / 'resources.json'}' cannot be read: {error}.") from None
    language = resources.get(language, {}).get("alias", language)
    usual = resources.get(language, {}).get("packages", {}).get("default", {})
    chosen = {**usual.get("optional", {}), **usual}
    return {
        task: folder / language / task / f"{chosen[task]}.pt"
        for task in (*_TASKS, "mwt", "constituency")
        if task in chosen
    }


@functools.lru_cache(maxsize=2)
def _loaded(language: str, folder: str, constituents: bool, keep_words: bool) -> Any:
    import stanza

    known = _models(Path(folder), language)
    tasks = [task for task in (*_TASKS, *(["constituency"] if constituents else [])) if task in known]
    try:
        return stanza.Pipeline(
            language,
            dir=folder,
            processors=",".join(tasks),
            download_method=None,
            logging_level="ERROR",
            tokenize_pretokenized=keep_words,
        )
    except Exception as error:  # errors vary, e.g. for a model of another version or a missing part
        raise BadInput(
            f"Stanza cannot load its models for '{language}' from '{folder}': {first_line(error)}"
        ) from None


def _documents(pipeline: Any, texts: list[str]) -> list[Any]:
    """Stanza's documents for the texts; an error for a text on which it fails, without affecting the others."""
    try:
        return list(pipeline.bulk_process(texts))
    except Exception as error:  # a processor may raise any error
        if len(texts) == 1:
            return [error]
    return [_documents(pipeline, [text])[0] for text in texts]


def _tokens(sentence: Any) -> Iterator[DependencyToken]:
    """The words; multi-word tokens, such as French *du*, are split."""
    for token in sentence.tokens:
        for word in token.words:
            yield DependencyToken(
                form=word.text,
                lemma=word.lemma or "_",
                tag=word.xpos or "_",
                coarse=word.upos or "_",
                head=word.head,
                relation=word.deprel or "_",
                features=word.feats or "_",
                space_after=word is not token.words[-1] or token.spaces_after != "",
            )

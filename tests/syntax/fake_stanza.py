"""A stand-in for the package stanza, of the same shape where the adaptor touches it, after stanza 1.15's sources.

Stanza needs torch, whose wheel for Linux on PyPI does not load without some gigabytes of CUDA's libraries.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

VERSION = "1.15.0"


def install(monkeypatch: Any, folder: Path) -> list[dict[str, Any]]:
    """Puts it in the place of stanza, with its models in this folder; gives the list of the pipelines asked for."""
    asked: list[dict[str, Any]] = []

    class Pipeline(FakePipeline):
        def __init__(self, lang: str, **settings: Any) -> None:
            asked.append({"lang": lang, **settings})
            super().__init__(**settings)

    stanza = ModuleType("stanza")
    stanza.__spec__ = SimpleNamespace(name="stanza")  # type: ignore[assignment]
    stanza.Pipeline = Pipeline  # type: ignore[attr-defined]
    common = ModuleType("stanza.resources.common")
    common.DEFAULT_MODEL_DIR = str(folder)  # type: ignore[attr-defined]
    for name, module in (
        ("stanza", stanza),
        ("stanza.resources", ModuleType("stanza.resources")),
        ("stanza.resources.common", common),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    return asked


def write_models(folder: Path, packages: dict[str, dict[str, Any]], **aliases: str) -> None:
    """Models of languages, and the list of them as Stanza's download leaves it."""
    resources: dict[str, Any] = {alias: {"alias": language} for alias, language in aliases.items()}
    for language, usual in packages.items():
        resources[language] = {"lang_name": language, "packages": {"default": usual}}
        for task, package in {**usual, **usual.get("optional", {})}.items():
            if task != "optional" and package != "identity":
                path = folder / language / task / f"{package}.pt"
                path.parent.mkdir(parents=True)
                path.write_text(f"{language} {task}")
    (folder / "resources.json").write_text(json.dumps(resources))


class FakePipeline:
    """Cuts sentences at full stops that stand alone; *du* is two words; every word hangs on the one before it."""

    def __init__(
        self,
        *,
        dir: str,
        processors: str,
        download_method: None,
        logging_level: str,
        tokenize_pretokenized: bool,
    ) -> None:
        assert Path(dir).is_dir()
        assert download_method is None
        assert logging_level == "ERROR"
        self._constituents = "constituency" in processors.split(",")
        self._keep = tokenize_pretokenized

    def bulk_process(self, texts: list[str]) -> list[Any]:
        if any("bad" in text.split() for text in texts):
            raise RuntimeError("bad word\nand more")
        return [SimpleNamespace(sentences=self._sentences(text)) for text in texts]

    def _sentences(self, text: str) -> list[Any]:
        if self._keep:
            return [self._sentence(text.split())]
        return [self._sentence([*part.split(), "."]) for part in text.split(" .") if part.strip()]

    def _sentence(self, words: list[str]) -> Any:
        tokens, count = [], 0
        for place, word in enumerate(words):
            inside = []
            for part in ("de", "le") if word == "du" and not self._keep else (word,):
                inside.append(
                    SimpleNamespace(
                        id=count + 1,
                        text=part,
                        lemma=None,
                        upos="X",
                        xpos=None,
                        feats=None,
                        head=count,
                        deprel="dep" if count else "root",
                    )
                )
                count += 1
            last = place == len(words) - 2 and not self._keep
            tokens.append(SimpleNamespace(text=word, words=inside, spaces_after="" if last else " "))
        brackets = f"(ROOT {' '.join(f'(X {token.text})' for token in tokens)})"
        return SimpleNamespace(tokens=tokens, constituency=brackets if self._constituents else None)

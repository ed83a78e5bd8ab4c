"""Parsers for tests: one that needs no model, and where the real ones are."""

from __future__ import annotations

import functools
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from material.optional import needs_packages
from material.shared import SHARED
from understudy.syntax.parsing import Parse

FRENCH = "fr_core_news_sm"
ENGLISH = ("spacy", "understudy_english")  # what the English parser is made of
needs_english = needs_packages(*ENGLISH)
SHARED_MODEL = SHARED / "models" / "en_ewt_spacy.tar.gz"


@dataclass
class FlatParser:
    """Every word hangs on the first; remembers what it was asked."""

    name: str = "flat"
    signature: str = "flat-1"
    schemes: Mapping[str, str] = field(
        default_factory=lambda: {"constituents": "flat", "dependencies": "flat"}
    )
    asked: list[list[str]] = field(default_factory=list)

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Callable[[int], None] | None = None
    ) -> list[Parse]:
        assert threads >= 1
        self.asked.append(list(texts))
        parses = []
        for text in texts:
            words = text.split()
            leaves = [word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]
            rows = [
                f"{number}\t{word}\t_\tX\tX\t_\t{0 if number == 1 else 1}\t{'root' if number == 1 else 'dep'}\t_\t_\n"
                for number, word in enumerate(words, 1)
            ]
            parses.append(Parse(f"(S {' '.join(f'(X {leaf})' for leaf in leaves)})", "".join(rows)))
            if progress is not None:
                progress(1)
        return parses


def opens(parser: FlatParser) -> Callable[[str, bool], FlatParser]:
    """How `understudy.syntax.parsing` opens a parser by its name: here, this one."""
    return lambda _language, _keep_words: parser


@functools.cache
def shared_english_model() -> Path | None:
    """The English model of ../shared/models, unpacked; None where it is absent."""
    if not SHARED_MODEL.is_file():
        return None
    home = Path(tempfile.mkdtemp(prefix="understudy-en-ewt-"))
    with tarfile.open(SHARED_MODEL) as archive:
        archive.extractall(home, filter="data")
    return home / "en_ewt"

"""METEOR's data: function words, abbreviations, synonyms and paraphrases, read from its jar or its folder.

They are not part of this package. The package pycocoevalcap contains the jar and the English paraphrases.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.util
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from understudy import _core
from understudy.errors import BadInput, MissingFile

_WHERE = "Get METEOR 1.5 and set data=JAR-OR-FOLDER, or run pip install pycocoevalcap"

_PIECE = 1 << 20  # bytes of an unpacked file at a time


@dataclass(frozen=True)
class MeteorData:
    """The location of METEOR's files: a jar or a folder with its content, and the folder of paraphrases next to it."""

    home: Path

    def read(self, name: str) -> bytes:
        """The file of that name in the jar, such as `function/english.words`."""
        self.require([name])
        if self.home.is_dir():
            return (self.home / name).read_bytes()
        try:
            with zipfile.ZipFile(self.home) as jar:
                return jar.read(name)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BadInput(f"'{self.home}' is damaged: its {name} cannot be unpacked ({error}).") from None

    def require(self, names: Sequence[str]) -> None:
        """Raise an error unless files of these names exist."""
        for name in names:
            known = name in _names_in_jar(self.home) if self.home.is_file() else (self.home / name).is_file()
            if not known:
                raise MissingFile(f"METEOR's data in '{self.home}' do not contain {name}. {_WHERE}.")

    def lines(self, name: str) -> list[str]:
        """The lines of a file."""
        return self.read(name).decode("utf-8").splitlines()

    def prefixes(self, language: str) -> tuple[list[str], list[str]]:
        """Abbreviations that keep their full stop: always, or before a number."""
        found: tuple[list[str], list[str]] = ([], [])
        for line in self.lines(f"nonbreaking/{language}.prefixes"):
            word, *note = line.split() or ["#"]
            if not word.startswith("#"):
                found[note[:1] == ["#NUMERIC_ONLY#"]].append(word)
        return found

    def paraphrase_file(self, language: str) -> Path:
        """The compressed table of paraphrases of a language, by its code."""
        folder = self.home if self.home.is_dir() else self.home.parent
        for path in (folder / "data" / f"paraphrase-{language}.gz", folder / f"paraphrase-{language}.gz"):
            if path.is_file():
                return path
        raise MissingFile(
            f"METEOR's data in '{self.home}' do not contain paraphrase-{language}.gz; pycocoevalcap has English "
            "only. Get METEOR 1.5 and set data=JAR-OR-FOLDER, or set stages=exact+stem."
        )


def meteor_data(path: str) -> MeteorData:
    """The data at that path; without a path, those of an installed pycocoevalcap."""
    if path:
        given = Path(path).expanduser()
        found = _data_at(given)
        if found is None:
            raise MissingFile(f"no METEOR data in '{given}': expected meteor-1.5.jar, or a folder with it.")
        return found
    found = _installed()
    if found is None:
        raise MissingFile(
            f"METEOR's data are not installed. {_WHERE}. Without them, only meteor:no-data is available, which is "
            "not METEOR 1.5."
        )
    return found


@functools.lru_cache(maxsize=8)
def _names_in_jar(path: Path) -> frozenset[str]:
    try:
        with zipfile.ZipFile(path) as jar:
            return frozenset(jar.namelist())
    except (OSError, zipfile.BadZipFile) as error:
        raise BadInput(f"'{path}' cannot be read as METEOR's jar: {error}.") from None


@functools.cache
def _installed() -> MeteorData | None:
    spec = importlib.util.find_spec("pycocoevalcap")  # locates it without importing it
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if found := _data_at(Path(folder) / "meteor"):
            return found
    return None


def _data_at(path: Path) -> MeteorData | None:
    if path.is_dir() and not (path / "function").is_dir():
        jars = sorted(path.glob("meteor-*.jar"))
        return MeteorData(jars[0]) if jars else None
    return MeteorData(path) if path.exists() else None


@functools.lru_cache(maxsize=2)
def synonyms(data: MeteorData, language: str) -> _core.SynonymTable:
    """METEOR's table of synonyms."""
    return _core.SynonymTable(
        data.read(f"synonym/{language}.exceptions"), data.read(f"synonym/{language}.synsets")
    )


@functools.lru_cache(maxsize=2)  # large: English needs about 200 MB and takes seconds to read
def paraphrases(path: Path) -> _core.ParaphraseTable:
    """A table of paraphrases."""
    table = _core.ParaphraseTable()
    try:
        if not path.stat().st_size:  # no gzip members at all
            raise EOFError
        with gzip.open(path) as file:  # one gzip member or several
            while piece := file.read(_PIECE):
                table.add(piece)
    except EOFError:
        raise BadInput(
            f"'{path}' is truncated: the gzip data end early. Copy or download it again."
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(f"'{path}' cannot be decompressed: {error}.") from None
    table.finish()
    return table


@functools.lru_cache(maxsize=32)
def digest(data: MeteorData, names: Sequence[str], files: Sequence[Path]) -> str:
    """A digest of the data: of the named parts of the jar and of the files next to it."""
    found = hashlib.sha256()
    for content in (*map(data.read, names), *(path.read_bytes() for path in files)):
        found.update(hashlib.sha256(content).digest())
    return found.hexdigest()[:12]


def text_digest(lines: Sequence[str]) -> str:
    """The same for lines of text."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]

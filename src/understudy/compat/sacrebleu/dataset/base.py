"""The base of sacreBLEU's test sets: the table and the files are understudy's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from understudy.compat.sacrebleu.places import SACREBLEU_DIR
from understudy.corpus.test_sets.catalog import CatalogEntry, PairFiles
from understudy.corpus.test_sets.layouts import known_fields
from understudy.corpus.test_sets.stored_sets import Download, StoredSet

if TYPE_CHECKING:
    from understudy.downloads import RemoteFile


class Dataset:
    """A test set. Only `maybe_download` and `fetch` use the network."""

    _LAYOUT: ClassVar[str] = "text"
    fields_are_in_files: ClassVar[bool] = False  # so that their names are known once they are on this machine

    def __init__(  # noqa: PLR0917 (sacreBLEU's)
        self,
        name: str,
        data: Sequence[str] | None = None,
        description: str | None = None,
        citation: str | None = None,
        md5: Sequence[str] | None = None,
        langpairs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = name
        self.data = data
        self.description = description
        self.citation = citation
        self.md5 = md5
        self.langpairs = langpairs or {}
        self.kwargs = kwargs
        self._outdir = os.path.join(SACREBLEU_DIR, name)
        self._rawdir = os.path.join(self._outdir, "raw")

    @cached_property
    def _entry(self) -> CatalogEntry:
        return CatalogEntry(
            self.name,
            self._LAYOUT,
            self.description or "",
            self.citation or "",
            tuple(zip(self.data or (), self.md5 or [""] * len(self.data or ()), strict=True)),
            {pair: self._files(given) for pair, given in self.langpairs.items()},
        )

    def _files(self, given: Any) -> PairFiles:
        return PairFiles(tuple(given), ())

    def _stored(self, langpair: str) -> StoredSet:
        return StoredSet(self._entry, langpair, Path(SACREBLEU_DIR))

    def maybe_download(self) -> None:
        """Download and extract the archives, unless they are there."""
        for pair in self.langpairs:
            self.fetch(pair)

    def fetch(self, langpair: str, bring: Download | None = None) -> None:
        """Download a language pair, unless it is there. `bring` is the function that downloads a file; by default,
        the proxies of the environment are used.
        """
        self._stored(langpair).get(_bring if bring is None else bring)

    def process_to_text(self, langpair: str | None = None) -> None:
        """Write the files of the fields of a language pair, or of all, from the extracted archives."""
        for pair in self.langpairs if langpair is None else [langpair]:
            self._stored(pair).process()

    def fieldnames(self, langpair: str) -> list[str]:
        """The names of the fields, the source first."""
        return known_fields(self._entry, self._stored(langpair).pair)

    def get_files(self, langpair: str) -> list[str]:
        """The files of the fields, in the order of `fieldnames`."""
        stored = self._stored(langpair)
        stored.process()
        return [str(stored.path(field)) for field in self.fieldnames(langpair)]

    def get_source_file(self, langpair: str) -> str:
        """The file of the source."""
        return self.get_files(langpair)[0]

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that belong to the set."""
        stored = self._stored(langpair)
        return [str(stored.path(field)) for field in stored.references()]

    def labels(self, langpair: str, field: str) -> list[str]:
        """A field, line by line; empty if the set does not have it."""
        stored = self._stored(langpair)
        return _lines(stored, field) if field in stored.fields() else []

    def source(self, langpair: str) -> Iterator[str]:
        """The lines of the source, without whitespace at their ends."""
        return (line.strip() for line in _lines(self._stored(langpair), "src"))

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """For each segment, the lines of its references, with their ends."""
        stored = self._stored(langpair)
        return _rows(stored, stored.references())

    def __iter__(self, langpair: str) -> Iterator[tuple[str, ...]]:  # noqa: PLE0302 (sacreBLEU's)
        """For each segment, the lines of all fields, with their ends."""
        return _rows(self._stored(langpair), self.fieldnames(langpair))


def _bring(remote: RemoteFile, target: Path) -> None:
    from urllib.request import getproxies

    from understudy.downloads import download

    download(remote, target, proxies=getproxies())


def _rows(stored: StoredSet, fields: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*([f"{line}\n" for line in _lines(stored, field)] for field in fields), strict=True)


def _lines(stored: StoredSet, field: str) -> list[str]:
    """As they are stored. understudy's own readers drop a byte order mark and carriage returns."""
    stored.process()
    with open(stored.path(field), encoding="utf-8", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]

"""Test sets on this machine, in the layout of sacreBLEU's folder, so that both programs share them.

FOLDER/SET/raw has the publisher's archives and what is in them, FOLDER/SET/SET.PAIR.FIELD the lines of each field. The
name of an archive appears once everything in it is extracted: to sacreBLEU it means that nothing is left to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from understudy._core import Column
from understudy.corpus.files import made_folder, written_whole
from understudy.corpus.lines import LineSource
from understudy.corpus.test_sets.archives import extract, is_archive
from understudy.corpus.test_sets.catalog import CatalogEntry, catalog, entry_of
from understudy.corpus.test_sets.layouts import Fields, fields_of, known_fields
from understudy.corpus.test_sets.places import data_places
from understudy.corpus.test_sets.wmt_xml import reference_field
from understudy.errors import BadInput, BadParameter, MissingFile, UnderstudyError, did_you_mean

if TYPE_CHECKING:
    from understudy.downloads import RemoteFile

Download = Callable[["RemoteFile", Path], object]
"""Brings a file to a path: `understudy.downloads.download`, with or without progress."""


@dataclass(frozen=True)
class StoredSet:
    """A language pair of a test set, and its files on this machine."""

    entry: CatalogEntry
    pair: str
    home: Path  # the folder of all sets

    def __post_init__(self) -> None:
        self.entry.files_of(self.pair)  # raises an error for an unknown pair

    def __str__(self) -> str:
        return f"test set '{self.entry.name}' {self.pair}"

    @property
    def folder(self) -> Path:
        return self.home / self.entry.name

    @property
    def raw(self) -> Path:
        return self.folder / "raw"

    def path(self, field: str) -> Path:
        """The file of a field. A colon is not possible in file names of all systems."""
        return self.folder / f"{self._prefix}{field.replace(':', '-')}"

    @property
    def is_here(self) -> bool:
        """Whether it can be read without a download."""
        return self._is_processed or self._is_extracted

    def fields(self) -> list[str]:
        """The names of all fields, with the source first."""
        self.process()
        known = known_fields(self.entry, self.pair)
        if self.entry.layout != "wmt-xml":
            return known
        names = sorted(path.name.removeprefix(self._prefix) for path in self.folder.glob(f"{self._prefix}*"))
        names = [f"ref:{name[4:]}" if name.startswith("ref-") else name for name in names]
        references = [name for name in names if _is_reference(name)]
        others = [name for name in names if name not in (*known, *references, "domain")]
        domain = ["domain"] if "domain" in names else []
        return [known[0], *references, *known[1:], *domain, *others]

    def references(self) -> list[str]:
        """The fields of the references that belong to the set."""
        found = [name for name in self.fields() if _is_reference(name)]
        if self.entry.layout != "wmt-xml":
            return found
        chosen = [reference_field(each) for each in self.entry.files_of(self.pair).translators]
        return [name for name in chosen if name in found]

    def systems(self) -> list[str]:
        """The systems whose outputs the set has."""
        if self.entry.layout != "wmt-xml":
            return []
        other = {*known_fields(self.entry, self.pair), "domain"}
        return [name for name in self.fields() if not _is_reference(name) and name not in other]

    def column(self, field: str) -> Column:
        """The lines of a field."""
        fields = self.fields()
        if field not in fields:
            raise BadParameter(f"{self}: unknown field '{field}'. {did_you_mean(field, fields)}")
        source = LineSource(str(self.path(field)))
        try:
            return source.take(2**62)
        finally:
            source.close()

    def process(self, *, again: bool = False) -> None:
        """Write the files of the fields, unless they are there. `again`: also if they are, and remove all others."""
        if self._is_processed and not again:
            return
        if not self._is_extracted:
            missing = f"{self} is not on this machine: no '{self.path('src')}'."
            command = f"`understudy data get {self.entry.name} {self.pair}`"
            raise MissingFile(
                f"{missing} Get it with {command}.", f"{missing} Get it with {command}, or add --download."
            )
        fields = fields_of(self.entry, self.pair, self.raw)
        self._check(fields)
        for field, lines in reversed(fields.items()):  # the source last
            with written_whole(self.path(field)) as file:
                file.write("".join(f"{line}\n" for line in lines).encode())
        if again:
            for path in {*self.folder.glob(f"{self._prefix}*")} - {*map(self.path, fields)}:
                path.unlink(missing_ok=True)  # of the damaged copy

    def get(self, bring: Download, *, again: bool = False) -> None:
        """Download what is missing, with `bring`. `again`: replace what is there, because it is damaged. An archive
        with the right checksum is extracted again, any other downloaded; until then, everything stays.
        """
        if self.is_here and not again:
            self.process()
            return
        made_folder(self.raw)
        for remote in self.entry.files:
            self._get_file(remote, bring, again=again)
        missing = next((path for path in self._raw_files() if not path.is_file()), None)
        if missing is not None:
            raise BadInput(
                f"{self}: no '{missing.relative_to(self.raw)}' in what was downloaded from "
                f"{', '.join(url for url, _ in self.entry.addresses)}."
            )
        self.process(again=again)

    def _get_file(self, remote: RemoteFile, bring: Download, *, again: bool) -> None:
        """Download a file and extract it. It gets its name last. sacreBLEU waits for the same lock."""
        from understudy.downloads import INCOMING
        from understudy.file_lock import locked

        archive = self._archive(remote)
        with locked(archive.with_name(f"{archive.name}.lock")):
            if archive.is_file() and remote.matches(archive):
                if is_archive(archive.name) and (again or not self._is_extracted):
                    extract(archive, archive.name, self.raw)
                return
            incoming = archive.with_name(f"{archive.name}{INCOMING}")
            if (same := self._same_file(remote)) is not None:
                _copy(same, incoming)
            else:
                bring(remote, incoming)
            if is_archive(archive.name):
                extract(incoming, archive.name, self.raw)
            os.replace(incoming, archive)

    def _same_file(self, remote: RemoteFile) -> Path | None:
        """The same file of another set, such as wmt21 of wmt21/B."""
        if not remote.checksum:
            return None
        others = (StoredSet(each, next(iter(each.pairs)), self.home) for each in catalog().values())
        found = (each._archive(remote) for each in others if remote in each.entry.files)
        return next((path for path in found if path.is_file() and remote.matches(path)), None)

    def _archive(self, remote: RemoteFile) -> Path:
        return self.raw / f"{self._name}.{remote.url.rpartition('/')[2]}"

    def _raw_files(self) -> list[Path]:
        files = self.entry.files_of(self.pair).files
        if self.entry.layout == "tsv":
            files = tuple(file.rpartition(":")[2] for file in files)
        return [self.raw / file for file in files]

    def _check(self, fields: Fields) -> None:
        """Every field that is read has a line per segment. A system may lack documents."""
        count = len(fields["src"])
        if not count:
            raise BadInput(f"{self} has no segments in '{self.raw}'. {self.how_to_repair}")
        for name in fields:
            if self.path(name).parent != self.folder:  # a system of an XML file can have any name
                raise BadInput(f"{self}: the name '{name}' in '{self.raw}' is a path. Do not use this file.")
        for name in (*known_fields(self.entry, self.pair), *filter(_is_reference, fields)):
            if len(fields[name]) != count:
                raise BadInput(
                    f"{self}: {len(fields[name]):,} lines in the field '{name}', {count:,} in 'src'. Is "
                    f"'{self.raw}' damaged? {self.how_to_repair}"
                )

    @property
    def how_to_repair(self) -> str:
        return f"Get it again with `understudy data get {self.entry.name} {self.pair} --again`."

    @property
    def _is_processed(self) -> bool:
        needed = known_fields(self.entry, self.pair)
        if self.entry.layout == "wmt-xml":
            translators = self.entry.files_of(self.pair).translators
            if not any(self.path(reference_field(each)).is_file() for each in translators):
                return False
        return all(self.path(field).is_file() for field in needed)

    @property
    def _is_extracted(self) -> bool:
        return all(path.is_file() for path in self._raw_files())

    @property
    def _name(self) -> str:
        return self.entry.name.replace("/", "_")

    @property
    def _prefix(self) -> str:
        return f"{self._name}.{self.pair}."


def stored_set(name: str, pair: str, folder: str | os.PathLike[str] | None = None) -> StoredSet:
    """The test set in a folder, by default sacreBLEU's, whether it is there or not."""
    return StoredSet(entry_of(name), pair, data_places().sets if folder is None else Path(folder))


def pairs_here(entry: CatalogEntry) -> Sequence[str]:
    """The language pairs of a set that can be read without a download."""
    home = data_places().sets
    return [pair for pair in entry.pairs if StoredSet(entry, pair, home).is_here]


def _is_reference(field: str) -> bool:
    return field == "ref" or field.startswith("ref:")


def _copy(path: Path, target: Path) -> None:
    import shutil

    target.unlink(missing_ok=True)
    with suppress(OSError):
        os.link(path, target)
        return
    try:
        shutil.copyfile(path, target)
    except OSError as error:
        raise UnderstudyError(f"'{target}' cannot be written: {error.strerror}.") from None

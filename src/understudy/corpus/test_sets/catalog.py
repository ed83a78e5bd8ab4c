"""The table of test sets: names, language pairs, addresses, checksums, layouts and citations.

The table itself is `catalog.json`, beside this file. Its facts are those of sacreBLEU 2.6.0.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy.corpus.test_sets.names import JUDGED
from understudy.errors import BadParameter, did_you_mean
from understudy.settings import check_name

if TYPE_CHECKING:
    from understudy.downloads import RemoteFile


class PairFiles(NamedTuple):
    """The files of a language pair, inside the archives of its set."""

    files: tuple[
        str, ...
    ]  # source and references; in a table, COLUMN:FILE; in WMT's XML, one file has everything
    translators: tuple[str, ...]  # of the references in WMT's XML that belong to the set


@dataclass(frozen=True)
class CatalogEntry:
    """A test set of the table."""

    name: str
    layout: str  # one of LAYOUTS in `layouts`
    description: str
    citation: str  # BibTeX; empty if none is known
    addresses: tuple[tuple[str, str], ...]  # with MD5 digests; empty if none is known
    pairs: Mapping[str, PairFiles]

    @property
    def files(self) -> list[RemoteFile]:
        """What has to be downloaded for it."""
        from understudy.downloads import (
            RemoteFile,
        )  # urllib takes a while to load, for those who download only

        return [RemoteFile(url, f"md5:{digest}" if digest else "") for url, digest in self.addresses]

    def files_of(self, pair: str) -> PairFiles:
        """The files of a language pair."""
        check_name("language pair", pair)
        if pair not in self.pairs:
            raise BadParameter(
                f"test set '{self.name}': unknown language pair '{pair}'. {did_you_mean(pair, self.pairs)}"
            )
        return self.pairs[pair]


def catalog() -> Mapping[str, CatalogEntry]:
    """All test sets by name, the newest first."""
    sets = table()["sets"]
    return {name: _entry(name, facts, sets) for name, facts in sets.items()}


def entry_of(name: str) -> CatalogEntry:
    """The test set of that name."""
    check_name("test set", name)
    if name not in catalog():
        close = did_you_mean(name, catalog())
        hint = close if close.startswith("Did") else "See `understudy data list`."
        if name in folder_formats():
            hint = f"Use {name}:FOLDER, with the folder of its files."
        elif name == JUDGED.removesuffix(":"):
            hint = f"Use {JUDGED}NAME, e.g. {JUDGED}wmt23."
        raise BadParameter(f"unknown test set '{name}'. {hint}")
    return catalog()[name]


def document_tags(name: str) -> Mapping[str, str]:
    """COUNTRY-DOMAIN by document, of the sets that have such tags.

    >>> document_tags("wmt19")["bbc.381790"], len(document_tags("wmt17"))
    ('GB-politics', 0)
    """
    return dict(tag.split("=") for tag in table()["document_tags"].get(name, "").split())


class JudgedArchive(NamedTuple):
    """The archive of test sets with human scores."""

    name: str
    address: str
    description: str


def judged_archive() -> JudgedArchive:
    """That of mt-metrics-eval. It changes with every metrics task, so it has no checksum."""
    facts = table()["judged"]
    return JudgedArchive(facts["name"], facts["file"], facts["description"])


class FolderFormat(NamedTuple):
    """A test set that is not downloaded, but read from a folder."""

    description: str
    citation: str


def folder_formats() -> Mapping[str, FolderFormat]:
    """By prefix: `flores200:FOLDER` and `ntrex:FOLDER`."""
    return {name: FolderFormat(**facts) for name, facts in table()["folders"].items()}


@functools.cache
def table() -> dict[str, Any]:
    """The content of catalog.json."""
    read: dict[str, Any] = json.loads(
        (resources.files(__package__) / "catalog.json").read_text(encoding="utf-8")
    )
    return read


def _entry(name: str, facts: Mapping[str, Any], sets: Mapping[str, Any]) -> CatalogEntry:
    usual = facts.get("references", ())
    return CatalogEntry(
        name,
        facts["layout"],
        facts["description"],
        # A variant such as wmt21/B is cited as its set.
        facts.get("citation") or sets.get(name.partition("/")[0], {}).get("citation", ""),
        tuple((url, digest) for url, digest in facts["files"]),
        {
            pair: _pair_files(given, pair, usual)
            for pairs, given in facts["pairs"].items()
            for pair in pairs.split()
        },
    )


def _pair_files(given: Any, pair: str, usual: list[str]) -> PairFiles:
    """The files, or files and references, of pairs that differ only in {source} and {target}."""
    source, _, target = pair.partition("-")
    files, references = (given["files"], given["references"]) if isinstance(given, dict) else (given, usual)
    return PairFiles(
        tuple(file.replace("{source}", source).replace("{target}", target) for file in files),
        tuple(references),
    )

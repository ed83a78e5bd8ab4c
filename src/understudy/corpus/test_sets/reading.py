"""The function `test_set`: a test set by its name, of any of four kinds.

`wmt23` is a set of the table, `mtme:wmt23` one with human scores, `flores200:FOLDER` and `ntrex:FOLDER` are folders of
FLORES-200 and NTREX-128. Several with commas are joined.
"""

# ruff: noqa: PT028 (`test_set` is not a test)
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from understudy._core import Column
from understudy.corpus.test_sets.catalog import document_tags
from understudy.corpus.test_sets.judged import judged_set
from understudy.corpus.test_sets.layouts import has_attributes
from understudy.corpus.test_sets.local_folders import flores_set, ntrex_set
from understudy.corpus.test_sets.names import JUDGED
from understudy.corpus.test_sets.stored_sets import Download, StoredSet, stored_set
from understudy.corpus.test_sets.test_set import NamedSet, TestSet
from understudy.errors import BadInput, BadParameter
from understudy.settings import check_name

_FOLDERS = {"flores200:": flores_set, "ntrex:": ntrex_set}


def test_set(
    name: str,
    pair: str,
    *,
    origlang: str | None = None,
    subset: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    download: bool | Download = False,
) -> TestSet:
    """The test set of a name and a language pair, such as `test_set("wmt23", "en-de")`.

    It is read from `folder`, by default sacreBLEU's, `~/.sacrebleu`. Several names with commas are joined. `origlang`
    and `subset` select segments, see `TestSet.select`. With `download`, a missing set is downloaded; it can also be the
    function that downloads a file. Sets with human scores, `mtme:NAME`, are where `understudy data get` stores them.
    """
    check_name("test set", name)
    check_name("language pair", pair)
    bring = _bringing(download)
    parts = [_one_set(each.strip(), pair, folder, bring) for each in name.split(",")]
    found = parts[0] if len(parts) == 1 else _joined(parts)
    return found if origlang is subset is None else found.select(origlang=origlang, subset=subset)


test_set.__test__ = False  # type: ignore[attr-defined]  # pytest takes a function of this name for a test


def _bringing(download: bool | Download) -> Download | None:
    if callable(download):
        return download
    if not download:
        return None
    from understudy.downloads import download as from_network

    return from_network


def _one_set(name: str, pair: str, folder: str | os.PathLike[str] | None, bring: Download | None) -> TestSet:
    if name.startswith(JUDGED):
        return judged_set(name, pair, bring)
    for prefix, reader in _FOLDERS.items():
        if name.startswith(prefix):
            return reader(name, name.removeprefix(prefix), pair)
    stored = stored_set(name, pair, folder)
    if bring is not None:
        stored.get(bring)
    return _read(stored)


def _read(stored: StoredSet) -> TestSet:
    entry, pair = stored.entry, stored.pair
    sources = stored.column("src")
    fields = {name: stored.column(name) for name in stored.references()}
    if not fields:
        raise BadInput(f"{stored} has no reference. {stored.how_to_repair}")
    with_documents = entry.layout == "wmt-xml" or has_attributes(entry)
    labels = {
        name: stored.column(name)
        for name in ("docid", "origlang", "genre", "domain")
        if with_documents and name in stored.fields()
    }
    for name, column in (fields | labels).items():
        if len(column) != len(sources):
            raise BadInput(
                f"{stored}: {len(column):,} lines in '{stored.path(name)}', {len(sources):,} in "
                f"'{stored.path('src')}'. {stored.how_to_repair}"
            )
    by_document = document_tags(entry.name)
    documents = _labels(labels.get("docid"))
    return TestSet(
        NamedSet(entry.name, pair, citation=entry.citation),
        sources,
        _without_gaps({name.removeprefix("ref:"): column for name, column in fields.items()}),
        documents,
        _labels(labels.get("domain") or labels.get("genre")),
        _labels(labels.get("origlang")),
        tuple(by_document.get(each, "") for each in documents) if by_document and documents else None,
        target_language=pair.rpartition("-")[2],
        whole=len(sources),
        output_files=partial(_output_files, stored),
    )


def _output_files(stored: StoredSet) -> Mapping[str, str]:
    return {name: str(stored.path(name)) for name in stored.systems()}


def _labels(column: Column | None) -> tuple[str, ...] | None:
    """The labels of all segments; None if there are none in the files."""
    if column is None:
        return None
    labels = tuple(column[row] or "" for row in range(len(column)))
    return labels if any(labels) else None


def _without_gaps(references: Mapping[str, Column]) -> Mapping[str, Column]:
    """An empty line of one of several references means that this translator did not translate the segment."""
    if len(references) == 1:
        return references
    texts = {name: [column[row] for row in range(len(column))] for name, column in references.items()}
    some = [any(row) for row in zip(*texts.values(), strict=True)]
    return {
        name: Column.from_strings(
            [text if text or not others else None for text, others in zip(lines, some, strict=True)]
        )
        for name, lines in texts.items()
    }


def _joined(parts: Sequence[TestSet]) -> TestSet:
    """One set after the other. As many references as all of them have; documents are named after their sets."""
    first = parts[0]
    counts = {len(part.references) for part in parts}
    if len(counts) > 1:
        listed = ", ".join(f"{part.name} {len(part.references)}" for part in parts)
        raise BadParameter(f"test sets with different numbers of references cannot be joined: {listed}.")
    by_number = zip(*(part.references.values() for part in parts), strict=True)
    return TestSet(
        replace(
            first.called,
            name=",".join(part.name for part in parts),
            citation="\n".join(dict.fromkeys(part.citation for part in parts if part.citation)),
        ),
        _all([part.sources for part in parts]),
        {name: _all(columns) for name, columns in zip(first.references, by_number, strict=True)},
        _labels_of_all(
            [
                None if part.documents is None else [f"{part.name}:{each}" for each in part.documents]
                for part in parts
            ]
        ),
        _labels_of_all([part.domains for part in parts]),
        _labels_of_all([part.origlangs for part in parts]),
        _labels_of_all([part.domains if part.tags is None else part.tags for part in parts]),
        target_language=first.target_language,
        whole=sum(part.whole for part in parts),
    )


def _all(columns: Sequence[Column]) -> Column:
    return Column.from_strings([column[row] for column in columns for row in range(len(column))])


def _labels_of_all(labels: Sequence[Sequence[str] | None]) -> tuple[str, ...] | None:
    known = [each for each in labels if each is not None]
    return tuple(label for each in known for label in each) if len(known) == len(labels) else None

r"""The fields of a test set, from the files that its publisher gives: source, references, documents and others.

The rules are those of sacreBLEU 2.6.0, so that both programs store the same bytes: in SGML, a line that begins with
`<seg ` is a segment, whatever surrounds it, and space of all kinds is one space. Only LF ends a line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.corpus.test_sets.catalog import CatalogEntry
from understudy.corpus.test_sets.wmt_xml import cleaned, fields_of_xml
from understudy.errors import BadInput

Fields = dict[str, list[str]]  # the lines of every field, by its name

_OF_DOCUMENTS = ("docid", "genre", "origlang")  # attributes of <doc>, which are fields
_MARKUP = (".sgm", ".xml")
_SEGMENT = re.compile(r"<seg.*?>(.*)</seg>.*?")
_WITHOUT_DOCUMENTS = "wmt08"  # the only year whose files have no attributes


def fields_of(entry: CatalogEntry, pair: str, folder: Path) -> Fields:
    """All fields of a language pair, from the extracted files in a folder."""
    files = entry.files_of(pair).files
    if entry.layout == "wmt-xml":
        return fields_of_xml(folder / files[0])
    if entry.layout == "tsv":
        return {name: _cells(folder, file, name) for name, file in _by_field(files).items()}
    texts = {name: _segments(folder / file) for name, file in _by_field(files).items()}
    if entry.layout == "text" or not has_attributes(entry):
        return texts
    return texts | {name: _attribute(folder / files[0], name) for name in _OF_DOCUMENTS}


def known_fields(entry: CatalogEntry, pair: str) -> list[str]:
    """The fields that every stored copy has. In WMT's XML, there can be further references, systems and domains."""
    if entry.layout == "wmt-xml":
        return ["src", "docid", "origlang"]
    found = list(_by_field(entry.files_of(pair).files))
    return found if entry.layout in ("text", "tsv") or not has_attributes(entry) else [*found, *_OF_DOCUMENTS]


def has_attributes(entry: CatalogEntry) -> bool:
    """Whether the SGML of this set says documents, genres and original languages."""
    return entry.layout == "sgml" and not entry.name.startswith(_WITHOUT_DOCUMENTS)


def _by_field(files: tuple[str, ...]) -> dict[str, str]:
    """The source, and the only reference or numbered ones."""
    source, *references = files
    if len(references) == 1:
        return {"src": source, "ref": references[0]}
    return {"src": source} | {f"ref:{number}": file for number, file in enumerate(references)}


def _segments(path: Path) -> list[str]:
    """The segments of SGML; of other files, the lines without space at their ends."""
    if path.suffix not in _MARKUP:
        return [line.rstrip() for line in _lines(path)]
    return [cleaned(_SEGMENT.sub(r"\1", line)) for line in _lines(path) if line.startswith("<seg ")]


def _attribute(path: Path, name: str) -> list[str]:
    """An attribute of the document that each segment is in."""
    found: list[str] = []
    value = ""
    sought = re.compile(f'{name}="(.*?)"')
    for line in _lines(path):
        if line.startswith("<doc "):
            match = sought.search(line)
            value = value if match is None else match[1]
        elif line.startswith("<seg "):
            found.append(value)
    return found


def _cells(folder: Path, given: str, field: str) -> list[str]:
    """A column of a table without header: COLUMN:FILE, or the first two columns."""
    number, colon, file = given.partition(":")
    column = int(number) if colon else int(field != "src")
    found = []
    for row, line in enumerate(_lines(folder / (file if colon else given)), start=1):
        cells = line.split("\t")
        if len(cells) <= column:
            raise BadInput(
                f"'{folder / (file or given)}', line {row}: {len(cells)} columns, expected at least {column + 1}. Get "
                "the test set again."
            )
        found.append(cells[column])
    return found


def _lines(path: Path) -> Iterator[str]:
    """A byte order mark is kept, as in what sacreBLEU stores. Readers of text ignore it."""
    data = read_all(str(path))
    text = "\ufeff" * data.startswith(BOM_UTF8) + decoded(data, str(path))
    lines = text.split("\n")
    yield from lines if lines[-1] else lines[:-1]

"""Files in every format that is read: written, read back, and refused in one line."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from understudy.corpus.segment_sources import Role, SegmentSource, open_sources
from understudy.errors import UnderstudyError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
}
DOC = '<doc docid="d" sysid="X">{}</doc>'  # of one system, in SGML


def rows_of(source: SegmentSource, size: int = 1000) -> list[str | None]:
    rows: list[str | None] = []
    with closing(source):
        while len(column := source.take(size)):
            rows += [column[i] for i in range(len(column))]
    return rows


def read(spec: Any, role: Role = "system", size: int = 1000) -> list[list[str | None]]:
    return [rows_of(source, size) for source in open_sources(spec, role=role)]


def refusal(spec: Any, role: Role = "system") -> str:
    """The message of the error that reading ends with: one line, of the package's own kind."""
    with pytest.raises(UnderstudyError) as caught:
        read(spec, role)
    message = str(caught.value)
    assert "\n" not in message
    return message


def write(name: str, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    for suffix, compress in COMPRESSORS.items():
        if name.endswith(suffix):
            data = compress(data)
    Path(name).write_bytes(data)
    return name


def write_any(name: str, rows: list[str | None]) -> None:
    """The rows as a file of the format its name says, with one system."""
    plain = name
    for suffix in COMPRESSORS:
        plain = plain.removesuffix(suffix)
    if plain.endswith(".txt"):
        write(name, "".join(f"{row}\n" for row in rows))
    elif plain.endswith(".sgm"):
        segs = "\n".join(f"<seg id={i}>{row}</seg>" for i, row in enumerate(rows))
        write(name, sgml("tstset", DOC.format(segs)))
    elif plain.endswith(".xml"):
        segs = "\n".join(f"<seg id='{i}'>{row}</seg>" for i, row in enumerate(rows))
        write(name, f"<dataset><doc id='d'><hyp system='X'>{segs}</hyp></doc></dataset>")
    else:
        write_table(name, {"id": [str(i) for i in range(len(rows))], "hyp": rows})


def write_table(name: str, columns: dict[str, list[Any]]) -> None:
    def records() -> Iterator[tuple[Any, ...]]:
        yield from zip(*columns.values(), strict=True)

    plain = name.lower()
    for suffix in COMPRESSORS:
        plain = plain.removesuffix(suffix)
    if plain.endswith(".tsv"):
        write(name, "".join("\t".join(record) + "\n" for record in [tuple(columns), *records()]))
    elif plain.endswith(".csv"):
        text = io.StringIO(newline="")
        csv.writer(text, quoting=csv.QUOTE_ALL).writerows([tuple(columns), *records()])
        write(name, text.getvalue())
    elif plain.endswith(".jsonl"):
        lines = (
            json.dumps(dict(zip(columns, record, strict=True)), ensure_ascii=False) for record in records()
        )
        write(name, "".join(line + "\n" for line in lines))
    else:
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table(columns), name)


def sgml(kind: str, *docs: str) -> str:
    return f'<{kind} setid="s" srclang="de" trglang="en">\n' + "\n".join(docs) + f"\n</{kind}>\n"

"""The same texts in every input format, for the measurement of memory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from xml.sax.saxutils import escape

_Writer = Callable[[Path, Sequence[Iterator[str]]], tuple[str, str]]
_ROWS = 8192  # of a row group or record batch
_SEGMENTS = 100  # of a document
_TAGS = ("NN", "DT", "IN", "VBD", "JJ", "NNS", "RB")


def write_format(name: str, folder: Path, segments: int, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
    """The arguments for the system and the references: two files, or two columns of one."""
    folder.mkdir(parents=True, exist_ok=True)
    return FORMATS[name](folder / f"{segments}-{name.replace(' ', '-').replace(',', '')}", texts)


def _plain(suffix: str) -> _Writer:
    def write(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
        found = []
        for side, text in zip(("system", "reference"), texts, strict=True):
            target = path.with_name(f"{path.name}-{side}.txt{suffix}")
            with _opener(suffix)(target) as file:
                for line in text:
                    file.write(f"{line}\n".encode())
            found.append(str(target))
        return found[0], found[1]

    return write


def _opener(suffix: str):
    import bz2
    import gzip
    import lzma

    from backports import zstd

    openers = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": zstd.open, "": open}
    return lambda path: openers[suffix](path, "wb")


def _rows(suffix: str, header: str, line: Callable[[str, str], str], between: str, end: str) -> _Writer:
    def write(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
        target = path.with_name(path.name + suffix)
        with target.open("w", encoding="utf-8", newline="\n") as file:
            file.write(header)
            for number, (hypothesis, reference) in enumerate(zip(*texts, strict=True)):
                file.write((between if number else "") + line(hypothesis, reference))
            file.write(end)
        return f"{target}:hyp", f"{target}:ref"

    return write


def _record(hypothesis: str, reference: str) -> str:
    return json.dumps({"hyp": hypothesis, "ref": reference}, ensure_ascii=False)


def _record_of_lists(hypothesis: str, reference: str) -> str:
    return json.dumps({"hyp": hypothesis, "ref": [reference, hypothesis]}, ensure_ascii=False)


def _tsv_cells(*cells: str) -> str:
    return "\t".join(cell.replace("\t", " ").replace('"', "'") for cell in cells)


def _csv_cells(*cells: str) -> str:
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


def _arrow(kind: str) -> _Writer:
    def write(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
        import pyarrow as pa
        from pyarrow import parquet

        schema = pa.schema([("hyp", pa.string()), ("ref", pa.string())])
        suffix = {"parquet": ".parquet", "folder": ".parquets", "arrow": ".arrow"}[kind]
        target = path.with_name(path.name + suffix)
        if kind == "folder":
            target.mkdir(exist_ok=True)
        whole = None
        for number, batch in enumerate(_batches(pa, schema, texts)):
            if kind == "folder":
                parquet.write_table(pa.Table.from_batches([batch]), target / f"part-{number:05}.parquet")
                continue
            if whole is None and kind == "parquet":
                whole = parquet.ParquetWriter(target, schema)
            elif whole is None:
                whole = pa.ipc.new_file(str(target), schema)
            whole.write_batch(batch)
        if whole is not None:
            whole.close()
        return f"{target}:hyp", f"{target}:ref"

    return write


def _compressed_parquet(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
    from backports import zstd

    plain = Path(_arrow("parquet")(path, texts)[0].removesuffix(":hyp"))
    target = plain.with_name(plain.name + ".zst")
    with plain.open("rb") as source, zstd.open(target, "wb") as file:
        shutil.copyfileobj(source, file)
    plain.unlink()
    return f"{target}:hyp", f"{target}:ref"


def _batches(pa, schema, texts: Sequence[Iterator[str]]):
    while True:
        columns = [list(islice(text, _ROWS)) for text in texts]
        if not columns[0]:
            return
        yield pa.record_batch(columns, schema=schema)


def _sgml(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
    found = []
    for tag, text in zip(("tstset", "refset"), texts, strict=True):
        target = path.with_name(f"{path.name}-{tag}.sgm")
        with target.open("w", encoding="utf-8") as file:
            file.write(f'<{tag} setid="s" srclang="zh" trglang="en">\n')
            for number, line in enumerate(text):
                if number % _SEGMENTS == 0:
                    file.write(("</doc>\n" if number else "") + f'<doc docid="d{number}" sysid="{tag}">\n')
                file.write(f'<seg id="{number % _SEGMENTS + 1}">{escape(line)}</seg>\n')
            file.write(f"</doc>\n</{tag}>\n")
        found.append(str(target))
    return found[0], found[1]


def _xml(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
    target = path.with_name(f"{path.name}.xml")
    with target.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<dataset id="s">\n')
        number = 0
        while True:
            sides = [list(islice(text, _SEGMENTS)) for text in texts]
            if not sides[0]:
                break
            file.write(f'<doc id="d{number}">\n')
            number += 1
            for side, opening in zip(reversed(sides), ('ref translator="A"', 'hyp system="mt"'), strict=True):
                tag = opening.split()[0]
                segments = "".join(
                    f'<seg id="{row}">{escape(line)}</seg>\n' for row, line in enumerate(side, 1)
                )
                file.write(f'<{opening} lang="en"><p>\n{segments}</p></{tag}>\n')
            file.write("</doc>\n")
        file.write("</dataset>\n")
    return str(target), str(target)


def _trees(suffix: str, tree: Callable[[str], str]) -> _Writer:
    def write(path: Path, texts: Sequence[Iterator[str]]) -> tuple[str, str]:
        sides = [map(tree, text) for text in texts]
        found = [
            Path(name) for name in _plain(Path(suffix).suffix if suffix.endswith(".zst") else "")(path, sides)
        ]
        named = [file.rename(file.with_name(file.name.partition(".")[0] + suffix)) for file in found]
        return str(named[0]), str(named[1])

    return write


def _phrases(line: str) -> list[list[tuple[str, str]]]:
    """Made-up phrases of three words, with made-up tags: what is measured does not depend on the parse being right."""
    brackets = {"(": "-LRB-", ")": "-RRB-"}
    words = ["".join(brackets.get(character, character) for character in word) for word in line.split()]
    tagged = [(word, _TAGS[len(word) % len(_TAGS)]) for word in words]
    return [tagged[start : start + 3] for start in range(0, len(tagged), 3)]


def _on_one_line(line: str) -> str:
    phrases = [" ".join(f"({tag} {word})" for word, tag in phrase) for phrase in _phrases(line)]
    return f"(S {' '.join(f'(NP {phrase})' for phrase in phrases)})" if phrases else "()"


def _on_several_lines(line: str) -> str:
    return _on_one_line(line).replace(" (NP ", "\n  (NP ")


def _conllu(line: str) -> str:
    rows: list[str] = []
    for phrase in _phrases(line) or [[("_", "X")]]:
        first = len(rows) + 1
        for word, tag in phrase:
            head = (0 if first == 1 else 1) if len(rows) + 1 == first else first
            rows.append(f"{len(rows) + 1}\t{word}\t_\t_\t{tag}\t_\t{head}\tdep\t_\t_\n")
    return "".join(rows)


# The syntax-based metric that is measured on each.
TREES = {
    "brackets, a line per segment": "stm",
    "brackets on several lines": "stm",
    "CoNLL-U": "hwcm",
    "compressed CoNLL-U": "hwcm",
}

FORMATS: dict[str, _Writer] = {
    "plain text": _plain(""),
    "gz": _plain(".gz"),
    "bz2": _plain(".bz2"),
    "xz": _plain(".xz"),
    "zst": _plain(".zst"),
    "TSV": _rows(".tsv", "hyp\tref\n", lambda *cells: _tsv_cells(*cells) + "\n", "", ""),
    "CSV": _rows(".csv", "hyp,ref\n", lambda *cells: _csv_cells(*cells) + "\n", "", ""),
    "JSON lines": _rows(".jsonl", "", lambda *cells: _record(*cells) + "\n", "", ""),
    "JSON lines with lists of references": _rows(
        ".jsonl", "", lambda *c: _record_of_lists(*c) + "\n", "", ""
    ),
    "JSON array": _rows(".json", "[", _record, ",\n", "]\n"),
    "Parquet": _arrow("parquet"),
    "compressed Parquet": _compressed_parquet,
    "folder of Parquet files": _arrow("folder"),
    "Arrow file": _arrow("arrow"),
    "SGML": _sgml,
    "WMT XML": _xml,
    "brackets, a line per segment": _trees(".ptb", _on_one_line),
    "brackets on several lines": _trees(".mrg", _on_several_lines),
    "CoNLL-U": _trees(".conllu", _conllu),
    "compressed CoNLL-U": _trees(".conllu.zst", _conllu),
}

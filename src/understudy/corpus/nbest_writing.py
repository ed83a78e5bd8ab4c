"""N-best lists written to files, with full precision: what is read again has the same values."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from understudy.choices import NBEST_FORMATS
from understudy.corpus.files import COMPRESSION_SUFFIXES, shown, written
from understudy.corpus.nbest_moses import SEPARATOR
from understudy.errors import BadInput
from understudy.settings import check_choice

if TYPE_CHECKING:
    from understudy.corpus.nbest import NBest

_SUFFIXES = {".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
_LINE_BREAK = re.compile(r"[\n]|\r\Z")  # a CR before LF belongs to the line end


def write_nbest(nbest: NBest, path: str, format: str | None) -> None:
    """Write it atomically, in one of NBEST_FORMATS, or that of the suffix."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix in COMPRESSION_SUFFIXES:
        raise BadInput(f"{shown(path)}: n-best lists are written uncompressed. Remove the suffix {suffix}.")
    if suffix == ".csv" and format is None:
        raise BadInput(f"{shown(path)}: n-best lists are not written as CSV. Use the suffix .tsv or .jsonl.")
    chosen = _SUFFIXES.get(suffix, "moses") if format is None else format
    lines = nbest_lines(nbest, chosen)
    with written(path) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


def nbest_lines(nbest: NBest, format: str, first: int = 0) -> Iterator[str]:
    """The lines of a file, for lists whose first segment is at this position."""
    check_choice("format", format, NBEST_FORMATS)
    writer = {
        "moses": _moses_lines,
        "tsv": _tsv_lines,
        "jsonl": _json_lines,
        "jsonl-segments": _json_segment_lines,
        "text": _plain_lines,
    }[format]
    if format not in ("jsonl-segments", "text") and nbest.counts[-1] == 0:
        raise BadInput(
            f"{nbest.origin}: the last segment has no candidates, which {format} cannot express. Use jsonl-segments."
        )
    return writer(nbest, first)


def _moses_lines(nbest: NBest, first: int) -> Iterator[str]:
    for name in nbest.feature_names:
        if not name or re.search(r"\s|[=:]\Z|\|\|\|", name) or "=" in name:
            raise BadInput(
                f"{nbest.origin}: the feature name {name!r} cannot be written in Moses' format. "
                "Write TSV or JSON lines."
            )
    if nbest.weights is not None:
        raise BadInput(f"{nbest.origin}: Moses' format has no weights. Write TSV or JSON lines.")
    starts = _groups(nbest.feature_names)
    for segment, row, text in _candidates(nbest, first):
        if SEPARATOR.search(text):
            raise BadInput(
                f"{nbest.origin}, segment {segment + 1}: the text contains '|||', the separator of Moses' format. "
                "Write TSV or JSON lines."
            )
        line = f"{segment} ||| {text}"
        if nbest.feature_names or nbest.scores is not None or nbest.alignments is not None:
            values = nbest.features[row].tolist()
            line += " ||| " + " ".join(starts.get(k, "") + repr(value) for k, value in enumerate(values))
        if nbest.scores is not None or nbest.alignments is not None:
            line += " ||| " + ("" if nbest.scores is None else repr(float(nbest.scores[row])))
        if nbest.alignments is not None:
            line += f" ||| {nbest.alignments[row]}"
        yield line


def _groups(names: tuple[str, ...]) -> dict[int, str]:
    """What stands before the value at a position: `TM= ` before that of TM_1, which TM_2 follows."""
    starts: dict[int, str] = {}
    position = 0
    for stem, members in groupby(names, key=lambda name: re.sub(r"_\d+\Z", "", name)):
        group = list(members)
        together = len(group) > 1 and group == [f"{stem}_{k}" for k in range(1, len(group) + 1)]
        starts |= (
            {position: f"{stem}= "}
            if together
            else {position + k: f"{name}= " for k, name in enumerate(group)}
        )
        position += len(group)
    return starts


def _tsv_lines(nbest: NBest, first: int) -> Iterator[str]:
    """Cells are quoted as in CSV if a text needs it; a quoted header tells the reader so."""
    taken = ("segment", "text", "score", "weight", "alignment")
    for name in nbest.feature_names:
        if re.search(r'[\t\r\n"]', name) or name.strip().lower() in taken or not name:
            raise BadInput(f"{nbest.origin}: the feature name {name!r} cannot be the name of a TSV column.")
    numbers = {
        name: column
        for name, column in (("score", nbest.scores), ("weight", nbest.weights))
        if column is not None
    }
    alignment = ["alignment"] * (nbest.alignments is not None)
    quoted = any(re.search(r'["\t\n]', text) for _, _, text in _candidates(nbest, first, one_line=False))
    cell = _quoted if quoted else str
    yield "\t".join(map(cell, ["segment", "text", *nbest.feature_names, *numbers, *alignment]))
    for segment, row, text in _candidates(nbest, first, one_line=False):
        if "\r" in text:
            raise _line_break(nbest, segment)
        cells = [str(segment + 1), cell(text), *map(repr, nbest.features[row].tolist())]
        cells += [repr(float(column[row])) for column in numbers.values()]
        yield "\t".join(cells + ([] if nbest.alignments is None else [cell(nbest.alignments[row] or "")]))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _json_lines(nbest: NBest, first: int) -> Iterator[str]:
    for segment, row, text in _candidates(nbest, first, one_line=False):
        yield _json({"segment": segment + 1, **_json_candidate(nbest, row, text)})


def _json_segment_lines(nbest: NBest, first: int) -> Iterator[str]:
    bounds = nbest.offsets.tolist()
    for index in range(len(nbest)):
        rows = range(bounds[index], bounds[index + 1])
        candidates = [_json_candidate(nbest, row, nbest.texts[row] or "") for row in rows]
        yield _json({"segment": first + index + 1, "candidates": candidates})


def _json_candidate(nbest: NBest, row: int, text: str) -> dict[str, object]:
    candidate: dict[str, object] = {"text": text}
    if nbest.feature_names:
        candidate["features"] = dict(zip(nbest.feature_names, nbest.features[row].tolist(), strict=True))
    for name, column in (("score", nbest.scores), ("weight", nbest.weights)):
        if column is not None:
            candidate[name] = float(column[row])
    if nbest.alignments is not None:
        candidate["alignment"] = nbest.alignments[row]
    return candidate


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _plain_lines(nbest: NBest, first: int) -> Iterator[str]:
    if len(set(nbest.counts.tolist())) > 1:
        raise BadInput(
            f"{nbest.origin}: segments have {nbest.counts.min()} to {nbest.counts.max()} candidates, but plain text "
            "needs the same number for each."
        )
    return (text for _, _, text in _candidates(nbest, first))


def _candidates(nbest: NBest, first: int, *, one_line: bool = True) -> Iterator[tuple[int, int, str]]:
    """The position of the segment, the row and the text of every candidate."""
    bounds = nbest.offsets.tolist()
    for index in range(len(nbest)):
        for row in range(bounds[index], bounds[index + 1]):
            text = nbest.texts[row] or ""
            if one_line and _LINE_BREAK.search(text):
                raise _line_break(nbest, first + index)
            yield first + index, row, text


def _line_break(nbest: NBest, segment: int) -> BadInput:
    return BadInput(
        f"{nbest.origin}, segment {segment + 1}: the text contains a line break. Write JSON lines."
    )

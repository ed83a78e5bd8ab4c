"""The references and systems of the command, read as sacreBLEU reads them: lines without whitespace at their ends."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from understudy.cli import say
from understudy.cli.sacrebleu.log import doubt, refuse
from understudy.compat.sacrebleu.utils import sacrelogger
from understudy.errors import BadInput, BadParameter, InvalidText, MissingFile
from understudy.wording import number_of

_STANDARD_INPUT = "standard input"
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Systems:
    """The hypotheses of each system, by the names that sacreBLEU prints."""

    names: list[str]
    lines: list[list[str]]


# --- references ------------------------------------------------------------------------------------------


def read_references(files: Sequence[Sequence[str]], options: Namespace) -> list[list[str]]:
    """The references, each as long as all test sets together. `files` has those of each test set."""
    count = max(len(files[0]), options.num_refs)
    references: list[list[str]] = [[] for _ in range(count)]
    for of_set in files:
        if len(of_set) > count:
            raise BadInput(
                f"test sets '{options.test_set}': one has {number_of(len(of_set), 'reference')}, the first has "
                f"{len(files[0])}. Score them one by one."
            )
        for number, file in enumerate(of_set):
            lines = _file_lines(file, options)
            if options.num_refs == 1:
                references[number] += [line.rstrip() for line in lines]
            else:
                for place, line in enumerate(lines, start=1):
                    fields = _reference_fields(line, place, options.num_refs)
                    for column, field in zip(references, fields, strict=True):
                        column.append(field)
    return references


def _reference_fields(line: str, place: int, count: int) -> list[str]:
    fields = line.rstrip().split("\t", count - 1)
    if len(fields) < count:  # the last of them may be empty, which sacreBLEU takes for missing
        fields = [field.rstrip() for field in line.split("\t", count - 1)]
    if len(fields) != count:
        refuse(f"FATAL: line {place}: expected {count} fields, but found {len(fields)}.", code=17)
    return fields


# --- systems ---------------------------------------------------------------------------------------------


def read_systems(options: Namespace, segments: int) -> Systems:
    """The systems of files, or of the columns of standard input. `segments`: the number of them in the references."""
    paired = options.paired_bs or options.paired_ar
    if options.input is None:
        return _from_standard_input(options, segments, paired=paired)
    systems = Systems([], [])
    for name in options.input:
        if name in systems.names:
            if paired and name == systems.names[0]:
                sacrelogger.info("Ignoring %r as it was also given as the baseline.", name)
                continue
            refuse(
                f"{name!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
        systems.names.append(name)
        systems.lines.append([line.rstrip() for line in _file_lines(name, options)])
    if not systems.names:
        doubt("--input: no file, so there is nothing to score.", strict=options.strict or paired)
    if paired:
        systems.names[0] = f"Baseline: {systems.names[0]}"
    return systems


def _from_standard_input(options: Namespace, segments: int, *, paired: bool) -> Systems:
    lines = _standard_input_lines(options, segments)
    columns = _columns(lines)
    if len(columns) > 1 and len(lines) == 1:
        doubt(
            f"standard input has one line, with {number_of(len(columns) - 1, 'tab')}: it is read as one segment of "
            f"{len(columns)} systems. If it is one hypothesis, replace the tabs with spaces.",
            strict=options.strict,
        )
    first = ["Baseline"] if paired else []
    names = [*first, *(f"System {number + 1}" for number in range(len(columns) - len(first)))]
    return Systems(names, columns)


def _standard_input_lines(options: Namespace, segments: int) -> list[str]:
    """sacreBLEU ends lines of standard input at carriage returns, too, but not those of files. Here they end a line if
    the number of lines is right with them only.
    """
    if sys.stdin is None:
        raise MissingFile("standard input is closed. Give the system with -i FILE.")
    text = _decoded(sys.stdin.buffer.read(), _STANDARD_INPUT, options)
    if not text:
        doubt("standard input is empty: it is scored as one empty segment.", strict=options.strict)
        return [""]
    lines = _split(text)
    if "\r" not in text or len(lines) == segments:
        return lines
    at_returns = _split(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(at_returns) != segments or len(at_returns) == len(lines):
        return lines
    doubt(
        f"standard input: {len(at_returns) - len(lines):,} lines end at a carriage return without a line feed. Files "
        "with them are read differently (-i).",
        strict=options.strict,
    )
    return at_returns


def _columns(lines: Sequence[str]) -> list[list[str]]:
    """The systems of lines with tabs: as many as in the first line."""
    rows = [line.rstrip().split("\t") for line in lines]
    odd = next((place for place, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if odd is not None:
        # Where the last system has an empty hypothesis, the tab before it is whitespace at the end of the line.
        complete = [line.split("\t") for line in lines]
        if len({len(row) for row in complete}) > 1:
            say(
                f"standard input: line {odd + 1} has {number_of(len(rows[odd]), 'field')}, line 1 has "
                f"{len(rows[0])}. Tabs separate systems; replace those inside hypotheses with spaces."
            )
            refuse(
                "FATAL: the number of tab-delimited fields in the input stream differ across lines.", code=17
            )
        rows = complete
    first, *others = rows
    # The fields of the first line keep the spaces at their ends, as in sacreBLEU.
    return [[text, *(row[column].rstrip() for row in others)] for column, text in enumerate(first)]


# --- files -----------------------------------------------------------------------------------------------


def _file_lines(path: str, options: Namespace) -> list[str]:
    """As they are, without the line feeds."""
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            data = file.read()
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MissingFile(f"'{path}' cannot be read: {reason}.") from None
    return _split(_decoded(data, f"'{path}'", options))


def _decoded(data: bytes, place: str, options: Namespace) -> str:
    try:
        # As sacreBLEU's files do: unlike bytes.decode, they refuse UTF-16 and UTF-32 without a byte order mark.
        text = io.TextIOWrapper(io.BytesIO(data), options.encoding, newline="\n").read()
    except LookupError:
        raise BadParameter(
            f"--encoding: unknown encoding '{options.encoding}'. Use a name such as utf-8 or latin-1."
        ) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidText(
            f"{place}: line {line:,} is not valid {options.encoding}. Use --encoding with the encoding of the file."
        ) from None
    except UnicodeError as error:
        raise InvalidText(
            f"{place} is not valid {options.encoding}: {error}. Use --encoding with the encoding of the file."
        ) from None
    if text.startswith(_BYTE_ORDER_MARK):
        doubt(
            f"{place}: the first segment begins with a byte order mark, which sacreBLEU scores as text. Remove it, or "
            "use --encoding utf-8-sig.",
            strict=options.strict,
        )
    return text


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]

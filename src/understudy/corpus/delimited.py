"""TSV and CSV: a header line, then records with the same number of fields.

In CSV, cells may be quoted. TSV files follow one of two conventions. Most are literal: a quotation mark is part of
the text. pandas, R and spreadsheets quote cells as in CSV: `"the ""old"" one"` is the text `the "old" one`. The
convention is inferred from the whole file unless `tsv_quoting` sets it; an ambiguous file raises an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from understudy.corpus.files import ByteReader, shown
from understudy.corpus.lines import BLOCK, LineSource
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.settings import check_name

TSV_QUOTING = ("auto", "csv", "none")
_tsv_quoting: ContextVar[str] = ContextVar("tsv_quoting", default="auto")

# In place of a null character, which csv refuses before Python 3.11; text from UTF-8 never has a lone surrogate.
_NUL = "\ud800"

Kind = Literal["tsv", "csv"]
_NumberedLines = Iterable[tuple[int, str]]
Records = Iterator[tuple[int, list[str]]]  # the number of a record's first line, and its fields


@contextmanager
def tsv_quoting(convention: str) -> Iterator[None]:
    """Context in which TSV files are read by this convention: `csv` (cells may be quoted, as in CSV), `none`
    (quotation marks are text), or `auto` (inferred from the file; an error if ambiguous).

    >>> import understudy
    >>> with understudy.tsv_quoting("none"):
    ...     corpus = understudy.Corpus.read(["examples/system-weak.en"])
    """
    check_name("TSV quoting", convention)
    if convention not in TSV_QUOTING:
        raise BadParameter(f"unknown TSV quoting '{convention}'. {did_you_mean(convention, TSV_QUOTING)}")
    token = _tsv_quoting.set(convention)
    try:
        yield
    finally:
        _tsv_quoting.reset(token)


def records_of(path: str, kind: Kind) -> Callable[[LineSource], Records]:
    """The reader of a file's records. It is chosen now, because another thread may do the reading."""
    quoted = _cells_are_quoted(kind, lambda: _begins_a_cell_with_a_quote(path) and _surveyed_file(path))
    return lambda lines: _records(lines.numbered(), path, kind, quoted=quoted)


def records_in(lines: Sequence[str], path: str, kind: Kind) -> Records:
    """The records of lines in memory."""
    quoted = _cells_are_quoted(kind, lambda: _surveyed(enumerate(lines, start=1), path))
    return _records(enumerate(lines, start=1), path, kind, quoted=quoted)


def _cells_are_quoted(kind: Kind, survey: Callable[[], bool]) -> bool:
    convention = "csv" if kind == "csv" else _tsv_quoting.get()
    return survey() if convention == "auto" else convention == "csv"


def _records(lines: _NumberedLines, path: str, kind: Kind, *, quoted: bool) -> Records:
    if not quoted:
        yield from ((number, line.split("\t")) for number, line in lines)
        return
    import csv

    delimiter = "," if kind == "csv" else "\t"
    without_nul = ((line.replace("\0", _NUL) if "\0" in line else line) + "\n" for _, line in lines)
    reader = csv.reader(without_nul, delimiter=delimiter, strict=True)
    width = None
    while True:
        number = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # After the dash comes advice on calling Python's open().
            reason = str(error).partition(" - ")[0].replace("\t", "\\t")
            what = "CSV" if kind == "csv" else "TSV with quoted cells"
            raise BadInput(f"{shown(path)}, line {number}: not valid {what} ({reason}).") from None
        if any(_NUL in cell for cell in record):
            record = [cell.replace(_NUL, "\0") for cell in record]
        width = width or max(len(record), 1)
        # In a single-column table, an empty line is an empty segment.
        yield number, record or [""] * (width == 1)


# ---------------------------------------------------------------------------------------------------
# Whether the cells of a TSV file are quoted

_FIRST_IN_CELL = rb'[\t\n]"'
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A cell in the CSV convention, up to the tab or the end of the record.
_CELL = r'("[^"]*(?:""[^"]*)*"|[^"\t]*)(?:\t|\Z)'
_DOUBLED = r'"[^"]*(?:""[^"]*)+"'  # a quoted cell with quotation marks inside
_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_LONGEST_CELL = 131072  # characters, as Python's csv takes them


def _surveyed_file(path: str) -> bool:
    with closing(LineSource(path)) as lines:
        return _surveyed(lines.numbered(), path)


def _surveyed(lines: _NumberedLines, path: str) -> bool:
    survey = _Survey()
    for number, line in lines:
        survey.add(number, line)
    return survey.verdict(path)


def _begins_a_cell_with_a_quote(path: str) -> bool:
    """A cheap test that is false for most files."""
    with closing(ByteReader(path)) as file:
        last = b"\n"
        block = file.read(BLOCK).removeprefix(_BYTE_ORDER_MARK)
        while block:
            if re.search(_FIRST_IN_CELL, last + block):
                return True
            last, block = block[-1:], file.read(BLOCK)
    return False


@dataclass(eq=False, repr=False)
class _Survey:
    """Evidence for and against quoted cells, from reading the lines by both conventions.

    Programs quote a cell for a reason: it contains a quotation mark, a tab or a line break (pandas), or a comma
    (spreadsheets); or they quote all text, or a whole column (R, databases). Quotation marks inside a quoted cell are
    doubled, and unquoted cells contain none.
    """

    # As literal text
    width: int = 0
    widths_agree: bool = True
    doubled_at: int = 0  # the first line with a quoted cell that has doubled quotation marks inside

    # As quoted cells, as far as the file can be read that way
    refuted_at: int = 0  # the first line that cannot be read that way
    quoted: bool = False  # whether any cell is quoted
    quoted_width: int = 0
    header_is_quoted: bool = False
    spans_lines: int = 0  # the first line of the first multi-line cell
    tab_at: int = 0  # the first line of the first cell with a tab
    idle: dict[int, int] = field(default_factory=dict)  # by column: the first line with no reason to quote
    idle_without_comma: bool = False
    bare_columns: set[int] = field(default_factory=set)  # columns with unquoted text below the header
    bare_comma: bool = False
    empty_at: int = 0  # the first "" in a single-column table, where an empty segment must be quoted
    _waiting: list[str] = field(default_factory=list)  # lines of an unfinished record
    _waiting_length: int = 0
    _waiting_at: int = 0

    def add(self, number: int, line: str) -> None:
        if (
            not self.doubled_at
            and '""' in line
            and any(map(re.compile(_DOUBLED).fullmatch, line.split("\t")))
        ):
            self.doubled_at = number
        if self.refuted_at:
            return
        width = line.count("\t") + 1
        self.width = self.width or width
        self.widths_agree &= width == self.width
        self._add_to_record(number, line)

    def _add_to_record(self, number: int, line: str) -> None:
        was_open = bool(self._waiting)
        self._waiting.append(line)
        self._waiting_length += len(line)
        start = self._waiting_at = number - len(self._waiting) + 1
        if was_open != line.count('"') % 2:  # a cell is open at the end of the line
            if self._waiting_length > _LONGEST_CELL:
                self.refuted_at = start
            return
        record = "\n".join(self._waiting)
        self._waiting.clear()
        self._waiting_length = 0
        cells = _quoted_cells(record) if '"' in record else record.split("\t")
        is_header = not self.quoted_width
        self.quoted_width = self.quoted_width or len(cells or ())
        if cells is None or len(cells) != self.quoted_width:
            self.refuted_at = start
        elif is_header:
            named = [cell for cell in cells if cell and not re.fullmatch(_NUMBER, cell)]
            self.header_is_quoted = bool(named) and all(cell.startswith('"') for cell in named)
            self._add_cells(start, [cell if cell.startswith('"') else "" for cell in cells])
        elif '"' in record or not self.bare_comma or len(self.bare_columns) < self.quoted_width:
            self._add_cells(start, cells)

    def _add_cells(self, number: int, cells: list[str]) -> None:
        for column, cell in enumerate(cells):
            if not cell.startswith('"'):
                if cell:
                    self.bare_columns.add(column)
                    self.bare_comma = self.bare_comma or "," in cell
                continue
            self.quoted = True
            inside = cell[1:-1]
            if "\n" in inside:
                self.spans_lines = self.spans_lines or number
            if "\t" in inside:
                self.tab_at = self.tab_at or number
            if '"' in inside:
                self.doubled_at = self.doubled_at or number
            elif not inside and self.quoted_width == 1:
                self.empty_at = self.empty_at or number
            elif "\n" not in inside and "\t" not in inside:
                self.idle.setdefault(column, number)
                self.idle_without_comma = self.idle_without_comma or "," not in inside

    @property
    def _has_a_writer(self) -> bool:
        """Whether some program would have quoted exactly these cells."""
        whole_columns = not self.bare_columns.intersection(self.idle)
        as_spreadsheets = not self.idle_without_comma and not self.bare_comma
        return self.header_is_quoted or whole_columns or as_spreadsheets

    def verdict(self, path: str) -> bool:
        """Whether cells are quoted; raises an error if ambiguous."""
        if self._waiting:  # an unclosed quotation mark
            self.refuted_at = self.refuted_at or self._waiting_at
        if self.refuted_at:
            if self.doubled_at:
                raise _contradiction(path, self.doubled_at, self.refuted_at)
            return False
        if not self.quoted:
            return False
        if self.header_is_quoted or not self.widths_agree:
            return True
        # If every line has the right number of fields, a quotation that spans segments is text.
        text_at = self.spans_lines if self.quoted_width > 1 else 0
        if not text_at and self.idle and not self._has_a_writer:
            text_at = min(self.idle.values())
        if self.doubled_at:
            if text_at:
                same = text_at == self.doubled_at
                raise _doubt(path, text_at) if same else _contradiction(path, self.doubled_at, text_at)
            return True
        if text_at:
            return False
        raise _doubt(
            path,
            min(line for line in (self.spans_lines, self.tab_at, self.empty_at, *self.idle.values()) if line),
        )


def _quoted_cells(record: str) -> list[str] | None:
    """The raw cells, or None if this cannot be a record with quoted cells."""
    pattern = re.compile(_CELL)
    cells = []
    position = 0
    while True:
        cell = pattern.match(record, position)
        if cell is None:
            return None
        cells.append(cell[1])
        if cell.end() == len(record) and not cell[0].endswith("\t"):
            return cells
        position = cell.end()


_SWITCH = "Use --tsv-quoting csv if cells are quoted, --tsv-quoting none if quotation marks are text."
_IN_PYTHON = (
    "Use `with understudy.tsv_quoting('csv')` if cells are quoted, 'none' if quotation marks are text."
)


def _contradiction(path: str, quoted: int, literal: int) -> BadInput:
    problem = (
        f"{shown(path)}, line {quoted}: the cell is quoted, with doubled quotation marks, but line {literal} is not "
        "quoted that way."
    )
    return BadInput(f"{problem} {_IN_PYTHON}", on_command_line=f"{problem} {_SWITCH}")


def _doubt(path: str, line: int) -> BadInput:
    problem = f"{shown(path)}, line {line}: the quotation marks around the cell may be text or quoting."
    return BadInput(f"{problem} {_IN_PYTHON}", on_command_line=f"{problem} {_SWITCH}")

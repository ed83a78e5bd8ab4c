"""TSV and CSV: a header line, then records of as many fields.

In CSV, cells may be quoted. TSV follows one of two conventions. Most files are literal: a quotation mark is a character
of the text. pandas, R and spreadsheets quote cells as in CSV: `"the ""old"" one"` is the text `the "old" one`. The
whole file decides which of the two it follows, unless `tsv_quoting` says it; a file that could be either is refused.
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

TSV_QUOTING = ("auto", "csv", "none")
_tsv_quoting: ContextVar[str] = ContextVar("tsv_quoting", default="auto")

Kind = Literal["tsv", "csv"]
NumberedLines = Iterable[tuple[int, str]]
Records = Iterator[tuple[int, list[str]]]  # the number of a record's first line, and its fields


@contextmanager
def tsv_quoting(convention: str) -> Iterator[None]:
    """Within it, TSV files that are opened are read by this convention: `csv` (cells may be quoted, as in CSV), `none`
    (quotation marks are text), or `auto` (the file decides, and is refused where it could be either).

    >>> import understudy
    >>> with understudy.tsv_quoting("none"):
    ...     corpus = understudy.Corpus.read(["examples/system-weak.en"])
    """
    if convention not in TSV_QUOTING:
        raise BadParameter(f"no TSV quoting '{convention}'. {did_you_mean(convention, TSV_QUOTING)}")
    token = _tsv_quoting.set(convention)
    try:
        yield
    finally:
        _tsv_quoting.reset(token)


def records_of(path: str, kind: Kind) -> Callable[[LineSource], Records]:
    """What reads the records of a file. It is decided here and now: the reading may be done by another thread."""
    quoted = _cells_are_quoted(kind, lambda: _begins_a_cell_with_a_quote(path) and _surveyed_file(path))
    return lambda lines: _records(lines.numbered(), path, kind, quoted=quoted)


def records_in(lines: Sequence[str], path: str, kind: Kind) -> Records:
    """The records of a file whose lines are in memory."""
    quoted = _cells_are_quoted(kind, lambda: _surveyed(enumerate(lines, start=1), path))
    return _records(enumerate(lines, start=1), path, kind, quoted=quoted)


def _cells_are_quoted(kind: Kind, survey: Callable[[], bool]) -> bool:
    convention = "csv" if kind == "csv" else _tsv_quoting.get()
    return survey() if convention == "auto" else convention == "csv"


def _records(lines: NumberedLines, path: str, kind: Kind, *, quoted: bool) -> Records:
    if not quoted:
        yield from ((number, line.split("\t")) for number, line in lines)
        return
    import csv

    delimiter = "," if kind == "csv" else "\t"
    reader = csv.reader((line + "\n" for _, line in lines), delimiter=delimiter, strict=True)
    width = None
    while True:
        number = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # After the dash: advice on how to call Python's open().
            reason = str(error).partition(" - ")[0].replace("\t", "\\t")
            what = "CSV" if kind == "csv" else "TSV with quoted cells"
            raise BadInput(f"{shown(path)}, line {number}: not valid {what} ({reason}).") from None
        width = width or max(len(record), 1)
        # In a table of one column, an empty line is an empty text.
        yield number, record or [""] * (width == 1)


# ---------------------------------------------------------------------------------------------------
# Whether the cells of a TSV file are quoted

_FIRST_IN_CELL = rb'[\t\n]"'
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A cell under the convention of CSV, up to the tab or the end of the record.
_CELL = r'("[^"]*(?:""[^"]*)*"|[^"\t]*)(?:\t|\Z)'
_DOUBLED = r'"[^"]*(?:""[^"]*)+"'  # a quoted cell with quotation marks inside
_NUMBER = r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_LONGEST_CELL = 131072  # characters, as Python's csv takes them


def _surveyed_file(path: str) -> bool:
    with closing(LineSource(path)) as lines:
        return _surveyed(lines.numbered(), path)


def _surveyed(lines: NumberedLines, path: str) -> bool:
    survey = _Survey()
    for number, line in lines:
        survey.add(number, line)
    return survey.verdict(path)


def _begins_a_cell_with_a_quote(path: str) -> bool:
    """Cheap, and no for most files."""
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
    """What the lines of a file say for and against quoted cells, as both conventions read them.

    A program that quotes does so for a reason: the cell holds a quotation mark, a tab or a line break (pandas), or a
    comma (spreadsheets); or all text is quoted, or all of a column (R, databases). It doubles the quotation marks
    inside a quoted cell, and leaves none in a cell that is not quoted.
    """

    # As literal text
    width: int = 0
    widths_agree: bool = True
    doubled_at: int = 0  # the first line with a quoted cell that has doubled quotation marks inside

    # As quoted cells, as far as the file can be read so
    refuted_at: int = 0  # the first line that cannot be
    quoted: bool = False  # whether there is a quoted cell at all
    quoted_width: int = 0
    header_is_quoted: bool = False
    spans_lines: int = 0  # where the first cell of several lines begins
    tab_at: int = 0  # the first line of a cell with a tab inside
    idle: dict[int, int] = field(default_factory=dict)  # by column: the first line with no reason to quote
    idle_without_comma: bool = False
    bare_columns: set[int] = field(default_factory=set)  # with text that is not quoted below the header
    bare_comma: bool = False
    empty_at: int = 0  # the first line of "" in a table of one column, whose empty text must be written so
    _waiting: list[str] = field(default_factory=list)  # lines of a record that goes on
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
        """Whether some program would have quoted just these cells."""
        whole_columns = not self.bare_columns.intersection(self.idle)
        as_spreadsheets = not self.idle_without_comma and not self.bare_comma
        return self.header_is_quoted or whole_columns or as_spreadsheets

    def verdict(self, path: str) -> bool:
        """Whether cells are quoted; an error where that is not to be known."""
        if self._waiting:  # a quotation mark that is never closed
            self.refuted_at = self.refuted_at or self._waiting_at
        if self.refuted_at:
            if self.doubled_at:
                raise _contradiction(path, self.doubled_at, self.refuted_at)
            return False
        if not self.quoted:
            return False
        if self.header_is_quoted or not self.widths_agree:
            return True
        # Where each line has its fields, a quotation that goes over several segments is text.
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
    """The cells as they are written, or None if this cannot be a record with quoted cells."""
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


_SWITCH = "Use --tsv-quoting csv if cells are quoted, --tsv-quoting none if quotation marks are text"
_IN_PYTHON = "(in Python: with understudy.tsv_quoting(...))"


def _contradiction(path: str, quoted: int, literal: int) -> BadInput:
    return BadInput(
        f"{shown(path)}: line {quoted} has a quoted cell with doubled quotation marks, but line {literal} is not "
        f"quoted that way. {_SWITCH} {_IN_PYTHON}."
    )


def _doubt(path: str, line: int) -> BadInput:
    return BadInput(
        f"{shown(path)}, line {line}: are the quotation marks around the cell part of its text? The file does not "
        f"tell. {_SWITCH} {_IN_PYTHON}."
    )

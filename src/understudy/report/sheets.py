"""Sheet: a table for programs, at full precision; as TSV, CSV, a spreadsheet or a pandas data frame."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from understudy.errors import BadInput, BadParameter, MissingExtra, did_you_mean
from understudy.report.grid import printable

FORMATS = ("tsv", "csv")  # as text; `xlsx` is a file of its own
_MOST_ROWS = 1_048_576  # of a sheet in a spreadsheet, with the header


@dataclass(frozen=True)
class Sheet:
    """Named columns, and rows of text, numbers and truth values; None where there is no value."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


def as_text(sheets: Sequence[Sheet], format: str) -> str:
    """As TSV or CSV: one table after the other, with an empty line between them.

    >>> as_text([Sheet("scores", ("system", "value"), [("a, b", 0.5), ("c", None)])], "csv")
    'system,value\\n"a, b",0.5\\nc,'
    """
    return "\n\n".join((_tsv if format == "tsv" else _csv)(sheet) for sheet in sheets)


def _tsv(sheet: Sheet) -> str:
    return "\n".join("\t".join(map(_cell, row)) for row in (sheet.columns, *sheet.rows))


def _csv(sheet: Sheet) -> str:
    import csv  # a table does not need it

    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        map(_cell, row) for row in (sheet.columns, *sheet.rows)
    )
    return written.getvalue().removesuffix("\n")


def _cell(value: Any) -> str:
    value = _own(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return printable(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)


def check_spreadsheets() -> None:
    """Reject results that cannot be written, before anything is computed."""
    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise MissingExtra.of("spreadsheets", "openpyxl", "xlsx") from None


def as_xlsx(sheets: Sequence[Sheet]) -> bytes:
    """As a spreadsheet file."""
    check_spreadsheets()
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    for sheet in sheets:
        if len(sheet.rows) >= _MOST_ROWS:
            raise BadInput(
                f"{len(sheet.rows):,} rows in table '{sheet.name}': expected at most {_MOST_ROWS - 1:,} in a "
                "spreadsheet. Use --format csv."
            )
        page = book.create_sheet(sheet.name)
        page.freeze_panes = "A2"
        for row in (sheet.columns, *sheet.rows):
            cells = [WriteOnlyCell(page, value=_stored(value)) for value in row]
            for cell, value in zip(cells, row, strict=True):
                if isinstance(value, str):
                    cell.data_type = "s"  # never a formula, whatever a system is called
            page.append(cells)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _own(value: Any) -> Any:
    """A number of numpy's as Python's own, which is written without its type."""
    return value.item() if hasattr(value, "item") else value


def _stored(value: Any) -> Any:
    value = _own(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else repr(value)
    return printable(value) if isinstance(value, str) else value


def named(sheets: Sequence[Sheet], name: str | None = None) -> Sheet:
    """The sheet of that name; without one the first."""
    for sheet in sheets:
        if name is None or sheet.name == name:
            return sheet
    raise BadParameter(f"unknown table '{name}'. {did_you_mean(str(name), [sheet.name for sheet in sheets])}")


def as_frame(sheet: Sheet) -> Any:
    """As a pandas data frame."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("a data frame needs pandas: pip install pandas") from None
    return pandas.DataFrame([tuple(row) for row in sheet.rows], columns=list(sheet.columns))

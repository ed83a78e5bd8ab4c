"""Results for programs, at full precision: as JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from understudy.report.sheets import FORMATS as OF_SHEETS
from understudy.report.sheets import Sheet, as_text

DATA_FORMATS = ("json", *OF_SHEETS)

_Result = TypeVar("_Result")


def data_text(
    result: _Result,
    format: str,
    as_data: Callable[[_Result], dict[str, Any]],
    as_sheets: Callable[[_Result], list[Sheet]],
) -> str:
    """A result in one of DATA_FORMATS: its values as JSON, or its sheets.

    >>> data_text(0.5, "json", lambda value: {"value": value}, lambda value: [])
    '{\\n  "value": 0.5\\n}'
    """
    return json_text(as_data(result)) if format == "json" else as_text(as_sheets(result), format)


def json_text(data: dict[str, Any]) -> str:
    """JSON values as `--format json` prints them."""
    import json  # a table does not need it

    return json.dumps(data, indent=2, allow_nan=False)

"""Results as JSON values, at full precision; null for NaN and infinity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """The same as dictionaries and lists, with null for NaN and infinity, which JSON lacks.

    >>> plain({1: (0.5, float("nan"))})
    {'1': [0.5, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if is_dataclass(value):  # such as an interval
        return plain(vars(value))
    return plain(value.tolist()) if hasattr(value, "tolist") else value

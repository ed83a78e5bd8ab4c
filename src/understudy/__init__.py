"""understudy: the workbench for machine translation evaluation.

Five questions, five verbs: score, compare, judge, trust, probe. The public names are listed in `__init__.pyi`. Each is
loaded on first use, so that `import understudy` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _homes() -> dict[str, str]:
    """The module of every public name, as the stub beside this file has them."""
    stub: str = __spec__.loader.get_data(f"{__file__}i").decode()  # from a zip file, too
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return {name: module for _, module, _, name, *_ in lines}


_HOMES = _homes()
__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'understudy' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__

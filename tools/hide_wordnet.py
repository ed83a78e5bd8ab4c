"""Keeps understudy from finding a WordNet that the machine has, for `make test-bare`.

A .pth file of that environment installs it in every Python there, also in those that tests start.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

MODULE = "understudy.lexicon.wordnet"


def install() -> None:
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        if name != MODULE:
            return None
        sys.meta_path.remove(self)
        found = find_spec(name)
        assert found is not None
        loader: Any = found.loader
        run = loader.exec_module

        def run_and_hide(module: ModuleType) -> None:
            run(module)
            assert callable(module._usual_places)
            module._usual_places = lambda: iter(())  # type: ignore[attr-defined]

        loader.exec_module = run_and_hide
        return found

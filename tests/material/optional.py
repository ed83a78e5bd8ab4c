"""Packages that the tests can do without: those that need one are skipped where it is missing, and say so.

Where all tests of a file need it, and at the place where one is imported, `pytest.importorskip` does the same.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from understudy.errors import UnderstudyError
from understudy.lexicon.wordnet import wordnet
from understudy.metrics.bertscore import BERTScore


def missing(*packages: str) -> str:
    """Which of the packages are not installed, in one line; empty if all of them are."""
    lacking = [package for package in packages if not _is_installed(package)]
    return (
        f"needs {', '.join(lacking)}: pip install ./models/english '.[test,test-integrations]'"
        if lacking
        else ""
    )


def needs_packages(*packages: str) -> pytest.MarkDecorator:
    reason = missing(*packages)
    return pytest.mark.skipif(bool(reason), reason=reason)


class ImportedWhenUsed:
    """A module that takes seconds to import, and which only the worker that runs its tests needs."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith(
            ("_", "pytest_")
        ):  # pytest looks for its own in every module that it collects
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # it is inside another that is not there
        return False


REPORT = ("altair", "vl_convert", "jinja2")
needs_report = needs_packages(*REPORT)


def no_wordnet() -> str:
    """Why WordNet cannot be used, in one line; empty if it can."""
    try:
        wordnet()
    except UnderstudyError as error:
        return str(error)
    return ""


needs_wordnet = pytest.mark.skipif(bool(no_wordnet()), reason=no_wordnet())


def no_minilm() -> str:
    """Why all-MiniLM-L6-v2 cannot run in numpy, in one line; empty if it can."""
    return missing("tokenizers", "safetensors") or BERTScore().missing


needs_minilm = pytest.mark.skipif(bool(no_minilm()), reason=no_minilm())

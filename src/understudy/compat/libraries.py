"""The libraries behind the adaptors, imported when an adaptor is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from understudy.errors import MissingExtra


def library(name: str, package: str = "") -> Any:
    """The module of that name; an error with the install command if its package is not installed.

    >>> library("json").loads("[1]")
    [1]
    >>> library("no_such_library")
    Traceback (most recent call last):
    understudy.errors.MissingExtra: this adaptor needs no_such_library: pip install no_such_library
    """
    root = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != root:  # the library is there, and lacks something itself
            raise
        raise MissingExtra(f"this adaptor needs {root}: pip install {package or root}") from None

"""What the command says on standard error: sacreBLEU's own log lines, and doubts about the input."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from understudy.cli import warn
from understudy.compat.sacrebleu.utils import sacrelogger
from understudy.errors import BadInput


class Ended(Exception):
    """The end of the command, with sacreBLEU's exit code. What is to be said has been said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@contextmanager
def log_lines(*, quiet: bool) -> Iterator[None]:
    """sacreBLEU's log on standard error. With --quiet, only warnings and errors, without its name."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s" if quiet else "sacreBLEU: %(message)s"))
    before = sacrelogger.level, sacrelogger.propagate
    sacrelogger.setLevel(logging.WARNING if quiet else logging.INFO)
    sacrelogger.propagate = False
    sacrelogger.addHandler(handler)
    try:
        yield
    finally:
        sacrelogger.removeHandler(handler)
        sacrelogger.setLevel(before[0])
        sacrelogger.propagate = before[1]


def refuse(*lines: str, code: int = 1) -> NoReturn:
    """End as sacreBLEU does, with its error lines."""
    for line in lines:
        sacrelogger.error(line)
    raise Ended(code)


def doubt(problem: str, *, strict: bool) -> None:
    """A warning about input for which sacreBLEU's score, which is printed, is wrong. An error if `strict`."""
    if strict:
        raise BadInput(problem)
    warn(problem)

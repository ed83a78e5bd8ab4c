"""sacreBLEU's command: `understudy sacrebleu`. Its options and its output are in `understudy.cli.sacrebleu`."""

from __future__ import annotations

from typing import NoReturn

from understudy.compat.sacrebleu.metrics import METRICS
from understudy.compat.sacrebleu.utils import sacrelogger
from understudy.compat.sacrebleu.version import __version__

__all__ = ["METRICS", "VERSION", "main", "sacrelogger"]

VERSION = __version__


def main() -> NoReturn:
    """Run the command with the arguments of the program, and end the program."""
    from understudy.cli import main_of

    main_of("sacrebleu")

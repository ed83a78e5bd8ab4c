"""The module of sacreBLEU's command. The command itself is `understudy sacrebleu`."""

from __future__ import annotations

from typing import NoReturn

from understudy.compat.sacrebleu.dataset import DATASETS
from understudy.compat.sacrebleu.metrics import METRICS
from understudy.compat.sacrebleu.utils import sacrelogger
from understudy.compat.sacrebleu.version import __version__
from understudy.errors import UnderstudyError

__all__ = ["DATASETS", "METRICS", "VERSION", "main", "sacrelogger"]

VERSION = __version__


def main() -> NoReturn:
    """Says where the command is: functions of the library do not read arguments."""
    raise UnderstudyError("sacreBLEU's command is not part of this module. Run: understudy sacrebleu")

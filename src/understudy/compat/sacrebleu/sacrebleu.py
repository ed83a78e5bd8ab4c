"""sacreBLEU's command: `understudy sacrebleu`. Its options and its output are in `understudy.cli.sacrebleu`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from understudy.compat.sacrebleu import utils
from understudy.compat.sacrebleu.metrics import METRICS
from understudy.compat.sacrebleu.utils import (
    args_to_dict,
    download_test_set,
    filter_subset,
    get_available_testsets,
    get_available_testsets_for_langpair,
    get_langpairs_for_testset,
    get_reference_files,
    sacrelogger,
    sanity_check_lengths,
    smart_open,
)
from understudy.compat.sacrebleu.version import __version__

if TYPE_CHECKING:
    from understudy.compat.sacrebleu.dataset import DATASETS

# Programs that were written for versions of one module take functions from here: `from sacrebleu import sacrebleu`.
__all__ = [
    "DATASETS",
    "METRICS",
    "VERSION",
    "args_to_dict",
    "download_test_set",
    "filter_subset",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_langpairs_for_testset",
    "get_reference_files",
    "main",
    "sacrelogger",
    "sanity_check_lengths",
    "smart_open",
]

VERSION = __version__


def main() -> NoReturn:
    """Run the command with the arguments of the program, and end the program."""
    from understudy.cli import main_of

    main_of("sacrebleu")


def __getattr__(name: str) -> Any:
    """The table of test sets and what the command prints, loaded when it is used: scores of files do not need it."""
    if name in ("DATASETS", *utils.PRINTING):
        return getattr(utils, name)
    if name == "parse_args":
        from understudy.cli.sacrebleu import printing

        return printing.parse_args
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

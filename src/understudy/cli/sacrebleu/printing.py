"""sacreBLEU's functions that print, for programs that call them: `sacrebleu.utils.print_results_table` and others."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence

from understudy.cli.sacrebleu.arguments import parsed
from understudy.cli.sacrebleu.colors import ANSI_CODES, Colors, in_color
from understudy.cli.sacrebleu.log import Ended
from understudy.cli.sacrebleu.named_sets import echoed
from understudy.cli.sacrebleu.scores import Metrics, detail_lines, single_lines
from understudy.cli.sacrebleu.tables import Results, table_lines


class Color:
    """Texts in the colors of terminals."""

    ENABLE_COLORS = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The text in this color. An unknown color is none."""
        code = ANSI_CODES.get(color.lower())
        return in_color(code, msg) if Color.ENABLE_COLORS and code is not None else msg


def parse_args() -> Namespace:
    """The options that the program was started with."""
    return parsed(sys.argv[1:])


def print_results_table(results: Results, signatures: Mapping[str, str], args: Namespace) -> None:
    """The scores of several systems, as JSON, text or LaTeX."""
    print_lines(table_lines(results, signatures, args, Colors(Color.ENABLE_COLORS)))


def print_single_results(results: Sequence[str], args: Namespace) -> None:
    """The scores of one system, a line or a JSON object each."""
    print_lines(single_lines(list(results), args, Colors(Color.ENABLE_COLORS)))


def print_subset_results(
    metrics: Metrics, full_system: Sequence[str], full_refs: Sequence[Sequence[str]], args: Namespace
) -> None:
    """Scores by original language and domain."""
    print_lines(detail_lines(metrics, full_system, full_refs, args, Colors(Color.ENABLE_COLORS)))


def print_test_set(
    test_set: str,
    langpair: str,
    requested_fields: Sequence[str],
    origlang: str | None = None,
    subset: str | None = None,
) -> None:
    """Fields of a test set, separated by tabs. As in sacreBLEU, an unknown field ends the program."""
    asked = Namespace(
        test_set=test_set, langpair=langpair, echo=list(requested_fields), origlang=origlang, subset=subset
    )
    try:
        print_lines(echoed(asked))
    except Ended as end:
        raise SystemExit(end.code) from None


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output."""
    for line in lines:
        sys.stdout.write(f"{line}\n")

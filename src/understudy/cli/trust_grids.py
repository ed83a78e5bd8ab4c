"""Grids of settings in `understudy trust`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from understudy.cli.arguments import chosen_metrics
from understudy.cli.options import Shorthands

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.trusting.grids.settings import SettingsGrid

grid_option = click.option(
    "--grid",
    "grids",
    metavar="SPEC",
    multiple=True,
    help="Compare every setting of a metric with the human scores, and select one by cross-validation, by document and "
    "by system. Parameters may have ranges and alternatives: bleu:max_order=1..6,average=geometric|arithmetic. A "
    "range with a step: 0..2..0.5. Repeatable.",
)


def expanded_grids(grids: Sequence[str], shorthands: Shorthands) -> list[SettingsGrid]:
    """The settings of the grids, with --tokenize, --lowercase, --parser and --lang where they apply."""
    if not grids:
        return []
    if len(shorthands.parsers) > 1:
        raise click.UsageError(
            "--grid takes one --parser. Vary the parameter instead: --grid 'stm:parser=a|b'."
        )

    def choose(specs: Sequence[str]) -> list[Metric]:
        return chosen_metrics(
            specs,
            tokenize=shorthands.tokenize,
            lowercase=shorthands.lowercase,
            parsers=shorthands.parsers,
            language=shorthands.language,
            distinct=False,
            used_elsewhere=("tokenize", "lowercase", "parser"),
        )

    from understudy import SettingsGrid

    return [SettingsGrid.of(text, choose) for text in grids]

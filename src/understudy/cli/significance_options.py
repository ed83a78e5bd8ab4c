"""Options of significance tests between systems or runs, for `compare` and `track`."""

from __future__ import annotations

import click

from understudy.choices import COMPARE_TESTS, CORRECTIONS, INTERVAL_METHODS
from understudy.cli.number_types import Integer

test = click.option(
    "--test",
    type=click.Choice(("auto", *COMPARE_TESTS)),
    default="auto",
    show_default=True,
    help="Significance test. permutation, ttest and wilcoxon use segment scores; blocks uses the metric on consecutive "
    "blocks, as in the BLEU report; multeval permutes the outputs of training runs. auto: bootstrap; below 100 "
    "segments, randomization.",
)
samples = click.option(
    "--samples",
    metavar="N",
    type=Integer(min=1),
    help="Number of resamples (default: 1000 for bootstrap, 10000 for randomization, permutation and multeval; more if "
    "Holm correction of many pairs requires it).",
)
correct = click.option(
    "--correct",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="Multiple-testing correction: Holm, Benjamini-Hochberg or none.",
)
interval = click.option(
    "--interval",
    type=click.Choice(("auto", *INTERVAL_METHODS)),
    default="auto",
    show_default=True,
    help="Bootstrap confidence interval: percentile, or bias-corrected and accelerated. auto: percentile; Student's t "
    "for ttest, blocks and several training runs.",
)

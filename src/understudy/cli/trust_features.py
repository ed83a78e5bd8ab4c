"""`understudy trust --learn-features`: learned weights of n-grams, headword chains or subtrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import FEATURE_BITS, FEATURE_DOCUMENTS, FEATURES, LABEL_METHODS
from understudy.cli import options
from understudy.cli.number_types import Integer

if TYPE_CHECKING:
    from understudy.trusting.feature_weights.settings import FeatureSettings

# By the names of parameters.
FOR_FEATURES = ("learn_features", "hash_bits", "min_documents")


def feature_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for learned feature weights, in this order."""
    for option in reversed(
        (
            click.option(
                "--learn-features",
                type=click.Choice(FEATURES),
                help="Fit weights of single n-grams (of -m bleu), headword chains (hwcm) or subtrees (stm, dstm), "
                "matched or not, to human scores, and compare them with the plain metric by cross-validation. --learn "
                "selects the method (default: ridge).",
            ),
            click.option(
                "--hash-bits",
                metavar="B",
                type=Integer(min=8, max=32),
                default=FEATURE_BITS,
                show_default=True,
                help="For --learn-features: hash features into 2^B buckets.",
            ),
            click.option(
                "--min-documents",
                metavar="N",
                type=Integer(min=1),
                default=FEATURE_DOCUMENTS,
                show_default=True,
                help="For --learn-features: minimum number of documents (without --labels: segments) of a bucket.",
            ),
        )
    ):
        command = option(command)
    return command


def chosen_features(
    features: str | None, method: str | None, *, within: bool, bits: int, min_documents: int
) -> FeatureSettings | None:
    """The settings of learned feature weights; None: none are asked for."""
    options.refuse_idle(["hash_bits", "min_documents"], unless=features, cure="add --learn-features")
    if features is None:
        return None
    if method in LABEL_METHODS:
        raise click.UsageError(
            f"--learn-features cannot be combined with --learn {method}. Use --learn ridge or lasso, or omit --learn."
        )
    from understudy import FeatureSettings

    return FeatureSettings(
        features,
        method or "ridge",
        "segment" if within else "none",
        bits=bits,
        min_documents=min_documents,
    )

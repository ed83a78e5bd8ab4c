"""Options of learned models, and the score cache, for all commands that compute metrics."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from understudy.cli import say
from understudy.cli.number_types import Integer
from understudy.cli.progress import progress_of_part

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.neural.score_cache import ScoreCache

batch_size_option = click.option(
    "--batch-size",
    metavar="N",
    type=Integer(min=1),
    help="Texts per batch of a learned metric. Affects speed and memory only.",
)
device_option = click.option(
    "--device",
    metavar="NAME",
    help="Device of learned metrics: cpu, cuda, cuda:1, mps (default: the first GPU, if there is one).",
)
dtype_option = click.option(
    "--dtype",
    type=click.Choice(("float32", "bfloat16", "float16", "bf16", "fp16")),
    callback=lambda _ctx, _param, name: {"bf16": "bfloat16", "fp16": "float16"}.get(name, name),
    help="Data type of learned metrics (default: float32). Smaller types are faster and less exact.",
)


@contextmanager
def models_shown(metrics: Sequence[Metric], *, no_cache: bool, wanted: bool = True) -> Iterator[None]:
    """Context for metrics with learned models: uses the user's score cache, and shows progress on a terminal."""
    if not any(metric.uses_models for metric in metrics):
        yield
        return
    from understudy.neural.scored_pairs import PairScorer

    @contextmanager
    def watch(title: str, pairs: int) -> Iterator[Callable[[int], None] | None]:
        with progress_of_part(f"scoring with {title}", pairs) as advance:
            yield advance if wanted else None

    before = PairScorer.watch
    PairScorer.watch = watch
    try:
        with scores_cached(wanted=not no_cache):
            yield
    finally:
        PairScorer.watch = before


@contextmanager
def scores_cached(*, wanted: bool = True) -> Iterator[None]:
    """Context in which the user's score cache is used, or none."""
    from understudy.neural.score_cache import ScoreCache

    before = ScoreCache.default
    ScoreCache.default = cache_of_scores() if wanted else None
    try:
        yield
    finally:
        ScoreCache.default = before


def cache_of_scores() -> ScoreCache:
    """The user's score cache."""
    from understudy.disk_cache import cache_folder
    from understudy.neural.score_cache import FILE, ScoreCache

    return ScoreCache(cache_folder(os.environ, sys.platform) / FILE, complain=say)

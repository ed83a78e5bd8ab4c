"""Warnings about truncated texts whose scores come from the cache."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from understudy.errors import ModelWarning
from understudy.neural.pairs import Pair
from understudy.neural.score_cache import ScoreCache
from understudy.neural.scored_pairs import PairScorer


def check_warning_with_cached_scores(
    engine: Any, module: ModuleType, pairs: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a second process: the same warning, the same scores, and no weights."""
    scorer = PairScorer(engine, "model", batch_size=2, cache=ScoreCache(tmp_path / "scores"))
    with pytest.warns(ModelWarning, match="1 text or more truncated") as first:
        values = scorer.values(pairs, threads=1)
    module._truncation.cache_clear()
    monkeypatch.setattr(module, "_loaded", None)
    with pytest.warns(ModelWarning) as second:
        assert (scorer.values(pairs, threads=1) == values).all()
    assert [str(each.message) for each in first] == [str(each.message) for each in second]

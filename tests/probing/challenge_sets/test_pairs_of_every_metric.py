"""Every metric compares pairs: if good and incorrect translations trade places, right and wrong do."""

from __future__ import annotations

import pytest

from understudy.corpus.challenge_sets import read_challenge_set
from understudy.metrics.base.registry import metric, metrics
from understudy.probing.challenge_sets.run import probe_pairs

# The others compare a text with other texts of the same system, or need a file.
NAMES = sorted(name for name, known in metrics().items() if known.reads_references and not known.written_as)


@pytest.mark.parametrize("name", NAMES)
def test_exchanged_translations(name: str) -> None:
    if lack := metric(name).missing:
        pytest.skip(lack)
    rows = [
        {"good": pair.good, "bad": pair.incorrect, "ref": pair.references[0], "lang": "en"}
        for pair in read_challenge_set("examples/pairs.tsv").pairs
    ]
    exchanged = [{**row, "good": row["bad"], "bad": row["good"]} for row in rows]
    (found,), (other,) = probe_pairs(rows, name).phenomena, probe_pairs(exchanged, name).phenomena
    assert found.right + found.tied + other.right == found.pairs
    assert found.difference == pytest.approx(-other.difference, abs=1e-9)

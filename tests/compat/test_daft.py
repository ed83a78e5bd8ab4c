"""Daft: expressions of segment scores, and corpus scores of data frames."""

from __future__ import annotations

import pytest

from material.example_rows import CHINESE, METRICS, REFERENCES, ROWS, by_system, expected_scores, segments
from material.optional import ImportedWhenUsed, needs_packages
from understudy.compat import daft as of_daft
from understudy.errors import BadInput, NoTokenizerChosen, WrongType

daft = ImportedWhenUsed("daft")

pytestmark = needs_packages("daft")


@pytest.mark.parametrize("spec", METRICS)
def test_segments(spec):
    frame = daft.from_pydict({**ROWS, "refs": REFERENCES})
    scored = frame.with_columns(
        {
            "columns": of_daft.segments("hyp", "ref1", daft.col("ref2"), metric=spec),
            "lists": of_daft.segments("hyp", "refs", metric=spec),
        }
    ).to_pydict()
    assert scored["columns"] == segments(spec)
    assert scored["lists"] == segments(spec)


def test_scores():
    frame = daft.from_pydict(ROWS).into_batches(17)
    rows = of_daft.score(frame, "hyp", ["ref1", "ref2"], metrics=METRICS, by="system")
    assert by_system(rows) == expected_scores()


def test_missing_texts_and_refusals():
    frame = daft.from_pydict({"hyp": ["a cat", None], "ref": ["a cat", "a"]})
    score = of_daft.segments("hyp", "ref", metric="chrf")
    assert frame.select(score.alias("score")).to_pydict()["score"] == [100, None]
    with pytest.raises(WrongType, match="segment 2 is None"):
        of_daft.score(frame, "hyp", "ref")
    with pytest.raises(BadInput, match=r"unknown column 'hip'\. Did you mean 'hyp'\?"):
        of_daft.score(frame, "hip", "ref")
    with pytest.raises(NoTokenizerChosen):
        of_daft.score(daft.from_pydict(CHINESE), "hyp", "ref1")

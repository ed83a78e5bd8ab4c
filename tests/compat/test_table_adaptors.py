"""What the adaptors for tables share: segment scores and sums of batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from material.example_rows import (
    CHINESE,
    METRICS,
    REFERENCES,
    ROWS,
    by_system,
    expected_scores,
    segments,
)
from understudy import BLEU, NIST, metric
from understudy.compat.libraries import library
from understudy.compat.tables import CorpusSums, SegmentScores, segment_scores
from understudy.corpus.columns import as_hypotheses, as_references
from understudy.errors import BadInput, BadParameter, MissingExtra, NoSegments, NoTokenizerChosen, WrongType


def test_references_in_columns_and_in_lists_give_the_same_scores():
    chrf = metric("chrf")
    in_columns = segment_scores(chrf, ROWS["hyp"], [ROWS["ref1"], ROWS["ref2"]])
    assert in_columns.tolist() == segments("chrf")
    assert segment_scores(chrf, ROWS["hyp"], [REFERENCES]).tolist() == in_columns.tolist()


def test_missing_texts_have_no_segment_score():
    chrf = metric("chrf")
    scores = segment_scores(chrf, ["a cat", None, "a cat", ""], [["a cat", "a cat", None, "a cat"]])
    np.testing.assert_array_equal(scores, [100, np.nan, np.nan, 0])
    # One reference of two is enough.
    scores = segment_scores(chrf, ["a cat", "a cat"], [["a cat", None], [None, "a cat"]])
    assert scores.tolist() == [100, 100]
    assert segment_scores(chrf, ["a cat", "a"], [[["a cat", "x"], None]])[0] == 100
    assert np.isnan(segment_scores(chrf, [None, None], [["a", "b"]])).all()
    assert segment_scores(chrf, [], [[]]).tolist() == []


@pytest.mark.parametrize("rows", [1, 7, 50, 1000])
def test_sums_do_not_depend_on_the_batches(rows):
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    sums = CorpusSums(METRICS, "hyp", ["ref1", "ref2"], by="system")
    empty: dict[str, list[str]] = {name: [] for name in ROWS}
    scored = sums.scores(map(sums, [empty, *reversed(batches(rows)), empty]))
    assert by_system(scored) == expected_scores()
    assert {row["segments"] for row in scored} == {60}
    assert all(row["signature"].startswith("nrefs:2|") for row in scored)


def batches(rows):
    return [
        {name: values[start : start + rows] for name, values in ROWS.items()}
        for start in range(0, len(ROWS["hyp"]), rows)
    ]


def test_sums_of_fractions_and_information_are_integers():
    """ROUGE, EED and NIST sum fractions in fixed point, so that batches do not change a digit either."""
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    metrics = [NIST().fit(REFERENCES), metric("rouge"), metric("eed")]
    sums = CorpusSums(metrics, "hyp", ["ref1", "ref2"])
    for part in (1, 7, 1000):
        for row, expected in zip(sums.scores(map(sums, reversed(batches(part)))), metrics, strict=True):
            assert row["value"] == expected.corpus(ROWS["hyp"], REFERENCES).value


def test_sums_of_floats(monkeypatch):
    """A metric of one's own may count in float64. Such sums depend on the batches, by their rounding only."""
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    bleu = metric("bleu")
    count: Any = BLEU.count
    monkeypatch.setattr(BLEU, "count", lambda *given: count(*given) / 10)
    expected = bleu.corpus(ROWS["hyp"], REFERENCES).value
    sums = CorpusSums(bleu, "hyp", ["ref1", "ref2"])
    (part,) = sums(ROWS).to_pylist()
    assert part["integer_sums"] is None
    assert part["float_sums"] == pytest.approx((count(bleu, *counted(), 1) / 10).sum(axis=0).tolist())
    for rows in (1, 7, 1000):
        (row,) = sums.scores(map(sums, batches(rows)))
        assert row["value"] == pytest.approx(expected, rel=1e-12)


def counted():
    return as_hypotheses(ROWS["hyp"]), as_references(REFERENCES)


def test_groups_have_their_own_numbers_of_references():
    """Not those of all rows that happen to be in the same batch."""
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    rows = {"hyp": ["a", "b", "c"], "refs": [["a", "x"], ["b"], ["c", "y", "z"]], "system": ["A", "B", "B"]}
    sums = CorpusSums(["bleu", "ter"], "hyp", "refs", by="system")
    found = {
        (row["system"], row["metric"]): row["signature"].split("|")[0] for row in sums.scores([sums(rows)])
    }
    assert found == {
        ("A", "bleu"): "nrefs:2",
        ("A", "ter"): "nrefs:2",
        ("B", "bleu"): "nrefs:1-3",
        ("B", "ter"): "nrefs:1-3",
    }


def test_labels():
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    rows = {"hyp": ["a", "b"], "ref": ["a", "b"], "part": [float("nan"), float("nan")], "value": [1, 2]}
    sums = CorpusSums("bleu", "hyp", "ref", by="part")
    (row,) = sums.scores([sums(rows)])
    assert (row["part"], row["segments"]) == (None, 2)
    for name in ("value", "metric", "segments", "signature"):
        with pytest.raises(BadParameter, match=f"by: '{name}' is a column of the result"):
            CorpusSums("bleu", "hyp", "ref", by=name)(rows)


def test_segment_scores_replace_a_column_of_their_name():
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    pl = pytest.importorskip("polars", reason="needs polars: pip install '.[test]'")
    add_scores = SegmentScores("chrf", "hyp", "ref")
    rows = {"hyp": ["a cat", None], "ref": ["a cat", "a dog"], "chrf": [1.0, 2.0]}
    assert add_scores(pa.table(rows))["chrf"].to_pylist() == [100, None]
    assert add_scores(pl.DataFrame(rows))["chrf"].to_list() == [100, None]


def test_one_row_is_no_batch():
    with pytest.raises(
        WrongType, match=r"column 'hyp': got a single row, .* Use map\(\.\.\., batched=True\)"
    ):
        SegmentScores("chrf", "hyp", "ref")({"hyp": "a cat", "ref": "a cat"})


def test_missing_texts_are_refused_in_corpus_scores():
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    sums = CorpusSums("bleu", "hyp", "ref1")
    with pytest.raises(WrongType, match="segment 2 is None"):
        sums({"hyp": ["a", None], "ref1": ["a", "b"]})
    with pytest.raises(BadInput, match="segment 1 has none"):
        sums({"hyp": ["a", "b"], "ref1": [None, "b"]})
    with pytest.raises(NoSegments, match="no segments"):
        sums.scores([])
    with pytest.raises(NoSegments, match="no segments"):
        sums.scores([sums({"hyp": [], "ref1": []})])


def test_columns_are_found_by_name():
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    with pytest.raises(BadInput, match=r"hypothesis: unknown column 'hip'\. Did you mean 'hyp'\?"):
        SegmentScores("chrf", "hip", "ref1")(ROWS)
    with pytest.raises(BadInput, match=r"references: unknown column 'ref3'\. Did you mean 'ref"):
        SegmentScores("chrf", "hyp", ["ref1", "ref3"])(ROWS)
    with pytest.raises(BadInput, match="by: unknown column 'doc'"):
        CorpusSums("chrf", "hyp", "ref1", by="doc")(ROWS)
    with pytest.raises(WrongType, match="references"):
        SegmentScores("chrf", "hyp", "number")({"hyp": ["a"], "number": [1]})
    with pytest.raises(BadInput, match="at least one column of references"):
        SegmentScores("chrf", "hyp", [])(ROWS)


def test_metrics_are_checked_before_any_batch():
    with pytest.raises(BadParameter, match="nist must see all references before it scores a batch"):
        SegmentScores("nist", "hyp", "ref1")
    with pytest.raises(BadParameter, match="self-bleu must see all hypotheses"):
        SegmentScores("self-bleu", "hyp", [])
    with pytest.raises(BadParameter, match="unknown metric 'bleau'"):
        CorpusSums("bleau", "hyp", "ref1")
    with pytest.raises(BadParameter, match="bleu is listed twice"):
        CorpusSums(["bleu", "bleu:tokenize=13a"], "hyp", "ref1")


def test_text_without_word_boundaries_needs_a_tokenizer():
    pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
    with pytest.raises(NoTokenizerChosen):
        SegmentScores("bleu", "hyp", "ref1")(CHINESE)
    with pytest.raises(NoTokenizerChosen):
        CorpusSums("bleu", "hyp", "ref1")(CHINESE)
    (score,) = SegmentScores("bleu", "hyp", "ref1", "zh")(CHINESE)["bleu:tokenize=zh"]
    assert score == metric("bleu:tokenize=zh").segments(CHINESE["hyp"], CHINESE["ref1"])[0]


def test_a_missing_library_is_named():
    with pytest.raises(MissingExtra, match="needs no_such_library: pip install no-such-library"):
        library("no_such_library.inside", "no-such-library")

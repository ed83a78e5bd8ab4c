"""Polars, pandas and DuckDB: the same digits as the metrics themselves."""

from __future__ import annotations

import pytest

from material.example_rows import (
    CHINESE,
    METRICS,
    REFERENCES,
    ROWS,
    by_system,
    corpus,
    expected_scores,
    segments,
)
from understudy import metric
from understudy.compat import duckdb as of_duckdb
from understudy.compat import pandas as of_pandas
from understudy.compat import polars as of_polars
from understudy.errors import (
    BadInput,
    BadParameter,
    NoSegments,
    NoTokenizerChosen,
    UnderstudyError,
    WrongType,
)

pl = pytest.importorskip("polars", reason="needs polars: pip install '.[test]'")
pd = pytest.importorskip("pandas", reason="needs pandas: pip install '.[test]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")

POLARS = pl.DataFrame(ROWS)
PANDAS = pd.DataFrame(ROWS)


# --- Polars


@pytest.mark.parametrize("spec", METRICS)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_segments(spec, engine):
    scores = of_polars.segments("hyp", "ref1", pl.col("ref2"), metric=spec).alias("score")
    assert POLARS.lazy().select(scores).collect(engine=engine)["score"].to_list() == segments(spec)


def test_polars_corpus_of_groups():
    scores = [of_polars.corpus("hyp", "ref1", "ref2", metric=spec).alias(spec) for spec in METRICS]
    for frame in (
        POLARS.group_by("system").agg(scores),
        POLARS.lazy().group_by("system").agg(scores).collect(),
    ):
        rows = [
            {"system": row["system"], "metric": spec, "value": row[spec]}
            for row in frame.to_dicts()
            for spec in METRICS
        ]
        assert by_system(rows) == expected_scores()
    strong = POLARS.filter(pl.col("system") == "strong")
    assert strong.select(scores).row(0) == tuple(corpus(spec, "strong") for spec in METRICS)


def test_polars_namespace():
    of_polars.register()
    of_polars.register()  # again: nothing happens
    frame = POLARS.with_columns(score=pl.col("hyp").understudy.segments("ref1", "ref2", metric="chrf"))
    assert frame["score"].to_list() == segments("chrf")
    value = frame.select(pl.col("hyp").understudy.corpus("ref1", metric="nist")).item()
    assert value == metric("nist").corpus(ROWS["hyp"], ROWS["ref1"]).value


def test_polars_missing_texts_lists_and_empty_frames():
    score = of_polars.segments("hyp", "ref", metric="chrf")
    frame = pl.DataFrame({"hyp": ["a cat", None, "a cat"], "ref": ["a cat", "a cat", None]})
    assert frame.select(score).to_series().to_list() == [100, None, None]
    assert pl.DataFrame({"hyp": [None], "ref": ["a"]}).select(score).to_series().to_list() == [None]
    assert frame.clear().select(score).to_series().to_list() == []
    lists = pl.DataFrame({"hyp": ROWS["hyp"], "ref": REFERENCES})
    assert lists.select(score).to_series().to_list() == segments("chrf")
    with pytest.raises((UnderstudyError, pl.exceptions.ComputeError), match="segment 2 is None"):
        frame.select(of_polars.corpus("hyp", "ref", metric="chrf"))


def test_polars_refusals():
    with pytest.raises((NoTokenizerChosen, pl.exceptions.ComputeError), match="tokenize"):
        pl.DataFrame(CHINESE).select(of_polars.segments("hyp", "ref1", metric="bleu"))
    assert pl.DataFrame(CHINESE).select(of_polars.corpus("hyp", "ref1", metric="bleu", lang="zh")).item() > 0
    with pytest.raises(BadParameter, match="nist must see all references"):
        of_polars.segments("hyp", "ref1", metric="nist")
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        POLARS.select(of_polars.segments("hip", "ref1", metric="bleu"))


# --- pandas


def test_pandas_scores_and_segments():
    of_pandas.register()
    of_pandas.register()  # again: nothing happens
    scores = PANDAS.understudy.score("hyp", ["ref1", "ref2"], metrics=METRICS, by="system")
    assert by_system(scores.to_dict("records")) == expected_scores()
    assert set(scores["segments"]) == {60}
    frame = PANDAS.set_index(pd.Index(range(100, 220)))
    per_segment = frame.understudy.segments("hyp", ["ref1", "ref2"], metrics=METRICS)
    assert per_segment.index.equals(frame.index)
    for spec in METRICS:
        assert per_segment[spec].tolist() == segments(spec)


def test_pandas_groups_are_corpora_of_their_own():
    """Also for a metric that is fitted on its references."""
    frame = PANDAS.assign(half=["a"] * 30 + ["b"] * 90)
    scores = of_pandas.score(frame, "hyp", "ref1", metrics="nist", by=["half", "system"])
    first = scores[scores["half"] == "a"]["value"].item()
    assert first == metric("nist").corpus(ROWS["hyp"][:30], ROWS["ref1"][:30]).value
    unlabeled = of_pandas.score(PANDAS.assign(half=["a"] * 30 + [None] * 90), "hyp", "ref1", by="half")
    assert unlabeled["segments"].tolist() == [30, 90]


def test_pandas_missing_texts_and_refusals():
    frame = pd.DataFrame({"hyp": ["a cat", None, "a cat"], "ref": ["a cat", "a cat", float("nan")]})
    scores = of_pandas.segments(frame, "hyp", "ref", metrics="chrf")["chrf"]
    assert scores[0] == 100
    assert scores.isna().tolist() == [False, True, True]
    assert of_pandas.segments(frame[:0], "hyp", "ref").shape == (0, 1)
    with pytest.raises(WrongType, match="segment 2 is None"):
        of_pandas.score(frame, "hyp", "ref")
    with pytest.raises(NoSegments):
        of_pandas.score(frame[:0], "hyp", "ref")
    with pytest.raises(BadInput, match="Did you mean 'hyp'"):
        of_pandas.score(frame, "hip", "ref")
    with pytest.raises(BadInput, match="by: unknown column 'system'"):
        of_pandas.score(frame, "hyp", "ref", by="system")
    with pytest.raises(NoTokenizerChosen):
        of_pandas.score(pd.DataFrame(CHINESE), "hyp", "ref1")


def test_pandas_lists_of_references():
    frame = pd.DataFrame({"hyp": ROWS["hyp"], "refs": REFERENCES})
    assert of_pandas.segments(frame, "hyp", "refs", metrics="ter")["ter"].tolist() == segments("ter")


# --- DuckDB


@pytest.fixture
def connection():
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb: pip install '.[test-integrations]'")
    with duckdb.connect() as connection:
        of_duckdb.register(connection)
        connection.register("texts", POLARS.to_arrow())
        yield connection


@pytest.mark.parametrize("spec", METRICS)
def test_duckdb_segments_and_corpora(connection, spec):
    found = connection.execute(
        f"SELECT {spec}(hyp, ref1, ref2), {spec}(hyp, [ref1, ref2]) FROM texts"
    ).fetchall()
    assert [row[0] for row in found] == segments(spec)
    assert [row[1] for row in found] == segments(spec)
    query = f"SELECT system, {spec}_corpus(hyp, ref1, ref2) FROM texts GROUP BY system"
    assert {
        (system, spec): value for system, value in connection.execute(query).fetchall()
    } == expected_scores([spec])


def test_duckdb_sums_many_rows(connection):
    """More than a batch of DuckDB, in parallel."""
    query = "SELECT bleu_corpus(hyp, ref1), count(*) FROM texts, range(500)"
    value, rows = connection.execute(query).fetchone()
    assert rows == 60_000
    assert value == metric("bleu").corpus(ROWS["hyp"] * 500, ROWS["ref1"] * 500).value


def test_duckdb_missing_texts(connection):
    values = "FROM (VALUES ('a cat', 'a cat'), (NULL, 'a cat'), ('a cat', NULL)) AS t(hyp, ref)"
    assert connection.execute(f"SELECT chrf(hyp, ref) {values}").fetchall() == [(100,), (None,), (None,)]
    assert connection.execute("SELECT chrf(NULL, 'a')").fetchone() == (None,)
    assert connection.execute(f"SELECT chrf_corpus(hyp, ref) {values} WHERE false").fetchone() == (None,)
    with pytest.raises(Exception, match="segment 2 is None"):
        connection.execute(f"SELECT chrf_corpus(hyp, ref) {values}").fetchall()


def test_duckdb_names(connection):
    of_duckdb.register(connection, {"bleu_zh": "bleu:tokenize=zh"})
    (value,) = connection.execute(
        "SELECT bleu_zh_corpus($1, $2)", [CHINESE["hyp"][0], CHINESE["ref1"][0]]
    ).fetchone()
    assert value == metric("bleu:tokenize=zh").corpus(CHINESE["hyp"], CHINESE["ref1"]).value
    with pytest.raises(Exception, match="tokenize"):
        connection.execute("SELECT bleu($1, $2)", [CHINESE["hyp"][0], CHINESE["ref1"][0]]).fetchall()
    for spec in ("chrf++", "bleu:tokenize=intl"):  # not silently as chrf or bleu
        with pytest.raises(BadParameter, match=r"is not a name of an SQL function\. Use a mapping"):
            of_duckdb.register(connection, ["bleu", spec])
    of_duckdb.register(connection, ["exact-match"], lang="zh")
    assert connection.execute("SELECT exact_match('a', 'a')").fetchall() == [(100,)]
    with pytest.raises(BadParameter, match="not a name of an SQL function"):
        of_duckdb.register(connection, {"a b": "bleu"})
    of_duckdb.register(connection, "bleu")  # again: the same functions
    assert connection.execute("SELECT bleu('a b c d', 'a b c d')").fetchone()[0] == pytest.approx(100)

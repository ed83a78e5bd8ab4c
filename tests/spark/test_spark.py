"""Scores of Spark data frames: the digits of local ones under any partitioning; bad input; workers that die."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import understudy
import understudy.spark
from understudy.comparing.plan import Plan
from understudy.comparing.run import compare_metric
from understudy.errors import (
    BadInput,
    BadParameter,
    MissingExtra,
    NoSegments,
    NoTokenizerChosen,
    UnderstudyError,
    WrongType,
)
from understudy.resampling.intervals import interval_of
from understudy.resampling.poisson_bootstrap import poisson_scores
from understudy.scoring.counted_systems import count_systems

pytest.importorskip("pyspark", reason="needs pyspark: pip install '.[test]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
if shutil.which("java") is None:
    pytest.skip("needs Java: tools/system_packages.sh", allow_module_level=True)

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one session for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]

us: Any = understudy.spark  # what `score` returns depends on its arguments
METRICS = ["bleu", "chrf", "ter", "rouge:kind=W", "nist"]
COLUMNS = "id long, system string, domain string, hyp string, ref string, ref2 string"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def texts():
    """Of two systems and two references: the examples."""
    names = ("system-weak.en", "system-strong.en", "reference-1.en", "reference-2.en")
    return [(EXAMPLES / name).read_text(encoding="utf-8").splitlines() for name in names]


@pytest.fixture(scope="module")
def rows(texts):
    weak, strong, ref, ref2 = texts
    of_weak = [
        (i, "weak", "news" if i % 10 else "web", *each)
        for i, each in enumerate(zip(weak, ref, ref2, strict=True))
    ]
    of_strong = [
        (i, "strong", "news" if i % 10 else "web", *each)
        for i, each in enumerate(zip(strong, ref, ref2, strict=True))
    ]
    return of_weak + of_strong


@pytest.fixture(scope="module")
def df(session, rows):
    return session.createDataFrame(rows, COLUMNS).cache()


@pytest.fixture(scope="module")
def wide(session, texts):
    rows = [(f"s{i}", *each) for i, each in enumerate(zip(*texts, strict=True))]
    return session.createDataFrame(
        rows, "id string, weak string, strong string, ref string, ref2 string"
    ).cache()


PARTITIONS = {
    "3": lambda df: df.repartition(3),  # that of `unpartitioned` is 1
    "17": lambda df: df.repartition(17),
    "hash": lambda df: df.repartition(5, "hyp"),
    "grouped and sorted": lambda df: df.repartition(4, "system").sortWithinPartitions("ref"),
}


@pytest.fixture(scope="module")
def unpartitioned(df):
    return us.score(df, "hyp", ["ref", "ref2"], METRICS, by=["system", "domain"])


@pytest.mark.parametrize("partitioned", PARTITIONS.values(), ids=PARTITIONS)
def test_scores_are_those_of_local_rows_under_any_partitioning(df, rows, unpartitioned, partitioned):
    found = us.score(partitioned(df), "hyp", ["ref", "ref2"], METRICS, by=["system", "domain"])
    assert list(found.groups) == sorted({row[1:3] for row in rows})
    for group, scores in found.groups.items():
        of_group = [row for row in rows if row[1:3] == group]
        local = understudy.score({"x": [r[3] for r in of_group]}, [list(r[4:]) for r in of_group], METRICS)
        assert scores == local.systems[0].scores
    assert found.groups == unpartitioned.groups


def test_means_and_intervals_are_those_of_local_samples_bit_for_bit(wide, texts):
    weak, _, ref, _ = texts
    names = [f"s{i}" for i in range(len(weak))]
    for level in ("corpus", "mean"):
        local = understudy.score({"weak": weak}, ref, ["bleu", "chrf", "ter"], level=level).systems[0].scores
        evidence = count_systems({"weak": weak}, ref, ["bleu", "chrf", "ter"], level=level).evidence
        for parts in (1, 7):
            found = us.score(
                wide.repartition(parts), "weak", ["ref"], ["bleu", "chrf", "ter"],
                level=level, ci=True, id="id", samples=201, seed=7,
            )  # fmt: skip
            for score, expected, each in zip(found["weak"].scores, local, evidence, strict=True):
                assert score.value == expected.value
                assert score.interval == interval_of(poisson_scores(each, names, 201, 7)[:, 0], 0.95)
                assert score.signature.choices["ci"] == "poisson-201-7"
                assert replace(score, interval=None, signature=expected.signature) == expected


def test_segment_scores_are_local_ones_and_other_columns_stay(session, texts):
    weak, _, ref, ref2 = texts
    rows = [
        (i, w, [r, s] if i % 2 else [r], i % 3 == 0)
        for i, (w, r, s) in enumerate(zip(weak, ref, ref2, strict=True))
    ]
    df = session.createDataFrame(
        rows, "`the.id` long, `my hyp` string, `my.refs` array<string>, third boolean"
    )
    found = us.segments(df.repartition(3), "my hyp", "my.refs", ["bleu", "chrf", "nist"])
    assert found.columns == ["the.id", "my hyp", "my.refs", "third", "bleu", "chrf", "nist"]
    collected = sorted(found.collect())
    assert [tuple(row[:4]) for row in collected] == [(i, w, r, t) for i, w, r, t in rows]
    for place, name in enumerate(("bleu", "chrf", "nist"), start=4):
        local = understudy.metric(name).segments(weak, [row[2] for row in rows])
        assert [row[place] for row in collected] == local.tolist()


def test_comparison_is_the_local_one_with_the_same_samples(wide, df, texts):
    weak, strong, ref, _ = texts
    found = us.compare(wide.repartition(5), ["weak", "strong"], ["ref"], ["bleu", "ter"], id="id")
    plan = Plan(test="bootstrap", level="corpus")
    counted = count_systems({"weak": weak, "strong": strong}, ref, ["bleu", "ter"])
    for compared, evidence in zip(found.metrics, counted.evidence, strict=True):
        drawn = poisson_scores(evidence, [f"s{i}" for i in range(len(ref))], 1000, 12345)
        local = compare_metric(evidence, evidence, drawn, plan, [(1, 0)], references=(1, 1), label="")
        assert compared.systems == local.systems
        (pair,), (expected,) = compared.pairs, local.pairs
        assert pair.effect_size == pytest.approx(expected.effect_size, rel=1e-12)
        assert replace(pair, effect_size=None) == replace(expected, effect_size=None)
        assert "test:poisson-bootstrap" in compared.signature
    assert repr(found).splitlines()[2].startswith("strong   57.81▲")
    # A row for every system, and other names of segments.
    named = [str(i) for i in range(len(ref))]
    long = us.compare(df, ["weak", "strong"], ["ref"], ["bleu"], id="id", system="system", level="mean")
    evidence = count_systems({"weak": weak, "strong": strong}, ref, ["bleu"], level="mean").evidence[0]
    drawn = poisson_scores(evidence, named, 1000, 12345)
    assert long.pairs[0].interval == interval_of(drawn[:, 1] - drawn[:, 0], 0.95)
    assert long.pairs[0].difference == pytest.approx(evidence.scores[1] - evidence.scores[0], rel=1e-13)
    all_pairs = us.compare(
        wide, {"a": "weak", "b": "strong", "c": "ref2"}, "ref", "chrf", id="id", all_pairs=True
    )
    assert len(all_pairs.pairs) == 3


def test_metrics_that_compare_texts_of_a_set_with_each_other_see_their_group(df, texts):
    found = us.score(df.repartition(4), "hyp", None, ["self-bleu"], by="system")
    assert found["weak"][0] == understudy.metric("self-bleu").corpus(texts[0])
    with pytest.raises(BadParameter, match="cannot compare systems"):
        us.compare(df, None, None, "self-bleu", id="id", system="system")


def test_metrics_that_use_documents(session, texts):
    weak, _, ref, _ = texts
    documents = [f"d{i // 7}" for i in range(len(ref))]
    df = session.createDataFrame(
        list(zip(weak, ref, documents, strict=True)), "hyp string, ref string, doc string"
    )
    found = us.score(df.repartition(3), metrics="weighted-ngram", documents="doc")
    assert found["hyp"].scores[0] == understudy.metric("weighted-ngram").corpus(
        weak, ref, documents=documents
    )


def test_nulls(session):
    rows = [(1, "a b c d", "a b c d", None), (2, None, "e f g h", "e f"), (3, "i j k l", None, "i j k x")]
    df = session.createDataFrame(rows, "id int, hyp string, ref string, ref2 string")
    with pytest.raises(
        BadInput,
        match=r"^hypothesis: column 'hyp' is null in 1 of \d rows? of a batch, first where 'ref' is 'e f g h'\.",
    ):
        us.score(df, references=["ref", "ref2"])
    with pytest.raises(BadInput, match="first at id 2"):
        us.score(df, references=["ref", "ref2"], ci=True, id="id")
    for nulls, hypotheses in (("empty", ["a b c d", "", "i j k l"]), ("drop", ["a b c d", "i j k l"])):
        references = [["a b c d"], ["e f g h", "e f"], ["i j k x"]]
        kept = [references[0], references[2]] if nulls == "drop" else references
        local = understudy.BLEU().corpus(hypotheses, kept)
        assert us.score(df, references=["ref", "ref2"], nulls=nulls)["hyp"].scores[0] == local
    with pytest.raises(
        BadInput, match=r"^references: 1 row of a batch has none \(ref\), first where 'hyp' is 'i j k l'\."
    ):
        us.score(df.filter("id <> 2"), references=["ref"])
    assert us.score(df, references=["ref"], nulls="drop").segments == 1


def test_names_of_dropped_rows_need_not_be_unique(session):
    rows = [
        (1, "a b c d", ["a b c d"], None),
        (1, None, ["a"], None),  # no hypothesis
        (2, "e f g h", None, "e f g x"),
        (2, "e f g h", [None], None),  # no reference
        (None, None, ["a"], None),
        (None, None, ["a"], None),
    ]
    df = session.createDataFrame(rows, "id int, hyp string, ref array<string>, ref2 string")
    options = {"references": ["ref", "ref2"], "metrics": "chrf", "id": "id", "nulls": "drop"}
    once = df.filter("hyp is not null and (ref[0] is not null or ref2 is not null)")
    assert us.score(df, ci=True, **options) == us.score(once, ci=True, **options)
    assert us.score(df, ci=True, **options).segments == 2
    other = df.withColumn("other", df.hyp)
    assert us.compare(other, ["hyp", "other"], **options).segments == 2
    with pytest.raises(BadInput, match=r"^id: 2 rows have the name 1 in column 'id'"):
        us.score(df.filter("id = 1"), ci=True, **{**options, "nulls": "empty"})
    with pytest.raises(BadInput, match=r"^id: 2 rows have the name \d in column 'id'"):
        us.score(once.union(once), ci=True, **options)


def test_a_group_without_rows_that_stay_has_no_scores(session):
    rows = [("x", "a b c", "a b d"), ("y", None, "a b"), ("x", "d e f", "d e g")]
    df = session.createDataFrame(rows, "g string, hyp string, ref string")
    for metrics in ("chrf", "nist"):  # counted at once, or fitted on each group first
        assert list(us.score(df, by="g", metrics=metrics, nulls="drop")) == [("x",)]


def test_a_comparison_without_some_rows_is_fitted_on_the_others(session, texts):
    weak, strong, ref, _ = texts
    lacking = {("weak", 3), ("strong", 7), ("strong", 9)}
    rows = [
        (i, name, None if (name, i) in lacking else column[i], ref[i])
        for name, column in (("weak", weak), ("strong", strong))
        for i in range(20)
    ]
    df = session.createDataFrame(rows, "id int, system string, hyp string, ref string")
    options = {"references": "ref", "metrics": "nist", "id": "id", "system": "system"}
    found = us.compare(df, ["weak", "strong"], **options, nulls="drop")
    left = [i for i in range(20) if i not in (3, 7, 9)]
    local = understudy.compare(
        {"weak": [weak[i] for i in left], "strong": [strong[i] for i in left]},
        [ref[i] for i in left],
        "nist",
        test="bootstrap",
    )
    assert [(each.name, each.score) for each in found.metrics[0].systems] == [
        (each.name, each.score) for each in local.metrics[0].systems
    ]
    with pytest.raises(BadInput, match=r"^hypothesis: the translation of system 'weak' is null in 1 of"):
        us.compare(df, ["weak", "strong"], **options)


def test_arrays_of_references_with_nulls_and_empty_ones(session):
    rows = [("a b", ["a b", None, "b a"]), ("c d", ["c"]), ("e f", [None, "e f"])]
    df = session.createDataFrame(rows, "hyp string, refs array<string>")
    local = understudy.CHRF().corpus([row[0] for row in rows], [["a b", "b a"], ["c"], ["e f"]])
    assert us.score(df.coalesce(1), references="refs", metrics="chrf")["hyp"].scores[0] == local
    nothing: list[Any] = [[], None, [None]]
    for lacking in nothing:
        more = session.createDataFrame([*rows, ("g", lacking)], df.schema)
        with pytest.raises(BadInput, match=r"have none|has none"):
            us.score(more, references="refs")


def test_groups_that_are_null_skewed_or_named_oddly(session):
    rows = [("a b c d", "a b c e", "big" if i % 10 else None, i % 10 == 0) for i in range(400)]
    df = session.createDataFrame(
        rows, "hyp string, ref string, `which.one of` string, flag boolean"
    ).repartition(9)
    found = us.score(df, by=["which.one of", "flag"], metrics=["chrf"])
    assert [(group, scores[0].segments) for group, scores in found.groups.items()] == [
        (("big", False), 360),
        ((None, True), 40),
    ]
    assert found.rows()[1]["which.one of"] is None
    assert found[None, True][0].value == understudy.CHRF().corpus(["a b c d"], ["a b c e"]).value
    assert [tuple(row)[:2] for row in found.to_spark(session, df).collect()] == [("big", False), (None, True)]
    assert list(found.to_frame()["segments"]) == [360, 40]
    assert list(found) == [("big", False), (None, True)]
    assert len(found) == 2
    with pytest.raises(BadParameter, match="unknown group 'small'"):
        found["small"]


def test_empty_partitions_and_empty_data_frames(session):
    df = session.createDataFrame(
        [(i, "a b", "a c") for i in range(3)], "id int, hyp string, ref string"
    ).repartition(8)
    assert us.score(df, metrics="chrf", ci=True, id="id").segments == 3
    for empty in (df.filter("id > 5"), session.createDataFrame([], df.schema)):
        with pytest.raises(NoSegments, match=r"^the data frame has no rows to score"):
            us.score(empty)
        assert us.segments(empty).count() == 0


WRONG = {
    "unknown column 'hyps'. Did you mean 'hyp'": {"hypothesis": "hyps"},
    "hypothesis: column 'id' has the type bigint, expected strings": {"hypothesis": "id"},
    "references: column 'id' has the type bigint": {"references": ["id"]},
    "bleu needs references": {"references": None},
    "by: column 'refs' has the type array<string>": {"by": ["refs"]},
    "by: a column is named twice": {"by": ["system", "system"]},
    "ci needs the names of segments": {"ci": True},
    "id: 2 rows have the name": {"ci": True, "id": "id"},
    "nulls='x': expected error, empty, drop": {"nulls": "x"},
    "level='segment': expected corpus, mean": {"level": "segment"},
    "unknown metric 'blue'": {"metrics": "blue"},
    "parses text, which is not supported on Spark": {"metrics": "hwcm"},
    "by: column 'Score' has the name of a column of results": {"by": ["Score"]},
    "samples=0: expected an integer of at least 1": {"samples": 0},
}


@pytest.mark.parametrize(("message", "given"), WRONG.items(), ids=WRONG)
def test_bad_arguments_are_refused_in_one_line(df, message, given):
    from pyspark.sql import functions

    with pytest.raises(UnderstudyError) as error:
        us.score(df.withColumns({"refs": functions.array("ref"), "Score": functions.lit("x")}), **given)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_rows_are_refused_in_one_line(session, df):
    chinese = session.createDataFrame(
        [("我们喜欢机器翻译。", "我们喜欢翻译。")] * 5, "hyp string, ref string"
    )
    with pytest.raises(NoTokenizerChosen, match=r"^references: Chinese text.*lang='zh'"):
        us.score(chinese)
    assert us.score(chinese, lang="zh")["hyp"].scores[0].value > 10
    for copies in (1, 2):
        unnamed = session.createDataFrame([(None, "a", "a")] * copies, "id int, hyp string, ref string")
        with pytest.raises(BadInput, match=r"^id: column 'id' has nulls"):
            us.score(unnamed, ci=True, id="id")
    one = session.createDataFrame([(1, "a", "a")], "id int, hyp string, ref string")
    with pytest.raises(BadParameter, match=r"^samples=1: all samples of 1 segment are empty"):
        us.score(one, ci=True, id="id", samples=1, seed=1)
    with pytest.raises(WrongType, match="expected a Spark data frame"):
        us.score([1, 2])
    twice = df.select("hyp", "ref", df.ref2.alias("ref"))
    with pytest.raises(BadInput, match="2 columns 'ref'"):
        us.score(twice)
    for name in ("bleu", "BLEU"):
        with pytest.raises(BadParameter, match="already a column 'bleu'"):
            us.segments(df.withColumnRenamed("ref2", name))


def test_bad_rows_of_a_comparison(df):
    options = {"references": "ref", "id": "id", "system": "system"}
    with pytest.raises(BadInput, match=r"segment '\d+' has 0 rows of system 'weak', expected one row"):
        us.compare(df.filter("id <> 5 or system <> 'weak'"), **options)
    with pytest.raises(BadInput, match=r"segment '7' has 2 rows of system 'strong'"):
        us.compare(df.union(df.filter("id = 7 and system = 'strong'")), **options)
    with pytest.raises(BadInput, match=r"segment '\d+' has other references for one system"):
        us.compare(df, **{**options, "references": "hyp"})
    with pytest.raises(BadParameter, match=r"has no 'good'. Known: strong, weak"):
        us.compare(df, ["good", "weak"], **options)
    with pytest.raises(BadParameter, match="there are no systems"):
        us.compare(df, id="id")


def test_another_version_on_the_executors_is_refused(df, monkeypatch):
    from understudy.spark.totals import Counting

    field = Counting.__dataclass_fields__["version"]
    monkeypatch.setattr(Counting.__init__, "__defaults__", (*Counting.__init__.__defaults__[:-1], "0.0.9"))
    assert field.name == "version"
    with pytest.raises(BadInput, match=r"the driver has 0.0.9. Scores may differ between versions"):
        us.score(df)


def test_a_warning_of_executors_arrives(session):
    from understudy.errors import InputWarning

    df = session.createDataFrame([("Привет мир", "Привет мир")] * 3, "hyp string, ref string")
    with pytest.warns(InputWarning, match="discards 100% of the letters"):
        us.score(df, metrics="rouge1")


def test_a_worker_that_is_killed_changes_nothing(df, tmp_path):
    how = {"by": "system", "metrics": ["bleu", "rouge:kind=W"], "ci": True, "id": "id", "samples": 50}
    expected = us.score(df, **how)
    folder = str(tmp_path)

    def dying_in_pass_2(batches):  # the first pass checks the names of segments, the second counts
        this_pass = len(os.listdir(folder)) + 1
        open(os.path.join(folder, str(this_pass)), "w").close()
        for number, batch in enumerate(batches):
            yield batch
            if number == 1 and this_pass == 2:
                os.kill(os.getpid(), signal.SIGKILL)

    found = us.score(df.coalesce(1).mapInArrow(dying_in_pass_2, df.schema), **how)
    assert sorted(os.listdir(folder)) == ["1", "2", "3"]
    assert found.groups == expected.groups


def test_without_pandas_the_extra_is_named(df, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"need pyspark 4, pyarrow and pandas: pip install '.*\[spark\]'"):
        us.score(df, "hyp", ["ref"], ["bleu"])


def test_errors_of_the_pass_that_fits_are_understudys(df):
    def failing(_batches):
        raise ModuleNotFoundError("No module named 'understudy'")

    with pytest.raises(MissingExtra, match=r"^the executors' Python has no module 'understudy'"):
        us.score(df.mapInArrow(failing, df.schema), references=None, metrics="self-bleu")


def test_many_groups_are_emitted_in_parts(session):
    df = session.createDataFrame(
        [(i, i % 90, "a b c", "a b d") for i in range(900)], "id int, g int, hyp string, ref string"
    )
    found = us.score(df, by="g", metrics="chrf", ci=True, id="id", samples=500)
    assert {scores[0].segments for scores in found.groups.values()} == {10}
    assert np.ptp([score.value for scores in found.groups.values() for score in scores]) == 0

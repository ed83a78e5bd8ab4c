"""A whole job: tables that are read and written; and groups of rows."""

from __future__ import annotations

import shutil
import tracemalloc
from typing import Any

import numpy as np
import pytest

import understudy
from understudy.errors import BadInput
from understudy.resampling.exact_sums import WHOLE
from understudy.spark import job
from understudy.spark.batches import TextBatch
from understudy.spark.columns import Columns
from understudy.spark.totals import Counting, _by_group

pytest.importorskip("pyspark", reason="needs pyspark: pip install '.[test]'")
pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[test]'")
if shutil.which("java") is None:
    pytest.skip("needs Java: tools/system_packages.sh", allow_module_level=True)

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one session for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]


def test_a_table_that_exists_is_not_scored_for(session, tmp_path, monkeypatch):
    session.createDataFrame([("a", "b", "s")], "hyp string, ref string, system string").write.parquet(
        str(tmp_path / "in")
    )
    monkeypatch.setattr(job, "score", lambda *_, **__: pytest.fail("the table was scored"))
    with pytest.raises(BadInput, match=r"in' exists already\. Remove it, or write to another folder\."):
        job.run_job(str(tmp_path / "in"), str(tmp_path / "in"), by=["system"], references=["ref"])
    with pytest.raises(BadInput, match=r"^'none://out' cannot be written: "):
        job.run_job(str(tmp_path / "in"), "none://out", by=["system"], references=["ref"])


@pytest.mark.usefixtures("session")
class TestTables:
    """By default, Spark scores rows as if nothing were wrong with them."""

    @pytest.fixture
    def scored(self, tmp_path):
        def scored(suffix, *texts, **how):
            for number, text in enumerate(texts):
                (tmp_path / f"{number}.{suffix}").write_text(text, encoding="utf-8", newline="")
            found: Any = job.run_job(
                str(tmp_path), input_format=suffix, references=["ref"], metrics="chrf", **how
            )
            return found["hyp"].scores[0]

        return scored

    def test_csv_is_that_of_other_programs(self, scored):
        found = scored("csv", '\ufeffhyp,ref\r\n"a ""b"", c",a b\r\n"",d e\r\n"f\ng",f g\r\n')
        assert found == understudy.CHRF().corpus(['a "b", c', "", "f\ng"], ["a b", "d e", "f g"])

    @pytest.mark.parametrize(
        ("suffix", "texts", "message"),
        [
            ("csv", ["hyp,ref\na b,a b, and more\n"], "MALFORMED_CSV_RECORD.*a b,a b, and more"),
            ("csv", ["hyp,ref,x\na, b,a b,1\n"], "MALFORMED_CSV_RECORD.*a, b,a b,1"),
            ("csv", ["hyp,ref\na b,a b\nc\n"], "MALFORMED_CSV_RECORD"),
            ("csv", ["hyp,ref\na b,c d\n", "ref,hyp\nc d,a b\n"], "CSV header does not conform"),
            ("json", ['{"hyp": "a", "ref": "a"}\n{"hyp": "b", "ref": "b"\n'], "Unexpected end-of-input"),
            ("parquet", ["PAR1 and no footer PAR1"], "footer"),
        ],
    )
    def test_rows_that_are_damaged_are_refused_in_one_line(self, scored, suffix, texts, message):
        with pytest.raises(
            BadInput, match=rf"^'.*' cannot be (scored|read as {suffix}): .*{message}"
        ) as error:
            scored(suffix, *texts, nulls="drop")
        assert "\n" not in str(error.value)


def test_groups_of_many_columns_do_not_run_into_each_other():
    """Numbers of groups would pass 2⁶⁴ here: the last row would be of the first row's group."""
    values = 8192
    columns = [np.arange(values) * odd % values for odd in (1, 3, 5, 7, 9)]
    columns = [
        np.append(column, column[values // 2 if place == 0 else 0]) for place, column in enumerate(columns)
    ]
    texts = {name: ["a"] * (values + 1) for name in ("hyp0", "ref0")}
    batch = pa.record_batch({**{f"by{i}": column for i, column in enumerate(columns)}, **texts})
    found = TextBatch.of(batch, Columns(("hyp",), ("ref",), tuple("abcde")))
    assert found is not None
    assert sum(1 for _ in found.groups()) == values + 1


def test_the_driver_has_no_python_object_for_each_sample():
    groups, samples = 100, 500
    counting = Counting(Columns(("hyp",), ("ref",), ("g",)), (understudy.BLEU(),), "corpus", samples, 1)
    rows = groups * 2 * (1 + samples)  # of the segments, and of BLEU
    sample = np.tile(np.arange(1 + samples, dtype=np.int32), 2 * groups)
    unit = np.tile(np.repeat(np.array([-1, 0], np.int32), 1 + samples), groups)
    first = sample == 0
    found = pa.table(
        {
            "by0": [f"g{row // (2 * (1 + samples)):03}" for row in range(rows)],
            "unit": unit,
            "position": np.full(rows, WHOLE, np.int32),
            "sample": sample,
            "fewest": pa.array(np.ones(rows, np.int32), mask=~(first & (unit < 0))),
            "most": pa.array(np.ones(rows, np.int32), mask=~(first & (unit < 0))),
            "input": pa.array(["{}"] * rows, mask=~(first & (unit == 0))),
            "other": pa.array(["{}"] * rows, mask=~(first & (unit == 0))),
            **{f"s{k}": np.arange(rows) + k for k in range(counting.width)},
        }
    ).take(np.random.default_rng(1).permutation(rows))
    tracemalloc.start()
    totals = list(_by_group(found, counting))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each.group for each in totals] == [(f"g{number:03}",) for number in range(groups)]
    of_last = (groups - 1) * 2 * (1 + samples) + 1 + samples
    assert totals[-1].of_unit(0)[:, 3].tolist() == [of_last + row + 3 for row in range(1 + samples)]
    assert (totals[0].references, totals[0].inputs) == ((1, 1), {0: {}})
    assert most < 200 * rows  # bytes, of which 80 are BLEU's statistics

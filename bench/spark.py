"""Speed and memory on Spark, `local[2]`, against a local score of the same rows: `python bench/spark.py [ROWS]`.

The rows are example segments with numbers in them, so that no two are equal, written to Parquet first. Needs Java.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
EXAMPLES = Path(__file__).parents[1] / "examples"
METRICS = ["bleu", "chrf"]


def write_table(path: str) -> None:
    import pyarrow
    import pyarrow.parquet

    hypotheses, references = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("system-strong.en", "reference-1.en")
    )
    schema = pyarrow.schema([(name, pyarrow.string()) for name in ("id", "system", "hyp", "ref")])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, ROWS, 100_000):
            rows = range(start, min(start + 100_000, ROWS))
            which = [row % len(references) for row in rows]
            columns = [
                [str(row) for row in rows],
                ["most" if row % 10 else "few" for row in rows],  # one group has 90 % of the rows
                [f"{hypotheses[i]} {row % 977}" for i, row in zip(which, rows, strict=True)],
                [f"{references[i]} {row % 983}" for i, row in zip(which, rows, strict=True)],
            ]
            writer.write_table(pyarrow.table(columns, schema=schema), row_group_size=100_000)


def timed(what: str, work) -> object:
    start = time.perf_counter()
    found = work()
    seconds = time.perf_counter() - start
    print(f"{what:<46} {seconds:7.1f} s  {ROWS / seconds:10,.0f} rows/s", flush=True)
    return found


def main() -> None:
    import understudy
    import understudy.spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/table.parquet"
        write_table(path)
        print(f"{ROWS:,} rows, {os.path.getsize(path) / 1e6:,.0f} MB of Parquet; {', '.join(METRICS)}")
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "1g")
            .config("spark.sql.shuffle.partitions", "4")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("OFF")
        df = session.read.parquet(path)
        score = understudy.spark.score
        timed(
            "Spark: read and sum the lengths, no Python",
            lambda: df.selectExpr("sum(length(hyp) + length(ref))").collect(),
        )
        found = timed("Spark: score", lambda: score(df, metrics=METRICS))
        timed("Spark: score, two groups", lambda: score(df, metrics=METRICS, by="system"))
        timed("Spark: score with 1,000 samples", lambda: score(df, metrics=METRICS, ci=True, id="id"))
        session.stop()
        print(
            "memory of the driver's Python, without Java and the workers: "
            f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"
        )
        local = timed(
            "local: understudy.score of the file, 2 threads",
            lambda: understudy.score({"hyp": f"{path}:hyp"}, [f"{path}:ref"], METRICS, threads=2),
        )
        print("same scores:", found["hyp"].scores == local["hyp"].scores)


if __name__ == "__main__":
    main()

"""Spark's process that forks Python workers, which has loaded everything first: a worker then starts at once."""

import pandas  # noqa: F401
import pyarrow.compute  # noqa: F401
import pyspark.daemon

import understudy.spark.segments
import understudy.spark.totals  # noqa: F401

if __name__ == "__main__":
    pyspark.daemon.manager()

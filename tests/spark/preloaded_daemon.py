"""Spark's process that forks Python workers, which has loaded everything first: a worker then starts at once."""

import pyspark.daemon

import understudy.spark.segments  # noqa: F401
import understudy.spark.totals  # noqa: F401

if __name__ == "__main__":
    import pandas  # noqa: F401
    import pyarrow.compute  # noqa: F401

    pyspark.daemon.manager()

"""Spark's process that forks Python workers, which has loaded everything first: a worker then starts at once."""

import pyspark.daemon

import understudy.spark.segments
import understudy.spark.totals

if __name__ == "__main__":
    import pandas
    import pyarrow.compute

    pyspark.daemon.manager()

"""One Spark session for all tests that need one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="package")
def session():
    from pyspark.sql import SparkSession

    environment = pytest.MonkeyPatch()
    environment.setenv("PYSPARK_PYTHON", sys.executable)
    environment.setenv("PYTHONPATH", str(Path(__file__).parent))
    environment.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    found = (
        SparkSession.builder.master("local[2,2]")  # a task may fail once
        .config("spark.default.parallelism", "1")
        .config("spark.python.daemon.module", "preloaded_daemon")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "512m")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "40")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()
    environment.undo()

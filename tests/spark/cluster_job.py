"""Run by test_cluster.py in a process of its own: a job on a small cluster, one of whose executors is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any

from pyspark.sql import SparkSession

import understudy.spark

score: Any = understudy.spark.score  # what it returns depends on its arguments


def executors() -> list[int]:
    """The processes of the cluster's executors."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                command = file.read()
            with open(f"/proc/{name}/environ", "rb") as file:
                ours = os.environ["UNDERSTUDY_CLUSTER"].encode() in file.read()
        except (OSError, ValueError):
            continue
        if ours and b"CoarseGrainedExecutorBackend" in command:
            found.append(int(name))
    return found


def kill_one(when: str) -> None:
    """As soon as a task has begun."""
    while not os.path.exists(when):
        time.sleep(0.05)
    os.kill(executors()[0], signal.SIGKILL)


def main(folder: str) -> None:
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "512m")
        .config("spark.executor.memory", "512m")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    rows = [
        (i, f"the cat sat on mat {i % 7}", f"the cat is on mat {i % 5}", "ab"[i % 10 == 0])
        for i in range(400)
    ]
    df = session.createDataFrame(rows, "id int, hyp string, ref string, g string").repartition(4).cache()
    # Without intervals and metrics to fit there is one job, which counts: the executor is killed in it.
    how = {"metrics": ["bleu", "rouge:kind=W"], "by": "g"}
    expected = score(df, **how)
    began = os.path.join(folder, "began")

    def slowly(batches):
        for batch in batches:
            open(began, "w").close()
            time.sleep(1)
            yield batch

    killer = threading.Thread(target=kill_one, args=(began,))
    before = executors()
    killer.start()
    found = score(df.mapInArrow(slowly, df.schema), **how)
    killer.join()
    local = understudy.BLEU().corpus(
        [row[1] for row in rows if row[3] == "a"], [row[2] for row in rows if row[3] == "a"]
    )
    print("executors", len(before))
    print("killed", not set(before) <= set(executors()))
    print("same after kill", found.groups == expected.groups)
    print("same as local", found["a"][0].value == local.value and found["a"][0].detail == local.detail)
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1])

"""How long `understudy trust` takes: every coefficient of many metrics, with intervals, chance, tests and the rest.

python bench/agreement.py            20 systems, 2,000 segments, 10 metrics, 1,000 samples
python bench/agreement.py --quick    a tenth of the samples

The command is run as a user would run it, on files of made-up scores, so that reading them is part of the time.

And how long the significance tests of the WMT metrics tasks take: all 45 pairs of ten metrics by soft pairwise accuracy
and by accuracy with calibrated ties, of 12 systems and 1,000 judged segments. Where google-research's mt-metrics-eval
can be imported, beside it: a few of its exchanges, multiplied.
"""

from __future__ import annotations

import argparse
import functools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_tests.metric_ranking import null_differences
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan

SYSTEMS, SEGMENTS, METRICS, SAMPLES = 20, 2_000, 10, 1_000
TARGET = 30.0  # seconds, on two cores

TASK_SYSTEMS, TASK_SEGMENTS = 12, 1_000
TASK_TARGET = 60.0  # seconds of CPU
PEER_EXCHANGES = 3  # of mt-metrics-eval, for one pair of metrics


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the samples")
    samples = SAMPLES // 10 if arguments.parse_args().quick else SAMPLES
    wall, cpu = time_of_trust(samples)
    coefficients = len(TrustPlan(coefficients=("all",)).asked())
    print(
        f"{coefficients} coefficients of {METRICS} metrics, {SYSTEMS} systems, {SEGMENTS:,} segments, {samples:,} "
        f"samples, two threads: {wall:.1f} s, {cpu:.1f} s of CPU (target: {TARGET:.0f} s)"
    )
    print_task_tests(samples)


def print_task_tests(samples: int) -> None:
    """All pairs of metrics by the coefficients and tests of the WMT metrics tasks."""
    human, metrics = made_up(TASK_SYSTEMS, TASK_SEGMENTS)
    names = tuple(f"S{system}" for system in range(TASK_SYSTEMS))
    pairings = {
        f"metric{number}": PairedScores(names, human, scores) for number, scores in enumerate(metrics)
    }
    ours, peers = [], []
    for asked, peer in (
        (CoefficientSpec("spa", "system"), soft_accuracy_of_peer),
        (CoefficientSpec("acc-eq", "segment", "segment"), tied_accuracy_of_peer),
    ):
        test = TrustPlan(rank_by=asked.coefficient).test_of(asked.level)
        started = time.process_time()
        null_differences(pairings, asked, test=test, samples=samples)
        ours.append(time.process_time() - started)
        peers.append(time_of_peer(peer, human, metrics[:2], samples))
        beside = f", mt-metrics-eval {peers[-1]:,.0f} s ({peers[-1] / ours[-1]:,.0f} x)" if peers[-1] else ""
        print(f"{METRICS} metrics by {asked.coefficient}, {test}: {ours[-1]:.1f} s of CPU{beside}")
    print(
        f"together, {METRICS * (METRICS - 1) // 2} pairs, {TASK_SYSTEMS} systems, {TASK_SEGMENTS:,} judged segments, "
        f"{samples:,} samples: {sum(ours):.1f} s of CPU (target: {TASK_TARGET:.0f} s)"
    )


def time_of_peer(peer: Callable[..., object], human: Floats, metrics: list[Floats], samples: int) -> float:
    """What mt-metrics-eval would take for all pairs, in seconds of CPU; 0 if it is not there."""
    try:
        from mt_metrics_eval import stats
    except ImportError:
        return 0.0
    flat = [
        stats.Correlation(TASK_SYSTEMS, human.ravel().tolist(), each.ravel().tolist()) for each in metrics
    ]
    started = time.process_time()
    peer(stats, *flat)
    each = (time.process_time() - started) / (PEER_EXCHANGES + 1)  # and once before the first exchange
    return each * samples * METRICS * (METRICS - 1) / 2


def soft_accuracy_of_peer(stats: Any, one: Any, other: Any) -> None:
    coefficient = functools.partial(stats.PairwiseConfidenceError, num_sys=TASK_SYSTEMS)
    stats.PermutationSigDiff(one, other, coefficient, "none", PEER_EXCHANGES)


def tied_accuracy_of_peer(stats: Any, one: Any, other: Any) -> None:
    stats.PairwisePermutationSigDiff(one, other, "acc23", "item", PEER_EXCHANGES, epsilon1=0.1, epsilon2=0.1)


def time_of_trust(samples: int = SAMPLES, threads: int = 2) -> tuple[float, float]:
    """Seconds by the clock and of CPU."""
    with tempfile.TemporaryDirectory() as folder:
        human, scores = Path(folder) / "human.tsv", Path(folder) / "scores.tsv"
        write_made_up(human, scores)
        command = [
            sys.executable,
            "-m",
            "understudy",
            "trust",
            "--human",
            str(human),
            "--scores",
            str(scores),
        ]
        command += ["--coefficient", "all", "--samples", str(samples), "--threads", str(threads), "-f", "tsv"]
        started, used = time.perf_counter(), _cpu()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows = len(done.stdout.splitlines()) - 1
        # All but ties of all translations together, or of a system, of which there are too many pairs.
        assert rows == METRICS * (len(TrustPlan(coefficients=("all",)).asked()) - 2), rows
        return time.perf_counter() - started, _cpu() - used


def made_up(systems: int, segments: int) -> tuple[Floats, list[Floats]]:
    """Judgments like MQM: whole numbers up to 0, half of them 0, that metrics follow more or less."""
    generator = np.random.default_rng(12345)
    quality = np.linspace(-2, 0, systems)[:, np.newaxis] + generator.normal(0, 1.5, segments)
    human = np.minimum(0.0, np.round(generator.normal(quality, 2)))
    return human, [human + generator.normal(0, 1 + noise, human.shape) for noise in range(METRICS)]


def write_made_up(human_file: Path, scores_file: Path) -> None:
    human, metrics = made_up(SYSTEMS, SEGMENTS)
    _write(human_file, ["score"], [human])
    _write(scores_file, [f"metric{noise}" for noise in range(METRICS)], metrics)


def _write(file: Path, names: list[str], tables: list[Floats]) -> None:
    lines = ["\t".join(["system", "seg", *names])]
    for system in range(SYSTEMS):
        for segment in range(SEGMENTS):
            values = (f"{table[system, segment]:.6g}" for table in tables)
            lines.append("\t".join([f"S{system}", str(segment + 1), *values]))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

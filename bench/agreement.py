"""How long `understudy trust` takes: every coefficient of many metrics, with intervals, chance, tests and the rest.

python bench/agreement.py            20 systems, 2,000 segments, 10 metrics, 1,000 samples
python bench/agreement.py --quick    a tenth of the samples

The command is run as a user would run it, on files of made-up scores, so that reading them is part of the time.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from understudy.agreement.trust_plan import TrustPlan
from understudy.comparison.evidence import Floats

SYSTEMS, SEGMENTS, METRICS, SAMPLES = 20, 2_000, 10, 1_000
TARGET = 30.0  # seconds, on two cores


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


def write_made_up(human_file: Path, scores_file: Path) -> None:
    """Judgments like MQM: whole numbers up to 0, half of them 0, that metrics follow more or less."""
    generator = np.random.default_rng(12345)
    quality = np.linspace(-2, 0, SYSTEMS)[:, np.newaxis] + generator.normal(0, 1.5, SEGMENTS)
    human = np.minimum(0.0, np.round(generator.normal(quality, 2)))
    metrics = [human + generator.normal(0, 1 + noise, human.shape) for noise in range(METRICS)]
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

"""How long it takes to say how far people and metrics agree: every coefficient with an interval.

python bench/agreement.py            20 systems, 2,000 segments, 10 metrics, 1,000 samples
python bench/agreement.py --quick    a tenth of the samples
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from understudy.agreement.coefficients import COEFFICIENTS
from understudy.agreement.intervals import Asked, estimates
from understudy.agreement.pairing import Pairing

SYSTEMS, SEGMENTS, METRICS, SAMPLES = 20, 2_000, 10, 1_000
TARGET = 30.0  # seconds, on two cores


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the samples")
    samples = SAMPLES // 10 if arguments.parse_args().quick else SAMPLES
    wall, cpu, coefficients = time_of_agreement(samples)
    print(
        f"{coefficients} coefficients of {METRICS} metrics, {SYSTEMS} systems, {SEGMENTS:,} segments, {samples:,} "
        f"samples: {wall:.1f} s, {cpu:.1f} s of CPU (target: {TARGET:.0f} s)"
    )


def time_of_agreement(samples: int = SAMPLES, threads: int = 2) -> tuple[float, float, int]:
    """Seconds by the clock and of CPU, and how many coefficients of each metric that was."""
    pairings = made_up()
    started, used = time.perf_counter(), _cpu()
    estimates(pairings, EVERYTHING, samples=samples, threads=threads)
    return time.perf_counter() - started, _cpu() - used, len(EVERYTHING)


# Ties of all pairs of translations, or of all of a system, are too many to calibrate.
EVERYTHING = [
    Asked(coefficient.name, coefficient.level, grouping)
    for coefficient in COEFFICIENTS
    for grouping in coefficient.groupings
    if coefficient.name != "acc-eq" or grouping == "segment"
]


def made_up() -> dict[str, Pairing]:
    """Judgments like MQM: whole numbers up to 0, half of them 0, that metrics follow more or less."""
    generator = np.random.default_rng(12345)
    quality = np.linspace(-2, 0, SYSTEMS)[:, np.newaxis] + generator.normal(0, 1.5, SEGMENTS)
    human = np.minimum(0.0, np.round(generator.normal(quality, 2)))
    systems = tuple(f"system {number}" for number in range(SYSTEMS))
    return {
        f"metric {noise}": Pairing(systems, human, human + generator.normal(0, 1 + noise, human.shape))
        for noise in range(METRICS)
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

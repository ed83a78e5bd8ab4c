"""Measures the blind spots of metrics on the example data, for the section "Blind spots" of their reference pages.

    python tools/blind_spots.py              # all metrics that can run on this machine
    python tools/blind_spots.py bleu chrf    # these metrics

The measurements are in docs/metrics/blind-spots.tsv; `tools/reference_pages.py` writes them to the pages. Syntax-based
metrics and the perturbations of parts of speech need the English parser; METEOR and the perturbations of word senses
need WordNet.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from understudy import Corpus, metric, probe
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metrics
from understudy.probing.perturbations.blind_spots import FEWEST_SEGMENTS
from understudy.probing.perturbations.results import BlindSpot, Perturbations
from understudy.report.probe_response_tables import ranked_errors
from understudy.report.probe_wording import percent, percent_with_interval, strength_in_words

ROOT = Path(__file__).resolve().parents[1]
MEASUREMENTS = ROOT / "docs" / "metrics" / "blind-spots.tsv"
SYSTEM = "examples/system-medium.en"
REFERENCES = ("examples/reference-1.en", "examples/reference-2.en")
LEAST_NOTICED = 8  # errors in a table
GRAVE = ("facts", "meaning")  # groups of errors of which the least noticed are in a table, too
LEAST_NOTICED_GRAVE = 4


@dataclass(frozen=True)
class Measurement:
    """One error under one metric, as a table shows it."""

    metric: str  # its spec
    error: str
    strength: str
    segments: str
    sensitivity: str
    false_alarms: str
    below_harmless: str
    verdict: str


def measured(spec: str) -> list[Measurement]:
    """The least noticed errors of a metric, and the least noticed errors of fact and meaning."""
    corpus = Corpus.read([ROOT / SYSTEM], [ROOT / reference for reference in REFERENCES])
    found = probe(corpus, metrics=[spec], lang="en", what=("perturbations",)).perturbations
    assert found is not None
    spots = {(spot.perturbation, spot.strength): spot for spot in found.blind_spots}
    return [_measurement(spec, spots[error]) for error in _errors(found)]


def _errors(found: Perturbations) -> list[tuple[str, float | None]]:
    enough = {
        (spot.perturbation, spot.strength) for spot in found.blind_spots if spot.segments >= FEWEST_SEGMENTS
    }
    ranked = [error for error in ranked_errors(found) if error in enough]
    groups = {facts.name: facts.group for facts in found.facts}
    grave = [error for error in ranked if groups[error[0]] in GRAVE]
    shown = {*ranked[:LEAST_NOTICED], *grave[:LEAST_NOTICED_GRAVE]}
    return [error for error in ranked if error in shown]


def _measurement(spec: str, spot: BlindSpot) -> Measurement:
    return Measurement(
        spec,
        spot.perturbation,
        strength_in_words(spot.strength),
        str(spot.segments),
        percent(spot.sensitivity.value),
        percent(spot.false_alarms.value),
        percent_with_interval(spot.below_harmless.value, spot.below_harmless.interval),
        spot.verdict,
    )


def measured_spec(metric: type[Metric]) -> str:
    """The spec that is measured for a page: the default, with the English parser if it needs one."""
    return f"{metric.name}:parser=english" if "parser" in metric.parameters() else metric.name


def why_not_measured(metric: type[Metric]) -> str:
    """Why a page has no measurements, in a sentence; empty if it has."""
    if not metric.reads_references:
        return f"Not measured: {metric.title} does not compare hypotheses with references."
    if metric.written_as:
        return f"Not measured: the blind spots depend on the model. Use `understudy probe -m {metric.written_as}`."
    if metric.name == "round-trip-bleu":
        return "Those of [BLEU](bleu.md#blind-spots): the formula is the same."
    return ""


def read() -> list[Measurement]:
    """The measurements in the file."""
    with MEASUREMENTS.open(encoding="utf-8", newline="") as file:
        return [Measurement(**row) for row in csv.DictReader(file, delimiter="\t")]


def write(measurements: Iterable[Measurement]) -> None:
    with MEASUREMENTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(field.name for field in fields(Measurement))
        writer.writerows(map(astuple, measurements))


def main(names: Sequence[str]) -> None:
    known: dict[str, list[Measurement]] = {}
    for row in read() if MEASUREMENTS.exists() else []:
        known.setdefault(row.metric, []).append(row)
    every = {name: each for name, each in metrics().items() if not why_not_measured(each)}
    for name in names or every:
        spec = measured_spec(every[name])
        if lack := metric(spec).missing:
            print(f"{spec}: {lack}", file=sys.stderr)
        else:
            known[spec] = measured(spec)
    write(row for each in every.values() for row in known.get(measured_spec(each), []))


if __name__ == "__main__":
    main(sys.argv[1:])

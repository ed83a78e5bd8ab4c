"""What one judge gets: against a plain computation, against a known truth, and where there is nothing to compare."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from statistics import mean
from typing import Any

import numpy as np
import pytest

from material.wmt import DATA, needs_data
from reference import agreement as reference
from understudy.report.agreements import render
from understudy.trusting.human_ceiling import Ceiling
from understudy.trusting.results import Trust
from understudy.trusting.run import trust

Row = tuple[str, int, str, float]  # system, segment, judge, score


def looked_at(tmp_path, rows: list[Row], metric: dict[tuple[str, int], float] | None = None, **plan) -> Trust:
    """People's scores beside those of a metric, which are arbitrary unless given."""
    human = tmp_path / "human.tsv"
    lines = (f"{system}\t{segment}\t{judge}\t{score!r}" for system, segment, judge, score in rows)
    human.write_text("system\tseg\tjudge\tscore\n" + "\n".join(lines) + "\n")
    of_metric = metric or {
        (system, segment): segment * 31 * ord(system[-1]) % 97 for system, segment, _, _ in rows
    }
    scores = tmp_path / "scores.tsv"
    scores.write_text(
        "system\tseg\tm\n" + "".join(f"{a}\t{b}\t{value!r}\n" for (a, b), value in of_metric.items())
    )
    plan = {"samples": 20, "coefficients": ("pearson:none",), **plan}
    return trust(human, scores=scores, **plan)


def ceiling_of(tmp_path, rows: list[Row], **plan) -> Ceiling:
    found = looked_at(tmp_path, rows, **plan).ceiling
    assert found is not None
    return found


def everyone(systems: int, segments: int, judges: int, score) -> list[Row]:
    return [
        (f"s{system}", segment, f"j{judge}", score(system, segment, judge))
        for system in range(systems)
        for segment in range(1, segments + 1)
        for judge in range(judges)
    ]


# --- a plain computation ------------------------------------------------------------------------------------


def exact_mean(scores: Iterable[float]) -> float:
    """Of the decimal numbers that were written: what is tied remains so."""
    return float(mean(Fraction(repr(score)) for score in scores))


def plain_ceiling(rows: list[Row], coefficient, level: str, grouping: str = "none") -> float:
    by_cell: dict[tuple[str, int], dict[str, float]] = {}
    for system, segment, judge, score in rows:
        by_cell.setdefault((system, segment), {})[judge] = score
    systems, segments = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    values, weights = [], []
    for judge in sorted({row[2] for row in rows}):
        cells = [cell for cell, given in by_cell.items() if judge in given and len(given) > 1]
        others = {
            cell: exact_mean(by_cell[cell][who] for who in by_cell[cell] if who != judge) for cell in cells
        }
        if level == "system":
            known = {system for system, _ in cells}
            cells = [cell for cell in cells if all((system, cell[1]) in cells for system in known)]
            pairs = [
                (
                    mean(others[cell] for cell in cells if cell[0] == system),
                    mean(by_cell[cell][judge] for cell in cells if cell[0] == system),
                )
                for system in sorted(known if cells else ())
            ]
            value = coefficient(pairs)
        else:
            human, own = (
                [[found((a, b)) if (a, b) in cells else None for b in segments] for a in systems]
                for found in (others.__getitem__, lambda cell, judge=judge: by_cell[cell][judge])
            )
            value = reference.mean_over_groups(reference.groups(human, own, grouping), coefficient)
        if not math.isnan(value):
            values.append(value)
            weights.append(len(cells))
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


@pytest.mark.parametrize("seed", range(8))
def test_one_judge_beside_the_mean_of_the_others(tmp_path, seed):
    """Judges who scored some of all translations, with scores of few values, so that there are ties."""
    dice = random.Random(seed)
    rows = [row for row in everyone(4, 7, 4, lambda *_: float(dice.randint(0, 6))) if dice.random() < 0.85]
    found = ceiling_of(tmp_path, rows, coefficients=("pearson", "spearman", "kendall-b"))
    assert len(found.values) == 12
    for each in found.values:
        coefficient = {
            "pearson": reference.pearson,
            "spearman": reference.spearman,
            "kendall-b": reference.tau_b,
        }[each.asked.coefficient]
        expected = plain_ceiling(rows, coefficient, each.asked.level, each.asked.grouping)
        assert each.value == pytest.approx(expected, abs=1e-12), each.asked


def test_metrics_in_the_place_of_a_judge(tmp_path):
    """A metric that says what one of two judges says gets what that judge gets with the other, where both judged."""
    dice = random.Random(3)
    rows = everyone(3, 12, 2, lambda *_: dice.random())
    rows = [row for row in rows if row[1] > 4 or row[2] == "j0"]  # the first segments are judged by one
    metric = {(system, segment): score for system, segment, judge, score in rows if judge == "j0"}
    found = looked_at(tmp_path, rows, metric)
    assert found.ceiling is not None
    assert (found.ceiling.translations, found.ceiling.judged) == (24, 36)
    of_judge = next(each for each in found.ceiling.values[0].judges if each.judge == "j0").value
    # In the place of j1 it is compared with itself.
    assert found.ceiling.metrics["m"][0] == pytest.approx((of_judge + 1) / 2, abs=1e-12)
    assert "One rater is based on the 24 of 36 translations" in found.notes[-1]


def test_judges_count_by_how_much_they_scored(tmp_path):
    dice = random.Random(1)
    rows = everyone(2, 20, 3, lambda *_: dice.random())
    rows = [row for row in rows if row[2] != "j2" or row[1] <= 5]
    value = ceiling_of(tmp_path, rows).values[0]
    assert [each.translations for each in value.judges] == [40, 40, 10]
    weighted = sum(each.value * each.translations for each in value.judges) / 90
    assert value.value == pytest.approx(weighted, abs=1e-12)
    assert value.range == (min(each.value for each in value.judges), max(each.value for each in value.judges))


def test_equal_means_are_ties(tmp_path):
    """Else rounding would decide which translation is better: (0.1 + 0.2) + 0.3 is not (0.3 + 0.2) + 0.1."""
    given = {1: (1.0, 0.1, 0.2, 0.3), 2: (2.0, 0.3, 0.2, 0.1), 3: (3.0, 0.1, 0.1, 0.4)}
    rows = [
        ("s", segment, f"j{judge}", scores[judge]) for segment, scores in given.items() for judge in range(4)
    ]
    found = ceiling_of(tmp_path, rows, coefficients=("kendall-b:none",), level="segment")
    assert "j0" not in [each.judge for each in found.values[0].judges]  # the others tie everything


# --- a known truth ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("judges", [2, 5])
def test_the_correlation_that_noise_leaves(tmp_path, judges):
    """Of scores with as much noise as truth, r of one with the mean of k others is 1 / sqrt(2 (1 + 1 / k)). A metric
    that knows the truth gets more than that with the mean of all judges: it is no upper bound.
    """
    generator = np.random.default_rng(5)
    truth = generator.normal(size=(10, 500))
    noise = generator.normal(size=(10, 500, judges))
    rows = everyone(10, 500, judges, lambda a, b, j: float(truth[a, b - 1] + noise[a, b - 1, j]))
    metric = {(f"s{a}", b): float(truth[a, b - 1]) for a in range(10) for b in range(1, 501)}
    found = looked_at(tmp_path, rows, metric, level="segment")
    assert found.ceiling is not None
    expected = 1 / math.sqrt(2 * (1 + 1 / (judges - 1)))
    assert found.ceiling.values[0].value == pytest.approx(expected, abs=0.02)
    assert found.ceiling.values[0].interval.low < expected < found.ceiling.values[0].interval.high
    assert found.metrics[0].agreed[0].value == pytest.approx(1 / math.sqrt(1 + 1 / judges), abs=0.02)
    assert found.metrics[0].agreed[0].value > found.ceiling.values[0].value


def test_hard_segments_are_no_agreement_on_systems(tmp_path):
    """All systems are alike and segments are not. A judge who scored other segments of every system would agree with
    the others on which system is best, if the means were over those.
    """
    dice = random.Random(2)
    rows = everyone(6, 60, 3, lambda _a, b, _j: b + dice.random())
    rows = [row for row in rows if row[1] % 6 != int(row[0][1:])]  # no segment has all systems
    found = ceiling_of(tmp_path, rows, coefficients=("pearson:none", "accuracy"))
    systems = [each for each in found.values if each.asked.level == "system"]
    assert systems[0].reason == "no rater shared a segment of all systems with another rater"
    complete = everyone(6, 60, 3, lambda _a, b, _j: b + dice.random())
    values = ceiling_of(tmp_path, complete, coefficients=("accuracy",)).values[0]
    assert values.value < 0.8


# --- where there is nothing to compare ----------------------------------------------------------------------


def test_no_translation_has_two_judges(tmp_path):
    rows = [row for row in everyone(3, 6, 2, lambda a, b, j: a * b + j) if row[1] % 2 == int(row[2][1:])]
    found = looked_at(tmp_path, rows)
    assert found.ceiling is not None
    assert math.isnan(found.ceiling.values[0].value)
    assert (
        "Agreement of one rater with the others cannot be computed: no translation was scored by two raters."
        in found.notes
    )
    assert "one judge " not in render(found).split("\n\n")[1]


def test_one_judge_alone_has_no_others(tmp_path):
    assert looked_at(tmp_path, everyone(3, 6, 1, lambda a, b, _: a * b)).ceiling is None


def test_one_segment_has_no_interval(tmp_path):
    """All samples of it are the same."""
    rows = [
        row
        for row in everyone(4, 6, 2, lambda a, b, j: (a * b * 7 + j * a) % 5)
        if row[1] == 1 or row[2] == "j0"
    ]
    value = ceiling_of(tmp_path, rows, level="segment").values[0]
    assert not math.isnan(value.value)
    assert value.interval is None


def test_why_a_judge_has_no_value_is_said_of_judges(tmp_path):
    rows = everyone(3, 6, 2, lambda a, b, j: (a * b) % 5 if b > 3 else 2 * (j == 0))
    rows = [
        row for row in rows if row[1] <= 3 or row[2] == "j0"
    ]  # where both judged, each says always the same
    found = looked_at(tmp_path, rows, level="segment")
    assert "One rater has no segment-level pearson:none: all 9 scores of the others are equal." in found.notes


def test_judges_of_whole_systems(tmp_path):
    human, scores = tmp_path / "human.tsv", tmp_path / "scores.tsv"
    given = {"a": (1, 2, 4), "b": (2, 5, 4), "c": (6, 5, 9), "d": (3, 1, 2)}
    human.write_text(
        "system\tjudge\tscore\n"
        + "".join(f"{s}\tj{j}\t{v}\n" for s, of in given.items() for j, v in enumerate(of))
    )
    scores.write_text("system\tm\n" + "".join(f"{s}\t{i}\n" for i, s in enumerate(given)))
    plan: Any = {"level": "system", "coefficients": ("pearson",), "samples": 20}
    found = trust(human, scores=scores, **plan)
    expected = mean(
        reference.pearson([(mean(of[:j] + of[j + 1 :]), of[j]) for of in given.values()]) for j in range(3)
    )
    assert found.ceiling is not None
    assert found.ceiling.values[0].value == pytest.approx(expected, abs=1e-12)


# --- as it is shown -----------------------------------------------------------------------------------------


def test_it_stands_beside_the_metrics_in_every_format(tmp_path):
    dice = random.Random(4)
    found = looked_at(tmp_path, everyone(4, 8, 3, lambda *_: dice.random()), level="segment")
    assert found.ceiling is not None
    value = found.ceiling.values[0].value
    head, _, row = render(found).split("\n\n")[1].split("\n")
    assert head.split("  ")[-2].strip() == "one rater"
    assert f"{value:.3f} (" in row
    (line,) = [line for line in render(found, "tsv").split("\n") if "\tone rater\t" in line]
    assert float(line.split("\t")[5]) == value
    assert len(line.split("\t")) == len(render(found, "tsv").split("\n")[0].split("\t"))
    data = json.loads(render(found, "json"))["measures"][0]["one_judge"]
    assert (data["judges"], data["translations"], data["judged"]) == (3, 32, 32)
    assert data["coefficients"][0]["value"] == value
    assert data["coefficients"][0]["lowest"] == min(one["value"] for one in data["coefficients"][0]["judges"])


def test_a_row_beside_many_metrics(tmp_path):
    dice = random.Random(4)
    rows = everyone(4, 8, 3, lambda *_: dice.random())
    looked_at(tmp_path, rows)
    scores = tmp_path / "many.tsv"
    header = "system\tseg\t" + "\t".join("abcdef")
    cells = dict.fromkeys(row[:2] for row in rows)
    lines = (f"{s}\t{i}\t" + "\t".join(str(dice.random()) for _ in range(6)) for s, i in cells)
    scores.write_text("\n".join([header, *lines]) + "\n")
    plan: Any = {"samples": 20, "coefficients": ("pearson:none",), "level": "segment"}
    found = trust(tmp_path / "human.tsv", scores=scores, **plan)
    table = render(found).split("\n\n")[1].split("\n")
    assert [line.split("  ")[0] for line in table[-2:]] == ["one rater", "permuted"]


def test_it_is_in_the_data_frame(tmp_path):
    pytest.importorskip("pandas")
    found = looked_at(tmp_path, everyone(3, 8, 2, lambda a, b, j: (a * b + j) % 5))
    assert found.ceiling is not None
    rows = found.to_frame().query("metric == 'one rater'")
    assert rows["value"].tolist() == [each.value for each in found.ceiling.values]


@needs_data
def test_the_raters_of_wmt23():
    """18 segments of 15 systems were scored by all eight raters; the reference is no system here."""
    file = DATA / "wmt23.zh-en" / "human.mqm.raters.tsv.gz"
    scores = DATA / "wmt23.zh-en" / "auto.seg.tsv.gz"
    asked = ("pearson:none", "kendall-b:segment")
    shown = trust(file, scores=scores, samples=20, coefficients=asked, level="segment")
    found = shown.ceiling
    assert found is not None
    assert (found.judges, found.translations) == (8, 270)
    lines = gzip.decompress(file.read_bytes()).decode().split("\n")[1:-1]
    rows = [
        (system, int(segment), rater, float(score))
        for system, segment, rater, score, *_ in (line.split("\t") for line in lines)
        if system in shown.systems
    ]
    several = Counter(row[:2] for row in rows)
    rows = [row for row in rows if several[row[:2]] > 1]
    for each, coefficient in zip(found.values, (reference.pearson, reference.tau_b), strict=True):
        expected = plain_ceiling(rows, coefficient, "segment", each.asked.grouping)
        assert each.value == pytest.approx(expected, abs=1e-12)
    assert [round(each.value, 3) for each in found.values] == [0.754, 0.451]

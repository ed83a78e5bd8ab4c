"""Figures 3 and 4 of the BLEU report (Papineni et al. 2001), drawn from their printed numbers."""

from __future__ import annotations

import csv
import io

import pytest

from material.optional import needs_report
from understudy.judging.analysis.adjacent_systems import AdjacentPair, TInterval
from understudy.metrics.base.score import Interval
from understudy.report.judge_charts import adjacent_figure

PAIRS = (("S1", "S2"), ("S2", "S3"), ("S3", "H1"), ("H1", "H2"))
PRINTED = {  # mean difference, lower and upper end of the interval
    "monolingual": (
        (0.326, 0.252, 0.400),
        (0.114, 0.034, 0.194),
        (1.825, 1.705, 1.945),
        (0.535, 0.400, 0.670),
    ),
    "bilingual": (
        (0.551, 0.435, 0.667),
        (0.140, 0.042, 0.238),
        (1.883, 1.759, 2.007),
        (0.038, -0.069, 0.145),
    ),
}


def drawn(group):
    pairs = [
        AdjacentPair(worse, better, mean, 400, 50, TInterval(Interval(low, high, 0.95), 0.01, 399), None)
        for (worse, better), (mean, low, high) in zip(PAIRS, PRINTED[group], strict=True)
    ]
    (figure,) = adjacent_figure(pairs, name=group, title=f"{group} judgments", confidence=0.95)
    return figure


@pytest.mark.parametrize("group", PRINTED)
def test_the_data_of_the_figure_are_the_printed_numbers(group):
    rows = list(csv.DictReader(io.StringIO(drawn(group).csv())))
    assert [tuple(float(row[name]) for name in ("difference", "low", "high")) for row in rows] == list(
        PRINTED[group]
    )
    assert [row["systems"] for row in rows] == ["S2 - S1", "S3 - S2", "H1 - S3", "H2 - H1"]


@needs_report
@pytest.mark.parametrize("group", PRINTED)
def test_the_figure_shows_every_pair_in_the_order_of_the_report(group):
    svg = drawn(group).svg()
    places = [svg.index(f">{better} - {worse}<") for worse, better in PAIRS]
    assert places == sorted(places)


@needs_report
def test_a_mark_says_its_numbers():
    assert "S2 minus S1: +0.326, +0.252 to +0.4" in drawn("monolingual").svg()


@needs_report
def test_the_chart_is_valid_vega_lite():
    import altair

    altair.Chart.from_dict(drawn("bilingual").vega_lite(), validate=True)

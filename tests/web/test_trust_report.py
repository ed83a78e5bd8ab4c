"""The report of how far metrics agree with people, in a real browser, and what it is built of."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from material.browsing import click, requested, texts
from material.optional import needs_report
from material.pages import check_addresses, check_nothing_fetched, files_in, structure
from material.trusts import by_length, made_up, trusted
from understudy.report.figure import LETTER, NARROW, WIDE, Figure
from understudy.report.label_layout import HEIGHT, places
from understudy.report.trust_charts import DRAWN, trust_figures
from understudy.report.trust_prose import takeaways
from understudy.report.trust_report import MATRIX, trust_report

GOLDEN = Path(__file__).with_name("trust_report.structure.txt")

pytestmark = needs_report


def page() -> str:
    return trust_report([trusted("adequacy"), trusted("fluency")], by_length=by_length())


def drawn() -> dict[str, Figure]:
    figures = trust_figures([trusted("adequacy"), trusted("fluency")], by_length=by_length())
    return {figure.name: figure for figure in figures}


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trust") / "trust.html"
    path.write_text(page(), encoding="utf-8")
    return path


# --- the page as text --------------------------------------------------------------------------------------


def test_the_structure_is_that_of_the_golden_file(report: Path) -> None:
    """To renew it: PYTHONPATH=tests python tests/web/test_trust_report.py"""
    assert structure(report.read_text(encoding="utf-8")) == GOLDEN.read_text(encoding="utf-8")


def test_links_lead_somewhere_and_nothing_is_fetched(report: Path) -> None:
    check_addresses(report.read_text(encoding="utf-8"))
    check_nothing_fetched(report.read_text(encoding="utf-8"))


def test_the_same_judgments_give_the_same_figures(report: Path) -> None:
    shown = report.read_text(encoding="utf-8")
    for figure in _one_of_each_part():
        assert figure.svg_for_page(WIDE) in shown, figure.name


def test_the_verdict_comes_first_and_in_words(report: Path) -> None:
    shown = report.read_text(encoding="utf-8")
    for said in (
        "At system level, BLEU and TER do not differ significantly in agreement with human scores: Pearson&#39;s r is "
        "0.780 for BLEU and 0.681 for TER.",
        "Human scores: adequacy. 5 systems, 60 segments, 300 translations, 2 raters.",
        "At system level, not significantly above the permutation baseline: R² of BLEU and TER.",
        "TER: R² = 0.19 without system-weak.en, 0.46 with it.",
        "Human agreement with differences in TER reaches 80% of pairs at 6.11, 95% of pairs at 20.6.",
        "Only 5 systems: system-level coefficients are unreliable.",
    ):
        assert said in shown, said
        assert shown.index(said) < shown.index("<table")


def test_the_headline_carries_what_the_terminal_says_of_it() -> None:
    """The test's caution and all notes stand below the headline, before anything else is said."""
    found = made_up()
    ranking = replace(found.rankings[0], test="perm-both", clusters=[["metric 1"], ["metric 2"]])
    shown = unescape(trust_report([replace(found, rankings=[ranking])]))
    verdict = shown[shown.index('class="headline"') : shown.index('class="sentences"')]
    assert ranking.caution
    for said in (ranking.caution, *found.notes):
        assert said in verdict, said
    assert ranking.caution in shown[shown.index('id="coefficients-people-system"') :]


def test_names_cannot_break_the_page() -> None:
    shown = trust_report([made_up(names="<script>alert({})</script>\"'&")])
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    check_addresses(shown)


@pytest.mark.parametrize(
    ("like", "absent"),
    [
        ({"metrics": 1}, ("pairs",)),
        ({"segments": 0}, ("coefficients-people-segment",)),
        ({"systems": 3}, ("figure-without-each",)),
        ({"systems": 1, "level": "segment"}, ("systems", "outliers", "noticed")),
    ],
    ids=["one metric", "systems alone", "three systems", "one system"],
)
def test_a_report_shows_what_there_is(like: dict, absent: tuple[str, ...]) -> None:
    shown = trust_report([made_up(**like)])
    check_addresses(shown)
    for part in (*absent, "lengths"):
        assert f'id="{part}"' not in shown
        assert f'href="#{part}"' not in shown
    assert 'id="method"' in shown


def test_a_metric_that_gives_all_systems_the_same_score() -> None:
    found = made_up(segments=0)
    constant = replace(found.metrics[0], regression=None, noticed=None, agreed=[], without_each=[])
    shown = trust_report([replace(found, metrics=[constant, found.metrics[1]], rankings=[])])
    assert 'id="figure-metric-2-regression"' in shown
    assert 'id="figure-metric-1-regression"' not in shown


def test_of_many_metrics_only_some_are_drawn_and_all_are_in_the_tables() -> None:
    found = made_up(metrics=MATRIX + 6, coefficients=("pearson",), level="system")
    shown = trust_report([found])
    assert shown.count("-regression") / shown.count("metric-1-regression") == DRAWN
    assert f"{DRAWN} of {MATRIX + 6} metrics have their own figures" in shown
    table = shown[shown.index('<table class="sortable coefficients"') :]
    assert table[: table.index("</table>")].count("<tr") == 1 + MATRIX + 6 + 1  # heads, metrics, chance
    matrix = shown[shown.index('<table class="matrix dense"') :]
    assert matrix[: matrix.index("</table>")].count("<tr") == 1 + MATRIX
    forest = next(figure for figure in trust_figures([found]) if figure.part == "forest")
    assert len(forest.rows) == MATRIX + 6


def test_metrics_that_cannot_be_tested_are_not_passed_over() -> None:
    """Those without scores of segments have coefficients of systems, but no place among the clusters."""
    found = made_up(metrics=3)
    ranking = replace(
        found.rankings[0], values={"metric 2": 0.5, "metric 3": 0.4}, clusters=[["metric 2", "metric 3"]]
    )
    (_, first), (_, second), *_ = takeaways(replace(found, rankings=[ranking]), 3)
    assert first.startswith("At system level, Pearson's r with human scores is highest for metric 1, 0.9")
    assert first.endswith("Differences cannot all be tested.")
    assert second.startswith("At system level, among the 2 metrics that can be tested, metric 2 ")


def test_everything_is_in_the_files_of_the_page(report: Path) -> None:
    files = files_in(report.read_text(encoding="utf-8"))
    tsv, written = files["trust.tsv"], files["trust.json"]
    assert tsv.splitlines()[1].startswith("adequacy\tBLEU\tsystem\tpearson\t")
    assert [measure["measure"] for measure in json.loads(written)["measures"]] == ["adequacy", "fluency"]


# --- figures -----------------------------------------------------------------------------------------------


def test_charts_are_what_vega_lite_expects() -> None:
    """Reports do not check this again: it takes as long as drawing."""
    import altair

    for figure in _one_of_each_part():
        for width in (WIDE, NARROW):
            altair.Chart.from_dict(figure.vega_lite(width), validate=True)


def test_the_data_behind_a_regression_are_the_metrics_own_scores() -> None:
    found = trusted("adequacy")
    header, *rows = drawn()["adequacy-ter-regression"].csv().splitlines()
    assert header == "system,metric,human,system type"
    ter = found.metrics[1]
    expected = {
        (system, float(own), float(human))
        for system, own, human in zip(found.systems, ter.own_scores, found.human_systems, strict=True)
    }
    assert {
        (name, float(own), float(human)) for name, own, human, _ in (row.split(",") for row in rows)
    } == expected
    assert all(own > 0 for _, own, _ in expected)  # an error rate, though the coefficients see it negated


@pytest.mark.parametrize(("metric", "sign"), [("bleu", 1), ("ter", -1)])
def test_the_line_falls_with_a_metric_that_is_better_the_lower_it_is(metric: str, sign: int) -> None:
    figure = drawn()[f"adequacy-{metric}-regression"]
    area, line = (
        next(layer for layer in _layers(figure) if layer["mark"]["type"] == kind)["data"]["values"]
        for kind in ("area", "line")
    )
    assert np.sign(line[-1]["human"] - line[0]["human"]) == sign
    middle = line[len(line) // 2]
    beside = min(area, key=lambda point: abs(point["metric"] - middle["metric"]))
    assert beside["low"] < middle["human"] < beside["high"]
    # Nothing is drawn outside the field: charts would cut it off, but not the same way every time.
    low, high = next(layer for layer in _layers(figure) if "y" in layer["encoding"])["encoding"]["y"][
        "scale"
    ]["domain"]
    assert low - 1e-9 <= min(point["human"] for point in line)
    assert high + 1e-9 >= max(point["human"] for point in line)
    assert (low, high) == (min(point["low"] for point in area), max(point["high"] for point in area))


def test_kinds_have_the_same_colors_in_all_figures() -> None:
    scales = [
        layer["encoding"]["color"]["scale"]
        for name, figure in drawn().items()
        if name.endswith("-regression")
        for layer in _layers(figure)
        if "color" in layer["encoding"]
    ]
    assert len(scales) == 4
    assert all(scale == scales[0] for scale in scales)
    assert scales[0]["domain"] == ["rule-based", "human", "no type"]


def test_every_measure_runs_from_its_worst_system_to_its_best() -> None:
    rows = drawn()["normalized"].rows
    assert list(dict.fromkeys(row["measure"] for row in rows)) == [
        "human: adequacy",
        "human: fluency",
        "BLEU",
        "TER",
    ]
    people = [row["score"] for row in rows if row["measure"] == "human: adequacy"]
    assert people == sorted(people, reverse=True)
    for measure in {row["measure"] for row in rows}:
        scores = [row["score"] for row in rows if row["measure"] == measure]
        assert (min(scores), max(scores)) == (0, 1)


def test_measures_on_unlike_scales_share_a_figure_on_their_ranges() -> None:
    adequacy = trusted("adequacy")
    metrics = [
        replace(
            metric, pairing=replace(metric.pairing, human=-100 * metric.pairing.human, human_systems=None)
        )
        for metric in adequacy.metrics
    ]
    other = replace(adequacy, human=replace(adequacy.human, name="errors"), metrics=metrics)
    alike, unlike = (
        next(figure for figure in trust_figures(found) if figure.name == "bleu-measures")
        for found in ([adequacy, trusted("fluency")], [adequacy, other])
    )
    assert {row["human"] for row in alike.rows} >= set(adequacy.human_systems.tolist())
    assert {min(row["human"] for row in unlike.rows), max(row["human"] for row in unlike.rows)} == {0, 1}


def test_correlation_by_length_leaves_out_what_is_not_defined() -> None:
    rows = drawn()["system-level-pearson-s-r-by-max-order"].csv().splitlines()
    assert rows == [
        "metric,length,value,low,high",
        "BLEU,1,0.5,0.4,0.8",
        "BLEU,2,0.6,0.4,0.8",
        "BLEU,3,0.7,0.4,0.8",
        "BLEU,4,0.6,0.4,0.8",
        "HWCM,1,0.75,,",
    ]


def test_names_of_points_do_not_stand_on_one_another() -> None:
    generator = np.random.default_rng(3)
    points = [(float(x), float(y)) for x, y in generator.uniform(60, 240, size=(14, 2))]
    texts_shown = [f"name {number}" for number in range(14)]
    found = places(points, texts_shown, (440, 260))
    assert all(place.free for place in found)
    boxes = []
    for (x, y), place, text in zip(points, found, texts_shown, strict=True):
        long = LETTER * len(text)
        left = x + place.dx - {"left": 0, "center": long / 2, "right": long}[place.align]
        boxes.append((left, y + place.dy, left + long))
    for number, (left, y, right) in enumerate(boxes):
        assert left >= 0
        assert right <= 440
        assert not any(left < b and right > a and abs(y - z) < HEIGHT for a, z, b in boxes[:number])


def test_where_names_find_no_room_there_are_numbers_with_a_key() -> None:
    found = made_up(metrics=1, systems=40, names="a system with a rather long name, number {}")
    figure = next(figure for figure in trust_figures([found]) if figure.part == "regression")
    shown = [
        point["label"]
        for layer in _layers(figure)
        if layer["mark"]["type"] == "text"
        for point in layer["data"]["values"]
    ]
    assert shown == [str(number) for number in range(1, 41)]
    best = found.systems[int(np.argmax(found.human_systems))]
    assert f"Numbered by human score: 1 = {best}, 2 = " in figure.caption


def _layers(figure: Figure) -> list[dict]:
    """The marks of a chart, with their data, which they may share with those beside them."""
    chart = figure.vega_lite()

    def flat(part: dict, data: dict) -> list[dict]:
        data = part.get("data", data)
        if "layer" in part:
            return [each for layer in part["layer"] for each in flat(layer, data)]
        return [{**part, "data": {"values": chart["datasets"][data["name"]]} if "name" in data else data}]

    return flat(chart, {})


def _one_of_each_part() -> list[Figure]:
    return list({figure.part: figure for figure in drawn().values()}.values())


# --- the page in a browser ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_no_errors_no_network_no_sideways_scrolling(open_page, report: Path, width: int, dark: bool) -> None:
    browser = open_page(report, width, dark=dark)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []
    assert [address for address in requested(browser) if not address.startswith("data:")] == [report.as_uri()]
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 3 * 128) == dark
    shown = browser.execute_script(
        "return [...document.querySelectorAll('.chart svg')].filter((svg) => svg.getBoundingClientRect().width).length"
    )
    assert shown == len(drawn())


def test_metrics_sort_by_any_coefficient(open_page, report: Path) -> None:
    browser = open_page(report)
    table = "#coefficients-adequacy-system"
    assert texts(browser, f"{table} tbody th") == ["BLEU", "TER"]
    click(browser, f"{table} thead th:nth-child(3) button")
    assert texts(browser, f"{table} tbody th") == ["BLEU", "TER"]  # the largest Pearson's r first
    click(browser, f"{table} thead th:nth-child(3) button")
    assert texts(browser, f"{table} tbody th") == ["TER", "BLEU"]
    assert texts(browser, f"{table} tfoot th") == ["one rater", "permuted"]  # they stay where they are


def test_points_say_what_they_are(open_page, report: Path) -> None:
    browser = open_page(report)
    said = texts(browser, "#figure-adequacy-bleu-regression .wide title")
    assert any(
        re.fullmatch(r"system-rulebased\.en: BLEU \S+, adequacy \S+ \(rule-based\)", each) for each in said
    )
    assert len(said) == 5


if __name__ == "__main__":
    GOLDEN.write_text(structure(page()), encoding="utf-8")

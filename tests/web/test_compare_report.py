"""The report of a comparison in a real browser, and what it is built of."""

from __future__ import annotations

import builtins
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from material import comparisons
from material.browsing import choose, click, requested, texts, when
from material.optional import needs_report
from material.pages import check_addresses, check_nothing_fetched, structure
from understudy.breakdown.results import Breakdown, SegmentView
from understudy.breakdown.segment_views import views_of_scores
from understudy.comparing.run import compare, compare_scores
from understudy.corpus.score_files import read_segment_scores
from understudy.errors import MissingExtra
from understudy.metrics.base.registry import metric
from understudy.report import charts
from understudy.report.figure import NARROW, WIDE
from understudy.report.html_report import html_report
from understudy.studies.parser_sensitivity import parser_sensitivity

GOLDEN = Path(__file__).with_name("compare_report.structure.txt")

pytestmark = needs_report


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(
        html_report(comparisons.compared(), comparisons.breakdown(), comparisons.studies()), encoding="utf-8"
    )
    return path


def test_sources_are_shown_above_references(open_page, tmp_path: Path) -> None:
    whole = comparisons.breakdown()
    views = [replace(view, source=f"Quelle <i>{view.number}</i>") for view in whole.segments]
    path = tmp_path / "sources.html"
    path.write_text(html_report(comparisons.compared(), replace(whole, segments=views)), encoding="utf-8")
    browser = open_page(path)
    when(browser, "#segment-1 .source")
    assert texts(browser, "#segment-1 .who")[:2] == ["source", "reference"]
    assert texts(browser, "#segment-1 .source .text") == ["Quelle <i>1</i>"]


# --- the page as text --------------------------------------------------------------------------------------


def test_the_structure_is_that_of_the_golden_file(report: Path) -> None:
    """To renew it: PYTHONPATH=tests python tests/web/test_compare_report.py"""
    assert structure(report.read_text(encoding="utf-8")) == GOLDEN.read_text(encoding="utf-8")


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(report: Path) -> None:
    check_addresses(report.read_text(encoding="utf-8"))


def test_nothing_is_fetched(report: Path) -> None:
    check_nothing_fetched(report.read_text(encoding="utf-8"))


def test_names_cannot_break_the_page() -> None:
    hostile = "<script>alert(1)</script>\"'&"
    systems = {hostile: comparisons.files()["weak"], "b": comparisons.files()["strong"]}
    page = html_report(compare(systems, [comparisons.REFERENCE], samples=50))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_same_comparison_gives_the_same_file(report: Path) -> None:
    again = html_report(comparisons.compared(), comparisons.breakdown(), comparisons.studies())
    assert again == report.read_text(encoding="utf-8")


def test_the_verdict_comes_first_and_in_words(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    said = "strong ranks first by BLEU, 18.85 ahead of medium (95% CI 14.42 to 23.06, p ≤ 0.03). It is significantly "
    said += "better than all 3 others."
    assert page.index(said) < page.index("<table")


def test_a_report_shows_what_there_is() -> None:
    """Without a breakdown, against a baseline, in blocks: no empty parts."""
    page = html_report(comparisons.compared(all_pairs=False, test="blocks", samples=None))
    assert "are significantly worse than the preceding system" in page
    assert "SD across blocks" in page
    for absent in ("segments", "ngrams", "buckets", "references", "matrix-bleu"):
        assert f'id="{absent}"' not in page
    drawn = {figure.name for figure in charts.figures(comparisons.compared())}
    assert drawn == {"bleu-intervals", "bleu-precisions", "ter-intervals"}


def test_several_metrics_are_one_table_above_those_of_each(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    assert page.index('id="summary"') < page.index('id="scores-bleu"')
    alone = html_report(compare(comparisons.files(("strong", "weak")), [comparisons.REFERENCE], samples=50))
    assert 'id="summary"' not in alone


def test_marks_stand_behind_numbers() -> None:
    page = html_report(comparisons.compared(all_pairs=False, baseline="medium"))
    assert '57.81<span class="marks">▲</span>' in page
    assert "▲ significantly better, ▼ significantly worse than medium (p ≤ 0.05)." in page


def test_parsers_under_which_the_ranking_differs_are_shown() -> None:
    scores = {"english": {"weak": 30.0, "strong": 40.0}, "spacy:<b>": {"weak": 33.5, "strong": 31.25}}
    moved = parser_sensitivity(
        [(metric(f"hwcm:parser={parser}"), by_system) for parser, by_system in scores.items()]
    )
    page = html_report(replace(comparisons.compared(), parsers=moved))
    part = page[page.index('<section id="parsers"') : page.index('<section id="method"')]
    assert "HWCM: weak and strong change ranks across parsers" in part
    assert "spacy:&lt;b&gt;</th>" in part
    rows = [re.findall(r"<td[^>]*>([^<]+)<", row) for row in part.split("<tr>")[2:]]
    assert rows == [["30.00", "2", "33.50", "1"], ["40.00", "1", "31.25", "2"]]
    assert part.count('<td class="n strong">') == 2  # ranks that differ from those of the first parser
    assert 'id="parsers"' not in html_report(comparisons.compared())


def test_runs_are_told_in_words_and_drawn() -> None:
    files = list(comparisons.files().values())
    found = compare({"new": files[:2], "old": files[2:]}, [comparisons.REFERENCE], samples=50)
    page = html_report(found)
    assert "new: SD 13.33 BLEU across 2 training runs." in page
    assert 'id="figure-bleu-runs"' in page


def test_how_many_references_is_said_and_drawn(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    for study in comparisons.studies():
        assert str(study) in page
    drawn = {
        figure.name: figure for figure in charts.figures(comparisons.compared(), None, comparisons.studies())
    }
    header, *rows = drawn["bleu-by-references"].csv().splitlines()
    assert header == "references,system,score,deviation"
    step = comparisons.studies()[0].steps[0]
    assert f"1,strong,{step.scores['strong']!r},{step.deviations['strong']!r}" in rows
    assert drawn["ter-rankings-by-references"].csv().splitlines() == [
        "references,draws,same_ranking,tau",
        "1,3,100.0,1.0",
        "2,1,100.0,1.0",
    ]


def test_what_is_marked_as_a_word_is_said(report: Path) -> None:
    said = "Tokenizer: 13a; in scripts without word boundaries, single characters."
    assert said in report.read_text(encoding="utf-8")


def test_charts_are_what_vega_lite_expects() -> None:
    """Reports do not check this again: it takes as long as drawing."""
    import altair

    for figure in charts.figures(comparisons.compared(), comparisons.breakdown(), comparisons.studies()):
        for width in (WIDE, NARROW):
            altair.Chart.from_dict(figure.vega_lite(width), validate=True)


def test_scores_of_another_tool_have_a_report(tmp_path: Path) -> None:
    table = tmp_path / "comet.tsv"
    table.write_text("a\tb\n0.5\t0.25\n0.75\t0.5\n0.25\t0.125\n", encoding="utf-8")
    page = html_report(compare_scores(read_segment_scores(table), samples=50))
    assert "comet" in page
    assert "precisions" not in page


def test_a_metric_whose_best_value_lies_in_between() -> None:
    found = compare(comparisons.files(), [comparisons.REFERENCE], ["length-ratio"], samples=50)
    assert "length ratio → 100" in html_report(found)


def test_metrics_that_rank_stand_beside_metrics_that_do_not() -> None:
    chosen = ["bleu", "length-ratio"]
    found = compare(comparisons.files(), [comparisons.REFERENCE], chosen, samples=50, all_pairs=True)
    for metrics in (found.metrics, found.metrics[::-1]):
        page = html_report(replace(found, metrics=metrics))
        assert re.findall(r'<table [^>]*id="matrix-([^"]+)"', page) == ["bleu"]
        assert "By length ratio, 0 of 6 pairs differ significantly." in page


def test_the_data_behind_a_figure() -> None:
    figure = next(f for f in charts.figures(comparisons.compared()) if f.name == "bleu-precisions")
    header, *rows = figure.csv().splitlines()
    assert header == "system,n,precision"
    assert len(rows) == 4 * 4
    precision = float(rows[0].rpartition(",")[2])
    assert f"{precision:.1f}" == "81.3"  # as `understudy score` says of system-strong.en
    spec = figure.vega_lite()
    assert "vega-lite" in spec["$schema"]


def test_without_the_extra_the_cure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def missing(name: str, *more: Any) -> object:
        if name.partition(".")[0] == "altair":
            raise ImportError(name)
        return original(name, *more)

    monkeypatch.delitem(sys.modules, "altair", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'understudy-mt\[report\]'"):
        html_report(comparisons.compared())


# --- the page in a browser ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_errors_no_network_no_sideways_scrolling(open_page, report: Path, width: int, dark: bool) -> None:
    browser = open_page(report, width, dark=dark)
    when(browser, "#segment-1")
    assert browser.execute_script("return innerWidth") == width
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []
    assert [address for address in requested(browser) if not address.startswith("data:")] == [report.as_uri()]
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 3 * 128) == dark
    shown = browser.execute_script(
        "return [...document.querySelectorAll('.chart svg')].filter((svg) => svg.getBoundingClientRect().width).length"
    )
    assert shown == len(
        charts.figures(comparisons.compared(), comparisons.breakdown(), comparisons.studies())
    )


def test_tables_sort_by_any_column(open_page, report: Path) -> None:
    browser = open_page(report)
    names = "#scores-bleu tbody th"
    assert texts(browser, names) == ["strong", "medium", "rulebased", "weak"]
    click(browser, "#scores-bleu thead th:nth-child(2) button")
    assert texts(browser, names) == ["medium", "rulebased", "strong", "weak"]
    click(browser, "#scores-bleu thead th:nth-child(3) button")  # numbers: the largest first
    assert texts(browser, names) == ["strong", "medium", "rulebased", "weak"]
    click(browser, "#scores-bleu thead th:nth-child(3) button")
    assert texts(browser, names) == ["weak", "rulebased", "medium", "strong"]
    assert texts(browser, "#scores-bleu [aria-sort=ascending]") == ["BLEU ↑"]


def test_keys_alone_are_enough(open_page, report: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = open_page(report)
    when(browser, "#segment-1")
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the summary"
    browser.execute_script("document.querySelector('#scores-bleu thead button').focus()")
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert texts(browser, "#scores-bleu tbody th")[0] == "weak"
    browser.switch_to.active_element.send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "search"
    browser.switch_to.active_element.send_keys("smile")
    assert texts(browser, "#found") == ["10 of 60 segments"]


def test_the_theme_can_be_switched(open_page, report: Path) -> None:
    browser = open_page(report, dark=True)
    ground = "return getComputedStyle(document.body).backgroundColor"
    ink = "return getComputedStyle(document.querySelector('.chart svg text')).fill"
    dark = browser.execute_script(ground), browser.execute_script(ink)
    click(browser, "#theme")
    light = browser.execute_script(ground), browser.execute_script(ink)
    assert dark[0] != light[0]
    assert dark[1] != light[1]  # charts follow
    click(browser, "#theme")
    assert (browser.execute_script(ground), browser.execute_script(ink)) == dark


def test_segments_can_be_searched_in_any_script(open_page, report: Path) -> None:
    from selenium.webdriver.common.by import By

    browser = open_page(report)
    when(browser, "#segment-1")
    field = browser.find_element(By.ID, "search")
    for searched, found in (
        ("图书馆", "10 of 60"),
        ("مكتبة", "10 of 60"),
        ("COST was", "10 of 60"),
        ("zzz", "0 of 60"),
    ):
        field.clear()
        field.send_keys(searched)
        assert texts(browser, "#found") == [f"{found} segments"], searched
    field.clear()
    field.send_keys("مكتبة")
    assert set(texts(browser, "#segment-list .hit")) == {"مكتبة"}
    direction = "return getComputedStyle(document.querySelector('#segment-list .text')).direction"
    assert browser.execute_script(direction) == "rtl"


def test_segments_can_be_ordered_and_chosen(open_page, report: Path) -> None:
    from selenium.webdriver.common.by import By

    browser = open_page(report)
    when(browser, "#segment-1")
    segments = comparisons.breakdown().segments

    def numbers() -> list[int]:
        return [int(text.split()[1]) for text in texts(browser, ".segment-head")]

    def ordered(spec: str, sign: int) -> list[int]:
        """A is strong, B is medium: the difference times the length of the reference."""

        def weight(segment: SegmentView) -> float:
            scores = segment.scores[spec]
            return sign * (scores["strong"] - scores["medium"]) * len(segment.references[0])

        return [found.number for found in sorted(segments, key=lambda found: (-weight(found), found.number))]

    assert numbers() == list(range(1, 11))
    assert not browser.find_element(By.ID, "how-ordered").is_displayed()
    choose(browser, "#order", "first")
    assert numbers() == ordered("bleu", 1)[:10]
    assert "times the reference length in characters" in browser.find_element(By.ID, "how-ordered").text
    choose(browser, "#metric", "1")  # TER: the lower, the better
    assert numbers() == ordered("ter", -1)[:10]
    choose(browser, "#order", "second")
    assert numbers() == ordered("ter", 1)[:10]
    click(browser, "#next")
    assert numbers() == ordered("ter", 1)[10:20]
    assert texts(browser, "#page") == ["2 of 6"]
    click(browser, ".choose summary")
    click(browser, "#shown input[value='0']")
    assert set(texts(browser, "#segment-list .row:not(.reference) .who")) == {"medium", "rulebased", "weak"}


def test_text_is_text(open_page, report: Path) -> None:
    browser = open_page(report)
    when(browser, "#segment-1")
    assert "<script>alert(1)</script>" in texts(browser, "#segment-1 .row:nth-of-type(3)")[0]
    assert (
        browser.execute_script("return document.querySelectorAll('#segment-list script, .text b').length")
        == 0
    )


@pytest.mark.parametrize(("language", "expected"), [("pt-BR", "pt-BR"), (None, "")])
def test_texts_say_which_language_they_are_in(open_page, tmp_path: Path, language, expected) -> None:
    """Where nobody knows it, they are not taken for English, as the rest of the page is."""
    path = tmp_path / "report.html"
    breakdown = replace(comparisons.breakdown(), language=language)
    path.write_text(html_report(comparisons.compared(), breakdown), encoding="utf-8")
    browser = open_page(path)
    when(browser, "#segment-1")
    for selector, attributes in (
        ("#segment-list .text", [expected, "auto"]),
        ("#ngrams-table tbody bdi", [expected, None]),
    ):
        script = """return [...document.querySelectorAll(arguments[0])]
            .map((found) => JSON.stringify([found.getAttribute('lang'), found.getAttribute('dir')]))"""
        found = set(browser.execute_script(script, selector))
        assert found == {json.dumps(attributes, separators=(",", ":"))}
    assert browser.execute_script("return document.documentElement.lang") == "en"


def test_matches_are_marked_whatever_characters_come_before(open_page, report: Path) -> None:
    from selenium.webdriver.common.by import By

    browser = open_page(report)
    when(browser, "#segment-1")
    browser.find_element(By.ID, "search").send_keys("smile")
    marks = texts(browser, "#segment-5 .row:nth-of-type(3) mark")
    assert marks[0] == "A smile 😀 says"


def test_text_without_spaces_is_marked_by_characters(open_page, report: Path) -> None:
    from selenium.webdriver.common.by import By

    browser = open_page(report)
    when(browser, "#segment-1")
    browser.find_element(By.ID, "search").send_keys("图书馆")
    marks = texts(browser, "#segment-3 .row:nth-of-type(3) mark")
    assert marks == ["市图书馆", "两年", "重新开放。"]


def test_scores_without_texts_are_numbers_to_browse(open_page, tmp_path: Path) -> None:
    table = tmp_path / "comet.tsv"
    table.write_text("a\tb\n0.5\t0.25\n0.75\t0.5\n0.25\t0.125\n", encoding="utf-8")
    scores = read_segment_scores(table)
    path = tmp_path / "scores.html"
    page = html_report(
        compare_scores(scores, samples=50), Breakdown([], [], views_of_scores(scores)), digits=3
    )
    path.write_text(page, encoding="utf-8")
    browser = open_page(path)
    when(browser, "#segment-1")
    assert texts(browser, "#segment-3 .score") == ["0.250", "0.125"]
    for unneeded in ("#search", "#metric", "#marks-legend"):
        assert (
            browser.execute_script("return document.querySelector(arguments[0]).offsetWidth", unneeded) == 0
        )
    assert browser.get_log("browser") == []


def test_figures_can_be_saved_from_the_page(open_page, report: Path, tmp_path: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    browser = open_page(report)
    downloads = tmp_path / "downloads"
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)}
    )
    for kind in ("svg", "png"):
        click(browser, f"#figure-bleu-precisions [data-save={kind}]")
        saved = downloads / f"bleu-precisions.{kind}"
        WebDriverWait(browser, 30).until(lambda _, saved=saved: saved.exists() and saved.stat().st_size > 0)  # type: ignore[misc]
    assert b"currentColor" not in (downloads / "bleu-precisions.svg").read_bytes()
    assert (downloads / "bleu-precisions.png").read_bytes().startswith(b"\x89PNG")
    assert browser.get_log("browser") == []


def test_twenty_systems_and_two_thousand_segments(open_page, tmp_path: Path) -> None:
    names = tuple(f"a system with a rather long name, number {number}" for number in range(1, 21))
    files = list(comparisons.files().values())
    systems = {name: files[number % 4] for number, name in enumerate(names)}
    found = compare(systems, [comparisons.REFERENCE], ["bleu", "ter"], all_pairs=True, samples=50)
    path = tmp_path / "large.html"
    path.write_text(html_report(found, comparisons.breakdown(2000, names)), encoding="utf-8")
    assert path.stat().st_size < 1_200_000
    for width in (1280, 390):
        browser = open_page(path, width)
        when(browser, "#segment-1")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert len(texts(browser, "#segment-list > li")) == 10
        assert texts(browser, "#page") == ["1 of 200"]
        assert len(texts(browser, "#segment-1 .row")) == 1 + 6  # more systems can be chosen
        assert browser.get_log("browser") == []


if __name__ == "__main__":
    GOLDEN.write_text(
        structure(html_report(comparisons.compared(), comparisons.breakdown(), comparisons.studies())),
        encoding="utf-8",
    )

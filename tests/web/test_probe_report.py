"""The reports of `probe` in a real browser, and what they are built of."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from material.browsing import requested, texts
from material.optional import needs_report
from material.pages import check_addresses, check_nothing_fetched, files_in, structure
from material.probes import challenge, made_up
from understudy.report.challenge_charts import challenge_figures
from understudy.report.challenge_report import challenge_report
from understudy.report.figure import NARROW, WIDE
from understudy.report.probe_charts import DRAWN, probe_figures
from understudy.report.probe_examples import perturbed_example
from understudy.report.probe_prose import findings
from understudy.report.probe_report import probe_report

GOLDEN = Path(__file__).with_name("probe_report.structure.txt")
PAGES = {"probe": lambda: probe_report(made_up()), "pairs": lambda: challenge_report(challenge())}
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

pytestmark = needs_report


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("probe")
    for name, page in PAGES.items():
        (folder / f"{name}.html").write_text(page(), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in PAGES}


def shown(report: Path) -> str:
    return report.read_text(encoding="utf-8")


# --- the page as text --------------------------------------------------------------------------------------


def test_the_structure_is_that_of_the_golden_file(reports: dict[str, Path]) -> None:
    """To renew it: PYTHONPATH=tests python tests/web/test_probe_report.py"""
    found = "".join(structure(shown(report)) for report in reports.values())
    assert found == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere_and_nothing_is_fetched(reports: dict[str, Path], name: str) -> None:
    check_addresses(shown(reports[name]))
    check_nothing_fetched(shown(reports[name]))


def test_every_finding_is_in_the_summary_and_has_its_explanation(reports: dict[str, Path]) -> None:
    page = unescape(shown(reports["probe"]))
    summary = page[page.index('id="verdict"') : page.index('id="permutations"')]
    for finding in findings(made_up()):
        assert finding.line in summary
        assert finding.reason in page
        assert finding.instead in page


def test_texts_cannot_break_the_page(reports: dict[str, Path]) -> None:
    assert "<b>cost</b>" not in shown(reports["probe"])
    assert "&lt;b&gt;cost&lt;/b&gt;" in shown(reports["probe"])
    assert "<b>library</b>" not in shown(reports["pairs"])


@pytest.mark.parametrize("part", ["permutations", "variants", "perturbations", "search"])
def test_a_report_shows_what_there_is(part: str) -> None:
    page = probe_report(made_up(specs=("bleu",), **{part: None}))
    check_addresses(page)
    assert f'href="#{part}"' not in page
    assert f'id="{part}"' not in page


def test_changed_words_are_marked(reports: dict[str, Path]) -> None:
    assert "was <mark>6.4</mark> million" in shown(reports["probe"])


def test_a_harmless_change_that_is_penalized_looks_like_no_success() -> None:
    found = made_up()
    assert found.perturbations is not None
    kinds = {
        example.perturbation: perturbed_example(found, example).harmless
        for example in found.perturbations.examples
    }
    assert kinds == {facts.name: facts.harmless for facts in found.perturbations.facts}
    assert {True, False} == set(kinds.values())


def test_everything_is_in_the_files_of_the_page(reports: dict[str, Path]) -> None:
    files = files_in(shown(reports["probe"]))
    assert json.loads(files["probe.json"])["system"] == "system-medium.en"
    assert files["probe.tsv"].startswith("segment\tk\tb\tpermutations\t")


# --- figures -----------------------------------------------------------------------------------------------


def test_charts_are_what_vega_lite_expects() -> None:
    import altair

    figures = {figure.part: figure for figure in (*probe_figures(made_up()), *challenge_figures(challenge()))}
    assert set(figures) == {
        *("permutations", "variants", "blind-spots", "responses", "search", "accuracy", "severities")
    }
    for figure in figures.values():
        for width in (WIDE, NARROW):
            altair.Chart.from_dict(figure.vega_lite(width), validate=True)


def test_the_data_behind_the_scatter_are_those_of_figure_1() -> None:
    figure = next(each for each in probe_figures(made_up()) if each.name == "permutations")
    header, first, second, *_ = figure.csv().splitlines()
    assert header == "segment,tokens,bigram_matches,log10_permutations"
    assert first.startswith("1,8,5,0.778")  # log10 of 3!
    assert second.startswith("2,11,3,4.605")  # log10 of 8!


def test_the_figure_of_blind_spots_has_the_numbers_of_the_verdicts() -> None:
    found = made_up()
    assert found.perturbations is not None
    spot = found.perturbations.blind_spots[0]
    for level, value, expected in (
        ("segment", "share", 100 * spot.below_harmless.value),
        ("corpus", "difference", spot.excess.value),
    ):
        figures = probe_figures(replace(found, plan=replace(found.plan, level=level)))
        figure = next(each for each in figures if each.name == "bleu-blind-spots")
        row = next(row for row in figure.rows if str(row["error"]).startswith(spot.perturbation))
        assert row[value] == pytest.approx(expected)
        assert row["low"] <= row[value] <= row["high"]


def test_of_many_metrics_only_some_have_their_own_figures() -> None:
    specs = ("bleu", "chrf", "ter", "wer", "per", "cer", "gleu")
    names = {figure.name for figure in probe_figures(made_up(specs=specs))}
    assert {name for name in names if name.endswith("-blind-spots")} == {
        f"{spec}-blind-spots" for spec in specs[:DRAWN]
    }


# --- the page in a browser ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_no_errors_no_network_no_sideways_scrolling(
    open_page: Any, reports: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    browser = open_page(reports[name], width, dark=dark)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []
    assert [address for address in requested(browser) if not address.startswith("data:")] == [
        reports[name].as_uri()
    ]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_everyone_can_use_the_page(
    open_page: Any, reports: dict[str, Path], name: str, width: int, dark: bool
) -> None:
    axe = pytest.importorskip(
        "selenium_axe_python", reason="needs selenium-axe-python: pip install '.[test]'"
    )
    browser = open_page(reports[name], width, dark=dark)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    axe.Axe(browser).inject()
    browser.set_script_timeout(60)
    found = browser.execute_async_script(
        "const [options, done] = arguments; axe.run(document, options).then(done)",
        {"runOnly": {"type": "tag", "values": WCAG}},
    )
    assert [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]] == []


def test_rows_of_text_are_short_on_a_phone(open_page: Any, reports: dict[str, Path]) -> None:
    """A narrow column of text makes rows of which only blank space is visible."""
    browser = open_page(reports["probe"], 390)
    widths = browser.execute_script(
        "return [...document.querySelectorAll('td.prose')].map(cell => cell.getBoundingClientRect().width)"
    )
    assert widths
    assert min(widths) >= 300


def test_a_click_in_the_summary_leads_to_the_explanation(open_page: Any, reports: dict[str, Path]) -> None:
    from selenium.webdriver.common.by import By

    browser = open_page(reports["probe"])
    browser.find_elements(By.CSS_SELECTOR, "#verdict .lines a")[4].click()
    key = re.sub(r".*#", "", browser.current_url)
    assert texts(browser, f"#{key} h3") == [
        "BLEU is blind to 2 of 4 errors: change-numbers (25%), flip-negation."
    ]


def test_what_a_metric_notices_can_be_heard(open_page: Any, reports: dict[str, Path]) -> None:
    browser = open_page(reports["probe"])
    scores = texts(browser, "#finding-2 .text-row:nth-child(2) .scores li")
    assert scores == ["BLEU 42.00 = same", "chrF 34.50 ▼ worse", "TER 49.50 ▼ worse"]


if __name__ == "__main__":
    GOLDEN.write_text("".join(structure(page()) for page in PAGES.values()), encoding="utf-8")

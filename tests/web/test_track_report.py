"""The report of a track in a real browser, and what it is built of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from material.browsing import requested, texts, when
from material.optional import needs_report
from material.pages import check_addresses, check_nothing_fetched, files_in, structure
from material.tracks import noisy, reference, ticking
from understudy import Track
from understudy.report.figure import NARROW, WIDE
from understudy.report.track_charts import track_figures
from understudy.tracking.history import History

GOLDEN = Path(__file__).with_name("track_report.structure.txt")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WIDTHS = pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])

pytestmark = needs_report


def made_up(folder: Path) -> History:
    """Twelve runs; the seventh is better, and the last is much worse. One note and one name are unfriendly."""
    track = Track(folder / "track.sqlite", now=ticking())
    texts = reference(150)
    for run in range(12):
        errors = 0.5 if run == 11 else 0.35 if run < 6 else 0.2
        note = "<b>new</b> data" if run == 6 else f"note {run}" if run % 3 == 0 else ""
        name = "it's 'quoted' \\ <i>" if run == 3 else f"run-{run}"
        track.add(
            name, noisy(texts, errors, seed=50 + run), texts, ["bleu", "ter"], note=note, test_set="made-up"
        )
    return track.show()


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return made_up(tmp_path_factory.mktemp("track"))


@pytest.fixture(scope="session")
def report(history: History, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "track.html"
    history.report(path)
    return path


def test_the_structure_is_that_of_the_golden_file(report: Path) -> None:
    """To renew it: PYTHONPATH=tests python tests/web/test_track_report.py"""
    assert structure(report.read_text(encoding="utf-8")) == GOLDEN.read_text(encoding="utf-8")


def test_links_lead_somewhere_and_nothing_is_fetched(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    check_addresses(page)
    check_nothing_fetched(page)


def test_names_and_notes_cannot_break_the_page(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    assert "<b>new</b>" not in page
    assert "&lt;b&gt;new&lt;/b&gt; data" in page
    assert "<i></bdi>" not in page


def test_everything_is_in_the_files_of_the_page(report: Path, history: History) -> None:
    files = files_in(report.read_text(encoding="utf-8"))
    assert json.loads(files["track.json"]) == history.to_dict()
    assert files["track.tsv"].count("\n") == 24
    assert files["bleu-over-time.csv"].startswith("place,run,date,score,low,high,change,series\n")


def test_charts_are_what_vega_lite_expects(history: History) -> None:
    import altair

    figures = track_figures(history)
    assert [figure.name for figure in figures] == ["bleu-over-time", "ter-over-time"]
    for figure in figures:
        for width in (WIDE, NARROW):
            altair.Chart.from_dict(figure.vega_lite(width), validate=True)
        changes = [row["change"] for row in figure.rows]
        assert (changes[6], changes[11]) == ("better", "worse")
        assert changes.count("not significant") == 10


def test_places_are_in_the_order_of_the_tests(tmp_path: Path) -> None:
    """A run without a training step, by another metric, turns the order of all runs into that of dates."""
    track = Track(tmp_path / "track.sqlite", now=ticking())
    for name, step in (("later", 200), ("earlier", 100)):
        track.add(name, ["a b c"] * 3, ["a b d"] * 3, step=step)
    assert [(row["run"], row["place"]) for row in track_figures(track.show())[0].rows] == [
        ("earlier", 100),
        ("later", 200),
    ]
    track.add("no step", ["a b c"] * 3, ["a b d"] * 3, ["ter"])
    assert [(row["run"], row["place"]) for row in track_figures(track.show())[0].rows] == [
        ("later", 1),
        ("earlier", 2),
    ]


def test_the_page_of_one_run_has_nothing_to_compare(tmp_path: Path) -> None:
    track = Track(tmp_path / "track.sqlite", now=ticking())
    track.add("only", ["a b c"] * 3, ["a b d"] * 3, step=7)
    track.show().report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    check_addresses(page)
    assert "there is nothing to compare" in page


# --- the page in a browser -----------------------------------------------------------------------------------


@WIDTHS
def test_no_errors_no_network_no_sideways_scrolling(
    open_page: Any, report: Path, width: int, dark: bool
) -> None:
    browser = open_page(report, width, dark=dark)
    if width < 600:
        when(browser, ".drawn-for-phones .narrow svg")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []
    assert [address for address in requested(browser) if not address.startswith("data:")] == [report.as_uri()]


@WIDTHS
def test_everyone_can_use_the_page(open_page: Any, report: Path, width: int, dark: bool) -> None:
    axe = pytest.importorskip(
        "selenium_axe_python", reason="needs selenium-axe-python: pip install '.[test]'"
    )
    browser = open_page(report, width, dark=dark)
    axe.Axe(browser).inject()
    browser.set_script_timeout(60)
    found = browser.execute_async_script(
        "const [options, done] = arguments; axe.run(document, options).then(done)",
        {"runOnly": {"type": "tag", "values": WCAG}},
    )
    assert [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]] == []


def test_changes_are_visible(open_page: Any, report: Path) -> None:
    browser = open_page(report)
    (headline,) = texts(browser, "#verdict .headline")
    assert headline.startswith("BLEU: 2 of 11 changes are significant: run-6 (+")
    verdicts = texts(browser, "#runs-by-bleu tbody tr td:nth-child(5) .key")
    assert [verdict[0] for verdict in verdicts] == ["=", "=", "=", "=", "=", "▲", "=", "=", "=", "=", "▼"]
    shown = texts(browser, "#figure-bleu-over-time .wide svg [aria-label] title")
    assert (
        len([text for text in shown if text.startswith("run-11, 2026-03-12 12:00") and "worse" in text]) == 1
    )


def test_dates_stand_below_names_on_a_phone(open_page: Any, report: Path) -> None:
    browser = open_page(report, 390)
    shown = "return [...document.querySelectorAll(arguments[0])].some((one) => one.offsetWidth > 0)"
    assert browser.execute_script(shown, ".run-day")
    assert not browser.execute_script(shown, "td.day")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        made_up(Path(folder)).report(Path(folder) / "page.html")
        page = (Path(folder) / "page.html").read_text(encoding="utf-8")
    GOLDEN.write_text(structure(page), encoding="utf-8")

"""Reports of much: many documents, many systems, names and words without end. They stay short, narrow and small."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from material import comparisons
from material.browsing import click, texts, when
from material.optional import needs_report
from material.pages import files_in, unpacked
from material.trusts import made_up
from understudy.breakdown.results import Breakdown, Bucket, Bucketing, SegmentView
from understudy.comparing.run import compare
from understudy.report.charts import MOST_BUCKETS, figures, most_telling
from understudy.report.figure import NARROW, WIDE
from understudy.report.html_report import html_report
from understudy.report.trust_report import trust_report

pytestmark = needs_report

DOCUMENTS = 170
LONG = "https://example.org/" + "x" * 180  # a word that nothing breaks
NAME = "Transformer_big_ensemble_backtranslation_finetuned_{}_checkpoint_avg_20_lr_0.0005"


def documents(systems: tuple[str, ...] = comparisons.SYSTEMS) -> Bucketing:
    """The first has the largest difference, and a single segment; the last has the largest times its segments."""
    sizes = [1, *(10 for _ in range(DOCUMENTS - 2)), 40]
    spreads = [90.0, *(number / DOCUMENTS for number in range(1, DOCUMENTS - 1)), 30.0]
    return Bucketing(
        "document",
        "segments",
        "BLEU",
        [
            Bucket(
                f"document {number}",
                size,
                {system: 5 + spread * place / (len(systems) - 1) for place, system in enumerate(systems)},
            )
            for number, (size, spread) in enumerate(zip(sizes, spreads, strict=True), start=1)
        ],
    )


def with_documents(*more: Bucketing) -> Breakdown:
    found = comparisons.breakdown()
    return replace(found, bucketings=[*found.bucketings, documents(), *more])


# --- many documents ----------------------------------------------------------------------------------------


def test_of_very_many_buckets_those_are_drawn_that_say_most() -> None:
    chosen = most_telling(documents())
    assert len(chosen) == MOST_BUCKETS
    assert [bucket.label for bucket in chosen[:3]] == ["document 170", "document 1", "document 169"]
    few = comparisons.breakdown().bucketings[0]
    assert most_telling(few) == few.buckets
    unscored = Bucketing("t", "segments", "BLEU", [Bucket("b", 1, {"a": float("nan")})] * (MOST_BUCKETS + 1))
    assert len(most_telling(unscored)) == MOST_BUCKETS


def test_all_buckets_are_in_the_data_of_the_figure() -> None:
    drawn = {figure.name: figure for figure in figures(comparisons.compared(), with_documents())}
    figure = drawn["bleu-by-document"]
    assert len(figure.csv().splitlines()) == 1 + DOCUMENTS * 4
    for width in (WIDE, NARROW):
        (values,) = figure.vega_lite(width)["datasets"].values()
        assert len(values) == MOST_BUCKETS * 4
    assert figure.caption == (
        f"The {MOST_BUCKETS} of {DOCUMENTS} buckets with the largest difference between two systems, weighted by the "
        "number of "
        "segments. Each dot is a system."
    )


@pytest.mark.parametrize("systems", [2, 8, 21])
def test_charts_of_very_many_buckets_are_no_taller_than_others(systems: int) -> None:
    import altair

    names = tuple(f"system {number}" for number in range(1, systems + 1))
    files = list(comparisons.files().values())
    found = compare(
        {name: files[number % 4] for number, name in enumerate(names)},
        [comparisons.REFERENCE],
        all_pairs=True,
        samples=50,
    )
    breakdown = Breakdown([documents(names)], [], [])
    figure = figures(found, breakdown)[-1]
    altair.Chart.from_dict(figure.vega_lite(), validate=True)
    height = int(re.search(r'height="(\d+)"', figure.svg())[1])
    assert height < 600


def test_all_documents_are_shown_on_demand_by_keys_alone(open_page, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    path = tmp_path / "documents.html"
    path.write_text(html_report(comparisons.compared(), with_documents()), encoding="utf-8")
    browser = open_page(path)
    when(browser, "#segment-1")
    height = "return document.documentElement.scrollHeight"
    before = browser.execute_script(height)
    assert before < 12_000
    summary = browser.find_element(By.CSS_SELECTOR, "#figure-bleu-by-document .all summary")
    assert summary.text == f"Show all {DOCUMENTS}"
    summary.send_keys(Keys.ENTER)
    when(browser, "#bleu-by-document-all tbody tr")
    rows = "#bleu-by-document-all tbody th"
    assert texts(browser, rows) == [f"document {number}" for number in range(1, DOCUMENTS + 1)]
    assert browser.execute_script(height) < before + 900  # the table scrolls by itself
    click(browser, "#bleu-by-document-all thead th:nth-child(2) button")
    assert texts(browser, rows)[0] == "document 170"  # it can be sorted as any other
    assert browser.get_log("browser") == []


def test_what_is_not_opened_is_not_printed(open_page, tmp_path: Path) -> None:
    path = tmp_path / "documents.html"
    path.write_text(html_report(comparisons.compared(), with_documents()), encoding="utf-8")
    browser = open_page(path)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = "return getComputedStyle(document.querySelector('#figure-bleu-by-document .all')).display"
    assert browser.execute_script(shown) == "none"
    browser.execute_script("document.querySelector('#figure-bleu-by-document .all').open = true")
    when(browser, "#bleu-by-document-all tbody tr")
    assert browser.execute_script(shown) == "block"
    table = "return document.querySelector('#bleu-by-document-all').parentElement"
    assert browser.execute_script(f"{table}.scrollHeight <= {table.removeprefix('return ')}.clientHeight")


# --- names and words without end ---------------------------------------------------------------------------


def long_words() -> str:
    """A report in which everything is long, and runs from right to left too."""
    files = list(comparisons.files().values())
    names = tuple(NAME.format(number) for number in range(1, 10))
    found = compare(
        {name: files[number % 4] for number, name in enumerate(names)},
        [comparisons.REFERENCE],
        ["bleu:tokenize=intl,lowercase=true", "ter"],
        all_pairs=True,
        samples=50,
        kinds={"old_" * 20: names[:4], "new_" * 20: names[4:]},
    )
    texts_shown = (LONG, f"كتاب {LONG} مكتبة", "语" * 200, "word " * 50)
    bucketing = documents(names)
    titled = replace(bucketing, title="label_" * 20, buckets=bucketing.buckets[:5])
    longer = [replace(bucket, label=f"{bucket.label}_{'d' * 120}") for bucket in bucketing.buckets]
    return html_report(
        found,
        Breakdown(
            [titled, replace(bucketing, buckets=longer)],
            [
                replace(ngram, ngram=LONG, matches=dict.fromkeys(names, 1))
                for ngram in comparisons.breakdown().ngrams
            ],
            [
                SegmentView(
                    number,
                    [text],
                    dict.fromkeys(names, f"{text} {LONG}"),
                    {metric.spec: dict.fromkeys(names, 50.0) for metric in found.metrics},
                    document="d" * 150,
                )
                for number, text in enumerate(texts_shown, start=1)
            ],
        ),
    )


def long_names() -> str:
    return trust_report([made_up(metrics=12, systems=25, names=NAME)])


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("made", [long_words, long_names])
def test_phones_never_scroll_sideways(open_page, tmp_path: Path, made, width: int) -> None:
    path = tmp_path / "long.html"
    path.write_text(made(), encoding="utf-8")
    browser = open_page(path, width)
    if made is long_words:
        when(browser, "#segment-1")
    when(browser, ".drawn-for-phones")
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    if made is long_words:
        when(browser, ".all table")
    assert browser.execute_script("return innerWidth") == width
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.get_log("browser") == []


def test_numbers_are_never_broken(open_page, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(long_words(), encoding="utf-8")
    browser = open_page(path, 390)
    script = """return [...document.querySelectorAll('tbody .n')].filter((cell) => {
        const lines = document.createRange();
        lines.selectNodeContents(cell);
        const parts = [...lines.getClientRects()];
        return parts.some((part, i) => i && part.top >= parts[i - 1].bottom);
    }).length"""
    assert browser.execute_script(script) == 0


# --- bytes -------------------------------------------------------------------------------------------------


def test_a_text_is_in_the_page_once() -> None:
    names = ("strong", "medium", "rulebased", "weak")
    said = SegmentView(
        1,
        ["the same"],
        {"strong": "the same", "medium": "another", "rulebased": "another", "weak": ""},
        {spec: dict.fromkeys(names, 1.0) for spec in ("bleu", "ter")},
    )
    page = html_report(comparisons.compared(), Breakdown([], [], [said]))
    data = json.loads(unpacked(re.search(r'id="segment-data">([^<]+)<', page)[1]))
    assert data["texts"] == [["the same", "another", ""]]
    assert (data["references"], data["outputs"]) == ([[0]], [[0, 1, 1, 2]])


def test_names_cannot_break_what_is_unpacked() -> None:
    hostile = "<script>alert(1)</script>\"'&"
    bucketing = documents()
    named = replace(
        bucketing,
        buckets=[replace(bucket, label=f"{hostile} {bucket.label}") for bucket in bucketing.buckets],
    )
    page = html_report(comparisons.compared(), Breakdown([named], [], []))
    (table,) = (unpacked(packed) for packed in re.findall(r'data-folded="([^"]+)"', page))
    narrow = json.loads(unpacked(re.search(r'id="narrow-charts">([^<]+)<', page)[1]))["bleu-by-document"]
    for part in (page, table, narrow):
        assert "<script>alert" not in part
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in part


def test_what_a_page_holds_packed_is_what_it_says() -> None:
    page = html_report(comparisons.compared(), comparisons.breakdown(), comparisons.studies())
    files = files_in(page)
    for figure in figures(comparisons.compared(), comparisons.breakdown(), comparisons.studies()):
        assert files[f"{figure.name}.csv"] == figure.csv()
        assert json.loads(files[f"{figure.name}.vl.json"]) == figure.vega_lite()
    assert len(json.loads(files["comparison.json"])["metrics"]) == 2
    assert files["comparison.tsv"].startswith("metric\tfirst\tsecond")
    narrow = json.loads(unpacked(re.search(r'id="narrow-charts">([^<]+)<', page)[1]))
    assert list(narrow) == [
        figure.name
        for figure in figures(comparisons.compared(), comparisons.breakdown(), comparisons.studies())
    ]


def test_cells_of_a_matrix_say_what_the_verdict_says(open_page, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(html_report(comparisons.compared()), encoding="utf-8")
    browser = open_page(path)
    script = "return [...document.querySelectorAll(arguments[0])].map((cell) => cell.title)"
    titles = browser.execute_script(script, "#matrix-ter tbody tr:first-child td:not(.self)")
    sentences = str(comparisons.compared()).splitlines()
    assert len(titles) == 3
    for title, other in zip(titles, ("medium", "rulebased", "weak"), strict=True):
        assert title.startswith(f"strong is better than {other} by ")
        assert " TER (" in title
        assert title in sentences


def test_a_table_of_many_pairs_is_unpacked_when_it_is_opened(open_page, tmp_path: Path) -> None:
    files = list(comparisons.files().values())
    systems = {f"system {number}": files[number % 4] for number in range(11)}
    path = tmp_path / "pairs.html"
    found = compare(systems, [comparisons.REFERENCE], all_pairs=True, samples=50)
    path.write_text(html_report(found), encoding="utf-8")
    assert 'id="pairs-bleu"' not in path.read_text(encoding="utf-8")
    browser = open_page(path)
    click(browser, "#pairs details summary")
    when(browser, "#pairs-bleu tbody tr")
    assert len(texts(browser, "#pairs-bleu tbody tr")) == 55
    assert browser.get_log("browser") == []


def test_files_can_be_saved_from_the_page(open_page, tmp_path: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    path = tmp_path / "report.html"
    path.write_text(html_report(comparisons.compared()), encoding="utf-8")
    browser = open_page(path)
    downloads = tmp_path / "downloads"
    behavior = {"behavior": "allow", "downloadPath": str(downloads)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", behavior)
    click(browser, "[data-file='comparison.tsv']")
    saved = downloads / "comparison.tsv"
    WebDriverWait(browser, 30).until(lambda _: saved.exists() and saved.stat().st_size > 0)
    assert saved.read_text(encoding="utf-8") == files_in(path.read_text(encoding="utf-8"))["comparison.tsv"]
    assert browser.get_log("browser") == []


def test_a_browser_that_cannot_unpack_says_so(open_page, tmp_path: Path) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    page = html_report(comparisons.compared(), with_documents())
    path = tmp_path / "old.html"
    older = page.replace("<head>", "<head><script>delete window.DecompressionStream</script>")
    path.write_text(older, encoding="utf-8")
    browser = open_page(path, 390)
    said = "This browser cannot unpack this part (DecompressionStream is not defined). Open the file in a newer one."
    browser.execute_script("document.querySelector('#figure-bleu-by-document .all').open = true")
    button = "#figure-bleu-by-document [data-file$=csv]"
    click(browser, button)
    places = f"{button}, #figure-bleu-by-document .all div, #found"
    WebDriverWait(browser, 30).until(lambda _: texts(browser, places) == [said] * 3)
    chart = "return document.querySelector('.chart .wide svg').getBoundingClientRect().width"
    assert browser.execute_script(chart) > 0  # those of wide screens, only smaller

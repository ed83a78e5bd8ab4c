"""Draws the pictures of the guides: what the commands show in a terminal, a score in a notebook, reports, and the pages
of judge.

    python tools/pictures.py              all of them
    python tools/pictures.py judge track  only these: notebook, report, trees, trust, track, decide, probe, judge

All but the first need chromium, those of judge also chromedriver. Run it again when the output changes.
"""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.text import Text

from understudy import BLEU, Corpus, Track, decide, probe
from understudy.breakdown.run import break_down
from understudy.comparing.run import compare
from understudy.corpus.judgments import read_judgments
from understudy.report.html_report import html_report, report_of
from understudy.report.probe_charts import probe_figures
from understudy.report.probe_report import probe_report
from understudy.report.tables_page import decision_page
from understudy.report.track_report import track_report
from understudy.report.trust_report import trust_report
from understudy.trusting.run import trust

if TYPE_CHECKING:
    from material.judge_in_browser import JudgeAtPage

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "guide" / "pictures"
PROBE_PICTURES = [PICTURES / "probe.png", PICTURES / "permutations.svg"]
JUDGE_PICTURES = [PICTURES / f"judge-{page}.png" for page in ("task", "phone", "lead")]
HIDE_TIME_LEFT = "document.querySelector('.told .soft').remove()"  # estimated from skipped tasks
MINOR, MAJOR = "haveI", "gate"  # errors in a translation of the example data, without spaces
# The example of Liu and Gildea 2005, of which the report shows the trees.
TREES = {
    "first": "(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))",
    "second": "(S (NP (DT A) (NN dog)) (NP (PRP I)) (VP (VBD had)) (. .))",
    "reference": "(S (NP (PRP I)) (VP (VBP have) (NP (DT the) (NN dog))) (. .))",
}
# Opens the trees of the only segment, and leaves nothing else on the page.
OPEN_TREES = """<script>setInterval(() => {
    const card = document.getElementById("segment-1"), trees = card?.querySelector(".trees");
    if (!trees || trees.open) return;
    trees.open = true;
    card.style.margin = 0;
    document.body.replaceChildren(card);
}, 20)</script>"""
# Leaves the verdict and the figures.
HIDE_TABLES = """<script>document.getElementById("coefficients").remove()</script>"""
# Leaves the verdict and the variants.
HIDE_PERMUTATIONS = """<script>document.getElementById("permutations").remove()</script>"""
SCORE = (
    "understudy score examples/system-*.en -r examples/reference-1.en -r examples/reference-2.en "
    "-m bleu -m bleu:papineni2002 -m bleu:tokenize=char"
)


def terminal(command: str, columns: int) -> str:
    """What a command writes to a terminal of so many columns, colors included."""
    parent, child = pty.openpty()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(columns),
        "TERM": "xterm-256color",
    }
    process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, env=environment, stdout=child, stderr=child)
    os.close(child)
    written = b""
    while True:
        try:
            block = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        written += block
    process.wait()
    os.close(parent)
    return written.decode().replace("\r\n", "\n")


def draw_terminal(command: str, target: Path, columns: int = 100) -> None:
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"\x1b[32m$\x1b[0m {command}"))
    console.print(Text.from_ansi(terminal(command, columns)))
    svg = console.export_svg(title="understudy")
    # Pages shall look the same offline: no fonts from elsewhere.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    target.write_text(svg, encoding="utf-8")


def draw_notebook(target: Path) -> None:
    corpus = Corpus.read([ROOT / "examples/system-strong.en"], [ROOT / "examples/reference-1.en"])
    score = BLEU().corpus(corpus["system-strong.en"], corpus.references)
    page = f"""<meta charset="utf-8"><style>body {{ font: 14px sans-serif; margin: 16px }}
        td, th {{ padding: 2px 10px; font-size: 13px }} tr:nth-child(even) {{ background: #f5f5f5 }}
        pre {{ background: #f7f7f7; border: 1px solid #ddd; padding: 8px }}</style>
        <pre>BLEU().corpus(hypotheses, references)</pre>{score._repr_html_()}"""
    photograph(page, target, 1150, 480)


def draw_report(target: Path) -> None:
    systems = {
        path.stem.removeprefix("system-"): path for path in sorted((ROOT / "examples").glob("system-*.en"))
    }
    found = compare(systems, [ROOT / "examples/reference-1.en"], all_pairs=True)
    photograph(html_report(found), target, 1180, 1270)


def draw_trust(target: Path) -> None:
    examples = ROOT / "examples"
    systems = {path.stem.removeprefix("system-"): path for path in sorted(examples.glob("system-*.en"))}
    systems["a person"] = examples / "reference-2.en"
    judged = read_judgments(examples / "judgments.tsv", "adequacy")
    named = {"reference-2.en": "a person"}
    people = replace(
        judged,
        systems=tuple(named.get(name, Path(name).stem.removeprefix("system-")) for name in judged.systems),
    )
    kinds = {"rule-based": ["rulebased"], "human": ["a person"], "statistical": ["strong", "medium", "weak"]}
    found = trust(people, systems, [examples / "reference-1.en"], ["bleu", "chrf", "ter"], kinds=kinds)
    photograph(trust_report([found]) + HIDE_TABLES, target, 1180, 1400)


def draw_probe(target: Path, permutations: Path) -> None:
    """The report of `probe`, and its scatter of lengths and permutations."""
    examples = ROOT / "examples"
    found = probe(
        {"strong": examples / "system-strong.en"},
        [examples / "reference-1.en", examples / "reference-2.en"],
        ["bleu", "chrf", "ter"],
        sources=examples / "source.de",
        lang="en",
    )
    photograph(probe_report(found) + HIDE_PERMUTATIONS, target, 1180, 1500)
    scatter = next(figure for figure in probe_figures(found) if figure.name == "permutations")
    permutations.write_text(scatter.svg(), encoding="utf-8")


def draw_trees(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.ptb" for name in TREES}
        for name, path in files.items():
            path.write_text(f"{TREES[name]}\n", encoding="utf-8")
        systems = {name: files[name] for name in ("first", "second")}
        corpus = Corpus.read(systems, [files["reference"]])
        breakdown = break_down(corpus, metrics=["stm", "hwcm"])
        found = compare(corpus, metrics=["stm", "hwcm"], samples=100)
        page = report_of(found, breakdown=breakdown)
    photograph(page + OPEN_TREES, target, 900, 740)


def draw_track(target: Path) -> None:
    """Runs that mix the outputs of two systems: at first mostly the medium one, from the eighth on mostly the strong
    one.
    """
    strong, medium, answers = (
        (ROOT / "examples" / f"{name}.en").read_text(encoding="utf-8").splitlines()
        for name in ("system-strong", "system-medium", "reference-1")
    )
    generator = np.random.default_rng(4)
    notes = {0: "baseline", 4: "longer training", 7: "back-translation", 10: "larger vocabulary"}
    with tempfile.TemporaryDirectory() as folder:
        track = Track(Path(folder) / "track.sqlite")
        for run in range(12):
            of_strong = generator.random(len(answers)) < (0.15 if run < 7 else 0.85)
            text = np.where(of_strong, strong, medium).tolist()
            track.add(
                f"run-{run + 1}",
                text,
                answers,
                ["bleu", "chrf"],
                note=notes.get(run, ""),
                test_set="examples",
                date=datetime(2026, 3, 1 + run, 9, tzinfo=timezone.utc),
            )
        photograph(track_report(track.show()), target, 1180, 1240)


def draw_decision(target: Path) -> None:
    references = [ROOT / "examples" / f"reference-{number}.en" for number in (1, 2)]
    found = decide(ROOT / "examples/nbest.txt", references, "bleu")
    photograph(decision_page(found), target, 1180, 1530)


def draw_judge(task: Path, phone: Path, lead: Path) -> None:
    """The pages of `make judge-demo`: a task with marked errors, the score on a phone, and the lead's page."""
    with tempfile.TemporaryDirectory() as folder, demo_links(f"{folder}/demo.campaign") as links:
        page = judge_at_page(f"{folder}/profile")
        try:
            page.screen(960, 1300)
            page.open(links["lead"])
            page.see("Agreement so far")
            page.browser.save_screenshot(str(lead))
            page.browser.delete_all_cookies()
            page.open(links["judge"])
            page.step("errors")
            while MINOR not in shown_text(page):
                skip(page)
            page.screen(960, 740)
            select(page, MINOR)
            page.press("m")
            page.see("All answers saved.")
            select(page, MAJOR)
            page.js("window.scrollTo(0, 0)")
            page.js(HIDE_TIME_LEFT)
            page.browser.save_screenshot(str(task))
            page.press("j")
            page.do("next")
            page.step("score")
            page.screen(390, 740)
            page.press("7")
            page.js(HIDE_TIME_LEFT)
            page.browser.save_screenshot(str(phone))
        finally:
            page.browser.quit()


@contextmanager
def demo_links(campaign: str) -> Iterator[dict[str, str]]:
    """The links that `make judge-demo` prints, while it serves."""
    command = [sys.executable, "-u", str(ROOT / "tools" / "judge_demo.py"), campaign, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        lines = [demo.stdout.readline() for _ in range(4)]
        try:
            yield dict(line.split() for line in lines[1:])
        finally:
            demo.send_signal(signal.SIGINT)


def judge_at_page(profile: str) -> JudgeAtPage:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    sys.path.insert(0, str(ROOT / "tests"))
    from material.judge_in_browser import JudgeAtPage

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(flag)
    return JudgeAtPage(webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver"))))


def skip(page: JudgeAtPage) -> None:
    """Go to the next task, past the feedback on a practice item."""
    before = page.where()
    page.do("skip")
    page.until(lambda: page.all("[data-do=continue]") or page.where() != before, "the next task")
    if page.all("[data-do=continue]"):
        page.do("continue")
    page.until(lambda: page.where() not in (None, before), "the next task")


def shown_text(page: JudgeAtPage) -> str:
    """The translation without its spaces, which are no units that can be selected."""
    units = "[...document.querySelectorAll('.output .markable [role=option]')]"
    return str(page.js(f"return {units}.map((unit) => unit.textContent).join('')"))


def select(page: JudgeAtPage, words: str) -> None:
    start = shown_text(page).index(words)
    page.drag(".output .markable", start, start + len(words) - 1)


def photograph(page: str, target: Path, width: int, height: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--disable-background-networking", "--no-first-run", f"--user-data-dir={folder}/profile"),
                "--virtual-time-budget=5000",  # for what scripts draw
                *(f"--window-size={width},{height}", f"--screenshot={target}", source.as_uri()),
            ],
            check=True,
            capture_output=True,
        )


DRAWN = {
    "notebook": lambda: draw_notebook(PICTURES / "notebook.png"),
    "report": lambda: draw_report(PICTURES / "report.png"),
    "trees": lambda: draw_trees(PICTURES / "trees.png"),
    "trust": lambda: draw_trust(PICTURES / "trust.png"),
    "track": lambda: draw_track(PICTURES / "track.png"),
    "decide": lambda: draw_decision(PICTURES / "decide.png"),
    "probe": lambda: draw_probe(*PROBE_PICTURES),
    "judge": lambda: draw_judge(*JUDGE_PICTURES),
}


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    if not sys.argv[1:]:
        draw_terminal(SCORE, PICTURES / "score.svg", columns=110)
    if not shutil.which("chromium"):
        sys.exit("no chromium here: only score.svg can be drawn")
    for picture in sys.argv[1:] or DRAWN:
        DRAWN[picture]()

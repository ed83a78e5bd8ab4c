"""Draws the pictures of the guides: what the commands show in a terminal, a score in a notebook, and reports.

    python tools/pictures.py

All but the first need chromium. Run it again when the output changes.
"""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from understudy import BLEU, Corpus
from understudy.breakdown.run import break_down
from understudy.comparing.run import compare
from understudy.corpus.judgments import read_judgments
from understudy.report.html_report import html_report, report_of
from understudy.report.trust_report import trust_report
from understudy.trusting.run import trust

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "guide" / "pictures"
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


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    draw_terminal(SCORE, PICTURES / "score.svg", columns=110)
    if shutil.which("chromium"):
        draw_notebook(PICTURES / "notebook.png")
        draw_report(PICTURES / "report.png")
        draw_trees(PICTURES / "trees.png")
        draw_trust(PICTURES / "trust.png")
    else:
        sys.exit("no chromium here: notebook.png, report.png, trees.png and trust.png were not drawn")

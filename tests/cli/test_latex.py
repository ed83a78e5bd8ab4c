"""LaTeX tables are read by a small strict reader, and compiled where there is pdflatex.

TeX with booktabs takes 250 MB, too much to install for these tests alone; what the reader refuses is what pdflatex
refused when the tables were first compiled.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

EXAMPLES = Path(__file__).parents[2] / "examples"
NASTY = "a_b&50%#{$}~^\\ <x>|\"'`-1"
BRACKETED = "[x] *y* --é ,,?`"
STARRED = "*z*"
SYSTEMS = [f"{NASTY}={EXAMPLES}/system-weak.en", f"{BRACKETED}={EXAMPLES}/system-strong.en"]
THIRD = f"{STARRED}={EXAMPLES}/system-medium.en"
REFERENCES = ["-r", f"{EXAMPLES}/reference-1.en", "-r", f"{EXAMPLES}/reference-2.en"]

COMMANDS = (
    *(
        "toprule",
        "midrule",
        "bottomrule",
        "textbf",
        "texttt",
        "footnotesize",
        "raggedright",
        "par",
        "caption",
    ),
    *(
        "centering",
        "linewidth",
        "allowbreak",
        "textbackslash",
        "textasciicircum",
        "textasciitilde",
        "textless",
    ),
    *("textgreater", "textbar", "uparrow", "downarrow", "to", "phantom", "approx", "leq", "geq"),
    *("bigtriangleup", "bigtriangledown"),
)
CASES = {
    "score": ["score", *SYSTEMS, *REFERENCES, "-m", "bleu", "-m", "ter", "-m", "length-ratio"],
    "score with intervals": ["score", *SYSTEMS, *REFERENCES, "--ci"],
    "segments": ["score", *SYSTEMS, *REFERENCES, "--level", "segment"],
    "compare": ["compare", *SYSTEMS, *REFERENCES, "-m", "bleu", "-m", "ter"],
    "pairs": ["compare", *SYSTEMS, THIRD, *REFERENCES, "-m", "bleu", "-m", "ter", "--pairs"],
    "negative differences": ["compare", *SYSTEMS, THIRD, *REFERENCES, "--baseline", BRACKETED],
    "all pairs": ["compare", *SYSTEMS, THIRD, *REFERENCES, "--all-pairs", "--baseline", NASTY],
    "blocks": ["compare", *SYSTEMS, THIRD, *REFERENCES, "--test", "blocks"],
    "breakdown": ["compare", *SYSTEMS, *REFERENCES, "--breakdown", "--references-study", "--draws", "2"],
    "judgments": ["judge", "results", f"{EXAMPLES}/judgments.tsv", "--samples", "20", "--details"],
    "rankings": ["judge", "results", f"{EXAMPLES}/rankings.tsv", "--samples", "20", "--details"],
    "annotations": ["judge", "results", f"{EXAMPLES}/spans.tsv", "--samples", "20", "--details"],
    "explain": ["explain", f"{EXAMPLES}/system-weak.en", *REFERENCES, "--against", "multi-bleu"],
}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)
def test_tables_are_latex(run: Callable[..., Result], arguments: list[str], tmp_path: Path) -> None:
    text = run(*arguments, "--format", "latex").stdout
    tables = read_strictly(text)
    assert tables
    if shutil.which("pdflatex"):
        compile_page(text, tmp_path)


def test_names_are_shown_as_they_are(run: Callable[..., Result]) -> None:
    text = run("score", *SYSTEMS, *REFERENCES, "--format", "latex").stdout
    first, second = (row.split(" & ")[0] for row in text.splitlines() if row.endswith(r"\\") and "." in row)
    assert plain(first) == NASTY
    assert plain(second) == BRACKETED
    assert second.startswith("{}[x]")  # a bracket after the \\ of the row above would belong to that
    assert r"\usepackage[T1]{fontenc}" in text


@pytest.mark.parametrize(
    "wrong",
    [
        "a & b & c \\\\",
        "a & 50% \\\\",
        "a & b_c \\\\",
        "a & {b \\\\",
        "[a] & b \\\\",
        "* & b \\\\",
        "a & \\unknown{} \\\\",
        "a & b--c \\\\",
        "a & b",
    ],
)
def test_the_reader_is_strict(wrong: str) -> None:
    table = ["\\begin{tabular}{lr}", "\\toprule", "{row} \\\\", "\\midrule", "\\bottomrule", "\\end{tabular}"]
    right = "\n".join(table).replace("{row}", "a & $-$1")
    assert read_strictly(right) == [["a & $-$1 \\\\"]]
    with pytest.raises(AssertionError):
        read_strictly(right.replace("a & $-$1 \\\\", wrong))


def read_strictly(text: str) -> list[list[str]]:
    """The rows of every table. Fails where LaTeX would, or where it would show something else than was meant."""
    tables: list[list[str]] = []
    open_environments: list[str] = []
    columns = 0
    for line in text.splitlines():
        if line.startswith("%") or not line:
            continue
        if begins := re.fullmatch(
            r"\\begin\{(table|tabular)\}(?:\{((?:[lr]|p\{0\.5\\linewidth\})+)\})?", line
        ):
            open_environments.append(begins[1])
            if begins[2]:
                columns = len(re.sub(r"p\{[^}]*\}", "p", begins[2]))
                tables.append([])
        elif line.startswith("\\end{"):
            assert line == f"\\end{{{open_environments.pop()}}}"
        elif open_environments[-1:] == ["tabular"] and line not in ("\\toprule", "\\midrule", "\\bottomrule"):
            assert line.endswith(" \\\\"), line
            cells = re.split(r"(?<!\\)&", line[:-3])
            assert len(cells) == columns, line
            assert not line.startswith(("[", "*")), line
            for cell in cells:
                read_text(cell)
            tables[-1].append(line)
        else:
            read_text(line)
    assert not open_environments
    return tables


def read_text(text: str) -> None:
    """Known commands, balanced braces, nothing special that is not escaped, no ligatures."""
    sign = r"\\(uparrow|downarrow|to|approx|leq|geq|bigtriangleup|bigtriangledown)"
    rest = re.sub(rf"\$(-|{sign}|\^\{{({sign})+\}})\$", "", text)
    for command in re.findall(r"\\([A-Za-z]+)", rest):
        assert command in COMMANDS, text
    rest = re.sub(r"\\([A-Za-z]+|[{}$&#_%])", "", rest)
    assert not re.search(r"[\\$&#_%^~<>|]", rest), text
    assert not re.search(r"[-`',?!][-`',]", rest), text
    depth = 0
    for character in rest:
        depth += (character == "{") - (character == "}")
        assert depth >= 0, text
    assert depth == 0, text


def plain(cell: str) -> str:
    """What a cell shows."""
    shown = cell.removeprefix("\\textbf{").removesuffix("}") if cell.startswith("\\textbf{") else cell
    named = {"textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~"}
    named |= {"textless": "<", "textgreater": ">", "textbar": "|"}
    shown = re.sub(r"\\(text[a-z]+)\{\}", lambda found: named[found[1]].replace("\\", "\\\\"), shown)
    return re.sub(r"\\([\\{}$&#_%])", r"\1", re.sub(r"(?<!\\)\{\}", "", shown))


def compile_page(text: str, folder: Path) -> None:
    packages = "\\usepackage{booktabs}\\usepackage[T1]{fontenc}"
    page = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{text}\n\\end{{document}}\n"
    (folder / "page.tex").write_text(page, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]

"""The examples in the documentation: found, run, and written anew.

    python tools/doc_examples.py             runs every command in a ```console block and puts its output below it
    python tools/doc_examples.py README.md   only those of these pages

Lines after `$ ` are commands, run as if from the top of the repository; what follows is their output, where a line
of `...` stands for any lines (such an output is left as it is). Files that they write are there for the later commands
of their block, and then gone. SACREBLEU is a folder with a stand-in for wmt23 de-en, see `write_sets`. Python and TOML
blocks whose first line is a comment with a file's name are files of a package that is installed for the commands of
their page. The folder `data` is ../shared/data, which is no part of the
repository: commands that read it are left out where it is absent.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
    if not page.name.endswith(".notes.md")  # they stand in the pages made of them
)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DATA = Path(os.environ.get("UNDERSTUDY_TEST_SHARED") or ROOT.parent / "shared") / "data"
# Of a package that a page shows.
PACKAGES = ".packages"
# Where test sets are stored for the commands, see `write_sets`.
SETS = ".sacrebleu"
FILE = re.compile(r"# (\S+\.(?:py|toml))\n(.*)", re.DOTALL)
ENTRY_POINTS = re.compile(r'^\[project\.entry-points\."(.+)"\]\n((?:.+\n)+)', re.MULTILINE)
# A command may go on after a backslash at the end of a line.
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    page: Path
    command: str
    output: str
    before: tuple[str, ...] = ()  # the commands above it in its block

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.command.splitlines()[0][:60]}"

    @property
    def reads_data(self) -> bool:
        return any("=data/" in command for command in (*self.before, self.command))

    def run(self) -> str:
        """What the command prints now."""
        with tempfile.TemporaryDirectory() as folder:
            for entry in ROOT.iterdir():
                if not entry.name.startswith("."):
                    (Path(folder) / entry.name).symlink_to(entry)
            (Path(folder) / "data").symlink_to(DATA)
            install(self.page, Path(folder) / PACKAGES)
            write_sets(Path(folder) / SETS)
            for command in self.before:
                _run(command, folder)
            return _run(self.command, folder)

    def agrees_with(self, got: str) -> bool:
        pattern = "\n".join(
            ".*?" if line == "..." else re.escape(rounded(line)) for line in tidy(self.output).split("\n")
        )
        return re.fullmatch(pattern, rounded(got), re.DOTALL) is not None


def rounded(text: str) -> str:
    """With 12 digits of every number that has more: releases of scipy differ in the last ones.

    >>> rounded("p 3.0597469581253634e-11, of 18.2")
    'p 3.05974695813e-11, of 18.2'
    """
    return re.sub(r"\d+\.\d{13,}(e-?\d+)?", lambda number: f"{float(number[0]):.12g}", text)


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def install(page: Path, folder: Path) -> None:
    """Writes the files that a page shows, and what pip would note of a package's entry points."""
    folder.mkdir()
    shown = [block for language in ("python", "toml") for block in blocks(page, language)]
    for name, text in (found.groups() for found in map(FILE.match, shown) if found):
        (folder / name).write_text(text, encoding="utf-8")
        for group, entries in ENTRY_POINTS.findall(text):
            notes = folder / "shown-1.0.dist-info"
            notes.mkdir()
            (notes / "METADATA").write_text("Metadata-Version: 2.1\nName: shown\nVersion: 1.0\n")
            (notes / "entry_points.txt").write_text(f"[{group}]\n" + entries.replace('"', ""))


def write_sets(folder: Path) -> None:
    """A stand-in for wmt23 de-en, in sacreBLEU's layout: the example data, of which nothing has to be downloaded."""
    data = ROOT / "examples"
    inside = folder / "wmt23"
    inside.mkdir(parents=True)
    fields = {
        "src": "source.de",
        "ref-refA": "reference-1.en",
        "NMT": "system-medium.en",
        "ONLINE-A": "system-strong.en",
    }
    for field, file in fields.items():
        (inside / f"wmt23.de-en.{field}").write_bytes((data / file).read_bytes())
    documents = [row.split("\t")[-1] for row in (data / "documents.tsv").read_text().splitlines()[1:]]
    labels = {
        "docid": documents,
        "origlang": ["en" if name == documents[-1] else "de" for name in documents],
        "domain": ["news" if name == documents[0] else "social" for name in documents],
    }
    for field, lines in labels.items():
        (inside / f"wmt23.de-en.{field}").write_text("".join(f"{line}\n" for line in lines))


def examples() -> Iterator[Example]:
    for page in PAGES:
        for block in blocks(page, "console"):
            found = COMMAND.findall(block)
            for number, (command, output) in enumerate(found):
                yield Example(page, command, output, tuple(before for before, _ in found[:number]))


def _run(command: str, folder: str) -> str:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "200",
        "PYTHONPATH": str(Path(folder) / PACKAGES),
        "SACREBLEU": SETS,
        "UNDERSTUDY_DATA": f"{SETS}/judged",
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return tidy(done.stdout + done.stderr)


def tidy(output: str) -> str:
    return "\n".join(line.rstrip() for line in output.rstrip("\n").split("\n"))


if __name__ == "__main__":
    chosen = {Path(name).resolve() for name in sys.argv[1:]}
    for example in examples():
        if chosen and example.page not in chosen:
            continue
        if "...\n" in example.output or (example.reads_data and not DATA.exists()):
            continue
        text = example.page.read_text(encoding="utf-8")
        old = f"$ {example.command}\n{example.output}"
        got = example.run()
        example.page.write_text(
            text.replace(old, f"$ {example.command}\n" + (got + "\n" if got else "")), encoding="utf-8"
        )

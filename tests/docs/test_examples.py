"""Every example in the documentation is run, and prints what the page says it prints.

In ```console blocks, lines after `$ ` are commands, run from the top of the repository; what follows is their
output, where a line of `...` stands for any lines. ```python blocks run from top to bottom of a page in one
namespace; with `>>>` they are doctests.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def console_cases() -> list[object]:
    cases = []
    for page in PAGES:
        for block in blocks(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                # A command may go on after a backslash at the end of a line.
                match = re.match(r"((?:.*\\\n)*.*)\n?((?:.*\n)*)", part)
                assert match is not None
                name = f"{page.relative_to(ROOT)}: {match[1].splitlines()[0][:60]}"
                cases.append(pytest.param(match[1], match[2], id=name))
    return cases


@pytest.mark.parametrize(("command", "expected"), console_cases())
def test_commands_print_what_the_page_says(command: str, expected: str, tmp_path: Path) -> None:
    if command.startswith(("make ", "pip install", "git clone")):
        pytest.skip("set-up commands are run by whoever runs this test")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "200",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    got = [line.rstrip() for line in (done.stdout + done.stderr).rstrip("\n").split("\n")]
    wanted = [line.rstrip() for line in expected.rstrip("\n").split("\n")]
    pattern = "\n".join(".*?" if line == "..." else re.escape(line) for line in wanted)
    assert re.fullmatch(pattern, "\n".join(got), re.DOTALL), "\n".join(["expected:", *wanted, "got:", *got])


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {"__name__": "__page__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(blocks(page, "python")):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, namespace, f"{page.name}-{number}", str(page), 0)
            runner.run(test, clear_globs=False)
            namespace.update(test.globs)
        else:
            exec(compile(block, f"{page.name}, block {number}", "exec"), namespace)
    assert runner.failures == 0, f"{runner.failures} examples of {page.name} failed, see above"


def test_there_are_examples_to_run() -> None:
    assert len(console_cases()) >= 5


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"

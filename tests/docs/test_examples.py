"""Every example in the documentation is run, and prints what the page says it prints.

```console blocks: see tools/doc_examples.py. ```python blocks run from top to bottom of a page in one namespace;
with `>>>` they are doctests.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import doc_examples
import pytest

from material.optional import REPORT, missing, no_wordnet
from material.parsers import ENGLISH
from material.shared import without
from material.wmt import DATA
from understudy.corpus import test_sets
from understudy.metrics.base import registry
from understudy.metrics.base.metric_names import METRICS_BY_NAME

ROOT = Path(__file__).parents[2]


def repository_url() -> str:
    """As pyproject.toml has it."""
    found = re.search(
        r'^Repository = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    return found[1]


EXAMPLES = list(doc_examples.examples())
WITH_PYTHON = [page for page in doc_examples.PAGES if doc_examples.blocks(page, "python")]

JUDGE = ("sqlalchemy", "starlette", "uvicorn", "jinja2")
# The packages that examples need beside the package's own: of a command by what is in it, of Python by its page.
COMMANDS_NEED = {
    "--report": REPORT,
    "--figures": REPORT,
    "--learn": ("sklearn",),
    "--sentinels": ("sklearn",),
    "judge new": JUDGE,
    "judge import": JUDGE,
    "judge_demo.py": JUDGE,
    "examples/reference-1.en -m bleu -m stm": ENGLISH,
    "spacy:fr_core_news_sm": ("spacy", "fr_core_news_sm"),
}
PAGES_NEED = {
    "compare.md": ("pandas",),
    "large-files.md": ("pyarrow",),
    "rewards.md": ("torch",),
    "score.md": ("pandas",),
    "english-trees.md": ENGLISH,
    "integrations.md": (
        "evaluate",
        "datasets",
        "torchmetrics",
        "lm_eval",
        "polars",
        "pandas",
        "duckdb",
        "pyarrow",
        "daft",
    ),
    "trust-features.md": ("sklearn",),
    "trust-learned.md": ("sklearn",),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_commands_print_what_the_page_says(example: doc_examples.Example) -> None:
    if example.reads_data and not DATA.exists():
        pytest.skip(without(DATA))
    commands = "\n".join([*example.before, example.command])
    if lack := missing(
        *(package for part, needed in COMMANDS_NEED.items() if part in commands for package in needed)
    ):
        pytest.skip(lack)
    if (
        "understudy probe" in commands
        and "--lang en" in commands
        and (lack := no_wordnet() or missing(*ENGLISH))
    ):
        pytest.skip(lack)  # without it, some perturbations cannot be applied
    got = example.run()
    assert example.agrees_with(got), (
        f"expected:\n{example.output}\ngot:\n{got}\n\npython tools/doc_examples.py"
    )


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if lack := missing(*PAGES_NEED.get(page.name, ())):
        pytest.skip(lack)
    monkeypatch.chdir(ROOT)
    doc_examples.write_sets(tmp_path / doc_examples.SETS)
    monkeypatch.setattr(test_sets, "environment", {"SACREBLEU": str(tmp_path / doc_examples.SETS)})
    known = registry.metrics()  # all: one that a page loads would not be loaded again
    main = ModuleType("__main__")  # in which what a page defines can be found, to pickle it
    monkeypatch.setitem(sys.modules, "__main__", main)
    namespace = vars(main)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(doc_examples.blocks(page, "python")):
        if ">>>" in block:
            name = f"{page.name}-{number}"
            test = doctest.DocTestParser().get_doctest(block, namespace, name, str(page), 0)
            test.globs = namespace
            runner.run(test, clear_globs=False)
        else:
            exec(compile(block, f"{page.name}, block {number}", "exec", dont_inherit=True), namespace)
    METRICS_BY_NAME.clear()  # of the metrics that a page defines
    METRICS_BY_NAME.update(known)
    assert runner.failures == 0, f"{runner.failures} examples of {page.name} failed, see above"


def test_what_examples_need_is_of_examples() -> None:
    for part in COMMANDS_NEED:
        assert any(part in example.command for example in EXAMPLES), part
    assert {page.name for page in WITH_PYTHON} >= PAGES_NEED.keys()


def test_there_are_examples_to_run() -> None:
    assert len(EXAMPLES) >= 5
    assert len(WITH_PYTHON) >= 3


LINK = re.compile(r"\]\(([^)#\s]*)(?:#[^)]*)?\)|^\[[^\]]+\]: (\S+)", re.MULTILINE)
ON_THE_WEB = f"{repository_url()}/blob/main/"


def links(page: Path) -> list[str]:
    """The targets of a page's links, those of the repository on the web as files of this one."""
    found = [inline or defined for inline, defined in LINK.findall(page.read_text(encoding="utf-8"))]
    return [
        target.replace(ON_THE_WEB, f"{os.path.relpath(ROOT, page.parent)}/") for target in found if target
    ]


@pytest.mark.parametrize("page", doc_examples.PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    files = [target for target in links(page) if "://" not in target]
    assert [target for target in files if not (page.parent / target).exists()] == []


def test_the_readme_has_only_links_that_work_on_pypi() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(links(ROOT / "README.md")) >= 10
    assert [m[0] or m[1] for m in LINK.findall(text) if not (m[0] or m[1]).startswith("https://")] == []
    used = set(re.findall(r"\]\[([^\]]+)\]", text))
    assert used == set(re.findall(r"^\[([^\]]+)\]: ", text, re.MULTILINE))

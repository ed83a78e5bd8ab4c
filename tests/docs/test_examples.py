"""Every example in the documentation is run, and prints what the page says it prints.

```console blocks: see tools/doc_examples.py. ```python blocks run from top to bottom of a page in one namespace;
with `>>>` they are doctests.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import doc_examples
import pytest

from understudy.metrics import base, registry

ROOT = Path(__file__).parents[2]

EXAMPLES = list(doc_examples.examples())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_commands_print_what_the_page_says(example: doc_examples.Example) -> None:
    got = example.run()
    assert example.agrees_with(got), (
        f"expected:\n{example.output}\ngot:\n{got}\n\npython tools/doc_examples.py"
    )


WITH_PYTHON = [page for page in doc_examples.PAGES if doc_examples.blocks(page, "python")]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    known = registry.metrics()  # all: one that a page loads would not be loaded again
    namespace: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(doc_examples.blocks(page, "python")):
        if ">>>" in block:
            name = f"{page.name}-{number}"
            test = doctest.DocTestParser().get_doctest(block, namespace, name, str(page), 0)
            runner.run(test, clear_globs=False)
            namespace.update(test.globs)
        else:
            exec(compile(block, f"{page.name}, block {number}", "exec", dont_inherit=True), namespace)
    base.KNOWN.clear()  # of the metrics that a page defines
    base.KNOWN.update(known)
    assert runner.failures == 0, f"{runner.failures} examples of {page.name} failed, see above"


def test_there_are_examples_to_run() -> None:
    assert len(EXAMPLES) >= 5
    assert len(WITH_PYTHON) >= 3


def test_links_between_pages_lead_somewhere() -> None:
    for page in doc_examples.PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"

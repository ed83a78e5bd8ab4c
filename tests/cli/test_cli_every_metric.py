"""Every metric there is, in every preset, by every command that takes a metric: from files to a table."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from material.every_metric import every_metric, every_metric_with_references
from understudy import Metric, UnderstudyError

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = "reference.en"
SYSTEMS = {"weak": "weak.en", "strong": "strong.en"}


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch) -> None:
    """The first lines of the examples, which are quickly parsed. A dash makes them look as if of a script without
    spaces: their words are looked at then.
    """
    monkeypatch.chdir(tmp_path)
    sources = {REFERENCE: "reference-1.en", **{file: f"system-{name}.en" for name, file in SYSTEMS.items()}}
    for file, source in sources.items():
        lines = (EXAMPLES / source).read_text(encoding="utf-8").splitlines()[:6]
        (tmp_path / file).write_text("".join(f"{line} — ok\n" for line in lines), encoding="utf-8")


@every_metric
def test_score(run, law_of):
    result = run("score", "weak.en", "-r", REFERENCE, "-m", law_of.spec, "-f", "json")
    assert result.exit_code == 0, result.stderr
    (found,) = json.loads(result.stdout)["systems"][0]["scores"]
    assert found["spec"] == law_of.spec
    assert "warning" not in result.stderr


@every_metric_with_references
def test_compare_with_a_breakdown(run, law_of):
    arguments = ["compare", *SYSTEMS.values(), "-r", REFERENCE, "-m", law_of.spec]
    result = run(*arguments, "--samples", "20", "--breakdown", "-f", "json")
    assert result.exit_code == 0, result.stderr
    assert len(json.loads(result.stdout)["breakdown"]["segments"]) == 6


@every_metric
def test_explain(run, law_of):
    other = with_another_choice(law_of)
    if other is None:
        assert law_of.name.startswith("learned")  # which has a file and no choices
        return
    arguments = ["explain", "weak.en", "-m", law_of.spec, "--against", other.spec]
    read = ["-r", REFERENCE] if law_of.reads_references else []
    read += ["--source", "weak.en"] if other.reads_sources else []
    result = run(*arguments, *read, "-f", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["second"] == other.spec


def with_another_choice(law_of: Metric) -> Metric | None:
    """The metric with another value for the first of its parameters that can have one."""
    for name, parameter in law_of.parameters().items():
        for value in parameter.choices or (True, False):
            with suppress(UnderstudyError):
                other = replace(law_of, **{name: value})
                if other != law_of and not other.missing:
                    return other
    return None

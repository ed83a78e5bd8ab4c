"""`understudy metrics`, `tokenizers` and `tokenize`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

import pytest

from understudy import BLEU, metric
from understudy.errors import MissingExtra
from understudy.metrics.base.registry import metrics
from understudy.text.tokenizers import KINDS, tokenizer

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_metrics_lists_all_of_them(run) -> None:
    text = run("metrics").stdout
    for name, known in metrics().items():
        assert f"\n{name} " in text
        assert known.summary in text
        for preset in known.aliases.values():  # some have several spellings, of which one is enough
            assert any(f" {alias}" in text for alias, meant in known.aliases.items() if meant == preset)
    assert [entry["name"] for entry in json.loads(run("metrics", "-f", "json").stdout)] == list(metrics())


def test_metrics_fit_a_terminal_of_usual_width(run, monkeypatch) -> None:
    monkeypatch.setattr("understudy.cli.output.terminal_width", lambda: 80)
    table = run("metrics").stdout.partition("\nUse understudy metrics NAME")[0]
    assert table.splitlines()[0].split() == ["name", "better", "summary"]
    assert max(map(len, table.splitlines())) <= 80
    assert table.count("\nbleu ") == 1  # in one block, not in two


@pytest.mark.parametrize("name", metrics())
def test_a_metric_is_explained_in_full(run, name: str) -> None:
    text = run("metrics", name).stdout
    for parameter in metrics()[name].parameters().values():
        assert parameter.name in text
        assert parameter.help in text
        assert parameter.expected in text
    for preset in metrics()[name].presets:
        assert f"{name}:{preset}" in text
        assert metrics()[name].preset_notes.get(preset, "") in text
    for alias in metrics()[name].aliases:
        assert re.search(rf"\b{re.escape(alias)}, (\S+, )*{name}:", text)
    assert metrics()[name].citation in text
    assert metrics()[name].not_for in text


@pytest.mark.parametrize("name", metrics())
def test_the_examples_work_and_json_says_the_same(run, name: str) -> None:
    found = json.loads(run("metrics", name, "--format", "json").stdout)
    assert found["higher_is_better"] is metrics()[name].higher_is_better
    assert found["target"] == metrics()[name].target
    assert [entry["name"] for entry in found["parameters"]] == list(metrics()[name].parameters())
    assert found["aliases"] == metrics()[name].aliases
    if form := metrics()[name].written_as:
        assert found["examples"] == [form]  # which names a file that is not there
    else:
        assert [metric(spec).spec for spec in found["examples"]] == found["examples"]
        assert len(found["examples"]) > 1


def test_a_spec_shows_its_own_values_too(run) -> None:
    text = run("metrics", "bleu:lowercase=true,max_order=2").stdout
    assert text.startswith("BLEU: bleu:lowercase=true,max_order=2\n")
    assert "here" in text
    found = json.loads(run("metrics", "bleu:max_order=2", "-f", "json").stdout)
    (order,) = (parameter for parameter in found["parameters"] if parameter["name"] == "max_order")
    assert (order["value"], order["default"]) == (2, BLEU().max_order)


def test_tokenizers_lists_all_of_them(run) -> None:
    text = run("tokenizers").stdout
    assert all(kind.summary in text for kind in KINDS.values())
    found = json.loads(run("tokenizers", "--format", "json").stdout)
    assert [entry["name"] for entry in found] == list(KINDS)
    assert found[0] == {
        "name": "13a",
        "native": True,
        "extra": None,
        "installed": True,
        "takes_model": False,
        "summary": KINDS["13a"].summary,
    }


def test_a_tokenizer_that_is_not_installed_comes_with_the_cure(run, monkeypatch) -> None:
    def missing(*_arguments: Any) -> NoReturn:
        raise MissingExtra.of("Japanese tokens", "mecab-python3", "ja")

    monkeypatch.setitem(KINDS, "ja-mecab", KINDS["ja-mecab"]._replace(open=missing))
    assert "pip install 'understudy-mt[ja]'" in run("tokenizers").stdout
    found = {entry["name"]: entry for entry in json.loads(run("tokenizers", "-f", "json").stdout)}
    assert found["ja-mecab"]["installed"] is False


def test_tokenize_reads_standard_input(run) -> None:
    result = run("tokenize", input="It's 3.5%, isn't it?\n\nÜber „uns“\n")
    assert result.stdout == "It's 3.5 % , isn't it ?\n\nÜber „uns“\n"


@pytest.mark.parametrize("option", ["-t", "--tokenizer", "--tokenize"])
def test_tokenize_with_another_tokenizer_and_case(run, option: str) -> None:
    assert run("tokenize", option, "intl", "--lowercase", input="Über „uns“\n").stdout == "über „ uns “\n"


def test_tokenize_gives_a_line_for_a_line(run) -> None:
    files = [str(EXAMPLES / "reference-1.en"), str(EXAMPLES / "source.de")]
    lines = [line for file in files for line in Path(file).read_text("utf-8").splitlines()]
    shown = run("tokenize", *files).stdout.splitlines()
    assert shown == [" ".join(tokenizer("13a")(line)) for line in lines]

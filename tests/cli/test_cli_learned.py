"""`understudy score` and `compare` with a learned combination of metrics."""

from __future__ import annotations

import json

from material.learned_models import FITTED, PLAIN
from understudy import Learned


def test_a_file_of_weights_is_a_metric(run, examples):
    files = ["system-strong.en", "system-weak.en", "-r", "reference-1.en"]
    result = run("score", *files, "-m", f"learned:model={PLAIN}", "-m", "bleu", "--format", "json")
    found = json.loads(result.stdout)
    texts = [(examples / name).read_text(encoding="utf-8").splitlines() for name in (files[0], files[3])]
    expected = Learned(model=PLAIN).corpus(*texts)
    assert found["systems"][0]["scores"][0]["value"] == expected.value
    assert expected.signature.choices["model"] in result.stdout


def test_systems_are_compared_by_it_whatever_the_threads(run, examples):  # noqa: ARG001
    arguments = ["compare", "system-strong.en", "system-weak.en", "-r", "reference-1.en", "--samples", "100"]
    results = [
        run(*arguments, "-m", f"learned:model={FITTED}", "--threads", threads).stdout for threads in "12"
    ]
    assert results[0] == results[1]
    assert "system-strong.en is better than system-weak.en by 2.94 Learned" in results[0]


def test_a_file_that_is_none_is_one_line(fails, examples, tmp_path):  # noqa: ARG001
    arguments = ["score", "system-strong.en", "-r", "reference-1.en", "-m"]
    assert "learned:model=FILE" in fails(*arguments, "learned")
    assert "no such file" in fails(*arguments, f"learned:model={tmp_path / 'none.json'}")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    assert "is not a learned combination" in fails(*arguments, f"learned:model={tmp_path / 'bad.json'}")

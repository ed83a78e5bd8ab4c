"""lm-evaluation-harness: a task in YAML with understudy's metrics, from a model's output to the table."""

from __future__ import annotations

import json
import logging

import pytest

from material.example_rows import METRICS, OUTPUT, PAIRS, REFERENCE_1, corpus
from material.optional import ImportedWhenUsed, needs_packages
from understudy import metric, score_with_intervals
from understudy.compat.lm_eval import register
from understudy.errors import BadInput, BadParameter

lm_eval = ImportedWhenUsed("lm_eval")

pytestmark = [
    needs_packages("lm_eval"),
    pytest.mark.xdist_group("torch"),
    pytest.mark.filterwarnings("ignore"),
]

WEAK = OUTPUT["weak"]

TASK = """
task: tiny_translation
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/texts.jsonl}}}}
output_type: generate_until
test_split: test
doc_to_text: "{{{{id}}}}"
doc_to_target: "{{{{ref}}}}"
{process_results}
metric_list:
"""
PROCESSED = "process_results: !function outputs.process_results"
PROCESS_RESULTS = """
def process_results(doc, results):
    return {{name: (doc["refs"], results[0]) for name in {names}}}
"""


def evaluated(folder, names, process_results=""):
    """The results of a task with these metrics, for a model that says what the weak system says."""
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Weak(LM):  # type: ignore[misc]
        def generate_until(self, requests, disable_tqdm=False):  # noqa: ARG002
            return [WEAK[request.doc["id"]] for request in requests]

        def loglikelihood(self, requests, disable_tqdm=False):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    rows = ({"id": i, "ref": pair[0], "refs": list(pair)} for i, pair in enumerate(PAIRS))
    (folder / "texts.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "outputs.py").write_text(PROCESS_RESULTS.format(names=names), encoding="utf-8")
    task = TASK.format(folder=folder, process_results=process_results)
    listed = "".join(f"  - metric: {name}\n" for name in names)
    (folder / "task.yaml").write_text(task + listed, encoding="utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate(
        Weak(), tasks=["tiny_translation"], task_manager=manager, bootstrap_iters=0, verbosity=logging.ERROR
    )


@pytest.fixture
def names():
    return [register(spec) for spec in METRICS]


def test_a_task(names, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    found = evaluated(tmp_path, [*names, "bleu", "chrf", "ter"])
    results, better = found["results"]["tiny_translation"], found["higher_is_better"]["tiny_translation"]
    for name, spec in zip(names, METRICS, strict=True):
        expected = metric(spec).corpus(WEAK, REFERENCE_1).value
        assert name == f"understudy_{spec}"
        assert results[f"{name},none"] == expected
        assert results[f"{name},none"] == pytest.approx(results[f"{spec},none"], rel=1e-12)  # its own
        assert better[name] is (spec != "ter")


def test_names_of_specs_with_signs():
    expected = ["understudy_chrf_plus", "understudy_chrf_plus_plus", "understudy_bleu_tokenize_intl"]
    assert [register(spec) for spec in ("chrf+", "chrf++", "bleu:tokenize=intl")] == expected


def test_several_references(names, tmp_path):
    """The harness reduces several targets to a flag, so a function has to pair them with the output."""
    results = evaluated(tmp_path, names, PROCESSED)["results"]["tiny_translation"]
    assert {spec: results[f"understudy_{spec},none"] for spec in METRICS} == {
        spec: corpus(spec, "weak") for spec in METRICS
    }


def test_standard_error():
    from lm_eval.api.registry import get_aggregation, get_metric_aggregation, is_higher_better

    name = register("ter", name="edits")
    items = list(zip(REFERENCE_1, WEAK, strict=True))
    error = get_metric_aggregation(f"{name}_bootstrap_se")(items)
    scores = score_with_intervals({"weak": WEAK}, REFERENCE_1, "ter")["weak"].scores[0]
    assert error == pytest.approx((scores.interval.high - scores.interval.low) / (2 * 1.96), rel=0.1)
    assert get_aggregation(name)(items) == scores.value
    assert is_higher_better(name) is False


def test_refusals(names):
    from lm_eval.api.registry import get_aggregation

    with pytest.raises(BadInput, match="process_results"):
        get_aggregation(names[0])([1.0, 0.0])
    with pytest.raises(BadParameter, match="another metric named 'bleu'"):
        register("bleu:tokenize=intl", name="bleu")
    with pytest.raises(BadParameter, match="unknown metric"):
        register("bleau")
    register(metric("nist").fit(REFERENCE_1))
    with pytest.raises(BadParameter, match=r"another metric named 'understudy_nist'\. Use name=\.$"):
        register(metric("nist").fit(WEAK))

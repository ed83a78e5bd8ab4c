"""Tables of several test sets beside mt-metrics-eval. tools/mt_metrics_eval_tables.py made the numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from material.judged_set_folders import SAMPLES, TASKS, made_up_tasks, write_mt_metrics_eval
from material.wmt import DATA, needs_data
from understudy import trust_sets
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.sets.averages import RankedMetrics, average

GOLDEN = json.loads(Path(__file__).with_name("mt_metrics_eval_tables.json").read_text(encoding="utf-8"))
# SPA rests on random exchanges in both programs.
TOLERANCE = {"spa": 0.005, "acc-eq": 1e-12}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_mt_metrics_eval(tmp_path_factory.mktemp("sets") / "made-up")


@pytest.fixture(scope="module", params=[False, True], ids=["systems", "references as systems"])
def found(folder, request):
    with_references = request.param
    table = trust_sets(
        folder, human="mqm", references="refA", references_as_systems=with_references, by="domain", samples=20
    )
    return with_references, table


def test_every_value_by_set_and_domain(found):
    with_references, table = found
    tasks = [*table.tasks, *table.parts]
    expected = [one for one in GOLDEN["sets"] if one["references_as_systems"] == with_references]
    assert len(tasks) == len(expected) == 12
    for task in tasks:
        (theirs,) = (
            one
            for one in expected
            if (one["pair"], one["domain"], one["coefficient"])
            == (task.of_set, task.label, task.asked.coefficient)
        )
        tolerance = TOLERANCE[task.asked.coefficient]
        assert task.ranked.values == pytest.approx(theirs["values"], abs=tolerance, rel=0)


def test_the_average_is_of_the_metrics_that_have_every_task(found):
    with_references, table = found
    of_sets = [
        one["values"]
        for one in GOLDEN["sets"]
        if one["references_as_systems"] == with_references and one["domain"] is None
    ]
    expected = {name: np.mean([values[name] for values in of_sets]) for name in of_sets[-1]}
    assert table.average.values == pytest.approx(expected, abs=0.005, rel=0)
    assert "Extra" in table.metrics
    assert "Extra" not in table.average.values
    assert any(note.startswith("Extra has no average: it lacks en-cs") for note in table.notes)


def test_average_p_values_and_clusters_with_the_same_exchanges():
    tasks = []
    for (values, null), (coefficient, level, grouping, _, _) in zip(made_up_tasks(), TASKS, strict=True):
        differences = {pair: np.array(drawn) @ (1.0, -1.0) for pair, drawn in null.items()}
        tasks.append(
            (CoefficientSpec(coefficient, level, grouping), RankedMetrics.by("wmt", values, differences))
        )
    found = average(tasks, [weight for *_, weight in TASKS], rule="wmt")
    theirs = GOLDEN["tasks"]
    assert found.values == pytest.approx({name: value for name, (value, _) in theirs["average"].items()})
    assert found.ranks == {name: rank for name, (_, rank) in theirs["average"].items()}
    samples = max(SAMPLES)
    for (first, second), p in found.p_values.items():
        i, j = (list(theirs["average"]).index(name) for name in (first, second))
        # Theirs is c / n, ours (c + 1) / (n + 1).
        assert p * (samples + 1) - 1 == pytest.approx(theirs["matrix"][i][j] * samples)


# mt-metrics-eval on ../shared/data/wmt23.zh-en, written in its layout: human.mqm.seg, and auto.seg as METRIC.seg.score.
#   tasks.TaskSet of Task(NAME, "zh-en", level="sys", corr_fcn="pce", human=False, k=200) and Task(NAME, "zh-en",
#   level="seg", corr_fcn="KendallWithTiesOpt", avg_by="item", perm_test="pairs", corr_fcn_args={"sample_rate": 1.0},
#   human=False, k=200), np.random.seed(1), .Run(), .AverageCorrMatrix()
REAL = {
    "spa": {
        "BERTscore": (0.8369428571428572, 1),
        "chrF": (0.7977142857142857, 2),
        "BLEU": (0.7967238095238095, 2),
        "f200spBLEU": (0.7924666666666667, 2),
    },
    "acc-eq": {
        "BERTscore": (0.4991463365295142, 1),
        "chrF": (0.4849698588016345, 2),
        "f200spBLEU": (0.4763442165311329, 3),
        "BLEU": (0.4717643726989527, 4),
    },
    "average": {
        "BERTscore": (0.6680445968361857, 1),
        "chrF": (0.6413420722579601, 2),
        "f200spBLEU": (0.6344054415988998, 2),
        "BLEU": (0.6342440911113811, 2),
    },
}
REAL_P_VALUES = {
    ("BERTscore", "chrF"): 0.0,
    ("BERTscore", "f200spBLEU"): 0.0,
    ("BERTscore", "BLEU"): 0.0,
    ("chrF", "f200spBLEU"): 0.08,
    ("chrF", "BLEU"): 0.145,
    ("f200spBLEU", "BLEU"): 0.48,
}


@needs_data
def test_real_judgments_give_the_same_table():
    found = trust_sets(
        {"zh-en": DATA / "wmt23.zh-en"},
        human="human.mqm.seg.tsv.gz",
        references="refA",
        scores="auto.seg.tsv.gz",
    )
    spa, acc_eq = (task.ranked for task in found.tasks)
    for name, ranked, tolerance in (
        ("spa", spa, 0.002),
        ("acc-eq", acc_eq, 1e-12),
        ("average", found.average, 0.001),
    ):
        assert ranked.ranks == {metric: rank for metric, (_, rank) in REAL[name].items()}
        values = {metric: value for metric, (value, _) in REAL[name].items()}
        assert ranked.values == pytest.approx(values, abs=tolerance, rel=0)
    for pair, theirs in REAL_P_VALUES.items():
        ours = found.average.p_values.get(pair)
        assert ours == pytest.approx(theirs, abs=4 * np.sqrt(ours * (1 - ours) * (1 / 200 + 1 / 1000)))

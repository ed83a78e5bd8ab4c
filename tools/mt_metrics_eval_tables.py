"""Writes tests/golden/mt_metrics_eval_tables.json: what mt-metrics-eval says of the made-up sets of
`material.judged_set_folders`.

    PYTHONHASHSEED=0 PYTHONPATH=tests:path/to/mt-metrics-eval python tools/mt_metrics_eval_tables.py

It takes mt-metrics-eval (github.com/google-research/mt-metrics-eval, the version of its v2 data), numpy and scipy; what
it imports and does not use here, apache_beam and dacite, may be empty modules.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from mt_metrics_eval import data, meta_info, stats, tasks

from material.judged_set_folders import METRICS, PAIRS, TASKS, made_up_tasks, write_mt_metrics_eval

INFO = meta_info.MetaInfo("refA", {"sys": "mqm", "seg": "mqm"}, set(), set(METRICS))
PERMUTATIONS = 200_000  # its own 1,000 leave the second digit of SPA to chance


def of_sets() -> list[dict[str, Any]]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_mt_metrics_eval(Path(folder) / "made-up")
        for pair in PAIRS:
            eval_set = data.EvalSet("made-up", pair, True, info=INFO, path=folder)
            for human, domain in itertools.product((False, True), (None, "news", "talk")):
                correlations = data.GetCorrelations(
                    eval_set,
                    "seg",
                    {"refA"},
                    set(),
                    human,
                    True,
                    "mqm",
                    False,
                    domain,
                    metric_format="spreadsheet",
                )
                values = {
                    "spa": {name: soft_accuracy(each) for name, each in correlations.items()},
                    "acc-eq": {name: accuracy(each) for name, each in correlations.items()},
                }
                where = {"pair": pair, "domain": domain, "references_as_systems": human}
                found += [
                    {**where, "coefficient": name, "values": of_name} for name, of_name in values.items()
                ]
    return found


def soft_accuracy(each: stats.Correlation) -> float:
    gold, metric = each.gold_scores, each.metric_scores
    (value,) = stats.PairwiseConfidenceError(gold, metric, each.num_sys, PERMUTATIONS, filter_nones=True)
    return float(value)


def accuracy(each: stats.Correlation) -> float:
    return float(each.KendallWithTiesOpt("item", sample_rate=1.0)[0])


def of_tasks() -> dict[str, Any]:
    results = []
    for (values, null), (*_, corr_fcn, _) in zip(made_up_tasks(), TASKS, strict=True):
        order = sorted(values, key=lambda name: -values[name])
        index = np.zeros((len(order), len(order)), dtype=np.int32)
        draws: list[tuple[float, float]] = []
        for i, first in enumerate(order):
            for j in range(i + 1, len(order)):
                second = order[j]
                drawn = null.get((first, second)) or [(a, b) for b, a in null[second, first]]
                index[i, j], index[j, i] = len(draws), len(draws) + len(drawn)
                draws += drawn
        task = tasks.Task("made-up", "de-en", corr_fcn=corr_fcn, level="sys", gold="mqm")
        ranks = {name: (values[name], 0) for name in order}
        results.append(tasks.TaskResults(task, (ranks, np.zeros(index.shape), index, np.array(draws))))
    weights = [weight for *_, weight in TASKS]
    together = tasks.TaskSetResults(results)
    average, matrix = together.AverageCorrMatrix([weight / sum(weights) for weight in weights])
    return {"average": average, "matrix": matrix.tolist()}


if __name__ == "__main__":
    meta_info.DATA["made-up"] = dict.fromkeys(PAIRS, INFO)
    text = json.dumps({"sets": of_sets(), "tasks": of_tasks()}, indent=1)
    golden = Path(__file__).parents[1] / "tests" / "golden" / "mt_metrics_eval_tables.json"
    golden.write_text(text + "\n", encoding="utf-8")

"""Writes mt_metrics_eval_tables.json beside it: what mt-metrics-eval says of the made-up sets of
`material.judged_set_folders`.

    PYTHONPATH=tests:path/to/mt-metrics-eval python tests/golden/mt_metrics_eval_tables.py

It takes mt-metrics-eval (github.com/google-research/mt-metrics-eval, the version of its v2 data), numpy and scipy; what
it imports and does not use here, apache_beam and dacite, may be empty modules.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from mt_metrics_eval import data, meta_info, tasks

from material.judged_set_folders import METRICS, PAIRS, TASKS, made_up_tasks, write_mt_metrics_eval

INFO = meta_info.MetaInfo("refA", {"sys": "mqm", "seg": "mqm"}, set(), set(METRICS))
COEFFICIENTS = {
    "spa": {"level": "sys", "corr_fcn": "pce"},
    "acc-eq": {
        "level": "seg",
        "corr_fcn": "KendallWithTiesOpt",
        "avg_by": "item",
        "perm_test": "pairs",
        "corr_fcn_args": {"sample_rate": 1.0},
    },
}


def of_sets() -> list[dict[str, object]]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_mt_metrics_eval(Path(folder) / "made-up")
        sets = {
            ("made-up", pair): data.EvalSet("made-up", pair, True, info=INFO, path=folder) for pair in PAIRS
        }
        for human in (False, True):
            for pair in PAIRS:
                for domain in (None, "news", "talk"):
                    for name, arguments in COEFFICIENTS.items():
                        task = tasks.Task("made-up", pair, domain, human=human, gold="mqm", k=0, **arguments)
                        values = {metric: corr for metric, (corr, _) in task.Run(sets).corr_ranks.items()}
                        found.append(
                            {
                                "pair": pair,
                                "domain": domain,
                                "references_as_systems": human,
                                "coefficient": name,
                                "values": values,
                            }
                        )
    return found


def of_tasks() -> dict[str, object]:
    results = []
    for (values, null), (*_, corr_fcn, _) in zip(made_up_tasks(), TASKS, strict=True):
        order = sorted(values, key=lambda name: -values[name])
        index, draws = np.zeros((len(order), len(order)), dtype=np.int32), []
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
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")

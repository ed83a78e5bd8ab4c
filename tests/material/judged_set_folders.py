"""A made-up test set in the layout of mt-metrics-eval, and made-up tasks with their null distributions.

Everything is from Python's own generator, whose numbers do not change between versions, and rounded: the program that
`tools/mt_metrics_eval_tables.py` runs reads the same.
"""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

PAIRS = {"de-en": 40, "en-cs": 30}  # segments
SYSTEMS = {"alpha": 1.2, "beta": 0.9, "gamma": 0.4, "delta": 0.0, "refA": 1.5, "refB": 1.3}  # how good
UNJUDGED = "epsilon"
# How much of what people see a metric sees, and how much noise it adds.
METRICS = {
    "BLEU": (0.6, 1.0),
    "COMET": (1.0, 0.5),
    "QE": (0.9, 0.8),
    "Noise": (0.0, 1.0),
    "Extra": (0.8, 0.6),
}
USED = {
    "de-en": ("BLEU-refA", "BLEU-refB", "COMET-refA", "QE-src", "Noise-refA", "Extra-refA"),
    "en-cs": ("BLEU-refA", "BLEU-refB", "COMET-refA", "QE-src", "Noise-refA"),  # no Extra
}


def write_mt_metrics_eval(folder: Path) -> Path:
    """With two language pairs, two domains, two references that were both judged, two kinds of human scores, and a
    system that nobody judged.
    """
    chance = random.Random(20)
    for pair, segments in PAIRS.items():
        domains = ["news" if number <= segments // 2 else "talk" for number in range(1, segments + 1)]
        documents = "".join(f"{domain}\t{domain}-{n // 5}\n" for n, domain in enumerate(domains))
        _write(folder / "documents" / f"{pair}.docs", documents)
        _write(folder / "sources" / f"{pair}.txt", "".join(f"source {n}\n" for n in range(segments)))
        for name in ("refA", "refB"):
            _write(folder / "references" / f"{pair}.{name}.txt", _text(name, segments))
        for name in (*SYSTEMS, UNJUDGED):
            _write(folder / "system-outputs" / pair / f"{name}.txt", _text(name, segments))
        quality = {
            name: [worth + chance.gauss(0, 1) for _ in range(segments)] for name, worth in SYSTEMS.items()
        }
        quality[UNJUDGED] = [chance.gauss(0, 1) for _ in range(segments)]
        # People judge two segments out of three. Nothing is better than 0, so that there are ties; other ties are rare,
        # for with many SPA depends on the order of systems, which mt-metrics-eval leaves to chance.
        judged = [n % 3 != 2 for n in range(segments)]
        mqm = {
            name: [
                f"{min(0.0, 2 * value - 4):.1f}" if seen else "None"
                for value, seen in zip(of, judged, strict=True)
            ]
            for name, of in quality.items()
        }
        mqm[UNJUDGED] = ["None"] * segments
        _write_scores(folder / "human-scores" / f"{pair}.mqm.seg.score", mqm)
        means = {name: [_mean(of)] for name, of in mqm.items()}
        _write_scores(folder / "human-scores" / f"{pair}.mqm.sys.score", means)
        esa = {
            name: [f"{60 + 10 * value:.1f}" for value in of]
            for name, of in quality.items()
            if name != UNJUDGED
        }
        _write_scores(folder / "human-scores" / f"{pair}.esa.seg.score", esa)
        for metric in USED[pair]:
            base, _, reference = metric.partition("-")
            share, noise = METRICS[base]
            scores = {
                name: [f"{share * value + noise * chance.gauss(0, 1):.2f}" for value in of]
                for name, of in quality.items()
                if name != reference
            }
            _write_scores(folder / "metric-scores" / pair / f"{metric}.seg.score", scores)
    return folder


SAMPLES = (200, 200, 150)  # after exchanges, of each task
# Coefficient, level and grouping of each, as here and as there, and its weight.
TASKS = (
    ("spa", "system", "none", "pce", 2.0),
    ("pearson", "system", "none", "pearson", 1.0),
    ("acc-eq", "segment", "segment", "KendallWithTiesOpt", 3.0),
)


def made_up_tasks() -> list[tuple[dict[str, float], dict[tuple[str, str], list[tuple[float, float]]]]]:
    """Of every task the values of metrics, and of every two metrics their values after exchanges."""
    chance = random.Random(21)
    found = []
    for number in range(len(TASKS)):
        values = {f"m{metric}": round(0.8 - 0.02 * metric + chance.gauss(0, 0.01), 4) for metric in range(6)}
        if number == 1:
            del values["m5"]  # one lacks a task
        null = {
            pair: [
                (round(chance.gauss(0.7, 0.012), 4), round(chance.gauss(0.7, 0.012), 4))
                for _ in range(SAMPLES[number])
            ]
            for pair in combinations(values, 2)
        }
        found.append((values, null))
    return found


def _mean(scores: list[str]) -> str:
    known = [float(score) for score in scores if score != "None"]
    return f"{sum(known) / len(known):.4f}" if known else "None"


def _text(name: str, segments: int) -> str:
    return "".join(f"{name} says sentence number {n}\n" for n in range(segments))


def _write_scores(path: Path, scores: dict[str, list[str]]) -> None:
    _write(path, "".join(f"{name}\t{score}\n" for name, of in scores.items() for score in of))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

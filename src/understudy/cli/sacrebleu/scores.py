"""Scores of one system: of the corpus, of each segment, and of the parts of a test set."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from understudy.cli.downloading import bring
from understudy.cli.sacrebleu.colors import Colors
from understudy.compat.sacrebleu.metrics import METRICS
from understudy.compat.sacrebleu.metrics.base import Metric
from understudy.compat.sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS, fetch_model
from understudy.compat.sacrebleu.utils import (
    args_to_dict,
    filter_subset,
    get_available_origlangs,
    get_available_subsets,
)

Metrics = Mapping[str, Metric[Any]]

_COUNTRY = "country:"
_INTERVAL = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")


def metrics_of(options: Namespace, references: Sequence[Sequence[str]]) -> Metrics:
    """The metrics by name, with their options and references."""
    if "bleu" in options.metrics and options.bleu_tokenize in SPM_MODELS:
        fetch_model(options.bleu_tokenize, bring)
    return {
        name.upper(): METRICS[name.upper()](
            **args_to_dict(options, name, strip_prefix=True), references=references
        )
        for name in options.metrics
    }


def segment_lines(metrics: Metrics, system: Sequence[str], options: Namespace) -> Iterator[str]:
    """The output of --sentence-level."""
    (metric,) = metrics.values()
    scores = metric.sentence_scores(system)
    signature = metric.get_signature().format(options.short)
    return (score.format(options.width, options.score_only, signature) for score in scores)


def corpus_lines(
    metrics: Metrics, system: Sequence[str], options: Namespace, colors: Colors
) -> Iterator[str]:
    """The output for one system: JSON, or a line for each metric."""
    as_json = options.format == "json"
    results = []
    for _, metric in sorted(metrics.items()):
        score = metric.corpus_score(system, None, options.confidence_n if options.confidence else 1)
        signature = metric.get_signature().format(options.short and not as_json)
        results.append(score.format(options.width, options.score_only, signature, as_json))
    return single_lines(results, options, colors)


def single_lines(results: list[str], options: Namespace, colors: Colors) -> Iterator[str]:
    """The formatted scores of one system: as one JSON value, or as lines."""
    if options.format == "json":
        yield results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]"
        return
    if "μ" in results[0]:
        results = [_INTERVAL.sub(lambda found: colors.cyan(found[0]), line) for line in results]
    yield from _aligned(results)


def _aligned(results: list[str]) -> Iterator[str]:
    """With all equals signs below each other; lines without one first, as in sacreBLEU."""
    if len(results) == 1:
        yield results[0]
        return
    yield from (line for line in results if "=" not in line)
    # With --score-only, some scores can lack their interval. sacreBLEU then pairs its widths with the wrong lines.
    widths = [line.index("=") - 1 for line in results if "=" in line]
    for width, line in zip(widths, results, strict=False):
        yield f"{line[:width]:>{max(widths)}}{line[width:]}"


def detail_lines(
    metrics: Metrics,
    system: Sequence[str],
    references: Sequence[Sequence[str]],
    options: Namespace,
    colors: Colors,
) -> Iterator[str]:
    """The output of --detail: scores by original language and domain."""
    sets, pair = options.test_set, options.langpair
    languages = [options.origlang] if options.origlang else get_available_origlangs(sets, pair)
    if not languages:
        yield "No subset information found. Consider using --origlang argument."
        return
    subsets = [None, *([options.subset] if options.subset else get_available_subsets(sets, pair))]
    results: dict[str, list[tuple[int, Any]]] = {}
    for language in languages:
        for subset in subsets:
            part, *parts = filter_subset([system, *references], sets, pair, language, subset)
            if part:
                results[f"origlang={language} {_subset_name(subset)}"] = [
                    (len(part), metric.corpus_score(part, parts)) for metric in metrics.values()
                ]
    width = max(map(len, results)) + 1
    metric_width = max(len(score.name) for _, score in next(iter(results.values())))
    for key, scores in results.items():
        title = colors.yellow(f"{key:<{width}}")
        for segments, score in scores:
            yield (
                f"{title}: sentences={segments:<6} {score.name:<{metric_width}} = {score.score:.{options.width}f}"
            )


def _subset_name(subset: str | None) -> str:
    if subset is not None and subset.startswith(_COUNTRY):
        return f"country={subset.removeprefix(_COUNTRY)}"
    return f"domain={subset or 'ALL'}"

"""The verb `probe`: changes to a system's output that a metric does not notice."""

from __future__ import annotations

from typing import Any

from understudy.corpus.corpus import as_corpus
from understudy.probing.permutations.bounds import permutation_bounds
from understudy.probing.perturbations.responses import perturbed
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.results import Probe
from understudy.probing.search.goals import searched
from understudy.probing.variants.verified import variants
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import refuse_unknown_keywords


def probe(
    system: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    sources: Any = None,
    lang: str | None = None,
    threads: int | None = None,
    **plan: Any,
) -> Probe:
    """Probe metrics with changes to the output of one system. `plan` has the settings of `ProbePlan`: what, variants,
    perturbations, level, seconds, searched, seed, confidence.
    """
    refuse_unknown_keywords(plan, probe, ProbePlan)
    chosen = ProbePlan(**plan)
    chosen_for = chosen_metrics(metrics, lang)
    corpus = as_corpus(system, references, sources=sources)
    probed = ProbedSystem.of(corpus, chosen_for, language=lang, threads=threads)
    return Probe(
        chosen,
        probed.name,
        len(probed.hypotheses),
        list(probed.metrics),
        [metric.corpus(corpus[probed.name], corpus.references, threads=threads) for metric in probed.metrics],
        permutation_bounds(probed) if "permutations" in chosen.what else None,
        variants(probed, chosen) if "variants" in chosen.what else None,
        perturbed(probed, chosen) if "perturbations" in chosen.what else None,
        searched(probed, chosen) if "search" in chosen.what else None,
    )

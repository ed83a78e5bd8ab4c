"""The verb `probe`: changes to a system's output that a metric does not notice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from understudy.arrays import one_blas_thread
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


@one_blas_thread()
def probe(
    system: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    sources: Any = None,
    lang: str | None = None,
    documents: Any = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **plan: Any,
) -> Probe:
    """Probe metrics with changes to the output of one system: a `Corpus`, or anything a corpus can be made of, files or
    texts in memory. `plan` has the settings of `ProbePlan`: what, variants, perturbations, strengths, parser, level,
    samples, seconds, searched, seed, confidence.

    `lang` is the target language, as in `understudy.score`; without it, the language of the files is used, if known.
    Perturbations that depend on the language are left out if it is unknown. `documents` gives the document of each
    segment, if a metric uses documents and the files do not name them. `progress` is called with the number of segments
    processed since the last call; each part of `what` processes all of them.

    >>> found = probe(["examples/system-medium.en"], ["examples/reference-1.en"], "per:tokenize=13a",
    ...               what="perturbations", perturbations="shuffle-words")
    >>> [(spot.perturbation, spot.verdict) for spot in found.perturbations.blind_spots][:1]
    [('shuffle-words', 'blind')]
    """
    refuse_unknown_keywords(plan, probe, ProbePlan)
    chosen = ProbePlan(**plan)
    chosen_for = chosen_metrics(metrics, lang)
    corpus = as_corpus(system, references, sources=sources, documents=documents)
    steps = _Steps(progress, len(corpus))
    probed = ProbedSystem.of(corpus, chosen_for, language=lang, threads=threads, progress=steps.advance)
    parts: dict[str, Any] = {
        "permutations": lambda: permutation_bounds(probed),
        "variants": lambda: variants(probed, chosen),
        "perturbations": lambda: perturbed(probed, chosen),
        "search": lambda: searched(probed, chosen),
    }
    return Probe(
        chosen,
        probed.name,
        len(probed.hypotheses),
        list(probed.metrics),
        [
            metric.corpus_score(counted)
            for metric, counted in zip(probed.metrics, probed.counted, strict=True)
        ],
        **{name: steps.whole(parts[name]) for name in chosen.what},
    )


class _Steps:
    """Progress in segments, of which each part has the same number whether or not it reports them one by one."""

    def __init__(self, report: Callable[[int], None] | None, segments: int) -> None:
        self._report, self._segments = report, segments
        self._left = segments  # of the part under way

    def advance(self, segments: int) -> None:
        segments = min(segments, self._left)
        if segments > 0:
            self._left -= segments
            if self._report is not None:
                self._report(segments)

    def whole(self, part: Callable[[], Any]) -> Any:
        """The result of a part."""
        self._left = self._segments
        found = part()
        self.advance(self._left)
        return found

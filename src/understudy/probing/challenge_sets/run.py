"""`probe --pairs`: do metrics prefer the good translation?"""

from __future__ import annotations

from typing import Any

from understudy.arrays import one_blas_thread
from understudy.corpus.challenge_sets import read_challenge_set
from understudy.probing.challenge_sets.accuracies import by_phenomenon, over_phenomena
from understudy.probing.challenge_sets.aces import aces_scores
from understudy.probing.challenge_sets.metric_differences import metric_differences
from understudy.probing.challenge_sets.missed_pairs import missed_pairs
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.probing.challenge_sets.scored_pairs import score_pairs
from understudy.probing.challenge_sets.severity_order import by_severity, ranked_severities, severity_orders
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import refuse_unknown_keywords


@one_blas_thread()
def probe_pairs(
    pairs: Any,
    metrics: Metrics | None = None,
    *,
    scores: Any = None,
    lang: str | None = None,
    threads: int | None = None,
    **plan: Any,
) -> ChallengeResults:
    """Compare good and incorrect translations of a challenge set with every metric (default: BLEU, or none if there are
    scores). `pairs` is a file, a folder, several of them, a data frame, columns by name, or a list of mappings; see
    `understudy.corpus.challenge_sets` for the columns. `scores` are files or tables of other tools, see
    `understudy.corpus.pair_scores`. Without `lang`, the language of each pair selects the tokenizer, if the file has
    languages. `plan` has the settings of `ChallengePlan`: lower_is_better, severities, correct, significance,
    confidence, samples, seed.

    >>> found = probe_pairs("examples/pairs.tsv", ["bleu", "chrf"])
    >>> found.layout, found.pairs, found.segments
    ('table', 42, 7)
    >>> [f"{found.labels[mean.metric]} {mean.accuracy:.3f}" for mean in found.means]
    ['BLEU 0.810', 'chrF 0.857']
    >>> found.of("negation", metric=0).right
    4
    """
    refuse_unknown_keywords(plan, probe_pairs, ChallengePlan)
    chosen_plan = ChallengePlan(**plan)
    challenge = read_challenge_set(pairs)
    if metrics is None:
        metrics = () if scores is not None or challenge.scores else ("bleu",)
    scored = score_pairs(
        challenge,
        [] if metrics in ((), []) else chosen_metrics(metrics, lang),
        scores,
        lower_is_better=chosen_plan.lower_is_better,
        by_language=lang is None,
        threads=threads,
    )
    phenomena = by_phenomenon(scored, chosen_plan.confidence)
    ranked, unranked = ranked_severities(scored, chosen_plan)
    return ChallengeResults(
        chosen_plan,
        challenge.name,
        challenge.layout,
        challenge.columns,
        labels=[metric.label for metric in scored.metrics],
        specs=[metric.spec for metric in scored.metrics],
        higher_is_better=[metric.higher_is_better for metric in scored.metrics],
        pairs=len(scored.pairs),
        segments=int(scored.segment_of.max()) + 1,
        identical=sum(pair.good == pair.incorrect for pair in scored.pairs),
        left_out=scored.left_out,
        phenomena=phenomena,
        means=over_phenomena(scored, phenomena, chosen_plan.confidence),
        differences=metric_differences(scored, chosen_plan),
        severities=by_severity(scored, (*ranked, *unranked)),
        severity_orders=severity_orders(scored, ranked, chosen_plan),
        unranked=unranked,
        aces=aces_scores(phenomena),
        missed=tuple(missed_pairs(scored)),
    )

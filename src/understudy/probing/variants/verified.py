"""Variants of every hypothesis by every construction, verified by scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.arrays import Floats
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.tokens import TokenReader
from understudy.probing.variants.attempts import Attempts
from understudy.probing.variants.constructions import CONSTRUCTIONS
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.notices import notices
from understudy.probing.variants.results import SegmentVariants, Variant, VariantCorpus, Variants
from understudy.probing.variants.sources import sources_of
from understudy.probing.variants.verification import verify_by_corpus, verify_by_segment
from understudy.resampling.randomness import generator


def variants(system: ProbedSystem, plan: ProbePlan) -> Variants:
    """The variants that the first metric scores no lower than the hypothesis, with their scores by all metrics."""
    originals = system.segment_scores
    attempts = _attempts(system, plan)
    replaced: list[tuple[str, int, Mapping[int, str]]] = []
    for construction, of_segments in attempts.items():
        if plan.level == "corpus":
            for number, texts in enumerate(verify_by_corpus(of_segments, system, plan.variants)):
                replaced.append((construction, number, texts))
        else:
            verify_by_segment(of_segments, system, originals[:, 0])
            first = {each.segment: each.verified[0].text for each in of_segments if each.verified}
            if first:
                replaced.append((construction, 0, first))
        system.progress(len(of_segments) // len(attempts))
    segments = _segments(system, attempts, originals)
    return Variants(
        system.metrics[0].spec,
        tuple(system.corpus_scores(system.hypotheses).tolist()),
        segments,
        tuple(notices(system, segments, plan)),
        tuple(_corpus(system, *each) for each in replaced),
    )


def _attempts(system: ProbedSystem, plan: ProbePlan) -> dict[str, list[Attempts]]:
    """By construction, the search in every segment. A reference is no variant: it deserves its score."""
    reader = TokenReader(system)
    sources = sources_of(system, reader)
    seen = [
        {each.hypothesis.tokens, *(reference.tokens for reference in each.references)} for each in sources
    ]
    return {
        name: [
            Attempts(
                segment,
                name,
                make(each, Draws(generator(plan.seed, name, segment))),
                seen=seen[segment],
                wanted=plan.variants,
                tokens=reader.tokens,
            )
            for segment, each in enumerate(sources)
        ]
        for name, make in CONSTRUCTIONS.items()
    }


def _segments(
    system: ProbedSystem, attempts: Mapping[str, Sequence[Attempts]], originals: Floats
) -> tuple[SegmentVariants, ...]:
    made: list[list[Variant]] = [[] for _ in system.hypotheses]
    found = [
        (attempt, verified)
        for of_segments in attempts.values()
        for attempt in of_segments
        for verified in attempt.verified
    ]
    others = _scores_by_others(
        system, [attempt.segment for attempt, _ in found], [verified.text for _, verified in found]
    )
    for (attempt, (text, tokens, score, number)), more in zip(found, others.tolist(), strict=True):
        made[attempt.segment].append(
            Variant(attempt.segment, attempt.construction, text, tokens, (score, *more), number)
        )
    return tuple(
        SegmentVariants(
            segment,
            hypothesis,
            tuple(originals[segment].tolist()),
            tuple(made[segment]),
            {name: of_segments[segment].tried for name, of_segments in attempts.items()},
            {
                name: reason
                for name, of_segments in attempts.items()
                if (reason := of_segments[segment].gave_up)
            },
            {
                name: of_segments[segment].unwritten
                for name, of_segments in attempts.items()
                if of_segments[segment].unwritten
            },
        )
        for segment, hypothesis in enumerate(system.hypotheses)
    )


def _scores_by_others(system: ProbedSystem, segments: Sequence[int], texts: Sequence[str]) -> Floats:
    """The scores by all metrics but the first [texts, metrics]."""
    others = system.metrics[1:]
    if not others or not texts:
        return np.empty((len(texts), len(others)))
    return replace(system, metrics=others).scores(segments, texts)


def _corpus(system: ProbedSystem, construction: str, number: int, texts: Mapping[int, str]) -> VariantCorpus:
    replaced = [texts.get(segment, hypothesis) for segment, hypothesis in enumerate(system.hypotheses)]
    return VariantCorpus(construction, len(texts), tuple(system.corpus_scores(replaced).tolist()), number)

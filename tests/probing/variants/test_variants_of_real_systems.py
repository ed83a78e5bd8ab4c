"""Variants of real systems, scored again by sacreBLEU."""

from __future__ import annotations

import pytest

from material.probed_texts import probed
from material.wmt import needs_data, references_of, systems
from understudy.probing.plan import ProbePlan
from understudy.probing.variants.constructions import CONSTRUCTIONS
from understudy.probing.variants.verified import variants

sacrebleu = pytest.importorskip("sacrebleu")

SEGMENTS = slice(100, 130)
FOLDERS = pytest.mark.parametrize("folder", ["wmt14.en-de.11refs", "wmt21.en-de"])


def part(folder: str) -> tuple[list[str], list[list[str]]]:
    hypotheses = next(iter(systems(folder).values()))[SEGMENTS]
    groups = zip(*(column[SEGMENTS] for column in references_of(folder)), strict=True)
    return hypotheses, [list(group) for group in groups]


@needs_data
@FOLDERS
def test_sacrebleu_scores_no_segment_lower(folder: str) -> None:
    hypotheses, references = part(folder)
    found = variants(probed(hypotheses, references), ProbePlan(variants=4))
    assert found.count > 300
    for segment in found.segments:
        group = references[segment.segment]
        before = sacrebleu.sentence_bleu(segment.hypothesis, group).score
        for variant in segment.variants:
            after = sacrebleu.sentence_bleu(variant.text, group).score
            assert after >= before - 1e-9
            assert after == pytest.approx(variant.scores[0], abs=1e-9)


@needs_data
@FOLDERS
def test_sacrebleu_scores_no_corpus_lower(folder: str) -> None:
    hypotheses, references = part(folder)
    columns = [list(column) for column in zip(*references, strict=True)]
    found = variants(probed(hypotheses, references), ProbePlan(variants=3, level="corpus"))
    before = sacrebleu.corpus_bleu(hypotheses, columns).score
    for construction in CONSTRUCTIONS:
        corpora = [corpus for corpus in found.corpora if corpus.construction == construction]
        assert len(corpora) == 3
        for corpus in corpora:
            texts = list(hypotheses)
            for segment in found.segments:
                for variant in segment.variants:
                    if (variant.construction, variant.number) == (construction, corpus.number):
                        texts[segment.segment] = variant.text
            after = sacrebleu.corpus_bleu(texts, columns).score
            assert after >= before - 1e-9
            assert after == pytest.approx(corpus.scores[0], abs=1e-9)

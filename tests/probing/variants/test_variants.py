"""Variants are what they say: other texts, verified by scoring, made by their construction."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from material.every_metric import EVERY, where_it_can_count
from material.probed_texts import probed
from understudy import BLEU, Metric, metric
from understudy.metrics.base.words import WordMetric
from understudy.probing.permutations.bounds import mismatch_blocks
from understudy.probing.plan import ProbePlan
from understudy.probing.tokens import TokenReader
from understudy.probing.variants.constructions import CONSTRUCTIONS
from understudy.probing.variants.results import Variant, VariantCorpus, Variants
from understudy.probing.variants.verification import scores_lower
from understudy.probing.variants.verified import variants
from understudy.testing.texts import REFERENCES, SYSTEM

# Those that read text as it is, without trees.
WORD_METRICS = [
    known for known in EVERY if isinstance(known, WordMetric) and known.reads_references and not known.parses
]


def found_in(*metrics: str | Metric, **plan: Any) -> Variants:
    return variants(probed(SYSTEM, REFERENCES, *metrics), ProbePlan(**plan))


def of(found: Variants, construction: str, segment: int | None = None) -> list[Variant]:
    return [
        variant
        for each in found.segments
        for variant in each.variants
        if variant.construction == construction and segment in (None, each.segment)
    ]


@pytest.fixture(scope="module")
def bleu_variants() -> Variants:
    return found_in("bleu", "chrf", "ter")


def tokens(text: str) -> list[str]:
    return BLEU(tokenize="13a").tokens(text)


@pytest.mark.parametrize("law_of", where_it_can_count(WORD_METRICS))
@pytest.mark.parametrize("level", ["segment", "corpus"])
def test_every_variant_of_every_word_metric_verifies(law_of: Metric, level: str) -> None:
    system = probed(SYSTEM, REFERENCES, law_of)
    reader = TokenReader(system)
    found = variants(system, ProbePlan(variants=2, level=level, samples=20))
    assert found.count
    for segment in found.segments:
        seen = {reader.tokens(segment.hypothesis)}
        for variant in segment.variants:
            assert reader.tokens(variant.text) == variant.tokens
            assert variant.tokens not in seen
            seen.add(variant.tokens)
            if level == "segment":
                again = system.scores([segment.segment], [variant.text])[0]
                assert not scores_lower(law_of, again, np.array(segment.scores)).any()
    if level == "corpus":
        for corpus in found.corpora:
            assert not scores_lower(law_of, np.array(corpus.scores), np.array(found.system_scores)).any()


def test_permuted_blocks_are_those_of_the_hypothesis(bleu_variants: Variants) -> None:
    for variant in of(bleu_variants, "permuted blocks"):
        hypothesis = tokens(SYSTEM[variant.segment])
        references = [tokens(reference) for reference in REFERENCES[variant.segment]]
        text = f" {' '.join(variant.tokens)} "
        assert Counter(variant.tokens) == Counter(hypothesis)
        assert all(f" {' '.join(block)} " in text for block in mismatch_blocks(hypothesis, references))


def test_a_reference_is_no_variant() -> None:
    references = [["The cat sat.", "The dog sat."]]
    found = variants(probed(["The cat sat"], references, "bleu"), ProbePlan(variants=50))
    assert found.count
    assert not {variant.text for variant in found.segments[0].variants} & {*references[0]}


def test_all_other_orders_are_found_if_there_are_few() -> None:
    found = variants(probed(["a b c d"], [["x"]]), ProbePlan(variants=30))
    assert len(of(found, "permuted blocks")) == 23
    assert found.segments[0].gave_up["permuted blocks"] == "There are no other orders of the blocks."


def test_a_surplus_bigram_inside_a_longer_match_is_not_split() -> None:
    """The second ', und' cannot match, but 'wird , und' does: without it, BLEU would be lower."""
    hypothesis, reference = "er geht , und sie wird , und x y z", "dass sie wird , und er bleibt"
    found = variants(probed([hypothesis], [[reference]], "bleu:tokenize=none"), ProbePlan())
    assert found.segments[0].tried["permuted blocks"] == len(of(found, "permuted blocks")) == 10
    assert all("wird , und" in variant.text for variant in of(found, "permuted blocks"))


def test_only_words_outside_the_references_are_replaced(bleu_variants: Variants) -> None:
    for variant in of(bleu_variants, "replaced words"):
        hypothesis = tokens(SYSTEM[variant.segment])
        known = {token for reference in REFERENCES[variant.segment] for token in tokens(reference)}
        changed = [(old, new) for old, new in zip(hypothesis, variant.tokens, strict=True) if old != new]
        assert changed
        assert not known & {word for pair in changed for word in pair}


def test_words_are_those_of_other_segments() -> None:
    """In a system with many words, few of the arbitrary ones are drawn."""
    hypotheses = [" ".join(f"w{segment}x{place}" for place in range(20)) for segment in range(30)]
    found = variants(probed(hypotheses, [["other words"]] * 30), ProbePlan(variants=3))
    others = set(" ".join(hypotheses[1:]).split())
    drawn = [
        token
        for variant in of(found, "replaced words", 0)
        for token, old in zip(variant.tokens, hypotheses[0].split(), strict=True)
        if token != old
    ]
    assert len(others.intersection(drawn)) > len(drawn) / 2


def test_reference_ngrams_have_the_matches_and_the_length_of_the_hypothesis(bleu_variants: Variants) -> None:
    made = of(bleu_variants, "reference n-grams")
    bleu = BLEU(tokenize="13a")
    before = bleu.statistics(SYSTEM, REFERENCES)
    after = bleu.statistics(
        [variant.text for variant in made], [REFERENCES[variant.segment] for variant in made]
    )
    originals = np.array([variant.segment for variant in made])
    assert (after["hyp_length"] == before["hyp_length"][originals]).all()
    for order in range(1, 5):
        assert (after[f"match_{order}"] >= before[f"match_{order}"][originals]).all()


def test_reference_ngrams_come_from_several_references(bleu_variants: Variants) -> None:
    first, second = (set(tokens(reference)) for reference in REFERENCES[0])
    assert any(
        set(variant.tokens) & (first - second) and set(variant.tokens) & (second - first)
        for variant in of(bleu_variants, "reference n-grams", 0)
    )


def test_every_metric_scores_every_variant(bleu_variants: Variants) -> None:
    system = probed(SYSTEM, REFERENCES, "bleu", "chrf", "ter")
    made = [variant for segment in bleu_variants.segments for variant in segment.variants]
    again = system.scores([variant.segment for variant in made], [variant.text for variant in made])
    assert [list(variant.scores) for variant in made] == again.tolist()


def test_the_same_seed_gives_the_same_variants(bleu_variants: Variants) -> None:
    assert found_in("bleu", "chrf", "ter") == bleu_variants
    assert found_in("bleu", "chrf", "ter", seed=1) != bleu_variants


def test_other_segments_do_not_matter_to_the_orders_of_blocks(bleu_variants: Variants) -> None:
    other = variants(
        probed([SYSTEM[0], *reversed(SYSTEM[1:])], [REFERENCES[0], *reversed(REFERENCES[1:])]), ProbePlan()
    )
    texts = [
        [variant.text for variant in of(found, "permuted blocks", 0)] for found in (bleu_variants, other)
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "reasons"),
    [
        ("", "a b", ["The hypothesis has no tokens."] * 3),
        (
            "a",
            "a",
            [
                "There is only one block.",
                "Every word is in a reference.",
                "Random draws gave no more new candidates.",
            ],
        ),
        ("x y", "a b", ["There are no other orders of the blocks.", None, "No token matches."]),
    ],
)
def test_why_there_are_no_more(hypothesis: str, reference: str, reasons: list[str | None]) -> None:
    gave_up = variants(probed([hypothesis], [[reference]]), ProbePlan()).segments[0].gave_up
    assert [gave_up.get(construction) for construction in CONSTRUCTIONS] == reasons


def test_candidates_that_do_not_verify_are_counted() -> None:
    """Of the orders of 'a x c y', only 'a y c x' has as few word errors."""
    segment = variants(probed(["a x c y"], [["a b c d"]], "wer"), ProbePlan(variants=30)).segments[0]
    assert [variant.text for variant in segment.variants if variant.construction == "permuted blocks"] == [
        "a y c x"
    ]
    assert segment.gave_up["permuted blocks"] == (
        "There are no other orders of the blocks. Verified: 1 of 23 candidates."
    )


def test_a_corpus_has_the_first_variant_of_every_segment(bleu_variants: Variants) -> None:
    assert [corpus.number for corpus in bleu_variants.corpora] == [0, 0, 0]
    for corpus in bleu_variants.corpora:
        assert corpus == VariantCorpus(*of_its_variants(corpus, bleu_variants, "bleu", "chrf", "ter"))


def test_at_corpus_level_each_corpus_verifies_and_has_its_own_variants() -> None:
    found = found_in("chrf", "bleu", level="corpus", variants=4)
    assert {corpus.number for corpus in found.corpora} == {0, 1, 2, 3}
    for corpus in found.corpora:
        assert corpus.scores[0] >= found.system_scores[0] - 1e-9
        assert corpus == VariantCorpus(*of_its_variants(corpus, found, "chrf", "bleu"))


def of_its_variants(
    corpus: VariantCorpus, found: Variants, *metrics: str
) -> tuple[str, int, tuple[float, ...], int]:
    """What a corpus says, from the variants themselves."""
    texts = list(SYSTEM)
    made = [each for each in of(found, corpus.construction) if each.number == corpus.number]
    for variant in made:
        texts[variant.segment] = variant.text
    scores = [metric(spec).corpus(texts, REFERENCES).value for spec in metrics]
    return corpus.construction, len(made), tuple(scores), corpus.number

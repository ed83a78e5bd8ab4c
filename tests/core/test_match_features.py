"""Matched, extra and missed parts: against loops over counters, and the hashes against Python integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from material.every_metric import few_examples
from reference import match_features as textbook
from reference import trees as tree_parts
from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.parsed_column import ParsedColumn
from understudy.metrics.base.registry import metric
from understudy.metrics.learned_features import feature_source

ORDERS = 3
WORDS = ["the", "cat", "sat", "Sat", "über", "猫", "."]
sentences = st.lists(st.sampled_from(WORDS), max_size=8)
corpora = st.lists(
    st.tuples(sentences, st.lists(st.none() | sentences, max_size=2), sentences), min_size=1, max_size=4
)


def columns_of(corpus):
    """Every segment has a last reference, and maybe others before it."""
    texts = lambda several: [None if one is None else " ".join(one) for one in several]  # noqa: E731
    most = max(len(others) for _, others, _ in corpus)
    padded = [[*others, *[None] * (most - len(others)), last] for _, others, last in corpus]
    references = [Column.from_strings(texts(column)) for column in zip(*padded, strict=True)]
    return Column.from_strings(texts(one for one, _, _ in corpus)), References(tuple(references))


def in_words(found, names, segment):
    """The features of a segment: by order, kind and text."""
    where = slice(found.offsets[segment], found.offsets[segment + 1])
    named = [names[each] for each in found.ids[where].tolist()]
    return {
        (name.order, name.kind, name.text): value
        for name, value in zip(named, found.values[where].tolist(), strict=True)
    }


@few_examples
@given(corpora)
def test_ngrams_are_those_of_the_textbook(corpus):
    source = feature_source(metric(f"bleu:tokenize=none,max_order={ORDERS}"))
    hypotheses, references = columns_of(corpus)
    found = source.features(hypotheses, references, threads=1)
    names = source.names(hypotheses, references, found.ids)
    for segment, (hypothesis, others, last) in enumerate(corpus):
        known = [one for one in (*others, last) if one is not None]
        expected = textbook.features(textbook.ngrams, hypothesis, known, ORDERS)
        by_text = {(n, kind, " ".join(part)): value for (n, kind, part), value in expected.items()}
        assert in_words(found, names, segment) == pytest.approx(by_text, abs=1e-12)
        assert found.shares[segment] == pytest.approx(np.array(textbook.shares(expected, ORDERS)), abs=1e-12)
        hashes = {textbook.feature_hash(textbook.hash_of_path(part), kind) for (_, kind, part) in expected}
        assert set(found.ids[found.offsets[segment] : found.offsets[segment + 1]].tolist()) == hashes


trees = st.recursive(
    st.sampled_from(["N", "V", "DT"]).map(lambda label: (label, ())),
    lambda below: st.tuples(
        st.sampled_from(["S", "NP", "VP"]), st.lists(below, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


def brackets(tree):
    return f"({' '.join([tree[0], *map(brackets, tree[1])])})"


@few_examples
@given(st.lists(trees, max_size=2), st.lists(st.lists(trees, max_size=2), min_size=1, max_size=3))
def test_subtrees_are_those_of_the_textbook(hypothesis, references):
    source = feature_source(metric("stm:max_depth=3"))
    column = ParsedColumn.from_brackets([" ".join(map(brackets, hypothesis)) or "()"])
    others = [ParsedColumn.from_brackets([" ".join(map(brackets, each)) or "()"]) for each in references]
    found = source.features(column, References(tuple(others)), threads=1)
    names = source.names(column, References(tuple(others)), found.ids)
    expected = textbook.features(tree_parts.subtrees, hypothesis, references, ORDERS)
    by_text = {(n, kind, brackets(part)): value for (n, kind, part), value in expected.items()}
    assert in_words(found, names, 0) == pytest.approx(by_text, abs=1e-12)
    assert set(found.ids.tolist()) == {
        textbook.feature_hash(textbook.hash_of_tree(part), kind) for (_, kind, part) in expected
    }


def conllu(tree):
    """A tree of words, in the order of the nodes."""
    lines: list[str] = []

    def add(node, head):
        lines.append(f"{len(lines) + 1}\t{node[0]}\t_\t_\t_\t_\t{head}\t_\t_\t_")
        own = len(lines)
        for child in node[1]:
            add(child, own)

    add(tree, 0)
    return "\n".join(lines)


@few_examples
@given(trees, st.lists(trees, min_size=1, max_size=3))
def test_chains_are_those_of_the_textbook(hypothesis, references):
    source = feature_source(metric("hwcm:max_depth=3"))
    column = ParsedColumn.from_conllu([conllu(hypothesis)])
    others = [ParsedColumn.from_conllu([conllu(each)]) for each in references]
    found = source.features(column, References(tuple(others)), threads=1)
    names = source.names(column, References(tuple(others)), found.ids)
    expected = textbook.features(tree_parts.chains, [hypothesis], [[each] for each in references], ORDERS)
    by_text = {(n, kind, " → ".join(part)): value for (n, kind, part), value in expected.items()}
    assert in_words(found, names, 0) == pytest.approx(by_text, abs=1e-12)
    assert set(found.ids.tolist()) == {
        textbook.feature_hash(textbook.hash_of_path(part), kind) for (_, kind, part) in expected
    }


def test_matched_shares_are_the_clipped_precisions_of_the_plain_metric():
    hypotheses, references = ["the cat the cat sat", "a"], [["the cat sat", "a cat"], ["b", "a a"]]
    for spec in ("bleu:tokenize=none", "bleu"):
        plain = metric(spec)
        counted = plain.statistics(hypotheses, references)
        columns = References(
            tuple(Column.from_strings([each[number] for each in references]) for number in range(2))
        )
        found = feature_source(plain).features(Column.from_strings(hypotheses), columns, threads=1)
        with np.errstate(invalid="ignore"):
            expected = np.nan_to_num(counted.block("match") / counted.block("total"))
        assert found.shares[:, :, 0] == pytest.approx(expected)


def test_the_order_of_references_and_the_number_of_threads_do_not_matter():
    generator = np.random.default_rng(1)
    hypotheses, *others = (
        Column.from_strings([" ".join(generator.choice(WORDS, size=9)) for _ in range(300)]) for _ in range(4)
    )
    source = feature_source(metric("bleu:tokenize=none"))
    one = source.features(hypotheses, References(tuple(others)), threads=1)
    other = source.features(hypotheses, References(tuple(reversed(others))), threads=3)
    for name in ("offsets", "ids", "values", "shares"):
        assert (getattr(one, name) == getattr(other, name)).all()


def test_hashes_are_those_of_every_machine():
    """Model files name features by them: they must never change."""
    columns = [Column.from_strings([text]) for text in ("the cat", "the dog")]
    shares = np.zeros((1, 2, 3))
    options: dict[str, Any] = {"tokenizer": "none", "letter_case": "keep", "max_order": 2}
    _, ids, _ = _core.ngram_features(columns[0], [columns[1]], shares, **options, threads=1)
    names = _core.ngram_feature_names(columns[0], [columns[1]], ids, **options)
    assert {text: f"{number:016x}" for number, (_, _, text) in names.items()} == HASHES


HASHES = {
    "the": "25ff5b9087141fed",
    "cat": "aa2b441aa4becf4a",
    "dog": "8155d67b8168c5bc",
    "the cat": "c16ac4b0d481796b",
    "the dog": "9c3219307bff18a1",
}


def test_metrics_that_compare_other_texts_have_no_features():
    assert feature_source(metric("pos-bleu")) is None
    assert feature_source(metric("chrf")) is None


def test_a_text_that_is_no_tree_is_named():
    bad, _ = _core.tree_features(
        Column.from_strings(["(S (NN))", "(S"]),
        [Column.from_strings(["(S)", "(S)"])],
        np.zeros((2, 1, 3)),
        reading=_core.TreeReading.brackets(),
        part="subtree",
        max_depth=1,
        threads=2,
    )
    assert bad is not None
    assert bad[:2] == (1, None)

"""STM, DSTM, HWCM, TKM and DTKM against textbook versions that write every part out (tests/reference/trees.py)."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from reference import trees as textbook
from reference.trees import Tree, brackets, conllu, dependency_tree
from understudy import DSTM, DTKM, HWCM, POSBLEU, STM, TKM, ParsedColumn, References
from understudy.errors import BadInput, BadParameter
from understudy.scoring import run as scoring

SEGMENTS = 1500


def grown(rng: random.Random, nodes: int) -> Tree:
    """A random tree of few labels, so that parts repeat and match."""
    children: list[list[int]] = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        children[rng.randrange(max(0, node - 4), node)].append(node)

    def build(node: int) -> Tree:
        return rng.choice("AB" if children[node] else "ab"), tuple(map(build, children[node]))

    return build(0)


def forest(rng: random.Random) -> list[Tree]:
    return [grown(rng, rng.randrange(1, 9)) for _ in range(rng.choice([0, 1, 1, 1, 1, 2]))]


def sentence(rng: random.Random) -> tuple[list[str], list[int]]:
    """Words and their heads; often far apart, so that arcs cross."""
    count = rng.randrange(1, 9)
    order = rng.sample(range(1, count + 1), count)
    heads = [0] * count
    for place, number in enumerate(order):
        heads[number - 1] = rng.choice([0, *order[:place]]) if place else 0
    return rng.choices(["a", "b", "Ab", "dog"], k=count), heads


@pytest.fixture(scope="module")
def constituents() -> tuple[list[list[Tree]], list[list[list[Tree]]]]:
    rng = random.Random(5)
    return [forest(rng) for _ in range(SEGMENTS)], [[forest(rng) for _ in range(3)] for _ in range(SEGMENTS)]


@pytest.fixture(scope="module")
def dependencies() -> tuple[list[Any], list[list[Any]]]:
    rng = random.Random(6)
    return [sentence(rng) for _ in range(SEGMENTS)], [
        [sentence(rng) for _ in range(2)] for _ in range(SEGMENTS)
    ]


def of_brackets(segments: list[list[Tree]]) -> ParsedColumn:
    return ParsedColumn.from_brackets(map(brackets, segments))


def of_sentences(sentences: list[Any]) -> ParsedColumn:
    return ParsedColumn.from_conllu([conllu(*one) for one in sentences])


def columns_of(references: list[list[Any]], read: Any) -> References:
    return References(tuple(read(list(column)) for column in zip(*references, strict=True)))


def agree(metric: STM | DSTM | HWCM, hypotheses: Any, references: Any, part: Any, tree_pairs: Any) -> None:
    """Counts of every segment, and scores of segments and of all together."""
    statistics = metric.statistics(hypotheses, references)
    expected = [textbook.overlap(part, mine, theirs, metric.max_depth) for mine, theirs in tree_pairs]
    rows = [[*matches, *totals, *others, 0] for matches, totals, others in expected]
    assert statistics.array.tolist() == rows
    by_segment = [
        100 * textbook.mean_precision(*counts, strict=metric.strict, zero=metric.segment_zero)
        for counts in expected
    ]
    assert metric.segment_scores(statistics) == pytest.approx(by_segment, rel=1e-12)
    pooled = np.sum(expected, axis=0).tolist()
    corpus = 100 * textbook.mean_precision(*pooled, strict=metric.strict, zero=metric.zero)
    assert metric.corpus_score(statistics).value == pytest.approx(corpus, rel=1e-12)


@pytest.mark.parametrize(
    "metric", [STM(), STM(max_depth=1), STM(max_depth=9, strict=True), STM(segment_zero=0.01)]
)
def test_stm(metric, constituents):
    hypotheses, references = constituents
    pairs = zip(hypotheses, references, strict=True)
    agree(metric, of_brackets(hypotheses), columns_of(references, of_brackets), textbook.subtrees, pairs)


@pytest.mark.parametrize(
    "metric", [HWCM(), HWCM(max_depth=2, segment_zero=0.0), HWCM(max_depth=8, strict=True)]
)
def test_hwcm(metric, dependencies):
    hypotheses, references = dependencies
    pairs = [
        (dependency_tree(*hypothesis), [dependency_tree(*one) for one in group])
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    agree(metric, of_sentences(hypotheses), columns_of(references, of_sentences), textbook.chains, pairs)


@pytest.mark.parametrize("metric", [DSTM(), DSTM(max_depth=3, strict=True)])
def test_dstm(metric, dependencies):
    hypotheses, references = dependencies
    pairs = [
        (dependency_tree(*hypothesis), [dependency_tree(*one) for one in group])
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    agree(metric, of_sentences(hypotheses), columns_of(references, of_sentences), textbook.subtrees, pairs)


KERNELS = [{}, {"decay": 0.4}, {"single_nodes": True}, {"decay": 0.5, "single_nodes": True}]


@pytest.mark.parametrize("choices", KERNELS)
def test_tkm(choices, constituents):
    hypotheses, references = constituents
    metric = TKM(**choices)
    expected = [
        100 * max(textbook.cosine(hypothesis, reference, **choices) for reference in group)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    scores = metric.segments(of_brackets(hypotheses), columns_of(references, of_brackets))
    assert scores == pytest.approx(expected, rel=1e-12, abs=1e-12)
    corpus = metric.corpus(of_brackets(hypotheses), columns_of(references, of_brackets))
    assert corpus.value == pytest.approx(math.fsum(expected) / len(expected), rel=1e-12)


@pytest.mark.parametrize("choices", KERNELS)
def test_dtkm(choices, dependencies):
    hypotheses, references = dependencies
    expected = [
        100
        * max(
            textbook.cosine(dependency_tree(*hypothesis), dependency_tree(*one), **choices) for one in group
        )
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    scores = DTKM(**choices).segments(of_sentences(hypotheses), columns_of(references, of_sentences))
    assert scores == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_kernel_values(constituents):
    """The kernel itself: whole numbers of pairs of fragments."""
    hypotheses, references = constituents
    for hypothesis, group in list(zip(hypotheses, references, strict=True))[:300]:
        found = TKM().kernel(brackets(hypothesis), brackets(group[0]))
        assert found == textbook.kernel(hypothesis, group[0])


# --- trees of unusual size -----------------------------------------------------------------------------------


def chain_of(depth: int, label: str = "A") -> str:
    return f"({label} " * depth + "(x)" + ")" * depth


DEEP = 2000


def test_deep_trees():
    deep = ParsedColumn.from_brackets([chain_of(DEEP)])
    other = ParsedColumn.from_brackets([chain_of(DEEP - 1)])
    assert STM(max_depth=DEEP + 1).corpus(deep, deep).value == 100.0
    assert TKM().corpus(deep, deep).value == 100.0
    assert 0 < TKM().corpus(deep, other).value < 100
    heads = list(range(DEEP))
    dependent = ParsedColumn.from_conllu([conllu(["w"] * DEEP, heads)])
    for metric in (HWCM(max_depth=DEEP), DSTM(max_depth=DEEP), DTKM()):
        assert metric.corpus(dependent, dependent).value == 100.0


def test_kernels_beyond_any_double():
    """2,000 constituents of one shape side by side: 2^2000 fragments at the top, and the pairs of those below."""

    def wide(count: int, label: str) -> str:
        return f"(S {'(A (x) (y)) ' * (2000 - count)}{f'({label} (x) (y)) ' * count})"

    same = ParsedColumn.from_brackets([wide(0, "A")])
    assert TKM().corpus(same, same).value == 100.0
    assert TKM().kernel(wide(0, "A"), wide(0, "A")) == 2**2000  # 53 bits do not show the 2,000^2 pairs
    # Another label changes the production of S, so that only the small constituents still match.
    assert TKM().corpus(ParsedColumn.from_brackets([wide(1, "B")]), same).value == pytest.approx(
        0, abs=1e-200
    )


def test_one_node():
    one = ParsedColumn.from_brackets(["(NN dog)"])
    other = ParsedColumn.from_brackets(["(VB go)"])
    for metric in (STM(), TKM()):
        assert metric.corpus(one, one).value == 100.0
        assert metric.corpus(one, other).value == 0.0


# --- what is not there -----------------------------------------------------------------------------------------


def test_no_tree_is_counted_and_said():
    text = ParsedColumn.from_brackets(["(S (NN dog))", "()"])
    unparsed = ParsedColumn(
        ParsedColumn.from_brackets(["(NN dog)", "(NN cat)"]), constituents=text.constituents, origin="given"
    )
    reference = ParsedColumn.from_brackets(["(S (NN dog))", "(S (NN cat))"])
    for metric in (STM(), TKM()):
        score = metric.corpus(unparsed, reference)
        assert score.detail["unparsed"] == 1
        assert "no tree for 1" in score.explanation
        assert metric.corpus(text, reference).detail["unparsed"] == 0  # no text, no tree: nothing is missing


def test_trees_that_do_not_compare():
    ours = ParsedColumn.from_brackets(["(S (NN dog))"], origin="a-1")
    theirs = ParsedColumn.from_brackets(["(S (NN dog))"], origin="b-1")
    with pytest.raises(BadInput, match=r"trees from a-1 and trees from b-1 are not comparable"):
        STM().corpus(ours, theirs)
    assert STM().corpus(ours, ours).signature.choices["trees"] == "a-1"


def test_constituents_cannot_be_had_from_dependencies():
    words = ParsedColumn.from_conllu([conllu(["a"], [0])])
    with pytest.raises(BadInput, match="constituents are needed, but the trees are dependencies"):
        STM().corpus(words, words)


@pytest.mark.parametrize(
    ("metric", "settings"),
    [(STM, {"max_depth": 0}), (HWCM, {"segment_zero": 2.0}), (TKM, {"decay": 0.0}), (TKM, {"decay": 1.5})],
)
def test_bad_settings(metric, settings):
    with pytest.raises(BadParameter, match="expected"):
        metric(**settings)


# --- choices -----------------------------------------------------------------------------------------------------

RED_PEN = """1\tI\ti\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tHave\thave\tVERB\tVBP\t_\t0\troot\t_\t_
3\tpens\tpen\tNOUN\tNNS\t_\t2\tobj\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""
GREEN_PEN = """1\tyou\tyou\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\thave\thave\tVERB\tVB\t_\t0\troot\t_\t_
3\tPens\tpen\tNOUN\tNNS\t_\t2\tobj\t_\t_
"""


@pytest.mark.parametrize(
    ("choices", "matches", "totals"),
    [
        ({}, [0, 0], [4, 3]),
        ({"lowercase": True}, [2, 1], [4, 3]),
        ({"node": "lemma"}, [2, 1], [4, 3]),
        ({"node": "tag"}, [2, 0], [4, 3]),
        ({"node": "tag", "pos": "coarse"}, [3, 2], [4, 3]),
        ({"node": "relation"}, [3, 2], [4, 3]),
        ({"node": "relation", "punctuation": False}, [3, 2], [3, 2]),
    ],
)
def test_what_a_node_is(choices, matches, totals):
    score = HWCM(max_depth=2, **choices).corpus(
        ParsedColumn.from_conllu([RED_PEN]), ParsedColumn.from_conllu([GREEN_PEN])
    )
    assert (score.detail["matches"], score.detail["totals"]) == (matches, totals)


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({"node": "lemma"}, r"lemma \(column 3\)"),
        ({"node": "tag"}, r"language-specific part of speech \(column 5\)"),
        ({"node": "tag", "pos": "coarse"}, r"part of speech \(columns 4 and 5\)"),
        ({"node": "relation"}, r"relation \(column 8\)"),
    ],
)
def test_what_the_trees_have_not_is_not_made_up(choices, what):
    bare = ParsedColumn.from_conllu([conllu(["a", "b"], [0, 1])])
    with pytest.raises(BadInput, match=f"hypotheses: segment 1, byte 1 of its trees: word 1 has no {what}"):
        HWCM(**choices).corpus(bare, bare)


def test_punctuation_and_coarse_tags_of_constituents():
    had = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))"])
    have = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBP have) (NP (DT the) (NN dog))))"])
    assert STM().corpus(had, have).value < 70
    assert STM(pos="coarse", punctuation=False).corpus(had, have).value == 100.0
    assert STM(pos="coarse").corpus(had, have).detail["totals"][0] == 9


def test_nothing_is_read_ahead_where_a_parser_may_fork(tmp_path, monkeypatch):
    """A process that is forked while another thread reads may wait for ever for what that thread held."""
    asked: list[Any] = []

    def read_at_once(parts):
        asked.append(parts)
        return parts

    monkeypatch.setattr("understudy.scoring.counting.read_ahead", read_at_once)
    path = tmp_path / "trees.ptb"
    path.write_text("(S (NP (PRP I)) (VP (VBD slept)))\n")
    for specs, times in ((["bleu"], 1), (["bleu", "stm"], 0), (["hwcm"], 0), (["pos-bleu"], 1)):
        asked.clear()
        scoring.score([path], [path], specs)
        assert len(asked) == times, specs
    assert POSBLEU(parser="auto").parses


@pytest.mark.parametrize("metric", [STM, HWCM, DSTM])
def test_the_paper_divides_by_all_depths(metric):
    assert metric.preset("paper") == metric(strict=True)
    assert "strict:yes" in str(metric.preset("paper").signature())
    # What is computed stands first, then what the paper prints.
    assert metric.formula.startswith(rf"\mathrm{{{metric.title}}} = \frac{{1}}{{|R|}} \sum_{{n \in R}}")
    assert metric.formula.endswith(r"R = \{1, \ldots, D\}")


def test_a_copy_that_is_not_deep_enough_is_no_full_score_in_the_paper():
    flat = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V)))"])
    assert STM().corpus(flat, flat).value == 100
    assert STM.preset("paper").corpus(flat, flat).value == 75

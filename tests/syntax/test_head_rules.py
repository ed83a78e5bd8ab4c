"""Collins' head rules: the rules of his appendix one by one, the paper's example, and real trees."""

from __future__ import annotations

import pytest

from material.gum import needs_treebank, needs_trees, news, treebank
from understudy import HWCM
from understudy.corpus.parsed_column import ParsedColumn
from understudy.report.tree_drawing import draw_dependencies
from understudy.syntax.head_rules import RULES, dependencies, head_child
from understudy.syntax.trees import ConstituentTree


@pytest.mark.parametrize(
    ("label", "children", "head"),
    [
        # From the left: every wanted label is looked for among all children before the next one.
        ("S", "NP VP .", "VP"),
        ("S", "S CC S", "S"),
        ("VP", "VBD NP PP", "VBD"),
        ("VP", "MD RB VP", "MD"),
        ("VP", "ADVP VBN PP", "VBN"),
        ("VP", "TO VP", "TO"),
        ("SBAR", "WHNP S", "WHNP"),
        ("SBAR", "IN S", "IN"),
        ("SQ", "VBZ NP VP", "VBZ"),
        ("ADJP", "RB JJ PP", "JJ"),
        ("QP", "RB CD", "RB"),
        ("WHNP", "WHADJP NN", "WHADJP"),
        # From the right.
        ("PP", "IN NP", "IN"),
        ("PP", "ADVP IN NP", "IN"),
        ("ADVP", "RB RB", "RB"),
        ("WHPP", "IN WHNP", "IN"),
        ("PRT", "RP", "RP"),
        # Noun phrases, in the order of their rules.
        ("NP", "NNP NN POS", "POS"),
        ("NP", "DT JJ NN", "NN"),
        ("NP", "NP PP", "NP"),
        ("NP", "DT ADJP", "ADJP"),
        ("NP", "$ CD", "$"),
        ("NP", "DT CD", "CD"),
        ("NP", "DT JJ", "JJ"),
        ("NP", "DT QP", "QP"),
        ("NP", "PRP", "PRP"),
        ("NP", "PDT DT", "DT"),
        # Labels without a wanted one.
        ("FRAG", "NP PP", "PP"),
        ("PRN", ", S ,", "S"),
        ("INTJ", "UH , UH", "UH"),
        ("UNHEARD", "A B", "A"),
    ],
)
def test_rules(label, children, head):
    assert children.split()[head_child(label, tuple(children.split()))] == head


@pytest.mark.parametrize(
    ("label", "children", "place"),
    [
        ("ADVP", "RB RB", 1),
        ("INTJ", "UH , UH", 0),
        # The head of a coordination is what stands before the conjunction.
        ("NP", "NP CC NP", 0),
        ("NX", "NX CC NX", 0),
        ("UCP", "NP CC ADJP", 0),
        ("UCP", "NP , CC ADJP", 0),
        ("PP", "PP CC PP", 0),
        # A conjunction at the beginning has nothing before it.
        ("S", "CC VP", 1),
        ("ADVP", "CC RB", 1),
        # Punctuation is the head of nothing that holds anything else.
        ("PRN", "-LRB- NP -RRB-", 1),
        ("FRAG", "NP .", 0),
        ("NP", ",", 0),
    ],
)
def test_places(label, children, place):
    assert head_child(label, tuple(children.split())) == place


def heads(text: str) -> dict[str, str]:
    (tree,) = ConstituentTree.read(text)
    tokens = dependencies(tree).tokens
    return {token.form: tokens[token.head - 1].form if token.head else "" for token in tokens}


def test_the_paper():
    """Liu and Gildea 2005, section 2: *I have a red pen*."""
    found = heads("(S (NP (PRP I)) (VP (VBP have) (NP (DT a) (JJ red) (NN pen))))")
    assert found == {"I": "have", "have": "", "a": "pen", "red": "pen", "pen": "have"}


def test_base_noun_phrases_keep_their_last_noun():
    """Bikel 2004, figure 6: the head moves to the left conjunct, but not in a base noun phrase."""
    assert heads("(NP (NP (NNP John)) (CC and) (NP (NNP Jane)))")["John"] == ""
    assert heads("(NP (NNP John) (CC and) (NNP Jane))")["Jane"] == ""
    possessive = "(NP (NP (NNP Mary) (POS 's)) (NN cat) (CC and) (NN dog))"
    assert heads(possessive) == {"Mary": "'s", "'s": "dog", "cat": "dog", "and": "dog", "dog": ""}


def test_relations_are_collins_three_labels():
    (tree,) = ConstituentTree.read("(S (NP (PRP I)) (VP (VBD slept)) (. .))")
    assert [token.relation for token in dependencies(tree).tokens] == ["NP/S/VP", "root", "./S/VP"]


def test_a_deep_tree_and_one_word():
    (deep,) = ConstituentTree.read("(S (X x) " * 2_000 + "(VB go)" + ")" * 2_000)
    assert len(dependencies(deep).tokens) == 2_001
    (single,) = ConstituentTree.read("(NN dog)")
    assert dependencies(single).heads == [0]


def test_constituents_without_words_have_no_head():
    """Such as those of which a treebank's traces were all that was left."""
    tree, alone = ConstituentTree.read("(S (NP) (VP (V x) (NP (DT)) (ADV y)))(S (NP))")
    assert [(token.form, token.head) for token in dependencies(tree).tokens] == [("x", 0), ("y", 1)]
    assert dependencies(alone).tokens == ()
    assert draw_dependencies(dependencies(alone)) == ""
    texts = [ParsedColumn.from_brackets([text]) for text in ("(S (NP) (VP (V x)))", "(S (VP (V x)))")]
    assert HWCM().corpus(*texts).value == 100


def test_every_label_of_the_table_has_a_side():
    assert {side for side, _ in RULES.values()} == {"left", "right"}


# Universal Dependencies hang function words on content words, Collins mostly the reverse: *is* on *asleep*, *to* on
# *town*. These relations join the same words in both, in the same direction, unless a function word stands between.
IN_BOTH = {"det", "amod", "nummod", "compound", "nmod:poss", "obj", "iobj", "compound:prt", "det:predet"}


def agreement(sentences) -> tuple[float, float, float]:
    """The share of words with the same head as in Universal Dependencies; joined to the same word in either direction;
    with the same head, of those on relations that both schemes draw alike.
    """
    same = joined = alike = words = comparable = 0
    for sentence in sentences:
        heads = zip(dependencies(sentence.tree).heads, sentence.heads, sentence.relations, strict=True)
        for number, (mine, theirs, relation) in enumerate(heads, 1):
            words += 1
            same += mine == theirs
            joined += mine == theirs or (mine > 0 and sentence.heads[mine - 1] == number)
            if relation in IN_BOTH:
                comparable += 1
                alike += mine == theirs
    return same / words, joined / words, alike / comparable


@needs_trees
def test_agreement_with_gold_heads_of_the_news():
    same, joined, alike = agreement(news())
    assert (same, joined, alike) == pytest.approx((0.3876, 0.5781, 0.8502), abs=5e-5)


@needs_treebank
def test_agreement_with_gold_heads_of_the_treebank():
    same, joined, alike = agreement([sentence for part in treebank().values() for sentence in part])
    assert (same, joined, alike) == pytest.approx((0.3974, 0.5705, 0.8779), abs=5e-5)

"""The English model that comes with the package."""

from __future__ import annotations

import random

import pytest

from material.gum import needs_treebank, treebank
from understudy.syntax.english import MODEL, EnglishParser, loaded
from understudy.syntax.head_rules import dependencies
from understudy.syntax.trees import ConstituentTree, DependencyTree

pytest.importorskip("spacy", reason="the English model needs spaCy")

TEXTS = [
    "I had a dog.",
    "Diplomats will be aboard the plane to return home .",
    "She didn't come. He did!",
    "(see below)",
    "a",
    "!!!",
    "the of and to",
    "Der Hund schläft, sagte er “laut”.",
    "x" * 300,
    "the dog " * 200,
    "今日は 🙂 \u200b",
    "-LRB- and ( [ {",
    "tab\tand\u00a0no-break space\n and a line",
]


@pytest.fixture(scope="module")
def parser() -> EnglishParser:
    return EnglishParser()


def words(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_every_text_gets_both_trees_over_all_its_words(parser, text):
    (parse,) = parser.parse([text])
    trees = ConstituentTree.read(parse.constituents)
    heads = DependencyTree.read(parse.dependencies)
    assert trees
    assert words("".join(token.form for tree in heads for token in tree.tokens)) == words(text)
    assert [[word for word in tree.words if word] for tree in trees] == [
        [token.form for token in tree.tokens] for tree in heads
    ] or "-LRB-" in text  # which brackets cannot tell from (


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_no_text_no_trees(parser, text):
    (parse,) = parser.parse([text])
    assert (parse.constituents, parse.dependencies) == ("", "")


def test_a_plain_sentence_has_the_heads_of_the_rules(parser):
    (parse,) = parser.parse(["I had a dog."])
    (tree,) = ConstituentTree.read(parse.constituents)
    (heads,) = DependencyTree.read(parse.dependencies)
    assert dependencies(tree).heads == heads.heads == [2, 0, 4, 2, 2]


def test_spacing_is_kept(parser):
    (parse,) = parser.parse(["She didn't come."])
    (tree,) = DependencyTree.read(parse.dependencies)
    assert [(token.form, token.space_after) for token in tree.tokens] == [
        ("She", True),
        ("did", False),
        ("n't", True),
        ("come", False),
        (".", False),
    ]


def test_sentences_get_a_tree_each(parser):
    (parse,) = parser.parse(["She came home. He stayed there."])
    assert [tree.words[-1] for tree in ConstituentTree.read(parse.constituents)] == [".", "."]


def test_words_can_be_kept():
    (parse,) = EnglishParser(keep_words=True).parse(["I do n't like well-known dogs."])
    trees = DependencyTree.read(parse.dependencies)
    assert [token.form for tree in trees for token in tree.tokens] == [
        "I",
        "do",
        "n't",
        "like",
        "well-known",
        "dogs.",
    ]


@needs_treebank
def test_a_parse_does_not_depend_on_what_stands_beside_it(parser):
    texts = [" ".join(sentence.words) for sentence in treebank()["test"][:150]]
    alone = [parser.parse([text])[0] for text in texts]
    assert parser.parse(texts) == alone
    order = random.Random(1).sample(range(len(texts)), len(texts))
    assert parser.parse([texts[row] for row in order]) == [alone[row] for row in order]


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_batches_make_no_difference(parser, monkeypatch, at_once):
    texts = [f"{text} {number}" for number in range(3) for text in TEXTS]
    whole = parser.parse(texts)
    monkeypatch.setattr("understudy.syntax.spacy_parser._TEXTS_AT_ONCE", at_once)
    assert parser.parse(texts[::-1])[::-1] == whole


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_make_no_difference(parser, monkeypatch):
    monkeypatch.setattr("understudy.syntax.spacy_parser._TEXTS_PER_PROCESS", 2)
    assert parser.parse(TEXTS, threads=2) == parser.parse(TEXTS)


def test_progress_counts_every_text(parser):
    seen: list[int] = []
    parser.parse(["", "I slept.", "So did I."], progress=seen.append)
    assert sum(seen) == 3


def test_its_names(parser):
    assert parser.name == "english"
    assert parser.schemes == {"constituents": "ptb", "dependencies": "collins"}
    assert not set(parser.signature) & set(",| ")
    assert EnglishParser(keep_words=True).signature == parser.signature + "@words"


def test_the_model_is_small():
    assert sum(file.stat().st_size for file in MODEL.iterdir()) < 10_000_000


@needs_treebank
@pytest.mark.parametrize(
    ("part", "scores"),
    [
        ("dev", {"tags": 95.52, "F1": 77.28, "UAS": 84.09}),
        ("test", {"tags": 95.71, "F1": 78.12, "UAS": 84.98}),
    ],
)
def test_the_scores_of_the_model_card(part, scores):
    from parser_scores import score_report

    found = score_report(loaded(MODEL), treebank()[part])
    assert {name: found[name] for name in scores} == pytest.approx(scores, abs=0.05)

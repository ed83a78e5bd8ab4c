"""The English model that comes with the package."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from material.gum import needs_treebank, treebank
from material.parsers import needs_english
from understudy import DSTM, DTKM, HWCM, ParsedColumn
from understudy.syntax import parsing
from understudy.syntax.english import EnglishParser, loaded, model_folder
from understudy.syntax.head_rules import dependencies
from understudy.syntax.parse_cache import ParseCache
from understudy.syntax.trees import ConstituentTree, DependencyTree

pytestmark = needs_english

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


EXAMPLES = Path(__file__).parents[2] / "examples"


def example_texts(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def test_dependencies_are_those_of_the_rules(parser):
    (parse,) = parser.parse(["I had a dog."])
    (heads,) = DependencyTree.read(parse.dependencies)
    assert heads.heads == [2, 0, 4, 2, 2]
    texts = [text for text in TEXTS if "-LRB-" not in text]  # which brackets cannot tell from (
    for name in ("system-strong.en", "system-weak.en", "reference-1.en"):
        texts += example_texts(name)
    for parse in parser.parse(texts):
        by_rules = list(map(dependencies, ConstituentTree.read(parse.constituents)))
        assert [spaced(tree) for tree in DependencyTree.read(parse.dependencies)] == by_rules


def spaced(tree: DependencyTree) -> DependencyTree:
    """As brackets know it: with a space after every word."""
    return DependencyTree(tuple(token._replace(space_after=True) for token in tree.tokens))


@pytest.mark.parametrize("metric", [HWCM(), DSTM(), DTKM()], ids=lambda metric: metric.title)
def test_scores_are_those_of_its_constituents(parser, metric):
    texts, references = example_texts("system-weak.en"), example_texts("reference-1.en")
    given = [
        ParsedColumn.from_brackets([parse.constituents for parse in parser.parse(some)])
        for some in (texts, references)
    ]
    assert metric.corpus(texts, references).value == metric.corpus(*given).value


def test_parses_of_other_heads_are_not_taken_from_the_cache(tmp_path):
    """Before 1.1 the dependencies were predicted ones, under the same scheme."""
    cache = ParseCache(tmp_path / "parses")
    made = parsing.parser("english", cache=cache)
    old = made.signature.replace("english-1.1", "english-1.0")
    assert old != made.signature
    cache.keep(old, {"I slept.": ("(OLD)", "old")})
    assert made.parse(["I slept."])[0].constituents == "(S (NP (PRP I)) (VP (VBD slept)) (. .))"


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
    assert sum(file.stat().st_size for file in model_folder().iterdir()) < 10_000_000


@needs_treebank
@pytest.mark.parametrize(
    ("part", "scores"),
    [
        ("dev", {"tags": 95.52, "F1": 77.28, "UAS": 82.68}),
        ("test", {"tags": 95.71, "F1": 78.12, "UAS": 83.81}),
    ],
)
def test_the_scores_of_the_model_card(part, scores):
    from parser_scores import score_report

    found = score_report(loaded(model_folder()), treebank()[part])
    assert {name: found[name] for name in scores} == pytest.approx(scores, abs=0.05)

"""Words of one part of speech that are dropped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import understudy
from material.optional import needs_packages
from material.parsers import FRENCH, FlatParser, needs_english, opens
from material.perturbations import perturbed
from understudy.errors import BadInput, BadParameter
from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.recipes import RECIPES
from understudy.probing.perturbations.spans import text_of
from understudy.probing.perturbations.tags import tagged_words
from understudy.syntax import parsing, tree_columns

ENGLISH = "The old drivers' cars didn't really stop, and Germany's chancellor saw them for 5%."
NAMES = ("nouns", "verbs", "adjectives", "adverbs", "pronouns", "conjunctions")


@pytest.fixture
def flat(monkeypatch) -> Iterator[FlatParser]:
    """The only parser, which tags every word X."""
    parser = FlatParser()
    monkeypatch.setitem(parsing._KINDS, "auto", ("", opens(parser)))
    monkeypatch.setattr(tree_columns, "_LATELY", {})
    tree_columns.parser_named.cache_clear()
    yield parser
    tree_columns.parser_named.cache_clear()


@needs_english
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nouns", "The old didn't really stop, and Germany's saw them for 5%."),
        ("verbs", "The old drivers' cars didn't really, and Germany's chancellor them for 5%."),
        ("adjectives", "The drivers' cars didn't really stop, and Germany's chancellor saw them for 5%."),
        ("adverbs", "The old drivers' cars didn't stop, and Germany's chancellor saw them for 5%."),
        ("pronouns", "The old drivers' cars didn't really stop, and Germany's chancellor saw for 5%."),
        ("conjunctions", "The old drivers' cars didn't really stop, Germany's chancellor saw them for 5%."),
    ],
)
def test_words_of_one_part_of_speech_are_missing_and_no_others(name, expected):
    assert perturbed(f"drop-{name}", ENGLISH) == expected


@needs_packages("spacy", FRENCH)
def test_any_language_with_a_parser():
    assert perturbed("drop-nouns", "Le chat de l'ami dort.", language="fr") == "Le de l'ami dort."


@needs_english
def test_a_share_of_the_nouns():
    text = "The dog saw the cat, the horse and the cow."
    found = {perturbed("drop-nouns", text, 0.5, seed=seed) for seed in range(60)}
    assert "The dog saw the, the horse and the." in found
    assert len(found) == 6  # pairs of nouns


@needs_english
def test_text_without_such_words_is_left_alone():
    assert perturbed("drop-adjectives", "Dogs sleep.") is None


def tags_in(text: str, forms: str, tags: str) -> dict[str, str]:
    found = tagged_words(text, forms.split(), tags.split())
    return {text_of(text, word.place): " ".join(sorted(word.tags)) for word in found}


def test_words_have_the_tags_of_all_their_tokens():
    found = tags_in("He can't see dogs' up-to-date\u00a0toys.", "He ca n't see dogs ' up - to - date toys .",
                    "PRON AUX PART VERB NOUN PART ADP PUNCT ADP PUNCT NOUN NOUN PUNCT")  # fmt: skip
    assert found == {
        "He": "PRON",
        "can't": "AUX PART",
        "see": "VERB",
        "dogs'": "NOUN",
        "up-to-date": "ADP NOUN",
        "toys": "NOUN",
    }


def test_tokens_of_several_characters_where_every_character_is_a_word():
    assert tags_in("我喜欢猫咪。", "我 喜欢 猫咪 。", "PRON VERB NOUN PUNCT") == {
        "我": "PRON",
        "喜欢": "VERB",
        "猫咪": "NOUN",
    }


def test_words_that_the_parser_spells_differently_have_no_tags():
    found = tags_in("Il parle du chat, du chien.", "Il parle de le chat , de le chien .",
                    "PRON VERB ADP DET NOUN PUNCT ADP DET NOUN PUNCT")  # fmt: skip
    assert found == {"Il": "PRON", "parle": "VERB", "chat": "NOUN", "chien": "NOUN"}


def test_signs_are_not_words():
    assert tags_in("5 % of it", "5 % of it", "NUM NOUN ADP PRON") == {"of": "ADP", "it": "PRON"}


def probed(**plan):
    texts = ["A dog sleeps.", "It rains.", "A dog sleeps.", ""]
    return understudy.probe(
        {"mt": texts},
        ["A cat sleeps.", "It rained.", "No dog sleeps.", "Yes."],
        lang="en",
        what="perturbations",
        **plan,
    ).perturbations


def test_all_hypotheses_are_parsed_once_and_together(flat):
    probed()
    assert flat.asked == [["A dog sleeps.", "It rains."]]


def test_nothing_is_parsed_if_no_perturbation_uses_tags(flat):
    probed(perturbations="drop-words")
    assert flat.asked == []


@pytest.mark.usefixtures("flat")
def test_a_parser_without_tags(monkeypatch):
    parse = FlatParser.parse

    def untagged(*arguments, **options):
        found = parse(*arguments, **options)
        return [
            parsing.Parse(each.constituents, each.dependencies.replace("\tX\tX\t", "\t_\t_\t"))
            for each in found
        ]

    monkeypatch.setattr(FlatParser, "parse", untagged)
    reason = "segment 1: a word in its trees has no universal part-of-speech tag"
    assert probed().left_out["drop-nouns"] == reason
    with pytest.raises(BadInput, match=reason):
        probed(perturbations="drop-nouns")


def test_no_parser_for_the_language():
    _, left_out = catalog("fi")
    assert left_out["drop-nouns"].startswith("no parser for 'fi' is installed. For spaCy: pip install ")
    assert {name for name in left_out if left_out[name] == left_out["drop-nouns"]} == {
        f"drop-{name}" for name in NAMES
    }


def test_no_language():
    assert catalog(None)[1]["drop-nouns"] == (
        "it needs part-of-speech tags (a parser), and the language is not known. "
        "Set lang= (--lang on the command line)"
    )


def test_a_named_parser_needs_no_language():
    found, _ = catalog(None, parser="spacy:any")
    assert "drop-nouns" in [each.facts.name for each in found]


def test_no_parser_of_that_name():
    with pytest.raises(BadParameter, match="unknown parser 'latin'"):
        probed(parser="latin")


def test_they_say_what_they_need():
    needs = {recipe.facts.name: recipe.facts.needs for recipe in RECIPES}
    assert {needs[f"drop-{name}"] for name in NAMES} == {"part-of-speech tags (a parser)"}

"""Which perturbations a language has, and why others are left out."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from material.perturbations import available, perturbed
from understudy.errors import BadParameter, MissingFile
from understudy.probing.perturbations import catalog as module
from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.grading import share
from understudy.probing.perturbations.recipes import RECIPES

NAMES = [recipe.facts.name for recipe in RECIPES]


def test_every_perturbation_is_available_or_left_out():
    for language in (None, "en", "de", "fi"):
        found, left_out = catalog(language)
        assert sorted([*(each.facts.name for each in found), *left_out]) == sorted(NAMES)


def test_names_differ():
    assert len(set(NAMES)) == len(NAMES)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", name) for name in NAMES)


def test_descriptions_are_sentences():
    for recipe in RECIPES:
        assert recipe.facts.description[0].isupper()
        assert recipe.facts.description.endswith(".")


def test_without_a_language_only_those_that_need_none():
    found, left_out = catalog(None)
    assert {each.facts.needs for each in found} == {"none", "the source", "a second reference"}
    assert left_out["drop-function-words"] == (
        "it needs a list of function words, and the language is not known. Set lang= (--lang on the command line)"
    )


def test_a_language_without_lists():
    _, left_out = catalog("fi")
    assert left_out["drop-function-words"] == (
        "no list of function words for 'fi'; there are lists for ar, de, en, es, fr, hi, ja, zh"
    )
    assert left_out["antonyms"] == "WordNet is in English, and the language is 'fi'"


def test_lists_of_a_language_without_one_kind():
    assert "change-gender" in catalog("hi")[1]
    assert "flip-negation" in available("hi")


@pytest.mark.parametrize("code", ["zho_Hans", "en-zh", "zh-CN"])
def test_codes_with_script_region_and_pair(code):
    assert catalog(code)[1].keys() == catalog("zh")[1].keys()


def test_no_language_code():
    with pytest.raises(BadParameter, match="not a language code"):
        catalog("Klingon!")


def test_without_source_and_second_reference():
    _, left_out = catalog(None, sources=False, references=1)
    assert left_out["copy-source"] == left_out["mix-in-source"] == "there is no source"
    assert left_out["paraphrase"] == "there is no second reference"


def test_a_machine_without_wordnet(monkeypatch):
    def missing():
        raise MissingFile("this machine has no WordNet.")

    monkeypatch.setattr(module, "wordnet", missing)
    _, left_out = catalog("en")
    assert left_out["synonyms"].startswith("this machine has no WordNet. Install ")


def test_shares_of_greater_strength_contain_smaller_ones():
    items = list(range(50))
    shares = [share(items, strength, np.random.default_rng(3)) for strength in (0, 0.01, 0.2, 0.5, 1)]
    assert [len(each) for each in shares] == [0, 1, 10, 25, 50]
    for smaller, greater in itertools.pairwise(shares):
        assert greater[: len(smaller)] == smaller


@pytest.mark.parametrize("name", ["drop-words", "shuffle-words", "separate-punctuation", "flip-negation"])
def test_a_megabyte_of_text(name):
    text = 'Es ist (weit), "oder" nicht? ' * 35_000
    assert perturbed(name, text, 0.5, language="de") not in (None, text)

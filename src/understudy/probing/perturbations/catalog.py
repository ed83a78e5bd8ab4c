"""The perturbations that are available for a language, and why others are left out."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.errors import MissingExtra, MissingFile
from understudy.lexicon.wordnet import wordnet
from understudy.probing.perturbations.perturbation import Perturbation
from understudy.probing.perturbations.recipes import (
    RECIPES,
    SECOND_REFERENCE,
    SOURCE,
    TAGS,
    WORDNET,
    Recipe,
)
from understudy.probing.perturbations.word_lists import LISTS, languages_with, word_list
from understudy.syntax.parsing import is_auto
from understudy.syntax.tree_columns import parser_named
from understudy.text.languages import language_of

UNKNOWN_LANGUAGE = "the language is not known. Set lang= (--lang on the command line)"


def catalog(
    language: str | None, *, sources: bool = True, references: int = 2, parser: str = "auto"
) -> tuple[list[Perturbation], Mapping[str, str]]:
    """The perturbations for a language, and by name why others are left out: for want of a word list, of WordNet, of
    a parser, of sources or of a second reference. Without a language, no perturbation that depends on one is available.

    >>> available, left_out = catalog("fi", sources=False)
    >>> [perturbation.facts.name for perturbation in available][:2], left_out["copy-source"]
    (['drop-words', 'repeat-words'], 'there is no source')
    """
    code = language_of(language).code if language else None
    available: list[Perturbation] = []
    left_out: dict[str, str] = {}
    for recipe in RECIPES:
        reason = _lacking(recipe, code, sources, references, parser)
        if reason:
            left_out[recipe.facts.name] = reason
        else:
            available.append(_made(recipe, code))
    return available, left_out


def _lacking(recipe: Recipe, language: str | None, sources: bool, references: int, parser: str) -> str:
    """Why a perturbation is not available; empty if it is."""
    if recipe.resource == SOURCE and not sources:
        return "there is no source"
    if recipe.resource == SECOND_REFERENCE and references < 2:
        return "there is no second reference"
    if recipe.resource in (*LISTS, WORDNET) or (recipe.resource == TAGS and is_auto(parser)):
        if language is None:
            return f"it needs {recipe.facts.needs}, and {UNKNOWN_LANGUAGE}"
        return _lacking_for_language(recipe.resource, language, parser)
    return ""


def _lacking_for_language(resource: str, language: str, parser: str) -> str:
    if resource == WORDNET:
        return _lacking_wordnet(language)
    return _lacking_parser(language, parser) if resource == TAGS else _lacking_list(language, resource)


def _lacking_list(language: str, key: str) -> str:
    if word_list(language, key) is not None:
        return ""
    return f"no list of {LISTS[key]} for '{language}'; there are lists for {', '.join(languages_with(key))}"


def _lacking_wordnet(language: str) -> str:
    if language != "en":
        return f"WordNet is in English, and the language is '{language}'"
    try:
        wordnet()
    except MissingFile:
        return "this machine has no WordNet. Install Debian's wordnet-base or NLTK's corpus wordnet"
    return ""


def _lacking_parser(language: str, parser: str) -> str:
    try:
        parser_named(parser, language)
    except MissingExtra as missing:
        return str(missing).rstrip(".")
    return ""


def _made(recipe: Recipe, language: str | None) -> Perturbation:
    if recipe.resource == WORDNET:
        change = recipe.made(wordnet())
    elif recipe.resource in LISTS and language is not None:
        change = recipe.made(word_list(language, recipe.resource))
    else:
        change = recipe.made()
    tags = recipe.resource == TAGS
    return Perturbation(recipe.facts, change, recipe.held_out, tags, recipe.for_language_models)

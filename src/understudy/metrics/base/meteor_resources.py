"""METEOR's resources: data, word lists, stemmers and synonyms; and the core matcher that uses them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from understudy._core import MeteorMatcher, SynonymTable
from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.errors import MissingFile
from understudy.lexicon import meteor_data
from understudy.lexicon.stems import porter, snowball
from understudy.lexicon.wn_database import english_lexicons, wn_wordnet
from understudy.lexicon.wordnet import WordNet, wordnet
from understudy.metrics.base.meteor_tasks import NORMALIZED

if TYPE_CHECKING:
    from understudy.metrics.meteor import METEOR

_WORD_LISTS = ("meteor", "language")  # of function words, from METEOR's data


def check(metric: METEOR) -> None:
    """Raise an error if a required resource is missing."""
    _data(metric)
    function_words(metric)
    if metric.has("stem"):
        stemmer(metric)
    if metric.has("synonym") and metric.synonyms != "meteor":
        wordnet_of(metric)


# --- METEOR's own data ----------------------------------------------------------------------------------------


def _data(metric: METEOR) -> tuple[meteor_data.MeteorData, list[str], list[Path]] | None:
    """METEOR's data and the parts needed: files in the jar and files next to it. None if no data are needed."""
    names = _names(metric)
    if not names and not metric.has("paraphrase"):
        return None
    found = meteor_data.meteor_data(metric.data)
    found.require(names)
    return found, names, [found.paraphrase_file(metric.language)] if metric.has("paraphrase") else []


def _names(metric: METEOR) -> list[str]:
    language = metric.chosen_language.name
    names = []
    if metric.function_words in _WORD_LISTS:
        names.append(_word_list(metric))
    if metric.tokenize in NORMALIZED:
        names.append(f"nonbreaking/{language}.prefixes")
    if metric.has("synonym") and metric.synonyms == "meteor":
        names += [f"synonym/{language}.exceptions", f"synonym/{language}.synsets"]
    return names


def data_digest(metric: METEOR) -> str:
    """A digest of the data used; empty if none are used."""
    if (needed := _data(metric)) is None:
        return ""
    data, names, files = needed
    return f"meteor-{meteor_data.digest(data, tuple(names), tuple(files))}"


def _word_list(metric: METEOR) -> str:
    # METEOR loads the list before the language is known and never reloads it.
    language = "english" if metric.function_words == "meteor" else metric.chosen_language.name
    return f"function/{language}.words"


def function_words(metric: METEOR) -> tuple[list[str], str]:
    """The function words, and their name in the signature."""
    if metric.function_words == "none":
        return [], "none"
    if metric.function_words in _WORD_LISTS:
        return meteor_data.meteor_data(metric.data).lines(_word_list(metric)), metric.function_words
    path = Path(metric.function_words).expanduser()
    if not path.is_file():
        raise MissingFile(
            f"no function word file '{path}'. Use function_words=FILE, meteor, language or none."
        )
    words = decoded(read_all(str(path)), str(path)).splitlines()
    return words, meteor_data.text_digest(words)


# --- stems and synonyms ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stemmer:
    """The stemmer, and its name in the signature."""

    stem: Callable[[str], str]
    signature: str


def stemmer(metric: METEOR) -> Stemmer:
    """The stemmer."""
    if metric.stemmer == "porter":
        return Stemmer(porter, "porter-nltk")
    stems, version = snowball(metric.chosen_language.name)
    return Stemmer(lambda word: stems([word])[0], f"snowball-{version}")


def wordnet_of(metric: METEOR) -> WordNet:
    """The WordNet."""
    kind, _, name = metric.synonyms.partition(":")
    if kind == "wn":
        return wn_wordnet(name)
    try:
        return wordnet(name)
    except MissingFile:
        if name or not english_lexicons():
            raise
        return wn_wordnet()


def synonyms_signature(metric: METEOR) -> str:
    """The source of synonyms."""
    return "meteor" if metric.synonyms == "meteor" else f"wordnet-{wordnet_of(metric).digest}"


def _synonym_table(metric: METEOR) -> SynonymTable:
    if metric.synonyms == "meteor":
        return meteor_data.synonyms(meteor_data.meteor_data(metric.data), metric.chosen_language.name)
    return wordnet_of(metric).table


# --- the core ---------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def matcher(metric: METEOR) -> MeteorMatcher:
    """The core matcher with its resources."""
    needed = _data(metric)
    language = metric.chosen_language
    normalizes = metric.tokenize in NORMALIZED
    prefixes, number_prefixes = needed[0].prefixes(language.name) if needed and normalizes else ([], [])
    greedy = metric.alignment == "greedy"
    return MeteorMatcher(
        apostrophes=language.apostrophes if normalizes else None,
        punctuation=metric.tokenize != "norm-nopunct",
        prefixes=prefixes,
        number_prefixes=number_prefixes,
        letter_case="lower" if metric.lowercase else "keep",
        stages=["exact"] if greedy else list(metric.chosen_stages),
        function_words=function_words(metric)[0],
        english_stems=metric.language == "en" and metric.stemmer == "snowball",
        synonyms=_synonym_table(metric) if metric.has("synonym") and not greedy else None,
        paraphrases=meteor_data.paraphrases(needed[2][0]) if needed and needed[2] else None,
        copies_are_free=metric.copies_are_free,
        characters=metric.characters,
        beam=metric.beam,
    )

"""All perturbations: their names, what they do and what they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from understudy.probing.perturbations import (
    facts,
    harmless,
    letters,
    listed,
    names,
    negation,
    punctuation,
    spacing,
    tags,
    whole_segments,
    word_senses,
    words,
)
from understudy.probing.perturbations.perturbation import Change
from understudy.probing.perturbations.results import PerturbationFacts
from understudy.probing.perturbations.word_lists import LISTS

SOURCE = "source"
SECOND_REFERENCE = "second reference"
WORDNET = "WordNet"
TAGS = "part-of-speech tags"


class Recipe(NamedTuple):
    """A perturbation, and how it is made of its resource."""

    facts: PerturbationFacts
    made: Callable[..., Change]  # of the word list or of WordNet; of nothing if it needs neither
    resource: str = ""  # key of a word list, or SOURCE, SECOND_REFERENCE, WORDNET or TAGS
    held_out: int | None = None
    for_language_models: bool = False  # unless it is asked for by name


def _recipe(
    group: str,
    name: str,
    description: str,
    made: Callable[..., Change],
    resource: str = "",
    *,
    graded: bool = True,
    harmless: bool = False,
    held_out: int | None = None,
    for_language_models: bool = False,
) -> Recipe:
    needs = f"a list of {LISTS[resource]}" if resource in LISTS else _NEEDS[resource]
    return Recipe(
        PerturbationFacts(name, group, harmless, description, needs, graded),
        made,
        resource,
        held_out,
        for_language_models,
    )


_NEEDS = {
    "": "none",
    SOURCE: "the source",
    SECOND_REFERENCE: "a second reference",
    WORDNET: "WordNet",
    TAGS: "part-of-speech tags (a parser)",
}


def _word_recipes() -> Iterator[Recipe]:
    """The changes of words, of all and of each class."""
    changes = (
        ("drop", "are removed", words.dropped),
        ("repeat", "are written twice", words.repeated),
        ("add", "of another segment are inserted", words.added),
        ("replace", "are replaced by those of another segment", words.replaced),
        ("shuffle", "change places with each other", words.shuffled),
    )
    for verb, description, made in changes:
        yield _recipe("words", f"{verb}-words", f"Words {description}.", made)
    for kind, selected in (("content", words.content_words), ("function", words.function_words)):
        for verb, description, made in changes:
            yield _recipe(
                "words",
                f"{verb}-{kind}-words",
                f"{kind.capitalize()} words {description}.",
                lambda listed, made=made, selected=selected: made(selected(frozenset(listed))),
                "function_words",
            )
    yield _recipe("words", "swap-neighbors", "Neighboring words change places.", words.swapped_neighbors)
    yield _recipe(
        "words",
        "mix-in-source",
        "Words are replaced by words of the source.",
        words.replaced_by_source,
        SOURCE,
    )
    for name, description, tagged in (
        ("nouns", "Nouns other than names", ("NOUN",)),
        ("verbs", "Verbs, auxiliaries included,", ("VERB", "AUX")),
        ("adjectives", "Adjectives", ("ADJ",)),
        ("adverbs", "Adverbs", ("ADV",)),
        ("pronouns", "Pronouns", ("PRON",)),
        ("conjunctions", "Coordinating conjunctions", ("CCONJ",)),
    ):
        yield _recipe(
            "words",
            f"drop-{name}",
            f"{description} are removed.",
            tags.dropped_parts_of_speech(*tagged),
            TAGS,
        )


_FACTS = (
    _recipe("facts", "change-numbers", "Numbers become others of the same format.", facts.numbers_changed),
    _recipe(
        "facts",
        "change-number-words",
        "Number words become others.",
        listed.other_of_group,
        "number_words",
    ),
    _recipe(
        "facts",
        "change-dates",
        "The day, month or year of a date in digits becomes another.",
        facts.dates_changed,
    ),
    _recipe(
        "facts",
        "change-date-words",
        "Months, weekdays and words such as yesterday become others.",
        listed.other_of_group,
        "date_words",
    ),
    _recipe(
        "facts",
        "change-units",
        "Symbols of units and currencies become others of the same dimension.",
        facts.units_changed,
    ),
    _recipe(
        "facts",
        "change-unit-words",
        "Names of units and currencies become others of the same dimension.",
        listed.other_of_group,
        "unit_words",
    ),
    _recipe("facts", "change-names", "Names become other names.", names.names_changed, "names"),
    _recipe("facts", "drop-names", "Names are removed.", names.names_dropped, "names"),
)

_MEANING = (
    _recipe(
        "meaning",
        "flip-negation",
        "Negation is removed where there is one, and added where there is none.",
        negation.negation_flipped,
        "negations",
    ),
    _recipe(
        "meaning",
        "change-gender",
        "Pronouns become those of the other gender.",
        listed.replaced_by_partner,
        "genders",
    ),
    _recipe(
        "meaning",
        "change-tense",
        "Auxiliary verbs change between present and past.",
        listed.replaced_by_partner,
        "tenses",
    ),
    _recipe("meaning", "antonyms", "Words are replaced by their antonyms.", word_senses.antonyms, WORDNET),
    _recipe(
        "meaning", "hypernyms", "Words are replaced by more general ones.", word_senses.hypernyms, WORDNET
    ),
)

_SEGMENTS = (
    _recipe("segments", "truncate", "The last words are cut off.", whole_segments.truncated),
    _recipe("segments", "cut-beginning", "The first words are cut off.", whole_segments.beginning_cut),
    _recipe(
        "segments",
        "repeat-ending",
        "The last three words are repeated again and again.",
        whole_segments.ending_repeated,
    ),
    _recipe(
        "segments",
        "copy-source",
        "The hypothesis is a copy of the source.",
        whole_segments.copied_source,
        SOURCE,
        graded=False,
    ),
    _recipe(
        "segments",
        "other-segment",
        "The hypothesis is that of another segment.",
        whole_segments.other_segment,
        graded=False,
    ),
    _recipe(
        "segments",
        "hallucinate",
        "A sentence that has nothing to do with the source is added at the end.",
        whole_segments.hallucinated,
        "hallucinations",
        graded=False,
    ),
    _recipe("segments", "empty", "The hypothesis is empty.", whole_segments.emptied, graded=False),
    _recipe(
        "segments",
        "prompt-injection",
        "An instruction to give the best score is added at the end. For metrics that ask language models; for others, "
        "only if it is selected by name.",
        whole_segments.injected,
        graded=False,
        for_language_models=True,
    ),
)

_SURFACE = (
    _recipe("surface", "lowercase", "All letters are lowercased.", letters.lowercased, graded=False),
    _recipe("surface", "uppercase", "All letters are capitals.", letters.uppercased, graded=False),
    _recipe(
        "surface",
        "first-letter",
        "The case of the first letter is reversed.",
        letters.first_letter_changed,
        graded=False,
    ),
    _recipe(
        "surface", "initials", "The case of the first letter of words is reversed.", letters.initials_changed
    ),
    _recipe(
        "surface", "swap-letters", "Two neighboring letters of a word change places.", letters.letters_swapped
    ),
    _recipe("surface", "drop-letters", "One letter of a word is missing.", letters.letters_dropped),
    _recipe("surface", "double-letters", "One letter of a word is written twice.", letters.letters_doubled),
    _recipe(
        "surface",
        "look-alikes",
        "Latin letters are replaced by Cyrillic letters of the same shape.",
        letters.look_alikes,
    ),
    _recipe(
        "surface",
        "full-width",
        "Latin letters and European digits are replaced by their full-width forms, and the reverse.",
        letters.full_width,
    ),
    _recipe("surface", "drop-punctuation", "Punctuation marks are removed.", punctuation.marks_dropped),
    _recipe(
        "surface",
        "drop-quotation-marks",
        "Quotation marks are removed.",
        lambda: punctuation.marks_dropped(punctuation.QUOTATION_MARKS),
    ),
    _recipe(
        "surface", "add-punctuation", "Punctuation marks are added between words.", punctuation.marks_added
    ),
    _recipe(
        "surface",
        "change-punctuation",
        "Punctuation marks are replaced by others.",
        punctuation.marks_changed,
    ),
    _recipe(
        "surface",
        "question",
        "The full stop at the end becomes a question mark, and the reverse.",
        punctuation.question_changed,
        graded=False,
    ),
    _recipe(
        "surface",
        "separate-punctuation",
        "Punctuation marks are separated by spaces, as by a tokenizer.",
        punctuation.marks_separated,
    ),
    _recipe(
        "surface",
        "escape-entities",
        "Straight quotation marks, apostrophes, &, < and > become HTML entities.",
        punctuation.marks_escaped,
    ),
    _recipe("surface", "drop-spaces", "Spaces between words are removed.", spacing.spaces_dropped),
    _recipe("surface", "add-spaces", "Spaces are inserted into words.", spacing.spaces_added),
)

_HARMLESS = (
    _recipe(
        "paraphrase",
        "paraphrase",
        "The hypothesis is the first reference; both are scored against the other references.",
        harmless.paraphrased,
        SECOND_REFERENCE,
        graded=False,
        harmless=True,
        held_out=harmless.PARAPHRASE,
    ),
    _recipe(
        "typography",
        "quotation-marks",
        "Straight quotation marks and apostrophes become typographic ones, or the reverse.",
        harmless.quotes_changed,
        graded=False,
        harmless=True,
    ),
    _recipe(
        "typography",
        "full-stop",
        "The full stop at the end is removed, or added if it is missing.",
        harmless.full_stop_changed,
        graded=False,
        harmless=True,
    ),
    _recipe(
        "paraphrase",
        "synonyms",
        "Words are replaced by synonyms.",
        word_senses.synonyms,
        WORDNET,
        harmless=True,
    ),
    _recipe(
        "paraphrase",
        "expand-contractions",
        "Contractions are written in full.",
        listed.contractions_expanded,
        "contractions",
        harmless=True,
    ),
    _recipe(
        "typography",
        "other-digits",
        "Digits are replaced by others in use in the language: full-width, Arabic or Devanagari.",
        harmless.digits_changed,
        "other_digits",
        harmless=True,
    ),
    _recipe(
        "typography", "double-spaces", "Spaces are written twice.", spacing.spaces_doubled, harmless=True
    ),
    _recipe(
        "typography",
        "no-break-spaces",
        "Spaces become no-break spaces.",
        spacing.spaces_nonbreaking,
        harmless=True,
    ),
    _recipe(
        "typography",
        "normal-form",
        "Unicode normalization form NFD in place of NFC, or the reverse.",
        harmless.normal_form_changed,
        graded=False,
        harmless=True,
    ),
)

RECIPES = (*_word_recipes(), *_FACTS, *_MEANING, *_SEGMENTS, *_SURFACE, *_HARMLESS)

"""Writes docs/perturbations.md, the list of perturbations, from their facts.

    python tools/perturbation_page.py

A test fails if the page and the code differ.
"""

from __future__ import annotations

from pathlib import Path

from reference_pages import table

from understudy.probing.perturbations.recipes import RECIPES, Recipe
from understudy.probing.perturbations.word_lists import LISTS, languages_with

PAGE = Path(__file__).resolve().parents[1] / "docs" / "perturbations.md"

_GROUPS = {
    "words": "Words",
    "facts": "Numbers, dates, units and names",
    "meaning": "Meaning",
    "segments": "Whole segments",
    "surface": "Case, spelling, punctuation and spacing",
}


def page() -> str:
    """The list of perturbations."""
    errors = {
        title: [recipe for recipe in RECIPES if recipe.facts.group == group and not recipe.facts.harmless]
        for group, title in _GROUPS.items()
    }
    sections = [
        "# Perturbations",
        "<!-- Written by tools/perturbation_page.py from the facts of the perturbations. Do not edit. -->",
        "Changes that `understudy probe` makes to hypotheses. Errors should lower a score; harmless changes should "
        "not. A perturbation changes what its description says and no other character. If it does not apply to a "
        "segment, the segment stays unchanged and is not counted.",
        "Graded perturbations have a strength from 0 to 1: the share of the eligible places, at least one, that are "
        "changed. With the same random seed, a greater strength changes all places of a smaller strength. Words are "
        "separated by spaces and punctuation. In scripts without word boundaries, such as Chinese and Japanese, every "
        "character is a word.",
        "Some perturbations need a resource: a word list for the target language (codes in parentheses), WordNet "
        "(English), part-of-speech tags, the source or a second reference. Without the resource they are left out, and "
        "the results give the reason. Without a target language, those that need a word list, WordNet or tags are left "
        "out.",
        "The tags are universal part-of-speech tags, assigned to the hypotheses by a parser: the one named by "
        "`--parser`, otherwise the best one installed for the target language (see `understudy parse --help`). Words "
        "that the parser splits into parts of different classes, such as *don't*, are not changed.",
        "## Errors",
    ]
    for title, recipes in errors.items():
        sections += [f"### {title}", recipe_table(recipes)]
    sections += ["## Harmless changes", recipe_table([recipe for recipe in RECIPES if recipe.facts.harmless])]
    return "\n\n".join(sections) + "\n"


def recipe_table(recipes: list[Recipe]) -> str:
    rows = [
        (
            f"`{recipe.facts.name}`",
            recipe.facts.description,
            "yes" if recipe.facts.graded else "no",
            needs(recipe),
        )
        for recipe in recipes
    ]
    return table(("name", "change", "graded", "needs"), rows)


def needs(recipe: Recipe) -> str:
    if recipe.resource in LISTS:
        return f"{recipe.facts.needs} ({', '.join(languages_with(recipe.resource))})"
    return recipe.facts.needs


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

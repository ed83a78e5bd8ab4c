"""The list of perturbations says what they do."""

from __future__ import annotations

import perturbation_page

from understudy.probing.perturbations.recipes import RECIPES


def test_the_page_is_what_the_perturbations_say() -> None:
    written = perturbation_page.PAGE.read_text(encoding="utf-8")
    assert written == perturbation_page.page(), "run: python tools/perturbation_page.py"


def test_every_perturbation_is_on_the_page_once() -> None:
    page = perturbation_page.page()
    assert all(page.count(f"| `{recipe.facts.name}` |") == 1 for recipe in RECIPES)

"""Perturbations applied to a text, by name."""

from __future__ import annotations

import functools

import numpy as np

from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.perturbation import Perturbation, Segment
from understudy.probing.perturbations.tags import with_tags
from understudy.syntax.tree_columns import parser_named

# One segment in each language, with another one, in as many kinds of characters as it has.
SEGMENTS = {
    "de": (
        "Am 3.5.2021 sagte Anna: „Es ist 5 km weit (über 10 %)“, oder nicht?",
        "Der Hund schläft im Garten.",
    ),
    "zh": ("他说：“中国在2021年有5个问题”，是吗？", "猫坐在垫子上。"),
    "ja": ("東京は2021年3月4日に「5km」走りました。", "猫がマットの上に座った。"),
    "ar": ("قال أحمد: «في 2021 كان هناك 5 أسئلة»، أليس كذلك؟", "القط ينام في الحديقة."),
    "hi": ("मैं 5 किलोमीटर दिल्ली गया, लेकिन वह नहीं आया।", "बिल्ली बगीचे में सो रही है।"),
    "en": ('He said: "It is 3.5% (or 4,000) in Paris," didn\'t he?', "The dog sleeps in the garden."),
}
SOURCES = {language: "Der Hut war rot." if language != "de" else "The hat was red." for language in SEGMENTS}


def named(name: str, language: str | None = "en") -> Perturbation:
    return available(language)[name]


@functools.cache
def available(language: str | None) -> dict[str, Perturbation]:
    return {perturbation.facts.name: perturbation for perturbation in catalog(language)[0]}


def perturbed(
    name: str,
    text: str,
    strength: float = 1,
    *,
    language: str | None = "en",
    other: str | None = None,
    source: str | None = None,
    references: tuple[str, ...] = (),
    seed: int = 1,
) -> str | None:
    """The text after a perturbation."""
    return applied(name, language, Segment(text, references, source, other), strength, seed)


def applied(name: str, language: str | None, segment: Segment, strength: float, seed: int = 5) -> str | None:
    """The same of a segment."""
    perturbation = named(name, language)
    if perturbation.uses_tags and language is not None:
        (segment,) = with_tags([segment], parser_named("auto", language), 1)
    return perturbation.apply(segment, strength, np.random.default_rng(seed))

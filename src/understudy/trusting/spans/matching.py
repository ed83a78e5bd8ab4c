"""Checks of the list of annotated translations and of the hypotheses against human error spans."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any

from understudy.corpus.error_spans import Annotation, Spans, Texts, read_annotated
from understudy.corpus.files import Path
from understudy.errors import BadInput, WrongType
from understudy.trusting.alignment import segment_range, some

Annotated = Path | Iterable[Annotation]
_Translations = Collection[tuple[str, int]]  # systems and segments


def with_annotated(people: Spans, annotated: Annotated) -> tuple[Spans, list[str]]:
    """The spans, with all annotated translations; and notes."""
    if isinstance(annotated, (str, os.PathLike)):
        title, listed = f"'{os.fspath(annotated)}'", read_annotated(annotated)
    else:
        title, listed = "the list of annotated translations", _annotations(annotated)
    named = [rater for *_, rater in listed if rater]
    if named and people.annotations and not people.raters:
        raise BadInput(
            f"{title} has raters, e.g. '{named[0]}', but '{people.name}' has none. Name the raters in both, or in "
            "neither."
        )
    in_list, known = {each[:2] for each in listed}, {each[:2] for each in people.annotations}
    if known and not known & in_list:
        raise BadInput(
            f"{title} and '{people.name}' have no translation in common: {title} has {_described(in_list)}, "
            f"'{people.name}' has {_described(known)}. Use the same system names and segment numbers."
        )
    notes = []
    if unlisted := len(known - in_list):
        notes.append(
            f"{unlisted:,} of {len(known):,} translations in '{people.name}' are not in {title}. They are included."
        )
    return people.with_annotations(listed), notes


def _annotations(annotated: Iterable[Annotation]) -> list[Annotation]:
    """System, segment and rater of each translation; the rater is empty if not named."""
    is_list = isinstance(annotated, Iterable) and getattr(annotated, "shape", None) != ()
    listed: list[Any] = list(annotated) if is_list else [annotated]
    for each in listed:
        is_triple = isinstance(each, tuple) and len(each) == 3
        if not is_triple or not isinstance(each[0], str) or not isinstance(each[1], int):
            raise WrongType(
                f"annotated: got {type(each).__name__}, expected a file, or a list of (system, segment, rater), "
                "such as ('online-a', 1, '')."
            )
    return listed


def check_outputs(people: Spans, texts: Texts) -> list[str]:
    """Every annotated segment must be in the output of its system. Notes the systems that were annotated, or whose
    outputs are given, but not both.
    """
    systems = list(dict.fromkeys(system for system, *_ in people.annotations))
    if not texts or not systems:
        return []
    if not any(system in texts for system in systems):
        raise BadInput(
            f"no hypothesis file belongs to an annotated system: files for {some(list(texts))}, annotations for "
            f"{some(systems)}. Use the same names, or NAME=FILE."
        )
    for system, segment, _ in people.annotations:
        if system in texts and segment > len(texts[system]):
            raise BadInput(
                f"segment {segment:,} of '{system}' is annotated, but its hypothesis file has {len(texts[system]):,} "
                "segments. Check that both are of the same test set."
            )
    notes = []
    if unread := [system for system in systems if system not in texts]:
        notes.append(f"No hypotheses of {some(unread)}: its spans are not checked, and no baseline is shown.")
    if unjudged := [system for system in texts if system not in systems]:
        notes.append(f"No annotated translation of {some(unjudged)}.")
    return notes


def _described(translations: _Translations) -> str:
    names = list(dict.fromkeys(system for system, _ in sorted(translations)))
    segments = sorted({segment for _, segment in translations})
    return f"{some(names)} ({segment_range(segments)})" if names else "none"

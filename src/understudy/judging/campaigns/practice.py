"""Practice: which items a judge gets, and the feedback on the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from understudy.judging.protocols.protocol import (
    RANKED,
    RATED,
    Expected,
    ExpectedSpan,
    PracticeItem,
    Protocol,
    Step,
)
from understudy.text.languages import language_of


def practice_for(protocol: Protocol, source_language: str | None, target_language: str | None) -> list[int]:
    """The practice items, by index, that judges of these languages can answer: those in the target language, with a
    source in the source language if it is shown. `protocol` is that of the judges' group.
    """
    if target_language is None:
        return []
    target = language_of(target_language).code
    shows_source = any("source" in step.shows for step in protocol.steps)
    source = None if source_language is None else language_of(source_language).code
    return [
        index
        for index, item in enumerate(protocol.practice)
        if item.target_language == target and (not shows_source or source in item.sources)
    ]


def feedback(step: Step, item: PracticeItem, payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the page says about the answer to a step of a practice item: for every output with an expected answer,
    whether it is right, and why. An answer that skips gets the explanations alone.
    """
    return [
        {
            "output": f"o{expected.output + 1}",
            "ok": None if payload.get("skipped") else _is_right(step, expected, payload),
            "text": expected.feedback,
        }
        for expected in item.expected
        if expected.step == step.name
    ]


def _is_right(step: Step, expected: Expected, payload: Mapping[str, Any]) -> bool:
    name = f"o{expected.output + 1}"
    if step.widget in RATED:
        value = payload.get("values", {}).get(name)
        low = -float("inf") if expected.at_least is None else expected.at_least
        high = float("inf") if expected.at_most is None else expected.at_most
        return value is not None and low <= value <= high
    if step.widget in RANKED:
        ranks = payload.get("ranks", {})
        others = [
            (f"o{other + 1}", other in expected.same_as)
            for other in (*expected.better_than, *expected.same_as)
        ]
        return name in ranks and all(
            other in ranks and (ranks[name] == ranks[other] if same else ranks[name] < ranks[other])
            for other, same in others
        )
    if "spans" not in payload:
        return False
    marked = payload["spans"].get(name, [])
    if not expected.spans:
        return not marked
    return all(_is_marked(span, marked) for span in expected.spans)


def _is_marked(expected: ExpectedSpan, marked: Sequence[Mapping[str, Any]]) -> bool:
    """By any span on the same side that overlaps it. An omission, or a text of the source, can be marked anywhere."""
    return any(
        span["side"] == expected.side
        and (expected.side != "target" or (span["start"] < expected.end and expected.start < span["end"]))
        and (not expected.severities or span.get("severity") in expected.severities)
        and (not expected.categories or _within(span.get("category") or "", expected.categories))
        for span in marked
    )


def _within(category: str, parents: Sequence[str]) -> bool:
    return any(category == parent or category.startswith(f"{parent}/") for parent in parents)

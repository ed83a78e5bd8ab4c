"""Decisions as text: chosen translations, or all candidates from best to worst."""

from __future__ import annotations

import json
from collections.abc import Iterator

from understudy.choices import DECISION_FORMATS
from understudy.corpus.nbest_writing import nbest_lines
from understudy.deciding.results import Decision, Summary
from understudy.errors import BadInput
from understudy.settings import check_choice
from understudy.wording import number_of


def decision_lines(decision: Decision, format: str) -> Iterator[str]:
    """The lines of a decision, or of a part of one. Tables have a header in the first part only."""
    check_choice("format", format, DECISION_FORMATS)
    if format == "text":
        for number, text in enumerate(decision.texts, start=decision.first_segment + 1):
            yield _on_one_line(text, "\n", number)
    elif format == "json":
        yield json.dumps(decision.to_dict(), ensure_ascii=False, indent=1)
    elif format == "tsv":
        if decision.first_segment == 0:
            yield "segment\tindex\tutility\ttext"
        for row in decision.to_dict()["segments"]:
            text = _on_one_line(row["text"], "\n\t", row["segment"])
            numbers = (row["segment"], row["index"], row["utility"])
            yield "\t".join([*("" if number is None else repr(number) for number in numbers), text])
    else:
        yield from nbest_lines(
            decision.ranked(), "moses" if format == "nbest" else "jsonl", decision.first_segment
        )


def _on_one_line(text: str, refused: str, segment: int) -> str:
    if any(character in text for character in refused):
        kind = "line break" if "\n" in text else "tab"
        raise BadInput(f"segment {segment}: the chosen translation contains a {kind}. Use --format jsonl.")
    return text


def summary_lines(summary: Summary, utility: str, method: str) -> Iterator[str]:
    """What the command says of a decision on standard error."""
    changed = f"{summary.changed:,} of {summary.segments:,}"
    mean = "" if summary.mean_utility is None else f"; mean utility {summary.mean_utility:.2f} ({utility})"
    yield (
        f"{method}: {number_of(summary.segments, 'segment')}, {number_of(summary.candidates, 'candidate')}; {changed} "
        f"choices differ from the first candidate{mean}"
    )
    if summary.empty:
        yield f"{number_of(summary.empty, 'segment')} without candidates: empty translations"
    if method not in ("rerank", "oracle", "qe") and summary.pairs:
        yield (
            f"{summary.scores_computed:,} utilities computed per metric; all pairs of texts: {summary.pairs:,} "
            f"({100 * summary.scores_computed / summary.pairs:.1f}%)"
        )
    for each in summary.totals:
        scores = each.scores
        values = ", ".join(f"{name} {score.value:.2f}" for name, score in scores.items())
        yield f"corpus {each.metric.label} against the references: {values} (oracle by segment scores)"

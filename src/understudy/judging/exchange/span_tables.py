"""Error annotations: tables of spans, and the MQM ratings that Google publishes, with marks in the text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from understudy.corpus.error_spans import NO_ERROR, SIDES, SOURCE, TARGET, read_judged_spans
from understudy.corpus.files import Path, shown
from understudy.corpus.score_tables import (
    JUDGE_NAMES,
    SYSTEM_NAMES,
    Table,
    numbered_lines,
    score_table_name,
)
from understudy.corpus.segment_label_files import SEGMENT_NAMES
from understudy.errors import BadInput
from understudy.judging.exchange.columns import rows_with
from understudy.judging.exchange.given import UNNAMED, Given, Marked, Rating
from understudy.judging.exchange.weights import Weights
from understudy.judging.judgments import Question

MQM = "MQM"  # the question whose answer is minus the sum of penalties
_MARKED_TEXT = {
    "system": SYSTEM_NAMES,
    "seg": (*SEGMENT_NAMES, "seg_id", "globalsegid"),
    "judge": JUDGE_NAMES,
    "source": ("source",),
    "target": ("target",),
    "category": ("category",),
    "severity": ("severity",),
    "document": ("doc", "document"),
}
_TESTS = ("hotw-test",)  # severities of items that tested the rater
_MARK = re.compile(r"</?v>")


def read_spans(path: Path, *, weights: Weights | None = None) -> Given:
    """A table as `understudy trust --human-spans` reads it, with any severity, and the penalty of each error in a
    column `score` unless weights are given.
    """
    spans, annotations = read_judged_spans(path)
    given = Given("error spans", has_spans=True)
    for system, segment, rater in annotations:
        given.annotated[rater or UNNAMED, system, segment] = None
    by_weight = weights or Weights()
    for span in spans:
        if span.side not in SIDES:
            raise BadInput(
                f"{shown(str(path))}, line {span.line}: side '{span.side}', expected {', '.join(SIDES)}."
            )
        penalty = None if span.score is None or weights is not None else abs(span.score)
        if penalty is None:
            penalty = _penalty(
                f"{shown(str(path))}, line {span.line}", by_weight, span.severity, span.category
            )
        given.spans.append(
            Marked(
                *(span.rater or UNNAMED, span.system, span.segment, span.start, span.end),
                *(span.side, span.category, span.severity.lower(), penalty),
            )
        )
    if not annotations:
        raise BadInput(f"{shown(str(path))} has no error and no translation without errors.")
    return given


def read_marked_text(table: Table, *, weights: Weights | None = None) -> Given:
    """One error per line, `<v>` and `</v>` around it in the source or in the target; `No-error` for a translation
    without any.
    """
    where = score_table_name(table)
    rows = rows_with(where, numbered_lines(table), _MARKED_TEXT, optional=("document",))
    given, by_weight = Given("MQM", has_spans=True), weights or Weights()
    tests: Counter[str] = Counter()
    for row in rows:
        severity, category = row.text("severity"), row.fields["category"].strip()
        if severity.lower() in _TESTS:
            tests[severity] += 1
            continue
        judge, system, segment = row.text("judge"), row.text("system"), row.whole("seg", "segment")
        given.annotated[judge, system, segment] = None
        (target, in_target), (source, in_source) = (_unmarked(row.fields[side]) for side in (TARGET, SOURCE))
        given.outputs[system, segment], given.sources[segment] = target, source
        if row.fields.get("document"):
            given.documents[segment] = row.fields["document"]
        if severity.lower() == NO_ERROR:
            continue
        side, (start, end) = (
            (SOURCE, in_source) if in_source and not in_target else (TARGET, in_target or (0, 0))
        )
        penalty = _penalty(f"{shown(where)}, line {row.number}", by_weight, severity, category)
        given.spans.append(
            Marked(judge, system, segment, start, end, side, category.lower(), severity.lower(), penalty)
        )
    if tests:
        given.notes.append(f"{where}: {sum(tests.values()):,} lines with test items were left out.")
    if not given.annotated:
        raise rows[0].problem("this line and all others are test items, expected annotated translations.")
    return given


def add_scores(given: Given) -> None:
    """Minus the sum of penalties as the score of every annotated translation."""
    penalties: dict[tuple[str, str, int], list[float]] = {each: [] for each in given.annotated}
    for span in given.spans:
        penalties[span.judge, span.system, span.segment].append(span.penalty)
    given.ratings[MQM] = [Rating(*each, mqm_score(of_errors)) for each, of_errors in penalties.items()]
    given.questions[MQM] = Question(MQM, None, 0.0)


def mqm_score(penalties: Iterable[float]) -> float:
    """Minus their sum: 0.1 ten times is 1.

    >>> mqm_score([0.1] * 10)
    -1.0
    """
    return 0.0 - math.fsum(penalties)


def _unmarked(text: str) -> tuple[str, tuple[int, int] | None]:
    """The text without marks, and the start and end of what they mark. Published files have marks that are never
    closed: these go to the end of the text.

    >>> _unmarked("a <v>bad</v> word"), _unmarked("no end <v>?")
    (('a bad word', (2, 5)), ('no end ?', (7, 8)))
    """
    plain = _MARK.sub("", text)
    if plain == text:
        return plain, None
    before, _, marked = text.partition("<v>") if "<v>" in text else ("", "", text)
    start = len(_MARK.sub("", before))
    return plain, (start, start + len(_MARK.sub("", marked.partition("</v>")[0])))


def _penalty(where: str, weights: Weights, severity: str, category: str) -> float:
    found = weights.penalty(severity, category)
    if found is None:
        raise BadInput(f"{where}: severity '{severity}'. {weights.unknown(severity)}")
    return found

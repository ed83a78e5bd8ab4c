"""The CSV files of Appraise, which have no header: direct assessments and error span annotation (ESA).

    user, system, item, type, source language, target language, score
        [, document, whether it is a whole document [, error spans as JSON]] [, start, end [, batch, id]]

The type is TGT (a translation), CHK (a repeat), BAD (a degraded translation) or REF (a reference among them). Items of
documents are numbered within a judge's batch: here by their order within the document.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from understudy.corpus.error_spans import OMISSION, TARGET
from understudy.corpus.files import shown
from understudy.corpus.numbers import as_number
from understudy.corpus.score_tables import Table, numbered_lines, one_score, score_table_name
from understudy.errors import BadInput
from understudy.judging.exchange.columns import one_language_pair
from understudy.judging.exchange.given import Control, Given, Marked, Rating
from understudy.judging.exchange.span_tables import MQM, mqm_score
from understudy.judging.exchange.weights import Weights
from understudy.judging.judgments import Question

TRANSLATION, REPEAT, DEGRADED, REFERENCE = _TYPES = ("TGT", "CHK", "BAD", "REF")
_SCORE = "score"  # the question
_TUTORIAL = "tutorial"  # in the names of systems whose items are for practice
_MISSING = "missing"  # the offset of an omission
_LONGEST_PAUSE = 600.0  # seconds: who takes longer did something else


def is_appraise(fields: Sequence[str]) -> bool:
    """Whether the first line of a file is one of Appraise's."""
    return len(fields) >= 7 and _type(fields[3]) in _TYPES and fields[2].strip().isdecimal()


@dataclass
class _Item:
    number: int  # of the line
    judge: str
    system: str
    item: int
    type: str
    pair: str
    score: float
    document: str
    spans: list[Mapping[str, Any]] | None
    seconds: float
    times: tuple[str, ...]
    segment: int = 0
    systems: tuple[str, ...] = ()  # that share this answer


def read_appraise(table: Table, *, weights: Weights | None = None, language_pair: str | None = None) -> Given:
    """Of several systems with the same text, the answer is credited to each. A repeat is a repeat only if the judge
    judged the same item before.
    """
    where = score_table_name(table)
    items = [_item(where, number, fields) for number, fields in numbered_lines(table) if any(fields)]
    wanted = one_language_pair(where, Counter(item.pair for item in items), language_pair)
    items = [item for item in items if item.pair == wanted]
    practised = [item for item in items if _TUTORIAL in item.system.lower()]
    items = [item for item in items if _TUTORIAL not in item.system.lower()]
    judged = [item for item in items if item.type in (TRANSLATION, REPEAT)]
    if not judged:
        raise BadInput(f"{shown(where)} has no translation among its items, expected some of type TGT.")
    _number_segments(items)
    _join_answers(items)
    with_spans = any(item.spans is not None for item in judged)
    # In MQM campaigns nobody is asked for a score.
    counted = with_spans and not any(item.score for item in judged)
    question = Question(MQM, None, 0.0) if counted else Question(_SCORE, 0.0, 100.0)
    given = Given(MQM if counted else "ESA" if with_spans else "direct assessment", has_spans=with_spans)
    given.questions[question.name] = question
    known: set[tuple[str, str, int]] = set()
    for item in judged:
        key = (item.judge, item.system, item.segment)
        item.type = REPEAT if key in known and item.type == REPEAT else TRANSLATION
        known.add(key)
        if item.document:
            given.documents[item.segment] = item.document
    for item in items if with_spans else ():
        marked = [
            _span(f"{shown(where)}, line {item.number}", each, weights or Weights())
            for each in item.spans or ()
        ]
        if counted:
            item.score = mqm_score(span[-1] for span in marked)
        key = (item.judge, item.system, item.segment)
        if item.type == TRANSLATION and key not in given.annotated:
            given.annotated[key] = None
            given.spans += [Marked(*key, *span) for span in marked]
    given.ratings[question.name] = [_rating(item) for item in judged]
    given.controls = list(_controls(items, question.name))
    if practised:
        given.notes.append(f"{where}: {len(practised):,} items of tutorials were left out.")
    _note(where, given, items)
    return given


# --- lines ---------------------------------------------------------------------------------------------------


def _item(where: str, number: int, fields: Sequence[str]) -> _Item:
    if len(fields) < 7:
        raise BadInput(f"{shown(where)}, line {number}: {len(fields)} columns, expected at least 7.")
    kind = _type(fields[3])
    if kind not in _TYPES:
        raise BadInput(f"{shown(where)}, line {number}: type '{fields[3]}', expected {', '.join(_TYPES)}.")
    if not (fields[0].strip() and fields[1].strip()):
        raise BadInput(f"{shown(where)}, line {number}: no user or no system.")
    if not (fields[2].strip().isascii() and fields[2].strip().isdecimal() and len(fields[2]) < 19):
        raise BadInput(
            f"{shown(where)}, line {number}: item '{fields[2]}', expected an integer of at least 0."
        )
    score = one_score(where, number, fields[6])
    if math.isnan(score):
        raise BadInput(f"{shown(where)}, line {number}: no score.")
    rest = list(fields[7:])
    document, spans = "", None
    if len(rest) > 1 and rest[1].strip() in ("True", "False"):
        document = rest[0].strip()
        del rest[:2]
        if rest and rest[0].strip()[:1] in ("[", "N"):  # a list, or None
            spans = _spans(where, number, rest.pop(0))
    times = tuple(rest[:2])
    return _Item(
        number=number,
        judge=fields[0].strip(),
        system=fields[1].strip(),
        item=int(fields[2]),
        type=kind,
        pair=f"{fields[4].strip()}-{fields[5].strip()}",
        score=score,
        document=document,
        spans=spans,
        seconds=_seconds(times),
        times=times,
    )


def _type(text: str) -> str:
    """Some campaigns say how a translation was degraded, as in BAD.omission."""
    return text.strip().upper().partition(".")[0]


def _seconds(times: Sequence[str]) -> float:
    try:
        start, end = map(as_number, times)
    except ValueError:
        return float("nan")
    return end - start if 0 < end - start <= _LONGEST_PAUSE else float("nan")


def _spans(where: str, number: int, text: str) -> list[Mapping[str, Any]]:
    if text.strip() == "None":
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{shown(where)}, line {number}: error spans are not JSON ({error}).") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadInput(f"{shown(where)}, line {number}: error spans are not a list of JSON objects.")
    return found


# --- items ---------------------------------------------------------------------------------------------------


def _number_segments(items: Sequence[_Item]) -> None:
    """Without documents, items are numbered as segments."""
    if not any(item.document for item in items):
        # Some campaigns count from 0.
        first = min(item.item for item in items)
        for item in items:
            item.segment = item.item + (1 if first == 0 else 0)
        return
    numbers: dict[tuple[str, int], int] = {}
    kept = sorted(items, key=lambda item: (item.judge, item.system, item.document, item.type, item.item))
    of_document: dict[tuple[str, int], list[_Item]] = {}
    for (_, system, document, _), group in groupby(
        kept, key=lambda item: (item.judge, item.system, item.document, item.type)
    ):
        name = _without_system(document, system)
        for place, item in enumerate(group):
            item.document = name
            of_document.setdefault((name, place), []).append(item)
    for key in sorted(of_document):
        number = numbers.setdefault(key, len(numbers) + 1)
        for item in of_document[key]:
            item.segment = number


def _without_system(document: str, system: str) -> str:
    """Campaigns with one system per document name it behind the document: article#system, article#system#bad3.

    >>> _without_system("news.1#ONLINE-B#bad3", "wmt23.ONLINE-B"), _without_system("news.1", "A")
    ('news.1', 'news.1')
    """
    name, mark, rest = document.partition("#")
    return name if mark and system.endswith(rest.partition("#")[0]) else document


def _join_answers(items: Iterable[_Item]) -> None:
    """Identical outputs were shown once: Appraise repeats the line for each system."""
    same: dict[Any, list[_Item]] = {}
    for item in items:
        if item.times:
            same.setdefault((item.judge, item.item, item.type, item.score, item.times), []).append(item)
    for group in same.values():
        if len(systems := tuple(sorted({item.system for item in group}))) > 1:
            for item in group:
                item.systems = systems


def _rating(item: _Item) -> Rating:
    return Rating(
        *(item.judge, item.system, item.segment, item.score, item.type == REPEAT, item.seconds),
        item.systems,
    )


def _span(where: str, span: Mapping[str, Any], weights: Weights) -> tuple[Any, ...]:
    severity = str(span.get("severity") or "")
    kind = span.get("error_type")
    category = "/".join(map(str, kind)) if isinstance(kind, list) else str(kind or "")
    penalty = weights.penalty(severity, category)
    if penalty is None:
        raise BadInput(f"{where}: severity '{severity}'. {weights.unknown(severity)}")
    start, end = span.get("start_i"), span.get("end_i")
    if start == _MISSING:
        return 0, 0, OMISSION, category.lower(), severity.lower(), penalty
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise BadInput(f"{where}: span from {start!r} to {end!r}, expected character offsets.")
    # Appraise's ends are inclusive.
    return start, end + 1, TARGET, category.lower(), severity.lower(), penalty


def _controls(items: Sequence[_Item], question: str) -> Iterable[Control]:
    originals = {
        (item.judge, item.system, item.segment): item.score for item in items if item.type == TRANSLATION
    }
    for item in items:
        original = originals.get((item.judge, item.system, item.segment))
        if item.type == DEGRADED and original is not None:
            yield Control(item.judge, item.segment, question, original, item.score)


def _note(where: str, given: Given, items: Sequence[_Item]) -> None:
    degraded = sum(item.type == DEGRADED for item in items)
    if alone := degraded - len(given.controls):
        given.notes.append(
            f"{where}: {alone:,} degraded items were left out, because the judge gave no score for the original."
        )
    if references := sum(item.type == REFERENCE for item in items):
        given.notes.append(f"{where}: {references:,} items of type REF were left out.")
    if given.documents:
        given.notes.append(
            f"{where}: segments are numbered by document and order within it. Appraise has no line numbers."
        )

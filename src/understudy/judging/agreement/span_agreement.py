"""Agreement of judges on error spans: matched F1 of characters, with partial credit.

Each judge is compared with each other judge of the same translation, by the F1 of the error-span tasks of WMT:
characters that both marked with the same severity count whole, those marked with different severities half. It is the
mean over pairs of judges of a translation, and then of all translations together (micro). Marks in the source and
omissions have no characters in the translation and are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.choices import CONFIDENCE, SEED, SEVERITY_CREDIT
from understudy.corpus.error_spans import MAJOR, NO_ERROR, NOT_COUNTED, TARGET
from understudy.corpus.error_spans import Spans as ErrorSpans
from understudy.judging.agreement.bootstrap import SAMPLES, bootstrapped
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import Places, Spans, combined
from understudy.trusting.spans.counts import KINDS, MEASURES
from understudy.trusting.spans.results import AVERAGES
from understudy.trusting.spans.run import between_raters
from understudy.trusting.spans.samples import SpanSampling

NO_OVERLAP = "no translation was annotated by two judges"
NO_SPANS = "no span was marked in a translation that two judges annotated"


@dataclass(frozen=True)
class MatchedSpans:
    """How far judges mark the same characters."""

    f1: Estimate  # with partial credit for another severity
    f1_without_severity: Estimate
    translations: int  # that several judges annotated
    left_out: dict[str, int]  # why, and how many spans


def matched_spans(
    spans: Spans,
    judges: Sequence[str],
    systems: Sequence[str],
    *,
    credit: float = SEVERITY_CREDIT,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> MatchedSpans:
    """With bootstrap intervals over segments. Hidden repeats are left out. Severities other than minor, major and
    critical are minor if no severity has a smaller penalty, else major.
    """
    people = _error_spans(spans, judges, systems)
    judges_of = Counter((system, segment) for system, segment, _ in people.annotations)
    shared = sum(count > 1 for count in judges_of.values())
    compared = [judges_of[each[:2]] > 1 for each in people.annotations]
    if not any(compared[number] for number in people.annotation.tolist()):
        absent = Estimate.absent(NO_SPANS if shared else NO_OVERLAP)
        return MatchedSpans(absent, absent, shared, people.left_out)
    rows, segment_of = between_raters(people, credit)
    by_segment = np.stack([np.bincount(segment_of, column) for column in rows.T], axis=1)
    averages = SpanSampling(samples, seed, confidence, credit).averages
    place = AVERAGES.index("micro"), MEASURES.index("f1")

    def f1(kind: str) -> Estimate:
        return bootstrapped(
            lambda weights: averages(weights @ by_segment)[:, place[0], list(KINDS).index(kind), place[1]],
            len(by_segment),
            NO_SPANS,
            bounds=(0.0, 1.0),
            samples=samples,
            seed=seed,
            confidence=confidence,
        )

    return MatchedSpans(f1("all"), f1("place"), shared, people.left_out)


def _error_spans(spans: Spans, judges: Sequence[str], systems: Sequence[str]) -> ErrorSpans:
    """Spans in translations, once per answer, as `between_raters` takes them."""
    kept = _once(spans)
    known = spans.annotated
    # Two judges of one text may be credited to different systems that have it: it is named after one of them.
    _, first, which = np.unique(known.unit, return_index=True, return_inverse=True)
    namesake = known.system[first][which][kept]
    annotations = tuple(
        (systems[system], segment + 1, judges[judge])
        for system, segment, judge in zip(
            namesake.tolist(), known.segment[kept].tolist(), known.judge[kept].tolist(), strict=True
        )
    )
    number = {
        key: place
        for place, key in enumerate(
            zip(known.answer[kept].tolist(), known.system[kept].tolist(), strict=True)
        )
    }
    annotation = np.array(
        [number.get(key, -1) for key in zip(spans.answer.tolist(), spans.system.tolist(), strict=True)],
        dtype=np.int64,
    )
    major = _major(spans)
    in_text = np.array([side == TARGET for side in spans.side], dtype=bool) & (spans.end > spans.start)
    counted = np.array([name not in (*NOT_COUNTED, NO_ERROR) for name in spans.severity], dtype=bool)
    mine = annotation >= 0
    left_out = {
        "not in the translation": int((mine & ~in_text).sum()),
        "neither minor nor major": int((mine & in_text & ~counted).sum()),
    }
    chosen = np.flatnonzero(mine & in_text & counted)
    order = chosen[np.argsort(annotation[chosen], kind="stable")]
    return ErrorSpans(
        "judgments",
        annotations,
        annotation[order],
        spans.start[order],
        spans.end[order],
        major[order],
        {why: count for why, count in left_out.items() if count},
        names_error_free=True,
    )


def _once(spans: Spans) -> Places:
    """The annotations that are no repeats: one per answer, and one per judge and text."""
    known = spans.annotated
    rows = np.flatnonzero(~known.repeat)
    _, first = np.unique(known.answer[rows], return_index=True)
    rows = rows[np.sort(first)]
    _, first = np.unique(combined(known.judge[rows], known.unit[rows]), return_index=True)
    return rows[np.sort(first)]


def _major(spans: Spans) -> np.ndarray:
    penalties: dict[str, float] = {}
    for name, penalty in zip(spans.severity, np.abs(spans.penalty).tolist(), strict=True):
        penalties[name] = min(penalty, penalties.get(name, penalty))
    ranked = {name: penalty for name, penalty in penalties.items() if name not in (*NOT_COUNTED, NO_ERROR)}
    smallest = min(ranked.values(), default=0.0)
    is_major = {name: MAJOR.get(name.lower(), penalty > smallest) for name, penalty in penalties.items()}
    return np.array([is_major[name] for name in spans.severity], dtype=bool)

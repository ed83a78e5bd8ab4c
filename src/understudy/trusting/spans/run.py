"""Span-level agreement: are predicted error spans where people found errors?

Precision, recall and F1 are of characters, with partial credit for the right place and the wrong severity, as in the
error-span tasks of WMT: of all translations together (micro, the tasks' number), and as means over translations
(macro). A translation that several raters annotated is compared with each of them, and counts once.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, one_blas_thread
from understudy.choices import CONFIDENCE, SEED, SEVERITY_CREDIT, SIGNIFICANCE
from understudy.corpus.error_spans import Spans, Texts, read_human_spans, read_predicted_spans, read_texts
from understudy.corpus.files import Path
from understudy.errors import BadInput, BadParameter
from understudy.resampling.intervals import check_confidence
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.matching import some
from understudy.trusting.spans.counts import counts, scores
from understudy.trusting.spans.matching import Annotated, check_outputs, with_annotated
from understudy.trusting.spans.results import EVERYTHING, ONE_RATER, SpanAgreement
from understudy.trusting.spans.samples import SpanSampling, compared_pairs

# Files, which may be named, or spans by name.
Predicted = Path | Mapping[str, Path | Spans] | Iterable[Path | tuple[str, Path | Spans]]

NO_SPANS = -1  # the number of an annotation that is not there


@one_blas_thread()
def span_agreement(
    human: Path | Spans,
    predicted: Predicted = (),
    *,
    annotated: Annotated | None = None,
    systems: Any = (),
    credit: float = SEVERITY_CREDIT,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    significance: float = SIGNIFICANCE,
) -> SpanAgreement:
    """How far predicted error spans agree with those of people, by files or by name.

    `annotated` names the translations that people looked at, for files that only have those with errors. `systems`
    are the translations, a corpus or what one can be made of: spans must lie within them, and marking them from end to
    end is a baseline. `credit` is what a character counts that has the wrong severity. Without predictions, raters are
    compared with each other.

    >>> found = span_agreement("examples/spans.tsv", "examples/spans-predicted.tsv")
    >>> [(each.name, round(each.of("f1").value, 3)) for each in found.predictors]
    [('cautious', 0.458), ('eager', 0.566)]
    """
    if not 0 <= credit <= 1:
        raise BadParameter(f"credit={credit}: expected a number from 0 to 1.")
    if samples < 1:
        raise BadParameter(f"samples={samples}: expected at least 1.")
    check_confidence(confidence)
    texts = read_texts(systems)
    people = human if isinstance(human, Spans) else read_human_spans(human, texts)
    notes: list[str] = []
    if annotated is not None:
        people, notes = with_annotated(people, annotated)
    notes += check_outputs(people, texts)
    predictions = _predictions(predicted, texts)
    places = _Places.of(people)
    if not predictions and not places.shared.any():
        raise BadInput(
            f"'{people.name}' has no translation annotated by two raters, and there are no predicted spans. Add "
            "--spans."
        )
    drawn = SpanSampling(samples, seed, confidence, credit)
    compared = predictions | _everything(places, texts)
    rows = {name: _beside_people(people, spans, places, credit) for name, spans in compared.items()}
    found = {
        name: drawn.scores(name, _spans_in(compared[name], places), of_name, places.segment_of)
        for name, of_name in rows.items()
    }
    one_rater, alike = None, []
    if places.shared.any():
        among = places.only_shared()
        one_rater = drawn.scores(ONE_RATER, 0, _beside_each_other(people, places, credit), among.segment_of)
        if len(among.translations) < len(places.translations):
            alike = [
                drawn.scores(name, _spans_in(compared[name], among), of_name[places.shared], among.segment_of)
                for name, of_name in rows.items()
            ]
    return SpanAgreement(
        people,
        tuple(dict.fromkeys(system for system, _ in places.translations)),
        len(places.segments),
        len(places.translations),
        credit,
        samples,
        seed,
        confidence,
        significance,
        tuple(found[name] for name in predictions),
        compared_pairs({name: rows[name] for name in predictions}, places.segment_of, drawn, significance),
        found.get(EVERYTHING),
        one_rater,
        tuple(alike),
        notes + _notes(people, predictions, places, annotated=annotated is not None),
    )


def _predictions(predicted: Predicted, texts: Texts) -> dict[str, Spans]:
    if isinstance(predicted, (str, os.PathLike)):
        predicted = [predicted]
    named = predicted.items() if isinstance(predicted, Mapping) else predicted
    found: dict[str, Spans] = {}
    for each in named:
        name, given = each if isinstance(each, tuple) else ("", each)
        spans = {given.name: given} if isinstance(given, Spans) else read_predicted_spans(given, texts)
        for own, of_own in spans.items():
            called = own if not name else name if len(spans) == 1 else f"{name} {own}"
            if called in found:
                raise BadParameter(f"two predictions are named '{called}'. Rename one with NAME=FILE.")
            found[called] = of_own
    return found


def _everything(places: _Places, texts: Texts) -> dict[str, Spans]:
    """A span over every annotated translation, if their texts are known."""
    if not all(system in texts for system, _ in places.translations):
        return {}
    count = len(places.translations)
    lengths = np.array([len(texts[system][segment - 1]) for system, segment in places.translations])
    annotations = tuple((system, segment, "") for system, segment in places.translations)
    start, minor = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
    spans = Spans(EVERYTHING, annotations, np.arange(count), start, lengths, minor, {}, names_error_free=True)
    return {EVERYTHING: spans}


# --- what is compared with what -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Places:
    """The translations that people annotated, and which annotations are of which."""

    translations: dict[tuple[str, int], int]  # system and segment: the number of the translation
    segments: NDArray[np.int64]  # their numbers, in order
    segment_of: NDArray[np.intp]  # of each translation: the place of its segment
    of_annotation: NDArray[np.int64]  # of each annotation: the number of its translation
    shared: NDArray[np.bool_]  # whether two raters annotated it [translations]

    @classmethod
    def of(cls, people: Spans) -> _Places:
        translations: dict[tuple[str, int], int] = {}
        of_annotation = np.array(
            [
                translations.setdefault((system, segment), len(translations))
                for system, segment, _ in people.annotations
            ],
            dtype=np.int64,
        )
        if not translations:
            raise BadInput(f"'{people.name}' has no annotated translation.")
        segments, segment_of = np.unique([segment for _, segment in translations], return_inverse=True)
        shared = np.bincount(of_annotation, minlength=len(translations)) > 1
        return cls(translations, segments, segment_of, of_annotation, shared)

    def only_shared(self) -> _Places:
        kept = [each for each, number in self.translations.items() if self.shared[number]]
        segments, segment_of = np.unique([segment for _, segment in kept], return_inverse=True)
        return _Places(
            {each: number for number, each in enumerate(kept)},
            segments,
            segment_of,
            np.empty(0, dtype=np.int64),
            np.ones(len(kept), dtype=bool),
        )


def _beside_people(people: Spans, predicted: Spans, places: _Places, credit: float) -> Floats:
    """Of every translation, what is added up: against each rater, and then the mean over raters."""
    number = {each[:2]: place for place, each in enumerate(predicted.annotations)}
    if number and not any(each in number for each in places.translations):
        raise BadInput(
            f"'{predicted.name}' has no annotated translation. Annotated systems: "
            f"{some(list(dict.fromkeys(system for system, _ in places.translations)))}; '{predicted.name}' has "
            f"{some(list(dict.fromkeys(system for system, *_ in predicted.annotations))) or 'none'}. Use the same "
            "names."
        )
    of_translation = np.array([number.get(each, NO_SPANS) for each in places.translations], dtype=np.int64)
    humans = np.arange(len(people.annotations))
    found = counts(people, predicted, humans, of_translation[places.of_annotation])
    return _by_translation(found, places.of_annotation, len(places.translations), credit)


def between_raters(people: Spans, credit: float) -> tuple[Floats, NDArray[np.intp]]:
    """Of every translation that several raters annotated, what `SpanSampling.averages` adds up, and the place of its
    segment among those of these translations.
    """
    places = _Places.of(people)
    return _beside_each_other(people, places, credit), places.only_shared().segment_of


def _beside_each_other(people: Spans, places: _Places, credit: float) -> Floats:
    """Of every translation that several raters annotated: each of them in the place of a predictor, beside each of the
    others.
    """
    by_translation: dict[int, list[int]] = {}
    for annotation, translation in enumerate(places.of_annotation.tolist()):
        if places.shared[translation]:
            by_translation.setdefault(translation, []).append(annotation)
    found = np.array(
        [
            (place, *pair)
            for place, number in enumerate(sorted(by_translation))
            for pair in itertools.permutations(by_translation[number], 2)
        ],
        dtype=np.int64,
    )
    both = counts(people, people, found[:, 1], found[:, 2])
    return _by_translation(both, found[:, 0], len(by_translation), credit)


def _by_translation(
    of_pairs: NDArray[np.int64], translation: NDArray[np.int64], translations: int, credit: float
) -> Floats:
    """[translations, COLUMNS, KINDS x MEASURES and 1]: counts for micro averages, scores for macro averages, and how
    many translations it is.
    """
    own = np.nan_to_num(scores(of_pairs.astype(np.float64), credit)).reshape(len(of_pairs), -1)
    rows = np.hstack([of_pairs, own])
    numbers = np.bincount(translation, minlength=translations)
    means = [np.bincount(translation, column, translations) / numbers for column in rows.T]
    return np.stack([*means, np.ones(translations)], axis=1)


# --- notes -------------------------------------------------------------------------------------------------


def _spans_in(spans: Spans, places: _Places) -> int:
    """How many are in these translations."""
    inside = np.array([each[:2] in places.translations for each in spans.annotations], dtype=bool)
    return int(inside[spans.annotation].sum()) if len(spans.annotation) else 0


def _notes(people: Spans, predictions: Mapping[str, Spans], places: _Places, *, annotated: bool) -> list[str]:
    notes = []
    if not people.names_error_free and not annotated:
        notes.append(
            f"'{people.name}' lists only translations with errors, so precision is too high. List all annotated "
            "translations with --annotated."
        )
    systems = list(dict.fromkeys(system for system, _ in places.translations))
    for name, spans in {people.name: people, **predictions}.items():
        if spans.left_out:
            parts = [f"{number:,} {why}" for why, number in spans.left_out.items()]
            notes.append(f"Excluded spans of '{name}': {', '.join(parts)}.")
        if spans is people:
            continue
        if outside := len(spans.annotation) - _spans_in(spans, places):
            notes.append(
                f"{outside:,} spans of '{name}' are in translations without human annotation; excluded."
            )
        known = {system for system, *_ in spans.annotations}
        if lacking := [system for system in systems if system not in known]:
            notes.append(f"'{name}' has no spans for {some(lacking)}: counted as no errors.")
    return notes

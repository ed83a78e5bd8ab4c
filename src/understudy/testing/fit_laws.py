"""Laws of fitted metrics and of documents."""

from __future__ import annotations

import copy
import pickle

from understudy.corpus.columns import as_references
from understudy.errors import BadInput
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.testing.expectations import expect, expect_same, expect_same_rows
from understudy.testing.texts import DOCUMENTS, PROSE, REFERENCES, SYSTEM, given

_PARTS = [slice(0, 1), slice(1, 4), slice(4, 6)]


def a_fit_changes_what_a_metric_knows(metric: Metric) -> None:
    """A fitted metric equals the one it is made of, with the same spec and signature; one that needs none is itself."""
    fitted = metric.fit(_whole_set(metric))
    expect_same("metric", fitted, metric)
    expect_same("hash", hash(fitted), hash(metric))
    expect_same("repr", repr(fitted), repr(metric))
    expect_same("spec", fitted.spec, metric.spec)
    expect_same("signature", fitted.signature(), metric.signature())
    expect_same("is fitted", bool(fitted.fitted_on), metric.needs_fit)
    expect_same("was fitted before", metric.fitted_on, "")
    expect_same("is the metric itself", fitted is metric, not metric.needs_fit)


def a_metric_fits_itself(metric: Metric) -> None:
    """A metric without a fit is fitted on the references given."""
    fitted = metric.fit(_whole_set(metric))
    statistics = metric.statistics(**given(metric, SYSTEM, REFERENCES))
    expect_same_rows("statistics", statistics, fitted.statistics(**given(metric, SYSTEM, REFERENCES)), PROSE)
    expect_same("references it was fitted on", statistics.fitted_on, fitted.fitted_on)
    expect_same(
        "score",
        metric.corpus(**given(metric, SYSTEM, REFERENCES)),
        fitted.corpus(**given(metric, SYSTEM, REFERENCES)),
    )
    texts = given(metric, SYSTEM, REFERENCES)
    expect_same("mean", metric.mean(**texts), fitted.mean(**texts))


def a_fit_does_not_depend_on_parts_or_order(metric: Metric) -> None:
    """The same references give the same fit, in parts, in another order, and after pickling."""
    known = _whole_set(metric)
    fitted = metric.fit(known)
    expected = fitted.statistics(**given(metric, SYSTEM, REFERENCES))
    for how, same in {
        "in parts": metric.fit_parts([as_references(known[4:]), as_references(known[:4])]),
        "in another order": metric.fit([group[::-1] for group in known[::-1]]),
        "pickled": pickle.loads(pickle.dumps(fitted)),
        "copied": copy.deepcopy(fitted),
    }.items():
        expect_same(f"references it was fitted on, {how}", same.fitted_on, fitted.fitted_on)
        expect_same_rows(
            f"statistics, fitted {how}", same.statistics(**given(metric, SYSTEM, REFERENCES)), expected, PROSE
        )


def documents_count_alike(metric: Metric) -> None:
    """Documents count the same however their segments are split or mixed, and only if reads_documents is set."""
    known = _whole_set(metric)
    fitted = metric.fit(known, documents=DOCUMENTS)
    expected = fitted.statistics(**given(metric, SYSTEM, REFERENCES), documents=DOCUMENTS)
    expect_same_rows(
        "statistics",
        metric.statistics(**given(metric, SYSTEM, REFERENCES), documents=DOCUMENTS),
        expected,
        PROSE,
    )
    expect_same(
        "documents in the signature", expected.of_input.get("docs") == "given", metric.reads_documents
    )
    if not metric.reads_documents:
        expect_same_rows(
            "without documents", metric.statistics(**given(metric, SYSTEM, REFERENCES)), expected, PROSE
        )
    in_parts = metric.fit_parts(
        as_references(known[part], documents=DOCUMENTS[part]) for part in _PARTS[::-1]
    )
    pickled = pickle.loads(pickle.dumps(fitted))
    for how, same in {
        "in parts": in_parts,
        "pickled": pickled,
        "in another order": metric.fit(known[::-1], documents=DOCUMENTS[::-1]),
        "by other names": metric.fit(known, documents=[f"{name}, renamed" for name in DOCUMENTS]),
    }.items():
        expect_same(f"references it was fitted on, {how}", same.fitted_on, fitted.fitted_on)
    for how, same in {"in parts": in_parts, "pickled": pickled}.items():
        counted = [
            same.statistics(**given(metric, SYSTEM[part], REFERENCES[part]), documents=DOCUMENTS[part])
            for part in _PARTS
        ]
        expect_same_rows(f"statistics, fitted {how}", Statistics.concatenate(counted), expected, PROSE)
        for threads in (1, 3):
            counted_by = same.statistics(
                **given(metric, SYSTEM, REFERENCES), documents=DOCUMENTS, threads=threads
            )
            expect_same_rows(f"statistics, fitted {how}, threads={threads}", counted_by, expected, PROSE)


def a_document_of_one_segment_is_that_segment(metric: Metric) -> None:
    """Segments that are documents of their own count as without documents."""
    named = metric.statistics(
        **given(metric, SYSTEM, REFERENCES), documents=[f"{i}" for i in range(len(SYSTEM))]
    )
    expect_same_rows("statistics", named, metric.statistics(**given(metric, SYSTEM, REFERENCES)), PROSE)


def statistics_of_different_fits_do_not_add_up(metric: Metric) -> None:
    """Statistics of metrics that were fitted on different references are refused; all others add up."""
    whole, part = (
        metric.statistics(**given(metric, SYSTEM, REFERENCES)),
        metric.statistics(**given(metric, SYSTEM[:2], REFERENCES[:2])),
    )
    for add in (Statistics.__add__, lambda one, other: Statistics.concatenate([one, other])):
        try:
            added = add(whole, part)
        except BadInput as error:
            expect(metric.needs_fit and "fit(references)" in str(error), f"refused: {error}")
        else:
            expect(not metric.needs_fit, "statistics of different fits were added")
            expect_same("segments", added.segments, len(SYSTEM) + 2)


def _whole_set(metric: Metric) -> list[list[str]]:
    """The texts to fit the metric on."""
    return REFERENCES if metric.reads_references else [[text] for text in SYSTEM]

"""Laws of signatures: metrics that may score differently have different signatures, to the last digit."""

from __future__ import annotations

from understudy.corpus.columns import as_hypotheses, as_references
from understudy.errors import UnderstudyError
from understudy.metrics.base.metric import Metric
from understudy.testing.expectations import expect
from understudy.testing.texts import DOCUMENTS, REFERENCES, SYSTEM, given
from understudy.testing.variations import settings_of, variations


def one_signature_one_score(metric: Metric) -> None:
    """Values of a parameter that have the same signature give the same scores, and numbers that are next to each other
    have different signatures.
    """
    for parameter in metric.parameters().values():
        first: dict[tuple[str, str], Metric] = {}
        same: list[tuple[Metric, Metric]] = []
        for other in variations(metric, parameter):
            if signed := signatures(other):
                same += [(first[signed], other)] if signed in first else []
                first.setdefault(signed, other)
        for one, other in same:
            values = [getattr(either, parameter.name) for either in (one, other)]
            found = f"{parameter.name}={values[0]!r} and {values[1]!r}: the same signature, {one.signature()}"
            is_number = all(isinstance(value, (float, tuple)) for value in values)
            expect(not (is_number and len(first) > 1), found)
            expect(_scores(one) == _scores(other), f"{found}, and different scores")


def different_metrics_have_different_specs(metric: Metric) -> None:
    """A spec stands for one metric."""
    for parameter in metric.parameters().values():
        meant: dict[str, Metric] = {}
        for one in variations(metric, parameter):
            other = meant.setdefault(one.spec, one)
            expect(one == other, f"{one!r} and {other!r}: the same spec, {one.spec}")


def every_parameter_is_in_a_signature(metric: Metric) -> None:
    """Every parameter, except those in `told_by_input`, is part of the signature: there are settings in which a
    different value gives a different signature.
    """
    for name, parameter in metric.parameters().items():
        some_name = (
            str in parameter.types and not parameter.choices
        )  # it is not known which make a difference
        if some_name or name in metric.told_by_input:
            continue
        tried = 0
        for setting in settings_of(type(metric)):
            signed = [signatures(other) for other in variations(setting, parameter)]
            found = {signature for signature in signed if signature is not None}
            tried = max(tried, sum(signature is not None for signature in signed))
            if len(found) > 1:
                break
        else:
            expect(tried < 2, f"{name} is in no signature, such as {metric.signature()}")


def signatures(metric: Metric) -> tuple[str, str] | None:
    """Those of a corpus score and of a mean, with what text in documents adds; None if the metric refuses the text."""
    hypotheses = as_hypotheses(SYSTEM)
    references = as_references(REFERENCES, len(SYSTEM), DOCUMENTS)
    try:
        of_input = metric.of_input(hypotheses, references)
        corpus, mean = (metric.signature(aggregate=how, of_input=of_input) for how in ("corpus", "mean"))
    except UnderstudyError:
        return None
    return str(corpus), str(mean)


def _scores(metric: Metric) -> tuple[float, bytes] | None:
    """None if it cannot count, such as for want of data."""
    try:
        statistics = metric.statistics(**given(metric, SYSTEM, REFERENCES), documents=DOCUMENTS)
        return metric.corpus_score(statistics).value, metric.segment_scores(statistics).tobytes()
    except UnderstudyError:
        return None

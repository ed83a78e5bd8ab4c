"""Laws of scores: they are in range, a copy of a reference scores best, and their details are complete."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np

from understudy.errors import BadMetric
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.other_packages import checked_type
from understudy.testing.expectations import Unexpected, expect, expect_close, expect_same, in_words
from understudy.testing.table_laws import enough, ready
from understudy.testing.texts import FIRST, PROSE, REFERENCES, SYSTEM, Corpus, given, split


def scores_have_the_shape_of_the_counts(metric: Metric) -> None:
    """`score` returns an array of float64 with a score for each row of counts: of segments, of a sum, of samples."""
    statistics = ready(metric, PROSE).statistics(**given(metric, SYSTEM, REFERENCES))
    for counts in (statistics.array, statistics.sum().array, np.stack([statistics.array] * 2)):
        scores = metric.score(replace(statistics, array=counts))
        try:
            checked_type(scores, metric.spec, counts.shape[:-1])
        except BadMetric as error:
            raise Unexpected(str(error)) from None


def scores_are_finite(metric: Metric) -> None:
    """Scores are finite numbers. NaN, which is unequal to itself, would break most other laws as well."""
    for what, value in _scores(ready(metric, PROSE), PROSE):
        expect(math.isfinite(value), f"{what}: got {value}, expected a finite number")


def scores_lie_in_their_range(metric: Metric, corpus: Corpus) -> None:
    """Scores are finite; below 0 only if below_zero is set; at most 100 if a percentage of which more is better."""
    if not enough(metric, corpus):
        return
    for what, value in _scores(ready(metric, corpus), corpus):
        expect(math.isfinite(value), f"{what}: got {value}, expected a finite number")
        expect(metric.below_zero or value >= -1e-9, f"{what}: got {value}, expected none below 0")  # rounding
        if metric.percent and metric.higher_is_better:
            expect(value <= 100 * (1 + 1e-12), f"{what}: got {value}, expected at most 100")


def _scores(metric: Metric, corpus: Corpus) -> list[tuple[str, float]]:
    """The scores of all segments and of the corpus, with how errors name them."""
    statistics = metric.statistics(**given(metric, *split(corpus)))
    of_segments = zip(corpus, metric.for_segments().score(statistics), strict=True)
    return [
        *(
            (f"score of segment {number} ({in_words(*segment)})", float(value))
            for number, (segment, value) in enumerate(of_segments, start=1)
        ),
        ("corpus score", float(metric.score(statistics.sum()))),
    ]


def a_copy_of_a_reference_is_best(metric: Metric) -> None:
    """An exact copy of the reference scores better than other texts, and the best possible if full_marks is set; what
    the metric is blind to (blind_to, sees_no) makes no difference.
    """
    if not metric.reads_references:
        return
    metric = ready(metric, PROSE)
    copied = metric.corpus(**given(metric, FIRST, REFERENCES)).value
    generator = random.Random(1)
    shuffled = [" ".join(generator.sample(line.split(), len(line.split()))) for line in FIRST]
    others = {  # and what it takes to tell them from the copy
        "nothing": ("length", [""] * len(FIRST), REFERENCES),
        "one word": ("length", [line.split()[0] for line in FIRST], REFERENCES),
        "half": ("length", [" ".join(line.split()[:4]) for line in FIRST], REFERENCES),
        "everything twice": ("repetition", [f"{line} {line}" for line in FIRST], REFERENCES),
        "a system": ("words", SYSTEM, REFERENCES),
        "the second reference, against the first": ("words", [group[1] for group in REFERENCES], FIRST),
        "other segments": ("words", FIRST[1:] + FIRST[:1], REFERENCES),
        "nonsense": ("words", ["Lorem ipsum dolor sit amet consectetur adipiscing."] * 6, REFERENCES),
        "shuffled words": ("order", shuffled, REFERENCES),
    }
    for name, (needed, hypotheses, references) in others.items():
        value = metric.corpus(**given(metric, hypotheses, references)).value
        if needed not in metric.sees_no:
            worse = metric.worth(value) < metric.worth(copied)
            text = f"{hypotheses[0]!r}, and so on"
            expect(
                worse, f"{name} ({text}): got {value}, expected a score worse than {copied}, that of a copy"
            )
        elif needed == "order":
            expect_same(f"score of {name}, for a metric that is blind to order", value, copied)
    if metric.percent and metric.full_marks:
        best = {True: 100.0, False: 0.0, None: metric.target}[metric.higher_is_better]
        references = FIRST if metric.pools_references else REFERENCES
        expect_close("score of a copy", metric.corpus(**given(metric, FIRST, references)).value, best)
        expect_close(
            "segment scores of a copy",
            metric.segments(**given(metric, FIRST, references)),
            [best] * len(FIRST),
        )


def corrupting_words_does_not_improve(metric: Metric) -> None:
    """Words are replaced, one after the other, by others that no reference has: the score never gets better."""
    if not metric.reads_references:
        return
    metric = ready(metric, PROSE)
    values = []
    for corrupted in range(9):
        hypotheses = [
            " ".join(f"qqq{i}" if i < corrupted else word for i, word in enumerate(line.split()))
            for line in FIRST
        ]
        values.append(metric.corpus(**given(metric, hypotheses, REFERENCES)).value)
    for words, (before, after) in enumerate(pairwise(values), start=1):
        better = metric.worth(after) > metric.worth(before) + 1e-9
        found = f"score of {FIRST[0]!r}, and so on, with {words} words replaced: got {after}"
        expect(not better, f"{found}, expected none better than {before}, with one fewer")
    worse = metric.worth(values[-1]) < metric.worth(values[0])
    expect(worse, f"score with 8 words replaced: got {values[-1]}, expected one worse than {values[0]}")


def a_score_carries_its_explanation(metric: Metric) -> None:
    """A score names its metric, its number of segments and its signature."""
    metric = ready(metric, PROSE)
    score = metric.corpus(**given(metric, SYSTEM, REFERENCES))
    references = (2, 2) if metric.reads_references else (0, 0)
    expect_same("spec", score.spec, metric.spec)
    expect_same("title", score.metric, metric.label)
    expect_same("aggregate", score.aggregate, "corpus")
    expect_same("segments", score.segments, len(SYSTEM))
    expect_same("references", score.references, references)
    expect_same("number", float(score), score.value)
    expect_same("fraction", score.fraction, score.value / 100 if metric.percent else None)
    of_input = metric.statistics(**given(metric, SYSTEM, REFERENCES)).of_input
    expect_same("signature", score.signature, metric.signature((2, 2), of_input=of_input))
    signature = str(score.signature)
    expect(signature.startswith(f"nrefs:{references[0]}|"), f"signature without references: {signature}")
    expect(f"|agg:{score.aggregate}|" in signature, f"signature without aggregate: {signature}")
    expect(str(score).startswith(f"{metric.label} = {score.value:.2f}"), f"score as text: {score}")
    expect("\n" not in str(score), f"score as text of several lines: {score}")

"""Laws that hold for every metric of the registry, in its default form and in each of its presets.

A new metric is under these laws as soon as it is registered: nothing here knows any metric by name. What differs
between metrics is asked of them (`worth`, `higher_is_better`, `target`, `sees_no`, `percent`, `below_zero`,
`best_reference`, `pools_references`, `reads_references`, `needs_fit`, `missing`, `full_marks`).
"""

from __future__ import annotations

import dataclasses
import math
import random
from itertools import pairwise, repeat

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from material.every_metric import (
    FIRST,
    REFERENCES,
    SYSTEM,
    corpora,
    enough,
    every_metric,
    every_metric_with_references,
    expected_references,
    few_examples,
    random_corpus,
    ready,
    split,
)
from understudy import Metric, Statistics

# --- a metric is a table of sums --------------------------------------------------------------------------


@every_metric
@few_examples
@given(left=corpora, right=corpora)
def test_additive(law_of, left, right):
    """The statistics of two corpora are those of both in one; the score of their sum is the corpus score."""
    both = split(left + right)
    law_of = ready(law_of, *both)
    parts = [law_of.statistics(*split(left)), law_of.statistics(*split(right))]
    whole = law_of.statistics(*both)
    assert np.array_equal(Statistics.concatenate(parts).array, whole.array)
    added = parts[0] + parts[1]
    np.testing.assert_allclose(added.array, whole.sum().array, rtol=1e-12)
    assert float(law_of.score(added)) == pytest.approx(law_of.corpus(*both).value, rel=1e-12, abs=1e-12)
    assert (added.segments, added.references) == (whole.segments, whole.references)


@every_metric
@few_examples
@given(corpus=corpora, data=st.data())
def test_order_of_segments_does_not_matter(law_of, corpus, data):
    assume(enough(law_of, corpus))
    law_of = ready(law_of, *split(corpus))
    order = data.draw(st.permutations(range(len(corpus))))
    straight = law_of.statistics(*split(corpus))
    turned = law_of.statistics(*split([corpus[i] for i in order]))
    assert np.array_equal(straight.array[order], turned.array)
    assert law_of.corpus_score(straight).value == pytest.approx(
        law_of.corpus_score(turned).value, rel=1e-12, abs=1e-12
    )


@every_metric
@few_examples
@given(corpus=corpora, data=st.data())
def test_order_of_references_does_not_matter(law_of, corpus, data):
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    turned = [data.draw(st.permutations(group)) for group in references]
    if law_of.pools_references:
        return  # among equally long matches it is a place in all references together that decides
    assert law_of.segments(hypotheses, turned) == pytest.approx(
        law_of.segments(hypotheses, references), rel=1e-12
    )
    if law_of.best_reference and any(map(has_equals, repeat(law_of), hypotheses, references)):
        return  # whichever of the equally good references comes first is the one that counts
    assert law_of.corpus(hypotheses, turned).value == pytest.approx(
        law_of.corpus(hypotheses, references).value, rel=1e-12, abs=1e-12
    )


def has_equals(law_of: Metric, hypothesis: str, references: list[str]) -> bool:
    """Whether different references are equally good for a segment."""
    different = sorted(set(references))
    return len(set(law_of.segments([hypothesis] * len(different), different).tolist())) < len(different)


@every_metric
@few_examples
@given(corpus=corpora)
def test_a_batch_is_its_segments(law_of, corpus):
    """The score of a segment does not depend on the segments beside it."""
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    alone = [law_of.segments([h], [r])[0] for h, r in corpus]
    assert law_of.segments(hypotheses, references).tolist() == alone


@every_metric
def test_threads_do_not_matter(law_of):
    hypotheses, references = random_corpus(500)
    law_of = ready(law_of, hypotheses, references)
    alone = law_of.statistics(hypotheses, references, threads=1)
    for threads in (2, 3, 7, None):
        together = law_of.statistics(hypotheses, references, threads=threads)
        assert together.array.tobytes() == alone.array.tobytes()


@every_metric
@pytest.mark.parametrize("size", [1, 7, 64, 65, 199])
def test_chunks_do_not_matter(law_of, size):
    hypotheses, references = random_corpus(200)
    law_of = ready(law_of, hypotheses, references)
    whole = law_of.statistics(hypotheses, references)
    chunks = [
        law_of.statistics(hypotheses[start : start + size], references[start : start + size])
        for start in range(0, len(hypotheses), size)
    ]
    assert np.array_equal(Statistics.concatenate(chunks).array, whole.array)
    total = chunks[0]
    for chunk in chunks[1:]:
        total = total + chunk
    assert law_of.corpus_score(total).value == pytest.approx(law_of.corpus_score(whole).value, rel=1e-12)


@every_metric
def test_slices_add_up(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    odd = np.arange(len(statistics)) % 2 == 1
    for one, other in (
        (statistics[:2], statistics[2:]),
        (statistics[odd], statistics[~odd]),
        (statistics[np.array([5, 0])], statistics[np.array([1, 2, 3, 4])]),
    ):
        assert one.segments + other.segments == len(one) + len(other) == len(statistics)
        np.testing.assert_allclose((one + other).array, statistics.sum().array, rtol=1e-12)


@every_metric
def test_statistics_are_columns_with_names(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    assert statistics.columns == law_of.columns
    assert len(set(law_of.columns)) == len(law_of.columns)
    assert statistics.array.shape == (len(SYSTEM), len(law_of.columns))
    assert statistics.array.dtype in (np.int64, np.float64)
    for index, name in enumerate(law_of.columns):
        assert np.array_equal(statistics[name], statistics.array[:, index])


@every_metric
def test_statistics_survive_a_file(law_of, tmp_path):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    statistics = law_of.statistics(SYSTEM, REFERENCES)
    for kept in (statistics, statistics.sum()):
        kept.save(tmp_path / "kept.npz")
        loaded = Statistics.load(tmp_path / "kept.npz")
        assert loaded.array.dtype == kept.array.dtype
        assert loaded.array.tobytes() == kept.array.tobytes()
        assert dataclasses.replace(loaded, array=kept.array).__dict__ == kept.__dict__
        assert law_of.corpus_score(loaded) == law_of.corpus_score(kept)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.npz"]


@every_metric
def test_mean_is_the_mean_of_segments(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    scores = law_of.segments(SYSTEM, REFERENCES)
    mean = law_of.mean(SYSTEM, REFERENCES)
    assert mean.value == math.fsum(scores) / len(scores)
    assert (mean.aggregate, mean.segments, mean.references) == (
        "mean",
        len(SYSTEM),
        expected_references(law_of),
    )


# --- what a score says ------------------------------------------------------------------------------------


@every_metric
@few_examples
@given(corpus=corpora)
def test_scores_are_numbers_in_their_range(law_of, corpus):
    assume(enough(law_of, corpus))
    hypotheses, references = split(corpus)
    law_of = ready(law_of, hypotheses, references)
    values = [*law_of.segments(hypotheses, references), law_of.corpus(hypotheses, references).value]
    assert all(math.isfinite(value) for value in values)
    assert law_of.below_zero or min(values) >= -1e-9  # rounding
    if law_of.percent and law_of.higher_is_better:
        assert max(values) <= 100 * (1 + 1e-12)


@every_metric_with_references
def test_a_copy_of_a_reference_is_best(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    copied = law_of.worth(law_of.corpus(FIRST, REFERENCES).value)
    generator = random.Random(1)
    others = {  # and what it takes to tell them from the copy
        "nothing": ("length", [""] * len(FIRST)),
        "one word": ("length", [line.split()[0] for line in FIRST]),
        "half": ("length", [" ".join(line.split()[:4]) for line in FIRST]),
        "twice": ("repetition", [f"{line} {line}" for line in FIRST]),
        "a system": ("words", SYSTEM),
        "the other reference against the first": ("words", None),
        "other sentences": ("words", FIRST[1:] + FIRST[:1]),
        "nonsense": ("words", ["Lorem ipsum dolor sit amet consectetur adipiscing."] * len(FIRST)),
        "shuffled": (
            "order",
            [" ".join(generator.sample(line.split(), len(line.split()))) for line in FIRST],
        ),
    }
    for name, (needed, hypotheses) in others.items():
        if hypotheses is None:
            value = law_of.corpus([group[1] for group in REFERENCES], FIRST).value
        else:
            value = law_of.corpus(hypotheses, REFERENCES).value
        if needed not in law_of.sees_no:
            assert law_of.worth(value) < copied, name
        elif needed == "order":
            assert law_of.worth(value) == copied, name
    if law_of.percent and law_of.full_marks:
        best = {True: 100, False: 0, None: law_of.target}[law_of.higher_is_better]
        references = FIRST if law_of.pools_references else REFERENCES
        assert law_of.corpus(FIRST, references).value == pytest.approx(best, rel=1e-12, abs=1e-12)
        assert law_of.segments(FIRST, references) == pytest.approx(best, rel=1e-12, abs=1e-12)


@every_metric_with_references
def test_corrupting_words_does_not_improve(law_of):
    """One word after the other is replaced by what no reference has: at no step may the score get better."""
    law_of = ready(law_of, SYSTEM, REFERENCES)
    values = []
    for corrupted in range(9):
        hypotheses = [
            " ".join(f"qqq{i}" if i < corrupted else word for i, word in enumerate(line.split()))
            for line in FIRST
        ]
        values.append(law_of.worth(law_of.corpus(hypotheses, REFERENCES).value))
    for before, after in pairwise(values):
        assert after <= before + 1e-9
    assert values[-1] < values[0]


@every_metric
def test_a_score_carries_its_explanation(law_of):
    law_of = ready(law_of, SYSTEM, REFERENCES)
    score = law_of.corpus(SYSTEM, REFERENCES)
    assert (score.spec, score.metric, score.aggregate) == (law_of.spec, law_of.label, "corpus")
    assert (score.segments, score.references) == (len(SYSTEM), expected_references(law_of))
    assert float(score) == score.value
    assert score.fraction == (score.value / 100 if law_of.percent else None)
    of_input = law_of.statistics(SYSTEM, REFERENCES).of_input
    assert score.signature == law_of.signature((2, 2), of_input=of_input)
    assert str(score.signature).startswith(f"nrefs:{expected_references(law_of)[0]}|")
    assert f"|agg:{score.aggregate}|" in str(score.signature)
    assert str(score).startswith(f"{law_of.label} = {score.value:.2f}")
    assert "\n" not in str(score)

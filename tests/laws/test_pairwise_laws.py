"""Laws of `pairwise` and `expected_utility`, of every metric that reads references."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.every_metric import DEFAULTS, every_metric_with_references, texts
from understudy import Metric
from understudy.errors import BadParameter
from understudy.testing.texts import FIRST, REFERENCES, SYSTEM

SECOND = [group[1] for group in REFERENCES]
CANDIDATES = [*SYSTEM, "", SYSTEM[0], "the the the bridge ."]

some_texts = st.lists(texts.map(" ".join), min_size=1, max_size=6)
sets_of_texts = st.lists(st.tuples(some_texts, some_texts), min_size=1, max_size=3)


def ready(law_of: Metric, references: list[str]) -> Metric:
    return law_of.fit(references) if law_of.needs_fit else law_of


def pair_by_pair(law_of: Metric, candidates: list[str], references: list[str]) -> Any:
    """The segment scores of all pairs, as `segments` has them."""
    hypotheses = [candidate for candidate in candidates for _ in references]
    return law_of.segments(hypotheses, references * len(candidates)).reshape(len(candidates), -1)


@every_metric_with_references
def test_pairs_score_as_segments_do(law_of: Metric) -> None:
    law_of = ready(law_of, FIRST)
    expected = pair_by_pair(law_of, CANDIDATES, FIRST)
    assert np.array_equal(law_of.pairwise(CANDIDATES, FIRST), expected)
    for utility, row in zip(law_of.expected_utility(CANDIDATES, FIRST), expected, strict=True):
        assert utility == math.fsum(row) / len(row)


@every_metric_with_references
@settings(max_examples=8, deadline=None)
@given(sets=sets_of_texts)
def test_pairs_of_any_text_score_as_segments_do(law_of: Metric, sets: Any) -> None:
    law_of = ready(law_of, [text for both in sets for texts_of_one in both for text in texts_of_one] + FIRST)
    candidates, references = map(list, zip(*sets, strict=True))
    for found, one, other in zip(
        law_of.pairwise(candidates, references), candidates, references, strict=True
    ):
        assert np.array_equal(found, pair_by_pair(law_of, one, other))
    for found, one in zip(law_of.pairwise(candidates), candidates, strict=True):
        assert np.array_equal(found, pair_by_pair(law_of, one, one))


@every_metric_with_references
def test_candidates_are_their_own_references(law_of: Metric) -> None:
    law_of = ready(law_of, CANDIDATES)
    assert np.array_equal(law_of.pairwise(CANDIDATES), law_of.pairwise(CANDIDATES, CANDIDATES))
    assert np.array_equal(
        law_of.expected_utility(CANDIDATES), law_of.expected_utility(CANDIDATES, CANDIDATES)
    )


@every_metric_with_references
def test_a_copy_of_the_reference_is_best(law_of: Metric) -> None:
    law_of = ready(law_of, FIRST)
    worths = law_of.worth(law_of.pairwise(FIRST))
    assert (worths <= np.diagonal(worths) + 1e-9).all()
    if law_of.percent and law_of.full_marks:
        best = {True: 100.0, False: 0.0, None: law_of.target}[law_of.higher_is_better]
        assert np.diagonal(law_of.pairwise(FIRST)) == pytest.approx([best] * len(FIRST), abs=1e-9)


@every_metric_with_references
def test_the_order_of_texts_makes_no_difference(law_of: Metric) -> None:
    law_of = ready(law_of, FIRST + SECOND)
    rows, columns = np.random.default_rng(3).permutation(len(CANDIDATES)), [4, 0, 5, 2, 1, 3]
    shuffled = [CANDIDATES[row] for row in rows], [FIRST[column] for column in columns]
    assert np.array_equal(law_of.pairwise(*shuffled), law_of.pairwise(CANDIDATES, FIRST)[rows][:, columns])
    expected = law_of.expected_utility(CANDIDATES, FIRST)[rows]
    assert np.array_equal(law_of.expected_utility(*shuffled), expected)  # to the last digit


@every_metric_with_references
def test_threads_and_lists_of_lists_make_no_difference(law_of: Metric) -> None:
    law_of = ready(law_of, FIRST + SECOND + SYSTEM)
    candidates, references = [CANDIDATES, SECOND[:1], FIRST[:4]], [FIRST, SECOND, SYSTEM[:2]]
    alone = [law_of.pairwise(one, other) for one, other in zip(candidates, references, strict=True)]
    for threads in (1, 3):
        found = law_of.pairwise(candidates, references, threads=threads)
        assert all(map(np.array_equal, found, alone))
    means = law_of.expected_utility(candidates, references, threads=2)
    for one, other, mean in zip(candidates, references, means, strict=True):
        assert np.array_equal(law_of.expected_utility(one, other), mean)


@every_metric_with_references
def test_weights_are_relative(law_of: Metric) -> None:
    law_of = ready(law_of, FIRST)
    scores = law_of.pairwise(CANDIDATES, FIRST)
    weights = [3, 0, 1, 0.5, 2, 1.5]
    found = law_of.expected_utility(CANDIDATES, FIRST, weights=weights)
    assert found == pytest.approx(scores @ weights / 8, rel=1e-12)
    plain = law_of.expected_utility(CANDIDATES, FIRST)
    assert np.array_equal(law_of.expected_utility(CANDIDATES, FIRST, weights=[0.1] * 6), plain)
    alone = law_of.expected_utility(CANDIDATES, FIRST, weights=[0, 0, 0, 2, 0, 0])
    assert np.array_equal(alone, scores[:, 3])


@every_metric_with_references
def test_one_reference_is_its_own_aggregate(law_of: Metric) -> None:
    if not law_of.aggregates:
        with pytest.raises(BadParameter, match=r"cannot aggregate references\. Metrics that can: bleu, chrf"):
            law_of.expected_utility(CANDIDATES, FIRST, aggregated=True)
        return
    one = FIRST[:1]
    expected = law_of.pairwise(CANDIDATES, one)[:, 0]
    for references in (one, one * 3):
        assert np.array_equal(law_of.expected_utility(CANDIDATES, references, aggregated=True), expected)
    found = law_of.expected_utility(CANDIDATES, FIRST, weights=[0.1, 0, 0, 0, 0, 0], aggregated=True)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("law_of", [known for known in DEFAULTS if not known.reads_references], ids=str)
def test_a_metric_without_references_is_refused(law_of: Metric) -> None:
    for refused in (law_of.pairwise, law_of.expected_utility):
        with pytest.raises(BadParameter, match=f"^{law_of.spec} reads no references"):
            refused(CANDIDATES)

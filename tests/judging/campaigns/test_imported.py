"""Campaigns of imported judgments."""

from __future__ import annotations

import numpy as np
import pytest

import understudy
from material.optional import needs_packages
from understudy import Campaign, read_judged
from understudy.errors import BadParameter

pytestmark = needs_packages("sqlalchemy")


@pytest.fixture
def spans(place):
    """A campaign with ratings, spans and texts."""
    given = read_judged("examples/spans.tsv")
    with Campaign.import_judgments(place(), given) as campaign:
        yield campaign, given


def test_judgments_come_back(spans):
    campaign, given = spans
    found = campaign.judgments()
    assert (found.systems, found.judges, found.segments) == (given.systems, given.judges, given.segments)
    np.testing.assert_array_equal(found.ratings["MQM"].value, given.ratings["MQM"].value)
    np.testing.assert_array_equal(found.ratings["MQM"].seconds, given.ratings["MQM"].seconds)
    assert (found.spans.severity, found.spans.start.tolist()) == (
        given.spans.severity,
        given.spans.start.tolist(),
    )
    assert found.spans.annotated.answer.tolist() == given.spans.annotated.answer.tolist()


def test_results_are_those_of_the_files(spans):
    campaign, given = spans
    one, other = (understudy.judge(each, samples=20) for each in (campaign, given))
    assert one.questions[0].means == other.questions[0].means


def test_rankings_come_back(place):
    table = {
        "judge": ["x", "x", "y", "y"],
        "seg": [1, 1, 1, 1],
        "system": ["A", "B"] * 2,
        "rank": [1, 2, 2, 1],
    }
    given = read_judged(table)
    with Campaign.import_judgments(place(), given) as campaign:
        found = campaign.judgments()
    assert found.rankings.rank.tolist() == given.rankings.rank.tolist()


def test_the_status_counts_judgments(spans):
    campaign, given = spans
    assert campaign.status().done == len(given.ratings["MQM"])


@pytest.mark.parametrize(
    "use",
    [
        lambda campaign: campaign.design,
        lambda campaign: campaign.links(),
        lambda campaign: campaign.add_judges(2),
        lambda campaign: campaign.check(),
        lambda campaign: campaign.serve(port=0),
    ],
)
def test_nobody_can_judge_in_it(spans, use):
    with pytest.raises(BadParameter, match="has imported judgments, and no tasks to be judged"):
        use(spans[0])


def test_a_copy_has_the_judgments(spans, tmp_path):
    campaign, given = spans
    campaign.backup(tmp_path / "copy.campaign")
    found = understudy.judge(str(tmp_path / "copy.campaign"), samples=2)
    assert found.systems == given.systems

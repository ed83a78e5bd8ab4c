"""Results and exports of every protocol, from answers made up for a campaign on the example data."""

from __future__ import annotations

import numpy as np
import pytest

import understudy
from material.optional import needs_packages
from understudy import export_judgments
from understudy.corpus.error_spans import read_human_spans
from understudy.judging.campaigns.collected import Answer, judgments_from
from understudy.judging.protocols.protocol import RANKED, RATED
from understudy.judging.protocols.reading import PROTOCOLS

pytestmark = needs_packages("sqlalchemy")

SYSTEMS = [f"examples/system-{name}.en" for name in ("weak", "medium", "strong")]


def payload(step, outputs, rng):
    """An answer that a judge could give."""
    names = [f"o{place}" for place in range(1, len(outputs) + 1)]
    if step.widget in RATED:
        return {"values": {name: int(rng.integers(step.scale.low, step.scale.high + 1)) for name in names}}
    if step.widget in RANKED:
        return {"ranks": {name: int(rng.integers(1, len(names) + 1)) for name in names}}
    marked = {}
    for name, text in zip(names, outputs, strict=True):
        severity = step.severities[int(rng.integers(len(step.severities)))].name
        category = next(iter(step.leaf_categories()), None)
        span = {
            "start": 0,
            "end": min(4, len(text)),
            "side": "target",
            "category": category,
            "severity": severity,
        }
        marked[name] = [{**span, "origin": "judge"}] if rng.random() < 0.7 else []
    return {"spans": marked, "final": True}


@pytest.fixture(scope="module", params=PROTOCOLS)
def judgments(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("campaign") / "c.campaign"
    rng = np.random.default_rng(5)
    with understudy.Campaign.create(
        place,
        SYSTEMS,
        ["examples/reference-1.en"],
        sources="examples/source.de",
        protocol=request.param,
        judges=4,
    ) as campaign:
        design = campaign.design
    judges = {id: (each.name, each.group) for id, each in enumerate(design.plan.judges, 1)}
    texts = [output.text for output in design.outputs]
    answers = [
        Answer(id, task, step.name, payload(step, [texts[o] for o in design.by_id[task].outputs], rng), 3.0)
        for id, (name, _) in judges.items()
        for task in design.assignments[name] or list(design.by_id)[:40]
        for step in design.protocol.steps
    ]
    return judgments_from("c", design, judges, answers)


def test_there_are_results(judgments):
    found = understudy.judge(judgments, samples=20)
    assert found.rankings is not None or found.questions
    assert (found.spans is not None) == (judgments.spans is not None)


@pytest.mark.parametrize("format", ["latex", "markdown"])
def test_results_can_be_shown(judgments, format):
    found = understudy.judge(judgments, samples=20)
    assert getattr(found, f"to_{format}")(details=True)
    assert found.to_dict()["protocol"] == judgments.protocol


def test_exports_can_be_read(judgments, tmp_path):
    for path in export_judgments(judgments, tmp_path / "all"):
        if path.endswith("human-spans.tsv"):
            assert len(read_human_spans(path).annotations) > 0
        else:
            assert understudy.read_judged(path).systems

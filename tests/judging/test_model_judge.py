"""A language model as a judge of systems: its judgments are read as those of people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stand_in_model import StandIn, texts_in

from material.faulty_models import FaultyModel
from understudy import Endpoint, ask_model, export_judgments, judge, read_judged
from understudy.corpus.error_spans import read_marked_spans, read_predicted_spans
from understudy.errors import BadParameter
from understudy.judging.model_judge import PositionCounts
from understudy.language_models.asking import Unscored
from understudy.language_models.endpoint import Patience

SYSTEMS = {
    "good": ["the cat sat on the mat", "it rains a lot", "we went home"],
    "poor": ["the dog sat on the mat", "it rains a lot", "they went by train"],
    "none": ["nothing at all", "quite other words", "we went home"],
}
REFERENCES = ["the cat sat on the mat", "it rains much", "we went home"]
QUICK = Patience(calls=2, first=0.001, longest=0.001)


def asked(server: StandIn, folder: Path, prompt: str, **more):
    with server.running() as url:
        endpoint = Endpoint(url, replies=folder / "replies.sqlite3", patience=QUICK)
        return ask_model(SYSTEMS, REFERENCES, model="m", prompt=prompt, endpoint=endpoint, **more)


def test_scores_are_ratings(tmp_path: Path):
    found = asked(StandIn(), tmp_path, "score")
    (file,) = export_judgments(found, tmp_path / "scores.tsv")
    assert Path(file).read_text().splitlines()[:3] == [
        "system\tseg\tquestion\tjudge\tscore",
        "good\t1\tscore\tm\t100",
        "good\t2\tscore\tm\t57",
    ]
    results = judge(found, samples=20)
    assert [mean.system for mean in results.questions[0].means] == ["good", "poor", "none"]
    assert results.judges == ("m",)


def test_spans_can_prefill_and_be_compared(tmp_path: Path):
    found = asked(StandIn(), tmp_path, "spans")
    (file,) = export_judgments(found, tmp_path / "spans.tsv", layout="spans")
    spans = read_marked_spans(file)
    assert [(span.system, span.segment, span.start, span.end, span.severity) for span in spans][:2] == [
        ("good", 2, 9, 10, "minor"),
        ("good", 2, 11, 14, "minor"),
    ]
    predicted = read_predicted_spans(file, SYSTEMS)
    assert len(predicted["m" if "m" in predicted else "spans"].annotations) == 9
    read = read_judged([file])
    assert read.spans is not None
    assert len(read.spans.annotated) == 9


def test_errors_that_are_not_found_in_the_text_are_counted(tmp_path: Path):
    class Inventing(StandIn):
        def answer(self, asked):  # noqa: ARG002
            error = {"text": "xyz", "where": "translation", "category": "other", "severity": "major"}
            return json.dumps({"errors": [error]})

    found = asked(Inventing(), tmp_path, "spans")
    assert found.given.notes == [
        "9 errors of 'm' counted in the scores, but not marked: the quoted text is not there."
    ]
    assert {row.value for row in found.given.ratings["score"]} == {-5.0}
    assert found.given.spans == []


def test_errors_of_several_replies(tmp_path: Path):
    found = asked(StandIn(), tmp_path, "spans", samples=2)
    assert found.given.notes == ["Scores are means of 2 replies, errors are those of the first reply alone."]


def test_preferences_are_rankings(tmp_path: Path):
    server = FaultyModel()
    found = asked(server, tmp_path, "pairs")
    (file,) = export_judgments(found, tmp_path / "pairs.tsv")
    rows = [line.split("\t") for line in Path(file).read_text().splitlines()[1:]]
    by_screen: dict[str, dict[str, int]] = {}
    for _, segment, system, rank, screen in rows:
        by_screen.setdefault(f"{segment} {screen}", {})[system] = int(rank)
    assert list(by_screen.values()) == [
        *({"good": 1, "poor": 2}, {"good": 1, "none": 2}, {"poor": 1, "none": 2}),
        *({"good": 1, "poor": 1}, {"good": 1, "none": 2}, {"poor": 1, "none": 2}),
        *({"good": 1, "poor": 2}, {"good": 1, "none": 1}, {"poor": 2, "none": 1}),
    ]
    assert len(server.log) == 2 * 5  # both orders; identical texts are not asked about, equal questions once
    assert found.positions == PositionCounts(pairs=7, same=7, first=7, second=7)
    results = judge(file, samples=20)
    assert results.rankings is not None
    assert results.rankings.win_rates[0].system == "good"


@pytest.mark.parametrize("position", ["A", "B"])
def test_position_bias_cancels(tmp_path: Path, position: str):
    class Biased(StandIn):
        def answer(self, asked):  # noqa: ARG002
            return json.dumps({"better": position})

    found = asked(Biased(), tmp_path, "pairs")
    assert {row.rank for row in found.given.rankings} == {1}
    assert found.positions is not None
    assert found.positions.same == 0
    assert (found.positions.first, found.positions.second) == ((14, 0) if position == "A" else (0, 14))


def test_a_preference_beside_a_tie_counts(tmp_path: Path):
    class Hesitant(StandIn):
        def answer(self, asked):
            texts = texts_in(asked["messages"][-1]["content"])
            return json.dumps(
                {"better": "A" if texts["translation"] == "the cat sat on the mat" else "equal"}
            )

    found = asked(Hesitant(), tmp_path, "pairs", baseline="good")
    ranks = [(row.system, row.rank) for row in found.given.rankings if row.segment == 1]
    assert ranks == [("good", 1), ("poor", 2), ("good", 1), ("none", 2)]


@pytest.mark.parametrize("prompt", ["score", "pairs"])
def test_items_without_a_valid_reply(tmp_path: Path, prompt: str):
    faults = {"the cat sat on the mat": ["refusal"] * 99}
    with pytest.raises(Unscored, match="without a valid answer"):
        asked(FaultyModel(faults), tmp_path, prompt)
    found = asked(FaultyModel(faults), tmp_path, prompt, skip_unscored=True)
    assert found.unscored == (1 if prompt == "score" else 2)
    assert "left out" in found.given.notes[0]
    kept = found.given.ratings.get("score") or found.given.rankings
    assert len(kept) == (8 if prompt == "score" else 2 * 7)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"prompt": "pairs", "systems": {"a": REFERENCES}}, "got one system, expected at least two"),
        ({"prompt": "pairs", "baseline": "god"}, "unknown baseline system 'god'. Did you mean 'good'"),
        ({"baseline": "good"}, "baseline: this is for preferences"),
        ({"references": None}, "the prompt shows the source or the reference, and none is given"),
        ({"references": [[each, each] for each in REFERENCES]}, "got 2 references, expected at most one"),
    ],
)
def test_what_cannot_be_asked(arguments, said: str):
    settings = {"systems": SYSTEMS, "references": REFERENCES, "model": "m", **arguments}
    with pytest.raises(BadParameter, match=said):
        ask_model(settings.pop("systems"), settings.pop("references"), **settings)

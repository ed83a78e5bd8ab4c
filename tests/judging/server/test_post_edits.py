"""Corrected texts and comments: HTER in the results, and everything in the export of answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import understudy
from material.optional import needs_packages
from understudy.errors import BadInput
from understudy.judging.campaigns.post_edits import hter
from understudy.judging.campaigns.standing import standing_of

CORRECTED = {1: "Output 1 𝄞 0.", 2: "The output number 2 𝄞 0.", 3: "𝄞 0. Output 3"}
COMMENT = 'A tab\t, a "quote" and\na line.'


@pytest.fixture
def corrected(serve):
    """Two judges; the second corrects nothing, and skips a task."""
    served = serve("da", judges=2, tasks=4)
    for name in ("judge-1", "judge-2"):
        browser = served.browser(name)
        for task in range(1, 5):
            payload: dict[str, Any] = {"values": {"o1": 10 * task}, "comment": COMMENT}
            if name == "judge-1" and task in CORRECTED:
                payload["post_edit"] = {"o1": CORRECTED[task]}
            if name == "judge-2" and task == 4:
                payload = {"skipped": True, "comment": COMMENT}
            answer = {
                "key": f"key-{name}-{task}",
                "task": task,
                "step": "score",
                "payload": payload,
                "seconds": 2.0,
            }
            assert browser.post("/api/answers", json={"answers": [answer]}).json()["refused"] == []
    return served


def test_hter_is_a_question(corrected):
    with understudy.Campaign.open(corrected.where) as campaign:
        judgments = campaign.judgments()
    ratings = judgments.ratings["HTER"]
    found = {
        judgments.segments[place]: value for place, value in zip(ratings.segment, ratings.value, strict=True)
    }
    assert found == {1: 0.0, 2: pytest.approx(100 * 2 / 6), 3: pytest.approx(100 * 1 / 4)}
    results = understudy.judge(judgments, samples=2)
    assert [each.name for each in results.questions] == ["score", "HTER"]
    assert results.question("HTER").means[0].mean.value == pytest.approx((0 + 100 / 3 + 25) / 3)
    assert "against the text to which a judge corrected it" in results.notes[0]
    assert standing_of(judgments).question == "score"


@needs_packages("sacrebleu")
def test_hter_is_the_ter_of_sacrebleu():
    from sacrebleu.metrics.ter import TER

    pairs = [
        ("the cat sat on mat", "on the mat the cat sat"),
        ("a b c", "a b c"),
        ("One two.", "Three"),
        ("x", "a much longer text , indeed"),
    ]
    expected = [TER().sentence_score(hypothesis, [text]).score for hypothesis, text in pairs]
    hypotheses, texts = map(list, zip(*pairs, strict=True))
    assert hter(hypotheses, texts).tolist() == pytest.approx(expected, abs=1e-9)


def test_hter_without_words_is_of_characters():
    assert hter(["博物館每逢星期一閉館。" * 10], ["博物館每逢星期一閉館" * 10]).tolist() == [10.0]
    assert hter([], []).tolist() == []


def test_readers_of_tables_take_higher_to_be_better(corrected, tmp_path):
    understudy.export_judgments(corrected.where, tmp_path / "human.tsv")
    lines = [line.split("\t") for line in (tmp_path / "human.tsv").read_text("utf-8").splitlines()]
    assert {line[2] for line in lines[1:]} == {"score", "negative HTER"}
    assert min(float(line[4]) for line in lines[1:]) == pytest.approx(-100 / 3)


def test_everything_that_judges_said_is_exported(corrected, tmp_path):
    written = understudy.export_judgments(corrected.where, tmp_path / "all")
    assert [path.rsplit("/", 1)[-1] for path in written] == ["human.tsv", "answers.jsonl"]
    answers = [json.loads(line) for line in Path(written[-1]).read_text("utf-8").splitlines()]
    assert len(answers) == 8
    assert answers[1] == {
        **{"judge": "judge-1", "group": None, "seg": 2, "screen": 2, "systems": ["hidden-system-1"]},
        **{"type": "system", "question": "score", "hypothesis": "Output 2 𝄞 0.", "score": 20},
        **{"corrected": CORRECTED[2], "comment": COMMENT, "seconds": 2.0},
    }
    assert answers[-1]["skipped"] is True


def test_the_layout_answers_is_for_campaigns(tmp_path):
    with pytest.raises(BadInput, match="for campaigns in which people judged"):
        understudy.export_judgments("examples/judgments.tsv", tmp_path / "x.jsonl", layout="answers")


@pytest.mark.parametrize("text", ["\x00", "", "\u2028 \n", "x " * 20_000], ids=ascii)
def test_whatever_is_typed_has_results_and_comes_back(serve, text, tmp_path):
    served = serve("da", judges=1, tasks=1)
    payload = {"values": {"o1": 50}, "comment": text[:10], "post_edit": {"o1": text}}
    answer = {"key": "key-00001", "task": 1, "step": "score", "payload": payload, "seconds": 2.0}
    headers = {"Content-Type": "application/json"}
    body = json.dumps({"answers": [answer]}).encode()
    reply = served.browser("judge-1").post("/api/answers", content=body, headers=headers)
    assert reply.json()["stored"] == ["key-00001"]
    assert served.browser("lead").get("/api/lead").json()["ranking"][0]["value"] == 50
    assert len(understudy.judge(served.where, samples=2).questions) == 2
    (written,) = understudy.export_judgments(served.where, tmp_path / "x.jsonl", layout="answers")
    (line,) = Path(written).read_text("utf-8").split("\n")[:-1]
    assert json.loads(line)["corrected"] == text


def test_the_archive_has_the_corrected_texts(corrected):
    with understudy.Campaign.open(corrected.where) as campaign:
        assert CORRECTED[2] in campaign.archive()

"""Questions to a server that fails in every way: each is answered or reported once, and nothing is asked twice."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from material.faulty_models import CONTENTS, FAILURES, INVALID, FaultyModel
from material.judge_questions import JUDGE, QUICK, endpoint, question, questions
from understudy.language_models.answers import (
    CUT_OFF,
    FILTERED,
    NO_JSON,
    OUT_OF_RANGE,
    REFUSAL,
    SEVERAL,
    WRONG_TYPE,
)
from understudy.language_models.asking import Unasked, ask
from understudy.language_models.judge import LanguageModelJudge

PROBLEMS = {
    **{"refusal": REFUSAL, "filtered": FILTERED, "filter-error": FILTERED, "length": CUT_OFF},
    **dict.fromkeys(("prose", "invalid", "unfinished", "nan", "null", "list", "twice"), NO_JSON),
    **dict.fromkeys(("text", "boolean", "other-key"), WRONG_TYPE),
    **dict.fromkeys(("too-high", "negative", "infinite"), OUT_OF_RANGE),
    "two": SEVERAL,
}
TRANSIENT = [
    *(
        "status 429",
        "status 429 0.05",
        "status 500",
        "status 502",
        "status 503 0",
        "status 529",
        "status 408",
    ),
    *("late 0.6", "drop", "cut", "drip", "endless", "garbage", "other-json"),
]


def test_every_fault_is_tried():
    assert {*PROBLEMS} == {*INVALID}
    assert {fault.split()[0] for fault in TRANSIENT} == {*FAILURES}


@pytest.mark.parametrize("parallel", [1, 12])
def test_every_question_is_answered_or_reported_once(store: Path, parallel: int):
    """Each fault once, then a good reply; each invalid reply for ever; each failure for ever."""
    once = {f"cat {fault}": [fault] for fault in (*TRANSIENT, *INVALID)}
    valid = {f"cat {kind}": [kind] for kind in CONTENTS if kind not in INVALID}
    never = {f"never {kind}": [kind] * 99 for kind in INVALID}
    failing = {f"never {fault}": [fault] * 99 for fault in ("status 500", "drop", "cut", "garbage")}
    plain = [f"plain {number}" for number in range(10)]
    server = FaultyModel({**once, **valid, **never, **failing})
    asked = [question(name) for name in itertools.chain(plain, once, valid, never, failing)]
    with server.running() as url:
        found = ask(JUDGE, asked, endpoint=endpoint(url, store, parallel=parallel))
    assert list(found) == asked
    problems = {dict(texts)["translation"]: verdict.problem for texts, verdict in found.items()}
    for name in (*plain, *once, *valid):
        assert problems[name] == "", name
    for kind in INVALID:
        assert problems[f"never {kind}"] == PROBLEMS[kind]
        assert server.answered[f"never {kind}"] == JUDGE.tries
    for name in failing:
        assert problems[name].startswith("no reply (")
        assert server.asked[name] == QUICK.calls or "drop" in name  # a kept connection may have ended before
    for name in (*plain, *valid):
        assert server.answered[name] == 1


def test_a_second_run_asks_only_for_what_had_no_reply(store: Path):
    faults = {"a": ["refusal"] * 99, "b": ["status 500"] * QUICK.calls}
    server = FaultyModel(faults)
    asked = [question(name) for name in ("a", "b", "c")]
    with server.running() as url:
        first = ask(JUDGE, asked, endpoint=endpoint(url, store))
        before = len(server.log)
        second = ask(JUDGE, asked, endpoint=endpoint(url, store))
    assert [verdict.problem for verdict in first.values()] == [REFUSAL, "no reply (HTTP 500)", ""]
    assert [verdict.problem for verdict in second.values()] == [REFUSAL, "", ""]
    assert [text for text, _ in server.log[before:]] == ["b"]


def test_more_tries_ask_for_more_replies_alone(store: Path):
    server = FaultyModel({"a": ["refusal"] * 4})
    with server.running() as url:
        server_and_store = endpoint(url, store)
        assert ask(JUDGE, [question("a")], endpoint=server_and_store)[question("a")].problem == REFUSAL
        more = LanguageModelJudge("model", "score", tries=6)
        assert ask(more, [question("a")], endpoint=server_and_store)[question("a")].problem == ""
    assert server.asked["a"] == 5
    assert len({request["seed"] for request in server.requests}) == 5  # else the same reply would come again


def test_the_order_of_replies_does_not_change_the_result(tmp_path: Path):
    delays = {f"the cat sat {each}": [f"late {each % 5 * 0.01}"] for each in range(40)}
    found = []
    for parallel in (1, 16):
        with FaultyModel(delays).running() as url:
            where = tmp_path / f"{parallel}.sqlite3"
            found.append(ask(JUDGE, questions(40), endpoint=endpoint(url, where, parallel=parallel)))
    assert found[0] == found[1]
    assert list(found[0]) == list(found[1])


def test_the_same_store_gives_the_same_answers_without_a_server(store: Path):
    with FaultyModel().running() as url:
        found = ask(JUDGE, questions(9), endpoint=endpoint(url, store))
    assert ask(JUDGE, questions(9), endpoint=endpoint(None, store)) == found
    with pytest.raises(Unasked, match=r"1 call to make, 9 replies stored;.* No server is given"):
        ask(JUDGE, questions(10), endpoint=endpoint(None, store))


def test_samples_are_separate_calls_with_mean_and_deviation(store: Path):
    class Varying(FaultyModel):
        def answer(self, asked):
            return f'{{"score": {10 + asked["seed"] // 1000}}}'

    server = Varying()
    judge = LanguageModelJudge("model", "score", samples=3, temperature=0.7)
    with server.running() as url:
        verdict = ask(judge, [question("a")], endpoint=endpoint(url, store))[question("a")]
    assert (verdict.score, verdict.deviation) == (11.0, 1.0)
    assert server.asked["a"] == 3
    assert {request["temperature"] for request in server.requests} == {0.7}


@pytest.mark.parametrize(
    "other",
    [
        LanguageModelJudge("other", "score"),
        LanguageModelJudge("model", "spans"),
        LanguageModelJudge("model", "score", language="de-en"),
        LanguageModelJudge("model", "score", temperature=0.5),
        LanguageModelJudge("model", "score", seed=1),
        LanguageModelJudge("model", "score", reply_format="none"),
    ],
)
def test_whatever_changes_a_request_is_part_of_its_key(store: Path, other: LanguageModelJudge):
    server = FaultyModel()
    with server.running() as url:
        ask(JUDGE, [question("a")], endpoint=endpoint(url, store))
        ask(other, [question("a")], endpoint=endpoint(url, store))
    assert server.asked["a"] == 2

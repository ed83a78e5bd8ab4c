"""Answers: error spans with their places and weights, preferences, and replies that do not count."""

from __future__ import annotations

import json
from typing import Any

import pytest

from understudy.language_models.answers import NO_JSON, WRONG_TYPE, Malformed, read_answer, usage
from understudy.language_models.prompt import prompt

TEXTS = {"translation": "the cat and the cat", "source": "die Katze und der Hund"}


def completion(content: Any) -> str:
    return json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]})


def error(text: Any, category: str = "accuracy/mistranslation", severity: str = "minor", **more: Any) -> dict:
    return {"text": text, "where": "translation", "category": category, "severity": severity, **more}


def spans_of(*errors: Any):
    return read_answer(prompt("spans"), completion(json.dumps({"errors": errors})), TEXTS)


def test_spans_have_places_and_weights():
    found = spans_of(
        error("cat"),
        error("cat", severity="Major"),
        error("Hund", "Accuracy/Omission", "major", where="source"),
        error("and", "fluency/punctuation"),
    )
    assert [(span.side, span.start, span.end, span.weight) for span in found.spans] == [
        ("target", 4, 7, 1.0),
        ("target", 16, 19, 5.0),  # the second of two equal texts
        ("source", 18, 22, 5.0),
        ("target", 8, 11, 0.1),
    ]
    assert found.spans[2].category == "accuracy/omission"
    assert found.score == -11.1


def test_text_that_is_not_there_counts_without_a_place():
    found = spans_of(error("dog"), error(""), error("cat"), error("cat"), error("cat"))
    assert [span.start for span in found.spans] == [None, None, 4, 16, 4]
    assert found.score == -5


def test_words_are_found_as_words():
    found = spans_of(error("an"), error("he"), error("a"), error("t"))
    assert [span.start for span in found.spans] == [8, 1, 5, 0]  # in no place as a word of its own
    texts = {"translation": "it rains a lot", "source": ""}
    body = completion(json.dumps({"errors": [error("a"), error("rains a")]}))
    assert [span.start for span in read_answer(prompt("spans"), body, texts).spans] == [9, 3]


def test_no_error_is_the_best_score_and_many_the_worst():
    assert str(spans_of().score) == "0.0"  # not -0.0
    assert spans_of(*[error("cat", severity="major")] * 9).score == -25
    assert spans_of(error("the cat and the cat", "non-translation", "major")).score == -25


def test_unknown_categories_are_other():
    assert spans_of(error("cat", "vibes")).spans[0].category == "other"


@pytest.mark.parametrize(
    "wrong",
    [error("cat", severity="severe"), error(5), {"text": "cat"}, "cat", error("cat", severity=None), [], 3],
)
def test_errors_that_are_not_as_asked_for(wrong: Any):
    assert spans_of(error("cat"), wrong).problem == WRONG_TYPE


@pytest.mark.parametrize("value", ["none", None, {}, {"text": "cat"}])
def test_errors_that_are_no_list(value: Any):
    body = completion(json.dumps({"errors": value}))
    assert read_answer(prompt("spans"), body, TEXTS).problem == WRONG_TYPE


@pytest.mark.parametrize(
    ("said", "choice", "problem"),
    [
        ('{"better": "A"}', "first", ""),
        ('{"better": " B "}', "second", ""),
        ('{"better": "equal"}', "tie", ""),
        ('{"better": "a"}', "", WRONG_TYPE),
        ('{"better": 1}', "", WRONG_TYPE),
        ("A", "", NO_JSON),
    ],
)
def test_preferences(said: str, choice: str, problem: str):
    found = read_answer(prompt("pairs"), completion(said), {"first": "a", "second": "b"})
    assert (found.choice, found.problem) == (choice, problem)


def test_content_in_parts():
    parts: list[dict[str, object]] = [
        {"type": "text", "text": '{"score"'},
        {"type": "text", "text": ": 7.5}"},
    ]
    parts += [{"type": "thinking", "text": None}, {"type": "image", "text": 5}]
    assert read_answer(prompt("score"), completion(parts), TEXTS).score == 7.5


NOT_COMPLETIONS = [
    *("", "[]", "null", "{}", '{"choices": {}}', '{"choices": [{}]}', '{"choices": [{"message": null}]}'),
    *("[" * 99_999, completion(5)),
]


@pytest.mark.parametrize("body", NOT_COMPLETIONS, ids=lambda body: body[:40])
def test_what_is_no_completion(body: str):
    with pytest.raises(Malformed):
        read_answer(prompt("score"), body, TEXTS)
    assert usage(body) == (None, None)


@pytest.mark.parametrize(
    ("counted", "numbers"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2}, (5, 2)),
        ({"prompt_tokens": 5}, (5, None)),
        ({"prompt_tokens": -1, "completion_tokens": "2"}, (None, None)),
        (None, (None, None)),
        ([], (None, None)),
    ],
)
def test_usage(counted: Any, numbers: tuple[int | None, int | None]):
    assert usage(json.dumps({"usage": counted})) == numbers


@pytest.mark.parametrize("content", ['{"score": ' + "9" * 5000 + "}", "{" * 100_000, '{"a":' * 100_000])
def test_replies_made_to_break_a_reader(content: str):
    assert read_answer(prompt("score"), completion(content), TEXTS).problem

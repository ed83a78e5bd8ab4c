"""The verbs in Python: what they take for systems, references, metrics and threads, and how scores are shown."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from understudy import BLEU, WER, Corpus, compare, metric, score, score_with_intervals, trust
from understudy.errors import BadParameter, InputWarning, MissingFile, WrongType

SYSTEMS = ["examples/system-weak.en", "examples/system-strong.en"]
REFERENCE = "examples/reference-1.en"
TEXTS = ["the cat sat on the mat", "it rained all day"]


def trust_adequacy(*arguments: Any, **others: Any) -> Any:
    return trust("examples/judgments.tsv", *arguments, measure="adequacy", samples=100, **others)


VERBS = pytest.mark.parametrize("verb", [score, compare, trust_adequacy])
Verb = Callable[..., Any]


@VERBS
def test_one_metric_may_stand_alone_and_a_class_is_meant_with_its_defaults(verb: Verb) -> None:
    for metrics in ("bleu", BLEU, BLEU(), [BLEU]):
        assert "BLEU" in repr(verb(SYSTEMS, REFERENCE, metrics))
    assert [metric.label for metric in score(SYSTEMS, REFERENCE, [BLEU, WER()]).metrics] == ["BLEU", "WER"]


@VERBS
@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        (None, "metrics: got None, expected a metric or its spec"),
        ([None], "metrics: got None"),
        ([int], "metrics: got <class 'int'>"),
        ([], "metrics: the list is empty"),
    ],
)
def test_what_is_no_metric_is_refused(verb: Verb, metrics: object, words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        verb(SYSTEMS, REFERENCE, metrics)


def test_a_class_is_meant_with_its_defaults() -> None:
    assert metric(BLEU) == BLEU()
    with pytest.raises(BadParameter, match="got None, expected a metric or its spec"):
        metric(None)


@pytest.mark.parametrize("threads", ["2", 1.5, 0, -1, True])
def test_a_metric_refuses_what_is_no_number_of_threads(threads: object) -> None:
    with pytest.raises(BadParameter, match=f"threads={threads!r}: expected an integer of at least 1"):
        BLEU().corpus(["a"], ["a"], threads=threads)  # type: ignore[arg-type]


@VERBS
@pytest.mark.parametrize("threads", ["2", 1.5, 0, -1, True])
def test_what_is_no_number_of_threads_is_refused(verb: Verb, threads: object) -> None:
    with pytest.raises(BadParameter, match=f"threads={threads!r}: expected an integer of at least 1"):
        verb(SYSTEMS, REFERENCE, threads=threads)


@VERBS
def test_a_text_that_stands_alone_is_taken_for_a_file(verb: Verb) -> None:
    with pytest.raises(
        MissingFile, match=r"no such file: 'the cat sat on the mat'\. Is this text.*Corpus\.of_texts"
    ):
        verb({"a": TEXTS[0], "b": TEXTS[1]}, REFERENCE)


@VERBS
def test_systems_in_a_list_need_names(verb: Verb) -> None:
    with pytest.raises(WrongType, match=r"systems: got list .* expected a file or a named text"):
        verb([TEXTS, TEXTS], REFERENCE)


def test_a_score_is_a_number_in_formats_and_rounding() -> None:
    found = BLEU().corpus(["the cat sat on a mat"], ["the cat sat on the mat"])
    assert f"{found:.3f}|{found:>8.1f}" == f"{found.value:.3f}|{found.value:>8.1f}"
    assert f"{found}" == str(found)
    assert (round(found, 1), round(found)) == (round(found.value, 1), round(found.value))
    assert isinstance(round(found), int)


def test_scores_are_shown_line_by_line() -> None:
    found = score(SYSTEMS, REFERENCE, ["bleu", "wer"])
    lines = str(found).splitlines()
    assert [line.partition(" = ")[0] for line in lines] == [
        "system-weak.en: BLEU",
        "system-weak.en: WER",
        "system-strong.en: BLEU",
        "system-strong.en: WER",
    ]
    assert lines[0] == f"system-weak.en: {found.systems[0].scores[0]}"
    of_segments = score(SYSTEMS[0], REFERENCE, "wer", level="segment")
    values = of_segments.systems[0].segments[0]
    assert str(of_segments) == f"system-weak.en: WER of 60 segments, {min(values):.2f} to {max(values):.2f}"


# --- warnings --------------------------------------------------------------------------------------------


CHINESE = ["他去了学校，然后回家了。今天天气很好。", "我们明天去北京看朋友，然后一起吃饭。"]
RUSSIAN = ["Кошка сидела на ковре.", "Весь день шёл дождь."]
UNSPLIT = "is Chinese text, which the tokenizer of BLEU (13a) cannot split into words. Use the tokenizer zh or char."


def warned(call: Callable[[], object]) -> list[str]:
    """What a call warns of. Its result is none of the test's business."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(issubclass(each.category, InputWarning) for each in caught)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize("verb", [score, compare, score_with_intervals])
def test_texts_that_a_chosen_tokenizer_cannot_split_are_warned_of(verb: Verb) -> None:
    systems = {"a": CHINESE, "b": CHINESE[::-1]}
    assert warned(lambda: verb(systems, CHINESE, "bleu:tokenize=13a")) == [f"the reference {UNSPLIT}"]
    named = {"refA": CHINESE, "refB": CHINESE}
    assert warned(lambda: verb(systems, named, "bleu:tokenize=13a")) == [f"refA {UNSPLIT}"]
    assert warned(lambda: verb(systems, CHINESE, "bleu:tokenize=zh")) == []


def test_a_corpus_is_warned_of_when_it_is_counted_and_not_again() -> None:
    corpus = Corpus({"a": CHINESE, "b": CHINESE[::-1]}, CHINESE)
    assert warned(lambda: score(corpus, metrics="bleu:tokenize=13a")) == [f"the reference {UNSPLIT}"]
    assert warned(lambda: compare(corpus, metrics="bleu:tokenize=13a")) == []


def test_letters_that_a_tokenizer_discards_are_warned_of() -> None:
    said = "ROUGE-L (tokenizer rouge) discards 100% of the letters in the reference. Use the tokenizer intl."
    assert warned(lambda: score({"a": RUSSIAN}, RUSSIAN, "rouge:tokenize=rouge")) == [said]


def test_words_that_are_taken_for_tags_are_warned_of() -> None:
    said = "'examples/reference-1.en' appears to contain words, but POS-BLEU expects tags. Use pos-bleu:parser=auto"
    (found,) = warned(lambda: score(SYSTEMS, REFERENCE, "pos-bleu"))
    assert found.startswith(said)


def test_files_that_are_copies_of_a_reference_are_warned_of() -> None:
    said = f"'{REFERENCE}' is scored as a system, but is identical to the reference '{REFERENCE}'."
    for verb in (score, compare):
        assert warned(lambda verb=verb: verb([*SYSTEMS, REFERENCE], REFERENCE)) == [said]  # type: ignore[misc]
    assert warned(lambda: score(REFERENCE, REFERENCE)) == []  # alone it is meant

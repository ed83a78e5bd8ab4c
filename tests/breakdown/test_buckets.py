"""Buckets of segments and of words: each scores as its segments would alone; boundaries and words by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from understudy import BLEU, CHRF, NIST, TER, Corpus, LengthRatio, Metric, References, UnderstudyError
from understudy.breakdown.buckets import by_difficulty, by_label, by_length, by_length_difference
from understudy.breakdown.results import Bucketing
from understudy.breakdown.tokenized import TokenizedCorpus
from understudy.breakdown.word_buckets import (
    by_frequency,
    by_word_label,
    labels_of_words,
    reference_frequencies,
    text_frequencies,
)
from understudy.corpus.columns import as_references
from understudy.corpus.segment_label_files import Labeling, documents_among, read_labels
from understudy.corpus.word_label_files import read_word_labels
from understudy.resampling.evidence import Evidence

EXAMPLES = Path(__file__).parents[2] / "examples"
CORPUS = Corpus.read(
    {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "weak")},
    [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"],
)
REFERENCES = CORPUS.references
assert isinstance(REFERENCES, References)
WORDS = TokenizedCorpus.of(CORPUS, REFERENCES, BLEU())


def evidence_of(metric: Metric, level: str = "corpus") -> Evidence:
    return Evidence.of_statistics(
        metric,
        [(name, metric.statistics(column, REFERENCES)) for name, column in CORPUS.systems.items()],
        level,
    )


def sizes(found: Bucketing) -> dict[str, int]:
    return {bucket.label: bucket.segments for bucket in found.buckets}


def corpus_of(references: list[list[str]], **outputs: list[str]) -> TokenizedCorpus:
    return TokenizedCorpus(
        {run: [text.split() for text in texts] for run, texts in outputs.items()},
        [[text.split() for text in of_segment] for of_segment in references],
    )


# --- segments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metric", [BLEU(), CHRF(), TER(), NIST(), LengthRatio()], ids=lambda metric: metric.name
)
def test_a_bucket_scores_as_its_segments_do_alone(metric: Metric) -> None:
    evidence = evidence_of(metric)
    groupings = [
        by_length(WORDS),
        by_length_difference(WORDS, "weak", ["weak"]),
        by_difficulty(evidence, metric.label),
        by_label(read_labels(EXAMPLES / "documents.tsv")[0]),
    ]
    fitted = metric.fit(REFERENCES)
    for grouping in groupings:
        found = grouping.scored(evidence, metric.label)
        assert sum(sizes(found).values()) == 60
        for bucket in found.buckets:
            rows = [row for row in range(60) if grouping.names[grouping.bucket_of[row]] == bucket.label]
            assert len(rows) == bucket.segments
            for system, score in bucket.scores.items():
                outputs = [CORPUS[system][row] for row in rows]
                assert score == fitted.corpus(outputs, [REFERENCES[row] for row in rows]).value


def test_at_the_level_of_means_a_bucket_has_the_mean_of_its_segments() -> None:
    metric, grouping = BLEU(), by_length(WORDS)
    found = grouping.scored(evidence_of(metric, "mean"), "BLEU")
    scores = metric.segments(CORPUS["weak"], REFERENCES)
    for bucket, number in zip(found.buckets, sorted(set(grouping.bucket_of)), strict=True):
        assert bucket.scores["weak"] == pytest.approx(scores[grouping.bucket_of == number].mean(), rel=1e-12)


def test_lengths_by_hand() -> None:
    corpus = corpus_of([["w " * n] for n in (0, 9, 10, 19, 60, 99)], a=[""] * 6)
    assert [by_length(corpus).names[bucket] for bucket in by_length(corpus).bucket_of] == [
        *["0 to 9 words"] * 2,
        *["10 to 19 words"] * 2,
        *["60 or more words"] * 2,
    ]
    two = corpus_of([["w " * 5, "w " * 14], ["w " * 5, "w " * 15]], a=["", ""])
    assert by_length(two).bucket_of.tolist() == [0, 1]  # means of 9.5 and 10
    assert by_length(two).title == "mean reference length"


def test_differences_of_lengths_by_hand() -> None:
    references = [["w " * 10]] * 6 + [["w " * 6, "w " * 12]]
    outputs = [
        "w " * n for n in (0, 8, 9, 11, 12, 19, 9)
    ]  # 9 words: the shorter of two equally close ones counts
    grouping = by_length_difference(corpus_of(references, a=outputs), "a", ["a"])
    assert [grouping.names[bucket] for bucket in grouping.bucket_of] == [
        "10 or more words shorter",
        "2 to 4 words shorter",
        "within 1 word",
        "within 1 word",
        "2 to 4 words longer",
        "5 to 9 words longer",
        "2 to 4 words longer",
    ]


@pytest.mark.parametrize("metric", [BLEU(), TER()], ids=lambda metric: metric.name)
def test_the_hardest_are_those_where_all_do_worst(metric: Metric) -> None:
    found = by_difficulty(evidence_of(metric), metric.label).scored(evidence_of(metric), metric.label)
    assert sizes(found) == dict.fromkeys(
        ("hardest quarter", "second quarter", "third quarter", "easiest quarter"), 15
    )
    worths = [metric.worth(sum(bucket.scores.values())) for bucket in found.buckets]
    assert worths == sorted(worths)


# --- labels -----------------------------------------------------------------------------------------------


def test_labels_of_files(tmp_path: Path) -> None:
    (plain := tmp_path / "domain.txt").write_text("news\n\nnews\n")
    assert read_labels(plain) == [Labeling("domain", ("news", "(none)", "news"))]
    (table := tmp_path / "docs.tsv").write_text("seg\tdomain\tdoc\n1\tnews\ta\n2\ttalk\tb\n")
    domain, doc = Labeling("domain", ("news", "talk")), Labeling("doc", ("a", "b"))
    assert read_labels(table) == [domain, doc]
    assert read_labels(f"{table}:domain") == [domain]
    assert documents_among([domain, doc]) == ("a", "b")
    assert documents_among([domain]) == ("news", "talk")
    assert documents_among([]) is None
    with pytest.raises(UnderstudyError, match="cannot tell which labels are documents"):
        documents_among([domain, domain])
    (tmp_path / "pos.txt").write_text("DET NOUN\n\n")
    assert read_word_labels(tmp_path / "pos.txt") == [["DET", "NOUN"], []]
    (two := tmp_path / "pos.tsv").write_text("fine\tcoarse\nDT NN\tDET NOUN\n")
    assert read_word_labels(f"{two}:coarse") == [["DET", "NOUN"]]
    with pytest.raises(
        UnderstudyError, match=r"have 2 columns \(fine, coarse\), expected one. Select it with FILE:"
    ):
        read_word_labels(two)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.tsv", "segment\tdoc\n1\ta\n3\tb\n", "row 2 has segment number '3', expected 2"),
        ("a.tsv", "segment\n1\n2\n", "segment numbers but no labels"),
        ("a.sgm", "<refset>", "is a test set, expected labels"),
    ],
)
def test_labels_that_cannot_be_meant_are_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UnderstudyError, match=said):
        read_labels(tmp_path / name)


# --- words ------------------------------------------------------------------------------------------------

SMALL = corpus_of([["the cat the", "a cat"], ["the dog"]], x=["the the the", "dog x"], y=["cat", "the dog"])
SMALL_RUNS = {"x": ["x"], "y": ["y"]}


def test_words_by_frequency_by_hand() -> None:
    frequencies = reference_frequencies(SMALL)
    # The first references have "the" three times and "cat" once; the second has "cat" once more, and not in the same.
    assert frequencies == {"the": 3, "cat": 1, "dog": 1, "a": 1}
    recall, precision, f = by_frequency(SMALL, SMALL_RUNS, frequencies, "the references")
    assert recall.title == "word frequency in the references"
    assert sizes(recall) == {"1": 4, "3": 3}  # cat, a, cat, dog; the, the, the
    assert all(bucket.denominators is None for bucket in recall.buckets)
    once, thrice = recall.buckets
    assert once.scores == {"x": 25.0, "y": 75.0}  # dog; cat of both references, and dog
    assert thrice.scores == {"x": pytest.approx(200 / 3), "y": pytest.approx(100 / 3)}
    # Against each of two references: x says "the" six times, of which two match. y says cat twice, both match.
    assert {bucket.label: bucket.denominators for bucket in precision.buckets} == {
        "0 (in no reference)": {"x": 1, "y": 0},  # "x"
        "1": {"x": 1, "y": 3},  # dog; cat, cat, dog
        "3": {"x": 6, "y": 1},
    }
    nowhere, once, thrice = precision.buckets
    assert nowhere.scores == {"x": 0.0, "y": pytest.approx(math.nan, nan_ok=True)}  # y has no such word
    assert once.scores == {"x": 100.0, "y": 100.0}
    assert thrice.scores == {"x": pytest.approx(200 / 6), "y": 100.0}
    assert {bucket.label: bucket.denominators for bucket in f.buckets} == {
        "0 (in no reference)": {"x": 1, "y": 0},
        "1": {"x": 5, "y": 7},
        "3": {"x": 9, "y": 4},
    }
    assert f.buckets[2].scores["x"] == pytest.approx(100 * 2 * 2 / (3 + 6))
    assert [found.metric for found in (recall, precision, f)] == [
        "word recall",
        "word precision",
        "word F",
    ]


def test_words_by_frequency_in_another_text(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("the the\n" * 50 + "unheard cat\n")
    frequencies = text_frequencies(tmp_path / "train.txt", SMALL, BLEU())
    assert frequencies == {"the": 100, "cat": 1}
    recall, *_ = by_frequency(SMALL, SMALL_RUNS, frequencies, "train.txt")
    assert sizes(recall) == {"0": 2, "1": 2, "100 to 999": 3}


def test_runs_are_averaged() -> None:
    recall, *_ = by_frequency(SMALL, {"both": ["x", "y"]}, reference_frequencies(SMALL), "the references")
    assert recall.buckets[0].scores == {"both": 50.0}
    _, precision, _ = by_frequency(
        SMALL, {"both": ["x", "y"]}, reference_frequencies(SMALL), "the references"
    )
    nowhere, once, _ = precision.buckets
    assert (nowhere.scores, nowhere.denominators) == ({"both": 0.0}, {"both": 0.5})  # x has one word, y none
    assert (once.scores, once.denominators) == ({"both": 100.0}, {"both": 2})


def test_denominators_are_all_words() -> None:
    """Every word of a hypothesis is in one bucket of precision, and every word of a reference in one of recall."""
    for frequencies, where in ((reference_frequencies(SMALL), "the references"), ({"the": 100}, "train.txt")):
        recall, precision, f = by_frequency(SMALL, SMALL_RUNS, frequencies, where)
        for system in SMALL_RUNS:
            outputs = SMALL.outputs[system]
            said = sum(len(w) * len(r) for w, r in zip(outputs, SMALL.references, strict=True))
            answers = sum(len(words) for references in SMALL.references for words in references)
            assert sum(bucket.size(system) for bucket in recall.buckets) == answers
            assert sum(bucket.size(system) for bucket in precision.buckets) == said
            assert sum(bucket.size(system) for bucket in f.buckets) == said + answers


def test_words_by_label_by_hand() -> None:
    references = as_references([["the cat the", "a cat"], ["the dog", None]])
    files = {"one": [["D", "N", "X"], ["D", "N"]], "two": [["D", "N"], []]}
    labels = labels_of_words(files, references, SMALL, BLEU())
    assert labels == [[["D", "N", "X"], ["D", "N"]], [["D", "N"]]]
    found = by_word_label(SMALL, SMALL_RUNS, labels, "part of speech")
    assert sizes(found) == {"D": 3, "N": 3, "X": 1}
    # Of "the" in the first segment x has both; in the second it has none. y says it in the second alone.
    assert [bucket.scores["x"] for bucket in found.buckets] == pytest.approx([100 / 3, 100 / 3, 100])
    assert [bucket.scores["y"] for bucket in found.buckets] == pytest.approx([100 / 3, 100, 0])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"one": [["D"], ["D"]]}, "1 file of word labels for 2 references"),
        (
            {"one": [["D", "N", "X"]], "two": [[], []]},
            "'one' has labels for 1 segment, expected 2.",
        ),
        (
            {"one": [["D", "N"], ["D", "N"]], "two": [["D", "N"], []]},
            "'one', line 1: 2 labels, but 3 tokens",
        ),
    ],
)
def test_labels_that_do_not_fit_the_words_are_refused(files: dict, said: str) -> None:
    references = as_references([["the cat the", "a cat"], ["the dog", None]])
    with pytest.raises(UnderstudyError, match=said):
        labels_of_words(files, references, SMALL, BLEU())

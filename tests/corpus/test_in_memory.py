"""Texts in memory: every verb takes them, with the checks and the digits of files."""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.optional import needs_packages
from material.wmt import DATA, needs_data
from understudy import (
    BLEU,
    NIST,
    Corpus,
    WeightedNgram,
    break_down,
    compare,
    explain,
    score,
    study_references,
    trust,
)
from understudy.corpus.files_or_texts import are_files
from understudy.errors import (
    BadInput,
    BadParameter,
    LengthMismatch,
    MissingFile,
    NoSegments,
    NoTokenizerChosen,
    UnderstudyError,
    WrongType,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("strong", "medium", "weak")
FILES = {name: EXAMPLES / f"system-{name}.en" for name in NAMES}
TWO = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


TEXTS = {name: lines(path) for name, path in FILES.items()}
GROUPED = [list(group) for group in zip(*map(lines, TWO), strict=True)]
FIRST = lines(TWO[0])


def as_arrow(texts: list[str]) -> Any:
    return pytest.importorskip("pyarrow").array(texts)


def as_pandas(texts: list[str]) -> Any:
    return pytest.importorskip("pandas").Series(texts)


def as_polars(texts: list[str]) -> Any:
    return pytest.importorskip("polars").Series(texts)


COLUMNS = pytest.mark.parametrize("column", [list, tuple, np.array, as_arrow, as_pandas, as_polars])


# --- the same digits -----------------------------------------------------------------------------------------


@COLUMNS
def test_score_of_columns_is_that_of_files(column: Callable[[list[str]], Any]) -> None:
    found = score(
        {name: column(texts) for name, texts in TEXTS.items()}, column(FIRST), ["bleu", "ter", "nist"]
    )
    expected = score(FILES, TWO[0], ["bleu", "ter", "nist"])
    assert str(found) == str(expected)


@COLUMNS
def test_compare_of_columns_is_that_of_files(column: Callable[[list[str]], Any]) -> None:
    found = compare({name: column(texts) for name, texts in TEXTS.items()}, column(FIRST), samples=200)
    assert found == compare(FILES, TWO[0], samples=200)


def test_compare_with_several_references_is_that_of_files() -> None:
    references = dict(zip(("reference-1.en", "reference-2.en"), map(lines, TWO), strict=True))
    expected = compare(FILES, TWO, ["bleu", "wer"], samples=200)
    assert compare(TEXTS, references, ["bleu", "wer"], samples=200) == expected
    assert compare(TEXTS, GROUPED, ["bleu", "wer"], samples=200).metrics == expected.metrics


def test_a_breakdown_of_texts_is_that_of_files() -> None:
    found = break_down(TEXTS, GROUPED, ["bleu", "chrf"], labels={"half": ["one"] * 30 + ["two"] * 30})
    expected = break_down(FILES, TWO, ["bleu", "chrf"])
    assert (found.ngrams, found.segments) == (expected.ngrams, expected.segments)
    by_label = [one for one in found.bucketings if one.title == "half"]
    assert [one for one in found.bucketings if one not in by_label] == expected.bucketings
    assert [bucket.label for bucket in by_label[0].buckets] == ["one", "two"]


def test_explain_of_texts_is_that_of_files() -> None:
    assert explain(TEXTS["weak"], FIRST, against="multi-bleu") == explain(
        FILES["weak"], TWO[0], against="multi-bleu"
    )


def test_trust_of_texts_is_that_of_files() -> None:
    named = {f"system-{name}.en": texts for name, texts in TEXTS.items()}
    how: dict[str, Any] = {"measure": "adequacy", "samples": 100}
    found = trust(EXAMPLES / "judgments.tsv", named, FIRST, ["bleu", "ter"], **how)
    expected = trust(EXAMPLES / "judgments.tsv", list(FILES.values()), TWO[0], ["bleu", "ter"], **how)
    assert [metric.agreed for metric in found.metrics] == [metric.agreed for metric in expected.metrics]


def test_runs_of_a_system_in_memory() -> None:
    files = {"new": [FILES["strong"], FILES["medium"]], "old": FILES["weak"]}
    texts = {"new": [TEXTS["strong"], TEXTS["medium"]], "old": TEXTS["weak"]}
    assert compare(texts, FIRST) == compare(files, TWO[0])
    assert Corpus(texts, FIRST).runs == {"new": ("new, run 1", "new, run 2"), "old": ("old",)}


@needs_data
def test_real_texts_in_memory_and_in_files() -> None:
    home = DATA / "wmt23.zh-en"
    files = {path.name.partition(".")[0]: path for path in sorted((home / "systems").iterdir())[:3]}
    texts = {name: [text or "" for text in rows(Corpus.read(path))] for name, path in files.items()}
    reference = lines(home / "refA.txt")
    how: dict[str, Any] = {"metrics": ["bleu", "chrf", "ter"], "samples": 50, "all_pairs": True}
    assert compare(texts, reference, **how) == compare(files, home / "refA.txt", **how)


def rows(corpus: Corpus) -> list[str | None]:
    (column,) = corpus.systems.values()
    return [column[row] for row in range(len(column))]


# --- tables --------------------------------------------------------------------------------------------------


class Dataset:
    """What a dataset of Hugging Face looks like to whoever reads its columns."""

    def __init__(self, **columns: Any) -> None:
        self._columns = columns

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        return len(next(iter(self._columns.values()))), len(self._columns)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]


def as_frame(**columns: Any) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def as_polars_frame(**columns: Any) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)


def as_arrow_table(**columns: Any) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


TABLES = pytest.mark.parametrize("table", [as_frame, as_polars_frame, as_arrow_table, Dataset])


@TABLES
def test_columns_of_a_table_are_systems_unless_they_are_called_otherwise(table: Callable[..., Any]) -> None:
    documents = ["a"] * 20 + ["b"] * 40
    whole = table(**TEXTS, ref=FIRST, source=FIRST[::-1], doc=documents, domain=["news"] * 60)
    corpus = Corpus(whole)
    assert list(corpus.systems) == list(NAMES)
    assert (corpus.sources[0], corpus.documents, corpus.domains) == (
        FIRST[-1],
        tuple(documents),
        ("news",) * 60,
    )
    assert compare(whole).metrics == compare(FILES, TWO[0]).metrics


@TABLES
def test_a_column_may_hold_all_references_of_a_segment(table: Callable[..., Any]) -> None:
    assert compare(table(**TEXTS, references=GROUPED)).metrics == compare(FILES, TWO).metrics


def test_references_beside_a_table_that_has_some_are_refused() -> None:
    with pytest.raises(BadInput, match=r"references: given twice, .* column 'ref'"):
        score(Dataset(a=["a b"], ref=["a b"]), ["a b"])


def test_a_column_that_is_no_text_is_refused_by_name() -> None:
    with pytest.raises(WrongType, match=r"systems, column 'score': segment 1 is float"):
        score(Dataset(a=["a b"], score=[0.5], ref=["a b"]))


# --- files or texts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        ["The cat sat on the mat."],
        ["シソの葉は日本で使う。", "猫"],
        ["Yes", "He said no"],
        ["see example.com", "A cat."],
        ["", "one\ntwo"],
    ],
)
def test_what_names_no_file_is_segments(texts: list[str]) -> None:
    assert not are_files(texts, "systems")


def test_what_names_files_is_files() -> None:
    assert are_files([str(path) for path in FILES.values()], "systems")
    assert are_files([str(FILES["weak"]), "mistyped.en"], "systems")  # which is then said not to be there


@pytest.mark.parametrize("strings", [["cat"], ["Yes", "No"], ["system.txt"], ["my system.txt", "ref.de"]])
def test_what_could_be_files_that_are_missing_is_refused(strings: list[str]) -> None:
    with pytest.raises(MissingFile, match=r"no such file: .* segments\? .*Corpus\.read.*Corpus\.of_texts"):
        are_files(strings, "systems")


def test_a_mixture_of_files_and_texts_is_refused() -> None:
    with pytest.raises(BadInput, match=r"is an existing file, but 'A cat sat\.' is not.*Corpus\.of_texts"):
        are_files([str(FILES["weak"]), "A cat sat."], "systems")


def test_who_says_texts_or_files_is_believed() -> None:
    path = str(FILES["weak"])
    assert Corpus.of_texts({"a": [path]}, ["Yes"])["a"][0] == path
    assert len(Corpus.read([path], [str(TWO[0])])) == 60
    with pytest.raises(MissingFile, match=r"no such file: 'A cat sat\.'"):
        Corpus.read(["A cat sat."])


# --- the same checks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "references", "error", "words"),
    [
        ({"a": ["A cat.", "A dog."]}, ["A cat.", "A dog.", "A cow."], LengthMismatch, "'a' has 2 .* lost"),
        ({"a": ["A cat."]}, ["A cat.", "One cat."], LengthMismatch, r"use \[\[first, second\]\]"),
        ({"a": ["A cat."] * 3}, [["A cat."] * 3, ["One cat."] * 3], BadInput, "references look transposed"),
        ({"a": np.array([])}, np.array([]), NoSegments, "references: the list is empty"),
        ({"a": []}, ["A cat."], BadParameter, "system 'a': the list is empty"),
        ({"a": ["A cat.", None]}, ["A cat."] * 2, BadInput, "'a': segment 2 has no translation"),
        ({"a": np.array([["A cat."], ["A cow."]])}, ["A cat."], WrongType, "system 'a'.* is list"),
        ({"a": ["A cat.", 7]}, ["A cat."] * 2, WrongType, "system 'a'.* is int"),
        (
            {"a": ["猫坐在垫子上。"] * 9},
            ["猫坐在垫子上。"] * 9,
            NoTokenizerChosen,
            "references: Chinese text",
        ),
    ],
)
@pytest.mark.parametrize("verb", [score, compare])
def test_what_does_not_fit_is_refused(
    verb: Callable[..., Any], systems: Any, references: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        verb(systems, references)


def test_transposed_references_of_a_file_are_called_so(tmp_path: Path) -> None:
    (tmp_path / "h.txt").write_text("A cat.\nA dog.\nA cow.\n")
    with pytest.raises(
        BadInput, match="references look transposed: got 2 lists of 3, expected 3 lists, one per seg"
    ):
        score(tmp_path / "h.txt", [["A cat.", "A dog.", "A cow."], ["One cat.", "One dog.", "One cow."]])


@pytest.mark.parametrize("what", ["sources", "documents", "domains"])
def test_what_is_said_of_segments_is_said_of_each(what: str) -> None:
    with pytest.raises(LengthMismatch, match=f"{what[:-1]}.* 1 segment"):
        Corpus(TEXTS, FIRST, **{what: ["Only one."]})


@pytest.mark.parametrize("sources", [["Only one."], ["A cat."] * 61])
def test_sources_of_another_length_are_refused_with_both_lengths(sources: list[str]) -> None:
    said = f"^sources: got {len(sources)} segments?, expected 60, the number of segments of 'strong'. Entry i must be"
    with pytest.raises(LengthMismatch, match=said):
        Corpus(TEXTS, FIRST, sources=sources)
    with pytest.raises(LengthMismatch, match=said):
        Corpus({"strong": TEXTS["strong"]}, sources=sources)


def test_a_word_for_sources_may_be_a_file_and_the_lengths_are_said() -> None:
    said = r"^sources: got 1 entry, expected 60 segments, .*\(no such file: 'x'.*Corpus\.of_texts.*\)$"
    with pytest.raises(LengthMismatch, match=said):
        Corpus(TEXTS, FIRST, sources=["x"])


def as_numbers(numbers: list[int]) -> Any:
    return pytest.importorskip("pandas").Series(numbers, dtype="Int64")


@pytest.mark.parametrize("column", [list, np.array, as_arrow, as_pandas, as_polars, as_numbers])
def test_numbers_of_documents_and_domains_are_their_names(column: Callable[[list[Any]], Any]) -> None:
    numbers = [1] * 20 + [2] * 40
    names = ("1",) * 20 + ("2",) * 40
    given = column(numbers)
    corpus = Corpus(TEXTS, FIRST, documents=given, domains=given, labels={"year": given})
    assert (corpus.documents, corpus.domains, corpus.labels[0].labels) == (names, names, names)


@TABLES
def test_a_column_of_numbers_names_documents(table: Callable[..., Any]) -> None:
    assert Corpus(table(a=["A cat.", "A dog."], ref=["A cat.", "A cow."], doc=[7, 8])).documents == ("7", "8")


def test_a_metric_takes_numbers_of_documents() -> None:
    WeightedNgram(documents="given").fit(FIRST, documents=[1] * 20 + [2] * 40)


@needs_packages("pandas")
def test_a_label_that_pandas_lacks_is_missing() -> None:
    import pandas

    years = pandas.Series([2019, None])  # floats, because one is missing
    assert Corpus(["A cat.", "A dog."], labels={"year": years}).labels[0].labels == ("2019", "(none)")
    with pytest.raises(WrongType, match="documents: segment 2 has none, expected a string or an integer"):
        Corpus(["A cat.", "A dog."], documents=years)


def test_a_label_that_is_neither_text_nor_number_is_refused() -> None:
    with pytest.raises(
        WrongType, match=r"domains: segment 1 is float \('0.5'\), expected a string or an integer"
    ):
        Corpus(["A cat."], domains=[0.5])


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (
            [("1", ["A cat."]), ("1", ["A dog."])],
            r"two systems are named '1'\. Use a different name for each\.$",
        ),
        ({1: ["A cat."], "1": ["A dog."]}, r"two systems are named '1'\. Use a different name for each\.$"),
        (
            {"a": [["A cat."], ["A dog."]], "a, run 1": ["A cow."]},
            r"two systems are named 'a, run 1', one of them as a training run\. Use a different name\.$",
        ),
        ([["A cat."], ["A cat."]], r"systems: got list .* Use \{'a': texts_a, 'b': texts_b\}\.$"),
    ],
)
def test_systems_of_one_name_are_refused(systems: Any, said: str) -> None:
    with pytest.raises(UnderstudyError, match=f"^{said}"):
        Corpus(systems, ["A cat."])


# --- nobody changes a corpus ---------------------------------------------------------------------------------


def test_what_a_corpus_hands_out_cannot_be_changed() -> None:
    labels = ["a"] * 60
    corpus = Corpus(TEXTS, GROUPED, documents=labels, domains=labels, labels={"kind": labels})
    for held in (corpus.systems, corpus.runs):
        with pytest.raises(TypeError):
            held["strong"] = None  # type: ignore[index]
    handed_out = (corpus.documents, corpus.domains, corpus.labels, corpus.labels[0].labels)
    assert {type(each) for each in (*handed_out, corpus.reference_names, corpus.places)} == {tuple}


def test_changing_the_list_of_documents_does_not_change_the_corpus() -> None:
    documents = ["a"] * 60
    corpus = Corpus(TEXTS, FIRST, documents=documents)
    documents[0] = "b"
    assert corpus.documents == ("a",) * 60


def test_a_corpus_can_be_pickled() -> None:
    corpus = Corpus(TEXTS, FIRST, documents=["a"] * 60)
    again = pickle.loads(pickle.dumps(corpus))
    assert (again.runs, again.documents, str(score(again))) == (
        corpus.runs,
        corpus.documents,
        str(score(corpus)),
    )


def test_sources_stand_beside_the_translations() -> None:
    found = break_down({"a": ["A cat."], "b": ["One cat."]}, ["A cat."], sources=["Eine Katze."])
    assert found.segments[0].source == "Eine Katze."


def test_a_corpus_has_its_own_references() -> None:
    with pytest.raises(BadParameter, match="references: already part of the corpus"):
        score(Corpus(TEXTS, FIRST), FIRST)


def counting(calls: list[int]) -> Callable[..., Any]:
    """BLEU's count, which notes how many segments it was asked for."""
    count = BLEU.count

    def noted(*given: Any) -> Any:
        calls.append(len(given[1]))
        return count(*given)

    return noted


# --- what was counted is kept --------------------------------------------------------------------------------


def test_all_verbs_together_count_a_metric_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(BLEU, "count", counting(calls))
    corpus = Corpus({f"system-{name}.en": path for name, path in FILES.items()}, TWO[0])
    score(corpus)
    compare(corpus, samples=100)
    break_down(corpus)
    score(corpus, level="segment")
    trust(EXAMPLES / "judgments.tsv", corpus, measure="adequacy", samples=50)
    assert calls == [60] * 3  # each system once


def test_comparing_with_two_references_counts_each_of_them_alone_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(BLEU, "count", counting(calls))
    corpus = Corpus({f"system-{name}.en": path for name, path in FILES.items()}, TWO)
    score(corpus)
    assert calls == [60] * 3  # each system once, with both references
    compare(corpus, samples=100)
    assert calls == [60] * 9  # and with either
    compare(corpus, samples=50)
    break_down(corpus)
    score(corpus, level="segment")
    assert len(calls) == 9


def test_several_settings_of_a_metric_are_kept_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(BLEU, "count", counting(calls))
    corpus = Corpus({"strong": FILES["strong"]}, TWO[0])
    for spec in ("bleu:lowercase=true", "bleu", "bleu:lowercase=true", "bleu"):
        score(corpus, metrics=spec)
    assert calls == [60, 60]


def test_what_is_counted_with_each_reference_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(BLEU, "count", counting(calls))
    corpus = Corpus(FILES, TWO)
    compare(corpus, samples=100)
    assert len(calls) == 9  # with both references, and with each of them
    compare(corpus, test="ttest")
    assert len(calls) == 9
    study_references(corpus, draws=1)
    assert len(calls) == 9 + 6  # what it draws


def test_another_metric_is_not_mistaken_for_the_one_that_was_kept() -> None:
    corpus = Corpus(TEXTS, FIRST)
    score(corpus, metrics="bleu")
    assert str(score(corpus, metrics="bleu:lowercase=true")) == str(
        score(TEXTS, FIRST, "bleu:lowercase=true")
    )


def test_a_metric_fitted_elsewhere_is_not_mistaken_for_the_one_that_was_kept() -> None:
    corpus = Corpus(TEXTS, FIRST)
    elsewhere = NIST().fit(GROUPED)
    plain = score(corpus, metrics=NIST())
    assert str(score(corpus, metrics=elsewhere)) == str(score(TEXTS, FIRST, elsewhere)) != str(plain)


def test_what_is_kept_goes_with_the_corpus() -> None:
    corpus = Corpus(TEXTS, FIRST)
    score(corpus)
    kept = weakref.ref(next(iter(corpus.kept.values()))["weak"])
    assert kept() is not None
    del corpus
    gc.collect()
    assert kept() is None


@needs_packages("pandas")
def test_a_series_names_its_system() -> None:
    import pandas

    assert score(pandas.Series(["A cat sat."], name="nmt"), ["A cat sat."]).systems[0].name == "nmt"

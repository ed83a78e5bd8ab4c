"""Tables that come in batches have the scores of texts in memory, and are not held there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from material.optional import needs_packages
from understudy import Corpus, compare, score
from understudy.corpus import streamed_tables
from understudy.errors import BadInput, LengthMismatch, NoSegments, UnderstudyError, WrongType

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
dataset = pytest.importorskip("pyarrow.dataset", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


SYSTEMS = {"strong": lines("system-strong.en"), "weak": lines("system-weak.en")}
REFERENCES = {"ref1": lines("reference-1.en"), "ref2": lines("reference-2.en")}
TABLE = pa.table({**SYSTEMS, **REFERENCES})
STREAMS: dict[str, Callable[[Any, Path], Any]] = {
    "data set": lambda table, _: dataset.dataset(table),
    "Parquet files": lambda table, folder: dataset.dataset(_files(table, folder)),
    "scanner": lambda table, folder: dataset.dataset(_files(table, folder)).scanner(batch_size=11),
    "reader": lambda table, _: table.to_reader(max_chunksize=7),
    "generator": lambda table, _: pa.RecordBatchReader.from_batches(
        table.schema, iter(table.to_batches(max_chunksize=4))
    ),
}


def _files(table: Any, folder: Path) -> str:
    for start in range(0, len(table), 25):
        parquet.write_table(table[start : start + 25], folder / f"part-{start:03}.parquet", row_group_size=6)
    return str(folder)


@pytest.fixture(params=STREAMS)
def stream(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    make = STREAMS[request.param]
    return lambda table=TABLE: make(table, tmp_path)


@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_scores_are_those_of_texts_in_memory(
    stream: Callable[..., Any], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamed_tables, "_ROWS", 9)
    found = score(stream(), metrics=["bleu", "chrf"], level=level)
    assert found.systems == score(SYSTEMS, REFERENCES, ["bleu", "chrf"], level=level).systems
    parts = list(Corpus.stream(stream(), chunk=13))
    assert [len(part) for part in parts] == [13, 13, 13, 13, 8]
    assert parts[-1]["weak"][7] == SYSTEMS["weak"][-1]


def test_comparisons_are_those_of_texts_in_memory(stream: Callable[..., Any]) -> None:
    assert compare(stream()).metrics == compare(SYSTEMS, REFERENCES).metrics


@pytest.mark.parametrize("kind", ["data set", "Parquet files", "scanner"])
def test_comparisons_keep_counts_and_not_texts(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with a reference that some segments lack, which therefore is not used alone, and with documents."""
    gaps = [None if row % 7 == 0 else text for row, text in enumerate(REFERENCES["ref2"])]
    table = TABLE.append_column("ref3", [gaps]).append_column("doc", [["a"] * 20 + ["b"] * 40])
    expected = compare(table, metrics=["bleu", "nist"])
    streamed = STREAMS[kind](table, tmp_path)

    def refuse(*_: object) -> None:
        raise AssertionError("the texts were read into memory")

    with monkeypatch.context() as patched:
        patched.setattr(Corpus, "of_input", refuse)
        found = compare(streamed, metrics=["bleu", "nist"])
    assert found.metrics == expected.metrics
    assert found.to_dict() == expected.to_dict()


def test_beside_other_texts(stream: Callable[..., Any]) -> None:
    of_systems = stream(TABLE.select(["weak"]))
    found = score(of_systems, REFERENCES, ["bleu"])
    assert found.systems[0].scores == score({"weak": SYSTEMS["weak"]}, REFERENCES)["weak"].scores
    found = score(SYSTEMS, TABLE.select(["ref1", "ref2"]).to_reader())
    assert found.systems == score(SYSTEMS, REFERENCES).systems


@pytest.mark.parametrize("kind", ["data set", "Parquet files", "scanner"])
def test_metrics_that_read_twice_and_labels(kind: str, tmp_path: Path) -> None:
    documents = ["a"] * 20 + ["b"] * 40
    table = TABLE.append_column("doc", [documents]).append_column("source", [REFERENCES["ref1"]])
    streamed = STREAMS[kind](table, tmp_path)
    metrics = ["nist", "self-bleu", "wnm"]
    found = score(streamed, metrics=metrics)
    assert found.systems == score(SYSTEMS, REFERENCES, metrics, documents=documents).systems
    corpus = Corpus(streamed)
    assert (corpus.documents, corpus.sources[3]) == (tuple(documents), REFERENCES["ref1"][3])


def test_what_can_be_read_once_is_not_read_twice() -> None:
    with pytest.raises(BadInput, match=r"the stream \(RecordBatchReader\) can be read only once"):
        score(TABLE.to_reader(), metrics=["nist"])
    with_documents = TABLE.append_column("doc", [["a"] * 60])
    with pytest.raises(
        BadInput, match=r"documents: column 'doc' of the stream .* is needed before the texts"
    ):
        score(with_documents.to_reader())
    reader = TABLE.to_reader()
    score(reader)
    with pytest.raises(NoSegments, match=r"\(RecordBatchReader\) has no rows\. Was it read before\?"):
        score(reader)
    with pytest.raises(NoSegments, match="'strong' has no segments"):
        score(dataset.dataset(TABLE[:0]))
    scanner = dataset.Scanner.from_batches(TABLE.to_reader())
    with pytest.raises(BadInput, match=r"the stream \(Scanner\) cannot be read: "):
        score(scanner, metrics=["nist"])


def test_text_of_other_types(stream: Callable[..., Any]) -> None:
    encoded = TABLE.set_column(0, "strong", TABLE["strong"].dictionary_encode())
    large = encoded.set_column(1, "weak", encoded["weak"].cast(pa.large_string()))
    assert score(stream(large)).systems == score(SYSTEMS, REFERENCES).systems


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (
            {"a": ["x"], "id": [1], "ref": ["y"]},
            WrongType,
            "systems, column 'id': expected strings, got int64. Omit the column: ",
        ),
        (
            {"a": ["x"], "refs": [["y", "z"]]},
            WrongType,
            "references, column 'refs': expected strings, got list<item: string>. Use one column for each reference, "
            "or load the table into memory.",
        ),
        ({"a": ["x", None], "ref": ["y", "z"]}, BadInput, "'a': segment 2 has no translation."),
        ({"ref": ["y"]}, BadInput, "systems: all of the columns 'ref' have other roles, "),
    ],
)
def test_refused_columns(columns: dict[str, Any], error: type[UnderstudyError], message: str) -> None:
    for streamed in (pa.table(columns).to_reader(), dataset.dataset(pa.table(columns))):
        with pytest.raises(error) as caught:
            score(streamed)
        assert str(caught.value).startswith(message)


def test_refused_streams() -> None:
    with pytest.raises(LengthMismatch, match="'weak' has 60 segments, 'references' has 59"):
        score(TABLE.select(["weak"]).to_reader(), REFERENCES["ref1"][:-1])
    with pytest.raises(WrongType, match=r"system 'a': got a table \(InMemoryDataset\), expected one column"):
        score({"a": dataset.dataset(TABLE)}, REFERENCES["ref1"])
    with pytest.raises(WrongType, match=r"Use pyarrow\.RecordBatchReader\.from_batches\(schema, batches\)"):
        score(iter(TABLE.to_batches()))
    twice = pa.table([pa.array(["a"]), pa.array(["b"])], names=["a", "a"])
    with pytest.raises(BadInput, match=r"the table \(RecordBatchReader\) has two columns named 'a'"):
        score(twice.to_reader(), ["a"])


@needs_packages("polars")
def test_lazy_frames_are_refused() -> None:
    import polars

    with pytest.raises(WrongType, match=r"got a LazyFrame, expected a table\. Use frame\.collect\(\)"):
        score(polars.LazyFrame({"a": ["x"], "ref": ["y"]}))


@needs_packages("datasets")
@pytest.mark.parametrize("known", [True, False], ids=["columns known", "columns not known"])
def test_streamed_data_sets_of_hugging_face(known: bool) -> None:
    import datasets

    columns = {**SYSTEMS, **REFERENCES}

    def rows() -> Iterator[dict[str, str]]:
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(columns, values, strict=True))

    if known:
        data = datasets.Dataset.from_dict(columns).to_iterable_dataset(num_shards=3)
    else:
        data = datasets.IterableDataset.from_generator(rows)
    assert (data.column_names is not None) == known
    metrics = ["bleu", "nist"]
    assert score(data, metrics=metrics).systems == score(SYSTEMS, REFERENCES, metrics).systems


@needs_packages("datasets", "pandas")
def test_formats_and_faulty_rows_of_hugging_face() -> None:
    import datasets

    data = datasets.Dataset.from_dict({**SYSTEMS, **REFERENCES}).to_iterable_dataset()
    for name in ("pandas", "numpy", "arrow"):
        assert score(data.with_format(name)).systems == score(SYSTEMS, REFERENCES).systems

    def rows(last: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield {"a": "x", "ref": "y"}
        yield last

    for last, message in (
        ({"a": "x"}, "systems: a row has no column 'ref'"),
        ({"a": 3, "ref": "y"}, r"the stream \(IterableDataset\) cannot be read: .*'int'"),
    ):
        faulty = datasets.IterableDataset.from_generator(rows, gen_kwargs={"last": last})
        with pytest.raises(BadInput, match=message):
            score(faulty)


@needs_packages("datasets")
def test_rows_of_hugging_face_without_types_may_lack_a_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """In some parts every row lacks it, in others only some."""
    import datasets

    from understudy.compat import datasets as adaptor

    for module, rows in ((streamed_tables, "_ROWS"), (adaptor, "_BATCH")):
        monkeypatch.setattr(module, rows, 4)
    texts, first = SYSTEMS["weak"][:13], REFERENCES["ref1"][:13]
    second = [text if row in (5, 12) else None for row, text in enumerate(REFERENCES["ref2"][:13])]

    def rows_of() -> Iterator[dict[str, str | None]]:
        for hyp, ref1, ref2 in zip(texts, first, second, strict=True):
            yield {"weak": hyp, "ref1": ref1, "ref2": ref2}

    data = datasets.IterableDataset.from_generator(rows_of)
    expected = score({"weak": texts}, {"ref1": first, "ref2": second}).systems[0].scores[0]
    assert expected.references == (1, 2)
    assert score(data).systems[0].scores[0] == expected
    (found,) = adaptor.score(data, "weak", ["ref1", "ref2"])
    assert (found["value"], found["signature"]) == (expected.value, str(expected.signature))

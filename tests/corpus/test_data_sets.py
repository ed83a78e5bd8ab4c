"""Arrow files, and data sets of several files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from material.written_files import read
from understudy import compare, score
from understudy.corpus.files import ReadBytes
from understudy.corpus.segment_sources import open_sources
from understudy.errors import BadInput, InvalidText, MissingFile, UnderstudyError

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

HYPOTHESES = [f"segment {row} of the system" for row in range(25)]
REFERENCES = [f"segment {row} of the reference" for row in range(25)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(start: int = 0, end: int | None = None, **others: Any) -> Any:
    return pa.table({"hyp": HYPOTHESES[start:end], "ref": REFERENCES[start:end], **others})


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a.ipc", "stream.arrow", "a.arrow.gz"])
@pytest.mark.parametrize("size", [1, 4, 999])
def test_arrow_files_of_both_formats(folder: Path, name: str, size: int) -> None:
    sink = pa.BufferOutputStream()
    new = pa.ipc.new_stream if name.startswith("stream") else pa.ipc.new_file
    with new(sink, table().schema) as file:
        file.write_table(table(), max_chunksize=7)
    data = sink.getvalue().to_pybytes()
    if name.endswith(".gz"):
        import gzip

        data = gzip.compress(data)
    (folder / name).write_bytes(data)
    assert read(f"{name}:hyp", size=size) == [HYPOTHESES]
    assert read(name, role="reference", size=size) == [REFERENCES]


@pytest.mark.parametrize("name", ["file.arrow", "stream.arrow", "a.parquet"])
def test_progress_grows_with_the_batches(folder: Path, name: str) -> None:
    long = pa.table({"hyp": [f"{row} " * 2000 for row in range(25)]})
    if name == "a.parquet":
        parquet.write_table(long, folder / name, row_group_size=5, compression="none", use_dictionary=False)
    else:
        new = pa.ipc.new_stream if name == "stream.arrow" else pa.ipc.new_file
        with new(folder / name, long.schema) as file:
            file.write_table(long, max_chunksize=5)
    size = (folder / name).stat().st_size
    shares = []
    with ReadBytes() as progress:
        (source,) = open_sources(name, role="system")
        while len(source.take(5)):
            assert progress.so_far()[1] == size
            shares.append(progress.so_far()[0] / size)
        assert progress.so_far() == (size, size)
    assert shares == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0], abs=0.1)


@pytest.mark.parametrize("large", [False, True])
def test_a_folder_is_a_table_in_the_order_of_names(folder: Path, large: bool) -> None:
    (folder / "set").mkdir()
    for start in (20, 10, 0):
        part = table(start, start + 10)
        if large:
            part = part.cast(pa.schema([("hyp", pa.large_string()), ("ref", pa.large_string())]))
        parquet.write_table(part, folder / "set" / f"part-{start:03}.parquet", row_group_size=3)
    (folder / "set" / "_SUCCESS").touch()
    for spec in ("set:hyp", "set/*.parquet:hyp", "set"):
        assert read(spec, size=4) == [HYPOTHESES]
    (folder / "hyp.txt").write_text("\n".join(HYPOTHESES))
    (folder / "ref.txt").write_text("\n".join(REFERENCES))
    whole = score(["hyp.txt"], ["ref.txt"], ["bleu", "nist"]).systems[0].scores
    found = score(["set:hyp"], ["set:ref"], ["bleu", "nist"]).systems[0].scores
    assert [each.value for each in found] == [each.value for each in whole]
    assert len(compare(["set:hyp", "set:ref"], ["ref.txt"], samples=20).pairs) == 1


def test_folders_inside_a_folder_follow_each_other(folder: Path) -> None:
    for year, start in (("2025", 15), ("2024", 0)):
        (folder / "set" / f"year={year}").mkdir(parents=True)
        parquet.write_table(table(start, start + 10), folder / "set" / f"year={year}" / "b.parquet")
    parquet.write_table(table(10, 15), folder / "set" / "year=2024" / "c.parquet")
    (folder / "set" / "_temporary").mkdir()
    parquet.write_table(table(), folder / "set" / "_temporary" / "a.parquet")
    assert read("set:hyp", size=4) == [HYPOTHESES]
    (folder / "empty").mkdir()
    with pytest.raises(MissingFile, match="The directory 'empty' has no Parquet or Arrow files"):
        read("empty:hyp")


def test_a_pattern_has_the_files_of_its_folder(folder: Path) -> None:
    """Two stars are any number of folders, none included; names that a folder ignores are ignored."""
    (folder / "set" / "b" / "c").mkdir(parents=True)
    (folder / "set" / "_temporary").mkdir()
    (folder / "set" / "e.parquet").mkdir()  # as Spark writes it
    for start, name in ((0, "a"), (5, "b/b"), (10, "b/c/c"), (15, "b-2"), (20, "e.parquet/part")):
        parquet.write_table(table(start, start + 5), folder / "set" / f"{name}.parquet")
    for name in ("_temporary/a", "b/_b"):
        parquet.write_table(table(0, 2), folder / "set" / f"{name}.parquet")
    assert read("set/**/*.parquet:hyp") == read("set:hyp") == [HYPOTHESES]
    assert read("set/*.parquet:hyp") == [HYPOTHESES[:5] + HYPOTHESES[15:]]
    assert read("set/*/*.parquet:hyp") == [HYPOTHESES[5:10] + HYPOTHESES[20:]]
    assert read("set/b/_*.parquet:hyp") == [HYPOTHESES[:2]]
    assert read("set/_temporary/*.parquet:hyp") == [HYPOTHESES[:2]]


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_files_with_columns_in_another_order(folder: Path, suffix: str) -> None:
    (folder / "set").mkdir()
    for start, columns in ((0, ["hyp", "ref"]), (10, ["ref", "hyp"])):
        part = table(start, start + 10 if start == 0 else None).select(columns)
        path = folder / "set" / f"{start:02}.{suffix}"
        if suffix == "parquet":
            parquet.write_table(part, path)
        else:
            with pa.ipc.new_file(path, part.schema) as file:
                file.write_table(part)
    assert read("set:hyp", size=4) == [HYPOTHESES]
    assert read("set", role="reference", size=4) == [REFERENCES]


def test_what_is_refused(folder: Path) -> None:
    def refusal(spec: str, error: type[UnderstudyError] = BadInput) -> str:
        with pytest.raises(error) as found:
            read(spec)
        return str(found.value)

    (folder / "set").mkdir()
    parquet.write_table(table(0, 10), folder / "set" / "a.parquet")
    parquet.write_table(table(10, 20).drop(["ref"]), folder / "set" / "b.parquet")
    assert refusal("set:hyp") == "'set/b.parquet' has no column 'ref', unlike 'set/a.parquet'."
    parquet.write_table(pa.table({"hyp": [1], "ref": ["a"]}), folder / "set" / "b.parquet")
    assert refusal("set:hyp") == "'set/b.parquet': 'hyp' is of type int64, but string in 'set/a.parquet'."
    (folder / "set" / "b.parquet").write_bytes((folder / "set" / "a.parquet").read_bytes()[:-20])
    assert refusal("set:hyp").startswith("'set/b.parquet' is not a Parquet file: ")
    (folder / "bad.arrow").write_text("text")
    assert refusal("bad.arrow").startswith("'bad.arrow' is not an Arrow file: ")
    parquet.write_table(pa.table({"hyp": ["a", None]}), folder / "null.parquet")
    assert refusal("null.parquet:hyp") == (
        "'null.parquet', row 2: 'hyp' is null, expected a string. Use an empty string for an empty segment."
    )
    assert refusal("no/*.parquet:hyp", MissingFile).startswith("no such file: 'no/*.parquet'.")
    (folder / "empty").mkdir()
    assert refusal("empty").startswith("'empty' is a directory, expected a file")


def test_a_damaged_file_names_the_row(folder: Path) -> None:
    bad = pa.StringArray.from_buffers(
        3, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"a\xffc")
    )
    parquet.write_table(pa.table({"hyp": bad}), folder / "a.parquet")
    with pytest.raises(InvalidText, match=r"^'a.parquet', row 2: 'hyp' is not UTF-8\.$"):
        read("a.parquet", size=1)

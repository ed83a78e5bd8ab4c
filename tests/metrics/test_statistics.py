"""Statistics as files: what is written, and what is refused, always in one line of an error that can be expected."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from understudy import BLEU, Statistics, UnderstudyError, score
from understudy.corpus.files import written_whole
from understudy.errors import BadInput, BadParameter, MissingFile

EXAMPLES = Path(__file__).parents[2] / "examples"


def saved(folder: Path) -> Path:
    path = folder / "kept.npz"
    BLEU().statistics(["a b c", "d"], ["a b d", "d e"]).save(path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadInput, match="does not contain statistics") as caught:
        Statistics.load(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def zipped(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{name}.npy", data)
    return content.getvalue()


def test_files_of_another_kind_are_refused(tmp_path):
    np.save(tmp_path / "array.npy", np.arange(3))
    assert "it is a single array" in refusal(tmp_path / "array.npy")
    contents = {
        "text": b"bleu 12.3\n",
        "empty": b"",
        "zip of something else": zipped(x=b"x"),
        "zip without a table": zipped(array=b"x", columns=b"y"),
        "only looks like a zip": b"PK\x03\x04" + bytes(100),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        refusal(tmp_path / name)
    refusal(tmp_path)  # a directory
    with pytest.raises(MissingFile, match="no such file"):
        Statistics.load(tmp_path / "nowhere.npz")


def test_files_that_are_cut_off_or_damaged_are_refused(tmp_path):
    content = saved(tmp_path).read_bytes()
    damaged = tmp_path / "damaged.npz"
    for length in range(0, len(content), 23):
        damaged.write_bytes(content[:length])
        refusal(damaged)
    for place in range(0, len(content), 7):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            Statistics.load(damaged)  # where the byte does not count, such as in a date
        except UnderstudyError as error:
            assert "\n" not in str(error)  # noqa: PT017


def test_what_cannot_be_written_is_said_of_the_file_that_was_named(tmp_path):
    target = tmp_path / "nowhere" / "kept.npz"
    with pytest.raises(MissingFile) as caught:
        BLEU().statistics(["a"], ["a"]).save(target)
    said = f"'{target}' cannot be written: the directory '{target.parent}' does not exist. Create it first."
    assert str(caught.value) == said
    (tmp_path / "folder").mkdir()
    with pytest.raises(MissingFile, match=r"folder' cannot be written: Is a directory\."):
        BLEU().statistics(["a"], ["a"]).save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_errors_that_are_not_of_writing_come_through(tmp_path):
    for error in (MissingFile("no model"), KeyboardInterrupt(), ValueError("x")):
        with pytest.raises(type(error)) as caught, written_whole(tmp_path / "file"):
            raise error
        assert caught.value is error
    assert list(tmp_path.iterdir()) == []


def test_a_system_that_is_not_there_is_named():
    scores = score([EXAMPLES / "system-weak.en"], [EXAMPLES / "reference-1.en"])
    (name,) = [system.name for system in scores.systems]
    assert scores[name] is scores.systems[0]
    with pytest.raises(BadParameter, match=r"unknown system 'nope'. Known: "):
        scores["nope"]

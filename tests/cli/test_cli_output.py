"""--output: the file is whole, or it is not there."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

GOOD = ["score", "system-weak.en", "-r", "reference-1.en"]
pytestmark = pytest.mark.usefixtures("examples")


def test_writes_what_it_would_print(run, tmp_path: Path) -> None:
    target = tmp_path / "scores.txt"
    result = run(*GOOD, "-o", str(target))
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_text("utf-8") == run(*GOOD).stdout
    assert os.listdir(tmp_path) == ["scores.txt"]
    assert run(*GOOD, "--output", "-").stdout == run(*GOOD).stdout


of_unix = pytest.mark.skipif(os.name == "nt", reason="this platform has no permissions of Unix")


@of_unix
def test_replaces_an_older_file_and_keeps_its_permissions(run, tmp_path: Path) -> None:
    target, link = tmp_path / "scores.txt", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    run(*GOOD, "-q", "-o", str(link))
    assert target.read_text() == "10.11\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert link.is_symlink()


@of_unix
def test_a_new_file_gets_the_usual_permissions(run, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        run(*GOOD, "-o", str(tmp_path / "scores.txt"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "scores.txt").stat().st_mode) == 0o640


def test_an_error_leaves_the_older_file_alone(fails, tmp_path: Path) -> None:
    target = tmp_path / "scores.txt"
    target.write_text("old")
    fails("score", "system-weak.en", "nope", "-r", "reference-1.en", "-o", str(target))
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["scores.txt"]


def test_a_failed_write_leaves_nothing_behind(run, tmp_path: Path, monkeypatch) -> None:
    def full(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device", "scores.txt")

    monkeypatch.setattr(os, "replace", full)
    result = run(*GOOD, "-o", str(tmp_path / "scores.txt"))
    assert result.exit_code == 2
    said = f"'{tmp_path / 'scores.txt'}' cannot be written: No space left on device."
    assert result.stderr == f"understudy: error: {said}\n"
    assert os.listdir(tmp_path) == []


def test_refuses_a_directory(fails, tmp_path: Path) -> None:
    assert "is a directory" in fails(*GOOD, "-o", str(tmp_path))


def test_refuses_a_folder_that_is_not_there(fails, tmp_path: Path) -> None:
    assert "no' does not exist. Create it first." in fails(*GOOD, "-o", str(tmp_path / "no" / "scores.txt"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_refuses_a_folder_it_may_not_write_to(fails, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "permission denied" in fails(*GOOD, "-o", str(tmp_path / "scores.txt"))


def test_refuses_to_overwrite_an_input(fails, tmp_path: Path) -> None:
    system = tmp_path / "nmt.txt"
    system.write_text("a\n" * 60)
    message = fails("score", f"nmt={system}", "-r", "reference-1.en", "-o", str(system))
    assert "is one of the inputs" in message
    assert system.read_text() == "a\n" * 60


def test_a_device_is_written_to_not_replaced(run) -> None:
    assert run(*GOOD, "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_the_check_comes_after_the_writing(run, tmp_path: Path) -> None:
    result = run(*GOOD, "-q", "-o", str(tmp_path / "scores.txt"), "--fail-under", "99")
    assert result.exit_code == 1
    assert (tmp_path / "scores.txt").read_text() == "10.11\n"


COMPARED = ["compare", "system-weak.en", "system-strong.en", "-r", "reference-1.en"]
LEARNED = ["trust", "system-weak.en", "system-strong.en", "-r", "reference-1.en", "--human", "judgments.tsv"]
LEARNED += ["--measure", "fluency", "--learn", "ridge"]


@pytest.mark.parametrize(
    ("command", "one", "other"),
    [
        (GOOD, "--report", "--output"),
        (COMPARED, "--report", "--output"),
        (COMPARED, "--report", "--summary"),
        (COMPARED, "--output", "--summary"),
        (LEARNED, "--report", "--save-model"),
        (LEARNED, "--output", "--save-model"),
        (["explain", *GOOD[1:], "--against", "bleu:nltk"], "--report", "--output"),
    ],
)
def test_two_outputs_in_one_file_are_refused(
    fails, tmp_path: Path, command: Any, one: str, other: str
) -> None:
    same = str(tmp_path / "same")
    said = f"understudy: error: {one} and {other} are both '{same}'. Use two different files."
    assert fails(*command, one, same, other, str(tmp_path / "." / "same")).startswith(said)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("option", ["--output", "--report", "--summary"])
def test_a_file_and_the_folder_of_figures_are_two_things(fails, tmp_path: Path, option: str) -> None:
    same = str(tmp_path / "same")
    assert f"{option} and --figures are both '{same}'. " in fails(*COMPARED, option, same, "--figures", same)
    inside = fails(*COMPARED, option, same, "--figures", f"{same}/figures")
    assert f"--figures '{same}/figures' is inside {option} '{same}', which is a file." in inside


def test_an_output_that_a_figure_could_replace_is_refused(fails, tmp_path: Path) -> None:
    among = str(tmp_path / "scores.csv")
    said = f"--output '{among}' is in the folder of --figures, which writes such files itself. Use another folder."
    assert said in fails(*GOOD, "-o", among, "--figures", str(tmp_path))


def test_two_outputs_may_go_to_one_device(run) -> None:
    assert run(*COMPARED, "--summary", os.devnull, "-o", os.devnull).exit_code == 0

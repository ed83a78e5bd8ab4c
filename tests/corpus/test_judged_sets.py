"""Test sets with human scores, of an archive that has no checksum."""

from __future__ import annotations

from pathlib import Path

import pytest

import understudy
from material.file_server import FileServer
from material.small_sets import left, texts, tgz
from understudy.corpus.test_sets.judged import judged_folder
from understudy.downloads import download
from understudy.errors import (
    BadInput,
    BadParameter,
    DownloadFailed,
    MissingFile,
)

JUDGED = {
    "judged-v2/wmt99/sources/en-de.txt": "one\ntwo\n",
    "judged-v2/wmt99/references/en-de.refA.txt": "eins\nzwei\n",
    "judged-v2/wmt99/references/en-de.refB.txt": "1\n2\n",
    "judged-v2/wmt99/documents/en-de.docs": "news d1\nsocial d2\n",
    "judged-v2/wmt99/system-outputs/en-de/S.txt": "eins\nzwo\n",
    "judged-v2/wmt99/system-outputs/en-de/T.txt": "ein\nzwei\n",
    "judged-v2/wmt99/system-outputs/en-de/refA.txt": "eins\nzwei\n",
    "judged-v2/wmt99/human-scores/en-de.mqm.seg.score": "S -1\nS 0\nT -2\nT -1\n",
}


def test_judged_sets(server: FileServer, home: Path) -> None:
    server.files["/judged-v2.tgz"] = tgz(JUDGED)
    with pytest.raises(
        MissingFile, match=r"'mtme:wmt99' is not on this machine.*`understudy data get mtme:wmt99`"
    ):
        understudy.test_set("mtme:wmt99", "en-de")
    with pytest.raises(BadInput, match=r"several references.*: refA, refB\. Select one with -t mtme:wmt99:"):
        understudy.test_set("mtme:wmt99", "en-de", download=True)
    found = understudy.test_set("mtme:wmt99:refA", "en-de")
    assert texts(found.sources) == ["one", "two"]
    assert texts(found.references["refA"]) == ["eins", "zwei"]
    assert (found.documents, found.domains) == (("d1", "d2"), ("news", "social"))
    assert {name: texts(column) for name, column in found.systems.items()} == {
        "S": ["eins", "zwo"],
        "T": ["ein", "zwei"],
    }
    assert server.requests == [("/judged-v2.tgz", 0)]
    assert [path for path in left(home / "data") if "/" not in path] == ["judged-v2.sha256"]
    with pytest.raises(BadParameter, match=r"unknown test set 'mtme:wmt98'\. Did you mean 'wmt99'"):
        understudy.test_set("mtme:wmt98", "en-de")


def test_an_archive_without_judged_sets_leaves_nothing(server: FileServer, home: Path) -> None:
    server.files["/judged-v2.tgz"] = tgz({"other/a.txt": "text"})
    with pytest.raises(BadInput, match="holds no test sets with human scores"):
        understudy.test_set("mtme:wmt99", "en-de", download=True)
    assert left(home) == []
    server.cut_after = 100
    server.files["/judged-v2.tgz"] = tgz(JUDGED)
    with pytest.raises(DownloadFailed, match="Nothing was kept"):
        understudy.test_set("mtme:wmt99", "en-de", download=True)
    assert left(home) == []


def test_a_damaged_archive_of_judged_sets_leaves_nothing(server: FileServer, home: Path) -> None:
    """Nobody publishes its checksum, so that of gzip is checked: here, one bit of it is another."""
    damaged = bytearray(tgz(JUDGED))
    damaged[-5] ^= 1
    server.files["/judged-v2.tgz"] = bytes(damaged)
    with pytest.raises(BadInput, match=r"the archive 'judged-v2\.tgz' is damaged \(CRC check failed"):
        understudy.test_set("mtme:wmt99:refA", "en-de", download=True)
    assert left(home) == []


def test_judged_sets_are_downloaded_again(server: FileServer, home: Path) -> None:
    server.files["/judged-v2.tgz"] = tgz(JUDGED)
    understudy.test_set("mtme:wmt99:refA", "en-de", download=True)
    (home / "data/judged-v2.tgz").write_bytes(tgz(JUDGED))  # of a run that was killed
    server.files["/judged-v2.tgz"] = tgz(
        {name.replace("wmt99", "wmt00"): text for name, text in JUDGED.items()}
    )
    assert judged_folder("mtme:wmt00", download, again=True) == str(home / "data/judged-v2/wmt00")
    assert len(server.requests) == 2


@pytest.mark.parametrize("name", ["mtme:", "mtme::refA", "mtme:..", "mtme:../wmt23", "mtme:/wmt23"])
def test_a_judged_set_needs_a_name_before_anything_is_downloaded(server: FileServer, name: str) -> None:
    with pytest.raises(BadParameter, match=r"expected mtme:NAME, e\.g\. mtme:wmt23\."):
        understudy.test_set(name, "en-de", download=True)
    assert server.requests == []

"""Test sets on this machine: downloads that fail, damaged files, and where they are stored."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
from pathlib import Path

import pytest

import understudy
from material.file_server import FileServer, closed_address
from material.small_sets import XML, contents, left, listed_at, texts
from understudy.corpus import test_sets
from understudy.corpus.test_sets import catalog
from understudy.corpus.test_sets.catalog import CatalogEntry, PairFiles
from understudy.corpus.test_sets.layouts import fields_of
from understudy.corpus.test_sets.stored_sets import StoredSet, stored_set
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.corpus.test_sets.wmt_xml import fields_of_xml
from understudy.downloads import download
from understudy.errors import (
    BadInput,
    DownloadFailed,
    MissingFile,
)


def test_nothing_is_downloaded_unless_asked_for(server: FileServer, home: Path) -> None:
    with pytest.raises(
        MissingFile, match=r"'sgm' en-de is not on this machine.*`understudy data get sgm en-de`\.$"
    ):
        understudy.test_set("sgm", "en-de")
    assert server.requests == []
    assert left(home) == []


def test_a_set_that_is_here_is_not_asked_for(server: FileServer) -> None:
    understudy.test_set("sgm", "en-de", download=True)
    asked = list(server.requests)
    understudy.test_set("sgm", "en-de", download=True)
    assert server.requests == asked == [("/sgm.tgz", 0)]


def test_other_pairs_of_an_archive_need_no_download(server: FileServer) -> None:
    stored_set("plain", "en-de").get(download)
    server.requests.clear()
    assert len(understudy.test_set("plain", "de-en")) == 3
    assert server.requests == []


def test_an_archive_of_two_sets_is_downloaded_once(server: FileServer, home: Path) -> None:
    stored_set("xml", "en-de").get(download)
    stored_set("xml/AB", "en-de").get(download)
    assert server.requests == [("/xml.tar.gz", 0)]
    assert (home / "sets/xml/AB/raw/xml_AB.xml.tar.gz").read_bytes() == contents()["/xml.tar.gz"]


def test_a_wrong_checksum_leaves_nothing(server: FileServer, home: Path) -> None:
    server.files["/sgm.tgz"] = b"something else"
    with pytest.raises(DownloadFailed, match=r"sgm\.tgz' has the checksum md5:.*expected md5:"):
        stored_set("sgm", "en-de").get(download)
    assert left(home) == []


def test_no_network_leaves_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed_at(closed_address(), monkeypatch, home)
    with pytest.raises(DownloadFailed, match="could not be downloaded: "):
        stored_set("sgm", "en-de").get(download)
    assert left(home) == []


def test_a_cut_download_is_continued(server: FileServer, home: Path) -> None:
    server.cut_after = 200
    stored_set("sgm", "en-de").get(download)
    starts = [start for _, start in server.requests]
    assert starts == list(range(0, len(contents()["/sgm.tgz"]), 200))
    assert len(understudy.test_set("sgm", "en-de")) == 5
    assert not [path for path in left(home) if path.endswith((".part", ".incoming", ".lock"))]


def test_the_part_of_an_interrupted_download_is_used_by_the_next(server: FileServer, home: Path) -> None:
    server.cut_after = 0
    part = home / "sets/sgm/raw/sgm.sgm.tgz.incoming.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(contents()["/sgm.tgz"][:300])
    with pytest.raises(DownloadFailed, match="The first 300 bytes are kept"):
        stored_set("sgm", "en-de").get(download)
    assert not stored_set("sgm", "en-de").is_here
    server.cut_after = None
    server.requests.clear()
    stored_set("sgm", "en-de").get(download)
    assert server.requests == [("/sgm.tgz", 300)]


@pytest.mark.usefixtures("server")
def test_a_damaged_archive_of_another_program_is_replaced(home: Path) -> None:
    archive = home / "sets/sgm/raw/sgm.sgm.tgz"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(contents()["/sgm.tgz"][:100])
    stored_set("sgm", "en-de").get(download)
    assert archive.read_bytes() == contents()["/sgm.tgz"]
    assert len(understudy.test_set("sgm", "en-de")) == 5


@pytest.mark.usefixtures("server")
def test_an_archive_without_the_expected_file_is_an_error(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = catalog.table()
    table["sets"]["sgm"]["pairs"]["en-de"][0] = "sgm/other.sgm"
    monkeypatch.setattr(catalog, "table", lambda: table)
    with pytest.raises(BadInput, match=r"no 'sgm/other\.sgm' in what was downloaded from http"):
        stored_set("sgm", "en-de").get(download)
    assert not (home / "sets/sgm/sgm.en-de.src").exists()


@pytest.mark.usefixtures("server")
def test_the_archive_gets_its_name_after_everything_is_extracted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sacreBLEU takes it for a sign that there is nothing left to do."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("understudy.corpus.test_sets.stored_sets.extract", stopped)
    with pytest.raises(KeyboardInterrupt):
        stored_set("sgm", "en-de").get(download)
    assert not (home / "sets/sgm/raw/sgm.sgm.tgz").exists()
    monkeypatch.undo()


def _get(address: str, home: Path) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        listed_at(address, monkeypatch, home)
        stored_set("xml", "en-de").get(download)


def test_two_processes_share_one_download(server: FileServer, home: Path) -> None:
    server.gate.clear()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_get, args=(server.address, home)) for _ in range(2)]
    for process in processes:
        process.start()
    while not server.requests:
        assert any(process.is_alive() for process in processes)
    server.gate.set()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert server.requests == [("/xml.tar.gz", 0)]
    assert len(understudy.test_set("xml", "en-de")) == 4
    assert not [path for path in left(home) if path.endswith((".part", ".incoming", ".lock"))]


@pytest.mark.usefixtures("server")
def test_damaged_fields_are_found_and_got_again() -> None:
    stored = stored_set("sgm", "en-de")
    stored.get(download)
    stored.path("ref").write_text("only one line\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"1 lines in '.*sgm\.en-de\.ref', 5 in .*data get sgm en-de --again"):
        understudy.test_set("sgm", "en-de")
    stored.get(download, again=True)
    assert len(understudy.test_set("sgm", "en-de")) == 5


def test_what_is_there_stays_until_its_replacement_is_there(
    server: FileServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = stored_set("xml", "en-de")
    stored.get(download)
    shutil.rmtree(stored.raw)  # to save space
    before = left(home)
    with monkeypatch.context() as offline:
        listed_at(closed_address(), offline, home)
        with pytest.raises(DownloadFailed):
            stored_set("xml", "en-de").get(download, again=True)
    assert left(home) == before
    assert len(understudy.test_set("xml", "en-de")) == 4
    stored.path("TRUNCATED").write_text("of a damaged copy\n", encoding="utf-8")
    server.requests.clear()
    stored.get(download, again=True)
    assert server.requests == [("/xml.tar.gz", 0)]
    assert set(understudy.test_set("xml", "en-de").systems) == {"NMT", "ONLINE-A"}


def test_an_intact_archive_repairs_a_set_without_a_network(
    server: FileServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_set("sgm", "en-de").get(download)
    server.shutdown()
    for path in (home / "sets/sgm/raw/sgm/ref.de.sgm", home / "sets/sgm/sgm.en-de.ref"):
        path.write_text("", encoding="utf-8")
    listed_at(server.address, monkeypatch, home)
    stored_set("sgm", "en-de").get(download, again=True)
    assert texts(understudy.test_set("sgm", "en-de").references["ref"])[0] == "Eine Katze &amp; ein Hund."


@pytest.mark.parametrize("name", ["/../../../outside", "a/b", "/tmp"])
@pytest.mark.usefixtures("server")
def test_a_system_whose_name_is_a_path_is_refused(home: Path, name: str) -> None:
    stored = stored_set("xml", "en-de")
    stored.get(download)
    xml = home / "sets/xml/raw/xml-1/xml/small.en-de.all.xml"
    xml.write_text(XML.replace('system="NMT"', f'system="{name}"'), encoding="utf-8")
    before = left(home.parent)
    with pytest.raises(BadInput, match=r"'xml' en-de: the name '.*' in '.*raw' is a path\. Do not use"):
        stored.process(again=True)
    assert left(home.parent) == before


@pytest.mark.usefixtures("server")
def test_files_without_segments_are_said(home: Path) -> None:
    stored = stored_set("table", "en-de")
    stored.get(download)
    (home / "sets/table/raw/T/small.tsv").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match=r"'table' en-de has no segments in '.*raw'\. Get it again with"):
        stored.process(again=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</dataset>", "", r"is not valid XML \(.*line"),
        ("<dataset", '<!DOCTYPE a [<!ENTITY b "c">]><dataset', "declares XML entities"),
        (
            '<src lang="en"><p><seg id="2"',
            '<src lang="fr"><p><seg id="2"',
            "<src> in several languages or none",
        ),
        ('<seg id="1">Eine Katze saß', '<seg id="one">Eine Katze saß', "a segment has the id 'one'"),
        (' origlang="en" domain', " domain", "a <doc> has no origlang"),
        ('<seg id="2">Es regnet.</seg>', "", "system 'ONLINE-A' has no segment 2"),
    ],
)
def test_xml_that_cannot_be_read(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in XML
    path = tmp_path / "set.xml"
    path.write_text(XML.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        fields_of_xml(path)


def test_a_table_with_too_few_columns_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "T").mkdir()
    (tmp_path / "T" / "small.tsv").write_text("1\t2\tOne.\n", encoding="utf-8")
    entry = CatalogEntry("t", "tsv", "", "", (), {"en-de": PairFiles(("2:T/small.tsv", "3:T/small.tsv"), ())})
    with pytest.raises(BadInput, match=r"small\.tsv', line 1: 3 columns, expected at least 4"):
        fields_of(entry, "en-de", tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="the home directory is looked up in another way")
def test_a_user_without_a_home_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in containers that run under a number without a name."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("os.getuid", lambda: 54321)
    monkeypatch.setattr("pwd.getpwuid", _nobody)
    monkeypatch.setattr(test_sets, "environment", {})
    with pytest.raises(MissingFile, match=r"no '/\.sacrebleu/wmt19/wmt19\.en-de\.src'"):
        understudy.test_set("wmt19", "en-de")
    monkeypatch.setattr(test_sets, "environment", {"SACREBLEU": "/data"})
    assert stored_set("wmt19", "en-de").home == Path("/data")


def _nobody(number: int) -> None:
    raise KeyError(number)


def test_the_folders_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(test_sets, "environment", {"SACREBLEU": str(tmp_path / "sb")})
    assert stored_set("wmt19", "en-de").path("src") == tmp_path / "sb" / "wmt19" / "wmt19.en-de.src"
    monkeypatch.setattr(test_sets, "environment", {})
    assert stored_set("wmt19", "en-de").home == Path(os.path.expanduser("~")) / ".sacrebleu"
    assert isinstance(stored_set("wmt20/robust/set1", "en-ja"), StoredSet)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("wmt21/B", "akhbardeh-etal-2021-findings"),
        ("wmt20/tworefs", "barrault-etal-2020-findings"),
        ("wmt20/robust/set2", "specia-etal-2020-findings"),  # a task of its own, with its own findings
    ],
)
def test_a_variant_is_cited_as_its_set_unless_it_is_of_another_task(name: str, key: str) -> None:
    assert catalog.entry_of(name).citation.startswith(f"@inproceedings{{{key},")


def test_citations_are_bibtex() -> None:
    cited = {name: entry.citation for name, entry in catalog.catalog().items() if entry.citation}
    assert len(cited) > 60
    for name, citation in cited.items():
        assert NamedSet(name, "en-de", citation=citation).keys, name
        assert citation.count("{") == citation.count("}"), name
        assert all(character.isprintable() or character == "\n" for character in citation), name

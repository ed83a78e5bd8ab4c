"""Test sets by name: downloads that fail, selections, joined sets, folders, and corpora made of them."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import understudy
from material.file_server import FileServer, closed_address, served
from material.small_sets import SETS, XML, contents, listed_at, tgz, zipped
from understudy._core import Column
from understudy.corpus import test_sets
from understudy.corpus.test_sets import catalog
from understudy.corpus.test_sets.archives import extract
from understudy.corpus.test_sets.catalog import CatalogEntry, PairFiles
from understudy.corpus.test_sets.layouts import fields_of
from understudy.corpus.test_sets.stored_sets import StoredSet, stored_set
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.corpus.test_sets.wmt_xml import fields_of_xml
from understudy.downloads import download
from understudy.errors import (
    BadInput,
    BadParameter,
    DownloadFailed,
    LengthMismatch,
    MissingFile,
    NoSegments,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with served() as running:
        running.files.update(contents())
        listed_at(running.address, monkeypatch, home)
        yield running


def left(home: Path) -> list[str]:
    """All files in the folder of test sets."""
    return sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())


def texts(column: Column) -> list[str | None]:
    return [column[row] for row in range(len(column))]


# --- the folder -----------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("pack", [tgz, zipped])
@pytest.mark.parametrize("name", ["../outside", "/outside", "a/../../outside"])
def test_an_archive_does_not_write_outside_its_folder(tmp_path: Path, pack: object, name: str) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(pack({name: "text"}))  # type: ignore[operator]
    with pytest.raises(BadInput, match="a path outside its folder"):
        extract(archive, "a.zip" if pack is zipped else "a.tgz", tmp_path / "in")
    assert not list(tmp_path.glob("**/outside"))


def test_a_damaged_archive_is_said(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(b"no archive")
    for name in ("a.zip", "a.tgz"):
        with pytest.raises(BadInput, match="is damaged"):
            extract(archive, name, tmp_path / "in")


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


# --- test sets ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("server")
def test_a_set_has_source_references_documents_and_domains() -> None:
    found = understudy.test_set("xml", "en-de", download=True)
    assert repr(found) == "<TestSet xml en-de: 4 segments, 1 reference, 2 documents>"
    assert texts(found.sources) == ["A cat sat.", "It rained.", "first <3", "second"]
    assert {name: texts(column) for name, column in found.references.items()} == {
        "refA": ["Eine Katze saß.", "Es regnete.", "erstens <3", "zweitens"]
    }
    assert found.documents == ("d1", "d1", "d2", "d2")
    assert found.domains == ("news", "news", "social", "social")
    assert found.origlangs == ("en", "en", "de", "de")
    assert found.citation.startswith("@inproceedings{xml-2020,")
    assert found.called.keys == ("xml-2020",)
    assert texts(found.systems["NMT"]) == ["Ein Kater saß.", "Regen.", "zuerst", "dann"]
    assert set(found.systems) == {"NMT", "ONLINE-A"}


@pytest.mark.usefixtures("server")
def test_what_one_of_several_translators_lacks_is_missing_not_empty() -> None:
    found = understudy.test_set("xml/AB", "en-de", download=True)
    assert texts(found.references["refB"]) == ["Die Katze saß.", None, None, None]


@pytest.mark.usefixtures("server")
def test_a_corpus_takes_a_set_as_references() -> None:
    found = understudy.test_set("xml", "en-de", download=True)
    corpus = understudy.Corpus({"a": ["Eine Katze saß.", "Es regnet.", "erstens", "zwei"]}, found)
    assert corpus.sources is not None
    assert texts(corpus.sources) == texts(found.sources)
    assert corpus.documents == found.documents
    assert corpus.domains == found.domains
    assert corpus.language == "de"
    assert corpus.test_set == NamedSet("xml", "en-de", citation=found.citation)


@pytest.mark.usefixtures("server")
def test_verbs_and_metrics_take_a_set() -> None:
    found = understudy.test_set("xml", "en-de", download=True)
    hypotheses = texts(found.references["refA"])
    assert understudy.BLEU().corpus(hypotheses, found).value == pytest.approx(100)
    scored = understudy.score({"a": hypotheses}, found)
    assert scored["a"].scores[0].value == pytest.approx(100)
    assert scored.test_set == found.called
    assert understudy.score_with_intervals({"a": hypotheses}, found, samples=10).test_set == found.called
    compared = understudy.compare({"a": hypotheses, "b": texts(found.systems["NMT"])}, found)
    assert compared.test_set == found.called
    explained = understudy.explain({"a": hypotheses}, found, against="nltk")
    assert explained.test_set == found.called


@pytest.mark.usefixtures("server")
def test_further_references_stand_beside_those_of_the_set(tmp_path: Path) -> None:
    found = understudy.test_set("xml", "en-de", download=True)
    more = tmp_path / "more.txt"
    more.write_text("a\nb\nc\nd\n", encoding="utf-8")
    corpus = understudy.Corpus({"a": ["a b", "b", "c", "d"]}, [found, more])
    assert corpus.references is not None
    assert len(corpus.references.columns) == 2
    assert corpus.reference_names == ("xml en-de", "more")
    with pytest.raises(BadParameter, match=r"got 2 test sets.*test_set\('xml,xml', 'en-de'\)"):
        understudy.Corpus({"a": ["a b"] * 4}, [found, found])


@pytest.mark.usefixtures("server")
def test_a_system_of_another_length_is_an_error_that_names_the_set() -> None:
    found = understudy.test_set("xml", "en-de", download=True)
    with pytest.raises(LengthMismatch, match=r"'a' has 3 segments, 'xml en-de' has 4"):
        understudy.score({"a": ["one two", "b", "c"]}, found)


@pytest.mark.usefixtures("server")
def test_a_selection_is_made_of_whole_systems(tmp_path: Path) -> None:
    found = understudy.test_set("xml", "en-de", download=True, origlang="de")
    assert repr(found) == "<TestSet xml en-de (origlang de): 2 segments, 1 reference, 1 document>"
    system = tmp_path / "system.txt"
    system.write_text("1\n2\n3\n4\n", encoding="utf-8")
    corpus = understudy.Corpus({"named": system, "kept": ["a b", "c", "d", "e"]}, found)
    assert {name: texts(column) for name, column in corpus.systems.items()} == {
        "named": ["3", "4"],
        "kept": ["d", "e"],
    }
    assert list(understudy.Corpus([system], found).systems) == ["system"]
    assert texts(found.systems["NMT"]) == ["zuerst", "dann"]
    assert texts(understudy.Corpus(found.systems, found)["NMT"]) == ["zuerst", "dann"]
    with pytest.raises(
        LengthMismatch, match=r"'a' has 3 segments, test set xml en-de has 4\. Give the whole test set"
    ):
        understudy.Corpus({"a": ["one two", "b", "c"]}, found)
    again = found.select(subset="social")
    assert str(again.called) == "xml en-de (origlang de, subset social)"
    assert list(again.rows) == [2, 3]


@pytest.mark.usefixtures("server")
def test_selections_that_cannot_be_made() -> None:
    xml = understudy.test_set("xml", "en-de", download=True)
    plain = understudy.test_set("plain", "en-de", download=True)
    with pytest.raises(
        BadParameter, match=r"unknown original language in test set xml en-de\. Known: de, en"
    ):
        xml.select(origlang="fr")
    with pytest.raises(NoSegments, match="no segment with subset sports"):
        xml.select(subset="sports")
    with pytest.raises(BadParameter, match="not a regular expression"):
        xml.select(subset="(")
    with pytest.raises(BadParameter, match="does not say original languages"):
        plain.select(origlang="en")
    with pytest.raises(BadParameter, match="has no domains"):
        plain.select(subset="news")


@pytest.mark.usefixtures("server")
def test_several_sets_are_joined() -> None:
    found = understudy.test_set("xml,sgm", "en-de", download=True)
    assert len(found) == 9
    assert found.documents is not None
    assert found.documents[0] == "xml:d1"
    assert found.documents[-1] == "sgm:none.3"
    assert found.called.keys == ("xml-2020", "sgm-2020")
    assert found.name == "xml,sgm"
    assert len(found.select(origlang="en")) == 5
    with pytest.raises(BadParameter, match="different numbers of references"):
        understudy.test_set("xml,sgm/tworefs", "en-de", download=True)


@pytest.mark.parametrize(
    ("name", "pair", "message"),
    [
        ("xmll", "en-de", "unknown test set 'xmll'. Did you mean 'xml'"),
        ("zzz", "en-de", "unknown test set 'zzz'. See `understudy data list`."),
        ("xml", "en-fr", "test set 'xml': unknown language pair 'en-fr'. Did you mean 'en-de'?"),
        ("", "en-de", "unknown test set ''"),
    ],
)
@pytest.mark.usefixtures("server")
def test_unknown_names(name: str, pair: str, message: str) -> None:
    with pytest.raises(BadParameter) as raised:
        understudy.test_set(name, pair)
    assert str(raised.value).startswith(message)


@pytest.mark.usefixtures("server")
def test_every_small_set_is_read() -> None:
    for name, each in SETS.items():
        for pair in each.pairs:
            found = understudy.test_set(name, pair, download=True)
            assert len(found) >= 2
            assert found.target_language == pair.rpartition("-")[2]


# --- folders --------------------------------------------------------------------------------------------------


def test_flores(tmp_path: Path) -> None:
    for split, lines in (("dev", ["one"]), ("devtest", ["two", "three"])):
        (tmp_path / split).mkdir()
        for language in ("eng_Latn", "deu_Latn"):
            (tmp_path / split / f"{language}.{split}").write_text(
                "".join(f"{line} {language}\n" for line in lines), encoding="utf-8"
            )
        rows = "".join(f"http://x/{line}\twikinews\ttopic\n" for line in lines)
        (tmp_path / f"metadata_{split}.tsv").write_text(f"URL\tdomain\ttopic\n{rows}", encoding="utf-8")
    found = understudy.test_set(f"flores200:{tmp_path}", "eng_Latn-deu_Latn")
    assert texts(found.sources) == ["two eng_Latn", "three eng_Latn"]
    assert texts(found.references["ref"]) == ["two deu_Latn", "three deu_Latn"]
    assert found.documents == ("http://x/two", "http://x/three")
    assert found.domains == ("wikinews", "wikinews")
    assert found.target_language == "deu_Latn"
    assert str(found.called) == "flores200 eng_Latn-deu_Latn"
    assert len(understudy.test_set(f"flores200:{tmp_path / 'dev'}", "deu_Latn-eng_Latn")) == 1
    with pytest.raises(BadInput, match=r"no language pair 'eng_Latn-fra_Latn'.*fra_Latn\.devtest"):
        understudy.test_set(f"flores200:{tmp_path}", "eng_Latn-fra_Latn")
    with pytest.raises(BadParameter, match="not a language pair"):
        understudy.test_set(f"flores200:{tmp_path}", "eng_Latn")
    with pytest.raises(MissingFile, match="no such folder"):
        understudy.test_set("flores200:nowhere", "eng_Latn-deu_Latn")
    (tmp_path / "devtest" / "deu_Latn.devtest").write_text("two\n", encoding="utf-8")
    with pytest.raises(LengthMismatch, match=r"has 2 lines, '.*deu_Latn\.devtest' 1\."):
        understudy.test_set(f"flores200:{tmp_path}", "eng_Latn-deu_Latn")


def test_ntrex(tmp_path: Path) -> None:
    inside = tmp_path / "NTREX-128"
    inside.mkdir()
    for language, role in (("eng", "src"), ("deu", "ref"), ("zho-CN", "ref")):
        (inside / f"newstest2019-{role}.{language}.txt").write_text(
            f"a {language}\nb {language}\n", encoding="utf-8"
        )
    (tmp_path / "DOCUMENT_IDS.tsv").write_text("bbc.1\nbbc.2\n", encoding="utf-8")
    found = understudy.test_set(f"ntrex:{tmp_path}", "eng-zho-CN")
    assert texts(found.references["ref"]) == ["a zho-CN", "b zho-CN"]
    assert found.target_language == "zho-CN"
    assert found.documents == ("bbc.1", "bbc.2")
    assert found.called.keys == ("federmann-etal-2022-ntrex",)
    assert texts(understudy.test_set(f"ntrex:{inside}", "deu-eng").references["ref"]) == ["a eng", "b eng"]
    with pytest.raises(BadInput, match="no language pair 'eng-fra'"):
        understudy.test_set(f"ntrex:{tmp_path}", "eng-fra")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="Give the folder of NTREX"):
        understudy.test_set(f"ntrex:{tmp_path / 'empty'}", "eng-deu")


# --- with human scores ----------------------------------------------------------------------------------------

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


def test_the_folders_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(test_sets, "environment", {"SACREBLEU": str(tmp_path / "sb")})
    assert stored_set("wmt19", "en-de").path("src") == tmp_path / "sb" / "wmt19" / "wmt19.en-de.src"
    monkeypatch.setattr(test_sets, "environment", {})
    assert stored_set("wmt19", "en-de").home == Path(os.path.expanduser("~")) / ".sacrebleu"
    assert isinstance(stored_set("wmt20/robust/set1", "en-ja"), StoredSet)

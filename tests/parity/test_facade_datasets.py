"""Test sets under sacreBLEU's names: the table, the files, the lines and the selections are the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sacrebleu")
pytest.importorskip("lxml")
import sacrebleu
import sacrebleu.dataset

import understudy.compat.sacrebleu as facade
from material.file_server import FileServer, served
from material.small_sets import PAIRS, SETS, contents
from understudy import errors

PACKAGES = {"ours": facade, "theirs": sacrebleu}
TAGS = {"bbc.1": "GB-politics", "spiegel.2": "EU-sport-DE"}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    """With both packages storing elsewhere, and knowing the small sets."""
    monkeypatch.setattr("sacrebleu.dataset.base.SACREBLEU_DIR", str(tmp_path / "theirs"))
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path / "theirs"))
    monkeypatch.setattr("understudy.compat.sacrebleu.dataset.base.SACREBLEU_DIR", str(tmp_path / "ours"))
    with served() as running:
        running.files.update(contents())
        for package in PACKAGES.values():
            monkeypatch.setitem(package.utils.SUBSETS, "sgm", TAGS)
            for name, small in SETS.items():
                facts = small.facts(name, running.address)
                pairs = {
                    pair: {"path": files["files"][0], "refs": files["references"]}
                    if isinstance(files, dict)
                    else files
                    for pair, files in small.pairs.items()
                }
                made = getattr(package.dataset, small.sacrebleu)(
                    name,
                    data=[url for url, _ in facts["files"]],
                    md5=[digest for _, digest in facts["files"]],
                    langpairs=pairs,
                    **({"refs": facts["references"]} if "references" in facts else {}),
                )
                monkeypatch.setitem(package.DATASETS, name, made)
        yield running


def told(paths: list[str]) -> dict[str, bytes]:
    return {os.path.basename(path): Path(path).read_bytes() for path in paths}


def test_the_table_is_the_same() -> None:
    assert list(facade.DATASETS) == list(sacrebleu.DATASETS)
    for name, theirs in sacrebleu.DATASETS.items():
        ours = facade.DATASETS[name]
        assert type(ours).__name__ == type(theirs).__name__
        for attribute in ("name", "data", "description", "md5", "langpairs", "kwargs", "_outdir", "_rawdir"):
            assert getattr(ours, attribute) == getattr(theirs, attribute), (name, attribute)
        if theirs.citation:  # one of theirs has a vertical tab for \v, another lacks its last brace
            ended = theirs.citation.count("{") == theirs.citation.count("}")
            assert ours.citation == theirs.citation.replace("\v", "\\v") + "\n}" * (not ended)
    for name in ("SUBSETS", "COUNTRIES", "DOMAINS"):
        assert getattr(facade.dataset, name) == getattr(sacrebleu.dataset, name)


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_a_set_of_ones_own_needs_no_checksum(server: FileServer, package: Any) -> None:
    address = f"{server.address}/plain.zip"
    pairs = {"en-de": ["set/small.en", "set/small.de"]}
    own = package.dataset.PlainTextDataset("own", data=[address], langpairs=pairs)
    own.maybe_download()
    assert [os.path.basename(path) for path in own.get_files("en-de")] == ["own.en-de.src", "own.en-de.ref"]
    assert list(own.source("en-de"))[:2] == ["One.", "Two."]


def test_only_the_wanted_pair_is_read(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive without another pair is no obstacle, nor is anything downloaded for an unknown one."""
    pairs = {"en-fr": ["set/nosuch.en", "set/nosuch.fr"], "en-de": ["set/small.en", "set/small.de"]}
    own = facade.dataset.PlainTextDataset("own", data=[f"{server.address}/plain.zip"], langpairs=pairs)
    monkeypatch.setitem(facade.DATASETS, "own", own)
    with pytest.raises(errors.BadParameter, match="unknown language pair 'en-xx'"):
        facade.download_test_set("own", "en-xx")
    assert server.requests == []
    files = facade.download_test_set("own", "en-de")
    assert files == [str(tmp_path / "ours" / "own" / f"own.en-de.{field}") for field in ("src", "ref")]


def test_lists_of_sets_are_the_same() -> None:
    mine, theirs = facade.utils, sacrebleu.utils
    assert mine.get_available_testsets() == theirs.get_available_testsets()
    for name in (*sacrebleu.DATASETS, "wmt05"):
        assert mine.get_langpairs_for_testset(name) == theirs.get_langpairs_for_testset(name)
    for pair in ("en-de", "de-en", "ja-en", "xx-yy"):
        found = mine.get_available_testsets_for_langpair(pair)
        assert found == theirs.get_available_testsets_for_langpair(pair)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sacreBLEU's iterators leave their files open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("name", "pair"), PAIRS)
def test_files_and_lines_are_the_same(server: FileServer, name: str, pair: str) -> None:
    assert server.requests == []
    with pytest.raises(errors.MissingFile, match=f"understudy data get {name} {pair}"):
        facade.get_source_file(name, pair)
    assert server.requests == []  # nothing is downloaded unless asked for
    results: list[Any] = []
    for package in PACKAGES.values():
        package.download_test_set(name, pair)
        dataset = package.DATASETS[name]
        references = package.get_reference_files(name, pair)
        results.append(
            (
                told(package.utils.get_files(name, pair)),
                os.path.basename(package.get_source_file(name, pair)),
                told(references),
                set(dataset.fieldnames(pair)),
                list(dataset.source(pair)),
            )
        )
        # In sacreBLEU's iterators, WMT's XML has all references.
        if len(references) == sum(field.startswith("ref") for field in dataset.fieldnames(pair)):
            rows = [sorted(row) for row in dataset.references(pair)]
            results[-1] += (rows, [sorted(row) for row in dataset.__iter__(pair)])
    assert results[0] == results[1]
    dataset = facade.DATASETS[name]
    assert [os.path.basename(path) for path in dataset.get_files(pair)] == [
        f"{name.replace('/', '_')}.{pair}.{field.replace(':', '-')}" for field in dataset.fieldnames(pair)
    ]


@pytest.mark.parametrize(
    ("name", "origlang", "subset"),
    [
        ("sgm", "en", None),
        ("sgm", "non-en", None),
        ("sgm", None, "politics"),
        ("sgm", None, "country:EU"),
        ("sgm", "en", "GB-.*"),
        ("xml", "de", None),
        ("xml", "non-de", None),
        ("xml", None, "news|social"),
        ("xml", "en", "new"),
        ("xml,xml", "en", None),
        ("sgm", None, None),
    ],
)
def test_the_same_lines_are_selected(
    server: FileServer, name: str, origlang: str | None, subset: str | None
) -> None:
    found = []
    for package in PACKAGES.values():
        for each in name.split(","):
            package.download_test_set(each, "en-de")
        system = [str(number) for number in range(8)]
        (kept,) = package.utils.filter_subset([system], name, "en-de", origlang, subset)
        found.append(kept)
    assert server.requests
    assert found[0] == found[1]
    assert origlang is subset is None or 0 < len(found[0]) < 8


def test_pairs_with_references_of_their_own_are_selected_from(server: FileServer) -> None:
    """A KeyError in sacreBLEU."""
    facade.download_test_set("xml/AB", "en-de")
    assert facade.utils.filter_subset([["a", "b", "c", "d"]], "xml/AB", "en-de", "en") == [["a", "b"]]
    assert server.requests


def test_languages_and_domains_are_listed_alike(server: FileServer) -> None:
    for name in ("sgm", "xml", "plain", "iwslt"):
        for package in PACKAGES.values():
            package.download_test_set(name, "en-de")
        if name != "sgm":
            found = [package.utils.get_available_origlangs(name, "en-de") for package in PACKAGES.values()]
            assert found[0] == found[1]
        found = [package.utils.get_available_subsets(name, "en-de") for package in PACKAGES.values()]
        assert found[0] == found[1]
    assert facade.utils.get_available_origlangs("sgm", "en-de") == ["de", "en"]
    assert facade.utils.get_available_origlangs(None, "en-de") == []
    assert server.requests


def test_a_broken_download_leaves_nothing(server: FileServer, tmp_path: Path) -> None:
    server.files = dict.fromkeys(server.files, b"something else")
    with pytest.raises(errors.DownloadFailed, match="expected md5:"):
        facade.download_test_set("plain", "en-de")
    assert [path.name for path in (tmp_path / "ours").rglob("*") if path.is_file()] == []


def test_single_files_are_downloaded_and_extracted(server: FileServer, tmp_path: Path) -> None:
    url, digest = SETS["plain"].facts("plain", server.address)["files"][0]
    target = tmp_path / "files" / "plain.zip"
    facade.utils.download_file(url, str(target), extract_to=str(tmp_path / "out"), expected_md5=digest)
    assert facade.utils.get_md5sum(str(target)) == digest
    assert (tmp_path / "out" / "set" / "small.de").read_text(encoding="utf-8") == "Eins.\nZwei.\nDrei.\n"
    facade.utils.extract_tarball(str(tmp_path / "out" / "set" / "small.de"), str(tmp_path))  # nothing to do


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: facade.get_source_file("wmt99", "en-de"), "unknown test set 'wmt99'. Did you mean"),
        (lambda: facade.get_source_file("wmt19", "en-xx"), "language pair 'en-xx'"),
        (lambda: facade.utils.filter_subset([[]], None, None, "en"), "give a test set and a language pair"),
    ],
)
def test_mistakes_are_refused(call: Any, says: str) -> None:
    with pytest.raises(errors.BadParameter, match=says):
        call()

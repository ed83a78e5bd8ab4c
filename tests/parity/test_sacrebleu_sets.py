"""The table of test sets and the bytes that are stored of them, as sacreBLEU has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sacrebleu")
pytest.importorskip("lxml")
import sacrebleu.dataset
import sacrebleu.utils

from material.file_server import FileServer, served
from material.small_sets import PAIRS, SETS, contents, listed_at
from understudy.corpus.test_sets import catalog
from understudy.corpus.test_sets.fields import echoed
from understudy.corpus.test_sets.reading import test_set as read_set
from understudy.corpus.test_sets.stored_sets import stored_set
from understudy.downloads import download

# Of the years whose sets sacreBLEU gives no citation.
CITED_HERE = {"wmt20", "wmt21", "wmt22", "wmt23", "wmt24"}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with served() as running:
        running.files.update(contents())
        listed_at(running.address, monkeypatch, tmp_path / "ours")
        yield running


def theirs(name: str, address: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """sacreBLEU's set of this name, at the same address, stored elsewhere."""
    small = SETS[name]
    facts = small.facts(name, address)
    pairs = {
        pair: {"path": files["files"][0], "refs": files["references"]} if isinstance(files, dict) else files
        for pair, files in small.pairs.items()
    }
    made = getattr(sacrebleu.dataset, small.sacrebleu)(
        name,
        data=[url for url, _ in facts["files"]],
        md5=[digest for _, digest in facts["files"]],
        langpairs=pairs,
        **({"refs": facts["references"]} if "references" in facts else {}),
    )
    made._outdir = str(home / name)
    made._rawdir = str(home / name / "raw")
    monkeypatch.setitem(sacrebleu.dataset.DATASETS, name, made)
    return made


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def _bibtex(citation: str, name: str) -> str:
    """A citation of sacreBLEU with its mistakes mended: a vertical tab in place of `\\v`, and a missing brace."""
    return citation.replace("\v", "\\v") + ("\n}" if name.startswith("wmt19/google") else "")


def test_the_table_is_sacrebleus() -> None:
    ours = catalog.catalog()
    assert list(ours) == list(sacrebleu.dataset.DATASETS)
    for name, their in sacrebleu.dataset.DATASETS.items():
        entry = ours[name]
        assert [(file.url, file.checksum) for file in entry.files] == [
            (url, f"md5:{digest}") for url, digest in zip(their.data, their.md5, strict=True)
        ]
        assert entry.description == their.description
        if their.citation:
            assert entry.citation == _bibtex(their.citation, name)
        else:
            family = name.partition("/")[0]
            assert bool(entry.citation) == (
                family in CITED_HERE or bool(sacrebleu.dataset.DATASETS[family].citation)
            )
        assert list(entry.pairs) == list(their.langpairs)
        for pair, files in their.langpairs.items():
            named = [files["path"]] if isinstance(files, dict) else files
            assert list(entry.pairs[pair].files) == named
            refs = (
                files.get("refs", their.kwargs.get("refs", []))
                if isinstance(files, dict)
                else their.kwargs.get("refs", [])
            )
            assert list(entry.pairs[pair].translators) == refs
    assert {
        name: dict(catalog.document_tags(name)) for name in ("wmt18", "wmt19")
    } == sacrebleu.dataset.SUBSETS


def test_layouts_are_those_of_sacrebleus_classes() -> None:
    layouts = {
        "WMTXMLDataset": "wmt-xml",
        "FakeSGMLDataset": "sgml",
        "IWSLTXMLDataset": "sgml",
        "WMTAdditionDataset": "sgml",
        "PlainTextDataset": "text",
        "TSVDataset": "tsv",
    }
    for name, their in sacrebleu.dataset.DATASETS.items():
        assert catalog.entry_of(name).layout == layouts[type(their).__name__]


@pytest.mark.parametrize(("name", "pair"), PAIRS)
def test_what_is_stored_is_the_same(
    name: str, pair: str, server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    their = theirs(name, server.address, tmp_path / "theirs", monkeypatch)
    their.process_to_text(pair)
    stored_set(name, pair).get(download)
    ours = files_in(tmp_path / "ours" / "sets")
    assert ours == files_in(tmp_path / "theirs")
    assert len([path for path in ours if "/raw/" not in path]) >= 2


@pytest.mark.parametrize(("name", "pair"), PAIRS)
def test_what_sacrebleu_stored_is_read_without_a_download(
    name: str, pair: str, server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    their = theirs(name, server.address, tmp_path / "ours" / "sets", monkeypatch)
    their.process_to_text(pair)
    server.requests.clear()
    found = read_set(name, pair)
    assert server.requests == []
    lines = lambda path: Path(path).read_text(encoding="utf-8").split("\n")[:-1]  # noqa: E731
    assert [found.sources[row] for row in range(len(found))] == [
        line.removesuffix("\r") for line in lines(their.get_source_file(pair))
    ]
    references = sorted(lines(path) for path in their.get_reference_files(pair))
    # An empty one beside another is missing to us.
    assert (
        sorted([column[row] or "" for row in range(len(found))] for column in found.references.values())
        == references
    )
    assert set(stored_set(name, pair).fields()) == set(their.fieldnames(pair))
    stored = stored_set(name, pair)
    assert {str(stored.path(field)) for field in stored.references()} == set(their.get_reference_files(pair))


@pytest.mark.parametrize(("name", "pair"), PAIRS)
def test_what_is_stored_here_is_read_by_sacrebleu(
    name: str, pair: str, server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_set(name, pair).get(download)
    server.requests.clear()
    their = theirs(name, server.address, tmp_path / "ours" / "sets", monkeypatch)
    before = files_in(tmp_path / "ours" / "sets")
    assert all(map(os.path.isfile, their.get_files(pair)))
    assert server.requests == []
    assert files_in(tmp_path / "ours" / "sets") == before


@pytest.mark.parametrize(
    ("name", "origlang", "subset"),
    [
        ("sgm", "en", None),
        ("sgm", "non-en", None),
        ("sgm", "de", None),
        ("sgm", None, "politics"),
        ("sgm", None, "country:EU"),
        ("sgm", "en", "GB-.*"),
        ("xml", "de", None),
        ("xml", "non-de", None),
        ("xml", None, "news|social"),
        ("xml", "en", "new"),
    ],
)
def test_the_same_segments_are_selected(  # noqa: PLR0917
    name: str,
    origlang: str | None,
    subset: str | None,
    server: FileServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    their = theirs(name, server.address, tmp_path / "theirs", monkeypatch)
    monkeypatch.setattr(sacrebleu.utils, "SACREBLEU_DIR", str(tmp_path / "theirs"))
    monkeypatch.setitem(vars(sacrebleu.utils)["SUBSETS"], "sgm", dict(catalog.document_tags("sgm")))
    if name == "sgm":  # a document without origlang is selected by neither of them in sacreBLEU
        monkeypatch.setattr(sacrebleu.utils, "smart_open", with_every_language(sacrebleu.utils.smart_open))
    their.process_to_text("en-de")
    stored_set(name, "en-de").get(download)
    found = read_set(name, "en-de", origlang=origlang, subset=subset)
    whole = read_set(name, "en-de")
    numbers = [str(row) for row in range(len(whole))]
    (kept,) = sacrebleu.utils.filter_subset([numbers], name, "en-de", origlang, subset)
    assert kept
    assert list(map(int, kept)) == list(found.rows)
    assert [whole.sources[int(row)] for row in kept] == [found.sources[row] for row in range(len(found))]


def with_every_language(opened: Any) -> Any:
    """sacreBLEU's reader of the source, in which the last document has the language of the one before."""

    def smart_open(path: str, *arguments: Any, **settings: Any) -> Any:
        file = opened(path, *arguments, **settings)
        if not path.endswith(".sgm") or arguments:
            return file
        import io

        with file:
            return io.StringIO(
                file.read().replace(
                    'docid="none.3" genre="news"', 'docid="none.3" genre="news" origlang="de"'
                )
            )

    return smart_open


@pytest.mark.filterwarnings(  # sacreBLEU leaves its files open
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize(
    ("name", "fields", "selection"),
    [
        ("sgm", ["src"], {}),
        ("sgm", ["src", "ref", "docid", "genre", "origlang"], {}),
        ("sgm", ["ref", "src"], {"origlang": "en"}),
        ("sgm/tworefs", ["ref"], {}),
        ("sgm/tworefs", ["all"], {}),
        ("plain", ["all"], {}),
        ("table", ["src", "ref"], {}),
        ("xml", ["src", "ref:refB", "domain", "NMT"], {"subset": "news"}),
        ("xml", ["ref"], {}),
    ],
)
def test_echo_prints_the_same(  # noqa: PLR0917
    name: str,
    fields: list[str],
    selection: dict[str, Any],
    server: FileServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    theirs(name, server.address, tmp_path / "ours" / "sets", monkeypatch)
    monkeypatch.setattr(sacrebleu.utils, "SACREBLEU_DIR", str(tmp_path / "ours" / "sets"))
    sacrebleu.utils.print_test_set(name, "en-de", fields, **selection)
    printed = capsys.readouterr().out
    assert printed.count("\n") >= 2
    assert "".join(f"{line}\n" for line in echoed(name, "en-de", fields, **selection)) == printed

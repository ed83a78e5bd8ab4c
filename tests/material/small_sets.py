"""Small test sets of every layout: their archives, and the table that lists them at an address."""

from __future__ import annotations

import copy
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from understudy._core import Column
from understudy.corpus import test_sets
from understudy.corpus.test_sets import catalog

Archive = Mapping[str, str | bytes]


def tgz(files: Archive) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(content.getvalue(), mtime=0)  # the same bytes in every process


def zipped(files: Archive) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return content.getvalue()


def sgml(kind: str, documents: Mapping[str, tuple[str, list[str]]], *, more: str = "") -> str:
    """A set of documents: attributes and segments by name, as WMT wrote them until 2020."""
    lines = [f'<{kind}set setid="newstest" srclang="any" trglang="any">']
    for name, (attributes, segments) in documents.items():
        lines.append(f'<doc sysid="ref" docid="{name}" {attributes}>')
        lines.append("<p>")
        lines += [f'<seg id="{number}">{text}</seg>' for number, text in enumerate(segments, start=1)]
        lines += ["</p>", "</doc>"]
    return "\n".join([*lines, f"</{kind}set>", more])


SOURCE_SGM = sgml(
    "src",
    {
        "bbc.1": ('genre="news" origlang="en"', ["A  cat &amp; a dog.", " Two\u00a0spaces  ", ""]),
        "spiegel.2": ('genre="news" origlang="de"', ["It rained <i>hard</i>."]),
        "none.3": ('genre="news"', ["Fine, thanks."]),  # without a language, that of the document before
    },
    more='  <seg id="9">not at the start of a line</seg>',
)
REFERENCE_SGM = sgml(
    "ref",
    {
        "bbc.1": ("", ["Eine Katze &amp; ein Hund.", "Zwei Leerzeichen", "leer"]),
        "spiegel.2": ("", ["Es regnete heftig."]),
        "none.3": ("", ["Gut, danke."]),
    },
)
SECOND_SGM = REFERENCE_SGM.replace("Katze", "Mieze").replace(">leer<", "><")
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="small">
  <doc id="d1" origlang="en" domain="news">
    <src lang="en"><p><seg id="1">A  cat sat.</seg><seg id="2">It rained.</seg></p>
    <p><seg id="3">No reference.</seg></p></src>
    <ref lang="de" translator="refA"><p><seg id="1">Eine Katze saß.</seg><seg id="2">Es regnete.</seg></p></ref>
    <ref lang="de" translator="refB"><p><seg id="1">Die Katze saß.</seg><seg id="2"></seg></p></ref>
    <hyp system="ONLINE-A"><p><seg id="1">Eine Katze sass.</seg><seg id="2">Es regnet.</seg>
    <seg id="3">Keine.</seg></p></hyp>
    <hyp system="NMT"><p><seg id="1">Ein Kater saß.</seg><seg id="2">Regen.</seg><seg id="3">Nein.</seg></p></hyp>
  </doc>
  <doc id="suite" origlang="en" testsuite="hard">
    <src lang="en"><p><seg id="1">Test suite.</seg></p></src>
    <ref lang="de" translator="refA"><p><seg id="1">Testreihe.</seg></p></ref>
  </doc>
  <doc id="d2" origlang="de" domain="social">
    <src lang="en"><p><seg id="2">second</seg><seg id="1">first &lt;3<!-- sic --> or so</seg></p></src>
    <ref lang="de" translator="refA"><p><seg id="1">erstens &lt;3</seg><seg id="2">zweitens</seg></p></ref>
    <hyp system="ONLINE-A"><p><seg id="1">erst &lt;3</seg><seg id="2">zwei</seg></p></hyp>
    <hyp system="NMT"><p><seg id="1">zuerst</seg><seg id="2">dann</seg></p></hyp>
  </doc>
</dataset>
"""
IWSLT = """<?xml version="1.0" encoding="UTF-8"?>
<mteval>
<srcset setid="iwslt" srclang="english">
<doc docid="767" genre="lectures">
<url>http://example.org</url>
<seg id="1"> Hello   there. </seg>
<seg id="2">Good-bye.</seg>
</doc>
</srcset>
</mteval>
"""
PLAIN = {"set/small.en": "One. \r\nTwo.\t\n\u2028Three.\n", "set/small.de": "Eins.\nZwei.\nDrei.\n"}
TABLE = "1\t10\tOne.\tEins.\n2\t11\tTwo.\t\n3\t12\tThree.\tDrei.\n"


@dataclass(frozen=True)
class SmallSet:
    """Facts of a set as in the table, and its files by address."""

    layout: str
    files: Mapping[str, bytes]
    pairs: Mapping[str, Any]
    sacrebleu: str  # the class of sacreBLEU that reads it
    references: tuple[str, ...] = ()

    def facts(self, name: str, address: str) -> dict[str, Any]:
        digests = [[f"{address}/{file}", hashlib.md5(data).hexdigest()] for file, data in self.files.items()]
        return {
            "layout": self.layout,
            "description": f"Small set {name}.",
            "citation": f'@inproceedings{{{name}-2020,\n    title = "About {name}",\n}}',
            "files": digests,
            "pairs": copy.deepcopy(dict(self.pairs)),
            **({"references": list(self.references)} if self.references else {}),
        }


SETS = {
    "sgm": SmallSet(
        "sgml",
        {"sgm.tgz": tgz({"sgm/src.en.sgm": SOURCE_SGM, "sgm/ref.de.sgm": REFERENCE_SGM})},
        {"en-de": ["sgm/src.en.sgm", "sgm/ref.de.sgm"]},
        "FakeSGMLDataset",
    ),
    "sgm/tworefs": SmallSet(
        "sgml",
        {
            "sgm2.tar.gz": tgz(
                {"sgm/src.en.sgm": SOURCE_SGM, "sgm/ref.de.sgm": REFERENCE_SGM, "sgm/refB.de.sgm": SECOND_SGM}
            )
        },
        {"en-de": ["sgm/src.en.sgm", "sgm/ref.de.sgm", "sgm/refB.de.sgm"]},
        "FakeSGMLDataset",
    ),
    "wmt08small": SmallSet(
        "sgml",
        {"old.tgz": tgz({"src.en.sgm": SOURCE_SGM, "ref.de.sgm": REFERENCE_SGM})},
        {"en-de": ["src.en.sgm", "ref.de.sgm"]},
        "FakeSGMLDataset",
    ),
    "addition": SmallSet(
        "sgml",
        {
            "sgm.tgz": tgz({"sgm/src.en.sgm": SOURCE_SGM, "sgm/ref.de.sgm": REFERENCE_SGM}),
            "more.ref": b"Eine Katze. \nZwei\n\nRegen\nGut\n",
        },
        {"en-de": ["sgm/src.en.sgm", "addition.more.ref"]},
        "WMTAdditionDataset",
    ),
    "iwslt": SmallSet(
        "sgml",
        {
            "en-de.tgz": tgz({"en-de/tst.en.xml": IWSLT}),
            "de-en.tgz": tgz({"de-en/tst.de.xml": IWSLT.replace("Hello", "Hallo")}),
        },
        {
            "en-de": ["en-de/tst.en.xml", "de-en/tst.de.xml"],
            "de-en": ["de-en/tst.de.xml", "en-de/tst.en.xml"],
        },
        "IWSLTXMLDataset",
    ),
    "xml": SmallSet(
        "wmt-xml",
        {"xml.tar.gz": tgz({"xml-1/xml/small.en-de.all.xml": XML})},
        {"en-de": ["xml-1/xml/small.en-de.all.xml"]},
        "WMTXMLDataset",
        ("refA",),
    ),
    "xml/AB": SmallSet(
        "wmt-xml",
        {"xml.tar.gz": tgz({"xml-1/xml/small.en-de.all.xml": XML})},
        {"en-de": {"files": ["xml-1/xml/small.en-de.all.xml"], "references": ["refA", "refB"]}},
        "WMTXMLDataset",
        ("refB",),
    ),
    "plain": SmallSet(
        "text",
        {"plain.zip": zipped(PLAIN)},
        {"en-de": ["set/small.en", "set/small.de"], "de-en": ["set/small.de", "set/small.en"]},
        "PlainTextDataset",
    ),
    "packed": SmallSet(
        "text",
        {
            "plain.tar.gz": tgz(PLAIN),
            "small.fr.gz": gzip.compress(b"Un.\nDeux.\nTrois.\n", mtime=0),
        },
        {"en-fr": ["set/small.en", "packed.small.fr.gz"]},
        "PlainTextDataset",
    ),
    "table": SmallSet(
        "tsv",
        {"table.tar.gz": tgz({"T/small.tsv": TABLE, "T/two.tsv": "a\tb\nc\td\n"})},
        {"en-de": ["2:T/small.tsv", "3:T/small.tsv"], "en-fr": ["T/two.tsv", "T/two.tsv"]},
        "TSVDataset",
    ),
}
PAIRS = [(name, pair) for name, each in SETS.items() for pair in each.pairs]


def contents() -> dict[str, bytes]:
    """What a server has: all archives by path."""
    return {f"/{file}": data for each in SETS.values() for file, data in each.files.items()}


def listed_at(address: str, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """The table of test sets is that of the small ones, at this address, and `home` is where they are stored."""
    small = {
        "judged": {"name": "judged-v2", "file": f"{address}/judged-v2.tgz", "description": "Judged sets"},
        "folders": {kind: facts._asdict() for kind, facts in catalog.folder_formats().items()},
        "sets": {name: each.facts(name, address) for name, each in SETS.items()},
        "document_tags": {"sgm": "bbc.1=GB-politics spiegel.2=EU-crime-DE"},
    }
    monkeypatch.setattr(catalog, "table", lambda: small)
    monkeypatch.setattr(
        test_sets,
        "environment",
        {"SACREBLEU": str(home / "sets"), "UNDERSTUDY_DATA": str(home / "data"), "HOME": str(home)},
    )


def left(home: Path) -> list[str]:
    """All files in the folder of test sets."""
    return sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())


def texts(column: Column) -> list[str | None]:
    return [column[row] for row in range(len(column))]

"""Files for sacreBLEU's command line: systems, references and stored test sets, written into a folder."""

from __future__ import annotations

import gzip
from pathlib import Path

from material.small_sets import TABLE, sgml

EXAMPLES = Path(__file__).parents[2] / "examples"

# Documents of wmt18 with the countries and domains that sacreBLEU knows of them.
DOCUMENTS = {"rt.com.68098": "US-crime", "bbc.310963": "GB-sport", "guardian.181611": "US-politics"}


def example(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]


def write_files(folder: Path) -> None:
    """All files, in a folder that is the current directory of both programs. The test sets are in `cache`."""
    references = [example("reference-1.en"), example("reference-2.en")]
    systems = {name: example(f"system-{name}.en") for name in ("strong", "medium", "weak")}
    texts = {
        "ref.txt": references[0],
        "ref2.txt": references[1],
        "strong.txt": systems["strong"],
        "medium.txt": systems["medium"],
        "weak.txt": systems["weak"],
        "again.txt": systems["strong"],
        "short.txt": systems["strong"][:-1],
        "long.txt": [*systems["strong"], "One more."],
        "10": systems["medium"],
        "20": systems["weak"],
        "übersetzung.txt": systems["medium"],
        "a_b&c%$#{1}~^<2>.txt": systems["weak"],
        "spaces.txt": [f"{line}  \t " for line in systems["medium"]],
        "gaps.txt": ["" if row % 7 == 0 else line for row, line in enumerate(systems["medium"])],
        "one.ref": ["The cat sat on the mat."],
        "one.txt": ["A cat sat on the mat."],
        "none.txt": ["Nothing in common"],
        "two.ref": ["Yes.", "It rained all day long."],
        "two.txt": ["Yes.", "It rained the whole day."],
        "tokenized.ref": [f"{line} {row}." for row, line in enumerate([*references[0], *references[0]])],
        "tokenized.txt": [f"{line} {row} ." for row, line in enumerate([*systems["weak"], *systems["weak"]])],
        "columns.tsv": ["\t".join(pair) for pair in zip(*references, strict=True)],
        "uneven.tsv": ["one\ttwo", "three", "four\tfive"],
        "zh.ref": example("chinese/reference.txt"),
        "zh.good": example("chinese/good.txt"),
        "zh.poor": example("chinese/poor.txt"),
        "german.ref": ["Das Frühstück kostet 3,50 €.", "Es regnete — heftig.", "Äpfel &amp; Birnen"],
        "german.txt": ["Frühstück kostet 3,50 €.", "Es hat heftig geregnet.", "Äpfel &amp; Birne"],
    }
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "unended.txt").write_bytes("\n".join(systems["medium"]).encode())
    (folder / "crlf.txt").write_bytes("".join(f"{line}\r\n" for line in systems["medium"]).encode())
    (folder / "latin1.ref").write_bytes("Frühstück für zwei.\nÄpfel\n".encode("latin-1"))
    (folder / "latin1.txt").write_bytes("Frühstück fuer zwei.\nÄpfel und mehr\n".encode("latin-1"))
    (folder / "ref.gz").write_bytes(gzip.compress((folder / "ref.txt").read_bytes(), mtime=0))
    (folder / "medium.gz").write_bytes(gzip.compress((folder / "medium.txt").read_bytes(), mtime=0))
    _write_test_sets(folder / "cache")
    # Of the test sets: the segments of wmt18 en-de, and of wmt23 de-en.
    (folder / "set.de").write_text(
        "Der Hund schlief.\nDas Spiel war gut.\nEin Tor fiel spät.\nSie wählten neu.\n"
    )
    (folder / "set.other.de").write_text("Hund schläft.\nSpiel gut.\nSpätes Tor fiel.\nEs gab eine Wahl.\n")
    (folder / "set.en").write_text("A cat sat.\nIt rains.\nFirst <3\nSecondly\n")


def _write_test_sets(cache: Path) -> None:
    """Test sets as they are once an archive was extracted. An archive that is there is not opened again."""
    language = dict(zip(DOCUMENTS, ("en", "en", "de"), strict=True))
    source, target = {}, {}
    for document, english, german in [
        ("rt.com.68098", ["The dog  slept."], ["Der Hund schlief."]),
        (
            "bbc.310963",
            ["The match was good.", "A goal came late."],
            ["Das Spiel war gut.", "Spät fiel ein Tor."],
        ),
        ("guardian.181611", ["They voted again."], ["Sie wählten noch einmal."]),
    ]:
        source[document] = (f'genre="news" origlang="{language[document]}"', english)
        target[document] = (f'genre="news" origlang="{language[document]}"', german)
    _write_set(
        cache / "wmt18",
        "wmt18.test.tgz",
        {
            "test/newstest2018-ende-src.en.sgm": sgml("src", source),
            "test/newstest2018-ende-ref.de.sgm": sgml("ref", target),
        },
    )
    xml = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="small">
  <doc id="d1" origlang="de" domain="news">
    <src lang="de"><p><seg id="1">Eine Katze saß.</seg><seg id="2">Es regnete.</seg></p></src>
    <ref lang="en" translator="refA"><p><seg id="1">A cat sat.</seg><seg id="2">It rained.</seg></p></ref>
    <hyp system="ONLINE-W"><p><seg id="1">One cat sat.</seg><seg id="2">It rains.</seg></p></hyp>
    <hyp system="NMT"><p><seg id="1">A cat.</seg><seg id="2">Rain.</seg></p></hyp>
  </doc>
  <doc id="d2" origlang="en" domain="social">
    <src lang="de"><p><seg id="1">erstens &lt;3</seg><seg id="2">zweitens</seg></p></src>
    <ref lang="en" translator="refA"><p><seg id="1">first &lt;3</seg><seg id="2">second</seg></p></ref>
    <hyp system="ONLINE-W"><p><seg id="1">first</seg><seg id="2">two</seg></p></hyp>
    <hyp system="NMT"><p><seg id="1">at first</seg><seg id="2">then</seg></p></hyp>
  </doc>
</dataset>
"""
    _write_set(
        cache / "wmt23",
        "wmt23.v.0.1.tar.gz",
        {"wmt23-news-systems-v.0.1/xml/wmttest2023.de-en.all.xml": xml},
    )
    _write_set(
        cache / "multi30k" / "2016",
        "multi30k_2016.multi30k_test_sets_d3ec2a38.tar.gz",
        {"test_2016_flickr.en": "A dog.\nTwo men.\n", "test_2016_flickr.de": "Ein Hund.\nZwei Männer.\n"},
    )
    _write_set(cache / "mtnt2019", "mtnt2019.MTNT2019.tar.gz", {"MTNT2019/en-fr.final.tsv": TABLE})


def _write_set(folder: Path, archive: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / "raw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    (folder / "raw" / archive).write_bytes(b"extracted already")

"""Which language texts are in: as their files say, and never by a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy.breakdown.run import break_down
from understudy.corpus.corpus import Corpus
from understudy.corpus.languages import language_of_name, language_tag
from understudy.errors import BadParameter
from understudy.text.languages import CODES

XML = """<dataset id="t"><doc id="d">
  <src lang="en"><p><seg id="1">one</seg></p></src>
  <ref lang="{ref}" translator="A"><p><seg id="1">eins</seg></p></ref>
  <hyp {hyp} system="X"><p><seg id="1">eins</seg></p></hyp>
</doc></dataset>
"""


def sgml(kind: str, language: str) -> str:
    said = f' trglang="{language}"' if language else ""
    return f'<{kind} setid="s" srclang="any"{said}><doc docid="d" sysid="A"><seg id="1">eins</seg></doc></{kind}>'


def text(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.write_text(f"eins {path.name}\n", encoding="utf-8")  # each its own: a copy would be warned of
    return paths


@pytest.mark.parametrize(
    ("systems", "reference", "expected"),
    [
        (["a.txt", "b.txt"], "ref.de", "de"),
        (["a.de", "b.de.txt"], "ref.de.txt", "de"),
        (["a.txt"], "ref.DE", "de"),
        (["a.txt"], "ref.txt", None),
        (["a.txt"], "refA", None),
        (["a.no"], "ref.txt", None),  # a system may be called anything
        (["a.fr"], "ref.de", None),  # a wrong one is worse than none
        (["a.txt"], "ref.abc", None),
        (["a.txt"], "de", None),
    ],
)
def test_names_of_files(tmp_path: Path, systems: list[str], reference: str, expected: str | None) -> None:
    assert Corpus.read(text(tmp_path, *systems), text(tmp_path, reference)).language == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [("de", "de"), ("German", "de"), ("pt_BR", "pt-BR"), ("any", None), ("", None), ("Klingon", None)],
)
def test_sgml_says_it(tmp_path: Path, said: str, expected: str | None) -> None:
    reference = tmp_path / "ref.sgm"
    reference.write_text(sgml("refset", said), encoding="utf-8")
    assert Corpus.read(text(tmp_path, "a.txt"), [reference]).language == expected
    system = tmp_path / "system.sgm"
    system.write_text(sgml("tstset", said), encoding="utf-8")
    assert Corpus.read([system], text(tmp_path, "ref.txt")).language == expected
    assert Corpus.read([system], text(tmp_path, "ref.fr")).language == (None if expected else "fr")


@pytest.mark.parametrize(
    ("ref", "hyp", "expected"),
    [
        ("de", "", "de"),
        ("de", 'lang="de"', "de"),
        ("de", 'language="de"', "de"),
        ("de", 'xml:lang="de"', "de"),
        ("de", 'lang="fr"', None),
        ("", 'language="de-AT"', "de-AT"),
    ],
)
def test_xml_says_it(tmp_path: Path, ref: str, hyp: str, expected: str | None) -> None:
    path = tmp_path / "all.xml"
    path.write_text(XML.format(ref=ref, hyp=hyp), encoding="utf-8")
    assert Corpus.read([path], [path]).language == expected


def test_a_tag_is_one_that_browsers_know() -> None:
    assert len(CODES) == 184
    assert [
        language_tag(said) for said in ("EN", "zh-Hant-TW", "en-US", " de ", "hsb", "und", "x", "en us")
    ] == [
        "en",
        "zh-Hant-TW",
        "en-US",
        "de",
        "hsb",
        None,
        None,
        None,
    ]
    assert language_of_name("archive.tar.de") == "de"


def test_what_is_given_counts_for_more_than_what_files_say(tmp_path: Path) -> None:
    systems, references = text(tmp_path, "a.txt", "b.txt"), text(tmp_path, "ref.de")
    assert break_down(systems, references).language == "de"
    assert break_down(systems, references, lang="en-pt").language == "pt"  # of a pair the target language
    with pytest.raises(BadParameter, match=r"'auto' is not a language code\."):
        break_down(systems, references, lang="auto")

"""NIST's SGML and the XML of WMT: systems, references and documents; and what is refused."""

from __future__ import annotations

import html
import re

import pytest

from material.shared import SHARED, needs
from material.written_files import DOC, read, refusal, rows_of, sgml, write
from understudy.corpus import lines, markup_texts, temporary_bytes
from understudy.corpus.label_runs import LabelRuns
from understudy.corpus.segment_sources import Role, open_sources
from understudy.errors import InputWarning


@pytest.fixture(autouse=True, params=[7, 1 << 20], ids=["in small blocks", "in large blocks"])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in blocks, and texts kept in a temporary file, of any size."""
    monkeypatch.setattr(lines, "BLOCK", request.param)
    monkeypatch.setattr(markup_texts, "_PIECE", request.param)
    monkeypatch.setattr(temporary_bytes, "_IN_MEMORY", request.param)


def test_sgml() -> None:
    content = sgml(
        "TSTSET",
        '<DOC docid="d1" sysid="X"><hl><seg id="1">a  b</seg></hl>',
        '<p><seg id=2></seg><SEG ID="3"> c\r\n\td </SEG></p></DOC>',
        "<doc sysid='X' genre=news docid='d2'>",
        "<seg id='1'>R&amp;D <skipped> x\u00a0y\u2028z</seg>\n<seg/></doc>",
    )
    (source,) = open_sources(write("a.sgm", "\ufeff" + content), role="system")
    assert (source.name, source.where) == ("a", "a.sgm")
    assert source.documents == ["d1", "d1", "d1", "d2", "d2"]
    assert rows_of(source) == ["a b", "", "c d", "R&amp;D <skipped> x\u00a0y\u2028z", ""]
    write("a.xml.gz", '<?xml version="1.0"?><!DOCTYPE mteval SYSTEM "x.dtd"><mteval>' + content + "</mteval>")
    assert read("a.xml.gz")[0][3] == "R&amp;D <skipped> x\u00a0y\u2028z"


def test_sgml_of_several_systems() -> None:
    content = sgml(
        "refset",
        '<doc docid="d1" sysid="A"><seg id="1">A1</seg><seg id="2">A2</seg></doc>',
        '<doc docid="d2" sysid="A"><seg id="1">A3</seg></doc>',
        '<doc docid="d2" sysid="B"><seg id="1">B3</seg></doc>',
        '<doc docid="d1" sysid="B"><seg id="2">B2</seg><seg id="1">B1</seg></doc>',
    )
    write("ref.sgm", content)
    sources = open_sources("ref.sgm", role="reference")
    assert [(source.name, source.where) for source in sources] == [
        ("ref:A", "ref.sgm:A"),
        ("ref:B", "ref.sgm:B"),
    ]
    assert [source.documents for source in sources] == [["d1", "d1", "d2"]] * 2
    assert [rows_of(source) for source in sources] == [["A1", "A2", "A3"], ["B1", "B2", "B3"]]
    assert read("ref.sgm:B", "reference") == [["B1", "B2", "B3"]]
    assert read("ref.sgm:B,A", "reference") == [["B1", "B2", "B3"], ["A1", "A2", "A3"]]
    assert read("ref.sgm:B") == [["B1", "B2", "B3"]]
    assert refusal("ref.sgm:C", "reference") == "'ref.sgm': unknown reference 'C'. Known: A, B."
    assert refusal("ref.sgm") == (
        "'ref.sgm' contains no system outputs, only references. Are the arguments swapped? Select a text by "
        "name, e.g. ref.sgm:A."
    )
    assert refusal("ref.sgm", "source") == "'ref.sgm' contains no source texts."


@pytest.mark.parametrize(
    ("kind", "role", "expected"),
    [
        ("srcset", "system", "tstset"),
        ("srcset", "reference", "refset"),
        ("refset", "system", "tstset"),
        ("tstset", "reference", "refset"),
    ],
)
def test_a_lone_set_of_another_kind_has_the_role_in_which_it_is_given(
    kind: str, role: Role, expected: str
) -> None:
    write("a.sgm", sgml(kind, DOC.format("<seg>a</seg><seg>b</seg>")))
    said = f"'a.sgm' contains a <{kind}>, expected a <{expected}>. Its only text is used as a {role}."
    said += "" if kind == "srcset" else " Are the arguments swapped?"
    with pytest.warns(InputWarning, match=f"^{re.escape(said)}$"):
        (source,) = open_sources("a.sgm", role=role)
    assert (source.name, source.documents, rows_of(source)) == ("a", ["d", "d"], ["a", "b"])


def test_a_lone_source_set_has_no_names_to_choose_from() -> None:
    write("a.sgm", sgml("srcset", DOC.format("<seg>a</seg>")))
    with pytest.warns(InputWarning, match="contains a <srcset>"):
        assert refusal("a.sgm:X") == "'a.sgm': unknown system 'X'. Known: unnamed."
    assert read("a.sgm", "source") == [["a"]]
    write("t.xml", "<dataset><doc id='d'><src><seg>a</seg></src></doc></dataset>")
    assert refusal("t.xml") == (
        "'t.xml' contains no system outputs, only source texts. Are the arguments swapped?"
    )
    assert refusal("t.xml:X") == "'t.xml' has no systems, expected 'X'. Give a file that has this system."


def test_a_lone_set_chosen_by_name_is_meant() -> None:
    write("a.sgm", sgml("refset", DOC.format("<seg>a</seg>")))
    assert read("a.sgm:X") == [["a"]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "'a.sgm' contains no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>."),
        (
            sgml("tstset", DOC.format("")),
            "'a.sgm' contains no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>.",
        ),
        ("<tstset>\n" + DOC.format("<seg>a</seg>"), "'a.sgm' ends inside <tstset>. Is it truncated?"),
        ("<tstset>\n<doc docid=d>\n<seg>a", "'a.sgm' ends inside <seg>. Is it truncated?"),
        (sgml("tstset", "<seg>a</seg>"), "'a.sgm', line 2: <seg> inside <tstset>. Is a tag missing?"),
        (DOC.format("<seg>a</seg>"), "'a.sgm', line 1: <doc> outside all other tags. Is a tag missing?"),
        (
            sgml("tstset", DOC.format("<seg>a\n<seg>b</seg>")),
            "'a.sgm', line 3: <seg> inside <seg>. Is a tag missing?",
        ),
        (sgml("tstset", DOC.format("<seg>a")), "'a.sgm', line 2: </doc> inside <seg>. Is a tag missing?"),
        (
            sgml("tstset", DOC.format('<seg id="1>a</seg>')),
            "'a.sgm', line 2: </seg> inside <doc>. Is a tag missing?",
        ),
        (sgml("tstset", "<doc sysid=X><seg>a</seg></doc>"), "'a.sgm', line 2: a <doc> has no docid."),
        (
            sgml("tstset", DOC.format("<seg id=1>a</seg><seg id=1>b</seg>")),
            "'a.sgm', document 'd' of 'X' has two segments '1'.",
        ),
        (
            sgml("tstset", *["<doc docid=d><seg>a</seg></doc>"] * 2),
            "'a.sgm', line 3: document 'd' of 'unnamed' occurs twice. Each system and reference needs its "
            "own sysid.",
        ),
        (
            sgml("tstset", DOC.format("<seg>a</seg>"), "<doc docid=e sysid=Y><seg>a</seg></doc>"),
            "'a.sgm': system 'Y' has a document 'e' that the others lack.",
        ),
        (
            sgml("tstset", DOC.format("<seg id=7>a</seg>"), "<doc docid=d sysid=Y><seg id=8>a</seg></doc>"),
            "'a.sgm', document 'd': system 'Y' has a segment '8' that the others lack.",
        ),
        (
            sgml("tstset", DOC.format("<seg>a</seg><seg>b</seg>"), "<doc docid=d sysid=Y><seg>a</seg></doc>"),
            "'a.sgm', document 'd': system 'Y' lacks segment '2'.",
        ),
        (
            sgml(
                "tstset",
                DOC.format("<seg>a</seg>"),
                "<doc docid=e sysid=X><seg id=5>a</seg></doc>",
                "<doc docid=d sysid=Y><seg>a</seg></doc>",
            ),
            "'a.sgm': system 'Y' lacks document 'e' (from segment '5').",
        ),
    ],
)
def test_refused_sgml(content: str, message: str) -> None:
    assert refusal(write("a.sgm", content)) == message


WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="test"><collection id="news">
  <doc origlang="de" id="d1">
    <src lang="de"><p><seg id="1">eins</seg>
      <seg id="2">zwei &amp; drei</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two &amp;
      three</seg></p></ref>
    <ref lang="en" translator="B"><p><seg id="2">II</seg><seg id="1">I</seg></p></ref>
    <hyp system="X" lang="en"><p><seg id="1">x1</seg><seg id="2"/></p></hyp>
    <hyp system="Y" lang="en"><p><seg id="1">y1</seg><seg id="2">y2</seg></p></hyp>
  </doc>
  <doc id="d2">
    <src lang="de"><p><seg id="1">vier</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">four</seg></p></ref>
    <hyp system="Y" lang="en"><p><seg id="1">y3</seg></p></hyp>
    <hyp system="X" lang="en"><p><seg id="1">x3</seg></p></hyp>
  </doc>
</collection></dataset>
"""


def test_wmt_xml() -> None:
    write("t.xml", WMT)
    sources = open_sources("t.xml", role="system")
    assert [source.name for source in sources] == ["t:X", "t:Y"]
    assert sources[0].documents == sources[1].documents == ["d1", "d1", "d2"]
    assert [rows_of(source) for source in sources] == [["x1", "", "x3"], ["y1", "y2", "y3"]]
    assert read("t.xml", "source") == [["eins", "zwei & drei", "vier"]]
    assert read("t.xml", "reference") == [["one", "two & three", "four"], ["I", "II", None]]
    assert read("t.xml:Y") == [["y1", "y2", "y3"]]
    assert read("t.xml:A") == [["one", "two & three", "four"]]
    assert refusal("t.xml:B") == "'t.xml': system 'B' lacks document 'd2' (from segment '1')."
    assert refusal("t.xml:Z") == "'t.xml': unknown system 'Z'. Known: A, B, X, Y."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<seg id="2"/>', "", "'t.xml', document 'd1': system 'X' lacks segment '2'."),
        (
            '<seg id="2"/>',
            '<seg id="3"/>',
            "'t.xml', document 'd1': system 'X' has a segment '3' that the others lack.",
        ),
        ('<seg id="2"/>', '<seg id="1"/>', "'t.xml', document 'd1' has two segments '1'."),
        ('system="Y"', 'system="X"', "'t.xml', document 'd1' has two <hyp> with the same system."),
        ('id="d2"', 'id="d1"', "'t.xml': document 'd1' occurs twice."),
        (' id="d2"', "", "'t.xml': <doc> number 2 has no id."),
        ("</dataset>", "", "'t.xml', line 19, column 1: not valid XML (no element found). Is it truncated?"),
        (
            '<dataset id="test">',
            '<!DOCTYPE dataset [<!ENTITY a "aaa">]><dataset>',
            "'t.xml' declares XML entities, which are not supported. Remove its DOCTYPE.",
        ),
    ],
)
def test_refused_xml(old: str, new: str, message: str) -> None:
    assert refusal(write("t.xml", WMT.replace(old, new))) == message


def test_other_xml() -> None:
    write("t.xml", "<html><body/></html>")
    assert refusal("t.xml") == "'t.xml' contains no <doc>; expected the XML of a WMT test set, got <html>."
    write("t.xml", "<dataset><doc id='d'><hyp system='X'/></doc></dataset>")
    assert refusal("t.xml") == "'t.xml' contains no segments."
    assert refusal("t.xml", "reference").startswith("'t.xml' contains no references, only system outputs.")


def test_segments_in_another_order_and_ids_that_are_no_numbers() -> None:
    document = "<doc docid=d sysid={}>{}</doc>"
    content = sgml(
        "tstset",
        document.format("A", "<seg id='x\ny'>1</seg><seg id='\\'>2</seg><seg id=10>3</seg><seg id=9>4</seg>"),
        document.format("B", "<seg id=9>4</seg><seg id=10>3</seg><seg id='\\'>2</seg><seg id='x\ny'>1</seg>"),
    )
    assert read(write("a.sgm", content), size=3) == [["1", "2", "3", "4"]] * 2
    (source,) = open_sources("a.sgm:B", role="system")
    assert list(source.identifiers or []) == ["x\ny", "\\", "10", "9"]
    source.close()
    repeated = content.replace("<seg id=9>4</seg></doc>", "<seg id=10>4</seg></doc>")
    assert refusal(write("a.sgm", repeated)) == "'a.sgm', document 'd' of 'A' has two segments '10'."


def test_tags_where_they_cannot_be() -> None:
    inside = WMT.replace('<p><seg id="1">one</seg>', '<p><seg id="1">one<seg>two</seg></seg>')
    assert refusal(write("t.xml", inside)) == "'t.xml', document 'd1': <seg> inside <seg>. Is a tag missing?"
    inside = WMT.replace("</p></ref>", "</p><doc id='d3'/></ref>", 1)
    assert refusal(write("t.xml", inside)) == "'t.xml', document 'd1': <doc> inside <ref>. Is a tag missing?"
    twice = WMT.replace("</doc>", "<src><seg>a</seg></src></doc>", 1)
    assert refusal(write("t.xml", twice)) == "'t.xml', document 'd1' has two <src>."


def test_domains_and_documents_in_parts() -> None:
    write("t.xml", WMT.replace('id="d2"', 'id="d2" domain="news"'))
    (source,) = open_sources("t.xml:X", role="system")
    assert (source.domains, source.documents) == (["(none)", "(none)", "news"], ["d1", "d1", "d2"])
    source.close()
    runs = LabelRuns([("a", 2), ("b", 0), ("c", 3)])
    assert list(runs) == list("aaccc")
    for start in range(-6, 7):
        for stop in range(-6, 7):
            assert runs[start:stop] == tuple("aaccc")[start:stop]
    assert [runs[place] for place in range(-5, 5)] == list("aacccaaccc")
    assert runs[::2] == tuple("acc")
    with pytest.raises(IndexError):
        runs[5]
    assert runs != list("aacc")


@needs(SHARED / "golden")
@pytest.mark.parametrize("name", ["edge", "wmt22-de-en"])
def test_real_sgml_agrees_with_its_plain_text(name: str) -> None:
    folder = SHARED / "golden/inputs" / name

    def check(sgml_name: str, twins: list[str], role: Role) -> None:
        found = read(folder / "sgm" / sgml_name, role)
        expected = [read(folder / twin, role)[0] for twin in twins]
        plain = [[" ".join(html.unescape(row or "").split()) for row in rows] for rows in found]
        assert plain == [[" ".join(html.unescape(row or "").split()) for row in rows] for rows in expected]

    references = sorted(path.name for path in folder.glob("ref*.en"))
    check("src.sgm", ["src.de"], "source")
    check(f"ref.{'ABCD'[: len(references)]}.sgm", references, "reference")
    for path in folder.glob("sys-*.en"):
        check(f"tst.{path.stem.removeprefix('sys-')}.sgm", [path.name], "system")


@needs(SHARED / "data")
def test_real_sgml_of_wmt12() -> None:
    folder = SHARED / "data/wmt12.cs-en.sgml-ranks"
    (reference,) = open_sources(folder / "ref.en.sgm.gz", role="reference")
    systems = [open_sources(path, role="system") for path in sorted(folder.glob("systems/*.sgm.gz"))]
    assert len(systems) == 6
    assert len(rows_of(reference)) == 3003
    assert len(set(reference.documents or [])) == 99
    for (system,) in systems:
        assert len(rows_of(system)) == 3003
        assert system.documents == reference.documents

"""Test sets by name: their parts, selections, joined sets, folders, and corpora made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import understudy
from material.small_sets import SETS, texts
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.errors import (
    BadInput,
    BadParameter,
    LengthMismatch,
    MissingFile,
    NoSegments,
)


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
    assert str(found.called) == "flores200/devtest eng_Latn-deu_Latn"
    dev = understudy.test_set(f"flores200:{tmp_path / 'dev'}", "deu_Latn-eng_Latn")
    assert (len(dev), dev.name) == (1, "flores200/dev")  # a score says which of the two it is of
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

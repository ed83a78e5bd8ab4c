"""Parsers by name: what is found, what is refused, and how texts are handed on."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from material.optional import needs_packages
from material.parsers import FlatParser
from understudy.errors import BadInput, BadParameter, MissingExtra, MissingFile, WrongType
from understudy.syntax import parsing, spacy_parser, stanza_parser
from understudy.syntax.parse_cache import ParseCache
from understudy.syntax.parsing import FailedParse, Parse, Parser, parser


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("spcy:fr_core_news_sm", BadParameter, "unknown parser 'spcy'. Did you mean 'spacy'?"),
        ("", BadParameter, "unknown parser ''. Known: auto, english, spacy, stanza, udpipe."),
        ("spacy", BadParameter, "parser 'spacy': expected spacy:MODEL, got 'spacy'."),
        ("spacy:", BadParameter, "expected spacy:MODEL"),
        ("auto:fr", BadParameter, "parser 'auto:fr': expected auto, got 'auto:fr'."),
        ("spacy:@words", BadParameter, "expected spacy:MODEL"),
        pytest.param(
            "udpipe:no/such.model",
            MissingFile,
            "no such UDPipe model: 'no/such.model'",
            marks=needs_packages("ufal.udpipe"),
        ),
        pytest.param(
            "spacy:no/such/folder",
            MissingFile,
            "Found neither a package nor a folder",
            marks=needs_packages("spacy"),
        ),
    ],
)
def test_names_that_mean_nothing(spec, error, said):
    with pytest.raises(error) as caught:
        parser(spec)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_english_is_for_english():
    with pytest.raises(BadParameter, match="does not support the language 'fr'"):
        parser("english", "fr")


def test_an_object_that_is_no_parser_is_refused():
    with pytest.raises(WrongType, match="got int, expected a name"):
        parser(3)  # type: ignore[arg-type]


def test_one_of_your_own():
    own = FlatParser()
    made = parser(own)
    assert isinstance(own, Parser)
    assert (made.name, made.signature, made.schemes) == (own.name, own.signature, own.schemes)
    assert made.parse(["a b"])[0].constituents == "(S (X a) (X b))"


def test_equal_texts_are_parsed_once_and_white_space_is_evened_out():
    own = FlatParser()
    steps: list[int] = []
    found = parser(own).parse(["a b", "", " a\tb\u00a0", "c", "a b", " \n"], progress=steps.append)
    assert own.asked == [["a b", "c"]]
    assert found[0] == found[2] == found[4]
    assert found[1] == found[5] == Parse("", "")
    assert sum(steps) == 6


def test_kinds_that_a_parser_lacks_are_absent_even_of_empty_texts():
    own = FlatParser(schemes={"dependencies": "flat"})
    assert parser(own).parse([""]) == [Parse(None, "")]


def test_many_texts_go_in_parts(monkeypatch):
    monkeypatch.setattr(parsing, "AT_ONCE", 3)
    own = FlatParser()
    texts = [f"w{number}" for number in range(8)]
    assert parser(own).parse(texts) == FlatParser().parse(texts)
    assert [len(part) for part in own.asked] == [3, 3, 2]


def test_a_cache_answers_in_its_place(tmp_path):
    cache = ParseCache(tmp_path / "parses")
    own = FlatParser()
    first = parser(own, cache=cache).parse(["a b", "c"])
    steps: list[int] = []
    assert parser(own, cache=cache).parse(["c", "a b", "d"], progress=steps.append)[:2] == first[::-1]
    assert own.asked == [["a b", "c"], ["d"]]
    assert sum(steps) == 3
    other = FlatParser(signature="flat-2")
    assert parser(other, cache=cache).parse(["c"]) == [first[1]]
    assert other.asked == [["c"]]


def test_the_default_cache_is_used_where_none_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(ParseCache, "default", ParseCache(tmp_path / "parses"))
    own = FlatParser()
    parser(own).parse(["a"])
    parser(own).parse(["a"])
    assert own.asked == [["a"]]


@dataclass
class FailingParser(FlatParser):
    """One that fails on some texts, as long as it does."""

    fails_on: set[str] = field(default_factory=set)

    def parse(self, texts, *, threads=1, progress=None):
        found = super().parse(texts, threads=threads, progress=progress)
        return [
            FailedParse("", "", "no disk") if text in self.fails_on else parse
            for text, parse in zip(texts, found, strict=True)
        ]


def test_a_failure_is_not_kept(tmp_path):
    cache = ParseCache(tmp_path / "parses")
    own = FailingParser(fails_on={"b"})
    first = parser(own, cache=cache).parse(["a", "b"])
    assert [bool(parse.dependencies) for parse in first] == [True, False]
    again = parser(own, cache=cache).parse(["a", "b"])  # a second time no text is left but the one that fails
    assert again == first
    own.fails_on.clear()
    assert parser(own, cache=cache).parse(["a", "b"]) == FlatParser().parse(["a", "b"])
    assert own.asked == [["a", "b"], ["b"], ["b"]]


def test_a_parser_that_fails_on_every_text_is_at_fault():
    with pytest.raises(BadInput, match=r"^parser 'flat' failed on every text: no disk$"):
        parser(FailingParser(fails_on={"a", "b"})).parse(["a", "", "b", "a"])


# --- auto ----------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """`installed(spacy=[...], stanza=[...])`: as if these models were here."""

    def pretend(spacy=(), stanza=(), english=False):
        monkeypatch.setattr(
            spacy_parser, "installed_models", lambda language: [m for m in spacy if m[:2] == language]
        )
        monkeypatch.setattr(stanza_parser, "has_models", lambda language: language in stanza)

        def opened(kind):
            def open_it(model, keep_words):
                if kind == "english" and not english:
                    raise MissingExtra("English trees need spacy")
                return FlatParser(name=f"{kind}:{model}" + "@words" * keep_words)

            return open_it

        for kind in ("english", "spacy", "stanza"):
            monkeypatch.setitem(parsing._KINDS, kind, (parsing._KINDS[kind][0], opened(kind)))

    return pretend


@pytest.mark.parametrize(
    ("here", "language", "taken"),
    [
        ({"english": True, "spacy": ["en_core_web_lg"]}, "en", "english:en"),
        ({"english": True}, "en-GB", "english:en"),
        ({"spacy": ["en_core_web_lg"], "stanza": ["en"]}, "EN_us", "spacy:en_core_web_lg"),
        ({"english": True, "spacy": ["fr_core_news_sm"], "stanza": ["fr"]}, "fr", "spacy:fr_core_news_sm"),
        ({"english": True, "stanza": ["fr"]}, "fr", "stanza:fr"),
    ],
)
def test_auto_takes_the_best_that_is_here(installed, here, language, taken):
    installed(**here)
    assert parser("auto", language).name == taken
    assert parser("auto@words", language).name == f"{taken}@words"


def test_auto_says_how_to_get_one(installed):
    installed(english=False)
    with pytest.raises(
        MissingExtra, match=r"no parser for 'en' is installed. For the English parser: pip install "
    ):
        parser("auto", "en")
    with pytest.raises(MissingExtra, match=r"spacy.io/models/uk"):
        parser("auto", "uk")

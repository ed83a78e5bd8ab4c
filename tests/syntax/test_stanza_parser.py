"""Stanza: what the adaptor asks of it and makes of its answers, with a stand-in; and the real one's interface, if it is
installed.
"""

from __future__ import annotations

import importlib.util
import inspect

import pytest

from syntax import fake_stanza
from understudy.errors import BadInput, MissingExtra, MissingFile, OutOfMemory
from understudy.syntax import stanza_parser
from understudy.syntax.parsing import Parse, parser
from understudy.syntax.trees import DependencyTree
from understudy.syntax.written_trees import text_of

USUAL = {"tokenize": "gsd", "mwt": "gsd", "pos": "gsd", "lemma": "identity", "depparse": "gsd"}


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """The pipelines that the adaptor has asked the stand-in for."""
    fake_stanza.write_models(
        tmp_path, {"fr": {**USUAL, "optional": {"constituency": "tree"}}, "uk": USUAL}, fre="fr"
    )
    monkeypatch.setattr(stanza_parser, "installed_version", lambda _package: fake_stanza.VERSION)
    stanza_parser._loaded.cache_clear()
    yield fake_stanza.install(monkeypatch, tmp_path)
    stanza_parser._loaded.cache_clear()


def test_both_kinds_of_tree(asked):
    made = parser("stanza:fr")
    assert made.schemes == {"constituents": "ptb", "dependencies": "ud"}
    assert asked == []  # nothing is loaded before it is needed
    steps: list[int] = []
    found = made.parse(["Il mange du pain . Il dort .", ""], progress=steps.append)
    trees = DependencyTree.read(found[0].dependencies or "")
    assert [text_of(tree) for tree in trees] == ["Il mange de le pain.", "Il dort."]
    assert [tree.heads for tree in trees] == [[0, 1, 2, 3, 4, 5], [0, 1, 2]]
    assert found[0].constituents.split(") (ROOT ")[1] == "(X Il) (X dort) (X .))"
    assert found[1] == Parse("", "")
    assert sum(steps) == 2
    assert [(one["lang"], one["processors"]) for one in asked] == [
        ("fr", "tokenize,pos,lemma,depparse,constituency")
    ]


def test_one_kind_where_stanza_has_no_more(asked):
    made = parser("stanza:uk")
    assert made.schemes == {"dependencies": "ud"}
    assert made.parse(["a ."])[0].constituents is None
    assert asked[0]["processors"] == "tokenize,pos,lemma,depparse"


def test_words_that_are_given_are_kept(asked):
    made = parser("stanza:fr@words")
    [parse] = made.parse(["du pain . du"])
    [tree] = DependencyTree.read(parse.dependencies or "")
    assert [token.form for token in tree.tokens] == ["du", "pain", ".", "du"]
    assert asked[0]["tokenize_pretokenized"]


def test_batches_change_nothing(asked, monkeypatch):
    texts = [f"a{number} . b ." * (number % 4) for number in range(20)]
    whole = parser("stanza:fr").parse(texts)
    monkeypatch.setattr(stanza_parser, "_TEXTS_AT_ONCE", 3)
    assert parser("stanza:fr").parse(texts) == whole
    assert len(asked) == 1


@pytest.mark.usefixtures("asked")
def test_a_text_that_fails_has_no_tree_and_takes_no_other_along():
    steps: list[int] = []
    found = parser("stanza:fr").parse(["a .", "so bad .", "", "b ."], progress=steps.append)
    assert [bool(parse.dependencies) for parse in found] == [True, False, False, True]
    assert sum(steps) == 4
    with pytest.raises(BadInput, match=r"failed on every text: bad word$"):
        parser("stanza:fr").parse(["bad", "bad bad"])


def test_without_memory_for_a_text_all_ends(asked, monkeypatch):
    parser("stanza:fr").parse(["a ."])
    assert len(asked) == 1

    def too_much(_pipeline, _texts):
        raise MemoryError

    monkeypatch.setattr(fake_stanza.FakePipeline, "bulk_process", too_much)
    with pytest.raises(OutOfMemory, match=r"'stanza:fr' ran out of memory on a text of 3 characters"):
        parser("stanza:fr").parse(["b ."])


@pytest.mark.usefixtures("asked")
def test_the_signature_tells_the_models_by_their_contents(tmp_path):
    first = parser("stanza:fr").signature
    assert first.startswith("stanza-1.15.0:fr-")
    assert parser("stanza:fre").signature.rpartition("-")[2] == first.rpartition("-")[2]
    (tmp_path / "fr" / "depparse" / "gsd.pt").write_text("another model")
    assert parser("stanza:fr").signature != first


@pytest.mark.usefixtures("asked")
def test_languages_without_models(tmp_path):
    with pytest.raises(MissingFile, match=r"no Stanza parser for 'de' in .* stanza.download\('de'\)"):
        parser("stanza:de")
    assert stanza_parser.has_models("uk")
    (tmp_path / "uk" / "depparse" / "gsd.pt").unlink()
    assert not stanza_parser.has_models("uk")
    (tmp_path / "resources.json").unlink()
    assert not stanza_parser.has_models("fr")
    (tmp_path / "resources.json").write_text("[")
    with pytest.raises(BadInput, match=r"resources.json' cannot be read"):
        parser("stanza:fr")


@pytest.mark.usefixtures("asked")
def test_models_that_do_not_load(monkeypatch):
    import stanza

    def broken(*_arguments, **_settings):
        raise RuntimeError("of another version\nand more")

    monkeypatch.setattr(stanza, "Pipeline", broken)
    with pytest.raises(BadInput, match=r"cannot load its models for 'fr' from .*: of another version$"):
        parser("stanza:fr").parse(["a"])


def test_without_stanza(monkeypatch):
    monkeypatch.setattr(stanza_parser, "installed_version", lambda _package: None)
    with pytest.raises(MissingExtra, match="pip install stanza"):
        parser("stanza:fr")
    assert not stanza_parser.has_models("fr")


@pytest.mark.skipif(
    importlib.util.find_spec("stanza") is None,
    reason="needs stanza, which needs torch: too large for every run",
)
def test_the_stand_in_has_the_shape_of_the_real_one():
    import stanza
    from stanza.models.common.doc import Document, Sentence, Token, Word
    from stanza.resources.common import DEFAULT_MODEL_DIR

    known = set(inspect.signature(stanza.Pipeline.__init__).parameters)
    assert {"lang", "dir", "processors", "download_method", "logging_level"} <= known
    assert callable(stanza.Pipeline.bulk_process)
    assert isinstance(DEFAULT_MODEL_DIR, str)
    for kind, attributes in (
        (Document, ["sentences"]),
        (Sentence, ["tokens", "constituency"]),
        (Token, ["words", "spaces_after"]),
        (Word, ["text", "lemma", "upos", "xpos", "feats", "head", "deprel"]),
    ):
        assert [name for name in attributes if not hasattr(kind, name)] == []

"""spaCy's models: French as PyPI has it, English from ../shared where it is present, and small ones made here."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from importlib.metadata import EntryPoints

import pytest

from material.parsers import FRENCH, SHARED_MODEL, shared_english_model
from material.shared import needs
from understudy.errors import BadInput, MissingExtra, MissingFile, OutOfMemory
from understudy.syntax import spacy_parser
from understudy.syntax.parsing import Parse, parser
from understudy.syntax.spacy_parser import SpacyParser, installed_models
from understudy.syntax.trees import DependencyTree

spacy = pytest.importorskip("spacy", reason="needs spaCy: pip install 'understudy-mt[syntax]'")
if FRENCH not in spacy.util.get_installed_models():
    pytest.skip(f"needs the package {FRENCH}", allow_module_level=True)

TEXTS = [
    "Le président de la République a parlé.",
    "Il pleut. Nous restons à la maison !",
    "",
    "pommes",
    "Elle lit un livre (rouge) .",
    "« L'été », dit-il.",
    "x" * 300,
    "\u200b 🙂 ((( 1,5 %",
]


def trees(parse: Parse) -> list[DependencyTree]:
    return DependencyTree.read(parse.dependencies or "")


def test_a_model_says_what_it_is_before_it_is_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    made = SpacyParser.open(FRENCH)
    assert made.name == f"spacy:{FRENCH}"
    assert made.signature == f"spacy-{spacy.__version__}:{FRENCH}-3.8.0"
    assert made.schemes == {"dependencies": "ud"}


def test_the_tree_is_spacys():
    [tree] = trees(parser(f"spacy:{FRENCH}").parse([TEXTS[0]])[0])
    words = [token.form for token in tree.tokens]
    assert words == ["Le", "président", "de", "la", "République", "a", "parlé", "."]
    said = spacy.load(FRENCH)(TEXTS[0])
    assert [(t.head, t.relation) for t in tree.tokens] == [
        (0, "root") if word.head is word or word.head.i == word.i else (word.head.i + 1, word.dep_)
        for word in said
    ]
    assert [(t.lemma, t.coarse, t.tag) for t in tree.tokens] == [(w.lemma_, w.pos_, w.tag_) for w in said]
    assert tree.tokens[1].features == "Gender=Masc|Number=Sing"
    assert not tree.tokens[6].space_after
    assert tree.tokens[0].space_after


def test_every_text_gets_its_trees_and_every_tree_one_root():
    parses = parser(f"spacy:{FRENCH}").parse(TEXTS)
    for text, parse in zip(TEXTS, parses, strict=True):
        found = trees(parse)
        assert bool(found) == bool(text)
        assert parse.constituents is None
        assert [sum(head == 0 for head in tree.heads) for tree in found] == [1] * len(found)
        assert "".join(token.form for tree in found for token in tree.tokens) == "".join(text.split())
    assert len(trees(parses[1])) == 2  # sentences


def test_words_that_are_given_are_kept():
    kept = parser(f"spacy:{FRENCH}@words")
    assert kept.name.endswith("@words")
    assert kept.signature.endswith("@words")
    text = "Il n'aime pas\u00a0 l'eau-de-vie."
    [parse] = kept.parse([text])
    assert [token.form for tree in trees(parse) for token in tree.tokens] == text.split()


def test_batches_and_processes_change_nothing(monkeypatch):
    texts = [f"{text} {number}" for number in range(12) for text in TEXTS]
    made = SpacyParser.open(FRENCH)
    whole = made.parse(texts)
    assert made.parse(texts[::-1])[::-1] == whole
    monkeypatch.setattr(spacy_parser, "_TEXTS_AT_ONCE", 1)
    assert made.parse(texts) == whole
    assert [made.parse([text])[0] for text in texts[:16]] == whole[:16]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_several_processes_give_the_same(monkeypatch):
    monkeypatch.setattr(spacy_parser, "_TEXTS_PER_PROCESS", 10)
    if spacy_parser._processes(spacy_parser._loaded(FRENCH), 100, 2) != 2:
        pytest.skip("this platform starts processes anew, which a caller's script must be written for")
    texts = [f"{text} {number}" for number in range(12) for text in TEXTS]
    made = SpacyParser.open(FRENCH)
    steps: list[int] = []
    assert made.parse(texts, threads=2, progress=steps.append) == made.parse(texts)
    assert sum(steps) == len(texts)


def test_few_texts_are_not_shared_out():
    assert spacy_parser._processes(spacy_parser._loaded(FRENCH), 199, 8) == 1
    assert spacy_parser._processes(spacy_parser._loaded(FRENCH), 10_000, 1) == 1


def test_what_runs_on_pytorch_is_not_shared_out(small_model, monkeypatch):
    monkeypatch.setattr(spacy_parser, "can_share_out", lambda: True)
    plain = spacy_parser._loaded(FRENCH)
    assert spacy_parser._processes(plain, 1000, 2) == 2
    assert spacy_parser._processes(spacy_parser._loaded(small_model("benepar")), 1000, 2) == 1
    # Where thinc wraps a network of PyTorch, it leaves a shim with the node.
    monkeypatch.setattr(plain.get_pipe("parser").model.layers[0], "_shims", [object()])
    assert spacy_parser._processes(plain, 1000, 2) == 1


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_processes_do_takes_no_look_at_all_packages(monkeypatch, tmp_path):
    """They gave back documents of spaCy, each of which was written and read with a look at all entry points."""
    monkeypatch.setattr(spacy_parser, "_TEXTS_PER_PROCESS", 10)
    made = SpacyParser.open(FRENCH)
    made.parse(["Il pleut."])  # so that the model is loaded
    looks = tmp_path / "looks"  # written to by all processes
    looks.touch()
    select = EntryPoints.select

    def noticed(*given, **selected):
        with looks.open("a") as file:
            file.write("x")
        return select(*given, **selected)

    monkeypatch.setattr(EntryPoints, "select", noticed)
    made.parse([f"Il pleut {number} fois." for number in range(40)], threads=2)
    assert looks.stat().st_size == 0


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot copy a process")
def test_what_fails_in_a_process_is_tried_again(small_model, monkeypatch):
    monkeypatch.setattr(spacy_parser, "_TEXTS_PER_PROCESS", 2)
    monkeypatch.setattr(spacy_parser, "_TEXTS_AT_ONCE", 2)
    made = SpacyParser.open(small_model("fails_on_bad_words"))
    texts = ["a b", "a bad c", "d", "e", "bad", "f", "g"]
    assert made.parse(texts, threads=2) == made.parse(texts)
    together, first = SpacyParser._together, os.getpid()

    def ended(self, nlp, some):
        if os.getpid() != first and "d" in some:
            os.kill(os.getpid(), signal.SIGKILL)
        return together(self, nlp, some)

    monkeypatch.setattr(SpacyParser, "_together", ended)
    steps: list[int] = []
    assert made.parse(texts, threads=2, progress=steps.append) == made.parse(texts)
    assert sum(steps) == len(texts)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_how_processes_start_is_left_to_the_caller(monkeypatch):
    monkeypatch.setattr(spacy_parser, "_TEXTS_PER_PROCESS", 1)
    before = multiprocessing.get_start_method(allow_none=True)
    try:
        for chosen in (None, multiprocessing.get_all_start_methods()[0]):
            multiprocessing.set_start_method(chosen, force=True)
            SpacyParser.open(FRENCH).parse(["pommes", "poires"], threads=2)
            assert multiprocessing.get_start_method(allow_none=True) == chosen
        multiprocessing.set_start_method("spawn", force=True)
        assert spacy_parser._processes(spacy_parser._loaded(FRENCH), 100, 8) == 1
    finally:
        multiprocessing.set_start_method(before, force=True)


def test_a_long_text_is_no_limit(monkeypatch):
    monkeypatch.setattr(spacy_parser._loaded(FRENCH), "max_length", 10)
    [parse] = parser(f"spacy:{FRENCH}").parse(["Le chat dort sur le canapé."])
    assert parse.dependencies


# --- other models --------------------------------------------------------------------------------------------


@pytest.fixture
def small_model(tmp_path):
    """`small_model(component, ...)`: a folder with a parser that was taught nothing, and components before it."""

    def make(*before: str, parser: bool = True, labels: tuple[str, ...] = ("ROOT", "dep")) -> str:
        nlp = spacy.blank("en")
        for name in before:
            nlp.add_pipe(name)
        if parser:
            arcs = nlp.add_pipe("parser")
            for label in labels:
                arcs.add_label(label)
            nlp.initialize()
        folder = tmp_path / "a model, mine"
        nlp.to_disk(folder)
        return str(folder)

    return make


@spacy.Language.component("fails_on_bad_words")
def fails_on_bad_words(doc):
    if any(word.text == "bad" for word in doc):
        raise ValueError("bad word\nand more")
    return doc


@spacy.Language.component("short_of_memory")
def short_of_memory(doc):
    if any(word.text == "long" for word in doc):
        raise MemoryError
    return doc


@spacy.Language.component("benepar")
def benepar(doc):
    """What stands in for the Berkeley parser here: it leaves its trees where that one does."""
    if not spacy.tokens.Span.has_extension("parse_string"):
        spacy.tokens.Span.set_extension(
            "parse_string", getter=lambda span: f"(S {' '.join(f'(X {word.text})' for word in span)})"
        )
    return doc


def test_a_text_that_fails_has_no_tree_and_takes_no_other_along(small_model):
    made = SpacyParser.open(small_model("fails_on_bad_words"))
    steps: list[int] = []
    parses = made.parse(["a b", "a bad c", "", "d"], progress=steps.append)
    assert [bool(parse.dependencies) for parse in parses] == [True, False, False, True]
    assert sum(steps) == 4


def test_if_every_text_fails_it_is_an_error(small_model):
    with pytest.raises(BadInput, match=r"failed on every text: bad word$"):
        parser(f"spacy:{small_model('fails_on_bad_words')}").parse(["bad", "so bad"])


def test_memory_that_is_short_for_many_texts_may_do_for_one(small_model, monkeypatch):
    made = SpacyParser.open(small_model())
    whole = made.parse(["a b", "c"])

    def too_much(*_texts, **_settings):
        raise MemoryError

    monkeypatch.setattr(spacy_parser._loaded(made.home), "pipe", too_much)
    assert made.parse(["a b", "c"]) == whole


def test_without_memory_for_a_text_all_ends(small_model):
    made = SpacyParser.open(small_model("short_of_memory"))
    with pytest.raises(OutOfMemory, match=r"ran out of memory on a text of 4 characters\. Free") as caught:
        made.parse(["a", "long", "b"])
    assert isinstance(caught.value, MemoryError)
    assert "\n" not in str(caught.value)


def test_constituents_where_a_model_brings_them(small_model):
    made = SpacyParser.open(small_model("benepar"))
    assert made.schemes == {"constituents": "ptb", "dependencies": "ud"}
    [parse, empty] = made.parse(["a b", ""])
    assert [len(tree.tokens) for tree in trees(parse)] == [
        tree.count("(X") for tree in parse.constituents.split(") (S")
    ]
    assert parse.constituents.count("(X") == 2
    assert empty == Parse("", "")


def test_a_folder_is_known_by_what_is_in_it(small_model, tmp_path):
    folder = small_model()
    first = SpacyParser.open(folder).signature
    assert first.startswith(f"spacy-{spacy.__version__}:en_pipeline-0.0.0-")
    assert not set(first) & set(",| \t")
    (tmp_path / "a model, mine" / "more.txt").write_text("another model")
    assert SpacyParser.open(folder).signature != first


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        (("ROOT", "nsubj", "obl:arg", "dep"), "ud"),
        (("ROOT", "nsubj", "dobj", "pobj", "prep"), "clearnlp"),
        (("ROOT", "sb", "oa", "nk"), "tiger"),
        (("ROOT", "subject"), "own"),
    ],
)
def test_the_scheme_is_read_off_the_relations(small_model, labels, scheme):
    made = SpacyParser.open(small_model(labels=labels))
    assert made.schemes == {"dependencies": scheme}
    [tree] = trees(made.parse(["word"])[0])
    assert tree.tokens[0].relation == ("root" if scheme == "ud" else "ROOT")


def test_a_model_without_a_parser_is_refused(small_model):
    with pytest.raises(BadInput, match=r"has no dependency parser\. Its pipeline: sentencizer"):
        SpacyParser.open(small_model("sentencizer", parser=False))


def test_folders_that_hold_no_model(tmp_path):
    with pytest.raises(MissingFile, match=r"does not contain meta.json"):
        SpacyParser.open(str(tmp_path))
    (tmp_path / "meta.json").write_text("{")
    with pytest.raises(BadInput, match=r"meta.json' is not valid model metadata"):
        SpacyParser.open(str(tmp_path))
    (tmp_path / "meta.json").write_text(json.dumps({"pipeline": ["parser"]}))
    with pytest.raises(BadInput, match=r"^spaCy cannot load the model .*") as caught:
        SpacyParser.open(str(tmp_path)).parse(["a"])
    assert "\n" not in str(caught.value)


def test_names_that_are_nearly_right():
    with pytest.raises(
        MissingFile, match=f"Did you mean '{FRENCH}'.* Or get it: python -m spacy download fr_core"
    ):
        SpacyParser.open("fr_core_news_md")
    with pytest.raises(
        MissingFile, match=r"folder of that name\. Get it: python -m spacy download uk_core_news_trf"
    ):
        SpacyParser.open("uk_core_news_trf")


def test_without_spacy(monkeypatch):
    monkeypatch.setattr(spacy_parser, "installed_version", lambda _package: None)
    with pytest.raises(MissingExtra, match=r"pip install 'understudy-mt\[syntax\]'"):
        SpacyParser.open(FRENCH)
    assert installed_models("fr") == []


def test_models_of_a_language_are_those_with_a_parser_the_largest_first(tmp_path, monkeypatch):
    assert installed_models("fr") == [FRENCH]
    assert installed_models("uk") == []
    for name in ("xy_web_sm", "xy_web_trf", "xy_web_lg", "xy_own", "xy_web_md", "xy_names_lg", "xyz_web_lg"):
        home = tmp_path / name
        home.mkdir()
        (home / "__init__.py").touch()
        (home / "meta.json").write_text(json.dumps({"pipeline": ["ner"] if "names" in name else ["parser"]}))
    monkeypatch.syspath_prepend(tmp_path)
    entries = [type("Entry", (), {"name": home.name}) for home in tmp_path.iterdir()]
    monkeypatch.setattr(spacy_parser, "entry_points", lambda **_group: entries)
    assert installed_models("xy") == ["xy_web_trf", "xy_web_lg", "xy_web_md", "xy_web_sm", "xy_own"]


@needs(SHARED_MODEL)
def test_english_from_a_folder():
    made = parser(f"spacy:{shared_english_model()}")
    assert made.schemes == {"dependencies": "ud"}
    [tree] = trees(made.parse(["I had a dog."])[0])
    assert [(token.form, token.head, token.relation) for token in tree.tokens] == [
        ("I", 2, "nsubj"),
        ("had", 0, "root"),
        ("a", 4, "det"),
        ("dog", 2, "obj"),
        (".", 2, "punct"),
    ]

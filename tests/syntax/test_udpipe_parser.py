"""UDPipe, with a model that is trained here in a few seconds on two sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy.errors import BadInput, MissingExtra
from understudy.syntax import udpipe_parser
from understudy.syntax.parsing import Parse, parser
from understudy.syntax.trees import DependencyTree
from understudy.syntax.written_trees import text_of

udpipe = pytest.importorskip("ufal.udpipe", reason="needs ufal.udpipe: pip install ufal.udpipe")

TREEBANK = """\
1	Le	le	DET	D	_	2	det	_	_
2	chat	chat	NOUN	N	_	3	nsubj	_	_
3	mange	manger	VERB	V	Tense=Pres	0	root	_	_
4-5	du	_	_	_	_	_	_	_	_
4	de	de	ADP	P	_	6	case	_	_
5	le	le	DET	D	_	6	det	_	_
6	pain	pain	NOUN	N	_	3	obl	_	SpaceAfter=No
7	.	.	PUNCT	.	_	3	punct	_	_

1	Il	il	PRON	C	_	2	nsubj	_	_
2	dort	dormir	VERB	V	Tense=Pres	0	root	_	SpaceAfter=No
3	.	.	PUNCT	.	_	2	punct	_	_

"""
TOKENIZER = "epochs=1;batch_size=2;learning_rate=0.01;dimension=16;allow_spaces=0"
TAGGER = "models=1;iterations=5"
PARSER = (
    "iterations=5;hidden_layer=20;embedding_upostag=8;embedding_form=8;embedding_feats=0;embedding_deprel=8"
)


def trained(path: Path, tokenizer: str, tagger: str, arcs: str) -> str:
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(TREEBANK * 20)
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    # No sentences are held out: with some of them the trainer crashes.
    model = udpipe.Trainer.train(
        "morphodita_parsito", sentences, udpipe.Sentences(), tokenizer, tagger, arcs, error
    )
    assert not error.occurred(), error.message
    path.write_bytes(model)
    return str(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("udpipe") / "tiny, french.udpipe", TOKENIZER, TAGGER, PARSER)


def rows(parse: Parse) -> list[list[tuple[str, int, str]]]:
    trees = DependencyTree.read(parse.dependencies or "")
    return [[(token.form, token.head, token.relation) for token in tree.tokens] for tree in trees]


SLEEPS = [("Il", 2, "nsubj"), ("dort", 0, "root"), (".", 2, "punct")]
EATS = [
    ("Le", 2, "det"),
    ("chat", 3, "nsubj"),
    ("mange", 0, "root"),
    ("de", 6, "case"),
    ("le", 6, "det"),
    ("pain", 3, "obl"),
    (".", 3, "punct"),
]


def test_what_was_learned_is_given_back(model):
    made = parser(f"udpipe:{model}")
    assert made.schemes == {"dependencies": "ud"}
    steps: list[int] = []
    found = made.parse(["Il dort. Le chat mange du pain.", "", "Il dort."], progress=steps.append)
    assert rows(found[0]) == [SLEEPS, EATS]  # words within words stand apart
    assert found[1] == Parse(None, "")
    assert rows(found[2]) == [SLEEPS]
    assert sum(steps) == 3
    [sleeps, eats] = DependencyTree.read(found[0].dependencies or "")
    assert (text_of(sleeps), text_of(eats)) == ("Il dort.", "Le chat mange de le pain.")
    token = eats.tokens[2]
    assert (token.lemma, token.tag, token.coarse, token.features) == ("manger", "V", "VERB", "Tense=Pres")


def test_what_stands_beside_a_text_changes_nothing(model):
    made = parser(f"udpipe:{model}")
    texts = ["Il dort.", "Le chat dort", "pain. Il mange", "du du du", "🙂 (x) \u200b"]
    assert [made.parse([text])[0] for text in texts] == made.parse(texts)


def test_words_that_are_given_are_kept(model):
    [parse] = parser(f"udpipe:{model}@words").parse(["Il dort. Le chat\u00a0mange du pain ."])
    assert [[word for word, _, _ in tree] for tree in rows(parse)] == [
        ["Il", "dort.", "Le", "chat", "mange", "du", "pain", "."]
    ]


def test_the_signature_tells_the_file_by_its_contents(model, tmp_path):
    made = parser(f"udpipe:{model}@words")
    program, _, rest = made.signature.partition(":")
    assert program.startswith("udpipe-1.")
    assert rest.startswith("tiny__french.udpipe-")
    assert rest.endswith("@words")
    other = tmp_path / "tiny, french.udpipe"
    other.write_bytes(b"something else")
    assert parser(f"udpipe:{other}@words").signature != made.signature


def test_a_file_that_is_no_model(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"not a model")
    with pytest.raises(BadInput, match="is not a UDPipe 1 model"):
        parser(f"udpipe:{path}").parse(["a"])


def test_models_that_lack_a_part(tmp_path):
    tags_only = trained(tmp_path / "tags", "none", TAGGER, "none")
    with pytest.raises(BadInput, match=r"has no tokenizer. For tokenized text, use udpipe:.*@words"):
        parser(f"udpipe:{tags_only}").parse(["a"])
    with pytest.raises(BadInput, match="lacks a tagger or a parser"):
        parser(f"udpipe:{tags_only}@words").parse(["a"])


def test_without_udpipe(monkeypatch, model):
    monkeypatch.setattr(udpipe_parser, "installed_version", lambda _package: None)
    with pytest.raises(MissingExtra, match=r"pip install ufal.udpipe"):
        parser(f"udpipe:{model}")

"""The loop of the parser beside spaCy's own."""

from __future__ import annotations

import pytest

from material.parsers import needs_english
from understudy.syntax.english import loaded, model_folder

pytestmark = needs_english

TEXTS = [
    "a",
    "She didn't come. He did, when the dog that we had seen on the way home slept!",
    "The plane on which the diplomats return is late .",
    "the of and to",
    "the dog " * 200,
]


@pytest.mark.parametrize("at_once", [1, 30, 2000])
def test_as_spacys_own_loop(monkeypatch, at_once):
    from spacy.pipeline import DependencyParser

    monkeypatch.setattr("understudy.syntax.spacy_batched_parser._WORDS_AT_ONCE", at_once)
    nlp = loaded(model_folder())
    quick = nlp.get_pipe("parser")
    own = DependencyParser(nlp.vocab, quick.model, moves=quick.moves)
    assert type(quick) is not type(own)
    found = [
        [[(token.head.i, token.dep_, token.is_sent_start) for token in doc] for doc in parser.pipe(docs)]
        for parser in (quick, own)
        for docs in [list(nlp.pipe(TEXTS, disable=["parser"]))]
    ]
    assert found[0] == found[1]
    assert len({relation for doc in found[0] for _, relation, _ in doc}) > 5

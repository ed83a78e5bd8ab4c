"""The parser that comes with the package: English, both kinds of tree from one parse.

The model is spaCy's ordinary pipeline, trained on constituent trees that are encoded as dependencies
(`understudy.syntax.encoding`) by ``tools/train_parser.py``. ``models/english/MODEL_CARD.md`` says on what, and how well
it does.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from understudy.errors import MissingExtra
from understudy.syntax.encoding import decode_with_heads, without_idle_repetitions
from understudy.syntax.head_rules import SCHEME, dependencies
from understudy.syntax.parsing import CONSTITUENTS, DEPENDENCIES, KEEP_WORDS, Parse, Progress
from understudy.syntax.row_wise import row_wise_products
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree, written

MODEL = Path(__file__).parent / "models" / "english"
MODEL_VERSION = "1.0"  # changes with the weights: scores depend on it
# What the network, the sentencizer and the tokenizer read of a word. spaCy finds out much more of every new one, such
# as whether it is like a URL; without that it has cut a text twice as soon.
_ATTRIBUTES = ("NORM", "LOWER", "PREFIX", "SUFFIX", "SHAPE", "IS_SPACE", "IS_PUNCT")
_TEXTS_AT_ONCE = 64
_TEXTS_PER_PROCESS = (
    1000  # a process must be started and its trees brought back: that costs more than fewer save
)


@dataclass(frozen=True)
class EnglishParser:
    """The English model; loaded when it is first needed.

    >>> EnglishParser().parse(["I had a dog."])[0].constituents
    '(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))'
    """

    keep_words: bool = False  # white space separates the words
    model: Path = MODEL

    @property
    def name(self) -> str:
        return "english" + KEEP_WORDS * self.keep_words

    @property
    def signature(self) -> str:
        return f"spacy-{_spacy_version()}:english-{MODEL_VERSION}" + KEEP_WORDS * self.keep_words

    @property
    def schemes(self) -> Mapping[str, str]:
        return {CONSTITUENTS: "ptb", DEPENDENCIES: SCHEME}

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> list[Parse]:
        """A parse for each text: a tree for every sentence of it. The same whatever other texts stand beside it."""
        pipeline = loaded(self.model)
        rows = [" ".join(text.split()) for text in texts]  # else spaCy makes words of white space
        pipeline.max_length = max([pipeline.max_length, *(len(row) + 1 for row in rows)])
        inputs = (self._input(pipeline, row) for row in rows)
        processes = max(1, min(threads, len(rows) // _TEXTS_PER_PROCESS))
        parses = []
        for doc in pipeline.pipe(inputs, batch_size=_TEXTS_AT_ONCE, n_process=processes):
            trees = [tree_of(sentence) for sentence in encoded_sentences(doc)]
            parses.append(Parse(written([tree for tree, _ in trees]), written([heads for _, heads in trees])))
            if progress is not None:
                progress(1)
        return parses

    def _input(self, pipeline: Any, text: str) -> Any:
        if not self.keep_words:
            return text
        from spacy.tokens import Doc

        return Doc(pipeline.vocab, words=text.split())


@cache  # it is part of every signature, and takes milliseconds to find out
def _spacy_version() -> str:
    try:
        return version("spacy")
    except PackageNotFoundError:
        raise MissingExtra.of("English trees", "spacy", "syntax") from None


@cache
def loaded(model: Path) -> Any:
    """The pipeline of a model as ``tools/train_parser.py`` saves it."""
    _spacy_version()
    import spacy
    from spacy.attrs import IDS
    from thinc.api import Config

    with row_wise_products():
        pipeline = spacy.util.load_model_from_config(Config().from_disk(model / "config.cfg"), auto_fill=True)
        pipeline.from_bytes(lzma.decompress((model / "model.xz").read_bytes()), exclude=["vocab"])
    read = {IDS[name] for name in _ATTRIBUTES}
    of_words = pipeline.vocab.lex_attr_getters
    pipeline.vocab.lex_attr_getters = {number: find for number, find in of_words.items() if number in read}
    for name in pipeline.pipe_names:
        for label in getattr(pipeline.get_pipe(name), "labels", ()):
            pipeline.vocab.strings.add(label)
    return pipeline


def encoded_sentences(doc: Any) -> list[DependencyTree]:
    """What the pipeline says of a text: an encoded tree for every sentence."""
    return [
        DependencyTree(
            tuple(
                DependencyToken(
                    form=token.text,
                    tag=token.tag_,
                    head=0 if token.head.i == token.i else token.head.i - sentence.start + 1,
                    relation=token.dep_,
                    features=str(token.morph) or "_",
                    space_after=bool(token.whitespace_),
                )
                for token in sentence
            )
        )
        for sentence in doc.sents
    ]


def tree_of(encoded: DependencyTree) -> tuple[ConstituentTree, DependencyTree]:
    """Both trees of a sentence."""
    decoded = decode_with_heads(without_idle_repetitions(encoded))
    spaces = [token.space_after for token in encoded.tokens]
    # The heads that were predicted are right more often than those of the rules on a tree that may be wrong.
    return decoded.tree, dependencies(decoded.tree, decoded.head_children, spaces)

"""The English parser: constituency and dependency trees from one parse.

The model is a standard spaCy pipeline, trained by ``tools/train_parser.py`` on constituency trees encoded as
dependencies (`understudy.syntax.encoding`). It is a separate distribution, in ``models/english``; its ``MODEL_CARD.md``
describes training data and accuracy.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from understudy.errors import MissingExtra
from understudy.installation import ENGLISH_MODEL, install_hint
from understudy.syntax.deterministic_ops import row_wise_products
from understudy.syntax.encoding import decode, without_idle_repetitions
from understudy.syntax.head_rules import SCHEME, dependencies
from understudy.syntax.model_files import installed_version
from understudy.syntax.parsing import CONSTITUENTS, DEPENDENCIES, Parse
from understudy.syntax.spacy_batched_parser import take_steps_at_once
from understudy.syntax.spacy_parser import PipelineParser
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree, written

# The release of the model. It changes with the weights and with the decoding: scores depend on it, and it is the key of
# the parse cache.
VERSION = "1.1"
# The attributes that the network, the sentencizer and the tokenizer read. spaCy computes many more for every new word,
# such as whether it looks like a URL; without them, tokenization takes half the time.
_ATTRIBUTES = ("NORM", "LOWER", "PREFIX", "SUFFIX", "SHAPE", "IS_SPACE", "IS_PUNCT")


@cache  # it is part of every signature and takes milliseconds to compute
def _version() -> str:
    program = installed_version("spacy")
    if program is None:
        raise MissingExtra.of("English trees", "spacy", "syntax")
    model_folder()
    return f"spacy-{program}:english-{VERSION}"


@dataclass(frozen=True, kw_only=True)
class EnglishParser(PipelineParser):
    """The English model, loaded on first use.

    >>> EnglishParser().parse(["I had a dog."])[0].constituents
    '(S (NP (PRP I)) (VP (VBD had) (NP (DT a) (NN dog))) (. .))'
    """

    model: str = "english"
    version: str = field(default_factory=_version)
    schemes: Mapping[str, str] = field(
        default_factory=lambda: {CONSTITUENTS: "ptb", DEPENDENCIES: SCHEME}, hash=False
    )

    def _pipeline(self) -> Any:
        return loaded(model_folder())

    def _parsed(self, doc: Any) -> Parse:
        encoded = encoded_sentences(doc)
        trees = [tree_of(sentence) for sentence in encoded]
        spaces = [[token.space_after for token in sentence.tokens] for sentence in encoded]
        return Parse(written(trees), written(list(map(dependencies, trees, spaces))))


def model_folder() -> Path:
    """The folder of the installed model, if it is the required version."""
    try:
        import understudy_english
    except ModuleNotFoundError:
        raise MissingExtra.of("English trees", ENGLISH_MODEL, "syntax") from None
    if understudy_english.__version__.split(".")[:2] != VERSION.split("."):
        raise MissingExtra(
            f"English trees need {ENGLISH_MODEL} {VERSION}, but {understudy_english.__version__} is installed: "
            f"{install_hint('syntax')}"
        )
    return Path(understudy_english.__file__).parent


@cache
def loaded(model: Path) -> Any:
    """The pipeline of a model as ``tools/train_parser.py`` saves it."""
    import spacy
    from spacy.attrs import IDS  # type: ignore[import-not-found]  # compiled
    from thinc.api import Config

    with row_wise_products():
        pipeline = spacy.util.load_model_from_config(Config().from_disk(model / "config.cfg"), auto_fill=True)
        pipeline.from_bytes(lzma.decompress((model / "model.xz").read_bytes()), exclude=["vocab"])
    take_steps_at_once(pipeline)
    vocabulary: Any = pipeline.vocab
    found = vocabulary.lex_attr_getters
    vocabulary.lex_attr_getters = {IDS[name]: found[IDS[name]] for name in _ATTRIBUTES}
    for name in pipeline.pipe_names:
        for label in getattr(pipeline.get_pipe(name), "labels", ()):
            vocabulary.strings.add(label)
    return pipeline


def encoded_sentences(doc: Any) -> list[DependencyTree]:
    """The pipeline's output for a text: one encoded tree per sentence."""
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


def tree_of(encoded: DependencyTree) -> ConstituentTree:
    """The tree of a predicted encoded sentence."""
    return decode(without_idle_repetitions(encoded))

"""The parser that comes with the package: English, both kinds of tree from one parse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from understudy.syntax.encoding import decode
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree

MODEL = Path(__file__).parent / "models" / "english"


class EnglishParser:
    def __init__(self, model: Path = MODEL) -> None:
        import lzma

        import spacy
        from thinc.api import Config

        config = Config().from_disk(model / "config.cfg")
        self.pipeline: Any = spacy.util.load_model_from_config(config, auto_fill=True)
        self.pipeline.from_bytes(lzma.decompress((model / "model.xz").read_bytes()), exclude=["vocab"])


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


def trees_of(encoded: DependencyTree) -> tuple[ConstituentTree, DependencyTree]:
    return decode(encoded), encoded

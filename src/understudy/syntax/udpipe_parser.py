"""UDPipe 1 parsers, from a model file: Universal Dependencies."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingExtra, MissingFile
from understudy.syntax.model_files import digest, installed_version, safe
from understudy.syntax.parsing import DEPENDENCIES, KEEP_WORDS, ModelParser, Parse, Progress
from understudy.syntax.trees import DependencyToken, DependencyTree, written


@dataclass(frozen=True, kw_only=True)
class UDPipeParser(ModelParser):
    """A UDPipe model, loaded on first use."""

    path: Path

    @classmethod
    def open(cls, model: str, *, keep_words: bool = False) -> UDPipeParser:
        """The model in that file."""
        program = installed_version("ufal.udpipe")
        if program is None:
            raise MissingExtra("UDPipe parsers need ufal.udpipe: pip install ufal.udpipe")
        path = Path(model).expanduser()
        if not path.is_file():
            raise MissingFile(f"no such UDPipe model: '{path}'. Use udpipe:FILE with the path of a model.")
        return cls(
            model=f"udpipe:{model}",
            version=f"udpipe-{program}:{safe(path.name)}-{digest(path.parent, [path])}",
            schemes={DEPENDENCIES: "ud"},
            path=path,
            keep_words=keep_words,
        )

    def parse(
        self,
        texts: Sequence[str],
        *,
        threads: int = 1,  # noqa: ARG002
        progress: Progress | None = None,
    ) -> list[Parse]:
        model = _loaded(str(self.path))
        reader = _reader(model, self.path, keep_words=self.keep_words)
        parses = []
        for text in texts:
            trees = [] if not text.strip() else list(self._trees(model, reader, text))
            parses.append(Parse(None, written(trees)))
            if progress is not None:
                progress(1)
        return parses

    def _trees(self, model: Any, reader: Any, text: str) -> Iterator[DependencyTree]:
        from ufal.udpipe import Model, ProcessingError, Sentence

        reader.setText(text)
        sentence, error = Sentence(), ProcessingError()
        while reader.nextSentence(sentence, error):
            if not (model.tag(sentence, Model.DEFAULT) and model.parse(sentence, Model.DEFAULT)):
                raise BadInput(
                    f"UDPipe model '{self.path}' lacks a tagger or a parser. Use a model with both."
                )
            yield DependencyTree(tuple(_tokens(sentence)))


@functools.lru_cache(maxsize=2)
def _loaded(path: str) -> Any:
    from ufal.udpipe import Model

    model = Model.load(path)
    if model is None:
        raise BadInput(f"'{path}' is not a UDPipe 1 model.")
    return model


def _reader(model: Any, path: Path, *, keep_words: bool) -> Any:
    from ufal.udpipe import InputFormat, Model

    if keep_words:
        return InputFormat.newInputFormat("horizontal")
    reader = model.newTokenizer(Model.DEFAULT)
    if reader is None:
        raise BadInput(
            f"UDPipe model '{path}' has no tokenizer. For tokenized text, use udpipe:{path}{KEEP_WORDS}"
        )
    return reader


def _tokens(sentence: Any) -> Iterator[DependencyToken]:
    """The words; multi-word tokens, such as French *du*, are split."""
    last = {joined.idLast: joined.getSpaceAfter() for joined in sentence.multiwordTokens}
    for word in list(sentence.words)[1:]:  # the first stands for the root
        yield DependencyToken(
            form=word.form,
            lemma=word.lemma or "_",
            tag=word.xpostag or "_",
            coarse=word.upostag or "_",
            head=word.head,
            relation=word.deprel or "_",
            features=word.feats or "_",
            space_after=last.get(word.id, word.getSpaceAfter()),
        )

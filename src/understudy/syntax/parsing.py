"""Parsers: their interface, and lookup by name.

`auto` selects the first parser installed for the language: for English, the model of this project (`english`); then
spaCy's packages, largest first; then Stanza, if its models are on disk. Nothing is downloaded. A name may end in
`@words`: the text is then already tokenized, and its whitespace-separated words are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from understudy.errors import BadInput, BadParameter, MissingExtra, OutOfMemory, WrongType, did_you_mean
from understudy.installation import install_hint
from understudy.syntax.parse_cache import ParseCache

Progress = Callable[[int], None]

# Called with the parser and the number of texts; returns the callback for finished texts.
Watch = Callable[["PreparedParser", int], AbstractContextManager[Progress | None]]

CONSTITUENTS, DEPENDENCIES = "constituents", "dependencies"
KEEP_WORDS = "@words"
AT_ONCE = 4096  # texts between two writes to the cache, i.e. the most that an interrupted run loses


@dataclass(frozen=True)
class Parse:
    """The trees of one text as strings: Penn brackets, and CoNLL-U token lines.

    None: the parser does not produce trees of this kind. Empty: the text is empty, or the parser failed on it.
    """

    constituents: str | None
    dependencies: str | None


@dataclass(frozen=True)
class FailedParse(Parse):
    """No trees, because the parser failed on the text. It might succeed next time, so this is not written to the
    cache.
    """

    reason: str


@runtime_checkable
class Parser(Protocol):
    """The interface of parsers, including custom ones."""

    @property
    def name(self) -> str:
        """The name on the command line, such as `spacy:fr_core_news_sm`."""

    @property
    def signature(self) -> str:
        """Everything that determines its trees: program and model with versions. No commas, bars or whitespace."""

    @property
    def schemes(self) -> Mapping[str, str]:
        """The kinds of trees it produces, `constituents` or `dependencies`, each with the name of its annotation
        scheme.
        """

    def parse(self, texts: Sequence[str], *, threads: int, progress: Progress | None) -> list[Parse]:
        """A parse for each text, in order; a `FailedParse` for a text on which it fails. Raises errors before the
        first text or not at all.

        `progress` is called with the number of texts processed since the last call.
        """


@dataclass(frozen=True, kw_only=True)
class ModelParser:
    """The base of parsers with models: naming, and whether the words of a text are kept."""

    model: str
    version: str  # of program and model
    schemes: Mapping[str, str] = field(hash=False)
    keep_words: bool = False  # they are separated by whitespace

    @property
    def name(self) -> str:
        return self.model + KEEP_WORDS * self.keep_words

    @property
    def signature(self) -> str:
        return self.version + KEEP_WORDS * self.keep_words

    def failed(self, text: str, error: Exception) -> FailedParse:
        """The result for a text on which a component of the model raised this error."""
        if isinstance(error, MemoryError):
            # This concerns the machine, not the text: treating it as a text without trees would make scores depend on
            # what else is running. (KeyboardInterrupt is not an Exception and is not caught here.)
            raise OutOfMemory(
                f"parser '{self.name}' ran out of memory on a text of {len(text):,} characters. Free memory, or "
                "split the text."
            ) from None
        nothing = no_trees(self.schemes)
        return FailedParse(nothing.constituents, nothing.dependencies, first_line(error))


def parser(spec: str | Parser, language: str = "en", *, cache: ParseCache | None = None) -> PreparedParser:
    """The parser of that name: `auto`, `english`, `spacy:MODEL`, `stanza:LANGUAGE`, `udpipe:FILE`, or a custom
    parser. Identical texts are parsed once, and parses are stored in `cache` or, if not given, in
    `ParseCache.default`.
    """
    return PreparedParser(_own(spec) if not isinstance(spec, str) else _named(spec, language), cache)


def is_auto(spec: str) -> bool:
    """Whether the parser depends on the language.

    >>> is_auto("auto@words"), is_auto("english")
    (True, False)
    """
    return spec.removesuffix(KEEP_WORDS) == "auto"


@dataclass(frozen=True)
class PreparedParser:
    """A parser that parses identical texts once, and cached texts not at all."""

    inner: Parser
    cache: ParseCache | None = None

    watch: ClassVar[Watch | None] = None
    """The default progress callback. Set by the command line."""

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def signature(self) -> str:
        return self.inner.signature

    @property
    def schemes(self) -> Mapping[str, str]:
        return self.inner.schemes

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> list[Parse]:
        watch = PreparedParser.watch
        told = nullcontext(progress) if progress or watch is None else watch(self, len(texts))
        with told as advance:
            return self._parse(texts, threads, advance)

    def _parse(self, texts: Sequence[str], threads: int, progress: Progress | None) -> list[Parse]:
        rows = [spaced_once(text) for text in texts]
        times: dict[str, int] = {}
        for row in rows:
            times[row] = times.get(row, 0) + 1
        done = {"": no_trees(self.schemes)}
        cache = self.cache or ParseCache.default
        if cache is not None:
            kept = cache.find(self.signature, [text for text in times if text])
            done |= {text: Parse(*trees) for text, trees in kept.items()}
        if progress is not None and (known := sum(count for text, count in times.items() if text in done)):
            progress(known)
        missing = [text for text in times if text not in done]
        for start in range(0, len(missing), AT_ONCE):
            part = missing[start : start + AT_ONCE]
            advance = None if progress is None else _repeated(progress, [times[text] for text in part])
            fresh = dict(zip(part, self.inner.parse(part, threads=threads, progress=advance), strict=True))
            whole = {text: found for text, found in fresh.items() if not isinstance(found, FailedParse)}
            if cache is not None:
                cache.keep(
                    self.signature,
                    {text: (found.constituents, found.dependencies) for text, found in whole.items()},
                )
            done |= whole
            if len(done) == 1:  # a parser may fail on some texts; failing on all is the parser's fault
                reason = next(found.reason for found in fresh.values() if isinstance(found, FailedParse))
                raise BadInput(f"parser '{self.name}' failed on every text: {reason}")
            done |= fresh
        return [done[row] for row in rows]


def spaced_once(text: str) -> str:
    """The text with single spaces, because some parsers treat whitespace as words.

    >>> spaced_once(" deux\\u00a0 mots\\n")
    'deux mots'
    """
    return " ".join(text.split())


def no_trees(schemes: Mapping[str, str]) -> Parse:
    """The parse of a text without trees, for a parser with these schemes."""
    return Parse(*("" if kind in schemes else None for kind in (CONSTITUENTS, DEPENDENCIES)))


def first_line(error: Exception) -> str:
    """The first line of a parser's error, for a one-line message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _repeated(progress: Progress, times: Sequence[int]) -> Progress:
    """Report progress in terms of all texts, including duplicates."""
    left = iter(times)
    return lambda count: progress(sum(next(left) for _ in range(count)))


# --- by name -------------------------------------------------------------------------------------------------


def _own(given: object) -> Parser:
    if isinstance(given, Parser):
        return given
    raise WrongType(
        f"parser: got {type(given).__name__}, expected a name such as 'auto', or an object with name, signature, "
        "schemes and parse."
    )


def _named(spec: str, language: str) -> Parser:
    rest = spec.removesuffix(KEEP_WORDS)
    keep_words = rest != spec
    kind, colon, model = rest.partition(":")
    if kind not in _KINDS:
        raise BadParameter(f"unknown parser '{kind}'. {did_you_mean(kind, _KINDS)}")
    takes, open_parser = _KINDS[kind]
    if bool(model) != bool(takes) or (colon and not model):
        expected = f"{kind}:{takes}" if takes else kind
        raise BadParameter(f"parser '{spec}': expected {expected}, got '{rest}'.")
    return open_parser(model or _code(language), keep_words)


def _code(language: str) -> str:
    """The language code without region: en for en-GB or EN_us."""
    return language.lower().replace("_", "-").partition("-")[0]


def _english(language: str, keep_words: bool) -> Parser:
    if language != "en":
        raise BadParameter(
            f"parser 'english' does not support the language '{language}'. Use parser 'auto', or language en."
        )
    from understudy.syntax.english import EnglishParser

    return EnglishParser(keep_words=keep_words)


def _spacy(model: str, keep_words: bool) -> Parser:
    from understudy.syntax.spacy_parser import SpacyParser

    return SpacyParser.open(model, keep_words=keep_words)


def _stanza(language: str, keep_words: bool) -> Parser:
    from understudy.syntax.stanza_parser import StanzaParser

    return StanzaParser.open(language, keep_words=keep_words)


def _udpipe(path: str, keep_words: bool) -> Parser:
    from understudy.syntax.udpipe_parser import UDPipeParser

    return UDPipeParser.open(path, keep_words=keep_words)


def _auto(language: str, keep_words: bool) -> Parser:
    for candidate in _installed(language):
        try:
            return _named(candidate + KEEP_WORDS * keep_words, language)
        except MissingExtra:
            continue  # such as the English model without spaCy
    raise MissingExtra(
        f"no parser for '{language}' is installed. "
        + (
            f"For the English parser: {install_hint('syntax')}."
            if language == "en"
            else f"For spaCy: {install_hint('syntax')}; then install a model of https://spacy.io/models/{language}."
        )
    )


def _installed(language: str) -> Iterator[str]:
    """The names of the installed parsers for the language, best first."""
    from understudy.syntax.spacy_parser import installed_models
    from understudy.syntax.stanza_parser import has_models

    if language == "en":
        yield "english"
    yield from (f"spacy:{model}" for model in installed_models(language))
    if has_models(language):
        yield f"stanza:{language}"


# What follows the colon, and how to open it. Without a colon, the language selects the model.
_KINDS: dict[str, tuple[str, Callable[[str, bool], Parser]]] = {
    "auto": ("", _auto),
    "english": ("", _english),
    "spacy": ("MODEL", _spacy),
    "stanza": ("LANGUAGE", _stanza),
    "udpipe": ("FILE", _udpipe),
}

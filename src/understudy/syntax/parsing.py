"""Parsers: what one is, and how it is found by its name.

`auto` takes the first of these that is installed for the language: for English this package's own (`english`); then
spaCy's packages, the largest first; then Stanza, if its models are on disk. Nothing is downloaded.

A name may end in `@words`: then the text is tokenized already, white space separates its words, and they are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from understudy.errors import BadInput, BadParameter, MissingExtra, OutOfMemory, WrongType, did_you_mean
from understudy.installation import install_command
from understudy.syntax.parse_cache import ParseCache

Progress = Callable[[int], None]

# Is told which parser begins on how many texts, and gives what is to be told of each that is done.
Watch = Callable[["PreparedParser", int], AbstractContextManager[Progress | None]]

CONSTITUENTS, DEPENDENCIES = "constituents", "dependencies"
KEEP_WORDS = "@words"
AT_ONCE = 4096  # texts between two visits to the cache: what is lost at most when a run is interrupted


@dataclass(frozen=True)
class Parse:
    """The trees of one text, as text: Penn brackets, and token lines of CoNLL-U.

    None: the parser gives no trees of this kind. Empty: the text has none, being empty or beyond the parser.
    """

    constituents: str | None
    dependencies: str | None


@dataclass(frozen=True)
class FailedParse(Parse):
    """No trees, since the parser failed on the text. Another time it may not, so this is kept nowhere on disk."""

    reason: str


@runtime_checkable
class Parser(Protocol):
    """What a parser must have, one of your own too."""

    @property
    def name(self) -> str:
        """What to write to get it, such as `spacy:fr_core_news_sm`."""

    @property
    def signature(self) -> str:
        """All that decides its trees: program and model with their versions. No commas, bars or white space."""

    @property
    def schemes(self) -> Mapping[str, str]:
        """The kinds of tree that it gives, `constituents` or `dependencies`, each with the name of its scheme."""

    def parse(self, texts: Sequence[str], *, threads: int, progress: Progress | None) -> list[Parse]:
        """A parse for each text, in order; a `FailedParse` for one that it fails on. Fails itself before the first text
        or not at all.

        `progress` is called with the number of texts done since the last call.
        """


@dataclass(frozen=True, kw_only=True)
class ModelParser:
    """What the parsers share that come with models: how they are named, and whether the words of a text are kept."""

    model: str
    version: str  # of program and model
    schemes: Mapping[str, str] = field(hash=False)
    keep_words: bool = False  # white space separates them

    @property
    def name(self) -> str:
        return self.model + KEEP_WORDS * self.keep_words

    @property
    def signature(self) -> str:
        return self.version + KEEP_WORDS * self.keep_words

    def failed(self, text: str, error: Exception) -> FailedParse:
        """What there is of a text on which a component of the model raised this, whatever it is."""
        if isinstance(error, MemoryError):
            # It says something of the machine and nothing of the text: were it taken for a text without trees, scores
            # would depend on what else is running. (KeyboardInterrupt is no Exception, and never comes here.)
            raise OutOfMemory(
                f"parser '{self.name}' ran out of memory on a text of {len(text):,} characters. Free some memory, or "
                "cut the text."
            ) from None
        nothing = no_trees(self.schemes)
        return FailedParse(nothing.constituents, nothing.dependencies, first_line(error))


def parser(spec: str | Parser, language: str = "en", *, cache: ParseCache | None = None) -> PreparedParser:
    """The parser of that name: `auto`, `english`, `spacy:MODEL`, `stanza:LANGUAGE`, `udpipe:FILE`, or one of your own.

    It parses equal texts once, and keeps its parses in `cache`, or else in `ParseCache.default` if there is one.
    """
    return PreparedParser(_own(spec) if not isinstance(spec, str) else _named(spec, language), cache)


def is_auto(spec: str) -> bool:
    """Whether the language decides which parser it is.

    >>> is_auto("auto@words"), is_auto("english")
    (True, False)
    """
    return spec.removesuffix(KEEP_WORDS) == "auto"


@dataclass(frozen=True)
class PreparedParser:
    """A parser that is asked once for equal texts, and not at all for those that a cache knows."""

    inner: Parser
    cache: ParseCache | None = None

    watch: ClassVar[Watch | None] = None
    """Who is told of parsing that nobody else asked to be told of. The command line sets it."""

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
            if len(done) == 1:  # a text may be beyond a parser; if all are, it is the parser's fault
                reason = next(found.reason for found in fresh.values() if isinstance(found, FailedParse))
                raise BadInput(f"parser '{self.name}' fails on every text: {reason}")
            done |= fresh
        return [done[row] for row in rows]


def spaced_once(text: str) -> str:
    """The text with single spaces, so that no parser makes words of white space.

    >>> spaced_once(" deux\\u00a0 mots\\n")
    'deux mots'
    """
    return " ".join(text.split())


def no_trees(schemes: Mapping[str, str]) -> Parse:
    """The parse of a text without trees, by a parser of these schemes."""
    return Parse(*("" if kind in schemes else None for kind in (CONSTITUENTS, DEPENDENCIES)))


def first_line(error: Exception) -> str:
    """What a parser's own error says, for a message of one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _repeated(progress: Progress, times: Sequence[int]) -> Progress:
    """Counts each of the distinct texts as often as it was asked for."""
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
        raise BadParameter(f"no parser '{kind}'. {did_you_mean(kind, _KINDS)}")
    takes, open_parser = _KINDS[kind]
    if bool(model) != bool(takes) or (colon and not model):
        expected = f"{kind}:{takes}" if takes else kind
        raise BadParameter(f"parser '{spec}': expected {expected}, got '{rest}'.")
    return open_parser(model or _code(language), keep_words)


def _code(language: str) -> str:
    """The language of en-GB or EN_us is en."""
    return language.lower().replace("_", "-").partition("-")[0]


def _english(language: str, keep_words: bool) -> Parser:
    if language != "en":
        raise BadParameter(f"parser 'english': the language is '{language}'. Say 'auto', or lang en.")
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
        f"no parser for '{language}' is installed. Get one: {install_command('syntax')}, "
        + (
            "which brings an English one."
            if language == "en"
            else f"then a spaCy model of the language (https://spacy.io/models/{language})."
        )
    )


def _installed(language: str) -> Iterator[str]:
    """Names of parsers for the language that are here, the best first."""
    from understudy.syntax.spacy_parser import installed_models
    from understudy.syntax.stanza_parser import has_models

    if language == "en":
        yield "english"
    yield from (f"spacy:{model}" for model in installed_models(language))
    if has_models(language):
        yield f"stanza:{language}"


# What follows the colon, and how to open it. The model is the language where nothing follows.
_KINDS: dict[str, tuple[str, Callable[[str, bool], Parser]]] = {
    "auto": ("", _auto),
    "english": ("", _english),
    "spacy": ("MODEL", _spacy),
    "stanza": ("LANGUAGE", _stanza),
    "udpipe": ("FILE", _udpipe),
}

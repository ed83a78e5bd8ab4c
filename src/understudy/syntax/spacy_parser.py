"""spaCy parsers: any model with a dependency parser, as an installed package or a folder.

Constituency trees as well, if the model has a component `benepar` (the Berkeley parser).
"""

from __future__ import annotations

import functools
import importlib.util
import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingExtra, MissingFile, did_you_mean
from understudy.syntax.deterministic_ops import row_wise_products
from understudy.syntax.model_files import digest, files_in, installed_version, safe
from understudy.syntax.parsing import (
    CONSTITUENTS,
    DEPENDENCIES,
    ModelParser,
    Parse,
    Progress,
    first_line,
    no_trees,
    spaced_once,
)
from understudy.syntax.processes import can_share_out, shared_out
from understudy.syntax.trees import DependencyToken, DependencyTree, written

# The sizes of spaCy's packages, best first: transformers, large, medium, small.
_SIZES = ("trf", "lg", "md", "sm")
# They take time but do not affect the trees.
_NOT_FOR_TREES = (
    "ner",
    "entity_linker",
    "entity_ruler",
    "span_ruler",
    "spancat",
    "textcat",
    "textcat_multilabel",
)
# https://universaldependencies.org/u/dep; spaCy always labels the root ROOT, and unnamed relations `dep`.
_UNIVERSAL_RELATIONS = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
_TEXTS_AT_ONCE = 64
_TEXTS_PER_PROCESS = 100  # forking this process costs as much CPU time as 30 texts of 25 words


class PipelineParser(ModelParser, ABC):
    """A spaCy pipeline applied to texts; subclasses define the pipeline and its trees."""

    def parse(
        self, texts: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> list[Parse]:
        """A parse for each text, independent of the other texts and of the number of threads."""
        nlp = self._pipeline()
        rows = [spaced_once(text) for text in texts]  # otherwise spaCy treats whitespace as words
        nlp.max_length = max([nlp.max_length, *(len(text) + 1 for text in rows)])
        parses = [no_trees(self.schemes)] * len(rows)
        with_text = [row for row, text in enumerate(rows) if text]
        if progress is not None and len(with_text) < len(rows):
            progress(len(rows) - len(with_text))
        parts = [
            with_text[start : start + _TEXTS_AT_ONCE] for start in range(0, len(with_text), _TEXTS_AT_ONCE)
        ]
        for part, found in self._found(nlp, [[rows[row] for row in part] for part in parts], threads):
            for row, parse in zip(parts[part], found, strict=True):
                parses[row] = parse
            if progress is not None:
                progress(len(found))
        return parses

    def _found(
        self, nlp: Any, parts: Sequence[Sequence[str]], threads: int
    ) -> Iterator[tuple[int, list[Parse]]]:
        """The number of each part of the texts and their parses, in any order."""

        def parses_of(part: int) -> list[Parse]:
            return self._together(nlp, parts[part])

        left = dict(enumerate(parts))
        processes = _processes(nlp, sum(map(len, parts)), threads)
        if processes > 1:
            with closing(shared_out(parses_of, len(parts), processes)) as answers:
                for part, parses in answers:
                    if parses is not None:
                        del left[part]
                        yield part, parses
        for part, texts in left.items():
            try:
                found = parses_of(part)
            except Exception:
                # A component may raise any error, which discards the whole batch. The texts are then tried one by one,
                # which also needs less memory.
                found = [self._alone(nlp, text) for text in texts]
            yield part, found

    def _together(self, nlp: Any, texts: Sequence[str]) -> list[Parse]:
        inputs = [self._input(nlp, text) for text in texts]
        return [self._parsed(document) for document in nlp.pipe(inputs, batch_size=_TEXTS_AT_ONCE)]

    def _alone(self, nlp: Any, text: str) -> Parse:
        try:
            return self._parsed(nlp(self._input(nlp, text)))
        except Exception as error:
            return self.failed(text, error)

    def _input(self, nlp: Any, text: str) -> Any:
        if not self.keep_words:
            return text
        from spacy.tokens import Doc

        return Doc(nlp.vocab, words=text.split())

    @abstractmethod
    def _pipeline(self) -> Any:
        """The pipeline."""

    @abstractmethod
    def _parsed(self, doc: Any) -> Parse:
        """The trees of a document."""


@dataclass(frozen=True, kw_only=True)
class SpacyParser(PipelineParser):
    """A spaCy model, loaded on first use."""

    home: str

    @classmethod
    def open(cls, model: str, *, keep_words: bool = False) -> SpacyParser:
        """The model in that package or folder. Reads its metadata only; nothing is loaded."""
        program = installed_version("spacy")
        if program is None:
            raise MissingExtra.of("spaCy's parsers", "spacy", "syntax")
        package = _package_folder(model)
        home = package or Path(model).expanduser()
        if not (home / "meta.json").is_file():
            raise MissingFile(_not_found(model, home))
        about = _about(home)
        version = f"{about.get('lang')}_{about.get('name')}-{about.get('version')}"
        if package is None:  # the version in a folder proves nothing
            version += f"-{digest(home, files_in(home))}"
        return cls(
            model=f"spacy:{model}",
            version=f"spacy-{program}:{safe(version)}",
            schemes=_schemes(about, model),
            keep_words=keep_words,
            home=model if package else str(home),
        )

    def _pipeline(self) -> Any:
        return _loaded(self.home)

    def _parsed(self, doc: Any) -> Parse:
        sentences = list(doc.sents)
        universal = self.schemes[DEPENDENCIES] == "ud"
        trees = [DependencyTree(tuple(_tokens(sentence, universal))) for sentence in sentences]
        constituents = None
        if CONSTITUENTS in self.schemes:
            constituents = " ".join(sentence._.parse_string for sentence in sentences)
        return Parse(constituents, written(trees))


def installed_models(language: str) -> list[str]:
    """The installed packages of a language with a dependency parser, largest first; none without spaCy."""
    if installed_version("spacy") is None:
        return []
    found = []
    for name in sorted({entry.name for entry in entry_points(group="spacy_models")}):
        home = _package_folder(name)
        if (
            home is not None
            and name.startswith(f"{language}_")
            and "parser" in _about(home).get("pipeline", ())
        ):
            found.append(name)
    size = {size: rank for rank, size in enumerate(_SIZES)}
    return sorted(found, key=lambda name: (size.get(name.rpartition("_")[2], len(size)), name))


# --- what a model says of itself -----------------------------------------------------------------------------


def _package_folder(name: str) -> Path | None:
    if not name.isidentifier():
        return None
    spec = importlib.util.find_spec(name)
    folders = (spec.submodule_search_locations or []) if spec else []
    return next((Path(home) for home in folders if (Path(home) / "meta.json").is_file()), None)


def _about(home: Path) -> dict[str, Any]:
    try:
        about = json.loads((home / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"'{home / 'meta.json'}' is not valid model metadata: {error}.") from None
    if not isinstance(about, dict):
        raise BadInput(f"'{home / 'meta.json'}' is not valid model metadata: expected a JSON object.")
    return about


def _not_found(model: str, home: Path) -> str:
    if home.is_dir():
        return f"'{home}' is not a spaCy model: it does not contain meta.json."
    message = f"no such spaCy model: '{model}'. Found neither a package nor a folder of that name."
    if not model.isidentifier():
        return message
    get = f"et it: python -m spacy download {model}"
    same_language = [e.name for e in entry_points(group="spacy_models") if e.name[:3] == model[:3]]
    return (
        f"{message} {did_you_mean(model, same_language)} Or g{get}" if same_language else f"{message} G{get}"
    )


def _schemes(about: Mapping[str, Any], model: str) -> dict[str, str]:
    pipeline = about.get("pipeline", ())
    if "parser" not in pipeline:
        raise BadInput(
            f"spaCy model '{model}' has no dependency parser. Its pipeline: {', '.join(pipeline) or 'empty'}."
        )
    labels = about.get("labels", {}).get("parser", ())
    found = {DEPENDENCIES: _scheme(labels)}
    return {CONSTITUENTS: "ptb", **found} if "benepar" in pipeline else found


def _scheme(labels: Iterable[str]) -> str:
    """The annotation scheme of a parser with these relations: spaCy's English models use ClearNLP, its German ones
    TIGER.

    >>> _scheme(["ROOT", "nsubj", "obl:arg"]), _scheme(["ROOT", "nsubj", "pobj"]), _scheme(["sb", "nk"])
    ('ud', 'clearnlp', 'tiger')
    """
    plain = {label.lower().partition(":")[0] for label in labels}
    if plain and plain <= set(_UNIVERSAL_RELATIONS.split()):
        return "ud"
    if {"nsubj", "pobj"} <= plain:
        return "clearnlp"
    return "tiger" if {"sb", "nk"} <= plain else "own"


# --- running it ----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def _loaded(model: str) -> Any:
    import spacy

    try:
        with warnings.catch_warnings(), row_wise_products():
            warnings.simplefilter("ignore")  # warnings about versions: the signature names both
            return spacy.load(model, exclude=_NOT_FOR_TREES)
    except ImportError as error:
        raise MissingExtra(f"spaCy model '{model}' needs another package: {first_line(error)}") from None
    except Exception as error:  # third-party files can raise any error
        raise BadInput(f"spaCy cannot load the model '{model}': {first_line(error)}") from None


def _processes(nlp: Any, texts: int, threads: int) -> int:
    """The number of processes."""
    if not can_share_out() or _runs_on_pytorch(nlp):
        return 1
    return max(1, min(threads, texts // _TEXTS_PER_PROCESS))


def _runs_on_pytorch(nlp: Any) -> bool:
    """Whether a component uses threads, as transformers and benepar do. Threads do not survive a fork, and the child
    may wait for them forever (https://spacy.io/usage/processing-pipelines#multiprocessing).
    """
    networks = [component.model for _, component in nlp.components if hasattr(component, "model")]
    return "benepar" in nlp.pipe_names or any(
        node.shims for network in networks if hasattr(network, "walk") for node in network.walk()
    )


def _tokens(sentence: Any, universal: bool) -> Iterable[DependencyToken]:
    for token in sentence:
        root = token.head.i == token.i
        yield DependencyToken(
            form=_field(token.text),
            lemma=_field(token.lemma_),
            tag=_field(token.tag_),
            coarse=_field(token.pos_),
            head=0 if root else token.head.i - sentence.start + 1,
            relation="root" if root and universal else _field(token.dep_),
            features=str(token.morph) or "_",
            space_after=bool(token.whitespace_),
        )


def _field(text: str) -> str:
    """The value as a CoNLL-U field: no tabs or line ends, `_` if empty."""
    return " ".join(text.split()) or "_"

"""WordNet in Princeton's format (Debian's wordnet-base, NLTK's data), from a folder or a zip file."""

from __future__ import annotations

import functools
import hashlib
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from understudy import _core
from understudy.disk_cache import home_folder
from understudy.errors import BadInput, MissingFile

PARTS = ("noun", "verb", "adj", "adv")

# Endings of regular forms and their replacements in the base form (WordNet's morphy; -ves as in NLTK).
_ENDINGS = {
    "noun": [("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")],
    "verb": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "adj": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "adv": [],
}  # fmt: skip

ANTONYM, HYPERNYM = "!", "@"
_PART_OF = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}

_WHERE = "Install Debian's wordnet-base or NLTK's corpus wordnet, or set synonyms=wordnet:FOLDER"


def wordnet(path: str = "") -> WordNet:
    """The WordNet in a folder or zip file; without a path, the first one found on this machine."""
    if path:
        given = Path(path).expanduser()
        if not _holds_wordnet(given):
            raise MissingFile(
                f"no WordNet in '{given}': expected index.noun, data.noun and WordNet's other files."
            )
        return _read(given)
    for place in _usual_places():
        if _holds_wordnet(place):
            return _read(place)
    raise MissingFile(f"this machine has no WordNet. {_WHERE}.")


@dataclass(frozen=True, eq=False)
class WordNet:
    """Words, their synsets, and irregular forms, by part of speech."""

    sets: dict[str, dict[str, list[int]]]  # part of speech, word: offsets of its synsets in the file
    members: dict[str, dict[int, list[str]]]  # part of speech, synset: its words
    bases: dict[str, dict[str, list[str]]]  # part of speech, irregular form: its bases
    digest: str
    path: Path | None = None  # of Princeton's files

    @functools.cached_property
    def table(self) -> _core.SynonymTable:
        """The synonyms in METEOR's format. Synset numbers are unique across parts of speech."""
        numbers: dict[str, list[int]] = {}
        forms: dict[str, list[str]] = {}
        for number, part in enumerate(PARTS):
            for word, places in self.sets[part].items():
                numbers.setdefault(word, []).extend(number * 10**8 + place for place in places)
            for form, bases in self.bases[part].items():
                for base in bases:
                    forms.setdefault(base, []).append(form)
        return _core.SynonymTable(
            "".join(f"{base}\n{' '.join(irregular)}\n" for base, irregular in forms.items()).encode(),
            "".join(f"{word}\n{' '.join(map(str, known))}\n" for word, known in numbers.items()).encode(),
        )

    def synonyms(self, word: str) -> frozenset[str]:
        """The single words that share a synset with a word or one of its base forms, as in NLTK."""
        found = {
            member
            for part in PARTS
            for base in self.base_forms(word.lower(), part)
            for place in self.sets[part][base]
            for member in self.members[part][place]
            if "_" not in member
        }
        return frozenset(found | {word})

    def antonyms(self, word: str, part: str) -> list[str]:
        """The antonyms of a base form in its most frequent sense."""
        place = self.sets[part][word][0]
        names = [member.lower() for member in self.members[part][place]]
        return [
            self.members[pointer.part][pointer.place][pointer.word - 1]
            for pointer in self._pointers[part].get(place, ())
            if pointer.symbol == ANTONYM and names[pointer.source - 1] == word
        ]

    def hypernyms(self, word: str, part: str) -> list[str]:
        """The words one level more general than a base form in its most frequent sense."""
        return [
            member
            for pointer in self._pointers[part].get(self.sets[part][word][0], ())
            if pointer.symbol == HYPERNYM
            for member in self.members[pointer.part][pointer.place]
        ]

    def is_attested(self, word: str, part: str) -> bool:
        """Whether a base form occurs in the sense-tagged texts of WordNet, so that it is not rare."""
        return word in self._attested[part]

    @functools.cached_property
    def _attested(self) -> dict[str, frozenset[str]]:
        return {part: frozenset(_attested(text)) for part, text in self._texts("index").items()}

    @functools.cached_property
    def _pointers(self) -> dict[str, dict[int, list[Pointer]]]:
        """By part of speech and synset; read from the files when first needed."""
        try:
            return {part: dict(_pointers(text)) for part, text in self._texts("data").items()}
        except (ValueError, IndexError, KeyError):
            raise BadInput(f"'{self.path}' is not WordNet in Princeton's format.") from None

    def _texts(self, file: str) -> dict[str, str]:
        """Princeton's files of all parts of speech."""
        if self.path is None:
            raise MissingFile("antonyms, hypernyms and frequent words need WordNet in Princeton's format.")
        return {
            part: _content(self.path, f"{file}.{part}").decode("utf-8", errors="replace") for part in PARTS
        }

    def base_forms(self, word: str, part: str) -> list[str]:
        """The base forms that a word may have, as a part of speech."""

        def known(forms: list[str]) -> list[str]:
            return list(dict.fromkeys(form for form in forms if form in self.sets[part]))

        def shortened(form: str) -> list[str]:
            return [form[: -len(old)] + new for old, new in _ENDINGS[part] if form.endswith(old)]

        if word in self.bases[part]:
            return known([word, *self.bases[part][word]])
        # Apply the rules only once: the base of assessment's stem, assess, is not ass.
        return known([word, *shortened(word)])


class Pointer(NamedTuple):
    """A relation between synsets, or between single words of them."""

    symbol: str
    part: str  # of speech of the synset it leads to
    place: int  # of that synset
    source: int  # number of the word, from 1; 0: all words
    word: int  # number of the word it leads to, from 1; 0: all words


@functools.lru_cache(maxsize=1)
def _read(path: Path) -> WordNet:
    content = {
        name: _content(path, name)
        for part in PARTS
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc")
    }
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in content.values()))
    text = {name: part.decode("utf-8", errors="replace") for name, part in content.items()}
    try:
        return WordNet(
            {part: dict(_index(text[f"index.{part}"])) for part in PARTS},
            {part: dict(_members(text[f"data.{part}"])) for part in PARTS},
            {part: dict(_exceptions(text[f"{part}.exc"])) for part in PARTS},
            digest.hexdigest()[:12],
            path,
        )
    except (ValueError, IndexError):
        raise BadInput(f"'{path}' is not WordNet in Princeton's format.") from None


def _index(text: str) -> Iterator[tuple[str, list[int]]]:
    for line in text.split("\n"):
        if line and not line.startswith(" "):  # the license is indented
            word, _, count, *rest = line.split()
            yield word, [int(place) for place in rest[len(rest) - int(count) :]]


def _attested(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            word, _, count, *rest = line.split()
            if (
                int(rest[len(rest) - int(count) - 1]) > 0
            ):  # the number of senses that occur, before the synsets
                yield word


def _members(text: str) -> Iterator[tuple[int, list[str]]]:
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            place, _, _, count, *rest = line.split(" ")
            words = rest[: 2 * int(count, 16) : 2]
            yield int(place), [word.partition("(")[0] for word in words]  # galore(ip)


def _pointers(text: str) -> Iterator[tuple[int, list[Pointer]]]:
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            fields = line.partition("|")[0].split(" ")
            first = 4 + 2 * int(
                fields[3], 16
            )  # after the words: the number of pointers, and four fields of each
            pointers = [fields[first + 1 + 4 * number :][:4] for number in range(int(fields[first]))]
            found = [
                Pointer(symbol, _PART_OF[part], int(place), int(words[:2], 16), int(words[2:], 16))
                for symbol, place, part, words in pointers
                if symbol in (ANTONYM, HYPERNYM)
            ]
            if found:
                yield int(fields[0]), found


def _exceptions(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.split("\n"):
        if line.strip():
            form, *bases = line.split()
            yield form, bases


def _content(path: Path, name: str) -> bytes:
    try:
        if path.is_dir():
            return (path / name).read_bytes()
        with zipfile.ZipFile(path) as packed:
            return packed.read(next(inside for inside in packed.namelist() if inside.endswith(f"/{name}")))
    except (OSError, StopIteration):
        raise MissingFile(f"'{path}' does not contain WordNet's file {name}.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise BadInput(f"'{path}' is damaged: WordNet's file {name} cannot be unpacked ({error}).") from None


def _holds_wordnet(path: Path) -> bool:
    return (path / "index.noun").is_file() if path.is_dir() else path.suffix == ".zip" and path.is_file()


def _usual_places() -> Iterator[Path]:
    """NLTK's folders, in NLTK's order, and Debian's."""
    roots = [
        home_folder() / "nltk_data",
        *(Path(sys.prefix) / folder / "nltk_data" for folder in ("", "share", "lib")),
        *(
            Path(folder) / "nltk_data"
            for folder in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
        ),
    ]
    for root in roots:
        yield root / "corpora" / "wordnet"
        yield root / "corpora" / "wordnet.zip"
    yield Path("/usr/share/wordnet")

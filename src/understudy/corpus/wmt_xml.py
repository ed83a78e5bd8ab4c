"""The XML of the WMT shared tasks: documents, each with its source, references and hypotheses."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from understudy.corpus.files import shown
from understudy.corpus.languages import language_tag
from understudy.corpus.markup_texts import MarkupTexts
from understudy.corpus.segment_sources import Role
from understudy.corpus.sgml import UNNAMED
from understudy.errors import BadInput

_ROLES_OF_PARTS: dict[str, tuple[Role, str]] = {
    "src": ("source", ""),  # there is one, whatever its language
    "ref": ("reference", "translator"),
    "hyp": ("system", "system"),
}
_LANGUAGES = ("lang", "language", "{http://www.w3.org/XML/1998/namespace}lang")
_ENTITY = "<!ENTITY"


def read_xml(parts: Iterable[str], path: str, texts: MarkupTexts) -> None:
    """The texts of a file, given in consecutive parts."""
    found = _Elements(path, texts)
    parser = ElementTree.XMLParser(target=found)
    before = ""  # the end of the part before
    blank = True
    try:
        for part in parts:
            # Entities that expand to entities can exhaust memory, and test sets do not need their own.
            if _ENTITY in before + part:
                raise BadInput(
                    f"{shown(path)} declares XML entities, which are not supported. Remove its DOCTYPE."
                )
            before = (before + part)[-len(_ENTITY) :]
            blank = blank and not part.strip()
            parser.feed(part)
        parser.close()
    except ElementTree.ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        raise BadInput(
            f"{shown(path)}, line {line}, column {column + 1}: not valid XML ({reason}). {_cure(blank, reason)}"
        ) from None
    if not found.documents:
        raise BadInput(
            f"{shown(path)} contains no <doc>; expected the XML of a WMT test set, got <{found.root}>."
        )


def _cure(blank: bool, reason: str) -> str:
    if blank:
        return "The file is empty, expected a WMT test set."
    if reason in ("no element found", "unclosed token"):  # the file ends too early
        return "Is it truncated?"
    return "Correct the file, or rename it to .txt if it is plain text."


class _Elements:
    """Takes the elements of a file as the parser meets them."""

    def __init__(self, path: str, texts: MarkupTexts) -> None:
        self.root = ""
        self.documents = 0
        self._path, self._texts = path, texts
        self._open: list[str] = []  # the tags around, from the root
        self._numbers: list[int] = []  # of the documents around
        self._at = ""
        self._part: int | None = None  # how many tags are around the open source, reference or hypothesis
        self._segment: int | None = None  # the same for the open segment
        self._identifier: str | None = None
        self._content: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.root = self.root or tag
        if tag == "doc":
            self._start_document(attributes)
        elif self._part is None:
            if tag in _ROLES_OF_PARTS and self._open[-1:] == ["doc"]:
                self._start_part(tag, attributes)
        elif tag == "seg":
            if self._segment is not None:
                raise BadInput(f"{self._at}: <seg> inside <seg>. Is a tag missing?")
            self._segment, self._identifier = len(self._open), attributes.get("id")
        self._open.append(tag)

    def data(self, text: str) -> None:
        if self._segment is not None:
            self._content.append(text)

    def end(self, tag: str) -> None:
        self._open.pop()
        if self._segment == len(self._open):
            self._texts.add(self._identifier, "".join(self._content), self._at)
            self._segment, self._content = None, []
        elif self._part == len(self._open):
            self._part = None
        elif tag == "doc":
            self._numbers.pop()

    def close(self) -> None:
        pass

    def _start_document(self, attributes: dict[str, str]) -> None:
        if self._part is not None:
            raise BadInput(f"{self._at}: <doc> inside <{self._open[self._part]}>. Is a tag missing?")
        self.documents += 1
        name = attributes.get("id")
        if not name:
            raise BadInput(f"{shown(self._path)}: <doc> number {self.documents} has no id.")
        number, new = self._texts.document(name)
        if not new:
            raise BadInput(f"{shown(self._path)}: document '{name}' occurs twice.")
        self._texts.domains[number] = attributes.get("domain") or None
        self._numbers.append(number)

    def _start_part(self, tag: str, attributes: dict[str, str]) -> None:
        role, attribute = _ROLES_OF_PARTS[tag]
        number = self._numbers[-1]
        said = next((attributes[each] for each in _LANGUAGES if attributes.get(each)), "")
        self._at = f"{shown(self._path)}, document '{self._texts.documents[number]}'"
        name = attributes.get(attribute) or UNNAMED
        if not self._texts.begin(role, name, number, language_tag(said)):
            alike = f" with the same {attribute}" if attribute else ""
            raise BadInput(f"{self._at} has two <{tag}>{alike}.")
        self._part = len(self._open)

"""NIST SGML: sets of documents with segments. Other tags are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from understudy.corpus.files import shown
from understudy.corpus.languages import language_tag
from understudy.corpus.markup_texts import MarkupTexts
from understudy.corpus.segment_sources import Role
from understudy.errors import BadInput

ROLES_OF_SETS: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
UNNAMED = "unnamed"

# Nothing within a tag is < or >, so that a tag is complete if and only if its > has been read.
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>srcset|refset|tstset|doc|seg)"
    r"""(?P<attributes>(?:\s(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)?)/?>""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_DEPTHS = {"srcset": 0, "refset": 0, "tstset": 0, "doc": 1, "seg": 2}


class _Tag(NamedTuple):
    name: str
    attributes: dict[str, str]
    line: int


def read_sgml(parts: Iterable[str], path: str, texts: MarkupTexts) -> None:
    """The texts of a file, given in consecutive parts."""
    current: _Tag | None = None  # the document to which segments are added
    at = ""
    for (outer, doc, seg), content in _segments(parts, path):
        if doc is not current:
            at = _begin(outer, doc, path, texts)
            current = doc
        texts.add(seg.attributes.get("id"), content, at)
    if not any(texts.versions.values()):
        raise BadInput(f"{shown(path)} contains no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>.")


def _begin(outer: _Tag, doc: _Tag, path: str, texts: MarkupTexts) -> str:
    """A document, and how it is called in messages."""
    role = ROLES_OF_SETS[outer.name]
    document = doc.attributes.get("docid")
    if not document:
        raise BadInput(f"{shown(path)}, line {doc.line}: a <doc> has no docid.")
    version = doc.attributes.get("sysid") or outer.attributes.get("sysid") or UNNAMED
    if role == "source":
        version = UNNAMED
    said = outer.attributes.get("srclang" if role == "source" else "trglang", "")
    number, _ = texts.document(document)
    texts.domains[number] = texts.domains[number] or doc.attributes.get("genre") or None
    if not texts.begin(role, version, number, language_tag(said)):
        raise BadInput(
            f"{shown(path)}, line {doc.line}: document '{document}' of '{version}' occurs twice. Each system and "
            "reference needs its own sysid."
        )
    return f"{shown(path)}, document '{document}' of '{version}'"


def _segments(parts: Iterable[str], path: str) -> Iterator[tuple[list[_Tag], str]]:
    """The set, document and segment tags around every segment's text."""
    inside: list[_Tag] = []
    line = 1
    content = ""  # of an open segment, as far as it has been read
    for text, last in _cut_before_tags(parts):
        done = counted = 0  # what follows the last tag; where lines have been counted
        for match in _TAG.finditer(text):
            name = match["name"].lower()
            if name == "doc" or not _fits(name, bool(match["end"]), inside):
                line, counted = line + text.count("\n", counted, match.start()), match.start()
            if not _fits(name, bool(match["end"]), inside):
                around = f"inside <{inside[-1].name}>" if inside else "outside all other tags"
                raise BadInput(
                    f"{shown(path)}, line {line}: <{match['end']}{name}> {around}. Is a tag missing?"
                )
            if match["end"]:
                if name == "seg":
                    yield inside, content + text[done : match.start()]
                inside.pop()
            else:
                ends_on = line + match[0].count("\n")
                inside.append(_Tag(name, _attributes(match["attributes"]), ends_on))
                if name == "seg" and match[0].endswith("/>"):
                    yield inside, ""
                    inside.pop()
            content, done = "", match.end()
        line += text.count("\n", counted)
        content = content + text[done:] if inside and inside[-1].name == "seg" else ""
        if last and inside:
            raise BadInput(f"{shown(path)} ends inside <{inside[-1].name}>. Is it truncated?")


def _fits(name: str, end: bool, inside: list[_Tag]) -> bool:
    """Whether a tag may follow here."""
    return (bool(inside) and inside[-1].name == name) if end else len(inside) == _DEPTHS[name]


def _cut_before_tags(parts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The same text, no tag of which is in two parts, and whether a part is the last."""
    rest = ""
    for part in parts:
        rest += part
        opened = rest.rfind("<")
        cut = len(rest) if opened < 0 or ">" in rest[opened:] else opened
        yield rest[:cut], False
        rest = rest[cut:]
    yield rest, True


def _attributes(text: str) -> dict[str, str]:
    return {match[1].lower(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(text)}

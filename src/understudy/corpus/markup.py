"""Test sets with markup: NIST SGML (`.sgm`, `.sgml`) and the XML of the WMT shared tasks (`.xml`).

Both contain documents with numbered segments, often from several systems or references, aligned by document and
segment id in file order. All files must have the same order. As in mteval, runs of spaces and line breaks within a
segment become one space, and those at its ends are removed. An empty segment is a segment; one without an id is
numbered by its position in the document.

In SGML, entities such as `&amp;` and tags such as `<skipped>` within a segment are kept, because mteval's tokenizer
(13a) handles them. In WMT XML, entities follow the XML standard. If an SGML file contains a single text, it can be
used as a system or as a reference, whatever its tag.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from understudy._core import Column
from understudy.corpus.files import read_all, shown
from understudy.corpus.languages import common_language, language_tag
from understudy.corpus.lines import decoded
from understudy.corpus.segment_sources import InMemorySource, Role, SegmentSource, choose, full_name
from understudy.errors import BadInput, InputWarning

_Document = dict[str, str]  # segment id -> text
_Version = dict[str, _Document]  # document id -> document: one system, one reference or the source
_Versions = dict[Role, dict[str, _Version]]
_Domains = dict[str, str]  # by document id, where given
# For every version, each language attribute found. A source differs in language from its translations.
_Languages = dict[tuple[bool, str], set[str | None]]

_UNNAMED = "unnamed"
_NO_DOMAIN = "(none)"
_ROLES_OF_SETS: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_ROLES_OF_PARTS: dict[str, tuple[Role, str]] = {
    "src": ("source", ""),  # there is one, whatever its language
    "ref": ("reference", "translator"),
    "hyp": ("system", "system"),
}
_CHOSEN_BY_NAME: tuple[Role, ...] = ("system", "reference")
_XML_LANGUAGES = ("lang", "language", "{http://www.w3.org/XML/1998/namespace}lang")
_PLURALS = {"system": "system outputs", "reference": "references", "source": "source texts"}

# Only the whitespace that separates words and lines; a no-break space is part of the text.
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")


def open_markup(path: str, kind: str, chosen: str | None, role: Role) -> list[SegmentSource]:
    """The systems or references in a file, or those selected by name."""
    if role == "label":
        raise BadInput(
            f"{shown(path)} is a test set, expected labels: a text file with one label per line, or a table."
        )
    text = decoded(read_all(path), path)
    is_nist = kind == "sgml" or re.search(r"<(srcset|refset|tstset)[\s>]", text, re.IGNORECASE)
    versions, domains, languages = _read_sgml(text, path) if is_nist else _read_xml(text, path)
    if is_nist and (chosen is None or not any(versions[named] for named in _CHOSEN_BY_NAME)):
        versions = _with_lone_set_as(role, versions, path)
    selected = _select(versions, path, chosen, role)

    # In XML, each document contains its own references and may have fewer of them; an SGML refset must be complete, as
    # in mteval.
    may_lack_documents = role == "reference" and not is_nist
    # File order, whatever the selection.
    order: tuple[Role, ...] = ("source", role, "reference", "system")
    pattern = next(version for each in order for version in versions[each].values())
    documents = [document for document, segments in pattern.items() for _ in segments]
    identifiers = [identifier for segments in pattern.values() for identifier in segments]
    if not documents:
        raise BadInput(f"{shown(path)} contains no segments.")
    several = chosen is not None or len(selected) > 1
    return [
        InMemorySource(
            path,
            name if several else None,
            Column.from_strings(_aligned(version, pattern, path, f"{role} '{name}'", may_lack_documents)),
            origin=full_name(path, name),
            documents=documents,
            domains=[domains.get(document, _NO_DOMAIN) for document in documents] if domains else None,
            identifiers=identifiers,
            language=common_language(languages.get((role == "source", name), ())),
        )
        for name, version in selected.items()
    ]


def _with_lone_set_as(role: Role, versions: _Versions, path: str) -> _Versions:
    """Some submissions are wrapped in a source or reference tag, so a file with one text takes the role in which it
    is given.
    """
    held = [(other, texts) for other, texts in versions.items() if texts]
    if role == "source" or len(held) != 1 or held[0][0] == role or len(held[0][1]) != 1:
        return versions
    tags = {meant: tag for tag, meant in _ROLES_OF_SETS.items()}
    other, texts = held[0]
    said = f"{shown(path)} contains a <{tags[other]}>, expected a <{tags[role]}>. Its only text is used as a {role}."
    swapped = "" if other == "source" else " Are the arguments swapped?"
    warnings.warn(said + swapped, InputWarning, stacklevel=2)
    return {**versions, other: {}, role: texts}


def _select(versions: _Versions, path: str, chosen: str | None, role: Role) -> dict[str, _Version]:
    """The texts with this role. If selected by name, a reference can be scored like a system, and a system used as a
    reference.
    """
    found = versions[role]
    if chosen is not None:
        other: Role = "reference" if role == "system" else "system"
        known = found if role == "source" else {**versions[other], **found}
        return {name: known[name] for name in choose(chosen, list(known), role, path)}
    if not found:
        held = [_PLURALS[other] for other, names in versions.items() if names]
        named = [name for other in _CHOSEN_BY_NAME for name in versions[other]]
        message = f"{shown(path)} contains no {_PLURALS[role]}"
        if role == "source" or not held:
            raise BadInput(f"{message}.")
        raise BadInput(
            f"{message}, only {' and '.join(held)}. Are the arguments swapped?"
            + (f" Select a text by name, e.g. {path}:{named[0]}." if named else "")
        )
    return found


def _aligned(
    version: _Version, pattern: _Version, path: str, what: str, may_lack_documents: bool
) -> Iterator[str | None]:
    """The segments of a version, in the order of the pattern."""
    for extra in version:
        if extra not in pattern:
            raise BadInput(f"{shown(path)}: {what} has a document '{extra}' that the others lack.")
    for document, expected in pattern.items():
        if document not in version:
            if not may_lack_documents:
                first = next(iter(expected), "1")
                raise BadInput(f"{shown(path)}: {what} lacks document '{document}' (from segment '{first}').")
            yield from (None for _ in expected)
            continue
        segments = version[document]
        for extra in segments:
            if extra not in expected:
                raise BadInput(
                    f"{shown(path)}, document '{document}': {what} has a segment '{extra}' that the others lack."
                )
        for segment in expected:
            if segment not in segments:
                raise BadInput(f"{shown(path)}, document '{document}': {what} lacks segment '{segment}'.")
            yield segments[segment]


def _add(segments: _Document, identifier: str | None, text: str, at: str) -> None:
    identifier = identifier or str(len(segments) + 1)
    if identifier in segments:
        raise BadInput(f"{at} has two segments '{identifier}'.")
    segments[identifier] = _BLANKS.sub(" ", text).strip(" ")


# ---------------------------------------------------------------------------------------------------
# NIST SGML

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
    end: int  # start of its content


def _read_sgml(text: str, path: str) -> tuple[_Versions, _Domains, _Languages]:
    versions: _Versions = {"system": {}, "reference": {}, "source": {}}
    domains: _Domains = {}
    languages: _Languages = {}
    doc_tags: dict[tuple[str, str, str], _Tag] = {}
    for (outer, doc, seg), content in _sgml_segments(text, path):
        role = _ROLES_OF_SETS[outer.name]
        document = doc.attributes.get("docid")
        if not document:
            raise BadInput(f"{_at(text, doc.end, path)}: a <doc> has no docid.")
        if genre := doc.attributes.get("genre"):
            domains.setdefault(document, genre)
        version = doc.attributes.get("sysid") or outer.attributes.get("sysid") or _UNNAMED
        if role == "source":
            version = _UNNAMED
        said = outer.attributes.get("srclang" if role == "source" else "trglang", "")
        languages.setdefault((role == "source", version), set()).add(language_tag(said))
        if doc_tags.setdefault((role, version, document), doc) is not doc:
            raise BadInput(
                f"{_at(text, doc.end, path)}: document '{document}' of '{version}' occurs twice. Each system and "
                "reference needs its own sysid."
            )
        segments = versions[role].setdefault(version, {}).setdefault(document, {})
        _add(
            segments,
            seg.attributes.get("id"),
            content,
            f"{shown(path)}, document '{document}' of '{version}'",
        )
    if not any(versions.values()):
        raise BadInput(f"{shown(path)} contains no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>.")
    return versions, domains, languages


def _sgml_segments(text: str, path: str) -> Iterator[tuple[list[_Tag], str]]:
    """The set, document and segment tags around every segment's text. Other tags are ignored."""
    inside: list[_Tag] = []
    for match in _TAG.finditer(text):
        name = match["name"].lower()
        around = f"inside <{inside[-1].name}>" if inside else "outside all other tags"
        if match["end"]:
            if not inside or inside[-1].name != name:
                raise BadInput(f"{_at(text, match.start(), path)}: </{name}> {around}. Is a tag missing?")
            if name == "seg":
                yield inside, text[inside[-1].end : match.start()]
            inside.pop()
            continue
        if len(inside) != _DEPTHS[name]:
            raise BadInput(f"{_at(text, match.start(), path)}: <{name}> {around}. Is a tag missing?")
        inside.append(_Tag(name, _attributes(match["attributes"]), match.end()))
        if name == "seg" and match[0].endswith("/>"):
            yield inside, ""
            inside.pop()
    if inside:
        raise BadInput(f"{shown(path)} ends inside <{inside[-1].name}>. Is it truncated?")


def _attributes(text: str) -> dict[str, str]:
    return {match[1].lower(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(text)}


def _at(text: str, position: int, path: str) -> str:
    return f"{shown(path)}, line {text.count(chr(10), 0, position) + 1}"


# ---------------------------------------------------------------------------------------------------
# WMT XML


def _cure_of_xml(text: str, reason: str) -> str:
    if not text.strip():
        return "The file is empty, expected a WMT test set."
    if reason in ("no element found", "unclosed token"):  # the file ends too early
        return "Is it truncated?"
    return "Correct the file, or rename it to .txt if it is plain text."


def _read_xml(text: str, path: str) -> tuple[_Versions, _Domains, _Languages]:
    # Entities that expand to entities can exhaust memory, and test sets do not need their own.
    if "<!ENTITY" in text:
        raise BadInput(f"{shown(path)} declares XML entities, which are not supported. Remove its DOCTYPE.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        raise BadInput(
            f"{shown(path)}, line {line}, column {column + 1}: not valid XML ({reason}). {_cure_of_xml(text, reason)}"
        ) from None

    versions: _Versions = {"system": {}, "reference": {}, "source": {}}
    domains: _Domains = {}
    languages: _Languages = {}
    seen: set[str] = set()
    for number, doc in enumerate(root.iter("doc"), start=1):
        document = doc.get("id")
        if not document:
            raise BadInput(f"{shown(path)}: <doc> number {number} has no id.")
        if document in seen:
            raise BadInput(f"{shown(path)}: document '{document}' occurs twice.")
        seen.add(document)
        if domain := doc.get("domain"):
            domains[document] = domain
        for part in doc:
            if part.tag in _ROLES_OF_PARTS:
                role, attribute = _ROLES_OF_PARTS[part.tag]
                name = part.get(attribute) or _UNNAMED
                version = versions[role].setdefault(name, {})
                if document in version:
                    raise BadInput(
                        f"{shown(path)}, document '{document}' has two <{part.tag}> with the same {attribute}."
                    )
                version[document] = _xml_segments(part, f"{shown(path)}, document '{document}'")
                said = next((part.get(each) for each in _XML_LANGUAGES if part.get(each)), None)
                languages.setdefault((role == "source", name), set()).add(language_tag(said or ""))
    if not seen:
        raise BadInput(
            f"{shown(path)} contains no <doc>; expected the XML of a WMT test set, got <{root.tag}>."
        )
    return versions, domains, languages


def _xml_segments(part: ElementTree.Element, at: str) -> _Document:
    segments: _Document = {}
    for seg in part.iter("seg"):
        _add(segments, seg.get("id"), "".join(seg.itertext()), at)
    return segments

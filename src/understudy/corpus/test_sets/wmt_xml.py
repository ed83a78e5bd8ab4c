"""The XML of WMT since 2021: one file with sources, references and systems by document.

The rules are those of sacreBLEU 2.6.0. Documents of test suites are left out, and so is a segment that no reference
has. A reference by A is the field `ref:A`; a reference without a translator is `ref`. Every system is a field, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.errors import BadInput

if TYPE_CHECKING:
    from xml.etree import ElementTree


def fields_of_xml(path: Path) -> dict[str, list[str]]:
    """All fields: src, references, docid, origlang, systems and, if the documents have one, domain."""
    root = _root(path)
    _check_languages(root, path)
    translators = list(dict.fromkeys(part.get("translator") for part in root.iterfind(".//ref")))
    fields: dict[str, list[str]] = {
        name: [] for name in ("src", *map(reference_field, translators), "docid", "origlang")
    }
    systems: dict[str, list[str]] = {}
    domains: list[str | None] = []
    for doc in root.iterfind(".//doc"):
        if "testsuite" in doc.attrib:
            continue
        sources = _segments(doc.iterfind(".//src//seg"), path)
        references = {
            part.get("translator"): _segments(part.iterfind(".//seg"), path)
            for part in doc.iterfind(".//ref")
        }
        outputs = {
            part.get("system", ""): _segments(part.iterfind(".//seg"), path)
            for part in doc.iterfind(".//hyp")
        }
        for number in sorted(sources):
            if not any(segments.get(number) for segments in references.values()):
                continue
            fields["src"].append(sources[number])
            for translator in translators:
                fields[reference_field(translator)].append(references.get(translator, {}).get(number, ""))
            for system, segments in outputs.items():
                if number not in segments:
                    raise BadInput(
                        f"'{path}', document '{doc.get('id')}': system '{system}' has no segment {number}. Get the "
                        "test set again."
                    )
                systems.setdefault(system, []).append(segments[number])
            fields["docid"].append(_needed(doc, "id", path))
            fields["origlang"].append(_needed(doc, "origlang", path))
            domains.append(doc.get("domain"))
    fields |= systems
    if (
        domains and domains[-1] is not None
    ):  # the last document decides in sacreBLEU; all have a domain, or none
        fields["domain"] = [domain or "" for domain in domains]
    return {name: list(map(cleaned, lines)) for name, lines in fields.items()}


def reference_field(translator: str | None) -> str:
    """The field of a reference.

    >>> reference_field("refA"), reference_field("")
    ('ref:refA', 'ref')
    """
    return f"ref:{translator}" if translator else "ref"


def cleaned(text: str) -> str:
    """With single spaces, and none at the ends.

    >>> cleaned(" one\\u00a0 two ")
    'one two'
    """
    return re.sub(r"\s+", " ", text.strip())


def _root(path: Path) -> ElementTree.Element:
    from xml.etree import ElementTree  # a set is read from XML only once

    text = decoded(read_all(str(path)), str(path))
    # Entities that expand to entities can exhaust memory, and test sets do not need their own.
    if "<!ENTITY" in text:
        raise BadInput(f"'{path}' declares XML entities, which no test set needs. Get the test set again.")
    # A comment ends the text of a segment, as in lxml, which sacreBLEU uses.
    builder = ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    try:
        return ElementTree.fromstring(text, ElementTree.XMLParser(target=builder))
    except ElementTree.ParseError as error:
        raise BadInput(f"'{path}' is not valid XML ({error}). Get the test set again.") from None


def _segments(segments: Iterable[ElementTree.Element], path: Path) -> dict[int, str]:
    """By number: the text before anything that is nested in it."""
    found: dict[int, str] = {}
    for segment in segments:
        number = segment.get("id", "")
        try:
            found[int(number)] = segment.text or ""
        except ValueError:
            raise BadInput(f"'{path}': a segment has the id '{number}', expected a number.") from None
    return found


def _needed(doc: ElementTree.Element, attribute: str, path: Path) -> str:
    if attribute not in doc.attrib:
        raise BadInput(f"'{path}': a <doc> has no {attribute}.")
    return doc.attrib[attribute]


def _check_languages(root: ElementTree.Element, path: Path) -> None:
    for part in ("src", "ref"):
        languages = {each.get("lang") for each in root.iterfind(f".//{part}")}
        if len(languages) != 1:
            named = ", ".join(sorted(map(str, languages))) or "none"
            raise BadInput(
                f"'{path}': <{part}> in several languages or none ({named}), expected one language."
            )

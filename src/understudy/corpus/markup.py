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
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from understudy._core import Column
from understudy.corpus.files import shown
from understudy.corpus.label_runs import LabelRuns
from understudy.corpus.languages import common_language
from understudy.corpus.lines import decoded_in_parts
from understudy.corpus.markup_texts import MarkupTexts, Version
from understudy.corpus.segment_sources import Role, SegmentSource, choose, full_name, short_name
from understudy.corpus.sgml import ROLES_OF_SETS, read_sgml
from understudy.corpus.wmt_xml import read_xml
from understudy.errors import BadInput, InputWarning

_Versions = dict[Role, dict[str, Version]]

_NO_DOMAIN = "(none)"
_CHOSEN_BY_NAME: tuple[Role, ...] = ("system", "reference")
_PLURALS = {"system": "system outputs", "reference": "references", "source": "source texts"}
# In SGML, documents are inside sets; in the XML of WMT, there are no sets.
_SET_OR_DOCUMENT = re.compile(r"<(?:(srcset|refset|tstset)|doc)[\s>]", re.IGNORECASE)
_HEAD = 1 << 24  # characters in which the first of these is looked for


def open_markup(path: str, kind: str, chosen: str | None, role: Role) -> list[SegmentSource]:
    """The systems or references in a file, or those selected by name."""
    if role == "label":
        raise BadInput(
            f"{shown(path)} is a test set, expected labels: a text file with one label per line, or a table."
        )
    is_nist, parts = _recognized(path, kind)
    names = None if chosen is None else {chosen, *chosen.split(",")}

    def kept(has: Role, name: str) -> bool:
        may_have_the_role = has == role or names is not None or is_nist  # a lone set may have any
        return may_have_the_role and (names is None or name in names)

    texts = MarkupTexts(shown(path), kept)
    (read_sgml if is_nist else read_xml)(parts, path, texts)
    texts.complete()
    versions = texts.versions
    if is_nist and (chosen is None or not any(versions[named] for named in _CHOSEN_BY_NAME)):
        versions = _with_lone_set_as(role, versions, path)
    selected = _select(versions, path, chosen, role)

    # In XML, each document contains its own references and may have fewer of them; an SGML refset must be complete, as
    # in mteval.
    may_lack_documents = role == "reference" and not is_nist
    # File order, whatever the selection.
    order: tuple[Role, ...] = ("source", role, "reference", "system")
    pattern = _Pattern(texts, next(version for each in order for version in versions[each].values()))
    if not len(pattern.documents):
        raise BadInput(f"{shown(path)} contains no segments.")
    several = chosen is not None or len(selected) > 1
    return [
        _MarkupSource(
            path,
            name if several else None,
            pattern,
            _Aligned(pattern, version, path, f"{role} '{name}'", may_lack_documents),
            origin=full_name(path, name),
            language=common_language(texts.languages.get((role == "source", name), ())),
        )
        for name, version in selected.items()
    ]


def _recognized(path: str, kind: str) -> tuple[bool, Iterator[str]]:
    """Whether it is NIST's SGML, and the text of the file in parts."""
    parts = decoded_in_parts(path)
    if kind == "sgml":
        return True, parts
    head: list[str] = []
    for part in parts:
        head.append(part)
        if found := _SET_OR_DOCUMENT.search("".join(head)):
            return found[1] is not None, chain(head, parts)
        if sum(map(len, head)) > _HEAD:
            break
    return False, chain(head, parts)


def _with_lone_set_as(role: Role, versions: _Versions, path: str) -> _Versions:
    """Some submissions are wrapped in a source or reference tag, so a file with one text takes the role in which it
    is given.
    """
    held = [(other, texts) for other, texts in versions.items() if texts]
    if role == "source" or len(held) != 1 or held[0][0] == role or len(held[0][1]) != 1:
        return versions
    tags = {meant: tag for tag, meant in ROLES_OF_SETS.items()}
    other, texts = held[0]
    said = f"{shown(path)} contains a <{tags[other]}>, expected a <{tags[role]}>. Its only text is used as a {role}."
    swapped = "" if other == "source" else " Are the arguments swapped?"
    warnings.warn(said + swapped, InputWarning, stacklevel=2)
    return {**versions, other: {}, role: texts}


def _select(versions: _Versions, path: str, chosen: str | None, role: Role) -> dict[str, Version]:
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


class _Pattern:
    """The documents and segment ids of one version, whose order all versions follow."""

    def __init__(self, texts: MarkupTexts, version: Version) -> None:
        self.texts, self.version = texts, version
        runs = list(zip(version.documents, version.segments, strict=True))
        self.documents = LabelRuns((texts.documents[document], count) for document, count in runs)
        self.domains = (
            LabelRuns((texts.domains[document] or _NO_DOMAIN, count) for document, count in runs)
            if any(texts.domains)
            else None
        )

    @property
    def places(self) -> Iterable[tuple[int, int]]:
        """The places of its documents, and their numbers."""
        return enumerate(self.version.documents)

    def __iter__(self) -> Iterator[str]:
        """The ids of all segments."""
        for place, _ in self.places:
            yield from self.texts.identifiers(self.version, place)


class _Aligned:
    """The segments of a version, in the order of the pattern. What does not fit it raises an error at once."""

    def __init__(
        self, pattern: _Pattern, version: Version, path: str, what: str, may_lack_documents: bool
    ) -> None:
        self._pattern, self._version = pattern, version
        self._in_other_order: set[int] = set()  # documents by their numbers
        if version is not pattern.version:
            self._check(path, what, may_lack_documents)

    def _check(self, path: str, what: str, may_lack_documents: bool) -> None:
        texts, pattern, version = self._pattern.texts, self._pattern.version, self._version
        for document in version.documents:
            if pattern.place_of(document) is None:
                raise BadInput(
                    f"{shown(path)}: {what} has a document '{texts.documents[document]}' that the others lack."
                )
        for expected, document in self._pattern.places:
            name = texts.documents[document]
            place = version.place_of(document)
            if place is None:
                if not may_lack_documents:
                    first = next(texts.identifiers(pattern, expected), "1")
                    raise BadInput(f"{shown(path)}: {what} lacks document '{name}' (from segment '{first}').")
            elif not texts.same_identifiers(version, place, pattern, expected):
                self._in_other_order.add(document)
                wanted = dict.fromkeys(texts.identifiers(pattern, expected))
                found = dict.fromkeys(texts.identifiers(version, place))
                for extra in found:
                    if extra not in wanted:
                        raise BadInput(
                            f"{shown(path)}, document '{name}': {what} has a segment '{extra}' that the others "
                            "lack."
                        )
                for segment in wanted:
                    if segment not in found:
                        raise BadInput(f"{shown(path)}, document '{name}': {what} lacks segment '{segment}'.")

    def __iter__(self) -> Iterator[str | None]:
        texts, version = self._pattern.texts, self._version
        for expected, document in self._pattern.places:
            place = version.place_of(document)
            if place is None:
                for _ in range(self._pattern.version.segments[expected]):
                    yield None
            elif document in self._in_other_order:
                identifiers = texts.identifiers(version, place)
                by_id = dict(zip(identifiers, texts.texts(version, place), strict=True))
                for identifier in texts.identifiers(self._pattern.version, expected):
                    yield by_id[identifier]
            else:
                yield from texts.texts(version, place)


class _MarkupSource:
    """One version, read from the temporary file."""

    def __init__(
        self,
        path: str,
        part: str | None,
        pattern: _Pattern,
        segments: _Aligned,
        *,
        origin: str,
        language: str | None,
    ) -> None:
        self.name = short_name(path, part)
        self.where = full_name(path, part)
        self.origin = origin
        self.documents: Sequence[str] | None = pattern.documents
        self.domains: Sequence[str] | None = pattern.domains
        self.identifiers: Iterable[str] | None = pattern
        self.language = language
        self._segments = iter(segments)

    def take(self, count: int) -> Column:
        return Column.from_strings(list(islice(self._segments, count)))

    def close(self) -> None:
        """The file is removed when no source needs it any more."""
        self._segments, self.identifiers = iter(()), None

"""TestSet: the source, references, documents and domains of a test set, wherever references are expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from understudy._core import Column
from understudy.errors import BadParameter, NoSegments, did_you_mean
from understudy.settings import check_name
from understudy.wording import number_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from understudy.corpus.columns import References

_OTHER = "non-"  # --origlang non-en
_COUNTRY = "country:"  # sacreBLEU's prefix of a country tag, which --subset ignores


def _no_files() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class NamedSet:
    """A test set as results name and cite it."""

    name: str  # several with commas
    pair: str
    selection: str = ""  # in words: the segments that were selected
    citation: str = ""  # BibTeX

    def __str__(self) -> str:
        return f"{self.name} {self.pair}" + (f" ({self.selection})" if self.selection else "")

    @property
    def keys(self) -> tuple[str, ...]:
        r"""The keys of its BibTeX entries, for \cite."""
        return tuple(re.findall(r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,", self.citation, re.MULTILINE))


@dataclass(frozen=True, eq=False, repr=False)
class TestSet:
    """A test set in memory. Every function that takes references takes a test set instead, and gets its source,
    documents and domains with them.
    """

    __test__: ClassVar[bool] = False  # pytest takes a class of this name for a test

    called: NamedSet
    sources: Column
    references: Mapping[str, Column]
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    origlangs: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None  # what `subset` searches, if not the domains
    target_language: str = ""  # a code
    whole: int = 0  # number of segments before any were selected
    rows: NDArray[np.int64] | None = None  # the selected segments; None: all
    output_files: Callable[[], Mapping[str, str]] = field(default=_no_files)  # of systems, with all segments

    @property
    def name(self) -> str:
        return self.called.name

    @property
    def pair(self) -> str:
        return self.called.pair

    @property
    def citation(self) -> str:
        """BibTeX; empty if none is known."""
        return self.called.citation

    @cached_property
    def systems(self) -> Mapping[str, Column]:
        """The outputs of systems that the set has, by name."""
        from understudy.corpus.corpus import Corpus

        files = self.output_files()
        return Corpus(list(files.items()), self).systems if files else {}

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        documents = f", {number_of(len(set(self.documents)), 'document')}" if self.documents else ""
        return (
            f"<TestSet {self.called}: {number_of(len(self), 'segment')}, "
            f"{number_of(len(self.references), 'reference')}{documents}>"
        )

    def as_references(self) -> References:
        """References with documents and sources, as metrics take them."""
        from understudy.corpus.columns import References

        documents = None if self.documents is None else Column.from_strings(self.documents)
        return References(tuple(self.references.values()), documents, self.sources)

    def select(self, *, origlang: str | None = None, subset: str | None = None) -> TestSet:
        """Only the segments with this original language, or `non-` and a language; and only those whose domain or tag
        matches a regular expression. Systems that are scored on them must have the whole set, as in sacreBLEU.
        """
        import numpy as np

        keep = np.ones(len(self), dtype=bool)
        if origlang is not None:
            keep &= self._with_origlang(origlang)
        if subset is not None:
            keep &= self._with_tag(subset)
        if not keep.any():
            raise NoSegments(f"test set {self.called}: no segment with {_in_words(origlang, subset)}.")
        chosen = np.flatnonzero(keep).astype(np.int64)
        return replace(
            self,
            called=replace(
                self.called,
                selection=", ".join(filter(None, (self.called.selection, _in_words(origlang, subset)))),
            ),
            sources=self.sources.taken(chosen),
            references={name: column.taken(chosen) for name, column in self.references.items()},
            documents=_taken(self.documents, chosen),
            domains=_taken(self.domains, chosen),
            origlangs=_taken(self.origlangs, chosen),
            tags=_taken(self.tags, chosen),
            rows=chosen if self.rows is None else self.rows[chosen],
        )

    def _with_origlang(self, wanted: str) -> NDArray[np.bool_]:
        import numpy as np

        check_name("origlang", wanted)
        if self.origlangs is None:
            raise BadParameter(f"test set {self.called} does not say original languages. Omit origlang.")
        language = wanted.removeprefix(_OTHER)
        if language not in self.origlangs:
            known = sorted(set(self.origlangs))
            raise BadParameter(
                f"origlang '{wanted}': unknown original language in test set {self.called}. "
                f"{did_you_mean(language, known)}"
            )
        same = np.array([each == language for each in self.origlangs])
        return ~same if wanted.startswith(_OTHER) else same

    def _with_tag(self, wanted: str) -> NDArray[np.bool_]:
        import numpy as np

        check_name("subset", wanted)
        tags = self.domains if self.tags is None else self.tags
        if tags is None:
            raise BadParameter(f"test set {self.called} has no domains. Omit subset.")
        try:
            pattern = re.compile(wanted.removeprefix(_COUNTRY))
        except re.error as error:
            raise BadParameter(f"subset '{wanted}' is not a regular expression: {error}.") from None
        return np.array([pattern.search(tag) is not None for tag in tags])


def _in_words(origlang: str | None, subset: str | None) -> str:
    said = {"origlang": origlang, "subset": subset}
    return ", ".join(f"{name} {value}" for name, value in said.items() if value is not None)


def _taken(labels: Sequence[str] | None, rows: NDArray[np.int64]) -> tuple[str, ...] | None:
    return None if labels is None else tuple(labels[row] for row in rows)


def among(references: Any) -> tuple[TestSet | None, Any]:
    """The test set given as references, and the other references: `test_set`, or `[test_set, "other.txt"]`."""
    if isinstance(references, TestSet):
        return references, None
    if not isinstance(references, (list, tuple)) or not any(isinstance(each, TestSet) for each in references):
        return None, references
    sets = [each for each in references if isinstance(each, TestSet)]
    if len(sets) > 1:
        raise BadParameter(
            f"references: got {len(sets)} test sets, expected one. Join them: "
            f"test_set({','.join(each.name for each in sets)!r}, {sets[0].pair!r})."
        )
    return sets[0], [each for each in references if not isinstance(each, TestSet)] or None

"""How results name and cite the test set that they were computed on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.corpus.test_sets.test_set import NamedSet


def segments_in_words(segments: int, test_set: NamedSet | None) -> str:
    """The number of segments, and the test set if it has a name.

    >>> from understudy.corpus.test_sets.test_set import NamedSet
    >>> segments_in_words(2037, NamedSet("wmt22", "en-de", "origlang en"))
    '2,037 segments of wmt22 en-de (origlang en)'
    """
    return number_of(segments, "segment") + (f" of {test_set}" if test_set is not None else "")


def named_set_data(test_set: NamedSet | None) -> dict[str, Any]:
    """The entry of JSON; none without a test set."""
    return {} if test_set is None else {"test_set": asdict(test_set)}

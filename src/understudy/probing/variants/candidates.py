"""Candidates: texts that may score no lower than the hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from understudy.probing.variants.draws import Draws
from understudy.probing.variants.sources import SegmentSources
from understudy.probing.variants.writing import Phrase

# Candidates in random order, of which some may be equal; then the reason why there are no more.
Candidates: TypeAlias = Generator[list[Phrase], None, str]
Construction: TypeAlias = Callable[[SegmentSources, Draws], Candidates]

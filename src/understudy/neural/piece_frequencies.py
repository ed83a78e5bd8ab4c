"""Inverse document frequencies of pieces, from the references of a test set (Zhang et al. 2020, section 3)."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from understudy.neural.text_pieces import Pieces


@dataclass(frozen=True, eq=False)
class PieceFrequencies:
    """In how many references each piece occurs. All references count, several of one segment as well."""

    references: int
    counts: Counter[int] = field(repr=False)

    @classmethod
    def of(cls, references: Iterable[Pieces]) -> PieceFrequencies:
        """The frequencies in these references."""
        number = 0
        counts: Counter[int] = Counter()
        for pieces in references:
            number += 1
            counts.update(set(pieces.numbers.tolist()))
        return cls(number, counts)

    @cached_property
    def weights(self) -> dict[int, float]:
        """log((N + 1) / (n + 1)) of each piece in n of N references; under -1, that of pieces in none."""
        found = {piece: math.log((self.references + 1) / (count + 1)) for piece, count in self.counts.items()}
        return {**found, -1: math.log(self.references + 1)}

    @cached_property
    def fingerprint(self) -> int:
        """Identical for the same references in any order."""
        said = f"{self.references};{sorted(self.counts.items())}"
        return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "big")

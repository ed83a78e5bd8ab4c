"""The texts of a campaign: outputs, sources, references and documents of a corpus as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from understudy.corpus.corpus import Corpus


@dataclass(frozen=True)
class CampaignTexts:
    """By system, and by segment from 0."""

    outputs: Mapping[str, Sequence[str]]
    sources: Sequence[str] | None
    references: Sequence[str] | None  # of several, the first that a segment has
    documents: Sequence[str] | None

    @classmethod
    def of(cls, corpus: Corpus) -> CampaignTexts:
        rows = range(len(corpus))
        return cls(
            outputs={name: [column[row] or "" for row in rows] for name, column in corpus.systems.items()},
            sources=None if corpus.sources is None else [corpus.sources[row] or "" for row in rows],
            references=None if corpus.references is None else [corpus.references[row][0] for row in rows],
            documents=corpus.documents,
        )

    def __len__(self) -> int:
        return len(next(iter(self.outputs.values())))

    def source(self, row: int) -> str | None:
        return None if self.sources is None else self.sources[row]

    def reference(self, row: int) -> str | None:
        return None if self.references is None else self.references[row]

    def by_document(self) -> list[list[int]]:
        """The segments of every document, in the order of the documents."""
        found: dict[str, list[int]] = {}
        for row, document in enumerate(self.documents or ()):
            found.setdefault(document, []).append(row)
        return list(found.values())

    def neighbors(self, row: int, count: int) -> tuple[list[int], list[int]]:
        """Up to so many segments before and after, of the same document if documents are known."""
        before, after = range(max(0, row - count), row), range(row + 1, min(len(self), row + 1 + count))
        if self.documents is None:
            return list(before), list(after)
        here = self.documents[row]
        return (
            [each for each in before if self.documents[each] == here],
            [each for each in after if self.documents[each] == here],
        )

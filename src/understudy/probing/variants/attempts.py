"""Attempts: the candidates of one construction for one segment, and those that were verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from understudy.probing.variants.candidates import Candidates
from understudy.probing.variants.writing import written
from understudy.wording import number_of

_DRAWS = 30  # candidates drawn per wanted variant, new or not, ...
_DRAWS_AT_LEAST = 100
_TRIED = 10  # candidates scored per wanted variant ...
_TRIED_IN_VAIN = 2  # ... and if none of them is verified


class Candidate(NamedTuple):
    """A text to be verified."""

    text: str
    tokens: tuple[str, ...]


class Verified(NamedTuple):
    """A text that was verified, with its score."""

    text: str
    tokens: tuple[str, ...]
    score: float
    number: int


class Attempts:
    """The search for variants of one hypothesis by one construction. `seen` has the token sequences that are known,
    those of other constructions included.
    """

    def __init__(
        self,
        segment: int,
        construction: str,
        candidates: Candidates,
        *,
        seen: set[tuple[str, ...]],
        wanted: int,
        tokens: Callable[[str], tuple[str, ...]],
    ) -> None:
        self.segment, self.construction, self.wanted = segment, construction, wanted
        self.verified: list[Verified] = []
        self.tried = self.unwritten = 0
        self._candidates, self._seen, self._tokens = candidates, seen, tokens
        self._draws_left = _DRAWS * wanted + _DRAWS_AT_LEAST
        self._no_more = ""  # why there are no more candidates

    @property
    def is_open(self) -> bool:
        """Whether it is worth going on."""
        limit = _TRIED if self.verified else _TRIED_IN_VAIN
        return len(self.verified) < self.wanted and self.tried < limit * self.wanted and not self._no_more

    def next(self, number: int) -> list[Candidate]:
        """As many new candidates, or fewer if there are no more."""
        found: list[Candidate] = []
        while len(found) < number and not self._no_more:
            if not self._draws_left:
                self._no_more = "Random draws gave no more new candidates."
                break
            self._draws_left -= 1
            try:
                phrases = next(self._candidates)
            except StopIteration as end:
                self._no_more = end.value
                break
            tokens = tuple([token for phrase in phrases for token in phrase.tokens])
            if tokens in self._seen:
                continue
            self._seen.add(tokens)
            text = written(phrases, tokens, self._tokens)
            if text is None:
                self.unwritten += 1
            else:
                found.append(Candidate(text, tokens))
        self.tried += len(found)
        return found

    @property
    def gave_up(self) -> str:
        """Why there are fewer variants than wanted; empty if there are not."""
        if len(self.verified) >= self.wanted:
            return ""
        reasons = [self._no_more] if self._no_more else []
        if self.unwritten:
            reasons.append(
                f"The tokenizer changes the tokens of {number_of(self.unwritten, 'candidate')} in any spelling."
            )
        if self.tried > len(self.verified):
            reasons.append(f"Verified: {len(self.verified)} of {number_of(self.tried, 'candidate')}.")
        return " ".join(reasons)

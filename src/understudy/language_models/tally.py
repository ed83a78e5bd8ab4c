"""Tally: what was asked of language models, and how many replies were of no use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from understudy.wording import number_of


@dataclass
class Tally:
    """What was asked, over all runs with an endpoint. Replies count once, however often they are read."""

    planned_calls: int = 0
    planned_cost: float = 0.0
    approved: bool = False
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    problems: dict[bytes, str] = field(default_factory=dict)  # by the key of a reply; empty if it is valid

    @property
    def sentence(self) -> str:
        """In words.

        >>> print(Tally(calls=3, tokens_in=900, problems={b"1": "", b"2": "refusal", b"3": ""}).sentence)
        3 calls made, 900 tokens in, 0 out; 3 replies read, 1 not valid: refusal 1
        """
        kinds = Counter(filter(None, self.problems.values()))
        counts = ", ".join(f"{kind} {count:,}" for kind, count in sorted(kinds.items()))
        return (
            f"{number_of(self.calls, 'call')} made, {self.tokens_in:,} tokens in, {self.tokens_out:,} out; "
            f"{number_of(len(self.problems), 'reply', 'replies')} read, "
            + (f"{kinds.total():,} not valid: {counts}" if kinds else "all valid")
        )

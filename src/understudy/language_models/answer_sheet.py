"""AnswerSheet: which questions have an answer, and which call comes next for the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from understudy.language_models.answers import Answer, read_answer
from understudy.language_models.judge import LanguageModelJudge, Texts
from understudy.language_models.reply_store import Reply
from understudy.language_models.tally import Tally


class Slot(NamedTuple):
    """The place of one answer: one sample of one question."""

    texts: Texts
    sample: int


class AnswerSheet:
    """The slots of all questions. A reply that does not count is asked for again, until the tries are used up."""

    def __init__(self, judge: LanguageModelJudge, slots: Iterable[Slot], tally: Tally) -> None:
        self._judge, self._tally = judge, tally
        self.answers: dict[Slot, Answer] = {}
        self.open: dict[Slot, int] = dict.fromkeys(slots, 0)  # the next attempt

    def key(self, slot: Slot, attempt: int | None = None) -> bytes:
        """The key of the next call for an open slot, or of an attempt."""
        number = self.open[slot] if attempt is None else attempt
        return self._judge.key(slot.texts, slot.sample, number)

    def keys_of(self, slots: Iterable[Slot]) -> list[bytes]:
        """Of all calls for these slots that may have been made."""
        return [self.key(slot, attempt) for slot in slots for attempt in range(self._judge.tries)]

    def take(self, slot: Slot, reply: Reply) -> None:
        """The reply to the next call for a slot."""
        answer = read_answer(self._judge.prompt, reply.body, dict(slot.texts))
        self._tally.problems[self.key(slot)] = answer.problem
        self.open[slot] += 1
        if not answer.problem or self.open[slot] >= self._judge.tries:
            self.settle(slot, answer)

    def settle(self, slot: Slot, answer: Answer) -> None:
        """The last word on a slot."""
        self.answers[slot] = answer
        del self.open[slot]

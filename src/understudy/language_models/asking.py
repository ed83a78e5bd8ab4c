"""Questions to a language model: stored replies first, then calls. Every question is answered or reported once."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from understudy import neural
from understudy.disk_cache import cache_folder
from understudy.errors import UnderstudyError
from understudy.language_models.answer_sheet import AnswerSheet, Slot
from understudy.language_models.answers import Answer
from understudy.language_models.call_pool import CallPool
from understudy.language_models.endpoint import Endpoint
from understudy.language_models.estimates import Estimate, estimate
from understudy.language_models.judge import LanguageModelJudge, Texts
from understudy.language_models.reply_store import FILE, ReplyStore, open_store
from understudy.wording import number_of

_READ_AT_ONCE = 2000  # questions whose replies are in memory together


class Unasked(UnderstudyError, RuntimeError):
    """Calls that were not made: too many, too expensive, or without a server."""


class Unscored(UnderstudyError, ValueError):
    """Questions without a valid answer, after all tries."""


@dataclass(frozen=True)
class Verdict:
    """The answers to one question, one per sample."""

    answers: tuple[Answer, ...]

    @property
    def problem(self) -> str:
        """Of the first sample that has no valid answer; empty if all have one."""
        return next((answer.problem for answer in self.answers if answer.problem), "")

    @property
    def score(self) -> float:
        """The mean over samples; NaN if there is a problem."""
        scores = [answer.score for answer in self.answers if answer.score is not None]
        return math.fsum(scores) / len(scores) if len(scores) == len(self.answers) else math.nan

    @property
    def deviation(self) -> float:
        """The standard deviation of the score over samples; 0 for a single one."""
        scores = [answer.score for answer in self.answers if answer.score is not None]
        return statistics.stdev(scores) if len(scores) > 1 else 0.0


def ask(
    judge: LanguageModelJudge,
    questions: Iterable[Texts],
    *,
    title: str = "",
    endpoint: Endpoint | None = None,
) -> dict[Texts, Verdict]:
    """The verdict on every question. Equal questions are asked once. The endpoint is by default the one in use; what
    must be asked is estimated first, and compared with its limits.
    """
    server = endpoint or Endpoint.default or Endpoint()
    different = list(dict.fromkeys(questions))
    slots = [Slot(texts, sample) for texts in different for sample in range(judge.samples)]
    sheet = AnswerSheet(judge, slots, server.tally)
    with open_store(_store_path(server)) as store:
        stored = _read_stored(sheet, slots, store)
        if sheet.open:
            earlier = store.experience(judge.model, judge.prompt.digest)
            texts = [slot.texts for slot in sheet.open]
            _check_limits(estimate(judge, texts, stored, server, earlier), server)
            CallPool(judge, server, store, sheet).make_calls(title or judge.model)
    return {
        texts: Verdict(tuple(sheet.answers[Slot(texts, sample)] for sample in range(judge.samples)))
        for texts in different
    }


def check_verdicts(verdicts: Sequence[Verdict], what: str, cure: str) -> None:
    """Raise an error about questions without a valid answer. All others are answered and stored by then."""
    problems = Counter(verdict.problem for verdict in verdicts if verdict.problem)
    if problems:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(problems.items()))
        raise Unscored(
            f"{what}: {number_of(problems.total(), 'item')} of {len(verdicts):,} without a valid answer ({kinds}). All "
            f"others are answered and stored. {cure}"
        )


def _store_path(endpoint: Endpoint) -> Path:
    """The file of replies: by default in the cache folder."""
    if endpoint.replies is not None:
        return Path(endpoint.replies)
    return cache_folder(neural.environment) / FILE


def _read_stored(sheet: AnswerSheet, slots: Sequence[Slot], store: ReplyStore) -> int:
    """Fill in stored replies; returns their number."""
    count = 0
    for start in range(0, len(slots), _READ_AT_ONCE):
        part = slots[start : start + _READ_AT_ONCE]
        found = store.find(sheet.keys_of(part))
        for slot in part:
            while slot in sheet.open and (reply := found.get(sheet.key(slot))) is not None:
                sheet.take(slot, reply)
                count += 1
    return count


def _check_limits(planned: Estimate, server: Endpoint) -> None:
    """Limits are of all calls with an endpoint together."""
    if server.url is None:
        raise Unasked(
            f"{planned.sentence}. No server is given: use understudy.Endpoint(URL).",
            f"{planned.sentence}. No server is given: use --endpoint URL.",
        )
    tally = server.tally
    calls, cost = tally.planned_calls + planned.calls, tally.planned_cost + (planned.cost or 0.0)
    above = ""
    if server.max_calls is not None and calls > server.max_calls:
        above = "max_calls"
    elif server.max_cost is not None and cost > server.max_cost:
        above = "max_cost"
    if server.approve is not None:
        if not server.approve(planned, "" if tally.approved else above):
            raise Unasked(f"{planned.sentence}. Nothing was asked.")
    elif above:
        limit = f"{above}={getattr(server, above):g}"
        raise Unasked(f"{excess(planned, tally.planned_calls, limit)} Set a higher limit.")
    tally.approved |= bool(above)
    tally.planned_calls, tally.planned_cost = calls, cost


def excess(planned: Estimate, earlier: int, limit: str) -> str:
    """That these calls, with so many earlier ones, exceed a limit."""
    if earlier:
        sum_of_all = f"With {number_of(earlier, 'call')} planned before, that is above {limit}"
        return f"{planned.sentence}. {sum_of_all}; none of these was made."
    return f"{planned.sentence}. That is above {limit}; nothing was asked."

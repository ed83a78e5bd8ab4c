"""Hill climbing with random restarts, over texts as sequences of tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.probing.search.edits import Edit, Neighborhood, Tokens

Clock = Callable[[], float]  # seconds
# Of each text, the higher the better; minus infinity if the text is not permitted.
Values = Callable[[Sequence[Tokens]], Floats]

LOCAL_OPTIMUM, BEST_POSSIBLE = "local optimum", "best possible score"
TIME_LIMIT, TEXT_LIMIT = "time limit", "text limit"
ENDINGS = (LOCAL_OPTIMUM, BEST_POSSIBLE, TEXT_LIMIT, TIME_LIMIT)

BATCH = 64  # texts scored at once, at most; the best of them is accepted if it is an improvement
_BATCH_TOKENS = 4096  # of all texts that are scored at once: the time limit is checked between batches
_RESTARTS = 30  # without an improvement, before a search ends
_MORE_RANDOM = 4  # restarts without an improvement, before each further random edit


@dataclass
class Budget:
    """What a search may use: scored texts and time."""

    texts: int
    seconds: float
    clock: Clock
    part_of: Budget | None = None
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = self.clock() + self.seconds

    def share(self, parts: int) -> Budget:
        """What one of the remaining parts may use. Unused texts and time are left to those that follow."""
        return Budget(math.ceil(self.texts / parts), self.seconds_left / parts, self.clock, self)

    def spend(self, texts: int) -> None:
        self.texts -= texts
        if self.part_of is not None:
            self.part_of.spend(texts)

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.deadline - self.clock())

    @property
    def ending(self) -> str | None:
        """The limit that has been reached, if any."""
        if self.texts <= 0:
            return TEXT_LIMIT
        return TIME_LIMIT if self.seconds_left <= 0 else None


@dataclass(frozen=True)
class Step:
    """An accepted edit."""

    edit: str
    tokens: Tokens
    value: float
    random: bool  # whether it was accepted whatever its value


@dataclass(frozen=True)
class Climb:
    """The path from a start to the best text that was found."""

    start: Tokens
    start_value: float
    steps: tuple[Step, ...]
    ended: str

    @property
    def value(self) -> float:
        return self.steps[-1].value if self.steps else self.start_value


class Climber:
    """Climbs from any start under one objective; no text is scored twice."""

    def __init__(
        self,
        values: Values,
        neighborhood: Neighborhood,
        generator: np.random.Generator,
        *,
        is_possible: Callable[[Tokens], bool],
        best_possible: float = math.inf,
    ) -> None:
        self._values = values
        self._neighborhood = neighborhood
        self._generator = generator
        self._is_possible = is_possible  # whether a text can be scored; the start always can
        self._best_possible = best_possible
        self._known: dict[Tokens, float] = {}

    @property
    def scored(self) -> int:
        """The number of texts."""
        return len(self._known)

    def climb(self, start: Tokens, budget: Budget) -> Climb:
        """Climb to a local optimum, then again and again after random edits of the best text, as long as that helps.

        The start counts as scored even if the budget is used up. If it is not permitted, the search goes on until it
        has found a permitted text.
        """
        value = float(self._scored([start], budget)[0])
        steps: list[Step] = []
        ended = self._ascend(start, value, steps, budget)
        failures = 0
        while ended == LOCAL_OPTIMUM and failures < _RESTARTS:
            text, reached = (steps[-1].tokens, steps[-1].value) if steps else (start, value)
            path = self._random_steps(text, 1 + failures // _MORE_RANDOM, budget)
            if not path:
                break
            ended = self._ascend(path[-1].tokens, path[-1].value, path, budget)
            improved = is_higher(path[-1].value, reached)
            failures = 0 if improved else failures + 1
            steps += path if improved else []
        return Climb(start, value, tuple(steps), ended)

    def _ascend(self, tokens: Tokens, value: float, steps: list[Step], budget: Budget) -> str:
        """Add steps up to a local optimum; how it ended."""
        while True:
            if not is_higher(self._best_possible, value):
                return BEST_POSSIBLE
            step = self._improvement(tokens, value, budget)
            if isinstance(step, str):
                return step
            steps.append(step)
            tokens, value = step.tokens, step.value

    def _improvement(self, tokens: Tokens, value: float, budget: Budget) -> Step | str:
        """The best text of the first batch that has a better one, or why there is none."""
        for batch in self._batches(tokens):
            if budget.ending and value > -math.inf:
                return budget.ending
            values = self._scored([text for _, text in batch], budget)
            best = int(np.argmax(values))
            if is_higher(values[best], value):
                edit, text = batch[best]
                return Step(edit.described(tokens), text, float(values[best]), random=False)
        return LOCAL_OPTIMUM

    def _random_steps(self, tokens: Tokens, number: int, budget: Budget) -> list[Step]:
        """A few random edits, each to a permitted text."""
        steps: list[Step] = []
        for _ in range(number):
            batch = next(self._batches(tokens), [])
            values = self._scored([text for _, text in batch], budget)
            permitted = np.flatnonzero(values > -math.inf)
            if len(permitted):
                chosen = int(permitted[0])  # the order is random
                edit, text = batch[chosen]
                steps.append(Step(edit.described(tokens), text, float(values[chosen]), random=True))
                tokens = text
        return steps

    def _batches(self, tokens: Tokens) -> Iterator[list[tuple[Edit, Tokens]]]:
        """The texts one edit away, each once."""
        seen = {tokens}
        batch: list[tuple[Edit, Tokens]] = []
        full = min(BATCH, 1 + _BATCH_TOKENS // (1 + len(tokens)))
        for edit in self._neighborhood.edits(tokens, self._generator):
            text = edit.applied(tokens)
            if text in seen:
                continue
            seen.add(text)
            if self._is_possible(text):
                batch.append((edit, text))
            if len(batch) == full:
                yield batch
                batch = []
        if batch:
            yield batch

    def _scored(self, texts: Sequence[Tokens], budget: Budget) -> Floats:
        """The values of texts. Only new texts use up the budget."""
        new = [text for text in texts if text not in self._known]
        if new:
            budget.spend(len(new))
            self._known.update(zip(new, self._values(new).tolist(), strict=True))
        return np.array([self._known[text] for text in texts])


def is_higher(value: float, other: float) -> bool:
    """Whether a value is higher by more than rounding.

    >>> is_higher(0.1 + 0.2, 0.3), is_higher(0.31, 0.3), is_higher(0.0, float("-inf"))
    (False, True, True)
    """
    if math.isinf(value) or math.isinf(other):
        return value > other
    return value - other > ROUNDING * max(abs(value), abs(other))

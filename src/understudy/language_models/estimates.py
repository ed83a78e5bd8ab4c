"""What calls will take, estimated before the first of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from understudy.language_models.endpoint import Endpoint
from understudy.language_models.judge import LanguageModelJudge, Texts
from understudy.language_models.reply_store import Experience
from understudy.wording import number_of

# Tokens per character. Tokenizers differ; those of large multilingual models are near this.
_ASCII, _OTHER = 0.25, 0.7


@dataclass(frozen=True)
class Estimate:
    """Calls to make, and about what they take. None: not known."""

    model: str
    calls: int
    stored: int  # replies that are there already
    tokens_in: int
    tokens_out: int
    cost: float | None
    seconds: float | None

    @property
    def sentence(self) -> str:
        """In words.

        >>> print(Estimate("m", 120, 30, 24_000, 960, 0.0135, None).sentence)
        m: 120 calls to make, 30 replies stored; about 24,000 tokens in, 960 out; cost about 0.013; time unknown
        """
        cost = "cost unknown (no prices given)" if self.cost is None else f"cost about {_money(self.cost)}"
        time = "time unknown" if self.seconds is None else f"about {_duration(self.seconds)}"
        return (
            f"{self.model}: {number_of(self.calls, 'call')} to make, {number_of(self.stored, 'reply', 'replies')} "
            f"stored; about {self.tokens_in:,} tokens in, {self.tokens_out:,} out; {cost}; {time}"
        )


def estimate(
    judge: LanguageModelJudge,
    calls: Iterable[Texts],
    stored: int,
    endpoint: Endpoint,
    earlier: Experience | None,
) -> Estimate:
    """Of one call per entry. Earlier replies of the model to the prompt say more about tokens than texts do."""
    guesses = [_tokens(judge, texts) for texts in calls]
    tokens_in = math.fsum(guesses)  # sum() rounds differently before Python 3.12
    tokens_out = float(len(guesses) * judge.prompt.reply.usual_tokens)
    seconds = None
    if earlier is not None:
        tokens_out = len(guesses) * earlier.tokens_out
        seconds = len(guesses) * earlier.seconds / endpoint.parallel
    cost = endpoint.cost(tokens_in, tokens_out)
    return Estimate(judge.model, len(guesses), stored, round(tokens_in), round(tokens_out), cost, seconds)


def _tokens(judge: LanguageModelJudge, texts: Texts) -> float:
    messages = judge.prompt.messages(dict(texts), judge.languages)
    return math.fsum(_of_text(message["content"]) for message in messages)


def _of_text(text: str) -> float:
    plain = len(text.encode("ascii", "ignore"))
    return _ASCII * plain + _OTHER * (len(text) - plain)


def _money(amount: float) -> str:
    return f"{amount:,.2f}" if amount >= 1 or amount == 0 else f"{amount:.2g}"


def _duration(seconds: float) -> str:
    """
    >>> _duration(0.2), _duration(90), _duration(7300)
    ('1 second', '2 minutes', '2 hours')
    """
    for size, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return number_of(round(seconds / size + 0.3), unit)
    return number_of(max(1, round(seconds)), "second")

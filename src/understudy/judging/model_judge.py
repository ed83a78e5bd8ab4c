"""A language model as a judge of systems: scores, error spans or preferences, as judgments like those of people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from understudy.corpus.corpus import Corpus, as_corpus
from understudy.errors import BadParameter, did_you_mean
from understudy.judging.exchange.given import Given, Marked, Ranked, Rating
from understudy.judging.judgments import Judgments, Question
from understudy.language_models.answers import Answer
from understudy.language_models.asking import Verdict, ask, check_verdicts
from understudy.language_models.endpoint import Endpoint
from understudy.language_models.judge import LanguageModelJudge, Texts
from understudy.language_models.prompt import FIRST, PAIRS, REFERENCE, SECOND, SOURCE, SPANS
from understudy.wording import number_of

_TRANSLATION = "translation"


@dataclass(frozen=True)
class PositionCounts:
    """How preferences depend on the order of the two translations. Each pair was shown in both orders."""

    pairs: int = 0
    same: int = 0  # pairs with the same preference in both orders
    first: int = 0  # preferences for the translation that is shown first
    second: int = 0

    def with_pair(self, orders: Sequence[Verdict]) -> PositionCounts:
        """With one pair more, of which a model said this about each order. Identical translations do not count."""
        if not orders:
            return self
        choices = [answer.choice for verdict in orders for answer in verdict.answers]
        return PositionCounts(
            self.pairs + 1,
            self.same + (_majority(orders[0]) == -_majority(orders[1])),
            self.first + choices.count(FIRST),
            self.second + choices.count(SECOND),
        )

    @property
    def sentence(self) -> str:
        """In words.

        >>> print(PositionCounts(pairs=50, same=40, first=55, second=35).sentence)
        Same preference in both orders: 40 of 50 pairs. Preferences for the first position: 55, for the second: 35.
        """
        return (
            f"Same preference in both orders: {self.same:,} of {number_of(self.pairs, 'pair')}. Preferences for the "
            f"first position: {self.first:,}, for the second: {self.second:,}."
        )


@dataclass(frozen=True, eq=False)
class ModelJudgments:
    """What a model said. `understudy.judge`, `understudy.export_judgments` and campaigns accept it."""

    judge: LanguageModelJudge
    given: Given
    positions: PositionCounts | None  # of preferences
    unscored: int  # translations or pairs without a valid reply, which are left out

    def judgments(self) -> Judgments:
        """In columns, as those of people."""
        return self.given.judgments(self.judge.model)


class _Item(NamedTuple):
    """A translation to judge."""

    system: str
    segment: int  # from 1
    texts: Texts


def ask_model(
    systems: Any,
    references: Any = None,
    *,
    sources: Any = None,
    model: str,
    prompt: str = "score",
    lang: str | None = None,
    baseline: str | None = None,
    skip_unscored: bool = False,
    endpoint: Endpoint | None = None,
    **settings: Any,
) -> ModelJudgments:
    """Ask a language model about every translation, or about all pairs of translations of a segment.

    `prompt` is score, spans, pairs, or a TOML file. It shows the source, the reference or both, as far as they are
    given. Pairs are shown in both orders. A preference in one order that the other order contradicts is a tie; so are
    identical translations, about which nothing is asked. `baseline` restricts pairs to those with one system.
    `settings` are those of `LLMJudge`: samples, temperature, seed, tries, reply_format.

    Translations or pairs without a valid reply are an error after everything else was asked and stored, unless
    `skip_unscored` leaves them out.
    """
    judge = LanguageModelJudge(model=model, prompt_name=prompt, language=lang or "", **settings)
    corpus = as_corpus(systems, references, sources=sources)
    beside = _beside(judge, corpus)
    names = list(corpus.runs)
    if judge.prompt.kind == PAIRS:
        if len(names) < 2:
            raise BadParameter(f"prompt={prompt}: got one system, expected at least two to compare.")
        if baseline is not None and baseline not in names:
            raise BadParameter(f"unknown baseline system '{baseline}'. {did_you_mean(baseline, names)}")
    elif baseline is not None:
        raise BadParameter("baseline: this is for preferences. Use prompt=pairs, or omit it.")
    asking = _Asking(judge, corpus, beside, skip_unscored, endpoint)
    return asking.of_pairs(baseline) if judge.prompt.kind == PAIRS else asking.of_translations()


def _beside(judge: LanguageModelJudge, corpus: Corpus) -> list[dict[str, str]]:
    """The texts beside the translations of each segment."""
    columns = {SOURCE: corpus.sources}
    if corpus.references is not None:
        if len(corpus.references.columns) > 1:
            raise BadParameter(
                f"got {len(corpus.references.columns)} references, expected at most one. Name the one to show."
            )
        columns[REFERENCE] = corpus.references.columns[0]
    shown = {
        name: column for name, column in columns.items() if column is not None and name in judge.prompt.uses
    }
    if judge.prompt.uses and not shown:
        lack = f"the prompt shows the {' or the '.join(judge.prompt.uses)}, and none is given."
        raise BadParameter(f"{lack} Add sources= or references=.", f"{lack} Add --source or -r.")
    return [
        {name: column[row] or "" for name, column in shown.items() if column[row] is not None}
        for row in range(len(corpus))
    ]


class _Asking:
    """The questions about a corpus, and what the answers say."""

    def __init__(
        self,
        judge: LanguageModelJudge,
        corpus: Corpus,
        beside: Sequence[dict[str, str]],
        skip_unscored: bool,
        endpoint: Endpoint | None,
    ) -> None:
        self._judge, self._beside, self._skips, self._endpoint = judge, beside, skip_unscored, endpoint
        self._outputs = {name: corpus[runs[0]] for name, runs in corpus.runs.items()}
        self._given = Given(judge.prompt.name)

    # --- scores and spans ---------------------------------------------------------------------------------------

    def of_translations(self) -> ModelJudgments:
        items = [
            _Item(system, row + 1, ((_TRANSLATION, column[row] or ""), *self._beside[row].items()))
            for system, column in self._outputs.items()
            for row in range(len(column))
        ]
        verdicts = self._asked([item.texts for item in items])
        scale, rows = self._judge.prompt.scale, []
        for item in items:
            verdict = verdicts[item.texts]
            if not verdict.problem:
                rows.append(Rating(self._judge.model, item.system, item.segment, verdict.score))
                if self._judge.prompt.kind == SPANS:
                    self._mark(item, verdict.answers[0])
        self._given.ratings["score"] = rows
        better = scale.higher_is_better
        self._given.questions["score"] = Question("score", scale.low, scale.high, "interval", better)
        return self._result(len(items) - len(rows))

    def _mark(self, item: _Item, answer: Answer) -> None:
        """The spans of the first sample."""
        self._given.has_spans = True
        self._given.annotated[self._judge.model, item.system, item.segment] = None
        for span in answer.spans:
            if span.start is None or span.end is None or span.start == span.end:
                self._unplaced += 1
                continue
            where = (item.system, item.segment, span.start, span.end, span.side)
            what = (span.category, span.severity, span.weight)
            self._given.spans.append(Marked(self._judge.model, *where, *what))

    _unplaced = 0

    # --- preferences --------------------------------------------------------------------------------------------

    def of_pairs(self, baseline: str | None) -> ModelJudgments:
        pairs = list(self._pairs(baseline))
        verdicts = self._asked([texts for one, other in pairs for texts in self._both_orders(one, other)])
        positions, unscored = PositionCounts(), 0
        for number, (one, other) in enumerate(pairs):
            orders = [verdicts[texts] for texts in self._both_orders(one, other)]
            if any(verdict.problem for verdict in orders):
                unscored += 1
                continue
            # In the second order, a preference for the first position is one for the other translation.
            votes = {sign * _majority(verdict) for verdict, sign in zip(orders, (1, -1), strict=False)}
            positions = positions.with_pair(orders)
            preference = sum(votes)  # 0 if the orders contradict each other
            for item, rank in ((one, 1 + (preference < 0)), (other, 1 + (preference > 0))):
                self._given.rankings.append(
                    Ranked(self._judge.model, item.segment, number, item.system, rank)
                )
        return self._result(unscored, positions)

    def _pairs(self, baseline: str | None) -> Iterator[tuple[_Item, _Item]]:
        for row in range(len(self._beside)):
            items = [
                _Item(system, row + 1, ((_TRANSLATION, column[row] or ""),))
                for system, column in self._outputs.items()
            ]
            for one, other in combinations(items, 2):
                if baseline is None or baseline in (one.system, other.system):
                    yield one, other

    def _both_orders(self, one: _Item, other: _Item) -> list[Texts]:
        """Nothing is asked about identical translations."""
        (_, first), (_, second) = one.texts[0], other.texts[0]
        if first == second:
            return []
        beside = tuple(self._beside[one.segment - 1].items())
        return [
            ((FIRST, first), (SECOND, second), *beside),
            ((FIRST, second), (SECOND, first), *beside),
        ]

    # --- both ---------------------------------------------------------------------------------------------------

    def _asked(self, questions: Iterable[Texts]) -> dict[Texts, Verdict]:
        verdicts = ask(self._judge, questions, title=self._judge.model, endpoint=self._endpoint)
        if not self._skips:
            check_verdicts(
                list(verdicts.values()),
                f"'{self._judge.model}'",
                f"Use {2 * self._judge.tries} tries to ask again, or leave these items out (skip_unscored).",
            )
        return verdicts

    def _result(self, unscored: int, positions: PositionCounts | None = None) -> ModelJudgments:
        notes = self._given.notes
        if unscored:
            notes.append(
                f"{number_of(unscored, 'item')} without a valid reply of '{self._judge.model}' left out."
            )
        if self._given.has_spans and self._judge.samples > 1:
            notes.append(
                f"Scores are means of {self._judge.samples} replies, errors are those of the first reply alone."
            )
        if self._unplaced:
            notes.append(
                f"{number_of(self._unplaced, 'error')} of '{self._judge.model}' counted in the scores, but not marked: "
                "the quoted text is not there."
            )
        if positions is not None:
            notes.append(positions.sentence)
        return ModelJudgments(self._judge, self._given, positions, unscored)


def _majority(verdict: Verdict) -> int:
    """1 if most samples prefer the translation that is shown first, -1 if the second; 0 if neither."""
    choices = [answer.choice for answer in verdict.answers]
    first, second = choices.count(FIRST), choices.count(SECOND)
    return (first > second) - (second > first)

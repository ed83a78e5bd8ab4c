"""Single references: whether each reference alone gives the same ranking as all of them.

References of one test set can contradict each other, and a score with all of them favors the reference with the most
matches. On WMT19 English-German, the official reference ranks a different system first than each of the three
references of Freitag et al. (2020), which agree with the human scores, as do all four together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from understudy.arrays import Floats
from understudy.comparing.plan import Plan
from understudy.comparing.results import MetricComparison
from understudy.resampling.evidence import Evidence
from understudy.resampling.multiple_testing import at_most, corrected
from understudy.resampling.rankings import kendall_tau, same_ranking
from understudy.resampling.significance_tests import is_real
from understudy.wording import digits_for, listed

_PAIRS_TOLD = 3  # so many are named in a sentence

# Compares systems by a plan, once for each of several kinds of evidence.
Test = Callable[[Sequence[Evidence], Plan], list[MetricComparison]]


@dataclass(frozen=True)
class OneReference:
    """System scores and ranking with one reference alone."""

    reference: str  # its name, after its file
    scores: dict[str, float]  # by system
    first: tuple[str, ...]  # the best system; several if they tie
    lead: float  # by how much it is better than the next one
    tau: float  # Kendall's tau with the ranking by all references
    same_ranking: bool  # whether it is the very same

    @classmethod
    def of(
        cls, reference: str, systems: Sequence[str], scores: Floats, worths: Floats, with_all: Floats
    ) -> OneReference:
        """Of scores and what they are worth, beside what systems are worth with all references."""
        return cls(
            reference,
            dict(zip(systems, scores.tolist(), strict=True)),
            best(systems, worths),
            float(-np.diff(np.sort(worths)[::-1][:2]).sum()),
            kendall_tau(worths, with_all),
            same_ranking(worths, with_all),
        )


@dataclass(frozen=True)
class ReversedPair:
    """Two systems that some references rank in the opposite order to all references together."""

    better: str  # with all references
    worse: str
    significant: bool  # whether it is with all references
    ahead: dict[str, float]  # by reference: how much better the worse one is with that one alone


@dataclass(frozen=True)
class Contradiction:
    """Two references that rank different systems first."""

    systems: tuple[str, str]
    references: tuple[str, str]  # with the first, the first system is better; with the second, the second
    differences: tuple[float, float]  # by how much
    p_values: tuple[float, float]  # corrected for all references and all systems that one of them ranks first
    p_are_bounds: tuple[bool, bool]  # whether more samples would have made them smaller
    significant: bool  # both are


@dataclass(frozen=True)
class SingleReferences:
    """One metric with each reference alone."""

    metric: str  # its label
    spec: str
    quantity: str  # what is compared, as it is called in a sentence: see `MetricComparison`
    first: tuple[str, ...]  # with all references
    references: list[OneReference]
    left_out: list[str]  # the names of references that some segment lacks
    reversed_pairs: list[ReversedPair]  # of those that were compared
    contradiction: Contradiction | None  # on the first system: the clearest one, if there is any

    @property
    def warnings(self) -> list[str]:
        """What must be said of it, if anything."""
        found = []
        if self.contradiction is not None:
            found.append(
                f"Single references rank different systems first by {self.quantity}: {in_words(self.references)}. "
                f"{self._all} rank {_together(self.first)} first. "
                f"{self._decided(self.contradiction)}"
            )
        clear = self.contradiction is not None and self.contradiction.significant
        told = set(self.contradiction.systems) if self.contradiction is not None and clear else set()
        others = sorted(
            (pair for pair in self.reversed_pairs if pair.significant and {pair.better, pair.worse} != told),
            key=lambda pair: -max(pair.ahead.values()),
        )
        if others:
            largest = "; ".join(
                f"{pair.better} is better than {pair.worse} with all references, but worse with "
                + listed([f"{name} (by {_size(ahead)})" for name, ahead in pair.ahead.items()])
                for pair in others[:_PAIRS_TOLD]
            )
            more = len(others) - _PAIRS_TOLD
            found.append(
                f"Single references reverse {len(others):,} {'other ' if told else ''}significant "
                f"difference{'s' if len(others) > 1 else ''} by {self.quantity}: {largest}"
                f"{f'; and {more:,} more' if more > 0 else ''}."
            )
        return found

    @property
    def _all(self) -> str:
        count = len(self.references) + len(self.left_out)
        return "Both references together" if count == 2 else f"All {count} references together"

    def _decided(self, found: Contradiction) -> str:
        if not found.significant:
            return "This contradiction is not significant."
        (one, other), (with_one, with_other) = found.systems, found.references
        by_one, by_other = map(_size, found.differences)
        p_one, p_other = (
            f"p {'≤' if is_bound else '='} {p_value:.2g}"
            for p_value, is_bound in zip(found.p_values, found.p_are_bounds, strict=True)
        )
        return (
            f"This contradiction is significant: {one} is better than {other} by {by_one} with {with_one} ({p_one}), "
            f"and worse by {by_other} with {with_other} ({p_other})."
        )


def single_references(
    found: MetricComparison,
    by_reference: Mapping[str, Evidence],
    scores: Mapping[str, Floats],
    plan: Plan,
    test: Test,
    *,
    left_out: Sequence[str] = (),
) -> SingleReferences:
    """Of one metric, beside what was found with all references: what it counted with each of them alone, and how that
    scores by the statistic that is compared. `left_out` are those that some segment lacks. `test` decides whether
    references contradict each other significantly.
    """
    systems = [system.name for system in found.systems]
    worth = next(iter(by_reference.values())).worth
    with_all = worth(np.array([system.score for system in found.systems]))
    worths = {name: worth(of_systems) for name, of_systems in scores.items()}
    references = [
        OneReference.of(name, systems, scores[name], worths[name], with_all) for name in by_reference
    ]
    return SingleReferences(
        found.label,
        found.spec,
        found.quantity,
        best(systems, with_all),
        references,
        list(left_out),
        _reversed_pairs(found, systems, with_all, worths),
        _contradiction(references, systems, worths, _Tests(by_reference, plan, test))
        if disagree(references)
        else None,
    )


def best(systems: Sequence[str], worths: Floats) -> tuple[str, ...]:
    """The systems with the best score; several if they tie."""
    return tuple(system for system, worth in zip(systems, worths, strict=True) if worth == worths.max())


def disagree(references: Sequence[OneReference]) -> bool:
    """Whether no system is first with every reference. Without defined scores, no system is first."""
    firsts = [set(alone.first) for alone in references]
    return all(firsts) and not set.intersection(*firsts)


def in_words(references: Sequence[OneReference]) -> str:
    """Which references rank which system first, and by how much."""
    by_first: dict[tuple[str, ...], list[OneReference]] = {}
    for alone in references:
        by_first.setdefault(alone.first, []).append(alone)
    return "; ".join(
        f"{_together(first)} with "
        + listed(
            [
                alone.reference if len(first) > 1 else f"{alone.reference} (by {_size(alone.lead)})"
                for alone in of_first
            ]
        )
        for first, of_first in by_first.items()
    )


def _reversed_pairs(
    found: MetricComparison, systems: Sequence[str], with_all: Floats, worths: Mapping[str, Floats]
) -> list[ReversedPair]:
    number = {name: index for index, name in enumerate(systems)}
    reversed_pairs = []
    for pair in found.pairs:
        better, worse = sorted((pair.first, pair.second), key=lambda name: -with_all[number[name]])
        if with_all[number[better]] == with_all[number[worse]]:
            continue
        ahead = {
            name: float(of_reference[number[worse]] - of_reference[number[better]])
            for name, of_reference in worths.items()
            if of_reference[number[worse]] > of_reference[number[better]]
        }
        if ahead:
            reversed_pairs.append(ReversedPair(better, worse, pair.better is not None, ahead))
    return reversed_pairs


def _contradiction(
    references: Sequence[OneReference],
    systems: Sequence[str],
    worths: Mapping[str, Floats],
    tests: _Tests,
) -> Contradiction:
    """The clearest: of every two systems that some reference ranks first, and every two references that disagree on
    them, those whose larger p-value is the smallest. Both differences must be significant, so either is tested at the
    full level; but all systems and references that are tried out are allowed for.
    """

    def ahead(name: str, one: str, other: str) -> float:
        return float(worths[name][systems.index(one)] - worths[name][systems.index(other)])

    def contradicted(firsts: Sequence[str]) -> list[tuple[str, str]]:
        return [
            (one, other)
            for one, other in combinations(dict.fromkeys(firsts), 2)
            if any(ahead(name, one, other) > 0 for name in worths)
            and any(ahead(name, other, one) > 0 for name in worths)
        ]

    # Of systems that tie, the first will do, unless it is behind no other reference's first.
    pairs = contradicted([alone.first[0] for alone in references]) or contradicted(
        [system for alone in references for system in alone.first]
    )
    found = tests.of(pairs)
    return min(
        (
            Contradiction(
                (one, other),
                (with_one, with_other),
                (ahead(with_one, one, other), ahead(with_other, other, one)),
                (found[with_one, one, other].p_value, found[with_other, one, other].p_value),
                (found[with_one, one, other].is_bound, found[with_other, one, other].is_bound),
                found[with_one, one, other].significant and found[with_other, one, other].significant,
            )
            for one, other in pairs
            for with_one in worths
            for with_other in worths
            if ahead(with_one, one, other) > 0 and ahead(with_other, other, one) > 0
        ),
        key=lambda found: (max(found.p_values), -min(found.differences)),
    )


@dataclass(frozen=True)
class _Tested:
    p_value: float  # corrected
    is_bound: bool
    significant: bool


@dataclass(frozen=True)
class _Tests:
    """How pairs are tested with each reference alone."""

    by_reference: Mapping[str, Evidence]
    plan: Plan
    test: Test

    def of(self, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str, str], _Tested]:
        """By reference and pair, corrected for all of them together."""
        systems = list(dict.fromkeys(system for pair in pairs for system in pair))
        evidence = [evidence.among(systems) for evidence in self.by_reference.values()]
        runs = evidence[0].has_runs
        samples = self.plan.drawn(len(pairs) * len(evidence), runs=runs)
        plan = replace(self.plan, all_pairs=True, baseline=None, correct="none", samples=samples)
        tested = {
            (name, frozenset((pair.first, pair.second))): pair
            for name, found in zip(self.by_reference, self.test(evidence, plan), strict=True)
            for pair in found.pairs
        }
        keys = [(name, *pair) for name in self.by_reference for pair in pairs]
        results = [tested[name, frozenset(pair)] for name, *pair in keys]
        p_values = np.array([pair.p_value for pair in results])
        floor = max((pair.p_value for pair in results if pair.p_is_bound), default=-np.inf)
        return {
            key: _Tested(
                float(p_value),
                bool(is_bound),
                is_real(p_value, self.plan.significance) and not pair.contradicted,
            )
            for key, pair, p_value, is_bound in zip(
                keys,
                results,
                corrected(p_values, self.plan.correct),
                at_most(p_values, self.plan.correct, floor),
                strict=True,
            )
        }


def _together(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{listed(names)} (a tie)"


def _size(difference: float) -> str:
    return f"{difference:.{digits_for(difference)}f}"

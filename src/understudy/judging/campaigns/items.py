"""Items: distinct outputs of every segment, and the screens on which they are shown together."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

Unit = tuple[str, ...]  # the systems that wrote one text of a segment
Screen = tuple[int, ...]  # indices of the units of a segment, in the order shown
_MOST_PAIRS = 15  # of outputs of a segment that are compared: all of up to six
_ATTEMPTS = 30  # per judge, to show all systems equally often


@dataclass(frozen=True)
class ScreenRule:
    """How the outputs of a segment are shown."""

    size: int = 1  # outputs per screen
    per_segment: int | None = None  # screens; None: one if outputs are ranked, else enough for every output
    ranked: bool = False  # whether the answer is an order, for which two outputs are needed
    every_pair: bool = False  # screens of two outputs, with all pairs or many


def distinct_outputs(texts: Mapping[str, Sequence[str]], segment: int) -> dict[str, Unit]:
    """The different outputs of a segment, each with the systems that wrote it.

    >>> distinct_outputs({"a": ["Yes."], "b": ["No."], "c": ["Yes."]}, 0)
    {'Yes.': ('a', 'c'), 'No.': ('b',)}
    """
    found: dict[str, list[str]] = {}
    for system, outputs in texts.items():
        found.setdefault(outputs[segment], []).append(system)
    return {text: tuple(systems) for text, systems in found.items()}


def screens_of(
    units: Sequence[Sequence[Unit]],
    rule: ScreenRule,
    judges: Sequence[Sequence[int]],
    rng: np.random.Generator,
) -> list[list[Screen]]:
    """The screens of every segment. Systems are shown equally often to every judge, and to all judges together;
    `judges` are the judges of every segment. On screens with several outputs, systems are also spread over positions
    and over pairs.
    """
    names = sorted({system for of_segment in units for unit in of_segment for system in unit})
    makers = _Screens(
        [[_indices(unit, names) for unit in each] for each in units], rule, judges, len(names), rng
    )
    return makers.made()


def _indices(unit: Unit, names: Sequence[str]) -> list[int]:
    return [names.index(system) for system in unit]


class _Screens:
    """Screens chosen one after the other, each from the systems that its judges have seen least."""

    def __init__(
        self,
        units: list[list[list[int]]],
        rule: ScreenRule,
        judges: Sequence[Sequence[int]],
        systems: int,
        rng: np.random.Generator,
    ) -> None:
        self.units, self.rule, self.judges, self.rng = units, rule, judges, rng
        count = 1 + max((judge for each in judges for judge in each), default=0)
        self.shown = [[0] * systems for _ in range(count)]  # by judge and system
        self.overall = [0] * systems
        self.together = [[0] * systems for _ in range(systems)]
        self.positions = [[0] * max(1, rule.size) for _ in range(systems)]
        self.sets: list[list[list[int]]] = [[] for _ in units]

    def made(self) -> list[list[Screen]]:
        for segment in self.rng.permutation(len(self.units)):
            self._choose(int(segment))
        if any(map(self._choosable, range(len(self.units)))):
            self._even_out()
        return [
            [self._in_order(segment, chosen) for chosen in of_segment]
            for segment, of_segment in enumerate(self.sets)
        ]

    def _choosable(self, segment: int) -> bool:
        """Whether a screen may show some outputs of the segment rather than others."""
        return len(self.units[segment]) > self.rule.size and self.rule.ranked and not self.rule.every_pair

    def _choose(self, segment: int) -> None:
        units = self.units[segment]
        if self.rule.ranked and len(units) < 2:
            return
        if self.rule.size == 1:
            for unit in range(len(units)):
                self._add(segment, [unit])
            return
        if self.rule.every_pair:
            for pair in self._least_compared(segment):
                self._add(segment, list(pair))
            return
        if len(units) <= self.rule.size:
            self._add(segment, list(range(len(units))))
            return
        needed = 1 if self.rule.ranked else math.ceil(len(units) / self.rule.size)
        number = self.rule.per_segment or needed
        covering = number == needed and not self.rule.ranked
        size = math.ceil(len(units) / number) if covering else self.rule.size
        for _ in range(min(number, math.comb(len(units), max(size, 2)))):
            chosen = self._least_shown(segment, max(size, 2))
            if not self._is_there(segment, chosen):
                self._add(segment, chosen)

    def _is_there(self, segment: int, chosen: Collection[int]) -> bool:
        """Whether a screen of the segment has these outputs already."""
        return any(set(other) == set(chosen) for other in self.sets[segment])

    def _least_compared(self, segment: int) -> list[tuple[int, int]]:
        """All pairs of outputs, or of many those whose systems have been compared least."""
        pairs = list(combinations(range(len(self.units[segment])), 2))
        noise = self.rng.random(len(pairs))

        def compared(index: int) -> tuple[float, float]:
            first, second = (self.units[segment][unit] for unit in pairs[index])
            times = [self.together[here][there] for here in first for there in second]
            return sum(times) / len(times), noise[index]

        return [pairs[index] for index in sorted(range(len(pairs)), key=compared)[:_MOST_PAIRS]]

    def _least_shown(self, segment: int, size: int) -> list[int]:
        units = self.units[segment]
        here = [sum(unit in chosen for chosen in self.sets[segment]) for unit in range(len(units))]
        noise = self.rng.random(len(units))
        chosen: list[int] = []
        while len(chosen) < size:
            rest = [unit for unit in range(len(units)) if unit not in chosen]
            chosen.append(
                min(rest, key=lambda unit: (here[unit], *self._seen(segment, unit, chosen), noise[unit]))
            )
        return chosen

    def _seen(self, segment: int, unit: int, beside: list[int]) -> tuple[float, float, float]:
        """How often its systems have been shown: to the judges of the segment, to all, and beside those systems."""
        systems = self.units[segment][unit]
        others = [system for each in beside for system in self.units[segment][each]]
        return (
            sum(self.shown[judge][system] for judge in self.judges[segment] for system in systems)
            / len(systems),
            sum(self.overall[system] for system in systems) / len(systems),
            sum(self.together[system][other] for system in systems for other in others) / len(systems),
        )

    def _add(self, segment: int, chosen: list[int]) -> None:
        self.sets[segment].append(chosen)
        for unit in chosen:
            self._count(segment, self.units[segment][unit], 1)
        for first, second in permutations(chosen, 2):
            for system in self.units[segment][first]:
                for other in self.units[segment][second]:
                    self.together[system][other] += 1

    def _count(self, segment: int, systems: list[int], by: int) -> None:
        for system in systems:
            self.overall[system] += by
            for judge in self.judges[segment]:
                self.shown[judge][system] += by

    def _even_out(self) -> None:
        """Replace outputs of systems shown more often by those of systems shown less often, first for every judge, then
        for all together. A replacement for one judge changes what others see of the segment, so that the best one may
        gain nothing: then it is one step of a random walk.
        """
        places = [segment for segment in range(len(self.units)) if self._choosable(segment)]
        of_judge: list[list[int]] = [[] for _ in self.shown]
        for segment in places:
            for judge in self.judges[segment]:
                of_judge[judge].append(segment)
        for _ in range(_ATTEMPTS * len(self.shown)):
            uneven = [judge for judge, counts in enumerate(self.shown) if max(counts) - min(counts) > 1]
            if uneven:
                judge = uneven[int(self.rng.integers(len(uneven)))]
                self._replace_one(of_judge[judge], self.shown[judge])
            elif max(self.overall) - min(self.overall) <= 1 or not self._replace_one(places, self.overall, 0):
                return

    def _replace_one(self, segments: list[int], counts: list[int], least_gain: int | None = None) -> bool:
        """The best replacement of a system with the highest count by one with the lowest."""
        high = [system for system, count in enumerate(counts) if count == max(counts)]
        low = [system for system, count in enumerate(counts) if count == min(counts)]
        found: list[tuple[int, int, int, int, int]] = []
        for segment in segments:
            alone = {
                systems[0]: unit for unit, systems in enumerate(self.units[segment]) if len(systems) == 1
            }
            for screen, chosen in enumerate(self.sets[segment]):
                found += [
                    (self._gain(segment, leaving, entering), segment, screen, alone[leaving], alone[entering])
                    for leaving in high
                    if alone.get(leaving) in chosen
                    for entering in low
                    if entering in alone
                    and alone[entering] not in chosen
                    and not self._is_there(segment, {*chosen, alone[entering]} - {alone[leaving]})
                ]
        best = max(found, default=(0,))[0]
        if not found or (least_gain is not None and best < least_gain):
            return False
        ties = [each for each in found if each[0] == best]
        _, segment, screen, out, into = ties[int(self.rng.integers(len(ties)))]
        self._replace(segment, screen, out, into)
        return True

    def _gain(self, segment: int, leaving: int, entering: int) -> int:
        """How much the sum of squared counts falls for the judges of the segment, halved."""
        return sum(
            self.shown[judge][leaving] - self.shown[judge][entering] - 1 for judge in self.judges[segment]
        )

    def _replace(self, segment: int, screen: int, out: int, into: int) -> None:
        chosen, units = self.sets[segment][screen], self.units[segment]
        self._count(segment, units[out], -1)
        self._count(segment, units[into], 1)
        chosen[chosen.index(out)] = into

    def _in_order(self, segment: int, chosen: list[int]) -> Screen:
        """Every position gets the output whose systems have been there least."""
        units = self.units[segment]
        order = [-1] * len(chosen)
        rest = [int(unit) for unit in self.rng.permutation(chosen)]
        for place in map(int, self.rng.permutation(len(chosen))):
            unit = min(
                rest,
                key=lambda unit: sum(self.positions[each][place] for each in units[unit]) / len(units[unit]),
            )
            rest.remove(unit)
            order[place] = unit
            for system in units[unit]:
                self.positions[system][place] += 1
        return tuple(order)

"""Does `understudy track` find the changes that are there, and no others? Simulations in which the truth is known.

    python tools/track_simulations.py [--rounds N] [NAME...]

makes histories of runs that differ by noise only, or by one known change, lets `track` judge them, and prints how often
it is right: the tables of docs/guide/track.md. The tests run the same simulations with fewer rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compare_simulations import SimulatedSets
from simulation_command import Simulation, parser_of, print_tables

from understudy.arrays import one_blas_thread
from understudy.comparing.plan import Plan
from understudy.resampling.evidence import Evidence
from understudy.tracking.history import TestedSteps, steps_with_tests

SEGMENTS = 500
SEED = 18


@dataclass(frozen=True)
class Histories:
    """Histories to be drawn: so many runs, of which those from `change` on are better by `gain` BLEU."""

    runs: int
    gain: float = 0.0
    change: int = 0
    segments: int = SEGMENTS

    @one_blas_thread()
    def tested(self, rounds: int, plan: Plan) -> list[TestedSteps]:
        gains = tuple(self.gain * (run >= self.change) for run in range(self.runs))
        sets = SimulatedSets(self.segments, systems=self.runs, gains=gains)
        return [steps_with_tests(evidence, plan) for evidence in sets.drawn(rounds, SEED)]

    @property
    def step(self) -> int:
        """The place of the change among the tests."""
        return self.change - 1


def found(tested: TestedSteps) -> list[int]:
    """The places of significant changes from one run to the next."""
    return [place for place, pair in enumerate(tested.comparison.pairs) if pair.significant]


def share(of: list[bool]) -> float:
    return sum(of) / len(of)


def no_change(rounds: int) -> Iterator[str]:
    """Histories without a change: how often any change is found."""
    yield "| runs | correction | any change found | any difference from the best before found |"
    yield "| ---: | --- | ---: | ---: |"
    for runs in (5, 10, 20):
        for correct in ("holm", "bh", "none"):
            histories = Histories(runs).tested(rounds, Plan(correct=correct))
            steps = share([bool(found(each)) for each in histories])
            bests = share([any(pair.significant for pair in each.with_bests) for each in histories])
            yield f"| {runs} | {correct} | {steps:.3f} | {bests:.3f} |"


def one_change(rounds: int) -> Iterator[str]:
    """Histories of 20 runs, with a change in the middle: how often that one is found, and how often others are."""
    yield "| gain (BLEU) | the change found | any other change found | exactly that one found |"
    yield "| ---: | ---: | ---: | ---: |"
    for gain in (1.0, 1.5, 2.0, 3.0):
        history = Histories(20, gain, change=10)
        results = [found(each) for each in history.tested(rounds, Plan())]
        there = share([history.step in each for each in results])
        others = share([bool(set(each) - {history.step}) for each in results])
        exact = share([each == [history.step] for each in results])
        yield f"| {gain:g} | {there:.3f} | {others:.3f} | {exact:.3f} |"


def latest_and_best(rounds: int) -> Iterator[str]:
    """The check of the last run against the best of all before it, without a change: how often it fails."""
    yield "| earlier runs | corrected for the selection | not corrected |"
    yield "| ---: | ---: | ---: |"
    for runs in (3, 6, 11, 21):
        rates = [
            share(
                [
                    _is_worse(evidence, correct)
                    for evidence in SimulatedSets(SEGMENTS, systems=runs).drawn(rounds, SEED)
                ]
            )
            for correct in ("holm", "none")
        ]
        yield f"| {runs - 1} | {rates[0]:.3f} | {rates[1]:.3f} |"


def _is_worse(evidence: Evidence, correct: str) -> bool:
    """Whether the last run is significantly worse than the best of the others."""
    from understudy.comparing.run import compare_families
    from understudy.tracking.history import selection_corrected
    from understudy.tracking.series import best_of_first

    last = len(evidence.systems) - 1
    best = best_of_first(evidence, last)
    plan = Plan(correct=correct).for_segments(evidence.segments)
    plan = Plan(test=plan.test, correct=correct, samples=plan.drawn(last))
    ((compared,),) = compare_families(
        [evidence.among([evidence.systems[best], evidence.systems[last]])], plan, [[(1, 0)]]
    )
    (pair,) = selection_corrected(compared.pairs, [last], [True], plan)
    return pair.better == pair.second


SIMULATIONS: dict[str, Simulation] = {
    "no-change": no_change,
    "one-change": one_change,
    "best": latest_and_best,
}


def main() -> None:
    parser = parser_of(__doc__ or "", SIMULATIONS, 1000)
    print_tables(parser, parser.parse_args(), SIMULATIONS)


if __name__ == "__main__":
    main()

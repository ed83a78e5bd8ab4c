"""Controls: degraded text that must get a worse answer than its original, and the judges who do not notice.

A control is missed unless the judge gives the degraded text a worse answer on more questions than a better one. Whoever
answers at random misses at least half of them. The binomial test asks whether a judge misses fewer than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.choices import CONFIDENCE, SIGNIFICANCE
from understudy.judging.judgments import Controls, Question, combined
from understudy.metrics.base.score import Interval
from understudy.resampling.significance_tests import is_real

_CHANCE = 0.5  # of missing a control: an answer at random is as likely to prefer either text, and ties are missed, too


@dataclass(frozen=True)
class JudgeControls:
    """The controls of one judge."""

    judge: str
    seen: int
    missed: int
    interval: Interval  # of the share missed: Clopper and Pearson's exact one
    p_value: float  # of missing no more than this by chance
    verdict: str  # "passed", "failed" or "too few"


def missed_controls(
    controls: Controls,
    judges: Sequence[str],
    questions: Sequence[Question],
    *,
    significance: float = SIGNIFICANCE,
    confidence: float = CONFIDENCE,
) -> tuple[JudgeControls, ...]:
    """Of every judge who saw a control. A judge has failed whose answers could be random, although the judge saw enough
    controls to show that they are not: at least 5 at a significance level of 0.05.
    """
    from scipy.special import bdtr, betaincinv

    seen, missed = _counted(controls, questions, len(judges))
    tail = (1 - confidence) / 2
    found = []
    for place in np.flatnonzero(seen).tolist():
        number, lost = int(seen[place]), int(missed[place])
        p_value = float(bdtr(lost, number, _CHANCE))
        low = float(betaincinv(lost, number - lost + 1, tail)) if lost else 0.0
        high = float(betaincinv(lost + 1, number - lost, 1 - tail)) if lost < number else 1.0
        if is_real(p_value, significance):
            verdict = "passed"
        else:
            verdict = "failed" if is_real(_CHANCE**number, significance) else "too few"
        found.append(
            JudgeControls(judges[place], number, lost, Interval(low, high, confidence), p_value, verdict)
        )
    return tuple(found)


def _counted(controls: Controls, questions: Sequence[Question], judges: int) -> tuple[np.ndarray, np.ndarray]:
    """Controls seen and missed, by judge."""
    lower_is_better = {each.name for each in questions if not each.higher_is_better}
    sign = np.where([name in lower_is_better for name in controls.question], -1.0, 1.0)
    noticed = np.sign(sign * (controls.value_of_original - controls.value_of_degraded))
    question = combined(np.array(controls.question, dtype=object).astype(str))
    control = combined(
        controls.judge, controls.segment, _occurrence(combined(controls.judge, controls.segment, question))
    )
    _, example = np.unique(control, return_index=True)
    judge = controls.judge[example]
    lost = np.bincount(control, noticed) <= 0
    return np.bincount(judge, minlength=judges), np.bincount(judge[lost], minlength=judges)


def _occurrence(keys: np.ndarray) -> np.ndarray:
    """How many equal keys come before each: two controls of one segment are two."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(starts, append=len(keys)))
    return found

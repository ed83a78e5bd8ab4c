"""Answers as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from understudy.judging.campaigns.design import PlannedTask
from understudy.judging.protocols.protocol import RANKED, RATED, Protocol, Step


def value_of(step: Step, payload: Mapping[str, Any], output: str) -> float:
    """The number that an output got: its value, its rank, or minus the sum of penalties, as in WMT's MQM scores."""
    if step.widget in RATED:
        return float(payload["values"][output])
    if step.widget in RANKED:
        return float(payload["ranks"][output])
    return 0.0 - sum(penalty_of(step, span) for span in payload["spans"][output])  # 0, not -0


def penalty_of(step: Step, span: Mapping[str, Any]) -> float:
    return step.penalty(span["category"], span["severity"])


def scores_of(
    protocol: Protocol, task: PlannedTask, answers: Mapping[str, Mapping[str, Any]]
) -> dict[int, float] | None:
    """The answer to the last step as a score of every output, higher is better; None if the task was skipped."""
    if any("skipped" in payload for payload in answers.values()):
        return None
    step = protocol.steps[-1]
    sign = -1.0 if step.widget in RANKED else 1.0
    payload = answers[step.name]
    return {
        output: sign * value_of(step, payload, f"o{place}") for place, output in enumerate(task.outputs, 1)
    }

"""Error spans that a model predicts in a hypothesis, from the probabilities of labels for its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.neural.comet.joint_rows import Offsets

_POINTS = {"minor": 1, "major": 5, "critical": 10}  # of MQM
_MOST_POINTS = 25


@dataclass(frozen=True)
class ErrorSpan:
    """Characters of a hypothesis from `start` to before `end`. `confidence` is the mean probability of its labels."""

    start: int
    end: int
    severity: str
    confidence: float


def spans_in(probabilities: Floats, offsets: Offsets, severities: Sequence[str]) -> list[ErrorSpan]:
    """Runs of tokens whose most probable label is an error, as COMET finds them.

    Label 0 is no error. A run has the severity of its first token, whatever the others are. A run that lasts until the
    very end, that is over the end token, is none: COMET leaves it out.
    """
    labels = probabilities.argmax(axis=1)
    found = []
    first: int | None = None
    for token, label in enumerate(labels):
        if label and first is None:
            first = token
        elif not label and first is not None:
            run = slice(first, token)
            found.append(
                ErrorSpan(
                    start=offsets[first][0],
                    end=offsets[token - 1][1],
                    severity=severities[labels[first] - 1],
                    confidence=float(np.mean(probabilities[run].max(axis=1))),
                )
            )
            first = None
    return found


def mqm_score(spans: Sequence[ErrorSpan]) -> float:
    """From 1 without errors down to 0 (Guerreiro et al. 2024, section 3).

    >>> mqm_score([ErrorSpan(0, 3, "minor", 0.5), ErrorSpan(4, 9, "critical", 0.9)])
    0.56
    """
    points = sum(_POINTS.get(span.severity, 0) for span in spans)
    return (_MOST_POINTS - min(points, _MOST_POINTS)) / _MOST_POINTS

"""The maximum of Davidson's likelihood, of many samples at once, and whether it has one.

With strengths s = exp(a) and v = exp(b) the likelihood of a comparison is a softmax of a_i, a_j and b + (a_i + a_j) /
2: its logarithm is concave, and Newton's method finds the maximum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats

_STEPS = 100
_HALVES = 50
_SMALL_STEP = 1e-11
_NEVER = -1e4  # as b of samples without ties: its exponential is 0
ALL_TIES = "all comparisons are ties"


def fitted(wins: Floats, ties: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """Log strengths around 0 [samples, systems] and v [samples], of wins of the row over the column and ties
    [samples, systems, systems]; ties are symmetric. `start` are log strengths and v that may be near.
    """
    samples, count, _ = wins.shape
    all_wins, all_ties = wins.sum(axis=(1, 2)), ties.sum(axis=(1, 2)) / 2
    number = wins + wins.swapaxes(1, 2) + ties
    found = np.zeros((samples, count + 1))
    found[:, -1] = np.where(all_ties > 0, np.log(np.maximum(all_ties, 1) / np.maximum(all_wins, 1)), _NEVER)
    if start is not None:
        found[:, :-1] = start[:-1]
        found[:, -1] = np.where(all_ties > 0, np.log(start[-1]) if start[-1] > 0 else 0.0, _NEVER)
    for _ in range(_STEPS):
        gradient, information = _derivatives(found, wins, ties, number)
        step = np.asarray(np.linalg.solve(information, gradient[..., np.newaxis])[..., 0], dtype=np.float64)
        step = _uphill(found, step, (wins, ties, number))
        found += step
        if np.abs(step).max(initial=0.0) < _SMALL_STEP:
            break
    strengths = found[:, :-1]
    return strengths - strengths.mean(axis=1, keepdims=True), np.exp(found[:, -1])


def has_maximum(wins: Floats, ties: Floats) -> NDArray[np.bool_]:
    """[samples]: whether no direction goes uphill for ever.

    One with b unchanged exists unless every system has, through others, beaten or tied every other one. One with b
    growing by 1 raises a_i - a_j by at least 2 where i beat j, and by at most 2 where they tied: there is none if going
    round some circle of comparisons meets more wins than ties.
    """
    length = np.where(ties > 0, 1.0, np.inf)
    length = np.where(wins > 0, -1.0, length)
    places = np.arange(wins.shape[1])
    length[:, places, places] = 0.0
    for middle in places:  # Floyd and Warshall's shortest paths
        length = np.minimum(length, length[:, :, middle, np.newaxis] + length[:, np.newaxis, middle])
        np.maximum(length, -1e6, out=length)  # a circle of negative length gets longer at every turn
    connected = np.isfinite(length).all(axis=(1, 2))
    contradicted = (length[:, places, places] < 0).any(axis=1)
    return np.asarray(connected & contradicted)


def unbounded(wins: Floats, ties: Floats, names: Sequence[str]) -> str | None:
    """Why the strengths are not determined; None if they are."""
    if has_maximum(wins[np.newaxis], ties[np.newaxis])[0]:
        return None
    if not wins.any():
        return ALL_TIES
    edges = (wins > 0) | (ties > 0)
    compared = _reached(edges | edges.T)
    if not compared.all():
        return f"{_named(names, compared[0])} and {_named(names, ~compared[0])} were not compared, even through others"
    beaten = _reached(edges)  # whom a system beat or tied, through others
    for system in np.argsort(beaten.sum(axis=0), kind="stable"):
        if not beaten[:, system].all():
            above = beaten[:, system]
            return f"{_named(names, above)} never lost to or tied with {_named(names, ~above)}"
    return "no system lost to one that was at least its equal, so strengths and ties grow without bound"


def _reached(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        found |= found[:, middle, np.newaxis] & found[middle]
    return found


def _named(names: Sequence[str], chosen: NDArray[np.bool_]) -> str:
    return ", ".join(f"'{name}'" for name, is_chosen in zip(names, chosen, strict=True) if is_chosen)


def _derivatives(parameters: Floats, wins: Floats, ties: Floats, number: Floats) -> tuple[Floats, Floats]:
    """The gradient, and minus the Hessian, made regular: the mean of strengths is free, and b where nothing ties."""
    count = wins.shape[1]
    better, tie, _ = _shares(parameters)
    expected = better + tie / 2  # of the row against the column: a win, or half a tie
    gradient = np.zeros_like(parameters)
    gradient[:, :-1] = (wins + ties / 2 - number * expected).sum(axis=2)
    gradient[:, -1] = ((ties - number * tie).sum(axis=(1, 2))) / 2
    information = np.zeros((len(wins), count + 1, count + 1))
    places = np.arange(count)
    # Half a tie counts a quarter in squares and products.
    information[:, :-1, :-1] = number * (tie / 4 - expected * expected.swapaxes(1, 2))
    information[:, places, places] = (number * (better + tie / 4 - expected**2)).sum(axis=2)
    with_ties = (number * (tie / 2 - expected * tie)).sum(axis=2)
    information[:, :-1, -1], information[:, -1, :-1] = with_ties, with_ties
    of_ties = (number * (tie - tie**2)).sum(axis=(1, 2)) / 2
    information[:, -1, -1] = np.where(of_ties > 0, of_ties, 1.0)
    information[:, :-1, :-1] += number.sum(axis=(1, 2))[:, np.newaxis, np.newaxis] / count**2
    return gradient, information


def _uphill(parameters: Floats, step: Floats, counts: tuple[Floats, Floats, Floats]) -> Floats:
    """The step of each sample, halved until the likelihood does not fall."""
    before = _log_likelihood(parameters, *counts)
    for _ in range(_HALVES):
        lower = _log_likelihood(parameters + step, *counts) < before - ROUNDING * np.abs(before)
        if not lower.any():
            break
        step = np.where(lower[:, np.newaxis], step / 2, step)
    return step


def _log_likelihood(parameters: Floats, wins: Floats, ties: Floats, number: Floats) -> Floats:
    strengths, tied = parameters[:, :-1], parameters[:, -1]
    *_, total = _shares(parameters)
    points = wins.sum(axis=2) + ties.sum(axis=2) / 2
    drawn = ties.sum(axis=(1, 2)) / 2 * tied
    return np.asarray((points * strengths).sum(axis=1) + drawn - (number * total).sum(axis=(1, 2)) / 2)


def _shares(parameters: Floats) -> tuple[Floats, Floats, Floats]:
    """P(row is better than column), P(tie) and the logarithm of what they are shares of [samples, systems, systems]."""
    strengths, tied = parameters[:, :-1], parameters[:, -1]
    one, other = np.broadcast_arrays(strengths[:, :, np.newaxis], strengths[:, np.newaxis])
    tie = tied[:, np.newaxis, np.newaxis] + (one + other) / 2
    largest = np.maximum(np.maximum(one, other), tie)
    parts = [np.exp(each - largest) for each in (one, other, tie)]
    total = parts[0] + parts[1] + parts[2]
    return parts[0] / total, parts[2] / total, largest + np.log(total)

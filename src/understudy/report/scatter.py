"""Scatter plots in text: human scores against metric scores, as in figures 5 and 6 of the BLEU report; many points."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

import numpy as np

from understudy.report.grid import printable
from understudy.report.terminal import display_width

WIDTH, HEIGHT = 56, 16  # of the field of points, in characters
_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_SEVERAL = "*"  # where two systems share a place
_DENSITIES = ((5, "#"), (2, "+"), (1, "."))  # characters, by the least number of points that share a place


def scatter(
    points: Sequence[tuple[str, float, float]],
    *,
    x: str,
    y: str,
    line: Callable[[float], float] | None = None,
    kinds: Sequence[str] = (),
) -> str:
    """A scatter plot as text: a letter for each point, a legend, and dots for the line.

    >>> print(scatter([("a", 0, 0), ("b", 1, 1)], x="BLEU", y="people").splitlines()[0].rstrip())
    people
    """
    shown = [(name, float(a), float(b)) for name, a, b in points if np.isfinite(a) and np.isfinite(b)]
    if not shown:
        return f"{y} over {x}: no system has both scores."
    left, right = _range([a for _, a, _ in shown])
    low, high = _range([b for _, _, b in shown])
    field = [[" "] * WIDTH for _ in range(HEIGHT)]
    if line is not None:
        for column in range(WIDTH):
            row = _place(line(left + (right - left) * column / (WIDTH - 1)), low, high, HEIGHT)
            if 0 <= row < HEIGHT:
                field[HEIGHT - 1 - row][column] = "·"
    for number, (_, a, b) in enumerate(shown):
        row, column = HEIGHT - 1 - _place(b, low, high, HEIGHT), _place(a, left, right, WIDTH)
        taken = field[row][column] not in (" ", "·")
        field[row][column] = _SEVERAL if taken else _letter(number)
    legend = _legend(shown, points, kinds)
    return "\n".join([y, *_framed(field, (left, right), (low, high), x, legend)])


def density_plot(
    points: Sequence[tuple[float, float]],
    *,
    x: str,
    y: str,
    across: tuple[float, float],
    up: tuple[float, float],
    y_number: Callable[[float], str],
) -> str:
    """More points than there are letters: how many share a place. `across` and `up` are the ends of the axes;
    `y_number` writes the numbers of the vertical one.

    >>> plot = density_plot([(1, 1)], x="tokens", y="permutations", across=(0, 2), up=(0, 2), y_number=str)
    >>> print(plot.splitlines()[-1])
    . 1 segment, + 2 to 4, # 5 or more
    """
    (left, right), (low, high) = across, up
    counts = np.zeros((HEIGHT, WIDTH), dtype=int)
    for a, b in points:
        counts[HEIGHT - 1 - _place(b, low, high, HEIGHT), _place(a, left, right, WIDTH)] += 1
    field = [
        [next((mark for least, mark in _DENSITIES if number >= least), " ") for number in row]
        for row in counts.tolist()
    ]
    lines = _framed(field, across, up, x, [], y_number=y_number)
    return "\n".join([y, *lines, ". 1 segment, + 2 to 4, # 5 or more"])


def _framed(
    field: list[list[str]],
    across: tuple[float, float],
    up: tuple[float, float],
    x: str,
    legend: list[str],
    *,
    y_number: Callable[[float], str] | None = None,
) -> list[str]:
    marks = {row: (y_number or _number)(value) for row, value in ((0, up[1]), (HEIGHT - 1, up[0]))}
    margin = max(map(len, marks.values()))
    lines = []
    for row, cells in enumerate(field):
        beside = legend[row] if row < len(legend) else ""
        lines.append(f"{marks.get(row, ''):>{margin}} |{''.join(cells)}  {beside}".rstrip())
    lines.append(" " * margin + " +" + "-" * WIDTH)
    ends = [_number(end) for end in across]
    between = WIDTH - len(ends[0]) - len(ends[1])
    lines.append(" " * (margin + 2) + ends[0] + f"{x:^{max(between, display_width(x) + 2)}}" + ends[1])
    lines += [" " * (margin + 2) + more for more in legend[HEIGHT:]]
    return lines


def _legend(
    shown: Sequence[tuple[str, float, float]],
    points: Sequence[tuple[str, float, float]],
    kinds: Sequence[str],
) -> list[str]:
    kind_of = dict(zip([name for name, _, _ in points], kinds, strict=False))
    return [
        f"{_letter(number)} {printable(name)}" + (f" ({kind_of[name]})" if kind_of.get(name) else "")
        for number, (name, _, _) in enumerate(shown)
    ]


def _letter(number: int) -> str:
    return _LETTERS[number] if number < len(_LETTERS) else "+"


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.04 or abs(high) * 0.04 or 1.0
    return low - room, high + room


def _place(value: float, low: float, high: float, size: int) -> int:
    return round((value - low) / (high - low) * (size - 1))


def _number(value: float) -> str:
    return f"{value:.4g}"

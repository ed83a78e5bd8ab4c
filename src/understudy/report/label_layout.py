"""Where the labels of points stand so that they can be read: beside their points, and not on one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from understudy.report.figure import LETTER

HEIGHT = 13.0  # pixels, of a line of text
_POINT = 4.0  # the radius of a point
_DISTANCES = (9.0, 17.0, 28.0, 42.0, 58.0)  # of a label from its point: the nearest that is free
_FAR = 15.0  # from there on a line leads from the point to its label
# Right of the point first, as one reads; then left, above and below, then aslant.
_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (0.8, -0.6), (0.8, 0.6), (-0.8, -0.6), (-0.8, 0.6))

# How bad it is to stand on a line, or a pixel farther away, beside standing on a point or on a label.
ON_A_LINE, A_PIXEL = 0.1, 0.006

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Place:
    """Of a label, from its point: so many pixels to the right and down."""

    dx: float
    dy: float
    align: str  # which side of the text is there: left, right or center
    free: bool  # whether nothing else is there

    @property
    def far(self) -> bool:
        return math.hypot(self.dx, self.dy) >= _FAR


def places(
    points: Sequence[Point],
    texts: Sequence[str],
    field: tuple[float, float],
    *,
    others: Sequence[Point] = (),
    lines: Sequence[Point] = (),
) -> list[Place]:
    """A place for the text of each point, in a field of so many pixels. The most crowded points choose first. Other
    points without text are kept free, and lines, of which some points are known, if that costs nothing else.

    >>> [place.align for place in places([(5.0, 50.0), (95.0, 50.0)], ["a", "long"], (100, 100))]
    ['left', 'right']
    """
    crowds = [sum(math.dist(point, other) < 60 for other in points) for point in points]
    found: dict[int, Place] = {}
    taken: list[Box] = []
    for number in sorted(range(len(points)), key=lambda i: (-crowds[i], i)):
        x, y = points[number]
        choices = []
        for distance in _DISTANCES:
            for across, down in _DIRECTIONS:
                dx, dy = distance * across, distance * down
                align = "left" if across > 0 else "right" if across < 0 else "center"
                box = _box(x + dx, y + dy, align, texts[number])
                hits = _hits(box, taken, [*points, *others], lines, field)
                choices.append((hits + A_PIXEL * distance, dx, dy, align, box))
        cost, dx, dy, align, box = min(choices, key=lambda choice: choice[0])  # of the best the first
        found[number] = Place(dx, dy, align, cost < 1)
        taken.append(box)
    return [found[number] for number in range(len(points))]


def _box(x: float, y: float, align: str, text: str) -> Box:
    long = LETTER * len(text)
    left = {"left": x, "right": x - long, "center": x - long / 2}[align]
    return left, y - HEIGHT / 2, left + long, y + HEIGHT / 2


def _hits(
    box: Box,
    taken: Sequence[Box],
    points: Sequence[Point],
    lines: Sequence[Point],
    field: tuple[float, float],
) -> float:
    """How much else is there already, or how little of it is in the field."""
    left, top, right, bottom = box
    labels = sum(left < r and right > a and top < b and bottom > t for a, t, r, b in taken)
    dots = sum(left - _POINT < x < right + _POINT and top - _POINT < y < bottom + _POINT for x, y in points)
    outside = left < 0 or top < 0 or right > field[0] or bottom > field[1]
    crossed = any(left < x < right and top < y < bottom for x, y in lines)
    return labels + dots + 2 * outside + ON_A_LINE * crossed

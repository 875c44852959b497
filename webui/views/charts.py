"""Charts of a match as SVG shapes; lines differ in dashes and marks as well as in colour."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any

from msgspec import Struct

WIDTH, HEIGHT = 480, 260
LEFT, RIGHT, TOP, BOTTOM = 68, 466, 12, 228
APART = 2.0  # distance between lines with the same value, so that all remain visible
MARKED = 16  # most marks on a line; with more rounds, some have none
NUMBERED = 8
SMALL = 20  # charts of values up to this begin at 0
STEPS = 5
DASHES = ("", "8 4", "2 4", "10 4 2 4")
SHAPES = (
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "m-4.5-4.5h9v9h-9z",
    "m0-6l5.5 10h-11z",
    "m0-6l6 6l-6 6l-6-6z",
    "m0 6l5.5-10h-11z",
    "m-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
)
"""Centred mark shapes: disc, square, triangle, diamond, inverted triangle, cross."""
COLOURS = 8  # line colours in the style sheet


class Series(Struct, frozen=True):
    """Name of a line, and its value for each round, if any."""

    name: str
    values: tuple[int | None, ...]


def chart_of(key: str, title: str, told: str, series: Sequence[Series]) -> Mapping[str, Any]:
    """Return a complete chart: axis numbers with their positions, and the lines as SVG."""
    rounds = max(len(each.values) for each in series)
    values = [value for each in series for value in each.values if value is not None]
    heights = _heights(min(values), max(values))
    return {
        "key": key,
        "title": title,
        "told": told,
        "lines": [_line(each, place, rounds, heights, len(series)) for place, each in enumerate(series)],
        "rounds": [
            {"at": _round_x(number, rounds), "text": str(number + 1)}
            for number in range(0, rounds, -(-rounds // NUMBERED))
        ],
        "heights": [{"at": _value_y(value, heights), "text": number_text(value)} for value in heights],
        "series": series,
    }


def number_text(value: int) -> str:
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")


def _line(series: Series, place: int, rounds: int, heights: range, lines: int) -> Mapping[str, object]:
    aside = APART * (place - (lines - 1) / 2)
    points = [
        None if value is None else (_round_x(number, rounds), round(_value_y(value, heights) + aside, 1))
        for number, value in enumerate(series.values)
    ]
    shape = SHAPES[place % len(SHAPES)]
    every = -(-rounds // MARKED)
    return {
        "name": series.name,
        "colour": place % COLOURS,
        "dash": DASHES[place % len(DASHES)],
        "path": _path(points),
        "marks": "".join(f"M{x} {y}{shape}" for x, y in filter(None, points[::-every])),
        # the mark in the legend
        "sample": f"M22 8{shape}",
    }


def _path(points: Iterable[tuple[float, float] | None]) -> str:
    drawn, pen = "", "M"
    for point in points:
        drawn += "" if point is None else f"{pen}{point[0]} {point[1]}"
        pen = "M" if point is None else "L"
    return drawn


def _round_x(number: int, rounds: int) -> float:
    return round(LEFT + 10 + (RIGHT - LEFT - 20) * (number / (rounds - 1) if rounds > 1 else 0.5), 1)


def _value_y(value: int, heights: range) -> float:
    low, high = heights[0], heights[-1]
    return round(BOTTOM - 8 - (BOTTOM - TOP - 16) * (value - low) / (high - low), 1)


def _heights(low: int, high: int) -> range:
    if 0 <= low <= high <= SMALL:
        low = 0
    step = _step(max(high - low, 1))
    first, last = floor(low / step), ceil(high / step)
    return range(first * step, (max(last, first + 1) + 1) * step, step)


def _step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, … that needs at most STEPS steps."""
    step = 1
    while step * STEPS < span:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step

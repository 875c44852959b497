"""A small vector language: paths, groups and lettering, in millimetres, y downwards.

Overlaps within one path are holes (the even-odd rule), so that all backends paint the same.
"""

from functools import cache
from math import cos, hypot, radians, sin
from pathlib import Path as File
from threading import Lock
from typing import Any, TypeAlias

from fontTools.pens.basePen import BasePen  # type: ignore[import-untyped]
from fontTools.svgLib.path.parser import parse_path  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from msgspec import Struct

Point: TypeAlias = tuple[float, float]
Step: TypeAlias = tuple[Point, ...]
"""One point is a line to it; three points are a cubic curve: two handles and its end."""
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f as in SVG: x' = ax + cy + e, y' = bx + dy + f."""

IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
ROUND = 0.5522847498  # handle length of a quarter circle with radius 1


class Run(Struct, frozen=True):
    """One continuous stroke of the pen."""

    start: Point
    steps: tuple[Step, ...]
    closed: bool = True


Path: TypeAlias = tuple[Run, ...]


class Shape(Struct, frozen=True):
    """A painted path: colours are "#rrggbb" or None for no paint; joins and ends are round."""

    path: Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.3


class Group(Struct, frozen=True):
    """Items that move together, clipped to a window if there is one."""

    items: "tuple[Shape | Group, ...]"
    matrix: Matrix = IDENTITY
    window: Path | None = None
    is_fine: bool = False  # too fine for small sizes, where it is omitted


Item: TypeAlias = Shape | Group


class Drawing(Struct, frozen=True):
    """A sheet or a card: its size in millimetres and its items."""

    width: float
    height: float
    items: tuple[Item, ...]


def fill(path: Path, colour: str) -> Shape:
    return Shape(path, colour)


def stroke(path: Path, colour: str, width: float) -> Shape:
    return Shape(path, None, colour, width)


def fill_and_stroke(path: Path, colour: str, edge: str, width: float) -> Shape:
    return Shape(path, colour, edge, width)


def group(*items: Item, matrix: Matrix = IDENTITY, window: Path | None = None) -> Group:
    return Group(items, matrix, window)


def fine_print(*items: Item) -> Group:
    """Group items that are too small to read at small sizes."""
    return Group(items, is_fine=True)


# moving


def placement(x: float, y: float, scale: float = 1, turn: float = 0) -> Matrix:
    """Scale, rotate clockwise by degrees, then move the origin to a point."""
    c, s = scale * cos(radians(turn)), scale * sin(radians(turn))
    return (c, s, -s, c, x, y)


def reflection(x: float) -> Matrix:
    """Mirror left and right about a vertical line."""
    return (-1, 0, 0, 1, 2 * x, 0)


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """Combine matrices: first the inner one, then the outer one."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def transform_point(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    x, y = point
    return (a * x + c * y + e, b * x + d * y + f)


def transform_path(path: Path, matrix: Matrix) -> Path:
    def moved(step: Step) -> Step:
        return tuple(transform_point(matrix, point) for point in step)

    return tuple(Run(moved((run.start,))[0], tuple(map(moved, run.steps)), run.closed) for run in path)


# shapes


def polygon(*points: Point) -> Path:
    return (Run(points[0], tuple((point,) for point in points[1:])),)


def line(*points: Point) -> Path:
    return (Run(points[0], tuple((point,) for point in points[1:]), closed=False),)


def box(x: float, y: float, width: float, height: float) -> Path:
    return polygon((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def rounded_box(x: float, y: float, width: float, height: float, radius: float) -> Path:
    r, k, right, low = radius, radius * (1 - ROUND), x + width, y + height
    steps: tuple[Step, ...] = (
        ((right - r, y),),
        ((right - k, y), (right, y + k), (right, y + r)),
        ((right, low - r),),
        ((right, low - k), (right - k, low), (right - r, low)),
        ((x + r, low),),
        ((x + k, low), (x, low - k), (x, low - r)),
        ((x, y + r),),
        ((x, y + k), (x + k, y), (x + r, y)),
    )
    return (Run((x + r, y), steps),)


def ellipse(x: float, y: float, across: float, up: float) -> Path:
    """Return an ellipse with the given centre and radii."""
    return rounded_ellipse(x, y, across, up, across * ROUND, up * ROUND)


def rounded_ellipse(x: float, y: float, a: float, b: float, j: float, k: float) -> Path:
    """Return a superellipse: four curves with the given handles."""
    steps: tuple[Step, ...] = (
        ((x + a, y + k), (x + j, y + b), (x, y + b)),
        ((x - j, y + b), (x - a, y + k), (x - a, y)),
        ((x - a, y - k), (x - j, y - b), (x, y - b)),
        ((x + j, y - b), (x + a, y - k), (x + a, y)),
    )
    return (Run((x + a, y), steps),)


def circle(x: float, y: float, radius: float) -> Path:
    return ellipse(x, y, radius, radius)


def star(x: float, y: float, outer: float, inner: float, points: int, turn: float = 0) -> Path:
    """Return a star with its first point up."""
    turns = (turn + 180 * step / points - 90 for step in range(2 * points))
    return polygon(*(_polar(x, y, inner if step % 2 else outer, angle) for step, angle in enumerate(turns)))


def regular_polygon(x: float, y: float, radius: float, corners: int) -> Path:
    """Return a regular polygon with a corner up."""
    return polygon(*(_polar(x, y, radius, 360 * step / corners - 90) for step in range(corners)))


def _polar(x: float, y: float, radius: float, angle: float) -> Point:
    return (x + radius * cos(radians(angle)), y + radius * sin(radians(angle)))


class _Runs(BasePen):  # type: ignore[misc]
    """A fontTools pen that records runs; BasePen resolves components and quadratic curves."""

    def __init__(self, glyphs: object = None) -> None:
        super().__init__(glyphs)
        self.runs, self._start, self._steps = list[Run](), (0.0, 0.0), list[Step]()

    def _moveTo(self, pt: Point) -> None:  # noqa: N802
        self._start, self._steps = pt, []

    def _lineTo(self, pt: Point) -> None:  # noqa: N802
        self._steps.append((pt,))

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
        self._steps.append((pt1, pt2, pt3))

    def _closePath(self) -> None:  # noqa: N802
        self._end(closed=True)

    def _endPath(self) -> None:  # noqa: N802
        self._end(closed=False)

    def _end(self, *, closed: bool) -> None:
        # closed paths end with a line back to their start
        if closed and self._steps[-1:] == [(self._start,)]:
            self._steps.pop()
        if self._steps:
            self.runs.append(Run(self._start, tuple(self._steps), closed))


@cache
def path(text: str) -> Path:
    """Parse an SVG path."""
    pen = _Runs()
    parse_path(text, pen)
    return tuple(pen.runs)


def smooth_path(*points: Point, closed: bool = True) -> Path:
    """Return a smooth curve through points (Catmull-Rom)."""
    ends = (points[-1], *points, points[0], points[1]) if closed else (points[0], *points, points[-1])
    steps = tuple(
        (
            (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6),
            (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6),
            c,
        )
        for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False)
    )
    return (Run(points[0], steps, closed),)


# flattening, for backends without curves


def flatten_run(run: Run, matrix: Matrix, fineness: float) -> list[Point]:
    """Flatten a run into points, with curves cut into pieces of about `fineness`."""
    here = transform_point(matrix, run.start)
    points = [here]
    for step in run.steps:
        ends = [transform_point(matrix, point) for point in step]
        points += _cut_curve(here, ends, fineness) if len(ends) == 3 else ends
        here = ends[-1]
    return points


def _cut_curve(start: Point, ends: list[Point], fineness: float) -> list[Point]:
    """Cut a cubic curve into points; most of a deck's drawing time is spent here."""
    (ax, ay), ((bx, by), (cx, cy), (dx, dy)) = start, ends
    length = hypot(bx - ax, by - ay) + hypot(cx - bx, cy - by) + hypot(dx - cx, dy - cy)
    weights = _weights(max(2, min(48, int(length / fineness) + 1)))
    return [(b * ax + c * bx + d * cx + e * dx, b * ay + c * by + d * cy + e * dy) for b, c, d, e in weights]


@cache
def _weights(count: int) -> list[tuple[float, float, float, float]]:
    places = ((1 - step / count, step / count) for step in range(1, count + 1))
    return [(s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t) for s, t in places]


# lettering

BOLD = "Cabin-Bold"
PLAIN = "Cabin-SemiBold"
_CAPITAL = 700  # height of Cabin's capitals, in thousandths of an em
_STAND_IN = {"−": "\N{EN DASH}", "'": "\N{RIGHT SINGLE QUOTATION MARK}"}
"""Replacements for signs that the font lacks or draws badly."""
_READING = Lock()
"""Lazy loading of fonts isn't thread-safe."""


@cache
def _font(name: str) -> Any:
    return TTFont(File(__file__).parent / "fonts" / f"{name}.otf", recalcTimestamp=False)


@cache
def _glyph(font: str, letter: str) -> tuple[Path, float]:
    """Return a letter's outline and advance width, in font units, y upwards."""
    with _READING:
        glyphs = _font(font).getGlyphSet()
        name = _font(font).getBestCmap()[ord(_STAND_IN.get(letter, letter))]
        pen = _Runs(glyphs)
        glyphs[name].draw(pen)
        return tuple(pen.runs), glyphs[name].width


def printable_text(words: str, font: str = BOLD) -> str:
    """Replace letters that the font lacks by question marks, and drop other signs such as 🐺."""
    known = _font(font).getBestCmap()
    drawn = (one if ord(_STAND_IN.get(one, one)) in known else "?" * one.isalnum() for one in words)
    return " ".join("".join(drawn).split())


def text_width(words: str, height: float, font: str = BOLD, spread: float = 0) -> float:
    return sum(_glyph(font, letter)[1] for letter in words) * height / _CAPITAL + spread * (len(words) - 1)


def text(
    words: str, x: float, y: float, height: float, *, font: str = BOLD, side: str = "middle", spread: float = 0
) -> Path:
    """Set a line of text: x is its middle, "left" or "right" end, y its base, height that of capitals."""
    share = {"left": 0.0, "middle": 0.5, "right": 1.0}[side]
    x -= share * text_width(words, height, font, spread)
    scale = height / _CAPITAL
    runs: list[Run] = []
    for letter in words:
        outline, step = _glyph(font, letter)
        runs += transform_path(outline, (scale, 0, 0, -scale, x, y))
        x += step * scale + spread
    return tuple(runs)

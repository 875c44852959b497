"""Coyote's look: a day whose sun and prints show the bid, and the night of a call."""

from bisect import bisect_right
from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path as File

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hardware.decks.art.coyote import ART, VALUES
from hardware.decks.drawing import Path, star
from hardware.decks.look import SceneAsk, ScenePicture
from hardware.decks.looks.painting import orb, rays, read_look, symbol
from hardware.decks.print.small_svg import short, write_path
from referee.contract import Board

CACTUS, COYOTE, PAW = (ART.symbols[name] for name in ("cactus", "coyote", "paw"))
NIGHT = "is-night"
STEPS = tuple(map(int, VALUES))
MOST_PRINTS = 60
PRINT = '<use href="#coyote-print" transform="translate({x} {y}) rotate(78) scale({scale})"/>'


class Land(Struct, frozen=True):
    """Positions of objects in a window of one shape."""

    size: tuple[int, int]
    middle: tuple[float, float]  # centre of the sun's path
    reach: tuple[float, float]
    sun: float
    far: str
    mesa: str
    ground: str
    plants: tuple[tuple[float, float, float], ...]
    prints: tuple[float, float, float, float]
    """Positions of the first and last print, and of the two rows."""
    print_scale: float
    moon: tuple[float, float, float]
    night_mesa: str
    night_ground: str
    beast: tuple[float, float, float]


class Lands(Struct, frozen=True):
    """The positions in the look's file."""

    wide: Land
    narrow: Land


LANDS = msgspec.toml.decode(File(__file__).with_name("coyote.toml").read_bytes(), type=Lands)


def draw_scene(ask: SceneAsk) -> ScenePicture:
    """Draw the day of the current bid, the night of a call, or the dawn of the end."""
    picture = _draw(ask.board, LANDS.narrow if ask.is_small else LANDS.wide, is_over=ask.is_over)
    if not ask.is_small:
        return picture
    # a narrow window keeps the right side, where the coyote is
    keep = "xMaxYMax" if ask.is_over or _has(ask.board, "call") else picture.keep
    return replace(picture, keep=keep, has_bleed=True)


def _draw(board: Board, land: Land, *, is_over: bool) -> ScenePicture:
    if is_over:
        return ScenePicture(_dawn(land))
    if _has(board, "call"):
        return ScenePicture(_night(land), NIGHT)
    if _has(board, "counted"):
        x, y, _radius = land.moon
        ground = f'<path class="ground" d="{land.night_ground}"/>'
        return ScenePicture("".join((_sky(land), rays(x, y, 18, 4), _stars(land), ground)), NIGHT)
    number = (board.number if _has(board, "bid") else 0) or 0
    return ScenePicture("".join((_sky(land), _sun(land, number), _hills(land), *_prints(land, number))))


def _has(board: Board, key: str) -> bool:
    return any(fact.key == key for fact in board.facts)


def _sky(land: Land) -> str:
    """Paint the sky, extended beyond the picture's edges."""
    width, height = land.size
    return f'<path class="sky" d="M-{2 * width}-{2 * height}H{3 * width}V{height}H-{2 * width}Z"/>'


def _sun(land: Land, number: int) -> str:
    """Draw the sun at its position on the card of this number."""
    step = max(bisect_right(STEPS, number) - 1, 0)
    angle = radians(190 + 160 * step / (len(STEPS) - 1))
    x = land.middle[0] + land.reach[0] * cos(angle)
    y = land.middle[1] + land.reach[1] * sin(angle)
    light = rays(0, 0, 14, step * 7) + orb(0, 0, land.sun)
    return f'<g class="sun" transform="translate({short(x)} {short(y)})">{light}</g>'


def _hills(land: Land) -> str:
    plants = (symbol(CACTUS, "plant", *place) for place in land.plants)
    return (
        f'<path class="far" d="{land.far}"/><path class="mesa" d="{land.mesa}"/>{"".join(plants)}'
        f'<path class="ground" d="{land.ground}"/>'
    )


def _prints(land: Land, count: int) -> Iterator[str]:
    """Draw as many prints in the sand as were bid, closer together for larger numbers."""
    count = min(max(count, 0), MOST_PRINTS)
    first, last, *rows = land.prints
    pitch = (last - first) / max(count - 1, 14)
    scale = short(land.print_scale * min(1, pitch / ((last - first) / 26)) ** 0.5)
    yield f'<defs><path id="coyote-print" d="{write_path(PAW)}"/></defs><g class="print">'
    for place in range(count):
        yield PRINT.format(x=short(first + pitch * place), y=short(rows[place % 2]), scale=scale)
    yield "</g>"


def _stars(land: Land) -> str:
    width = land.size[0]
    places = ((0.14, 0.05), (0.31, 0.04), (0.58, 0.15), (0.94, 0.15), (0.97, 0.35), (0.6, 0.4), (0.945, 0.57))
    drawn: Path = tuple(
        run
        for k, (x, y) in enumerate(places)
        for run in star(x * width, y * land.size[1], (0.006 - k % 3 * 0.001) * width, 0.0022 * width, 4)
    )
    return f'<path class="orb" d="{write_path(drawn)}"/>'


def _night(land: Land) -> str:
    x, y, radius = land.moon
    return (
        f"{_sky(land)}{rays(x, y, 18, 4)}{orb(x, y, radius, 1.11)}{_stars(land)}"
        f'<path class="far" d="{land.far}"/><path class="mesa" d="{land.night_mesa}"/>'
        f'<path class="ground" d="{land.night_ground}"/>{symbol(COYOTE, "beast", *land.beast)}'
    )


def _dawn(land: Land) -> str:
    x, y, radius = land.moon
    low = y + radius * 0.42
    return (
        f"{_sky(land)}"
        # the screen moves the emblem to the middle
        f'<g class="emblem">{rays(x, low, 18, 3)}{orb(x, low, radius * 0.93, 1.19)}</g>'
        f'<path class="far" d="{land.far}"/><g class="emblem"><path class="mesa" d="{land.night_mesa}"/>'
        f'{symbol(COYOTE, "beast", *land.beast)}</g><path class="ground" d="{land.night_ground}"/>'
    )


HILL = '<path class="hill" d="M22 116H178A80 80 0 0 1 22 116Z"/>'
DOME = f'<circle class="orb" cx="100" cy="80" r="43"/>{symbol(COYOTE, "beast", 98, 78, 4.1)}{HILL}'
"""The emblem of the back: the coyote on its hill, in front of the sun."""

LOOK = read_look("coyote", ART.symbols, draw_scene, DOME)

"""Looks as data: reads their files, and provides shared SVG fragments for scenes."""

from collections.abc import Mapping
from math import cos, radians, sin
from pathlib import Path as File

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from hardware.decks.drawing import Path
from hardware.decks.look import LARGE, Colours, Draw, GameLook, SceneAsk, ScenePicture, draw_nothing
from hardware.decks.print.small_svg import short, write_path


class Pattern(Struct, frozen=True):
    """A patterned scene, with the game's sign in front at the end."""

    ground: str
    name: str
    tile: str
    size: tuple[int, int]
    trophy: str


class LookFile(Struct, frozen=True):
    """The content of a look's file; its symbols are those of the game's artwork."""

    sign: str
    symbols: tuple[str, ...]
    colours: Colours
    poster: tuple[str, ...]
    moods: Mapping[str, Colours] = {}
    signs: Mapping[str, str] = {}
    tints: Mapping[str, str] = {}
    badge: str = ""
    backs: frozenset[str] = frozenset()
    patterns: Mapping[str, str] = {}
    scene: Pattern | None = None


def read_look(name: str, symbols: Mapping[str, Path], draw: Draw = draw_nothing, dome: str = "") -> GameLook:
    """Read a look of this folder; looks without a pattern pass a function that draws scenes."""
    file = File(__file__).with_name(f"{name}.toml")
    read = msgspec.toml.decode(file.read_bytes(), type=LookFile)
    if read.scene is not None:
        draw = _patterned(read.scene, symbols[read.scene.trophy])
    said = {**asdict(read), "symbols": {symbol: symbols[symbol] for symbol in read.symbols}}
    del said["scene"]
    return GameLook(**said, dome=dome, draw_scene=draw)


def _patterned(look: Pattern, symbol: Path) -> Draw:
    def draw(ask: SceneAsk) -> ScenePicture:
        sign = trophy(symbol, look.ground) if ask.is_over else ""
        ground = sheet(look.ground, LARGE) + pattern(look.name, LARGE, look.size, look.tile)
        return ScenePicture(ground + sign, keep="xMidYMid")

    return draw


def sheet(colour: str, size: tuple[int, int]) -> str:
    """Paint the whole window, and the area above it on a tall phone."""
    width, height = size
    return f'<path fill="{colour}" d="M0-{height}H{width}V{height}H0Z"/>'


def pattern(name: str, size: tuple[int, int], tile: tuple[int, int], inside: str) -> str:
    """Cover the whole window with a tile."""
    width, height = tile
    return (
        f'<defs><pattern id="{name}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
        f"{inside}</pattern></defs>{sheet(f'url(#{name})', size)}"
    )


def symbol(path: Path, kind: str, x: float, y: float, scale: float, turn: float = 0) -> str:
    turned = f" rotate({short(turn)})" if turn else ""
    placed = f"translate({short(x)} {short(y)}){turned} scale({short(scale)})"
    return f'<path class="{kind}" transform="{placed}" d="{write_path(path)}"/>'


def rays(x: float, y: float, count: int, turn: float = 0) -> str:
    wedges = (_wedge(x, y, turn + 360 * k / count, 180 / count) for k in range(count))
    return f'<path class="ray" d="{"".join(wedges)}"/>'


def _wedge(x: float, y: float, angle: float, width: float) -> str:
    corners = (
        (x + 2600 * cos(radians(each)), y + 2600 * sin(radians(each))) for each in (angle, angle + width)
    )
    (a, b), (c, d) = corners
    return f"M{short(x)} {short(y)}L{short(a)} {short(b)} {short(c)} {short(d)}Z"


def orb(x: float, y: float, radius: float, ring: float = 1.19) -> str:
    """Draw the sun, which is the moon at night, and its ring."""
    place = f'cx="{short(x)}" cy="{short(y)}"'
    return (
        f'<circle class="orb" {place} r="{short(radius)}"/>'
        f'<circle class="ring" {place} r="{short(radius * ring)}"/>'
    )


def trophy(path: Path, ground: str) -> str:
    """Draw the game's sign in front of a golden sun, on the right of a large window."""
    drawn = f'fill-rule="evenodd" fill="{ground}" d="{write_path(path)}"'
    return (
        '<g class="trophy"><circle cx="1390" cy="370" r="230" fill="#f4b23c"/>'
        '<circle cx="1390" cy="370" r="270" fill="none" stroke="#f4b23c" stroke-width="5"/>'
        f'<path transform="translate(1390 372) scale(15)" {drawn}/></g>'
    )

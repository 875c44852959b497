"""Reads a `.kicad_pcb` file: parts with the net of each leg, printed texts, holes, and size, in millimetres."""

import re
from collections.abc import Iterator
from math import cos, radians, sin

from msgspec import Struct

Point = tuple[float, float]
Node = list["Node | str"]


class Pad(Struct, frozen=True):
    """A leg: its number, net ("" if unconnected) and position."""

    leg: str
    net: str
    at: Point


class PcbPart(Struct, frozen=True):
    """A part: its designator, value and pads, in order of the legs."""

    name: str
    value: str
    pads: tuple[Pad, ...]

    @property
    def nets(self) -> tuple[str, ...]:
        return tuple(pad.net for pad in self.pads)


class Pcb(Struct, frozen=True):
    """A board: parts by designator, printed texts with their positions, size and version."""

    parts: dict[str, PcbPart]
    holes: tuple[Point, ...]
    texts: tuple[tuple[str, Point], ...]
    size: Point
    version: str


def read_pcb(text: str) -> Pcb:
    tree = _parse(text)
    (outline,) = (each for each in _nodes(tree, "gr_rect") if _value(each, "layer") == "Edge.Cuts")
    (left, bottom), (right, top) = _corners(outline)
    origin = left, max(bottom, top)
    version = _value(next(_nodes(tree, "title_block")), "rev")
    footprints = [*_nodes(tree, "footprint")]
    holes = tuple(pad.at for each in footprints for pad in _pads(each, origin) if not pad.leg and not pad.net)
    parts = (_part(each, origin) for each in footprints)
    texts = tuple(
        (str(each[1]).replace("${REVISION}", version), _from(origin, _at(each)[:2]))
        for each in _nodes(tree, "gr_text")
    )
    return Pcb(
        {part.name: part for part in parts if part.pads[0].leg},
        holes,
        (*texts, *(field for each in footprints for field in _printed(each, origin))),
        (round(right - left, 4), round(abs(bottom - top), 4)),
        version,
    )


def _part(footprint: Node, origin: Point) -> PcbPart:
    fields = {str(each[1]): str(each[2]) for each in _nodes(footprint, "property")}
    return PcbPart(fields["Reference"], fields["Value"], tuple(_pads(footprint, origin)))


def _pads(footprint: Node, origin: Point) -> Iterator[Pad]:
    for pad in _nodes(footprint, "pad"):
        net = next((str(each[2]) for each in _nodes(pad, "net")), "")
        yield Pad(
            str(pad[1]), "" if net.startswith("unconnected-") else _name(net), _place(footprint, pad, origin)
        )


def _printed(footprint: Node, origin: Point) -> Iterator[tuple[str, Point]]:
    for each in _nodes(footprint, "property"):
        if _value(each, "layer") == "F.SilkS" and not [*_nodes(each, "hide")]:
            yield str(each[2]), _place(footprint, each, origin)


def _name(net: str) -> str:
    """Return a net's name in the words of the profiles: "/seat1_call" is "seat 1 call"."""
    return re.sub(r"^seat(\d)", r"seat \1", net.lstrip("/+").replace("_", " "))


def _place(footprint: Node, child: Node, origin: Point) -> Point:
    """Return the position of a footprint's child on the board, y upwards."""
    (x, y, turn), (across, down, _turn) = _at(footprint), _at(child)
    c, s = cos(radians(turn)), sin(radians(turn))
    return _from(origin, (x + c * across + s * down, y - s * across + c * down))


def _from(origin: Point, point: Point) -> Point:
    return round(point[0] - origin[0], 3), round(origin[1] - point[1], 3)


def _at(node: Node) -> tuple[float, float, float]:
    x, y, *turn = (float(str(each)) for each in next(_nodes(node, "at"))[1:4])
    return x, y, turn[0] if turn else 0.0


def _corners(rectangle: Node) -> Iterator[Point]:
    for name in ("start", "end"):
        _name, x, y = next(_nodes(rectangle, name))
        yield float(str(x)), float(str(y))


def _value(node: Node, name: str) -> str:
    return next((str(each[1]) for each in _nodes(node, name)), "")


def _nodes(node: Node, name: str) -> Iterator[Node]:
    return (each for each in node if isinstance(each, list) and each[0] == name)


_WORD = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|[^\s()"]+')


def _parse(text: str) -> Node:
    open_nodes: list[Node] = [[]]
    for word in _WORD.findall(text):
        match word:
            case "(":
                open_nodes.append([])
            case ")":
                done = open_nodes.pop()
                open_nodes[-1].append(done)
            case _:
                open_nodes[-1].append(word.strip('"'))
    (root,) = open_nodes[0]
    assert isinstance(root, list)
    return root

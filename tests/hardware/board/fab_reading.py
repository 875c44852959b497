"""Independent reader of fab files: parses and paints them, and finds connected copper."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tests.given import present

Point = tuple[float, float]
Picture = NDArray[np.uint8]
Labels = NDArray[np.int32]
CELLS = 32  # raster cells per millimetre
_FINE = 4  # fractional bits of cv2 coordinates
MARGIN = 1.0


class Hole(Struct, frozen=True):
    """A hole of a drill file."""

    at: Point
    size: float


def read_holes(text: str) -> tuple[Hole, ...]:
    assert text.startswith("M48")
    assert "METRIC" in text
    sizes = {tool: float(size) for tool, size in re.findall(r"^(T\d+)C([\d.]+)$", text, re.MULTILINE)}
    holes, tool = [], ""
    for line in text.partition("\n%\n")[2].splitlines():
        if line in sizes:
            tool = line
        elif found := re.fullmatch(r"X(-?[\d.]+)Y(-?[\d.]+)", line):
            holes.append(Hole((float(found[1]), float(found[2])), sizes[tool]))
    return tuple(holes)


class Plotter:
    """Reads Gerber commands, and paints them."""

    def __init__(self, size: Point) -> None:
        wide, high = (round((side + 2 * MARGIN) * CELLS) for side in size)
        self.picture: Picture = np.zeros((high, wide), np.uint8)
        self.corners: list[Point] = []
        self.widths: list[tuple[str, float]] = []
        """Each line with its net, as named by a comment."""
        self._apertures: dict[str, float] = {}
        self._aperture, self._here, self._colour, self._net = "", (0.0, 0.0), 1, ""
        self._area: list[Point] | None = None

    def read(self, text: str) -> Picture:
        """Read a whole file; an unknown command is an error."""
        commands = re.findall(r"%([^%]*)\*%|([^%*\n]+)\*", text)
        assert commands[-1][1] == "M02"
        for extended, command in commands:
            (self._extended if extended else self._command)(extended or command)
        return self.picture

    def _extended(self, command: str) -> None:
        if found := re.fullmatch(r"ADD(\d+)C,([\d.]+)", command):
            self._apertures[found[1]] = float(found[2])
        elif command.startswith("LP"):
            self._colour = int(command == "LPD")
        else:
            assert command in {"FSLAX46Y46", "MOMM"}, command

    def _command(self, command: str) -> None:
        if found := re.fullmatch(r"X(-?\d+)Y(-?\d+)D0([123])", command):
            self._move((int(found[1]) / 1e6, int(found[2]) / 1e6), found[3])
        elif command == "G36":
            self._area = []
        elif command == "G37":
            cv2.fillPoly(self.picture, [self._cells(present(self._area))], self._colour, shift=_FINE)
            self._area = None
        elif command.startswith("D"):
            self._aperture = command[1:]
        elif command.startswith("G04"):
            self._net = (
                command.partition("TO.N,")[2] if "TO.N" in command else "" if "TD" in command else self._net
            )
        else:
            assert command in {"G01", "M02"}, command

    def _move(self, to: Point, how: str) -> None:
        if self._area is not None:
            self._area.append(to)
        elif how == "3":
            self._disc(to, self._apertures[self._aperture])
        elif how == "1":
            self._line(self._here, to, self._apertures[self._aperture])
        self._here = to

    def _disc(self, at: Point, size: float) -> None:
        (centre,) = self._cells([at])
        radius = round(size / 2 * CELLS * (1 << _FINE))
        cv2.circle(self.picture, centre.tolist(), radius, self._colour, cv2.FILLED, shift=_FINE)

    def _line(self, start: Point, end: Point, width: float) -> None:
        self.corners += [start, end]
        if self._colour:
            self.widths.append((self._net, width))
        along = np.subtract(end, start)
        length = float(np.hypot(*along))
        if length:
            aside = np.array((-along[1], along[0])) / length * width / 2
            box = [
                tuple(np.add(point, way * aside))
                for point, way in ((start, 1), (end, 1), (end, -1), (start, -1))
            ]
            cv2.fillPoly(self.picture, [self._cells(box)], self._colour, shift=_FINE)
        self._disc(start, width)
        self._disc(end, width)

    def _cells(self, points: Sequence[Point]) -> NDArray[np.int32]:
        return np.array([[round(_cell(each) * (1 << _FINE)) for each in point] for point in points], np.int32)


def _cell(length: float) -> float:
    return (length + MARGIN) * CELLS - 0.5


def cell(point: Point) -> tuple[int, int]:
    x, y = (round(_cell(each)) for each in point)
    return y, x


def joined(layers: Sequence[Picture], holes: Sequence[Hole]) -> tuple[list[Labels], int]:
    """Number the connected copper of all layers, joined by plated holes."""
    found: list[Labels] = []
    count = 1
    for layer in layers:
        more, labels = cv2.connectedComponents(layer, connectivity=4, ltype=cv2.CV_32S)
        found.append(np.where(labels, labels + count, 0).astype(np.int32))
        count += more
    same = list(range(count))

    def root(number: int) -> int:
        while same[number] != number:
            number = same[number]
        return number

    for hole in holes:
        ends = {root(int(labels[cell(hole.at)])) for labels in found} - {0}
        for end in ends:
            same[end] = min(ends)
    table = np.array([root(number) for number in range(count)], np.int32)
    return [table[labels] for labels in found], count


def net_faults(labels: Labels, nets: Mapping[Point, str]) -> Iterator[str]:
    legs, here = defaultdict(set), defaultdict(set)
    for at, net in nets.items():
        number = int(labels[cell(at)])
        legs[net].add(number)
        here[number].add(net)
    yield from (f"{net} is open" for net, numbers in sorted(legs.items()) if len(numbers) > 1)
    yield from (f"{' and '.join(sorted(told))} are joined" for told in here.values() if len(told) > 1)


def near_faults(labels: Labels, nets: Mapping[Point, str], apart: float) -> Iterator[str]:
    """Report unconnected copper below the clearance; isolated pieces of the ground fill are ignored."""
    reach = int(apart / 2 * CELLS)
    way = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1]) <= reach
    at_legs = {int(labels[cell(at)]) for at in nets}
    ground = next(int(labels[cell(at)]) for at, net in nets.items() if net == "GND")
    numbers = np.where((labels > 0) & ~np.isin(labels, [*at_legs]), ground, labels).astype(np.uint16)
    most = cv2.dilate(numbers, way.astype(np.uint8))
    least = 65535 - cv2.dilate(np.where(numbers, 65535 - numbers, 0).astype(np.uint16), way.astype(np.uint8))
    met = (most != least) & (most > 0) & (least < 65535)
    for y, x in np.argwhere(met)[:3].tolist():
        yield f"too near at {x / CELLS - MARGIN:.1f}, {y / CELLS - MARGIN:.1f}"

"""Route the PCB: tracks on a two-sided grid, rerouted until none cross.

The nearest pads of a net are joined first. A blocked track may cross others, which are removed and routed
again; each crossing raises its cost, so routing ends. Ground is a fill and isn't routed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.fab.layout import HOLES, SIZE, STEP, WIDTHS, Point, net_width, pads
from hardware.board.netlist import GROUND

GRID = STEP / 2
COLUMNS, ROWS = round(SIZE[0] / GRID) + 1, round(SIZE[1] / GRID) + 1
VIA_COST, ASKEW, CROSSING, LEARNT = 8.0, 1.5, 8.0, 4.0
"""Costs relative to a step: a via, a step across a side's direction, a crossing, a repeated crossing."""
TRIES = 3000
Node = tuple[int, int, int]  # side, row and column
Path = list[Node]
Costs = NDArray[np.float64]
Cells = NDArray[np.uint8]


def route() -> Mapping[str, list[Path]]:
    legs = _legs()
    laid: dict[str, list[Path]] = {}
    waiting = sorted(legs, key=lambda net: (_span(legs[net]), net))
    history = np.zeros((2, ROWS, COLUMNS))
    for _try in range(TRIES):
        if not waiting:
            return laid
        net = waiting.pop(0)
        laid[net] = _lay(net, legs, laid, history)
        met = [
            other for other in laid if other != net and _meetings(net, laid[net], {other: laid[other]}).any()
        ]
        history[_meetings(net, laid[net], {other: laid[other] for other in met})] += LEARNT
        for other in met:
            del laid[other]
            waiting.append(other)
    raise RuntimeError(f"no way for {', '.join(waiting)}")


def _legs() -> dict[str, list[Node]]:
    found = defaultdict(list)
    for pad in pads():
        if pad.net and pad.net != GROUND:
            found[pad.net].append((0, round(pad.at[1] / GRID), round(pad.at[0] / GRID)))
    return {net: legs for net, legs in found.items() if len(legs) > 1}


def _span(legs: Sequence[Node]) -> int:
    _sides, rows, columns = zip(*legs, strict=True)
    return max(rows) - min(rows) + max(columns) - min(columns)


def _lay(
    net: str, legs: Mapping[str, list[Node]], laid: Mapping[str, list[Path]], history: Costs
) -> list[Path]:
    others = {other: paths for other, paths in laid.items() if other != net}
    width = net_width(net)
    here, via = _free(net, width), _free(net, WIDTHS.via, hole=True).max(axis=0)
    steps = 1 + CROSSING * _spread(others, width) + history + here
    holes = VIA_COST + CROSSING * _spread(others, WIDTHS.via).sum(axis=0) + history.sum(axis=0) + via
    first, *left = legs[net]
    reached, paths = {(side, *first[1:]) for side in (0, 1)}, list[Path]()
    while left:
        path = _search(reached, {(side, *leg[1:]) for leg in left for side in (0, 1)}, steps, holes)
        paths.append(path)
        reached |= {*path, *((1 - path[0][0], *path[0][1:]), (1 - path[-1][0], *path[-1][1:]))} & _ends(
            legs[net]
        )
        reached |= {*path}
        left = [leg for leg in left if (0, *leg[1:]) not in reached and (1, *leg[1:]) not in reached]
    return paths


def _ends(legs: Sequence[Node]) -> set[Node]:
    return {(side, *leg[1:]) for leg in legs for side in (0, 1)}


def _search(starts: set[Node], goals: set[Node], steps: Costs, holes: Costs) -> Path:
    cost, prices, through = dict.fromkeys(starts, 0.0), steps.tolist(), holes.tolist()
    came: dict[Node, Node] = {}
    queue = [(0.0, node) for node in sorted(starts)]
    while queue:
        so_far, node = heappop(queue)
        if node in goals:
            return _walk_back(node, came)
        if so_far > cost[node]:
            continue
        for further, price in _neighbours(node, prices, through):
            total = so_far + price
            if total < cost.get(further, np.inf):
                cost[further], came[further] = total, node
                heappush(queue, (total, further))
    raise RuntimeError("walled in")


def _neighbours(
    node: Node, prices: list[list[list[float]]], through: list[list[float]]
) -> Iterator[tuple[Node, float]]:
    side, row, column = node
    for up, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        there = side, row + up, column + across
        if 0 <= there[1] < ROWS and 0 <= there[2] < COLUMNS:
            yield there, prices[side][there[1]][there[2]] + (ASKEW if bool(up) == (side == 0) else 0.0)
    yield (1 - side, row, column), through[row][column]


def _walk_back(node: Node, came: Mapping[Node, Node]) -> Path:
    path = [node]
    while path[-1] in came:
        path.append(came[path[-1]])
    return path[::-1]


# obstacles


def _free(net: str, width: float, *, hole: bool = False) -> Costs:
    """Return 0 where a net is allowed, and infinity at the edge, at screws and at pads of other nets."""
    closed = np.zeros((ROWS, COLUMNS), bool)
    rim = WIDTHS.edge + width / 2
    y, x = np.mgrid[:ROWS, :COLUMNS] * GRID
    closed |= (x < rim) | (y < rim) | (x > SIZE[0] - rim) | (y > SIZE[1] - rim)
    for at in HOLES:
        closed |= np.hypot(x - at[0], y - at[1]) < (WIDTHS.screw_head + width) / 2 + WIDTHS.clearance - 1e-6
    for pad in pads():
        if pad.net != net or hole:
            apart = (pad.size + width) / 2 + WIDTHS.clearance - 1e-6
            closed |= np.hypot(x - pad.at[0], y - pad.at[1]) < apart
    return np.where(np.stack((closed, closed)), np.inf, 0.0)


def _spread(nets: Mapping[str, list[Path]], width: float) -> Costs:
    found = np.zeros((2, ROWS, COLUMNS))
    for own in sorted({net_width(net) for net in nets}):
        tracks, vias = np.zeros((2, ROWS, COLUMNS), np.uint8), np.zeros((2, ROWS, COLUMNS), np.uint8)
        for net, paths in nets.items():
            if net_width(net) == own:
                _mark(paths, tracks, vias)
        for side in (0, 1):
            found[side] += _grow(tracks[side], own + width) + _grow(vias[side], WIDTHS.via + width)
    return found


def _mark(paths: Sequence[Path], tracks: Cells, vias: Cells) -> None:
    for path in paths:
        for node in path:
            tracks[node] = 1
        for row, column in via_places(path):
            vias[:, row, column] = 1


def _grow(cells: Cells, widths: float) -> Cells:
    reach = (widths / 2 + WIDTHS.clearance - 1e-6) / GRID
    most = int(reach)
    kernel = (np.hypot(*np.mgrid[-most : most + 1, -most : most + 1]) <= reach).astype(np.uint8)
    return np.asarray(cv2.dilate(cells, kernel), np.uint8)


def _meetings(net: str, paths: list[Path], others: Mapping[str, list[Path]]) -> NDArray[np.bool_]:
    tracks, vias = np.zeros((2, ROWS, COLUMNS), np.uint8), np.zeros((2, ROWS, COLUMNS), np.uint8)
    _mark(paths, tracks, vias)
    near, holes = _spread(others, net_width(net)), _spread(others, WIDTHS.via)
    return np.asarray((near * tracks > 0) | (holes * vias > 0))


def via_places(path: Path) -> list[tuple[int, int]]:
    return [one[1:] for one, other in pairwise(path) if one[0] != other[0]]


# output


def written(laid: Mapping[str, list[Path]]) -> str:
    """Write tracks.toml: corners, chamfered by half a cell, and vias."""
    blocks = [
        "# Generated by `python -m tests.hardware.board.design`, in millimetres: corners per side, and vias."
    ]
    for net, paths in sorted(laid.items()):
        joints = {node[1:] for path in paths for node in (path[0], path[-1])}
        lines = [line for path in paths for line in _pieces(path, joints)]
        vias = sorted({place for path in paths for place in via_places(path)})
        told = {
            "top": [line for side, line in lines if side == 0],
            "low": [line for side, line in lines if side],
        }
        blocks.append(
            "\n".join([f'["{net}"]', *(f"{side} = {_told(each)}" for side, each in told.items() if each)])
        )
        if vias:
            blocks[-1] += f"\nvias = {_told([_at(column, row) for row, column in vias])}"
    return "\n\n".join(blocks) + "\n"


def _told(points: Sequence[object]) -> str:
    return str(points).replace("(", "[").replace(")", "]")


def _at(column: float, row: float) -> Point:
    return round(column * GRID, 4), round(row * GRID, 4)


def _pieces(path: Path, joints: set[tuple[int, int]]) -> Iterator[tuple[int, list[Point]]]:
    """Split a path where it changes sides; chamfer its corners, except at joints."""
    start = 0
    for place in range(1, len(path) + 1):
        if place == len(path) or path[place][0] != path[start][0]:
            if place - start > 1:
                yield path[start][0], list(_corners([node[1:] for node in path[start:place]], joints))
            start = place


def _corners(cells: Sequence[tuple[int, int]], joints: set[tuple[int, int]]) -> Iterator[Point]:
    yield _at(cells[0][1], cells[0][0])
    for before, (row, column), after in zip(cells, cells[1:], cells[2:], strict=False):
        if after[0] - row == row - before[0]:
            continue
        if (row, column) in joints:
            yield _at(column, row)
        else:
            yield from (_at((column + near[1]) / 2, (row + near[0]) / 2) for near in (before, after))
    yield _at(cells[-1][1], cells[-1][0])

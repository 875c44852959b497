"""The PCB's fab files match the netlist, and follow the design rules of fabs."""

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import dist
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from hardware.board.board import our_boards
from hardware.board.fab import copper
from hardware.board.fab.components import FAB, FabPart, fab_parts
from hardware.board.fab.copper import Nets, routed
from hardware.board.fab.files import fab_files, fab_zip
from hardware.board.fab.layout import SIZE, body, pads
from hardware.board.netlist import devices
from hardware.board.parts import parts
from hardware.case.pieces import sources
from tests.hardware.board.fab_reading import (
    Hole,
    Labels,
    Plotter,
    Point,
    joined,
    near_faults,
    net_faults,
    read_holes,
)

BOARDS = our_boards()
LAYERS = ("coyote-F_Cu.gtl", "coyote-B_Cu.gbl")
APART, NARROWEST, LAMPS_NARROWEST, RING_OF_COPPER, HOLES_APART = 0.2, 0.2, 0.5, 0.2, 0.4
"""Design rules of fabs in mm: clearance, track, LED track, annular ring, distance of holes."""
PLACES: Mapping[Point, str] = {pad.at: pad.net or f"{pad.part},{pad.leg}" for pad in pads()}
"""The expected net at each pad; an unconnected pad has its own net."""


@cache
def files() -> Mapping[str, str]:
    return fab_files()


def faults(read: Mapping[str, str]) -> list[str]:
    plotters = [Plotter(SIZE) for _layer in LAYERS]
    layers = [plotter.read(read[name]) for plotter, name in zip(plotters, LAYERS, strict=True)]
    return [
        *copper_faults(joined(layers, read_holes(read["coyote-PTH.drl"]))[0]),
        *(fault for plotter in plotters for fault in narrow_faults(plotter)),
        *hole_faults(read_holes(read["coyote-PTH.drl"]), read_holes(read["coyote-NPTH.drl"])),
    ]


def copper_faults(labels: list[Labels]) -> Iterator[str]:
    for layer in labels:
        yield from net_faults(layer, PLACES)
        yield from near_faults(layer, PLACES, APART)


def narrow_faults(plotter: Plotter) -> Iterator[str]:
    for net, width in plotter.widths:
        lights = {"green", "red", "attention", "5V", "3V3"} & set(net.split("_"))
        if width < (LAMPS_NARROWEST if lights else NARROWEST):
            yield f"{net} is {width} mm wide"


def hole_faults(plated: tuple[Hole, ...], others: tuple[Hole, ...]) -> Iterator[str]:
    sizes = {pad.at: pad.size for pad in pads()}
    for hole in plated:
        if sizes.get(hole.at, copper.WIDTHS.via) - hole.size < 2 * RING_OF_COPPER - 1e-9:
            yield f"little copper around {hole.at}"
    for one, other in combinations((*plated, *others), 2):
        if dist(one.at, other.at) < (one.size + other.size) / 2 + HOLES_APART:
            yield f"holes meet at {one.at}"


def test_gerber_files_match_the_netlist_and_fab_rules() -> None:
    assert faults(files()) == []


def _changed(net: str, **changes: object) -> Nets:
    return {**routed(), net: replace(routed()[net], **changes)}


@pytest.mark.parametrize(
    ("nets", "told"),
    [
        (_changed("GPIO17", top=(), low=(), vias=()), "GPIO17 is open"),
        (_changed("GPIO17", low=(((30.0, 8.0), (60.0, 8.0)),)), "are joined"),
        # beside the first terminal of seat 1
        (_changed("GPIO17", low=(((3.89, 68.0), (3.89, 71.0)),)), "too near"),
        (_changed("GPIO17", vias=((20.0, 30.0), (20.3, 30.0))), "holes meet"),
    ],
)
def test_injected_fault_is_found(nets: Nets, told: str) -> None:
    assert any(told in fault for fault in faults(fab_files(nets))), faults(fab_files(nets))


def test_narrow_led_track_is_found() -> None:
    read = {name: text.replace("C,0.500*", "C,0.400*") for name, text in files().items()}
    assert "seat_1_green is 0.4 mm wide" in faults(read)


# ordered and soldered parts


def test_soldered_parts_cover_the_netlist() -> None:
    bought = {(part.key, part.value): part.count for part in parts(BOARDS[FAB])}
    ends = [end for device in devices(BOARDS[FAB]) for end in device.terminals]
    lines = sum(end.ohms == 1330 for end in ends)
    assert (bought["resistor", "1000 Ω"], bought["resistor", "10000 Ω"]) == (lines + 1, 1)
    contacts = sum(bool(end.pull) for end in ends if end.ohms)
    assert (bought["resistor", "3300 Ω"], bought["fuse", "0.2 A"]) == (contacts, 1) == (9, 1)
    assert bought["resistor", "330 Ω"] == lines + 1
    soldered = [part for part in fab_parts() if part.kind.startswith("dip")]
    assert bought["array", ""] == sum(part.value == "SP720" for part in soldered)
    assert bought["capacitor", "100 nF"] == len(soldered)


def test_fab_zip_is_complete_and_reproducible() -> None:
    assert fab_zip() == fab_zip()
    with ZipFile(io.BytesIO(fab_zip())) as archive:
        read = {name: archive.read(name).decode() for name in archive.namelist()}
    assert read == files()
    assert all("FileFunction" in text for name, text in read.items() if not name.endswith(".csv"))


def test_outline_is_closed_and_encloses_all_parts() -> None:
    outline = Plotter(SIZE)
    outline.read(files()["coyote-Edge_Cuts.gm1"])
    assert outline.corners[0] == outline.corners[-1]
    assert (min(outline.corners), max(outline.corners)) == ((0, 0), SIZE)
    assert max(SIZE) <= 100
    for hole in (*read_holes(files()["coyote-PTH.drl"]), *read_holes(files()["coyote-NPTH.drl"])):
        assert all(1 < each < side - 1 for each, side in zip(hole.at, SIZE, strict=True))


def _box(part: FabPart) -> tuple[float, float, float, float]:
    (left, low), (right, top) = body(part)
    return min(left, right), min(low, top), max(left, right), max(low, top)


def test_parts_do_not_overlap() -> None:
    for one, other in combinations(map(_box, fab_parts()), 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def _scad(what: str) -> list[Point]:
    (told,) = re.findall(rf"^{what} = (.*?);", sources()["pi_box.scad"].decode(), re.MULTILINE)
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+), ([\d.]+)", told)]


def test_case_posts_match_holes_and_the_board_clears_the_pi() -> None:
    """From the Pi's drawing: its first pin, and the start of its network and USB sockets, 16 mm high."""
    ((pi_x, pi_y),), ((x, y),) = _scad("pi_at"), _scad("board_at")
    (first,) = [pad.at for pad in pads() if (pad.part, pad.leg) == ("J1", 1)]
    assert (x + first[0], y + first[1]) == pytest.approx((pi_x + 8.37, pi_y + 51.23), abs=0.02)
    posts = [(pi_x + at[0], pi_y + at[1]) for at in _scad("pi_holes")]
    posts += [(x + at[0], y + at[1]) for at in _scad("board_holes")]
    for hole in copper.HOLES:
        assert min(dist((x + hole[0], y + hole[1]), post) for post in posts) < 0.05
    assert x + SIZE[0] < pi_x + 65
    (inside,) = re.findall(r"inside = \[(\d+), (\d+)", sources()["pi_box.scad"].decode())
    assert y + SIZE[1] + 10 < float(inside[1]), "cables are bent there"

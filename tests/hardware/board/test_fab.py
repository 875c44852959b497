"""The PCB's fab files match the netlist, and follow the design rules of fabs."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import dist
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from hardware.board.board import HEADER, PIN_MILLIAMPS, our_boards
from hardware.board.fab import copper
from hardware.board.fab.components import LEDS, RING, FabPart, fab_parts
from hardware.board.fab.copper import Nets, routed
from hardware.board.fab.files import fab_files, fab_zip
from hardware.board.fab.ink import ink
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


# the netlist, pad by pad


def _ways(net: str) -> dict[str, int]:
    """Follow resistors from a net; return the reached nets and their resistance in ohms."""
    found, new = {net: 0}, [net]
    while new:
        here = new.pop()
        for part in fab_parts():
            if part.kind == "resistor" and here in part.nets and not {"3V3", "GND"} & {*part.nets}:
                (there,) = {*part.nets} - {here}
                if there not in found:
                    found[there] = found[here] + int(part.value.split()[0])
                    new.append(there)
    return found


def _pole(kind: str, number: int | None, what: str) -> str:
    told = kind if number is None else f"seat {number + 1}"
    (terminal,) = [part for part in fab_parts() if (part.kind, part.value) == ("terminal", told)]
    (net,) = [net for net in terminal.nets if net == what or net == f"seat {(number or 0) + 1} {what}"]
    return net


@pytest.mark.parametrize("profile", [LEDS, RING])
def test_nets_run_from_pin_through_resistors_to_terminal(profile: str) -> None:
    socket = fab_parts()[0].nets
    arrays = [part for part in fab_parts() if part.value == "SP720"]
    for device in devices(BOARDS[profile]):
        for end in device.terminals:
            if end.gpio is None or device.kind in {"register", "shifter", "selects", "buzzer"}:
                continue
            (pin,) = [net for pin, net in zip(HEADER, socket, strict=True) if pin.gpio == end.gpio]
            pole = _pole(device.kind, device.number, end.what)
            assert _ways(pin)[pole] == end.ohms
            if end.what != "attention":
                # the array is between the resistors, nearer to the pin than any cable
                (clamped,) = [net for net, ohms in _ways(pin).items() if 0 < ohms < end.ohms]
                assert sum(clamped in array.nets for array in arrays) == 1
                assert _ways(pin)[clamped] == BOARDS[profile].ohms.pin


def legs(name: str) -> list[dict[int, str]]:
    found = [dict(enumerate(part.nets, 1)) for part in fab_parts() if part.value == name]
    return [{leg: net for leg, net in chip.items() if net} for chip in found]


def test_chip_wiring_matches_the_data_sheets() -> None:
    first, second = legs("74HC595")
    shared = {8: "GND", 10: "3V3", 11: "GPIO20", 12: "GPIO21", 13: "GPIO21", 16: "3V3"}
    assert shared.items() <= first.items() & second.items()
    assert (first[14], first[9]) == ("GPIO16", second[14])
    driven = [first[leg] for leg in (15, *range(1, 8))] + [second[leg] for leg in (15, *range(1, 4))]
    assert driven == [f"seat {seat} {colour} driven" for seat in range(1, 7) for colour in ("green", "red")]
    assert all(_ways(net) == {net: 0, net.removesuffix(" driven"): 470} for net in driven)
    lines, lamps = legs("SP720")
    for array in (lines, lamps):
        assert (array.pop(8), array.pop(16)) == ("GND", "3V3")
    assert {*lamps.values()} == {*driven}
    (shifter,) = legs("74AHCT125")
    assert _ways(shifter.pop(3))["ring data"] == 330
    shifted = {1: "GPIO8", 2: "GPIO10", 5: "GPIO10", 9: "GPIO11", 12: "GPIO7"}
    shifted |= {6: "digits data", 8: "digits clock", 11: "digits select"}
    assert shifter == shifted | dict.fromkeys((4, 7, 10, 13), "GND") | {14: "5V"}


def test_5_volts_reach_no_3_volt_pin() -> None:
    at_5v = {part.name[0] + part.value for part in fab_parts() if "5V" in part.nets}
    terminals = {"J2 x 20", "Jbuzzer", "Jring", "Jdigits"}
    assert at_5v == terminals | {"D1N4148", "U74AHCT125", "C100 nF", "C1000 µF, 6.3 V"}


def test_4_kv_discharge_stays_within_the_pin_limit() -> None:
    """By its data sheet an array has 1.1 V and 1 Ω to the rail; the pin's own diode behind it has 0.6 V."""
    ohms = BOARDS[LEDS].ohms
    amperes = 4000 / (330 + ohms.line)
    assert 1000 * (1.1 + amperes * 1.0 - 0.6) / ohms.pin < PIN_MILLIAMPS


def test_gpio3_is_unused_because_it_wakes_a_pi() -> None:
    for profile in (LEDS, RING):
        assert not {2, 3} & {end.gpio for device in devices(BOARDS[profile]) for end in device.terminals}


# ordered and soldered parts


@pytest.mark.parametrize("profile", [LEDS, RING])
def test_soldered_parts_cover_the_netlist(profile: str) -> None:
    bought = {(part.key, part.value): part.count for part in parts(BOARDS[profile])}
    ends = [end for device in devices(BOARDS[profile]) for end in device.terminals]
    lines = sum(end.ohms == 1330 for end in ends)
    assert (bought["resistor", "1000 Ω"], bought["resistor", "10000 Ω"]) == (lines + 1, 1)
    assert bought["resistor", "330 Ω"] == lines + 1 + (profile == RING)
    either = {key for key, _value in bought} & {"register", "shifter", "pair", "ring led"}
    assert either == ({"register", "pair"} if profile == LEDS else {"shifter", "ring led"})
    soldered = [part for part in fab_parts(profile) if part.kind.startswith("dip")]
    assert bought["array", ""] == sum(part.value == "SP720" for part in soldered)
    assert bought["capacitor", "100 nF"] == len(soldered)


def test_fab_zip_is_complete_and_reproducible() -> None:
    assert fab_zip() == fab_zip()
    with ZipFile(io.BytesIO(fab_zip())) as archive:
        read = {name: archive.read(name).decode() for name in archive.namelist()}
    assert read == files()
    assert all("FileFunction" in text for name, text in read.items() if not name.endswith(".csv"))


@pytest.mark.parametrize("profile", [LEDS, RING])
def test_lists_of_a_profile_have_its_parts(profile: str) -> None:
    """Designators are separated by commas; each profile has its own lists."""
    rows = [*csv.DictReader(files()[f"parts-{profile}.csv"].splitlines())]
    there = [name for row in rows for name in row["Designator"].split(",")]
    positions = csv.DictReader(files()[f"positions-{profile}.csv"].splitlines())
    placed = sorted(row["Designator"] for row in positions)
    assert placed == sorted(there) == sorted(part.name for part in fab_parts(profile))


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


def test_silkscreen_text_avoids_pads() -> None:
    letters = [point for mark in ink() if not mark.size for point in mark.points]
    assert [pad for pad in pads() for point in letters if dist(pad.at, point) < pad.size / 2 + 0.1] == []


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

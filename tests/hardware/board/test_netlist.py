"""The fabricated board follows its profile: KiCad file, exports, lists, guides and case."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from math import dist
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware.cli.wiring import checklist, document, shopping_list
from hardware.board.board import COLOURS, FAB, PIN_OF, Board, our_boards
from hardware.board.fabrication import PROJECT, SIZE, VERSION, fab_zip, parts_rows, project_files
from hardware.board.lamps import register_leg
from hardware.board.netlist import chain, devices
from hardware.board.parts import parts
from hardware.case.pieces import sources
from tests.hardware.board.kicad_board import Pcb, PcbPart, Point, read_pcb

BOARDS = our_boards()
BOARD = BOARDS[FAB]
TEXT = (PROJECT / "coyote.kicad_pcb").read_text(encoding="utf-8")
PCB = read_pcb(TEXT)
DOCS = Path(__file__).parents[3] / "docs"
RAILS = {"3V3", "5V", "GND"}
POLES = {
    **{
        f"J{seat + 1}": [*(f"seat {seat} {what}" for what in ("call", "green", "red")), "GND"]
        for seat in range(1, 7)
    },
    "J8": ["dial a", "dial b", "dial push", "3V3 out", "GND"],
    "J9": ["display clock", "display data", "3V3 out", "GND"],
    "J10": ["attention", "GND"],
    "J11": ["5V", "buzzer minus"],
}
"""The net of each pole of the terminals, in the pin order of common modules."""


def ohms(part: PcbPart) -> int:
    """Return a resistor's value, printed as 330, 1k or 3k3."""
    thousands, k, hundreds = part.value.partition("k")
    return int(thousands) * (1000 if k else 1) + int(hundreds or 0) * 100


def ways(pcb: Pcb, net: str) -> dict[str, int]:
    """Follow resistors from a net; return the reached nets and their resistance in ohms."""
    found, new = {net: 0}, [net]
    while new:
        here = new.pop()
        for part in pcb.parts.values():
            if part.name[0] == "R" and here in part.nets and not RAILS & {*part.nets}:
                (there,) = {*part.nets} - {here}
                if there not in found:
                    found[there] = found[here] + ohms(part)
                    new.append(there)
    return found


def legs(pcb: Pcb, name: str) -> dict[int, str]:
    return {int(pad.leg): pad.net for pad in pcb.parts[name].pads if pad.net}


def net_faults(pcb: Pcb, board: Board) -> Iterator[str]:
    """Yield differences between a KiCad file and a profile: pins, resistors, chips and poles."""
    socket = legs(pcb, "J1")
    uses = {
        PIN_OF[end.gpio].number: (
            f"seat {device.number + 1} {end.what}" if device.number is not None else end.what,
            end,
        )
        for device in devices(board)
        for end in device.terminals
    }
    wired = {pin for pin, net in socket.items() if net not in RAILS}
    yield from (f"pin {pin} is wired or used alone" for pin in sorted(wired ^ uses.keys()))
    yield from (
        f"{name}: {legs(pcb, name)}" for name, nets in POLES.items() if [*legs(pcb, name).values()] != nets
    )
    registers = [legs(pcb, name) for name in ("U2", "U3")]
    arrays = [legs(pcb, name) for name in ("U1", "U4")]
    for pin in sorted(wired & uses.keys()):
        net, (what, end) = socket[pin], uses[pin]
        match what.split():
            case ["register", "data"]:
                is_right = registers[0][14] == net and registers[0][9] == registers[1][14]
            case ["register", "clock"]:
                is_right = all(register[11] == net for register in registers)
            case ["register", "latch"]:
                # OE shares the latch's pin; a pull-up keeps the lamps dark
                is_right = all(register[12] == register[13] == net for register in registers) and any(
                    {*part.nets} == {net, "3V3"} and ohms(part) == end.pull for part in pcb.parts.values()
                )
            case ["buzzer"]:
                is_right = ways(pcb, net) == {net: 0, "buzzer base": end.ohms}
            case ["attention"]:
                is_right = ways(pcb, net) == {net: 0, what: end.ohms}
            case _:
                # the array is between the resistors, nearer to the pin than any cable
                clamped = f"{what} clamp"
                is_right = ways(pcb, net) == {net: 0, clamped: board.ohms.pin, what: end.ohms}
                is_right &= sum(clamped in array.values() for array in arrays) == 1
        if not is_right:
            yield f"pin {pin} isn't wired to {what}"
    for place, (seat, colour) in enumerate(chain(board)):
        chip, leg = register_leg(place)
        lamp, driven = f"seat {seat + 1} {colour}", registers[chip - 1].get(leg, "")
        reached = {driven: 0, lamp: getattr(board.ohms, colour)}
        if ways(pcb, driven) != reached or sum(driven in array.values() for array in arrays) != 1:
            yield f"{lamp} isn't at leg {leg} of register {chip}"


def test_nets_of_the_kicad_board_follow_the_pins() -> None:
    assert [*net_faults(PCB, BOARD)] == []


def test_chips_are_supplied_and_decoupled() -> None:
    for name in ("U1", "U2", "U3", "U4"):
        assert (legs(PCB, name)[8], legs(PCB, name)[16]) == ("GND", "3V3")
    assert all(legs(PCB, name)[10] == "3V3" for name in ("U2", "U3"))
    assert [PCB.parts[f"C{number}"].nets for number in range(1, 5)] == 4 * [("3V3", "GND")]
    lamps = {net for leg, net in legs(PCB, "U4").items() if leg not in {8, 16}}
    assert lamps == {f"seat {seat} {colour} drive" for seat in range(1, 7) for colour in COLOURS}


def test_5_volts_reach_no_3_volt_pin() -> None:
    assert {part.name for part in PCB.parts.values() if "5V" in part.nets} == {"J1", "J11", "D1"}
    assert legs(PCB, "Q1") == {1: "buzzer minus", 2: "buzzer base", 3: "GND"}
    assert legs(PCB, "D1") == {1: "5V", 2: "buzzer minus"}


def test_3v3_leaves_the_board_only_behind_the_fuse() -> None:
    leaving = {net for name in POLES for net in PCB.parts[name].nets if "3V3" in net}
    assert leaving == {"3V3 out"}
    assert (PCB.parts["F1"].nets, PCB.parts["F1"].value) == (("3V3", "3V3 out"), "0.2A")
    assert {part.name for part in PCB.parts.values() if "3V3 out" in part.nets} == {"J8", "J9", "F1"}


# exports, lists, guides and the case


def test_exports_are_of_this_board() -> None:
    """After a change, `export.sh` checks the board with KiCad and exports it."""
    lines = (PROJECT / "exported.sha256").read_text(encoding="utf-8").splitlines()
    sums = {name: told for told, name in map(str.split, lines)}
    assert sums == {name: sha256((PROJECT / name).read_bytes()).hexdigest() for name in sums}, "run export.sh"
    assert sums.keys() == {f"coyote.kicad_{kind}" for kind in ("pro", "dru", "sch", "pcb")}


def test_fab_zip_is_complete_and_reproducible() -> None:
    assert fab_zip() == fab_zip()
    with ZipFile(io.BytesIO(fab_zip())) as archive:
        read = {name: archive.read(name).decode() for name in archive.namelist()}
    layers = {
        "F_Cu.gtl",
        "B_Cu.gbl",
        "F_Mask.gts",
        "B_Mask.gbs",
        "F_Silkscreen.gto",
        "B_Silkscreen.gbo",
        "Edge_Cuts.gm1",
    }
    drilled = {"PTH.drl", "NPTH.drl", "job.gbrjob"}
    assert read.keys() == {f"coyote-{name}" for name in layers | drilled} | {
        "parts-fab.csv",
        "positions-fab.csv",
    }
    assert all(f",{VERSION}*%" in read[f"coyote-{name}"] for name in layers)
    # holes as on the board: pads, and vias of 0.4 mm
    places = {
        (float(x), float(y))
        for x, y in re.findall(r"^X([-\d.]+)Y([-\d.]+)$", read["coyote-PTH.drl"], re.MULTILINE)
    }
    pads = {pad.at for part in PCB.parts.values() for pad in part.pads}
    assert all(min(dist(pad, place) for place in places) < 0.01 for pad in pads)
    assert project_files().keys() > {"coyote.pdf", "coyote.step", "coyote.jpg", "fab/parts-fab.csv"}


def test_lists_guides_and_case_agree_with_the_board() -> None:
    rows = {name: row for row in parts_rows() for name in row["Designator"].split(",")}
    assert rows.keys() == PCB.parts.keys() | {"PCB1"}
    assert all(rows[name]["Value"] == part.value for name, part in PCB.parts.items())
    assert all(row["Mouser"] and row["Manufacturer part"] for name, row in rows.items() if name != "PCB1")
    assert (PCB.version, "{:g} x {:g} mm".format(*PCB.size)) == (VERSION, SIZE)
    bought = Counter({(part.key, part.value): part.count for part in parts(BOARD)})
    assert (bought["fab board", VERSION], bought["resistor", "3k3"], bought["register", "74HC595"]) == (1, 9, 2)
    shown = shopping_list(BOARD, FAB)
    assert all(row["Manufacturer part"] in shown for row in rows.values())

    guide = (DOCS / "build.md").read_text(encoding="utf-8")
    assert f"**version {VERSION}**" in guide
    assert "{:.0f} x {:.0f} mm".format(*PCB.size) in guide
    plugged = document(BOARDS["two"], "two")
    for pin, hole in re.findall(r"header pin (\d+)[^,;]*? to hole (\w+)", plugged):
        assert re.search(rf"\*\*{pin}\*\* to (?:hole )?{hole}\b", guide), (pin, hole)

    # the case: from the Pi's drawing, its first pin, and the start of its network and USB sockets, 16 mm high
    ((pi_x, pi_y),), ((x, y),) = _scad("pi_at"), _scad("board_at")
    first_pin = PCB.parts["J1"].pads[0].at
    assert (x + first_pin[0], y + first_pin[1]) == pytest.approx((pi_x + 8.37, pi_y + 51.23), abs=0.02)
    posts = [(pi_x + at[0], pi_y + at[1]) for at in _scad("pi_holes")]
    posts += [(x + at[0], y + at[1]) for at in _scad("board_holes")]
    assert len(PCB.holes) == 4
    for hole in PCB.holes:
        assert min(dist((x + hole[0], y + hole[1]), post) for post in posts) < 0.05
    assert x + PCB.size[0] < pi_x + 65
    (inside,) = re.findall(r"inside = \[(\d+), (\d+)", sources()["pi_box.scad"].decode())
    assert y + PCB.size[1] + 10 < float(inside[1]), "cables are bent there"


def _scad(what: str) -> list[Point]:
    (told,) = re.findall(rf"^{what} = (.*?);", sources()["pi_box.scad"].decode(), re.MULTILINE)
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+), ([\d.]+)", told)]


def test_checklist_agrees_with_nets_and_print() -> None:
    """Each step names a header pin, a printed pole and the resistance between them."""
    told = re.findall(
        r"(.+): on ohms header pin (\d+) to its pole “(.+)”: (\d+) Ω", "\n".join(checklist(BOARD))
    )
    names = {f"seat {seat}": f"J{seat + 1}" for seat in range(1, 7)}
    names |= {"dial": "J8", "display": "J9", "attention lamp": "J10"}
    socket = legs(PCB, "J1")
    for device, pin, pole, ohms_told in told:
        reached = ways(PCB, socket[int(pin)])
        (here,) = (pad.at for pad in PCB.parts[names[device]].pads if reached.get(pad.net) == int(ohms_told))
        assert min(PCB.texts, key=lambda text: dist(text[1], here))[0] == pole
    ends = [end for device in devices(BOARD) for end in device.terminals]
    assert len(told) == sum(end.ohms > 0 and end.what not in {"green", "red", "buzzer"} for end in ends)

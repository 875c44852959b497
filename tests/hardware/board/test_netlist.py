"""The fabricated board's netlist follows its profiles, and its drawing, lists and checklist agree with it."""

import csv
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from math import dist

from firmware.cli.wiring import checklist
from hardware.board.board import HEADER, PIN_MILLIAMPS, our_boards
from hardware.board.drawings import GOLD, MARGIN
from hardware.board.fab.components import FAB, VERSION, fab_parts
from hardware.board.fab.files import fab_files
from hardware.board.fab.ink import labels
from hardware.board.fab.layout import SIZE, at, pads
from hardware.board.netlist import devices
from hardware.board.parts import bought, parts
from tests.hardware.board.design import PICTURES
from tests.hardware.board.fab_reading import Point

BOARDS = our_boards()


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


def test_nets_run_from_pin_through_resistors_to_terminal() -> None:
    socket = fab_parts()[0].nets
    arrays = [part for part in fab_parts() if part.value == "SP720"]
    for device in devices(BOARDS[FAB]):
        for end in device.terminals:
            if end.gpio is None or device.kind in {"register", "buzzer"}:
                continue
            (pin,) = [net for pin, net in zip(HEADER, socket, strict=True) if pin.gpio == end.gpio]
            pole = _pole(device.kind, device.number, end.what)
            assert _ways(pin)[pole] == end.ohms
            if end.what != "attention":
                # the array is between the resistors, nearer to the pin than any cable
                (clamped,) = [net for net, ohms in _ways(pin).items() if 0 < ohms < end.ohms]
                assert sum(clamped in array.nets for array in arrays) == 1
                assert _ways(pin)[clamped] == BOARDS[FAB].ohms.pin


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


def test_5_volts_reach_no_3_volt_pin() -> None:
    at_5v = {part.name[0] + part.value for part in fab_parts() if "5V" in part.nets}
    assert at_5v == {"J2 x 20", "Jbuzzer", "D1N4148"}


def test_4_kv_discharge_stays_within_the_pin_limit() -> None:
    """By its data sheet an array has 1.1 V and 1 Ω to the rail; the pin's own diode behind it has 0.6 V."""
    ohms = BOARDS[FAB].ohms
    amperes = 4000 / (330 + ohms.line)
    assert 1000 * (1.1 + amperes * 1.0 - 0.6) / ohms.pin < PIN_MILLIAMPS


def test_gpio3_is_unused_because_it_wakes_a_pi() -> None:
    assert not {2, 3} & {end.gpio for device in devices(BOARDS[FAB]) for end in device.terminals}


def test_contacts_are_pulled_up_outside_both_resistors() -> None:
    """A pull-up at the pin would leave 0.95 V there during a press."""
    pulled = {part.nets[1] for part in fab_parts() if part.value == "3300 Ω" and part.nets[0] == "3V3"}
    assert pulled == {f"seat {seat} call" for seat in range(1, 7)} | {"dial a", "dial b", "dial push"}
    terminals = {net for part in fab_parts() if part.kind == "terminal" for net in part.nets}
    assert pulled <= terminals


def test_3v3_leaves_the_board_only_behind_the_fuse() -> None:
    leaving = {net for part in fab_parts() if part.kind == "terminal" for net in part.nets if "3V3" in net}
    assert leaving == {"3V3 out"}
    (fuse,) = [part for part in fab_parts() if part.kind == "fuse"]
    assert (fuse.nets, fuse.value) == (("3V3", "3V3 out"), "0.2 A")
    assert {part.kind for part in fab_parts() if "3V3 out" in part.nets} == {"terminal", "fuse"}


def test_version_is_on_the_board_in_its_files_and_in_the_guide() -> None:
    assert labels()[0].words == f"Coyote Table {VERSION}"
    layers = [text for name, text in fab_files().items() if name.startswith("coyote-") and "drl" not in name]
    assert all(re.search(rf"ProjectId,Coyote Table,[-\w]+,{VERSION}\*", text) for text in layers)
    assert f"**version {VERSION}**" in (PICTURES.parent / "build.md").read_text(encoding="utf-8")


def test_parts_of_board_1_0_keep_their_designators() -> None:
    """A board of 1.0 is soldered by today's lists: it only lacks the parts that come last."""
    names = [part.name for part in fab_parts() if part.kind in {"resistor", "fuse"}]
    assert names == [*(f"R{number}" for number in range(1, 47)), "F1"]
    since = {part.name for part in fab_parts() if part.value in {"3300 Ω", "0.2 A"}}
    assert since == {*(f"R{number}" for number in range(38, 47)), "F1"}


# drawing, silkscreen, lists and checklist


def test_lists_in_the_zip_agree_with_the_netlist() -> None:
    """Designators are separated by commas."""
    rows = [*csv.DictReader(fab_files()["parts-fab.csv"].splitlines())]
    named = {name: row for row in rows for name in row["Designator"].split(",")}
    assert sorted(named) == sorted(part.name for part in fab_parts())
    assert all(int(row["Quantity"]) == len(row["Designator"].split(",")) for row in rows)
    positions = csv.DictReader(fab_files()["positions-fab.csv"].splitlines())
    assert sorted(row["Designator"] for row in positions) == sorted(named)
    for part in fab_parts():
        if part.kind != "terminal":
            assert named[part.name]["Value"] == part.value
    # the shopping list has as many of each
    shopping = {(part.key, part.value): part.count for part in parts(BOARDS[FAB])}
    counts = Counter((bought(part).key, bought(part).value) for part in fab_parts())
    assert counts.items() <= shopping.items()
    assert shopping["fab board", VERSION] == 1


def test_zip_has_a_parts_list_and_positions() -> None:
    lists = {name for name in fab_files() if name.endswith(".csv")}
    assert lists == {"parts-fab.csv", "positions-fab.csv"}


def test_drawing_has_a_pad_at_each_leg_of_the_netlist() -> None:
    drawn = sorted(_gold(PICTURES.joinpath("board-fab.svg").read_text(encoding="utf-8")))
    assert len(drawn) == len(pads()) == sum(len(part.nets) for part in fab_parts())
    # a drawing's coordinates have one decimal
    assert all(min(dist(pad.at, disc) for disc in drawn) < 0.1 for pad in pads())


def _gold(svg: str) -> Iterator[Point]:
    """Yield the positions of golden discs, in board coordinates."""
    for element in ET.fromstring(svg).iter():  # noqa: S314 - our own drawing
        if element.get("stroke") == GOLD:
            (x, y), _end = re.findall(r"([-\d.]+) ([-\d.]+)", element.get("d", ""))
            yield float(x) - MARGIN, SIZE[1] - float(y) + MARGIN


def test_silkscreen_names_each_part_and_value() -> None:
    printed = [label.words for label in labels()]
    for part in fab_parts():
        if part.kind == "terminal":
            assert part.value.removeprefix("seat ") in printed
        elif part.kind != "socket":
            (name,) = [words for words in printed if words.split()[0] == part.name]
            if part.kind == "resistor":
                ohms = int(part.value.split()[0])
                assert name.split()[1] == {1000: "1k", 3300: "3k3", 10_000: "10k"}.get(ohms, str(ohms))


def test_checklist_agrees_with_netlist_and_silkscreen() -> None:
    """Each step names a header pin, a printed pole and the resistance between them."""
    told = re.findall(
        r"(.+): on ohms header pin (\d+) to its pole “(.+)”: (\d+) Ω", "\n".join(checklist(BOARDS[FAB]))
    )
    reached = {f"seat {number}": f"seat {number}" for number in range(1, 7)} | {"attention lamp": "attention"}
    for device, pin, pole, ohms in told:
        (terminal,) = [part for part in fab_parts() if part.value == reached.get(device, device)]
        ways = _ways(fab_parts()[0].nets[int(pin) - 1])
        (leg,) = [leg for leg, net in enumerate(terminal.nets) if ways.get(net) == int(ohms)]
        here = at(terminal, (3 * leg, 0))
        beside = min(labels(), key=lambda label: abs(label.place[0] - here[0]) + abs(label.place[1] - here[1]))
        assert beside.words == pole
    contacts = sum(
        end.ohms > 0 and end.what not in {"green", "red", "buzzer"}
        for device in devices(BOARDS[FAB])
        for end in device.terminals
    )
    assert len(told) == contacts

"""The strip boards: followed hole by hole, they are the netlist, and nothing else touches anything else."""

from collections import Counter
from collections.abc import Mapping
from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

from firmware.cli.wiring import checklist
from hardware.board.board import Board, Register, our_boards
from hardware.board.design.look import LOOK
from hardware.board.design.register_strips import register_strip_board, strip_boards
from hardware.board.design.strip_board import MINUS, CableEnd, Hole, StripBoard, strip_board
from hardware.board.netlist import GROUND, HIGH, LEAVING, LOW, SUPPRESSED, devices
from hardware.board.parts import parts
from hardware.board.strips import COLUMNS
from tests.given import present
from tests.hardware.board.boards import buildable_board
from tests.hardware.board.chip_nets import Node, chip_nets, chip_parts
from tests.tiers import tiered

Copper = tuple[int, int]
"""A piece of copper: its row, and the first column of it."""
JOINING = frozenset({"link", "wire"})
CHIPS = frozenset({"register", "driver"})


def nets(layout: StripBoard) -> dict[Hole, Copper]:
    """Follow strips, links and wires: which holes are one piece of copper."""
    found: dict[Hole, Copper] = {}
    for row in range(len(layout.strips)):
        start = 0
        for column in range(COLUMNS):
            if (row, column) in layout.cuts:
                start = column + 1
            else:
                found[row, column] = row, start
    for part in layout.fitted:
        if part.kind in JOINING:
            one, other = (found[leg] for leg in part.legs)
            found = {hole: one if net == other else net for hole, net in found.items()}
    return found


def used_holes(layout: StripBoard) -> list[Hole]:
    """List the holes in which something is, as often as it is."""
    legs = [leg for part in layout.fitted for leg in part.legs]
    return [*legs, *(end.hole for end in layout.ends), *(wire.hole for wire in layout.wires)]


def nodes(layout: StripBoard) -> dict[Hole, Node]:
    """Name what is in each hole: legs of chips, wires of the Pi and of cables."""
    legs = {
        hole: (f"{part.kind} {part.value}", str(leg))
        for part in layout.fitted
        if part.kind in CHIPS
        for leg, hole in enumerate(part.legs, 1)
    }
    pi = {wire.hole: ("Pi", wire.rail or f"GPIO{wire.gpio}") for wire in layout.wires}
    ends = {
        end.hole: (end.device.kind if end.device.number is None else f"seat {end.device.number + 1}", end.what)
        for end in layout.ends
    }
    return {**legs, **pi, **ends}


def followed_nets(layout: StripBoard) -> frozenset[frozenset[Node]]:
    """Give what is joined to what."""
    return frozenset(_joined(layout).values())


def followed_parts(layout: StripBoard) -> Counter[tuple[str, str, frozenset[frozenset[Node]]]]:
    """Give the small parts, each with what is joined at its ends."""
    joined, at = _joined(layout), nets(layout)
    small = [part for part in layout.fitted if part.kind not in CHIPS | JOINING]
    return Counter(
        (part.kind, part.value, frozenset(joined.get(at[leg], frozenset()) for leg in part.legs))
        for part in small
    )


def _joined(layout: StripBoard) -> Mapping[Copper, frozenset[Node]]:
    at = nets(layout)
    found: dict[Copper, set[Node]] = {}
    for hole, node in nodes(layout).items():
        found.setdefault(at[hole], set()).add(node)
    return {net: frozenset(here) for net, here in found.items()}


OURS = our_boards()
FULL, ANY = OURS["full"], tiered(4, 60)


def with_chips(chips: int, volts: float | None = None) -> Board:
    assert isinstance(FULL.lamps, Register)
    return replace(FULL, lamps=replace(FULL.lamps, chips=chips, volts=volts))


def any_board_with_registers(number: int) -> Board:
    rng = Random(number)
    return next(
        board for board in (buildable_board(rng) for _try in count()) if isinstance(board.lamps, Register)
    )


BOARDS = {**OURS, **{f"any {number}": buildable_board(Random(number)) for number in range(ANY)}}
WITH_REGISTERS = {
    "full": FULL,
    "full, arcade": with_chips(2, 12),
    "three chips": with_chips(3),
    "five chips, arcade": with_chips(5, 5),
    **{f"any {number}": any_board_with_registers(number) for number in range(ANY)},
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
every_register_board = pytest.mark.parametrize("board", WITH_REGISTERS.values(), ids=list(WITH_REGISTERS))


def end_of(layout: StripBoard, kind: str, number: int | None, what: str) -> CableEnd:
    (end,) = (
        end for end in layout.ends if (end.device.kind, end.device.number, end.what) == (kind, number, what)
    )
    return end


def assert_nothing_shares_a_hole(layout: StripBoard) -> None:
    used = used_holes(layout)
    assert max(Counter(used).values()) == 1
    assert not set(used) & set(layout.cuts)


@every_board
def test_followed_hole_by_hole_it_is_the_netlist(board: Board) -> None:
    layout = strip_board(board)
    at = nets(layout)
    pi = {wire.gpio if wire.gpio is not None else wire.rail: at[wire.hole] for wire in layout.wires}
    between = Counter(
        (frozenset(at[leg] for leg in part.legs), part.value)
        for part in layout.fitted
        if part.kind == "resistor"
    )
    # the registers have a strip board of their own
    here = [device for device in devices(board) if device.kind != "register"]
    for device in here:
        for terminal in device.terminals if device.kind != "buzzer" else ():
            if terminal.rail in {GROUND, LOW, HIGH}:
                assert at[end_of(layout, device.kind, device.number, terminal.rail).hole] == pi[terminal.rail]
            elif terminal.gpio is not None:
                end = at[end_of(layout, device.kind, device.number, terminal.what).hole]
                if terminal.ohms:
                    assert between[frozenset((pi[terminal.gpio], end)), f"{terminal.ohms} Ω"] == 1
                else:
                    assert end == pi[terminal.gpio]
    assert between.total() == sum(bool(end.ohms) for device in here for end in device.terminals)


@every_board
def test_no_two_things_touch_that_should_not(board: Board) -> None:
    layout = strip_board(board)
    at = nets(layout)
    assert_nothing_shares_a_hole(layout)
    pi = [at[wire.hole] for wire in layout.wires]
    assert len(set(pi)) == len(pi)
    # on each piece of copper at most one line arrives, besides the rails
    rails = {at[wire.hole] for wire in layout.wires if wire.rail}
    lines = Counter(at[end.hole] for end in layout.ends if end.what not in {GROUND, LOW, HIGH, MINUS})
    assert set(lines.values()) <= {1}
    assert not rails & set(lines)
    for part in layout.fitted:
        if part.kind != "link":
            assert len({at[leg] for leg in part.legs}) == len(part.legs)


@every_board
def test_every_line_that_leaves_the_box_has_a_suppressor_behind_its_resistor(board: Board) -> None:
    layout = strip_board(board)
    at = nets(layout)
    ground = next(at[wire.hole] for wire in layout.wires if wire.rail == GROUND)
    guarded = {frozenset(at[leg] for leg in part.legs) for part in layout.fitted if part.kind == "suppressor"}
    leaving = [
        end_of(layout, device.kind, device.number, terminal.what)
        for device in devices(board)
        for terminal in device.terminals
        if device.kind in LEAVING and terminal.gpio is not None and terminal.driver is None
    ]
    assert guarded == {frozenset((at[end.hole], ground)) for end in leaving}
    assert sum(part.value == SUPPRESSED for part in layout.fitted) == len(leaving)


@pytest.mark.parametrize("name", [name for name, board in OURS.items() if not board.solderless])
def test_suppressors_are_the_same_on_drawing_parts_list_checklist_and_sheet(name: str) -> None:
    board = OURS[name]
    fitted = [part for layout in strip_boards(board) for part in layout.fitted if part.kind == "suppressor"]
    assert {part.value for part in fitted} == {SUPPRESSED}
    assert [part.count for part in parts(board) if part.key == "suppressor"] == [len(fitted)]
    assert f"Suppressors ({SUPPRESSED}, {len(fitted)}):" in " ".join(checklist(board))
    assert SUPPRESSED in " ".join(label.english for label in LOOK.foot["lines"])
    pulled = [10_000 for device in devices(board) for end in device.terminals if end.pull]
    assert sum("10000 Ω between pin" in step for step in checklist(board)) == len(pulled)


@every_board
def test_the_buzzer_is_switched_by_its_transistor(board: Board) -> None:
    layout = strip_board(board)
    if board.buzzer is None:
        assert not [part for part in layout.fitted if part.kind in {"transistor", "diode"}]
        return
    at = nets(layout)
    pi = {wire.gpio if wire.gpio is not None else wire.rail: at[wire.hole] for wire in layout.wires}
    (transistor,) = (part for part in layout.fitted if part.kind == "transistor")
    (diode,) = (part for part in layout.fitted if part.kind == "diode")
    collector, base, emitter = (at[leg] for leg in transistor.legs)
    minus, plus = (at[end_of(layout, "buzzer", None, what).hole] for what in (MINUS, HIGH))
    assert (collector, emitter, plus) == (minus, pi[GROUND], pi[HIGH])
    assert [at[leg] for leg in diode.legs] == [collector, pi[HIGH]]
    resistor = next(
        part for part in layout.fitted if base in {at[leg] for leg in part.legs} and part.kind == "resistor"
    )
    assert {at[leg] for leg in resistor.legs} == {base, pi[board.buzzer]}
    assert resistor.value == f"{board.ohms.buzzer} Ω"


# the registers' own


def layout_of(board: Board) -> StripBoard:
    return present(register_strip_board(board))


def is_as_wired(layout: StripBoard, board: Board) -> bool:
    """Tell whether the copper joins what the netlist joins, and the small parts are between the same nets."""
    named = chip_nets(board)
    wanted = Counter(
        (part.kind, part.value, frozenset(named[net] for net in part.nets)) for part in chip_parts(board)
    )
    return followed_nets(layout) == frozenset(named.values()) and followed_parts(layout) == wanted


@every_register_board
def test_the_registers_board_is_their_netlist_and_what_is_bought_is_soldered(board: Board) -> None:
    layout = layout_of(board)
    assert is_as_wired(layout, board)
    assert_nothing_shares_a_hole(layout)
    fitted = Counter((part.kind, part.value) for layout in strip_boards(board) for part in layout.fitted)
    bought = Counter[str]()
    for part in parts(board):
        bought[f"{part.key} {part.value}".strip()] += part.count
    for kind in ("resistor", "capacitor", "suppressor"):
        soldered = {f"{kind} {value}": many for (what, value), many in fitted.items() if what == kind}
        assert {name: many for name, many in bought.items() if name.split()[0] == kind} == soldered
    for kind in ("register", "driver"):
        assert bought[kind] == sum(many for (what, _value), many in fitted.items() if what == kind)


def test_every_output_of_full_leads_to_its_lamp() -> None:
    """A netlist that is wrong itself would be followed all the same: said by hand, from the data sheets."""
    nets = chip_nets(FULL)
    assert nets["out 0"] == {("register 1", "15")}
    assert nets["lamp 9"] == {("seat 5", "red")}
    assert nets["data 2"] == {("register 1", "9"), ("register 2", "14")}
    latches = ((f"register {chip}", leg) for chip in (1, 2) for leg in ("12", "13"))
    assert nets["latch"] == {("Pi", "GPIO26"), *latches}
    driven = chip_nets(WITH_REGISTERS["full, arcade"])
    assert driven["out 0"] == {("register 1", "15"), ("driver 1", "1")}
    assert driven["lamp 0"] == {("driver 1", "18"), ("seat 1", "green")}
    assert driven["out 9"] == {("register 2", "1"), ("driver 2", "8")}
    assert driven["lamp 9"] == {("driver 2", "11"), ("seat 5", "red")}
    assert {("supply", "LAMP+"), ("driver 2", "10"), ("seat 8", "LAMP+")} <= driven["LAMP+"]
    # their supply touches no pin of the Pi and no chip's
    assert {part.split()[0] for part, _leg in driven["LAMP+"]} == {"supply", "driver", "seat"}


def test_they_fit_on_strip_boards_that_are_sold() -> None:
    """37 strips of 62 holes, 100 x 160 mm."""
    layouts = [layout for board in OURS.values() for layout in strip_boards(board)]
    layouts += strip_boards(WITH_REGISTERS["full, arcade"])
    assert [len(strip_boards(OURS[name])) for name in ("full", "six")] == [2, 1]
    assert all(len(layout.strips) <= 37 for layout in layouts)

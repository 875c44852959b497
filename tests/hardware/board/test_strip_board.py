"""The strip board: followed hole by hole, it is the netlist; nothing else touches anything else."""

from collections import Counter
from random import Random

import pytest

from hardware.board.board import Board, our_boards
from hardware.board.chips import SUPPRESSED
from hardware.board.netlist import GROUND, HIGH, LOW, Device, devices
from hardware.board.strip_board import LEAVING, MINUS, CableEnd, Hole, StripBoard, strip_board
from tests.hardware.board.boards import buildable_board
from tests.hardware.board.following import nets, slipped, used_holes

BOARDS = {**our_boards(), **{f"any {number}": buildable_board(Random(number)) for number in range(60)}}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))


def wired_here(board: Board) -> list[Device]:
    """List the devices; the registers have a strip board of their own."""
    return [device for device in devices(board) if device.kind != "register"]


def end_of(layout: StripBoard, kind: str, number: int | None, what: str) -> CableEnd:
    (end,) = (
        end for end in layout.ends if (end.device.kind, end.device.number, end.what) == (kind, number, what)
    )
    return end


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
    for device in wired_here(board):
        for terminal in device.terminals:
            if device.kind == "buzzer":
                continue
            if terminal.rail in {GROUND, LOW, HIGH}:
                end = end_of(layout, device.kind, device.number, terminal.rail)
                assert at[end.hole] == pi[terminal.rail]
            elif terminal.gpio is not None:
                end = end_of(layout, device.kind, device.number, terminal.what)
                if terminal.ohms:
                    assert between[frozenset((pi[terminal.gpio], at[end.hole])), f"{terminal.ohms} Ω"] == 1
                else:
                    assert at[end.hole] == pi[terminal.gpio]
    wanted = sum(bool(end.ohms) for device in wired_here(board) for end in device.terminals)
    assert between.total() == wanted


@every_board
def test_no_two_things_touch_that_should_not(board: Board) -> None:
    layout = strip_board(board)
    at = nets(layout)
    used = used_holes(layout)
    assert max(Counter(used).values()) == 1
    assert not set(used) & set(layout.cuts)
    pi = [at[wire.hole] for wire in layout.wires]
    assert len(set(pi)) == len(pi)
    # on each piece of copper at most one line arrives, besides the rails
    rails = {at[wire.hole] for wire in layout.wires if wire.rail}
    lines = Counter(at[end.hole] for end in layout.ends if end.what not in {GROUND, LOW, HIGH, MINUS})
    assert all(count == 1 for net, count in lines.items())
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


def connections(layout: StripBoard) -> list[tuple[str, list[Hole]]]:
    """Tell which pieces of copper each part joins, and on which the wires from the Pi arrive."""
    at = nets(layout)
    joined = [(part.kind, [at[leg] for leg in part.legs]) for part in layout.fitted if part.kind != "link"]
    return [*joined, ("wires", [at[wire.hole] for wire in layout.wires])]


@pytest.mark.parametrize("name", our_boards())
def test_a_slip_of_the_iron_would_be_noticed(name: str) -> None:
    """A part whose leg is put one strip lower makes another netlist, or the leg falls into a cut."""
    layout = strip_board(our_boards()[name])
    for place in range(len(layout.fitted)):
        wrong = slipped(layout, place, 0)
        if wrong is not None:
            assert connections(wrong) != connections(layout)


def test_our_boards_fit_on_a_strip_board_that_is_sold() -> None:
    """37 strips of 62 holes, 100 x 160 mm."""
    for board in our_boards().values():
        assert len(strip_board(board).strips) <= 37

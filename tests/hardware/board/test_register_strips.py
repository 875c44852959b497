"""The registers' strip board: followed hole by hole, it is the chips' netlist; a slip would be noticed."""

from collections import Counter
from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

from hardware.board.board import Board, Register, our_boards
from hardware.board.checks import troubles
from hardware.board.chips import chip_nets, chip_parts
from hardware.board.parts import parts
from hardware.board.register_strips import register_strip_board, strip_boards
from hardware.board.strip_board import StripBoard
from tests.hardware.board.boards import buildable_board
from tests.hardware.board.following import (
    followed_nets,
    followed_parts,
    nets,
    slipped,
    used_holes,
)

FULL = our_boards()["full"]


def with_chips(board: Board, chips: int, volts: float | None = None) -> Board:
    assert isinstance(board.lamps, Register)
    return replace(board, lamps=replace(board.lamps, chips=chips, volts=volts))


def any_board_with_registers(number: int) -> Board:
    rng = Random(number)
    return next(
        board for board in (buildable_board(rng) for _try in count()) if isinstance(board.lamps, Register)
    )


BOARDS = {
    "full": FULL,
    "full, arcade": with_chips(FULL, 2, 12),
    "three chips": with_chips(FULL, 3),
    "five chips, arcade": with_chips(FULL, 5, 5),
    **{f"any {number}": any_board_with_registers(number) for number in range(40)},
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))


def layout_of(board: Board) -> StripBoard:
    layout = register_strip_board(board)
    assert layout is not None
    return layout


def is_as_wired(layout: StripBoard, board: Board) -> bool:
    """Tell whether the copper joins what the netlist joins, and the small parts are between the same nets."""
    named = chip_nets(board)
    wanted = Counter(
        (part.kind, part.value, frozenset(named[net] for net in part.nets)) for part in chip_parts(board)
    )
    return followed_nets(layout) == frozenset(named.values()) and followed_parts(layout) == wanted


@every_board
def test_followed_hole_by_hole_it_is_the_netlist(board: Board) -> None:
    assert is_as_wired(layout_of(board), board)


@every_board
def test_no_two_legs_share_a_hole_and_none_falls_into_a_cut(board: Board) -> None:
    layout = layout_of(board)
    used = used_holes(layout)
    assert max(Counter(used).values()) == 1
    assert not set(used) & set(layout.cuts)


@pytest.mark.parametrize("name", ["full", "full, arcade"])
def test_each_leg_that_is_put_one_strip_too_low_is_noticed(name: str) -> None:
    board = BOARDS[name]
    layout = layout_of(board)
    at = nets(layout)
    unnoticed, tried = list[object](), 0
    for place, part in enumerate(layout.fitted):
        for leg in range(len(part.legs)):
            wrong, (row, column) = slipped(layout, place, leg), part.legs[leg]
            # a leg for ground that falls into another ground strip is no fault
            if wrong is not None and at[row, column] != at[row + 1, column]:
                tried += 1
                if is_as_wired(wrong, board):
                    unnoticed.append((part, leg + 1))
    assert tried > 80
    assert unnoticed == []


@pytest.mark.parametrize("chips", [0, -1])
def test_registers_without_a_chip_are_refused(chips: int) -> None:
    board = Board(seats=0, table=(5,), lamps=Register(data=13, clock=19, latch=26, chips=chips))
    assert [trouble.key for trouble in troubles(board)] == ["too few outputs"]


def test_a_cut_that_was_forgotten_is_noticed() -> None:
    for name in ("full", "full, arcade"):
        layout = layout_of(BOARDS[name])
        for cut in layout.cuts:
            wrong = replace(layout, cuts=tuple(each for each in layout.cuts if each != cut))
            assert not is_as_wired(wrong, BOARDS[name]), cut


def test_every_output_of_full_leads_to_its_lamp() -> None:
    """A netlist that is wrong itself would be followed all the same: said by hand, from the data sheets."""
    nets = chip_nets(FULL)
    assert nets["out 0"] == {("register 1", "15")}
    assert nets["lamp 9"] == {("seat 5", "red")}
    assert nets["data 2"] == {("register 1", "9"), ("register 2", "14")}
    assert nets["latch"] == {
        ("Pi", "GPIO26"),
        *((f"register {chip}", leg) for chip in (1, 2) for leg in ("12", "13")),
    }
    driven = chip_nets(BOARDS["full, arcade"])
    assert driven["out 0"] == {("register 1", "15"), ("driver 1", "1")}
    assert driven["lamp 0"] == {("driver 1", "18"), ("seat 1", "green")}
    assert driven["out 9"] == {("register 2", "1"), ("driver 2", "8")}
    assert driven["lamp 9"] == {("driver 2", "11"), ("seat 5", "red")}
    assert {("supply", "LAMP+"), ("driver 2", "10"), ("seat 8", "LAMP+")} <= driven["LAMP+"]
    # their supply touches no pin of the Pi and no chip's
    assert {part.split()[0] for part, _leg in driven["LAMP+"]} == {"supply", "driver", "seat"}


@every_board
def test_what_is_bought_is_what_is_soldered(board: Board) -> None:
    fitted = Counter((part.kind, part.value) for layout in strip_boards(board) for part in layout.fitted)
    bought = Counter[str]()
    for part in parts(board):
        bought[f"{part.key} {part.value}".strip()] += part.count
    for kind in ("resistor", "capacitor", "suppressor"):
        soldered = {f"{kind} {value}": many for (what, value), many in fitted.items() if what == kind}
        assert {name: many for name, many in bought.items() if name.split()[0] == kind} == soldered
    for kind in ("register", "driver"):
        assert bought[kind] == sum(many for (what, _value), many in fitted.items() if what == kind)


def test_there_is_none_where_no_register_is() -> None:
    assert register_strip_board(our_boards()["six"]) is None
    assert len(strip_boards(our_boards()["six"])) == 1


@pytest.mark.parametrize("name", ["full", "full, arcade"])
def test_it_fits_on_a_strip_board_that_is_sold(name: str) -> None:
    """37 strips of 62 holes, 100 x 160 mm."""
    assert len(layout_of(BOARDS[name]).strips) <= 37

"""A board without solder: what is read on paper is plugged hole by hole, and is the netlist."""

import re
from collections import Counter

import pytest
from msgspec.structs import replace

from firmware.cli.wiring import document
from hardware.board.board import Board, our_boards
from hardware.board.checks import troubles
from hardware.board.header import HEADER, PIN_OF
from hardware.board.netlist import GROUND
from hardware.board.slips import slip
from hardware.board.uses import uses

BOARDS = our_boards()
TWO = BOARDS["two"]
Net = tuple[bool, int]
"""The half of a breadboard, and its column."""


def net(hole: str) -> Net:
    return hole[0] in "ABCDE", int(hole[1:])


@pytest.mark.parametrize("board", [TWO, replace(TWO, call=(17, 18), table=(5, 6))])
def test_plugged_as_it_is_printed_each_button_leads_to_its_pin_and_to_ground(board: Board) -> None:
    told = document(board, "two")
    pins = {int(pin): hole for pin, hole in re.findall(r"header pin (\d+)[^,;]*? to hole (\w+)", told)}
    resistors = {net(above): net(below) for above, below in re.findall(r"1000 Ω from (\w+) to (\w+)", told)}
    buttons = re.findall(r"one core into (\w+), the other into (\w+)", told)
    (ground,) = [pin for pin in pins if HEADER[pin - 1].name == GROUND]
    lines = [PIN_OF[use.gpio].number for use in uses(board)]
    assert sorted(pins) == sorted([*lines, ground])
    assert [resistors[net(pins[pin])] for pin in lines] == [net(line) for line, _ground in buttons]
    assert {net(hole) for _line, hole in buttons} == {net(pins[ground])}
    used = [*pins.values(), *(hole for button in buttons for hole in button)]
    used += [hole for pair in re.findall(r"1000 Ω from (\w+) to (\w+)", told) for hole in pair]
    assert max(Counter(used).values()) == 1
    nets = [net(hole) for hole in pins.values()]
    assert len({*nets, *resistors.values()}) == 2 * len(lines) + 1
    assert not re.search(r"suppressor|strip board|[Ss]older(?!ed)", told)


def test_no_board_of_ours_drives_its_pins() -> None:
    assert {pin.meets for running in BOARDS.values() for pin in slip(running, TWO)} == {None}


def test_there_is_room_for_four_buttons() -> None:
    five = replace(TWO, seats=3, call=(17, 18, 22), table=(5, 6))
    assert [trouble.key for trouble in troubles(five)] == ["solderless"]

"""`coyote board`: saying which board is wired."""

from pathlib import Path

import pytest

from firmware.storage.board_faults import BoardFaults, keep_board_faults
from firmware.storage.usb_buttons import keep_usb_buttons
from firmware.storage.wired_board import WiredBoard, read_wired_board
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox, UsbButton
from tests.firmware.conftest import Coyote


@pytest.fixture(name="state", autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    return tmp_path / "state"


def test_nobody_has_said_it_until_somebody_does(coyote: Coyote, state: Path) -> None:
    said = coyote("board")
    assert (said.code, "no pin is driven" in said.out) == (0, True)
    assert "one of full, six, minimal, ring, none" in said.out
    assert coyote("board six").code == 0
    assert read_wired_board(state) == WiredBoard("six", "confirmed")
    assert "six is wired." in coyote("board").out


def test_what_is_played_without_is_told(coyote: Coyote, state: Path) -> None:
    coyote("board six")
    keep_board_faults(state, BoardFaults("six", (Key("call", 2),), (Lamp("red", 0),)))
    assert "Played without: The button of seat 3, The red lamp of seat 1" in coyote("board").out
    # another board has other buttons
    coyote("board minimal")
    assert "Played without" not in coyote("board").out


def test_buttons_by_usb_are_told_too(coyote: Coyote, state: Path) -> None:
    assert "USB" not in coyote("board").out
    box = UsbBox("Encoder", "usb-1/input0")
    keep_usb_buttons(state, (UsbButton(box, 288, 0), UsbButton(box, 289, 1)))
    assert "Seats 1, 2 have buttons by USB, on Encoder." in coyote("board").out


def test_a_board_that_is_not_there_is_told_in_one_line(coyote: Coyote, state: Path) -> None:
    said = coyote("board seven")
    assert said.code == 2
    assert "there is no profile seven" in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert read_wired_board(state) is None

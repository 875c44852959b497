"""The host's page of the board: named, pressed, and driven only once nothing speaks against it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.board.senses.pin_probe import PinProbe
from firmware.start.pages.board_door import WiredBoardDoor
from firmware.storage.wired_board import WiredBoard, read_wired_board
from hardware.board.board import our_boards
from hardware.board.fitting import known_pins
from tests.firmware.board.senses.held_pins import HeldPins
from tests.webui.room import Room, hidden_fields, match_of, room_with

BOARDS = our_boards()


class Wiring:
    """A table whose pins a test presses."""

    def __init__(self, state: Path, wired: WiredBoard, pins: HeldPins) -> None:
        """Listen where nothing is driven."""
        self.restarts, self.state, self.pins = 0, state, pins
        self.probe = None if wired.is_driven else PinProbe(known_pins(BOARDS), pins.factory)
        self.door = WiredBoardDoor(state, wired, BOARDS, self.restart, self.probe)
        self.room: Room = room_with(match_of(), state, board=self.door)

    def restart(self) -> None:
        """Count it."""
        self.restarts += 1


@pytest.fixture(name="pins")
def _pins(monkeypatch: pytest.MonkeyPatch) -> HeldPins:
    return HeldPins(monkeypatch)


@pytest.fixture(name="fresh")
def _fresh(tmp_path: Path, pins: HeldPins) -> Iterator[Wiring]:
    wiring = Wiring(tmp_path, WiredBoard(), pins)
    yield wiring
    assert wiring.probe is not None
    wiring.probe.close()


def choose(wiring: Wiring, name: str) -> int:
    host = wiring.room.browser().host()
    form = {**hidden_fields(host.get("/host/board").text, "/host/board"), "profile": name}
    sent = host.post("/host/board", **form)
    sent.close()
    return sent.status_code


def test_a_new_table_is_named_pressed_and_then_driven(fresh: Wiring) -> None:
    host = fresh.room.browser().host()
    assert "Nobody has said it yet" in host.get("/host/board").text
    assert choose(fresh, "six") == 303
    page = host.get("/host/board").text
    assert "Press each button once" in page
    assert "/host/board/confirm" not in page
    fresh.pins.press(12)
    sent = host.send("/host/board", "/host/board/confirm")
    assert sent.status_code == 200
    sent.close()
    assert read_wired_board(fresh.state) == WiredBoard("six", "confirmed")
    assert fresh.restarts == 1


def test_a_press_that_does_not_fit_keeps_the_board_from_being_driven(fresh: Wiring) -> None:
    host = fresh.room.browser().host()
    choose(fresh, "full")
    for gpio in (17, 12):
        fresh.pins.press(gpio)
    page = host.get("/host/board").text
    assert "GPIO12 was pressed: on this board that is the buzzer, and a press would short it." in page
    form = hidden_fields(page, "/host/board")
    assert host.post("/host/board/confirm", **form).status_code == 409
    assert read_wired_board(fresh.state) == WiredBoard("full", "trial")
    fits = {option.name: option.fits for option in fresh.door.status().options}
    assert fits == {"full": False, "six": True, "minimal": False, "none": False}


def test_who_has_only_phones_says_so_and_nothing_starts_again(fresh: Wiring) -> None:
    assert choose(fresh, "none") == 303
    assert read_wired_board(fresh.state) == WiredBoard("none", "confirmed")
    assert fresh.restarts == 0


def test_a_board_that_ran_by_itself_is_confirmed_without_a_start(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("full", "assumed"), pins)
    host = wiring.room.browser().host()
    assert "The table runs so, as it always has" in host.get("/host/board").text
    assert host.send("/host/board", "/host/board/confirm").status_code == 303
    assert (read_wired_board(tmp_path), wiring.restarts) == (WiredBoard("full", "confirmed"), 0)


def test_another_board_than_the_driven_one_is_let_go_before_it_is_tried(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("full", "confirmed"), pins)
    assert choose(wiring, "six") == 200
    assert (read_wired_board(tmp_path), wiring.restarts) == (WiredBoard("six", "trial"), 1)


def test_only_the_host_says_it(fresh: Wiring) -> None:
    phone = fresh.room.browser().sit(0)
    assert phone.get("/host/board").location == "/host"
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for address in ("/host/board", "/host/board/confirm"):
        assert phone.post(address, **form, profile="six").status_code == 403
    assert choose(fresh, "seven") == 409
    assert fresh.door.status().stage == "unknown"

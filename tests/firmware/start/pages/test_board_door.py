"""The host's page of the board: named, pressed, and driven only once nothing speaks against it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from firmware.board.senses.pin_probe import PinProbe
from firmware.start.pages.board_door import WiredBoardDoor
from firmware.state_folder import BOARD_FAULTS
from firmware.storage.board_faults import BoardFaults, read_board_faults
from firmware.storage.wired_board import WiredBoard, read_wired_board
from hardware.board.board import Key, keys, our_boards
from hardware.board.fitting import known_pins
from hardware.board.lamps import Lamp, all_lamps
from tests.firmware.board.senses.held_pins import HeldPins
from tests.firmware.start.pages.board_table import BoardTable
from tests.webui.room import Room, hidden_fields, match_of, room_with

BOARDS = our_boards()
SIX_KEYS = tuple(keys(BOARDS["six"]))
SIX_LAMPS = all_lamps(BOARDS["six"])
LAMPS = "/host/board/lamps"


class Wiring:
    """A table whose pins a test presses."""

    def __init__(self, state: Path, wired: WiredBoard, pins: HeldPins) -> None:
        """Listen where nothing is driven."""
        self.table, self.state, self.pins = BoardTable(), state, pins
        self.probe = None if wired.is_driven else PinProbe(known_pins(BOARDS), pins.factory)
        self.door = WiredBoardDoor(state, wired, BOARDS, self.table, self.probe)
        self.room: Room = room_with(match_of(), state, board=self.door)

    def press(self, keys_: Iterable[Key], name: str = "six") -> None:
        """Press buttons of a board."""
        for key in keys_:
            self.pins.press(keys(BOARDS[name])[key])


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
    assert "Being tried, not driven" in page
    fresh.press(SIX_KEYS)
    sent = host.send("/host/board", "/host/board/confirm")
    assert sent.status_code == 200
    sent.close()
    assert read_wired_board(fresh.state) == WiredBoard("six", "confirmed")
    assert fresh.table.restarts == 1


def test_with_a_dead_button_the_host_goes_on_and_it_is_remembered_as_a_fault(
    fresh: Wiring, pins: HeldPins
) -> None:
    host = fresh.room.browser().host()
    choose(fresh, "six")
    dead = Key("call", 2)
    fresh.press(key for key in SIX_KEYS if key != dead)
    page = host.get("/host/board").text
    assert page.count("press it<") == 1
    assert host.post("/host/board/confirm", **hidden_fields(page, "/host/board")).status_code == 409
    sent = host.send("/host/board", "/host/board/without")
    assert sent.status_code == 200
    sent.close()
    assert read_board_faults(fresh.state, "six") == BoardFaults("six", (dead,))
    after = Wiring(fresh.state, WiredBoard("six", "confirmed"), pins)
    assert [notice.key for notice in after.table.wrong.values()] == ["board faults"]
    page = after.room.browser().host().get("/host/board").text
    assert "Played without:" in page
    assert "The button of seat 3" in page


def test_a_button_that_was_mended_is_no_fault_any_more(tmp_path: Path, pins: HeldPins) -> None:
    (tmp_path / BOARD_FAULTS).write_bytes(msgspec.json.encode(BoardFaults("six", (Key("call", 2),))))
    wiring = Wiring(tmp_path, WiredBoard("six", "confirmed"), pins)
    # its buttons are pressed again
    assert choose(wiring, "six") == 200
    again = Wiring(tmp_path, WiredBoard("six", "trial"), pins)
    again.press(SIX_KEYS)
    assert again.door.confirm() is None
    assert read_board_faults(tmp_path, "six").dead == ()
    assert again.table.wrong == {}
    assert again.probe is not None
    again.probe.close()


def test_where_no_button_is_heard_going_on_is_warned_of(fresh: Wiring) -> None:
    host = fresh.room.browser().host()
    choose(fresh, "minimal")
    assert "No press has said yet" in host.get("/host/board").text
    fresh.press([Key("call")], "minimal")
    assert "No press has said yet" not in host.get("/host/board").text


def test_second_buttons_may_be_left_out_all_together(fresh: Wiring) -> None:
    choose(fresh, "full")
    first = [key for key in keys(BOARDS["full"]) if key.role != "second"]
    fresh.press(first, "full")
    assert fresh.door.status().may_confirm
    fresh.press([Key("second", 0)], "full")
    assert len(fresh.door.status().unheard) == 7


def test_presses_that_do_not_fit_are_no_matter_of_going_without(fresh: Wiring) -> None:
    host = fresh.room.browser().host()
    choose(fresh, "full")
    page = host.get("/host/board").text
    fresh.pins.press(12)
    form = hidden_fields(page, "/host/board/without")
    assert host.post("/host/board/without", **form).status_code == 409
    assert read_wired_board(fresh.state) == WiredBoard("full", "trial")


def test_lamps_are_lit_one_by_one_and_what_is_not_seen_is_looked_after(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("six", "confirmed"), pins)
    host = wiring.room.browser().host()
    assert "Nobody has said yet whether its lamps are lit." in host.get("/host/board").text
    asked = host.send("/host/board", LAMPS)
    assert wiring.table.lit == [Lamp("green", 0)]
    assert "Do you see it?" in asked.text
    form = hidden_fields(asked.text, LAMPS)
    asked = host.post(LAMPS, **{**form, "lamp": 0, "said": "unseen"})
    assert "GPIO27, pin 13 of the header" in asked.text
    assert "470 Ω" in asked.text
    # still lit, so that it can be measured
    assert wiring.table.lit == [Lamp("green", 0)] * 2
    host.post(LAMPS, **{**form, "lamp": 0, "said": "without"})
    assert wiring.table.lit[-1] == Lamp("red", 0)
    assert read_board_faults(tmp_path, "six") == BoardFaults("six", dark=(Lamp("green", 0),))
    assert [notice.key for notice in wiring.table.wrong.values()] == ["board faults"]
    for place in range(1, len(SIX_LAMPS)):
        answered = host.post(LAMPS, **{**form, "lamp": place, "said": "seen"})
    assert answered.location == "/host/board"
    assert wiring.table.lit[-1] is None
    page = host.get("/host/board").text
    assert "Nobody has said yet" not in page
    assert "The green lamp of seat 1" in page


def test_a_lamp_that_is_seen_after_all_is_no_fault_any_more(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("six", "confirmed"), pins)
    lamps = wiring.door.lamps
    assert lamps is not None
    assert lamps.note(3, is_seen=False) is None
    assert wiring.door.status().faults == ("The red lamp of seat 2",)
    assert lamps.note(3, is_seen=True) is None
    assert wiring.door.status().faults == ()
    assert wiring.table.wrong == {}


def test_lamps_that_sleep_are_not_asked_about(fresh: Wiring) -> None:
    host = fresh.room.browser().host()
    choose(fresh, "six")
    assert LAMPS not in host.get("/host/board").text
    form = hidden_fields(host.get("/host/board").text, "/host/board")
    assert host.post(LAMPS, **form, lamp=0, said="show").location == "/host/board"
    assert fresh.table.lit == []


def test_a_lamp_that_is_not_there_is_not_lit(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("minimal", "confirmed"), pins)
    host = wiring.room.browser().host()
    form = hidden_fields(host.get("/host/board").text, LAMPS)
    assert host.post(LAMPS, **form, lamp=1, said="seen").location == "/host/board"
    assert host.post(LAMPS, **form, lamp="-1", said="show").status_code == 200
    assert wiring.table.lit == [Lamp("attention")]


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
    assert fits == {"full": False, "six": True, "minimal": False, "ring": True, "none": False}


def test_who_has_only_phones_says_so_and_nothing_starts_again(fresh: Wiring) -> None:
    assert choose(fresh, "none") == 303
    assert read_wired_board(fresh.state) == WiredBoard("none", "confirmed")
    assert fresh.table.restarts == 0


def test_a_board_that_ran_by_itself_is_confirmed_without_a_start(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("full", "assumed"), pins)
    host = wiring.room.browser().host()
    assert "The table runs so, as it always has" in host.get("/host/board").text
    assert host.send("/host/board", "/host/board/confirm").status_code == 303
    assert (read_wired_board(tmp_path), wiring.table.restarts) == (WiredBoard("full", "confirmed"), 0)


def test_another_board_than_the_driven_one_is_let_go_before_it_is_tried(tmp_path: Path, pins: HeldPins) -> None:
    wiring = Wiring(tmp_path, WiredBoard("full", "confirmed"), pins)
    assert choose(wiring, "six") == 200
    assert (read_wired_board(tmp_path), wiring.table.restarts) == (WiredBoard("six", "trial"), 1)


def test_only_the_host_says_it(fresh: Wiring) -> None:
    phone = fresh.room.browser().sit(0)
    assert phone.get("/host/board").location == "/host"
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for address in ("/host/board", "/host/board/confirm", "/host/board/without", LAMPS):
        assert phone.post(address, **form, profile="six").status_code == 403
    assert choose(fresh, "seven") == 409
    assert fresh.door.status().stage == "unknown"

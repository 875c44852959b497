"""The host's page of the buttons by USB: pressed one after another, kept, and known from the next start on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.board.senses.usb_buttons import LOOK, UsbReader
from firmware.board_events import Edge
from firmware.start.pages.usb_door import UNSEEN, UsbDoor
from firmware.storage.usb_buttons import keep_usb_buttons, read_usb_buttons
from hardware.board.usb_box import UsbBox, UsbButton
from tests.firmware.board.senses.piped_inputs import PipedInputs
from tests.webui.room import Room, hidden_fields, match_of, room_with

HOME = "/host/usb-buttons"
BOX, TWIN = UsbBox("A <b>box</b>", "usb-1.1/input0"), UsbBox("A <b>box</b>", "usb-1.2/input0")


class Desk:
    """A table with two boxes of one kind, and the host's page."""

    def __init__(self, state: Path) -> None:
        """Plug both in."""
        self.now, self.restarts, self.state = 100.0, 0, state
        self.edges: list[Edge] = []
        self.inputs = PipedInputs()
        self.box, self.twin = self.inputs.plug_in(BOX), self.inputs.plug_in(TWIN)
        known = read_usb_buttons(state)
        self.reader = UsbReader(
            known, self.edges.append, lambda _box, _wrong: None, self.inputs, lambda: self.now
        )
        self.door = UsbDoor(state, self.reader, self._restart, lambda: self.now)
        self.room: Room = room_with(match_of(), state, usb=self.door)
        self.host = self.room.browser().host()

    def _restart(self) -> None:
        self.restarts += 1

    def press(self, box: UsbBox, code: int) -> None:
        """Press a button, and let it go."""
        pressed = self.box if box == BOX else self.twin
        self.now += LOOK
        for _turn in range(3):
            self.reader.turn(0)
        pressed.press(self.now, code)
        pressed.release(self.now, code)
        for _turn in range(3):
            self.reader.turn(0)

    def send(self, what: str, **fields: str) -> int:
        """Send one of the page's forms."""
        form = {**hidden_fields(self.page(), f"{HOME}/{what}"), **fields}
        sent = self.host.post(f"{HOME}/{what}", **form)
        sent.close()
        return int(sent.status_code)

    def page(self) -> str:
        """Show the page."""
        return self.host.get(HOME).text


@pytest.fixture(name="desk")
def _desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.reader.close()


def test_buttons_of_two_boxes_are_learned_by_pressing_them(desk: Desk) -> None:
    assert HOME in desk.host.get("/host/more").text
    assert desk.send("learn", kind="call") == 303
    assert "Press the button of seat 1." in desk.page()
    for box, code in ((TWIN, 288), (BOX, 288), (BOX, 288), (BOX, 289)):
        desk.press(box, code)
    page = desk.page()
    assert "Press the button of seat 4." in page
    assert "A &lt;b&gt;box&lt;/b&gt;" in page
    assert (desk.edges, desk.restarts) == ([], 0)
    assert desk.send("keep") == 200
    assert desk.restarts == 1
    assert read_usb_buttons(desk.state) == (
        UsbButton(TWIN, 288, 0),
        UsbButton(BOX, 288, 1),
        UsbButton(BOX, 289, 2),
    )


def test_second_buttons_come_on_top_and_there_is_one_for_each_seat(tmp_path: Path) -> None:
    keep_usb_buttons(tmp_path, (UsbButton(BOX, 288, 0), UsbButton(BOX, 289, 1)))
    desk = Desk(tmp_path)
    desk.send("learn", kind="second")
    assert "Press the second button of seat 1." in desk.page()
    for code in (289, 290, 291, 292):
        desk.press(BOX, code)
    assert "Each seat has one." in desk.page()
    assert desk.edges == []
    desk.send("keep")
    learned = read_usb_buttons(tmp_path)
    assert [(each.code, each.seat, each.role) for each in learned] == [
        (288, 0, "call"),
        (289, 1, "call"),
        (290, 0, "second"),
        (291, 1, "second"),
    ]
    assert "and a second one" in desk.page()
    desk.reader.close()


def test_who_stops_leaves_all_as_it_was(tmp_path: Path) -> None:
    keep_usb_buttons(tmp_path, (UsbButton(BOX, 288, 0),))
    desk = Desk(tmp_path)
    desk.send("learn", kind="call")
    desk.press(BOX, 290)
    assert desk.send("stop") == 303
    desk.press(BOX, 288)
    assert [edge.is_down for edge in desk.edges] == [True, False]
    assert (read_usb_buttons(tmp_path), desk.restarts) == ((UsbButton(BOX, 288, 0),), 0)
    assert desk.send("forget") == 200
    assert (read_usb_buttons(tmp_path), desk.restarts) == ((), 1)
    desk.reader.close()


def test_a_page_that_nobody_looks_at_any_more_takes_no_presses(tmp_path: Path) -> None:
    keep_usb_buttons(tmp_path, (UsbButton(BOX, 288, 0),))
    desk = Desk(tmp_path)
    desk.send("learn", kind="call")
    desk.now += UNSEEN
    desk.press(BOX, 288)
    desk.press(BOX, 288)
    assert [edge.is_down for edge in desk.edges] == [True, False]
    assert "Known now" in desk.page()
    desk.reader.close()


def test_nothing_is_kept_where_nothing_was_pressed_or_the_disk_refuses(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.send("learn", kind="call")
    form = hidden_fields(desk.page(), f"{HOME}/stop")
    assert "Nothing was pressed yet." in desk.host.post(f"{HOME}/keep", **form).text
    desk.press(BOX, 288)

    def refuse(_state: Path, _buttons: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.start.pages.usb_door.keep_usb_buttons", refuse)
    told = desk.host.post(f"{HOME}/keep", **form)
    assert (told.status_code, "No space left on device" in told.text) == (409, True)
    assert desk.restarts == 0


@pytest.mark.parametrize("what", ["learn", "stop", "keep", "forget"])
def test_only_the_host_may(desk: Desk, what: str) -> None:
    phone = desk.room.browser().sit(0)
    assert phone.get(HOME).location == "/host"
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post(f"{HOME}/{what}", **form).status_code == 403
    assert desk.host.post(f"{HOME}/{what}", form="").status_code == 403
    assert desk.door.status().learns is None

"""The host's page of USB buttons: learned by pressing, stored, and recognised at the next start."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import pytest

from firmware.board.inputs.usb_buttons import SCAN_INTERVAL, UsbReader
from firmware.board_events import Edge
from firmware.services.usb_learning import PAGE_TIMEOUT, UsbLearning
from firmware.storage.wired_board import KEPT_BUTTONS
from hardware.board.usb_box import UsbBox, UsbButton
from tests.firmware.board.inputs.piped_inputs import PipedInputs
from tests.webui.room import hidden_fields, match_of, room_with

HOME = "/host/usb-buttons"
BOX, SECOND_BOX = UsbBox("A <b>box</b>", "usb-1.1/input0"), UsbBox("A <b>box</b>", "usb-1.2/input0")


class Desk:
    """A table with two boxes of one model, and the host's page."""

    def __init__(self, state: Path, *known: UsbButton) -> None:
        self.now, self.state = 100.0, state
        self.edges, inputs = list[Edge](), PipedInputs()
        self._boxes = {box: inputs.plug_in(box) for box in (BOX, SECOND_BOX)}
        KEPT_BUTTONS.keep(state, known)
        self.reader = UsbReader(known, self.edges.append, lambda _box, _wrong: None, inputs, lambda: self.now)
        self.client = UsbLearning(state, self.reader.learn, lambda: self.now)
        self.room = room_with(match_of(), state, usb=self.client)
        self.host = self.room.browser().host()

    def press(self, box: UsbBox, *codes: int) -> None:
        for code in codes:
            self.now += SCAN_INTERVAL
            self._turn()
            self._boxes[box].press(self.now, code)
            self._boxes[box].release(self.now, code)
            self._turn()

    def _turn(self) -> None:
        for _turn in range(3):
            self.reader.turn(0)

    def send(self, what: str, **fields: str) -> int:
        with self.host.send(HOME, f"{HOME}/{what}", **fields) as sent:
            return int(sent.status_code)

    def page(self) -> str:
        return self.host.get(HOME).text

    @property
    def kept(self) -> list[tuple[UsbBox, int, int, str]]:
        return [(each.box, each.code, each.seat, each.role) for each in KEPT_BUTTONS.read(self.state)]


DeskWith = Callable[..., Desk]


@pytest.fixture
def desk_with(tmp_path: Path) -> Iterator[DeskWith]:
    with ExitStack() as ends:

        def make(*known: UsbButton) -> Desk:
            desk = Desk(tmp_path, *known)
            ends.callback(desk.reader.close)
            return desk

        yield make


def test_buttons_of_two_boxes_are_learned_by_pressing(desk_with: DeskWith) -> None:
    desk = desk_with()
    assert desk.send("learn", kind="call") == 303
    assert "Press the button of seat 1." in desk.page()
    desk.press(SECOND_BOX, 288)
    desk.press(BOX, 288, 288, 289)
    page = desk.page()
    assert "Press the button of seat 4." in page
    assert "A &lt;b&gt;box&lt;/b&gt;" in page
    assert (desk.edges, desk.room.restarts) == ([], 0)
    assert (desk.send("keep"), desk.room.restarts) == (200, 1)
    assert desk.kept == [(SECOND_BOX, 288, 0, "call"), (BOX, 288, 1, "call"), (BOX, 289, 2, "call")]


def test_second_buttons_are_added_one_per_seat(desk_with: DeskWith) -> None:
    desk = desk_with(UsbButton(BOX, 288, 0), UsbButton(BOX, 289, 1))
    desk.send("learn", kind="second")
    desk.press(BOX, 289, 290, 291, 292)
    assert "Each seat has one." in desk.page()
    assert desk.edges == []
    desk.send("keep")
    learned = [each[1:] for each in desk.kept]
    assert learned == [(288, 0, "call"), (289, 1, "call"), (290, 0, "second"), (291, 1, "second")]


@pytest.mark.parametrize("is_stopped", [True, False], ids=["who stops", "nobody looks any more"])
def test_cancelled_or_abandoned_learning_changes_nothing(desk_with: DeskWith, *, is_stopped: bool) -> None:
    desk = desk_with(UsbButton(BOX, 288, 0))
    desk.send("learn", kind="call")
    desk.press(BOX, 290)
    if is_stopped:
        assert desk.send("stop") == 303
    else:
        desk.now += PAGE_TIMEOUT
        desk.press(BOX, 288)
    desk.press(BOX, 288)
    assert [edge.is_down for edge in desk.edges] == [True, False]
    assert desk.client.status().learns is None
    assert (desk.kept, desk.room.restarts) == ([(BOX, 288, 0, "call")], 0)
    assert (desk.send("forget"), desk.kept, desk.room.restarts) == (200, [], 1)


def test_nothing_is_stored_without_presses_or_on_disk_failure(
    desk_with: DeskWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with()
    desk.send("learn", kind="call")
    form = hidden_fields(desk.page(), f"{HOME}/stop")
    assert desk.host.post(f"{HOME}/keep", **form).status_code == 409
    desk.press(BOX, 288)
    monkeypatch.setattr(KEPT_BUTTONS, "keep", Mock(side_effect=OSError(28, "No space left on device")))
    told = desk.host.post(f"{HOME}/keep", **form)
    assert (told.status_code, "No space left on device" in told.text) == (409, True)
    assert desk.room.restarts == 0

"""USB buttons and the kernel's input events, with pipes as devices."""

import errno
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from firmware.board.inputs import usb_buttons
from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.buttons import NOISE_EDGES
from firmware.board.inputs.usb_buttons import SCAN_INTERVAL, UsbButtons, UsbReader
from firmware.board_events import BoardAnswers, Edge
from firmware.storage.wired_board import NO_BOARD
from hardware.board.board import Key
from hardware.board.usb_box import UsbBox, UsbButton, usb_keys
from tests.firmware.board.inputs.matches import new_match
from tests.firmware.board.inputs.piped_inputs import KEY, KEY_REPEAT, MOUSE_MOVES, PipedInputs
from vision.troubles import Problem

# usb buttons


BOX, SECOND_BOX = UsbBox("Box", "usb-1.1/input0"), UsbBox("Box", "usb-1.2/input0")
BUTTONS = (
    UsbButton(BOX, 288, 0),
    UsbButton(BOX, 289, 1),
    UsbButton(SECOND_BOX, 288, 2),
    UsbButton(BOX, 290, 0, "second"),
)
ANA, BO, CLEO = (Key("call", seat) for seat in range(3))


class Table:
    """A table with two boxes and a clock that the test advances."""

    def __init__(self) -> None:
        self.now = 100.0
        self.edges: list[Edge] = []
        self.told: list[tuple[UsbBox, str]] = []
        self.inputs = PipedInputs()
        self.box, self.twin = self.inputs.plug_in(BOX), self.inputs.plug_in(SECOND_BOX)
        self.reader = UsbReader(BUTTONS, self.edges.append, self._report, self.inputs, lambda: self.now)
        self.turn()

    def _report(self, box: UsbBox, wrong: Problem | None) -> None:
        self.told.append((box, "" if wrong is None else wrong.key))

    def turn(self) -> list[tuple[Key, bool]]:
        """Process the events so far. Returns the resulting edges."""
        before = len(self.edges)
        for _turn in range(4):
            self.reader.turn(0)
        return [(edge.wire, edge.is_down) for edge in self.edges[before:]]

    def look_again(self) -> list[tuple[Key, bool]]:
        self.now += SCAN_INTERVAL
        return self.turn()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.reader.close()


def test_press_is_edge_of_its_seat_with_kernel_timestamp(table: Table) -> None:
    # another key, a mouse, a repeating key, and a button held since before the start are no presses
    table.box.press(50, 300)
    table.box.tell(50, MOUSE_MOVES, (KEY, 288, KEY_REPEAT))
    table.box.release(50, 288)
    table.box.press(50.25, 288)
    table.box.press(50.3, 288)
    table.twin.press(50.5, 288)
    table.box.release(51, 288)
    table.box.press(52, 290)
    table.turn()
    assert sorted(table.edges, key=lambda edge: edge.at) == [
        Edge(ANA, 50.25, is_down=True),
        Edge(CLEO, 50.5, is_down=True),
        Edge(ANA, 51.0, is_down=False),
        Edge(Key("second", 0), 52.0, is_down=True),
    ]
    assert table.inputs.taken == [BOX, SECOND_BOX]
    assert table.told == []


def test_presses_in_one_report_tie_and_game_decides(table: Table) -> None:
    match, button_input = new_match(), ButtonInput(NO_BOARD, usb_keys(BUTTONS))
    table.box.press(50.0, 288, 289)
    table.turn()
    events = [event for edge in table.edges for event in button_input.feed(edge, match)]
    events += button_input.look(51.0, match)
    (said,) = [event for event in events if isinstance(event, BoardAnswers)]
    assert {answer.seat for answer in said.answers} == {0, 1}


def test_unplugged_box_releases_buttons_is_reported_and_reconnects(table: Table) -> None:
    table.box.press(50, 288)
    table.twin.press(50, 288)
    table.turn()
    table.inputs.pull_out(table.box)
    assert table.turn() == [(ANA, False)]
    assert table.told == [(BOX, "usb box gone")]
    table.twin.release(51, 288)
    assert table.turn() == [(CLEO, False)]
    table.look_again()
    # recognised in another socket
    again = table.inputs.plug_in(UsbBox("Box", "usb-1.4/input0"))
    table.look_again()
    assert table.told == [(BOX, "usb box gone"), (BOX, "")]
    again.press(60, 289)
    assert table.turn() == [(BO, True)]


def test_box_replaced_between_polls_is_opened_again(table: Table) -> None:
    table.inputs.pull_out(table.box)
    table.box = table.inputs.plug_in(BOX)
    table.look_again()
    table.box.press(60, 288)
    assert table.turn() == [(ANA, True)]
    assert table.inputs.taken == [BOX, SECOND_BOX, BOX]


def test_lost_kernel_events_are_recovered(table: Table) -> None:
    table.box.press(50, 288)
    assert table.turn() == [(ANA, True)]
    table.box.held = {289}
    table.box.lose_events(51)
    assert table.turn() == [(ANA, False), (BO, True)]
    assert [edge.at for edge in table.edges] == [50, 51, 51]


def test_flooding_box_is_debounced_and_ends_released(table: Table) -> None:
    for number in range(4 * NOISE_EDGES):
        (table.box.release if number % 2 else table.box.press)(50 + number / 100_000, 288)
        table.turn()
    heard = [edge.is_down for edge in table.edges]
    assert NOISE_EDGES // 2 <= len(heard) <= NOISE_EDGES + 1
    assert heard[-1] is False
    table.box.press(60, 288)
    assert table.turn() == [(ANA, True)]


@pytest.mark.parametrize("key", ["usb box taken", "usb box denied"])
def test_unusable_box_is_reported_once_and_when_usable_again(table: Table, key: str) -> None:
    table.inputs.pull_out(table.box)
    table.turn()
    table.told.clear()
    if key == "usb box taken":
        table.inputs.refusals[BOX] = OSError(errno.EBUSY, "Device or resource busy")
    table.inputs.is_denied = key == "usb box denied"
    table.box = table.inputs.plug_in(BOX)
    for _look in range(3):
        table.look_again()
    assert table.told == [(BOX, key)]
    table.inputs.refusals.clear()
    table.inputs.is_denied = False
    table.look_again()
    assert table.told[-1] == (BOX, "")


def test_learning_suspends_answers_and_reports_unknown_keys(table: Table) -> None:
    stranger, heard = table.inputs.plug_in(UsbBox("New", "usb-1.3/input0")), list[tuple[str, int]]()
    lens = table.inputs.plug_in(None)
    table.box.press(50, 288)
    assert table.turn() == [(ANA, True)]
    table.reader.learn(lambda box, code: heard.append((box.name, code)))
    table.turn()
    table.box.release(51, 288)
    table.box.press(51, 289)
    stranger.press(52, 30)
    lens.press(52, 31)
    # a held button is still released
    assert table.turn() == [(ANA, False)]
    assert sorted(heard) == [("Box", 289), ("New", 30)]
    assert table.inputs.taken == [BOX, SECOND_BOX]
    table.reader.learn(None)
    table.turn()
    stranger.press(53, 31)
    table.box.press(53, 288)
    assert table.turn() == [(ANA, True)]
    assert len(heard) == 2


def test_thread_reads_until_closed() -> None:
    inputs, heard, told = PipedInputs(), SimpleQueue[Edge](), SimpleQueue[UsbBox]()
    box = inputs.plug_in(BOX)
    buttons = UsbButtons(UsbReader(BUTTONS, heard.put, lambda missing, _wrong: told.put(missing), inputs))
    assert told.get() == SECOND_BOX
    box.press(5, 288)
    assert heard.get() == Edge(ANA, 5.0, is_down=True)
    buttons.close()
    let_go = heard.get()
    assert (let_go.wire, let_go.is_down) == (ANA, False)


def test_failing_reader_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    told = SimpleQueue[tuple[UsbBox, Problem | None]]()

    def fail(_reader: UsbReader, _wait: float) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(UsbReader, "turn", fail)
    buttons = UsbButtons(UsbReader(BUTTONS, lambda _edge: None, lambda *wrong: told.put(wrong), PipedInputs()))
    box, wrong = told.get()
    assert (box, wrong) == (BOX, Problem("usb box failed", {"box": "Box", "seats": "1, 2", "why": "broken"}))
    buttons.close()


# input devices


def test_ioctl_numbers_match_the_kernel() -> None:
    # as printed by a C program for EVIOCGNAME(256), EVIOCGPHYS(256), EVIOCGKEY(96), EVIOCGBIT(EV_KEY, 96) ...
    assert (usb_buttons.NAME, usb_buttons.PHYS, usb_buttons.HELD, usb_buttons.HAS) == (
        0x81004506,
        0x81004507,
        0x80604518,
        0x80604521,
    )
    assert (usb_buttons.GRAB, usb_buttons.CLOCK) == (0x40044590, 0x400445A0)


def test_kernel_events_are_parsed() -> None:
    # recorded from a box: scan code of its button, BTN_TRIGGER (288) down, end of the report
    told = bytes.fromhex(
        "1e00000000000000 a086010000000000 0400 0400 01000900"
        "1e00000000000000 a086010000000000 0100 2001 01000000"
        "1e00000000000000 a086010000000000 0000 0000 00000000"
        "1f00000000000000 0100000000000000 0100 2001 00000000"
        # a repeating key was pressed once; lost events are reported
        "2000000000000000 0000000000000000 0100 1e00 02000000"
        "2100000000000000 0000000000000000 0000 0300 00000000"
    )
    assert list(usb_buttons.changes_in(told)) == [
        usb_buttons.KeyChange(288, 30.1, is_down=True),
        usb_buttons.KeyChange(288, 31.000001, is_down=False),
        usb_buttons.EventsLost(33.0),
    ]
    for malformed in (b"", b"\x00" * 23, b"\xff" * 24, b"\xff" * 500):
        assert list(usb_buttons.changes_in(malformed)) == []


def test_devices_are_listed_in_kernel_order(tmp_path: Path) -> None:
    for name in ("event10", "event2", "mouse0", "eventful", "js0"):
        (tmp_path / name).touch()
    devices = usb_buttons.InputDevices(tmp_path)
    assert [file.name for file in devices.files()] == ["eventful", "event2", "event10"]
    before = devices.files()[tmp_path / "event2"]
    (tmp_path / "event2").unlink()
    (tmp_path / "newer").touch()
    (tmp_path / "newer").rename(tmp_path / "event2")
    assert devices.files()[tmp_path / "event2"] != before
    assert usb_buttons.InputDevices(tmp_path / "none").files() == {}


def test_box_gets_our_clock_before_it_is_grabbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changing the clock drops the kernel's unread events; later presses must not be lost."""
    waiting = list[str]()

    def answer(_handle: int, request: int, _value: object) -> None:
        if request == usb_buttons.GRAB:
            waiting.append("a press")
        else:
            assert request == usb_buttons.CLOCK
            waiting.clear()

    monkeypatch.setattr("fcntl.ioctl", answer)
    usb_buttons.InputDevices().take(3)
    assert waiting == ["a press"]

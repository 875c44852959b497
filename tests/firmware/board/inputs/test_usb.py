"""Buttons by USB, and the kernel that tells of them: pipes stand for its devices."""

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
from hardware.board.board import Key, Trouble
from hardware.board.usb_box import UsbBox, UsbButton, usb_keys
from tests.firmware.board.inputs.matches import new_match
from tests.firmware.board.inputs.piped_inputs import KEY, MOUSE_MOVES, REPEATS, PipedInputs

# usb buttons


BOX, TWIN = UsbBox("Box", "usb-1.1/input0"), UsbBox("Box", "usb-1.2/input0")
BUTTONS = (
    UsbButton(BOX, 288, 0),
    UsbButton(BOX, 289, 1),
    UsbButton(TWIN, 288, 2),
    UsbButton(BOX, 290, 0, "second"),
)
ANA, BO, CLEO = (Key("call", seat) for seat in range(3))


class Table:
    """A table with two boxes, whose clock a test moves on."""

    def __init__(self) -> None:
        self.now = 100.0
        self.edges: list[Edge] = []
        self.told: list[tuple[UsbBox, str]] = []
        self.inputs = PipedInputs()
        self.box, self.twin = self.inputs.plug_in(BOX), self.inputs.plug_in(TWIN)
        self.reader = UsbReader(BUTTONS, self.edges.append, self._report, self.inputs, lambda: self.now)
        self.turn()

    def _report(self, box: UsbBox, wrong: Trouble | None) -> None:
        self.told.append((box, "" if wrong is None else wrong.key))

    def turn(self) -> list[tuple[Key, bool]]:
        """Hear what was told by now; give the edges that came of it."""
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


def test_a_press_is_an_edge_with_the_kernels_stamp_of_the_seat_whose_button_it_is(table: Table) -> None:
    table.box.press(50.25, 288)
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
    assert table.inputs.taken == [BOX, TWIN]
    assert table.told == []


def test_what_is_no_press_is_none(table: Table) -> None:
    table.box.press(50, 300)
    table.box.tell(50, MOUSE_MOVES, (KEY, 288, REPEATS))
    table.box.release(50, 288)
    assert table.turn() == []
    # held from before: it isn't pressed by being let go, nor again by another report
    table.box.press(51, 288)
    table.box.press(51, 288)
    assert table.turn() == [(ANA, True)]


def test_presses_of_one_report_are_a_tie_and_the_game_decides(table: Table) -> None:
    match, button_input = new_match(), ButtonInput(NO_BOARD, usb_keys(BUTTONS))
    table.box.press(50.0, 288, 289)
    table.turn()
    events = [event for edge in table.edges for event in button_input.feed(edge, match)]
    events += button_input.look(51.0, match)
    (said,) = [event for event in events if isinstance(event, BoardAnswers)]
    assert {answer.seat for answer in said.answers} == {0, 1}


def test_a_box_that_is_pulled_out_lets_its_buttons_go_is_told_and_comes_back(table: Table) -> None:
    table.box.press(50, 288)
    table.twin.press(50, 288)
    table.turn()
    table.inputs.pull_out(table.box)
    assert table.turn() == [(ANA, False)]
    assert table.told == [(BOX, "usb box gone")]
    table.twin.release(51, 288)
    assert table.turn() == [(CLEO, False)]
    table.look_again()
    # in another socket it is known again
    again = table.inputs.plug_in(UsbBox("Box", "usb-1.4/input0"))
    table.look_again()
    assert table.told == [(BOX, "usb box gone"), (BOX, "")]
    again.press(60, 289)
    assert table.turn() == [(BO, True)]


def test_a_box_that_changes_between_two_looks_is_taken_anew(table: Table) -> None:
    table.inputs.pull_out(table.box)
    table.box = table.inputs.plug_in(BOX)
    table.look_again()
    table.box.press(60, 288)
    assert table.turn() == [(ANA, True)]
    assert table.inputs.taken == [BOX, TWIN, BOX]


def test_events_that_the_kernel_lost_are_caught_up_with(table: Table) -> None:
    table.box.press(50, 288)
    assert table.turn() == [(ANA, True)]
    table.box.held = {289}
    table.box.lose_events(51)
    assert table.turn() == [(ANA, False), (BO, True)]
    assert [edge.at for edge in table.edges] == [50, 51, 51]


def test_a_box_gone_mad_is_heard_as_seldom_as_a_bad_contact_and_ends_up_let_go(table: Table) -> None:
    for number in range(4 * NOISE_EDGES):
        (table.box.release if number % 2 else table.box.press)(50 + number / 100_000, 288)
        table.turn()
    heard = [edge.is_down for edge in table.edges]
    assert NOISE_EDGES // 2 <= len(heard) <= NOISE_EDGES + 1
    assert heard[-1] is False
    table.box.press(60, 288)
    assert table.turn() == [(ANA, True)]


@pytest.mark.parametrize("key", ["usb box taken", "usb box denied"])
def test_why_a_box_is_not_heard_is_told_once_and_that_it_is_again(table: Table, key: str) -> None:
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


def test_while_buttons_are_learned_presses_answer_nothing_and_strangers_are_heard(table: Table) -> None:
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
    # a button that was down is let go all the same
    assert table.turn() == [(ANA, False)]
    assert sorted(heard) == [("Box", 289), ("New", 30)]
    assert table.inputs.taken == [BOX, TWIN]
    table.reader.learn(None)
    table.turn()
    stranger.press(53, 31)
    table.box.press(53, 288)
    assert table.turn() == [(ANA, True)]
    assert len(heard) == 2


def test_parts_of_one_box_that_share_their_name_and_socket_are_told_apart_by_their_order() -> None:
    inputs, heard = PipedInputs(), list[Edge]()
    second = UsbBox(BOX.name, f"{BOX.phys}#2")
    left, right = inputs.plug_in(BOX), inputs.plug_in(BOX)
    buttons = (UsbButton(BOX, 288, 0), UsbButton(second, 288, 1))
    reader = UsbReader(buttons, heard.append, lambda _box, _wrong: None, inputs, lambda: 1.0)
    reader.turn(0)
    right.press(5, 288)
    reader.turn(0)
    left.press(6, 288)
    reader.turn(0)
    assert [edge.wire for edge in heard] == [BO, ANA]
    reader.close()


def test_in_its_thread_it_hears_until_it_is_closed() -> None:
    inputs, heard, told = PipedInputs(), SimpleQueue[Edge](), SimpleQueue[UsbBox]()
    box = inputs.plug_in(BOX)
    buttons = UsbButtons(UsbReader(BUTTONS, heard.put, lambda missing, _wrong: told.put(missing), inputs))
    assert told.get() == TWIN
    box.press(5, 288)
    assert heard.get() == Edge(ANA, 5.0, is_down=True)
    buttons.close()
    let_go = heard.get()
    assert (let_go.wire, let_go.is_down) == (ANA, False)


def test_a_reader_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    told = SimpleQueue[tuple[UsbBox, Trouble | None]]()

    def fail(_reader: UsbReader, _wait: float) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(UsbReader, "turn", fail)
    buttons = UsbButtons(UsbReader(BUTTONS, lambda _edge: None, lambda *wrong: told.put(wrong), PipedInputs()))
    box, wrong = told.get()
    assert (box, wrong) == (BOX, Trouble("usb box failed", {"box": "Box", "seats": "1, 2", "why": "broken"}))
    buttons.close()


# input devices


def test_requests_have_the_kernels_numbers() -> None:
    # as a C program prints EVIOCGNAME(256), EVIOCGPHYS(256), EVIOCGKEY(96), EVIOCGBIT(EV_KEY, 96) ...
    assert (usb_buttons.NAME, usb_buttons.PHYS, usb_buttons.HELD, usb_buttons.HAS) == (
        0x81004506,
        0x81004507,
        0x80604518,
        0x80604521,
    )
    assert (usb_buttons.GRAB, usb_buttons.CLOCK) == (0x40044590, 0x400445A0)


def test_what_a_kernel_told_is_read() -> None:
    # as it was read from a box: its button's scan code, then BTN_TRIGGER (288) down and the end of the report
    told = bytes.fromhex(
        "1e00000000000000 a086010000000000 0400 0400 01000900"
        "1e00000000000000 a086010000000000 0100 2001 01000000"
        "1e00000000000000 a086010000000000 0000 0000 00000000"
        "1f00000000000000 0100000000000000 0100 2001 00000000"
        # a key that repeats itself was pressed once, and lost events are told
        "2000000000000000 0000000000000000 0100 1e00 02000000"
        "2100000000000000 0000000000000000 0000 0300 00000000"
    )
    assert list(usb_buttons.changes_in(told)) == [
        usb_buttons.KeyChange(288, 30.1, is_down=True),
        usb_buttons.KeyChange(288, 31.000001, is_down=False),
        usb_buttons.EventsLost(33.0),
    ]


@pytest.mark.parametrize("told", [b"", b"\x00" * 23, b"\xff" * 24, b"\xff" * 500])
def test_what_is_no_event_is_no_press(told: bytes) -> None:
    assert list(usb_buttons.changes_in(told)) == []


def test_devices_are_listed_in_the_kernels_order(tmp_path: Path) -> None:
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


def test_a_box_gets_our_clock_before_it_is_ours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel drops what waits to be read when the clock changes; what is pressed from then on isn't lost."""
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

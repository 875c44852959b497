"""USB buttons on kernel input devices: pressed, grabbed, unplugged; and the companion."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic, sleep
from typing import Any

import msgspec

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.usb_buttons import EVENT, INPUTS, InputDevices, UsbButtons, UsbReader
from firmware.board_events import BoardEvent, Edge
from firmware.start.supervisor import PROGRAM
from firmware.storage.wired_board import KEPT_BUTTONS, NO_BOARD
from hardware.board.board import Key
from hardware.board.usb_box import UsbBox, UsbButton, UsbButtonList
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.match import Setup, begin
from tests.given import allowed
from tests.hil.figures import SLOW, end, print_count, print_figure, read_log, spread, until
from tests.hil.hands import HELD, spin
from tests.hil.replay import answered
from vision.troubles import Problem

NAMES = ("Ana", "Bo", "Cleo", "Dan", "Eva", "Finn")
NAME = "Zero Delay Encoder"
PAIRS, FLOOD = 300, 500
APART = 0.001  # seconds between two presses
STATE = Path("/run/usb")
FIRST = 0x120  # the first button of a joystick

UINPUT = Path("/dev/uinput")
SET_EVENTS, SET_KEYS, SET_PHYS = 0x40045564, 0x40045565, 0x4008556C
SETUP, CREATE, DESTROY = 0x405C5503, 0x5501, 0x5502  # requests of linux/uinput.h


class PluggedBox:
    """A box with six buttons, like a USB device to the kernel."""

    def __init__(self, phys: str, name: str = NAME) -> None:
        self.box = UsbBox(name, phys)
        self._handle = os.open(UINPUT, os.O_WRONLY)
        fcntl.ioctl(self._handle, SET_EVENTS, 1)
        for code in range(FIRST, FIRST + len(NAMES)):
            fcntl.ioctl(self._handle, SET_KEYS, code)
        fcntl.ioctl(self._handle, SET_PHYS, phys.encode() + b"\0")
        about = (3).to_bytes(2, "little") + bytes(6) + name.encode().ljust(80, b"\0") + bytes(4)
        fcntl.ioctl(self._handle, SETUP, about)
        fcntl.ioctl(self._handle, CREATE)

    def change(self, *places: int, is_down: bool) -> float:
        """Press or release buttons in one report; return the time just before."""
        events = [(1, FIRST + place, int(is_down)) for place in places]
        report = b"".join(EVENT.pack(0, 0, *event) for event in (*events, (0, 0, 0)))
        before = monotonic()
        os.write(self._handle, report)
        return before

    def tap(self, place: int) -> None:
        self.change(place, is_down=True)
        sleep(HELD)
        self.change(place, is_down=False)

    def pull_out(self) -> None:
        fcntl.ioctl(self._handle, DESTROY)
        os.close(self._handle)


def buttons_of(*boxes: PluggedBox) -> UsbButtonList:
    """Assign buttons to seats, alternating between two boxes."""
    return tuple(
        UsbButton(boxes[seat % len(boxes)].box, FIRST + seat // len(boxes), seat) for seat in range(len(NAMES))
    )


class Listening:
    """The buttons, with their reports."""

    def __init__(self, buttons: UsbButtonList) -> None:
        self.edges: SimpleQueue[Edge] = SimpleQueue()
        self.wrong: dict[UsbBox, Problem | None] = {}
        self.buttons = UsbButtons(UsbReader(buttons, self.edges.put, self.wrong.__setitem__))

    def take(self, count: int) -> list[Edge]:
        return [self.edges.get(timeout=SLOW) for _edge in range(count)]

    def key_of(self, box: UsbBox) -> str:
        wrong = self.wrong.get(box)
        return "" if wrong is None else wrong.key


@contextmanager
def listening(buttons: UsbButtonList, *boxes: PluggedBox) -> Iterator[Listening]:
    heard = Listening(buttons)
    try:
        for box in boxes:
            until("a box is taken", lambda box=box: is_taken(box))
        yield heard
    finally:
        heard.buttons.close()


def is_taken(box: PluggedBox) -> bool:
    devices = InputDevices()
    for file in devices.files():
        handle = devices.open(file)
        try:
            if devices.box(handle) == box.box:
                devices.take(handle)
                return False
        except OSError:
            return True
        finally:
            os.close(handle)
    return False


def order(boxes: Sequence[PluggedBox], rng: Random) -> None:
    """Press pairs on two boxes; the loop handles the later press first."""
    right, late = 0, list[float]()
    with listening(buttons_of(*boxes), *boxes) as heard:
        for _pair in range(PAIRS):
            seats = rng.sample(range(len(NAMES)), 2)
            begun = []
            for seat in seats:
                begun.append(boxes[seat % 2].change(seat // 2, is_down=True))
                spin(monotonic() + APART)
            downs = heard.take(2)
            stamps = sorted(edge.at for edge in downs)
            late += [at - before for at, before in zip(stamps, begun, strict=True)]
            right += said(downs) == seats
            for seat in seats:
                boxes[seat % 2].change(seat // 2, is_down=False)
            heard.take(2)
        print_count(f"pairs {1000 * APART:.0f} ms apart on two boxes, in the right order", right, PAIRS)
        print_figure("box -> kernel's stamp", spread(late), "median 0.1 ms")
        print_count("stamps that are of our clock", sum(each >= 0 for each in late), 2 * PAIRS)


def said(edges: Sequence[Edge]) -> list[int | None]:
    """Handle edges in reverse order; return the answering seats in their order."""
    match = allowed(begin(Setup(COYOTE, House(), NAMES)))
    hands, events = ButtonInput(NO_BOARD, [Key("call", seat) for seat in range(len(NAMES))]), list[BoardEvent]()
    for edge in sorted(edges, key=lambda edge: -edge.at):
        events += hands.feed(edge, match)
    events += hands.look(max(edge.at for edge in edges) + 1, match)
    return answered(events)


def alone(box: PluggedBox) -> None:
    """Grab a box exclusively; nobody else reads it, and a second reader is reported."""
    devices = InputDevices()
    handles = {os.open(file, os.O_RDONLY | os.O_NONBLOCK): file for file in INPUTS.glob("event*")}
    (stranger,) = (handle for handle in handles if devices.box(handle) == box.box)
    for handle in handles.keys() - {stranger}:
        os.close(handle)
    with listening(buttons_of(box), box) as heard:
        box.tap(0)
        heard.take(2)
        told = b""
        with suppress(BlockingIOError):
            told = os.read(stranger, 4096)
        print_count("boxes that nobody else hears", int(not told), 1)
        other = Listening(buttons_of(box))
        until("a second table is told", lambda: other.key_of(box.box) == "usb box taken")
        other.buttons.close()
    box.tap(0)
    print_count("after us it is everybody's again", len(os.read(stranger, 4096)), 96)
    os.close(stranger)


def unplugged(box: PluggedBox) -> None:
    buttons, came_back = buttons_of(box), 0
    with listening(buttons, box) as heard:
        for phys in (box.box.phys, "usb-0000:01:00.0-1.4/input0", box.box.phys):
            box.change(2, is_down=True)
            assert heard.take(1)[0].is_down
            box.pull_out()
            came_back += not heard.take(1)[0].is_down
            until("it is missed", lambda: heard.key_of(buttons[0].box) == "usb box gone")
            box = PluggedBox(phys)
            until("it is there again", lambda: heard.key_of(buttons[0].box) == "")
            box.tap(5)
            came_back += [edge.wire.seat for edge in heard.take(2)] == [5, 5]
    print_count("boxes pulled out and plugged in again, once elsewhere", came_back, 6)
    box.pull_out()


def lost(box: PluggedBox) -> None:
    """Overflow the kernel's unread queue; the final state of the buttons is known."""
    edges = list[Edge]()
    reader = UsbReader(buttons_of(box), edges.append, lambda _box, _wrong: None)
    reader.turn(0)
    for number in range(FLOOD):
        box.change(number % 3, is_down=number % 2 == 0)
    box.change(4, is_down=True)
    for _turn in range(FLOOD):
        reader.turn(0)
    down = {edge.wire.seat: edge.is_down for edge in edges}
    reader.close()
    for place in range(len(NAMES)):
        box.change(place, is_down=False)
    print_count("after lost events it is known what is down", int(down.get(4, False)), 1)
    print_count("events were lost", int(len(edges) < FLOOD), 1)


def companion(box: PluggedBox, other: PluggedBox) -> None:
    (STATE / "board.json").write_text('{"profile": "none", "stage": "confirmed"}')
    surroundings = {**os.environ, "STATE_DIRECTORY": str(STATE), "LOGS_DIRECTORY": str(STATE)}
    words = f"run --twin --bots 0 --seats Ana,Bo,Cleo --port 0 --journal {STATE / 'j'}"
    command, nothing = [sys.executable, "-c", PROGRAM, *words.split()], subprocess.DEVNULL
    with subprocess.Popen(command, env=surroundings, stdin=nothing, stdout=nothing, stderr=nothing) as table:
        try:
            until("the table has its boxes", lambda: is_taken(box) and is_taken(other))
            until("it asks who opens", lambda: entries(0))
            other.tap(0)
            until("it hears who opens", lambda: entries(1))
            told = msgspec.json.decode(entries(1)[0]["entry"])
        finally:
            table.terminate()
    print_count("the companion hears seat 2 by its box", int((told["seat"], told["sense"]) == (1, "button")), 1)


def entries(number: int) -> list[dict[str, Any]]:
    notes = (note for note in read_log(STATE / "coyote.jsonl") if note["what"] == "moment")
    return [note for note in notes if note["number"] == number]


def try_all() -> None:
    STATE.mkdir()
    box, other = (PluggedBox(f"usb-0000:01:00.0-1.{socket}/input0") for socket in (1, 2))
    KEPT_BUTTONS.keep(STATE, buttons_of(box, other))
    order((box, other), Random(1))
    alone(box)
    lost(box)
    companion(box, other)
    other.pull_out()
    unplugged(box)
    end()


if __name__ == "__main__":
    try_all()

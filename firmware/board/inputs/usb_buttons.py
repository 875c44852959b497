"""Buttons of USB devices: arcade encoders, quiz buzzers, separate keyboards.

A box is grabbed while it is plugged in, so that its buttons type nowhere else. It may be unplugged and plugged
in at any time.

Request numbers and layouts of the input devices (/dev/input/event*) are those of linux/input.h and
linux/input-event-codes.h for 64-bit systems.
"""

import fcntl
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from struct import Struct as Layout
from threading import Thread
from time import CLOCK_MONOTONIC, monotonic

from msgspec import Struct, field

from firmware.board.inputs.buttons import NoiseGate
from firmware.board_events import Edge
from hardware.board.usb_box import UsbBox, UsbButtonList, seats_on, usb_boxes, which_is_which
from vision.troubles import Problem

INPUTS = Path("/dev/input")
EVENT = Layout("@llHHi")  # seconds, microseconds, type, code, value
SYN, KEY = 0x00, 0x01  # types of events: what holds events together, and keys and buttons
DROPPED = 3  # SYN_DROPPED: the kernel lost events
UP, DOWN = 0, 1
KEYS = 0x300  # number of key and button codes
NAME_BYTES = 256  # bytes of a device name
EVENTS_PER_READ = 64  # events per read


def _read_request(number: int, size: int) -> int:
    """Return an ioctl number that reads `size` bytes from the kernel."""
    return 2 << 30 | size << 16 | ord("E") << 8 | number


def _write_request(number: int) -> int:
    """Return an ioctl number that writes an int to the kernel."""
    return 1 << 30 | 4 << 16 | ord("E") << 8 | number


NAME, PHYS = _read_request(0x06, NAME_BYTES), _read_request(0x07, NAME_BYTES)
HELD, HAS = _read_request(0x18, KEYS // 8), _read_request(0x20 + KEY, KEYS // 8)
"""Requests for the keys that are down, and for those that exist."""
GRAB, CLOCK = _write_request(0x90), _write_request(0xA0)


class KeyChange(Struct, frozen=True, gc=False):
    """A button that went down or up, with the kernel's timestamp in seconds of the monotonic clock."""

    code: int
    at: float
    is_down: bool


class EventsLost(Struct, frozen=True, gc=False):
    """The kernel's event queue overflowed."""

    at: float


def changes_in(raw: bytes) -> Iterator[KeyChange | EventsLost]:
    """Yield presses, releases and lost events from raw events; key repeats are skipped."""
    whole = len(raw) // EVENT.size * EVENT.size
    for seconds, micros, kind, code, value in EVENT.iter_unpack(raw[:whole]):
        at = seconds + micros / 1_000_000
        if kind == KEY and value in {UP, DOWN}:
            yield KeyChange(code, at, value == DOWN)
        elif kind == SYN and code == DROPPED:
            yield EventsLost(at)


class InputDevices:
    """The input devices of this computer."""

    def __init__(self, folder: Path = INPUTS) -> None:
        self._folder = folder

    def files(self) -> Mapping[Path, object]:
        """Return the event devices in the kernel's order, each with a mark that changes if it is replaced."""
        found: dict[Path, object] = {}
        for file in sorted(self._folder.glob("event*"), key=_number):
            with suppress(OSError):
                about = file.stat()
                found[file] = about.st_ino, about.st_ctime_ns
        return found

    def open(self, file: Path) -> int:
        return os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def box(self, handle: int) -> UsbBox | None:
        """Return the box of an open device; None if it has no buttons."""
        if not any(fcntl.ioctl(handle, HAS, bytes(KEYS // 8))):
            return None
        return UsbBox(_text(handle, NAME), _text(handle, PHYS))

    def take(self, handle: int) -> None:
        """Grab a device, so that it types nowhere else, and use the monotonic clock for its timestamps."""
        # set the clock first: changing it drops unread events
        self.use_our_clock(handle)
        fcntl.ioctl(handle, GRAB, 1)

    def use_our_clock(self, handle: int) -> None:
        fcntl.ioctl(handle, CLOCK, CLOCK_MONOTONIC.to_bytes(4, "little"))

    def held(self, handle: int) -> frozenset[int]:
        bits = int.from_bytes(fcntl.ioctl(handle, HELD, bytes(KEYS // 8)), "little")
        return frozenset(code for code in range(KEYS) if bits >> code & 1)


def _number(file: Path) -> int:
    number = file.name.removeprefix("event")
    return int(number) if number.isdecimal() else -1


def _text(handle: int, request: int) -> str:
    """Read a text property; empty if the device has none."""
    try:
        raw = fcntl.ioctl(handle, request, bytes(NAME_BYTES))
    except OSError:
        return ""
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


# input devices with buttons; each is identified once


class PluggedIn:
    """The plugged-in devices."""

    def __init__(self, inputs: InputDevices) -> None:
        self._inputs = inputs
        self._asked: dict[Path, tuple[object, UsbBox | None]] = {}
        self.is_denied = False
        """Whether a device exists that we may not open."""

    def look(self) -> Mapping[Path, UsbBox]:
        files = self._inputs.files()
        self._asked = {file: asked for file, asked in self._asked.items() if files.get(file) == asked[0]}
        self.is_denied = False
        return dict(_told_apart((file, self._ask(file, mark)) for file, mark in files.items()))

    def mark(self, file: Path) -> object:
        return self._asked[file][0]

    def _ask(self, file: Path, mark: object) -> UsbBox | None:
        if file not in self._asked:
            try:
                handle = self._inputs.open(file)
            except OSError as error:
                # a device that has just been removed is fine, one we may not read is not
                self.is_denied |= isinstance(error, PermissionError)
                return None
            try:
                self._asked[file] = mark, self._inputs.box(handle)
            except OSError:
                return None
            finally:
                os.close(handle)
        return self._asked[file][1]


def _told_apart(found: Iterator[tuple[Path, UsbBox | None]]) -> Iterator[tuple[Path, UsbBox]]:
    """Number the parts of a box that share a name and a socket, in the kernel's order."""
    counts = Counter[UsbBox]()
    for file, box in found:
        if box is not None:
            counts[box] += 1
            yield file, box if counts[box] == 1 else UsbBox(box.name, f"{box.phys}#{counts[box]}")


# boxes and their buttons


SCAN_INTERVAL = 1.0  # seconds between checks for plugged-in devices


class OpenBox(Struct):
    """An open box; buttons that are down when it is opened are not presses."""

    handle: int
    box: UsbBox
    mark: object
    down: set[int] = field(default_factory=set)


class UsbReader:
    """Reads all boxes; call `turn` in a loop. `put` receives edges, `report` receives problems."""

    def __init__(
        self,
        buttons: UsbButtonList,
        put: Callable[[Edge], None],
        report: Callable[[UsbBox, Problem | None], None],
        inputs: InputDevices | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._keys = {(button.box, button.code): button.key for button in buttons}
        self._seats = {box: seats_on(box, buttons) for box in usb_boxes(buttons)}
        self._put, self._report, self._clock = put, report, clock
        self._inputs = inputs or InputDevices()
        self._gate, self._selector = NoiseGate(), DefaultSelector()
        self._plugged_in = PluggedIn(self._inputs)
        self._open: dict[Path, OpenBox] = {}
        self._refused: dict[UsbBox, str] = {}
        self._wrong: dict[UsbBox, Problem | None] = {}
        self._look_at = clock()
        self._learn: Callable[[UsbBox, int], None] | None = None
        self._woken, self._wake = os.pipe()
        self._selector.register(self._woken, EVENT_READ)

    def learn(self, heard: Callable[[UsbBox, int], None] | None) -> None:
        """Pass every press to a listener, those of unknown boxes included; None ends this."""
        self._learn = heard
        self.wake()

    def wake(self) -> None:
        os.write(self._wake, b".")

    def turn(self, wait: float) -> None:
        """Check for new devices when due, and read events until then or for `wait` seconds."""
        if self._clock() >= self._look_at:
            self._look()
        for ready, _events in self._selector.select(min(wait, max(0.0, self._look_at - self._clock()))):
            if ready.data is None:
                os.read(self._woken, EVENTS_PER_READ)
                self._look_at = self._clock()
            elif ready.data in self._open:
                self._read(ready.data)

    def fail(self, error: Exception) -> None:
        """Report for each box that its buttons no longer work."""
        for box, seats in self._seats.items():
            why = str(error) or type(error).__name__
            self._report(box, Problem("usb box failed", {"box": box.name, "seats": seats, "why": why}))

    def close(self) -> None:
        for file in list(self._open):
            self._let_go(file)
        self._selector.close()
        for handle in (self._woken, self._wake):
            os.close(handle)

    # plugged-in devices

    def _look(self) -> None:
        self._look_at = self._clock() + SCAN_INTERVAL
        # don't open devices of tables without USB buttons
        present = self._plugged_in.look() if self._seats or self._learn is not None else {}
        for file, opened in list(self._open.items()):
            if file not in present or self._plugged_in.mark(file) != opened.mark:
                self._let_go(file)
        ours = which_is_which(self._seats, present.values())
        for file, box in present.items():
            is_wanted = box in ours or self._learn is not None
            if is_wanted and file not in self._open:
                self._take(file, box, ours.get(box))
            elif not is_wanted and file in self._open:
                self._let_go(file)
        self._tell_missing()

    def _take(self, file: Path, box: UsbBox, ours: UsbBox | None) -> None:
        """Open a box; our own are grabbed, others only read."""
        try:
            handle = self._inputs.open(file)
            try:
                (self._inputs.use_our_clock if ours is None else self._inputs.take)(handle)
            except OSError:
                os.close(handle)
                raise
        except OSError as error:
            if ours is not None:
                self._refused[ours] = error.strerror or str(error)
            return
        self._open[file] = OpenBox(handle, ours or box, self._plugged_in.mark(file))
        self._selector.register(handle, EVENT_READ, file)

    def _let_go(self, file: Path) -> None:
        opened = self._open.pop(file)
        self._selector.unregister(opened.handle)
        os.close(opened.handle)
        for code in sorted(opened.down):
            self._put(Edge(self._keys[opened.box, code], self._clock(), is_down=False))

    def _tell_missing(self) -> None:
        """Report each box once when it is missing, and once when it is back."""
        there = {opened.box for opened in self._open.values()}
        for box in self._seats:
            wrong = None if box in there else self._trouble(box)
            self._refused.pop(box, None)
            if self._wrong.get(box) != wrong:
                self._report(box, wrong)
            self._wrong[box] = wrong

    def _trouble(self, box: UsbBox) -> Problem:
        values = {"box": box.name, "seats": self._seats[box]}
        if box in self._refused:
            return Problem("usb box taken", {**values, "why": self._refused[box]})
        return Problem("usb box denied" if self._plugged_in.is_denied else "usb box gone", values)

    # events

    def _read(self, file: Path) -> None:
        opened = self._open[file]
        try:
            raw = os.read(opened.handle, EVENTS_PER_READ * EVENT.size)
            for change in changes_in(raw):
                if isinstance(change, EventsLost):
                    # read the current state of the buttons after events were lost
                    held = self._inputs.held(opened.handle)
                    for code in sorted(held | opened.down):
                        self._hear(opened, KeyChange(code, change.at, is_down=code in held))
                else:
                    self._hear(opened, change)
        except BlockingIOError:
            return
        except OSError:
            raw = b""
        if not raw:
            # the box was unplugged
            self._let_go(file)
            self._look_at = self._clock()

    def _hear(self, opened: OpenBox, change: KeyChange) -> None:
        learn = self._learn
        if change.is_down and learn is not None:
            learn(opened.box, change.code)
            return
        key = self._keys.get((opened.box, change.code))
        if key is None or change.is_down == (change.code in opened.down):
            return
        edge = Edge(key, change.at, change.is_down)
        # a release always passes, so that no button stays down
        if self._gate.is_noise(edge) and edge.is_down:
            return
        (opened.down.add if edge.is_down else opened.down.discard)(change.code)
        self._put(edge)


class UsbButtons:
    """Runs a reader in its own thread."""

    def __init__(self, reader: UsbReader) -> None:
        self._reader, self._is_closing = reader, False
        self.learn = self._reader.learn
        self._thread = Thread(target=self._run, name="usb buttons", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._is_closing:
                self._reader.turn(SCAN_INTERVAL)
        except Exception as error:  # noqa: BLE001 - buttons that have died in silence would look like people who wait
            self._reader.fail(error)

    def close(self) -> None:
        self._is_closing = True
        self._reader.wake()
        self._thread.join()
        self._reader.close()

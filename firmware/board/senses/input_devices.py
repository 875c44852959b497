"""The kernel's input devices (/dev/input/event*): who they are, their keys, their events with the stamps.

Numbers and layouts are those of linux/input.h and linux/input-event-codes.h for 64-bit systems.
"""

import fcntl
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from struct import Struct as Layout
from time import CLOCK_MONOTONIC

from msgspec import Struct

from hardware.board.usb_box import UsbBox

INPUTS = Path("/dev/input")
EVENT = Layout("@llHHi")  # seconds, microseconds, type, code, value
SYN, KEY = 0x00, 0x01  # types of events: what holds events together, and keys and buttons
DROPPED = 3  # the code by which the kernel says that events got lost
UP, DOWN = 0, 1
KEYS = 0x300  # how many codes there are of keys and buttons
LONGEST = 256  # bytes of a name
AT_ONCE = 64  # events that are read in one piece


def _read_request(number: int, size: int) -> int:
    """Give the number of a request by which the kernel writes so many bytes to us."""
    return 2 << 30 | size << 16 | ord("E") << 8 | number


def _write_request(number: int) -> int:
    """Give the number of a request by which the kernel takes an int from us."""
    return 1 << 30 | 4 << 16 | ord("E") << 8 | number


NAME, PHYS = _read_request(0x06, LONGEST), _read_request(0x07, LONGEST)
HELD, HAS = _read_request(0x18, KEYS // 8), _read_request(0x20 + KEY, KEYS // 8)
"""Which keys are down now, and which there are."""
GRAB, CLOCK = _write_request(0x90), _write_request(0xA0)


class KeyChange(Struct, frozen=True, gc=False):
    """A button that went down or up, and the kernel's stamp, in seconds of the monotonic clock."""

    code: int
    at: float
    is_down: bool


class EventsLost(Struct, frozen=True, gc=False):
    """The kernel's queue was too short for what came."""

    at: float


def changes_in(told: bytes) -> Iterator[KeyChange | EventsLost]:
    """Read what the kernel tells: presses and releases; a key that repeats itself was pressed once."""
    whole = len(told) // EVENT.size * EVENT.size
    for seconds, micros, kind, code, value in EVENT.iter_unpack(told[:whole]):
        at = seconds + micros / 1_000_000
        if kind == KEY and value in {UP, DOWN}:
            yield KeyChange(code, at, value == DOWN)
        elif kind == SYN and code == DROPPED:
            yield EventsLost(at)


class InputDevices:
    """The input devices of this computer, by their files."""

    def __init__(self, folder: Path = INPUTS) -> None:
        self._folder = folder

    def files(self) -> Mapping[Path, object]:
        """List those that tell events, in the kernel's order, each with what changes when it is another one."""
        found: dict[Path, object] = {}
        for file in sorted(self._folder.glob("event*"), key=_number):
            with suppress(OSError):
                about = file.stat()
                found[file] = about.st_ino, about.st_ctime_ns
        return found

    def open(self, file: Path) -> int:
        return os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def box(self, handle: int) -> UsbBox | None:
        """Return which box an open device is; None if it has no buttons."""
        if not any(fcntl.ioctl(handle, HAS, bytes(KEYS // 8))):
            return None
        return UsbBox(_text(handle, NAME), _text(handle, PHYS))

    def take(self, handle: int) -> None:
        """Have a device alone: what is pressed there is typed nowhere else. Its stamps are of our clock."""
        fcntl.ioctl(handle, GRAB, 1)
        self.use_our_clock(handle)

    def use_our_clock(self, handle: int) -> None:
        fcntl.ioctl(handle, CLOCK, CLOCK_MONOTONIC.to_bytes(4, "little"))

    def held(self, handle: int) -> frozenset[int]:
        bits = int.from_bytes(fcntl.ioctl(handle, HELD, bytes(KEYS // 8)), "little")
        return frozenset(code for code in range(KEYS) if bits >> code & 1)


def _number(file: Path) -> int:
    number = file.name.removeprefix("event")
    return int(number) if number.isdecimal() else -1


def _text(handle: int, request: int) -> str:
    """Ask for a text; a device that has none is asked in vain."""
    try:
        told = fcntl.ioctl(handle, request, bytes(LONGEST))
    except OSError:
        return ""
    return told.partition(b"\0")[0].decode("utf-8", "replace")


# which input devices with buttons are plugged in, each asked once who it is


class PluggedIn:
    """The devices that are there."""

    def __init__(self, inputs: InputDevices) -> None:
        self._inputs = inputs
        self._asked: dict[Path, tuple[object, UsbBox | None]] = {}
        self.is_denied = False
        """Whether there is one that we may not open."""

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
                # one that has just gone is no trouble, one that we may not read is
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
    """Count the parts of one box that have the same name in the same socket, in the kernel's order."""
    counts = Counter[UsbBox]()
    for file, box in found:
        if box is not None:
            counts[box] += 1
            yield file, box if counts[box] == 1 else UsbBox(box.name, f"{box.phys}#{counts[box]}")

"""Simulated USB boxes: a test writes kernel events into a pipe for each box."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from firmware.board.inputs.usb_buttons import DOWN, DROPPED, EVENT, KEY, SYN, UP
from hardware.board.usb_box import UsbBox

MOUSE_MOVES, KEY_REPEAT = (2, 0, 5), 2
"""A mouse event (type, code, value), and the value of a key repeat."""


class PipedBox:
    """A connected box."""

    def __init__(self, box: UsbBox | None) -> None:
        self.box = box
        self.reads, self.writes = os.pipe()
        os.set_blocking(self.reads, False)
        self.held: set[int] = set()

    def tell(self, at: float, *events: tuple[int, int, int]) -> None:
        seconds, micros = divmod(round(at * 1_000_000), 1_000_000)
        told = b"".join(EVENT.pack(seconds, micros, *event) for event in (*events, (SYN, 0, 0)))
        os.write(self.writes, told)

    def press(self, at: float, *codes: int) -> None:
        self.held |= set(codes)
        self.tell(at, *((KEY, code, DOWN) for code in codes))

    def release(self, at: float, *codes: int) -> None:
        self.held -= set(codes)
        self.tell(at, *((KEY, code, UP) for code in codes))

    def lose_events(self, at: float) -> None:
        self.tell(at, (SYN, DROPPED, 0))


class PipedInputs:
    """Boxes that a test connects and disconnects."""

    def __init__(self) -> None:
        self._boxes: dict[Path, tuple[int, PipedBox]] = {}
        self._numbers = 0
        self._by_handle: dict[int, PipedBox] = {}
        self.taken: list[UsbBox | None] = []
        self.refusals: dict[UsbBox, OSError] = {}
        self.is_denied = False

    def plug_in(self, box: UsbBox | None) -> PipedBox:
        """Connect a box; like the kernel, it assigns the first free name."""
        files = (Path(f"event{number}") for number in range(99))
        file = next(each for each in files if each not in self._boxes)
        self._numbers += 1
        self._boxes[file] = self._numbers, PipedBox(box)
        return self._boxes[file][1]

    def pull_out(self, box: PipedBox) -> None:
        """Disconnect a box: its file disappears, and its reader gets an error."""
        self._boxes = {file: kept for file, kept in self._boxes.items() if kept[1] is not box}
        os.close(box.writes)

    def files(self) -> Mapping[Path, object]:
        return {file: number for file, (number, _box) in self._boxes.items()}

    def open(self, file: Path) -> int:
        if self.is_denied:
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        if file not in self._boxes:
            raise FileNotFoundError(errno.ENOENT, "No such file", str(file))
        box = self._boxes[file][1]
        handle = os.dup(box.reads)
        self._by_handle[handle] = box
        return handle

    def box(self, handle: int) -> UsbBox | None:
        return self._by_handle[handle].box

    def take(self, handle: int) -> None:
        box = self._by_handle[handle].box
        if box in self.refusals:
            raise self.refusals[box]
        self.taken.append(box)

    def use_our_clock(self, handle: int) -> None:
        """Do nothing; events already have our clock's timestamps."""

    def held(self, handle: int) -> frozenset[int]:
        return frozenset(self._by_handle[handle].held)

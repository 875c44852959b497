"""Which input devices with buttons are plugged in, each asked once who it is."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from hardware.board.usb_box import UsbBox


class Inputs(Protocol):
    """What the kernel knows of input devices: see `InputDevices`."""

    def files(self) -> Mapping[Path, object]:
        """List them, each with what changes when it is another one."""

    def open(self, file: Path) -> int:
        """Open one."""

    def box(self, handle: int) -> UsbBox | None:
        """Return which box it is."""

    def take(self, handle: int) -> None:
        """Have it alone."""

    def use_our_clock(self, handle: int) -> None:
        """Have its events stamped by our clock."""

    def held(self, handle: int) -> frozenset[int]:
        """Return which of its buttons are down."""


class PluggedIn:
    """The devices that are there."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._asked: dict[Path, tuple[object, UsbBox | None]] = {}
        self.is_denied = False
        """Whether there is one that we may not open."""

    def look(self) -> Mapping[Path, UsbBox]:
        """Look what is there now."""
        files = self._inputs.files()
        self._asked = {file: asked for file, asked in self._asked.items() if files.get(file) == asked[0]}
        self.is_denied = False
        return dict(_told_apart((file, self._ask(file, mark)) for file, mark in files.items()))

    def mark(self, file: Path) -> object:
        """Give what changes when a file is another device."""
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

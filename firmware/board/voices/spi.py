"""The kernel's SPI devices (/dev/spidev0.*): bytes are sent while the chip's select line is low.

Numbers are those of linux/spi/spidev.h.
"""

import fcntl
import os
from pathlib import Path
from typing import Any, Protocol

from hardware.board.board import BoardError
from hardware.board.header import DIGITS_SELECT, RING_SELECT

SET_MODE, SET_WORD, SET_HERTZ = 0x40016B01, 0x40016B03, 0x40046B04
"""Requests by which the kernel takes how the clock rests, the bits of a word, and the bits of a second."""
FILES = {RING_SELECT: "spidev0.0", DIGITS_SELECT: "spidev0.1"}
"""The device of each select line."""
DEVICES = Path("/dev")


class SpiPort(Protocol):
    """What can be written to."""

    def write(self, sent: bytes) -> None:
        """Send bytes as one message."""

    def close(self) -> None:
        """Give it back."""


class SpiDevice:
    """A device of the kernel's."""

    def __init__(self, file: Path, hertz: int) -> None:
        """Open it: the clock rests low, words have eight bits."""
        try:
            self._handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise BoardError("no spi", file=str(file)) from error
        except OSError as error:
            raise BoardError("spi refused", file=str(file), why=error.strerror or str(error)) from error
        fcntl.ioctl(self._handle, SET_MODE, bytes(1))
        fcntl.ioctl(self._handle, SET_WORD, bytes([8]))
        fcntl.ioctl(self._handle, SET_HERTZ, hertz.to_bytes(4, "little"))

    def write(self, sent: bytes) -> None:
        """Send bytes as one message."""
        os.write(self._handle, sent)

    def close(self) -> None:
        """Give it back."""
        os.close(self._handle)


def spi_file(select: int) -> Path:
    """Name the device of a select line."""
    return DEVICES / FILES[select]


def open_spi(select: int, hertz: int, factory: Any = None) -> SpiPort:
    """Open what has a select line; simulated pins have a simulated one."""
    simulated = getattr(factory, "open_spi", None)
    port: SpiPort = SpiDevice(spi_file(select), hertz) if simulated is None else simulated(select)
    return port

"""Memory limits of the camera process: plenty, or as little as reading allows."""

import ctypes
from contextlib import suppress

from msgspec import Struct

ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1  # parameters of glibc's `mallopt`
LARGE = 1 << 20  # bytes from which on freed memory is returned to the system


class Thrift(Struct, frozen=True):
    """Limits for pictures and held evidence."""

    share: float = 1.0  # scale of the Pi camera's pictures, each way
    largest: tuple[int, int] = (3840, 2160)  # largest picture of a USB camera, unless its size is chosen
    buffers: int = 3  # picture buffers of the camera driver
    held: int = 12  # readings held with their pictures as possible evidence
    widest: int | None = None  # largest width of a held picture in pixels
    gives_back: bool = False
    """Whether freed pictures are returned to the system at once; costs some time per picture."""


PLENTY = Thrift()
SMALL = Thrift(share=0.75, largest=(1920, 1080), buffers=2, held=4, widest=1152, gives_back=True)
"""For 512 MB of memory. Of 100 whole cards 97 are read instead of 98; of 100 covered ones, 85 instead of 90."""


def give_back_memory() -> None:
    """Make glibc return large blocks of memory to the system as soon as they are freed."""
    # other C libraries don't have this function
    with suppress(AttributeError, OSError):
        tune = ctypes.CDLL(None).mallopt
        for what, value in ((MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE), (ARENA_MAX, 2)):
            tune(what, value)

"""How much memory the eyes may take: as much as helps, or as little as reading allows."""

import ctypes
from contextlib import suppress

from msgspec import Struct

ARENA_MAX, MMAP_THRESHOLD, TRIM_THRESHOLD = -8, -3, -1  # what glibc's `mallopt` calls them
LARGE = 1 << 20  # bytes from which on what is freed goes back


class Thrift(Struct, frozen=True):
    """What a picture and its evidence may take."""

    share: float = 1.0  # how many of the pixels of the Pi's camera are kept, each way
    largest: tuple[int, int] = (3840, 2160)  # a USB camera's picture, unless its size is named
    buffers: int = 3  # pictures that the camera has in work
    held: int = 12  # readings that keep their pictures, for a ruling that may rest on them
    widest: int | None = None  # pixels across such a picture at most
    gives_back: bool = False
    """Whether freed pictures go back to the system at once: room for others, and some work for each picture."""


PLENTY = Thrift()
SMALL = Thrift(share=0.75, largest=(1920, 1080), buffers=2, held=4, widest=1152, gives_back=True)
"""For 512 MB. With so few pixels 97 whole cards of 100 are read, not 98; of covered ones' strips 85, not 90."""


def give_back_memory() -> None:
    """Have this process give back large pieces of memory as soon as they are free; glibc keeps them else."""
    # another C library has no such function, and its own ways
    with suppress(AttributeError, OSError):
        tune = ctypes.CDLL(None).mallopt
        for what, value in ((MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE), (ARENA_MAX, 2)):
            tune(what, value)

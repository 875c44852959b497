"""How much memory the eyes may take: as much as helps, or as little as reading allows."""

from msgspec import Struct


class Thrift(Struct, frozen=True):
    """What a picture and its evidence may take."""

    share: float = 1.0
    """How many of the pixels of the Pi's camera are kept, each way."""
    buffers: int = 3
    """Pictures that the camera has in work."""
    held: int = 12
    """Readings that keep their pictures, for a ruling that may rest on them."""
    widest: int | None = None
    """Pixels across such a picture at most."""


PLENTY = Thrift()
SMALL = Thrift(share=0.75, buffers=2, held=4, widest=1152)
"""For 512 MB. With so few pixels as many whole cards are read, and of covered ones' strips 5 in 100 fewer."""

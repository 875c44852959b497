"""Makes a moving picture of a clip, beside the table: `python -m firmware.start.clip_process FILE`."""

import os
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from PIL import Image

from vision.process.evidence import Clip, load_clip

NICE = 10
"""The table goes first."""
MOST = 1_000_000
"""Bytes that a chat takes without a thought."""
FIRST, PACKING = (640, 45), 2
"""How wide, and at which quality; and how long it is packed, of 6."""
SMALLER = ((480, 35), (320, 25), (160, 10))
"""What is tried where that is too large."""
LAST = 1200
"""Milliseconds for which the last picture stands before it begins anew."""


def main() -> None:
    """Print the moving picture; nothing if there is no clip in the file, or none small enough can be made."""
    os.nice(NICE)
    clip = load_clip(Path(sys.argv[1]))
    sys.stdout.buffer.write(b"" if clip is None else moving_picture(clip))


def moving_picture(clip: Clip, most: int = MOST) -> bytes:
    """Make a WebP that moves by itself and begins anew; empty if none is small enough."""
    made = (_webp(clip, wide, quality) for wide, quality in (FIRST, *SMALLER))
    return next((each for each in made if len(each) <= most), b"")


def _webp(clip: Clip, wide: int, quality: int) -> bytes:
    pictures = [_shrunk(Image.open(BytesIO(frame.jpeg)).convert("RGB"), wide) for frame in clip.frames]
    lasts = [max(1, later.at - frame.at) for frame, later in pairwise(clip.frames)]
    written = BytesIO()
    pictures[0].save(
        written,
        "WEBP",
        save_all=True,
        append_images=pictures[1:],
        duration=[*lasts, LAST],
        loop=0,
        quality=quality,
        method=PACKING,
    )
    return written.getvalue()


def _shrunk(picture: Image.Image, wide: int) -> Image.Image:
    picture.thumbnail((wide, wide))
    return picture


if __name__ == "__main__":
    main()

"""Decode photographs from phones: JPEG, PNG, WebP and HEIC, rotated upright; reject decompression bombs."""

from io import BytesIO
from typing import IO

import cv2
import numpy as np
from PIL import Image, ImageOps
from pillow_heif import register_heif_opener

from vision.pictures import Picture, is_patchwork
from vision.troubles import TroubleError

KINDS = ("JPEG", "PNG", "WEBP", "HEIF", "BMP")
HUGE = 60_000_000  # more pixels than any camera's photograph has
LONGEST = 2400  # longer side in pixels of a photograph that is read while people wait

register_heif_opener()
# the size check below replaces Pillow's warning
Image.MAX_IMAGE_PIXELS = None


def decode_photograph(file: IO[bytes], longest: int = HUGE) -> Picture:
    """Decode an upright photograph (blue, green, red), no side longer than `longest`. Raises TroubleError."""
    content = file.read()
    if is_patchwork(content):
        raise TroubleError("no photograph")
    try:
        with Image.open(BytesIO(content), formats=KINDS) as photograph:
            # only the header has been read so far
            upright = None
            if photograph.width * photograph.height <= HUGE:
                photograph.thumbnail((longest, longest))
                upright = ImageOps.exif_transpose(photograph).convert("RGB")
    except Exception as error:  # a malicious file makes decoders fail in ways that they don't document
        raise TroubleError("no photograph") from error
    if upright is None:
        raise TroubleError("huge", pixels=HUGE)
    return np.asarray(cv2.cvtColor(np.asarray(upright), cv2.COLOR_RGB2BGR), np.uint8)

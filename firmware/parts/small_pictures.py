"""Pictures that pages show, small and as JPEG."""

from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


def small_jpeg(picture: Picture, most: int) -> bytes:
    """Shrink a picture to at most so many pixels across."""
    wide = min(most, picture.shape[1])
    high = round(wide * picture.shape[0] / picture.shape[1])
    small = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def shot_name(picture: Picture) -> str:
    """Name a picture so that another picture has another name."""
    return f"{crc32(picture.tobytes()):08x}"

"""Frames from a browser: any file other than a plain JPEG of a usual size is rejected undecoded."""

from collections.abc import Callable
from random import Random

import cv2
import numpy as np
import pytest

from tests.given import present
from vision.pictures import unpack_picture
from vision.sent_frames import MAX_FRAME_BYTES, MAX_SEGMENTS, bare_frame

SCENE = np.random.default_rng(1).integers(0, 255, (240, 320, 3)).astype(np.uint8)
TURNED = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
EXIF = b"\xff\xe1\x00\x1eExif\x00\x00" + TURNED


def jpeg(picture: np.ndarray = SCENE, *how: int) -> bytes:
    return cv2.imencode(".jpg", picture, how)[1].tobytes()


FRAME = jpeg()


def sized(width: int, height: int) -> bytes:
    """Return a frame that states another size."""
    at = FRAME.index(b"\xff\xc0") + 5
    return FRAME[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + FRAME[at + 4 :]


def test_frame_is_kept_without_its_metadata() -> None:
    frame = present(bare_frame(FRAME[:2] + EXIF + b"\xff\xfe\x00\x08secret" + FRAME[2:]))
    assert frame.size == (320, 240)
    assert b"Exif" not in frame.jpeg
    assert b"secret" not in frame.jpeg
    # EXIF data doesn't turn it
    assert np.array_equal(present(unpack_picture(frame.jpeg)), present(unpack_picture(FRAME)))
    grey = jpeg(SCENE[..., 0])
    assert present(bare_frame(grey)).size == (320, 240)
    assert present(bare_frame(jpeg(SCENE, cv2.IMWRITE_JPEG_RST_INTERVAL, 4))).size == (320, 240)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xd8\xff\xd9",
        cv2.imencode(".png", SCENE)[1].tobytes(),
        FRAME[:-2],
        FRAME[: len(FRAME) // 2],
        FRAME + FRAME,
        FRAME + b"<script>",
        jpeg(SCENE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        FRAME[:2] + b"\xff\xfe\x00\x02" * MAX_SEGMENTS + FRAME[2:],
        FRAME[:2] + b"\xff\xfe\xff\xff" + FRAME[2:],
        FRAME[:2] + b"\xff\xfe\x00\x00" + FRAME[2:],
        FRAME[:-2] + b"\x00" * MAX_FRAME_BYTES + b"\xff\xd9",
        sized(65535, 65535),
        sized(4096, 4097),
        sized(320, 0),
        sized(16, 240),
    ],
    ids=[
        "empty", "no segments", "png", "no end", "half", "two pictures", "text behind it",
        "progressive", "many segments", "segment beyond the end", "segment without length", "too many bytes",
        "bomb", "too high", "no rows", "too narrow",
    ],
)  # fmt: skip
def test_other_files_are_rejected(content: bytes) -> None:
    assert bare_frame(content) is None


def test_accepted_frames_decode_at_their_stated_size() -> None:
    """Whatever happened to a frame on its way: it is rejected, or its size is what was checked."""
    rng = Random(75)

    def cut(frame: bytearray) -> None:
        del frame[(at := rng.randrange(len(frame))) : at + rng.randrange(400)]

    def flip(frame: bytearray) -> None:
        frame[rng.randrange(min(len(frame), 700))] = rng.randrange(256)

    def repeat(frame: bytearray) -> None:
        at = rng.randrange(len(frame))
        frame[at:at] = frame[at : at + rng.randrange(400)]

    changes: tuple[Callable[[bytearray], None], ...] = (cut, flip, flip, flip, repeat)
    taken = 0
    for _try in range(400):
        frame = bytearray(FRAME)
        for change in rng.choices(changes, k=rng.randrange(1, 4)):
            change(frame)
        kept = bare_frame(bytes(frame))
        if kept is None:
            continue
        taken += 1
        picture = unpack_picture(kept.jpeg)
        assert picture is None or picture.shape[1::-1] == kept.size
    assert taken > 20

"""A clip as a picture that moves by itself: all its frames, their times, within bounds."""

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageSequence

from firmware.start.clip_process import LAST, MOST, moving_picture
from firmware.start.pages import clip_door
from firmware.start.pages.clip_door import A_MINUTE, REMEMBERED, MovingClips
from tests.webui.clips_kept import FRAMES, keep
from vision.process.clip_files import Clip, ClipFrame, load_clip


def kept(folder: Path, moment: int = 4) -> Path:
    return keep(folder, moment)


def clip_in(file: Path) -> Clip:
    clip = load_clip(file)
    assert clip is not None
    return clip


def noisy(count: int) -> Clip:
    """Make a clip that can hardly be packed."""
    noise = np.random.default_rng(1)
    frames = (noise.integers(0, 256, (480, 640, 3), np.uint8) for _frame in range(count))
    jpegs = (cv2.imencode(".jpg", each)[1].tobytes() for each in frames)
    return Clip("1", 1, tuple(ClipFrame(200 * at, jpeg) for at, jpeg in enumerate(jpegs)))


def test_it_has_all_frames_for_as_long_as_they_lasted_and_begins_anew(tmp_path: Path) -> None:
    clip = clip_in(kept(tmp_path))
    made = Image.open(BytesIO(moving_picture(clip)))
    assert (made.format, made.size, made.info["loop"]) == ("WEBP", (640, 240), 0)
    shown = []
    for each in ImageSequence.Iterator(made):
        # how long it lasts is known once it is unpacked
        picture = np.asarray(each.convert("RGB"), int)
        shown.append((each.info["duration"], picture))
    assert [lasts for lasts, _picture in shown] == [*[200] * (FRAMES - 1), LAST]
    for frame, (_lasts, picture) in zip(clip.frames, shown, strict=True):
        before = np.asarray(Image.open(BytesIO(frame.jpeg)).convert("RGB"), int)
        assert np.abs(before - picture).mean() < 12


def test_one_that_would_be_too_large_is_smaller_or_not_made() -> None:
    clip = noisy(12)
    made = moving_picture(clip)
    assert 0 < len(made) <= MOST
    assert Image.open(BytesIO(made)).width < 640
    assert moving_picture(clip, 100) == b""


def test_it_is_made_once_by_a_process_and_forgotten_with_its_clip(tmp_path: Path) -> None:
    file, moving = kept(tmp_path), MovingClips()
    made = moving.picture(file)
    assert made is not None
    assert Image.open(BytesIO(made)).format == "WEBP"
    assert moving.picture(file) is made
    file.unlink()
    assert moving.picture(file) is None
    assert not moving._made


def test_a_damaged_clip_makes_none(tmp_path: Path) -> None:
    file = kept(tmp_path)
    file.write_bytes(b"no clip")
    assert MovingClips().picture(file) is None
    assert MovingClips().picture(None) is None


def test_whoever_asks_for_many_is_held_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def make(file: Path) -> bytes:
        asked.append(file)
        return b"webp"

    monkeypatch.setattr(clip_door, "_make_moving", make)
    moving = MovingClips()
    files = [kept(tmp_path, moment) for moment in range(1, A_MINUTE + 4)]
    given = [moving.picture(file) for file in files]
    assert given == [b"webp"] * A_MINUTE + [None] * 3
    assert len(asked) == A_MINUTE
    assert len(moving._made) == REMEMBERED
    # what is made already is given to everybody
    assert moving.picture(files[A_MINUTE - 1]) == b"webp"

"""Clips in a folder, as the eyes keep them, and a door that gives them to pages."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from firmware.parts.clips import ClipFiles
from firmware.table.door import TableSummary
from vision.process.evidence import Clip, ClipFrame, keep_clip
from vision.process.messages import EyesOrder

FRAMES = 10


def frame(number: int) -> bytes:
    picture = np.full((240, 640, 3), (60, 90, 30), np.uint8)
    cv2.rectangle(picture, (20 + 50 * number, 60), (90 + 50 * number, 160), (240, 240, 240), -1)
    cv2.putText(picture, str(number), (35 + 50 * number, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def keep(folder: Path, moment: int, match: str = "1", *, by_hand: bool = False) -> Path:
    frames = tuple(ClipFrame(200 * number, frame(number)) for number in range(FRAMES))
    return keep_clip(folder / "evidence", Clip(match, moment, frames, 1500, by_hand))


def clip_files(folder: Path, orders: list[EyesOrder], *, are_kept: bool = True) -> ClipFiles:
    """Give what the pages are handed."""
    door: Any = SimpleNamespace(
        state=partial(TableSummary, 1), order=orders.append, moment=partial(SimpleNamespace, number=4)
    )
    return ClipFiles(folder / "evidence", door, are_kept=are_kept)

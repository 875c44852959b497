"""Clips, the seconds around rulings that rest on the camera: the eyes keep them in the folder of the evidence.

A clip has the number of the answer that it belongs to as its name; one that the host has kept has a second
number behind it, as in "12-2".
"""

import re
from collections import OrderedDict
from contextlib import suppress
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from threading import Lock

from firmware.parts.attempt_limits import AttemptLimit
from firmware.parts.jobs import JobError, do_job
from firmware.table.door import TableDoor
from vision.process.evidence import Clip, clips_of_match, load_clip
from vision.process.messages import KeepClip

PATIENCE = 60.0
"""Seconds that it may take to make a moving picture: a Pi is slow."""
REMEMBERED = 6
"""Moving pictures that are kept in memory, of at most a megabyte each."""
A_MINUTE = 12
"""Moving pictures that are made within a minute, for all phones together."""
MOST = 1_000_000
"""Bytes that a chat takes without a thought."""
FIRST, PACKING = (640, 45), 2
"""How wide, and at which quality; and how long it is packed, of 6."""
SMALLER = ((480, 35), (320, 25), (160, 10))
"""What is tried where that is too large."""
LAST = 1200
"""Milliseconds for which the last picture stands before it begins anew."""
_PLACE = re.compile(r"([0-9]+)(-[0-9]+)?")


class ClipFiles:
    """The clips in a folder, by match and name: nothing that a phone says ever names a file."""

    def __init__(self, folder: Path, door: TableDoor, *, are_kept: bool) -> None:
        self._folder, self._door, self._are_kept = folder, door, are_kept
        self._moving = MovingClips()

    def are_kept(self) -> bool:
        """Return whether clips are kept now."""
        return self._are_kept

    def names(self, match: int | None = None) -> tuple[str, ...]:
        """List the clips of a match of the history, or of the one that stands, the oldest first."""
        return tuple(self._files(match))

    def clip(self, name: str, match: int | None = None) -> Clip | None:
        """Give a clip of such a match."""
        file = self._files(match).get(name)
        return None if file is None else load_clip(file)

    def moving(self, name: str, match: int | None = None) -> bytes | None:
        """Give a clip of such a match as a picture that moves by itself."""
        return self._moving.picture(self._files(match).get(name))

    def keep_now(self) -> None:
        """Keep what has happened in the last seconds."""
        match = self._door.state().id
        if self._are_kept and match is not None:
            self._door.order(KeepClip(str(match), self._door.moment().number))

    def _files(self, match: int | None) -> dict[str, Path]:
        number = self._door.state().id if match is None else match
        files = [] if number is None else clips_of_match(self._folder, str(number))
        return {name: file for file in files if (name := _name_of(file))}


class MovingClips:
    """Makes moving pictures of clips, one at a time, by a process; forgets those of clips that are gone."""

    def __init__(self) -> None:
        self._lock, self._limit = Lock(), AttemptLimit(each=A_MINUTE, most=A_MINUTE)
        self._made: OrderedDict[tuple[Path, int], bytes] = OrderedDict()

    def picture(self, file: Path | None) -> bytes | None:
        """Give the moving picture of a clip's file; None if there is none, or it can't be made now."""
        with self._lock:
            self._made = OrderedDict((key, made) for key, made in self._made.items() if _key(key[0]) == key)
            key = None if file is None else _key(file)
            if key is None:
                return None
            if key not in self._made and self._limit.may_try(""):
                self._made[key] = b""
                with suppress(JobError):
                    self._made[key] = do_job(moving_picture_of, key[0].resolve(), PATIENCE)
            while len(self._made) > REMEMBERED:
                self._made.popitem(last=False)
            return self._made.get(key) or None


def _key(file: Path) -> tuple[Path, int] | None:
    """Name a file by what is in it now; None if it is gone."""
    try:
        return file, file.stat().st_mtime_ns
    except OSError:
        return None


def _name_of(file: Path) -> str:
    """Name a clip by the answer that led to its moment."""
    found = _PLACE.fullmatch(file.stem.partition(".")[2])
    return "" if found is None else f"{max(0, int(found[1]) - 1)}{found[2] or ''}"


def answer_of(name: str) -> int:
    """Give the number of the answer that a clip belongs to."""
    return int(name.partition("-")[0])


def is_by_hand(name: str) -> bool:
    """Return whether the host has kept a clip."""
    return "-" in name


# in the process


def moving_picture_of(file: Path) -> bytes:
    """Make a moving picture of a file; empty if there is no clip in it, or none small enough can be made."""
    clip = load_clip(file)
    return b"" if clip is None else moving_picture(clip)


def moving_picture(clip: Clip, most: int = MOST) -> bytes:
    """Make a WebP that moves by itself and begins anew; empty if none is small enough."""
    made = (_webp(clip, wide, quality) for wide, quality in (FIRST, *SMALLER))
    return next((each for each in made if len(each) <= most), b"")


def _webp(clip: Clip, wide: int, quality: int) -> bytes:
    # the process needs it, the table doesn't
    from PIL import Image  # noqa: PLC0415

    pictures = [Image.open(BytesIO(frame.jpeg)).convert("RGB") for frame in clip.frames]
    for picture in pictures:
        picture.thumbnail((wide, wide))
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

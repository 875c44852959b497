"""Clips for the pages: read from the folder of the evidence; the eyes keep them there."""

import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from firmware.start.pages.own_process import run_module
from vision.process.evidence import clips_of_match, load_clip
from vision.process.messages import EyesOrder, KeepClip
from webui.access.attempt_limits import AttemptLimit
from webui.doors.clips import Clip

PROCESS = "firmware.start.clip_process"
PATIENCE = 60.0
"""Seconds that it may take to make a moving picture: a Pi is slow."""
REMEMBERED = 6
"""Moving pictures that are kept in memory, of at most a megabyte each."""
A_MINUTE = 12
"""Moving pictures that are made within a minute, whoever asks."""
_PLACE = re.compile(r"([0-9]+)(-[0-9]+)?")


class ClipFiles:
    """The clips in a folder, by match and name: nothing that a phone says ever names a file."""

    def __init__(
        self,
        folder: Path,
        state: Callable[[], Any],
        order: Callable[[EyesOrder], object],
        moment: Callable[[], int],
        *,
        are_kept: bool,
    ) -> None:
        """Take the folder, what knows the match's number, how to order the eyes, and the present moment."""
        self._folder, self._state, self._order, self._moment = folder, state, order, moment
        self._are_kept = are_kept
        self._moving = MovingClips()

    def are_kept(self) -> bool:
        """Tell whether clips are kept now."""
        return self._are_kept

    def names(self) -> tuple[str, ...]:
        """List the clips of the match that stands, the oldest first."""
        return tuple(self._files(self._state().id))

    def clip(self, name: str) -> Clip | None:
        """Give a clip of the match that stands."""
        return _clip_in(self._files(self._state().id).get(name))

    def names_of(self, match: int) -> tuple[str, ...]:
        """List the clips of a match of the history."""
        return tuple(self._files(match))

    def clip_of(self, match: int, name: str) -> Clip | None:
        """Give a clip of a match of the history."""
        return _clip_in(self._files(match).get(name))

    def moving(self, name: str) -> bytes | None:
        """Give a clip of the match that stands as a picture that moves by itself."""
        return self._moving.picture(self._files(self._state().id).get(name))

    def moving_of(self, match: int, name: str) -> bytes | None:
        """Give such a picture of a match of the history."""
        return self._moving.picture(self._files(match).get(name))

    def keep_now(self) -> None:
        """Keep what has happened in the last seconds."""
        match = self._state().id
        if self._are_kept and match is not None:
            self._order(KeepClip(str(match), self._moment()))

    def _files(self, match: int | None) -> dict[str, Path]:
        files = [] if match is None else clips_of_match(self._folder, str(match))
        return {name: file for file in files if (name := _name_of(file))}


class MovingClips:
    """Makes moving pictures of clips, one at a time, by a process; forgets those of clips that are gone."""

    def __init__(self) -> None:
        """Begin with none."""
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
                self._made[key] = _make_moving(key[0])
            while len(self._made) > REMEMBERED:
                self._made.popitem(last=False)
            return self._made.get(key) or None


def _key(file: Path) -> tuple[Path, int] | None:
    """Name a file by what is in it now; None if it is gone."""
    try:
        return file, file.stat().st_mtime_ns
    except OSError:
        return None


def _make_moving(file: Path) -> bytes:
    return run_module(PROCESS, str(file.resolve()), patience=PATIENCE)


def _name_of(file: Path) -> str:
    """Name a clip by the answer that led to its moment."""
    found = _PLACE.fullmatch(file.stem.partition(".")[2])
    return "" if found is None else f"{max(0, int(found[1]) - 1)}{found[2] or ''}"


def _clip_in(file: Path | None) -> Clip | None:
    kept = None if file is None else load_clip(file)
    if kept is None:
        return None
    return Clip(tuple(each.jpeg for each in kept.frames), tuple(each.at for each in kept.frames), kept.ruled)

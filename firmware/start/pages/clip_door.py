"""Clips for the pages: read from the folder of the evidence; the eyes keep them there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vision.process import clip_files
from vision.process.messages import EyesOrder, KeepClip
from webui.doors.clips import Clip

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

    def keep_now(self) -> None:
        """Keep what has happened in the last seconds."""
        match = self._state().id
        if self._are_kept and match is not None:
            self._order(KeepClip(str(match), self._moment()))

    def _files(self, match: int | None) -> dict[str, Path]:
        files = [] if match is None else clip_files.clips_of_match(self._folder, str(match))
        return {name: file for file in files if (name := _name_of(file))}


def _name_of(file: Path) -> str:
    """Name a clip by the answer that led to its moment."""
    found = _PLACE.fullmatch(file.stem.partition(".")[2])
    return "" if found is None else f"{max(0, int(found[1]) - 1)}{found[2] or ''}"


def _clip_in(file: Path | None) -> Clip | None:
    kept = None if file is None else clip_files.load_clip(file)
    if kept is None:
        return None
    return Clip(tuple(each.jpeg for each in kept.frames), tuple(each.at for each in kept.frames), kept.ruled)

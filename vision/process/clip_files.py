"""Clips on the disk: the frames around a ruling, in one file beside its evidence, in a bounded folder.

A clip is named as the evidence of its moment, `MATCH.MOMENT.clip`. Where room is short, clips go first.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from vision.files import make_folder, read_small, write_whole
from vision.process.evidence import (
    CLIP,
    age_order,
    is_match_name,
    match_of,
    size_of_kept,
    throw_out_oldest,
)

LARGEST = 4_000_000
"""Bytes of a clip's frames, in memory and on the disk."""
MOST_BY_HAND = 20
"""Clips that are kept by hand at one moment."""
ROOM = 80_000_000
"""The most bytes of all clips; with the pictures they are bounded as evidence is."""


class ClipFrame(Struct, frozen=True, array_like=True):
    """A frame, and how many milliseconds after the first one it was taken."""

    at: Annotated[int, Meta(ge=0, le=60_000)]
    jpeg: bytes


class Clip(Struct, frozen=True):
    """The frames around a ruling, the oldest first."""

    match: str
    moment: int
    frames: Annotated[tuple[ClipFrame, ...], Meta(min_length=1, max_length=200)]
    ruled: int = 0
    """Milliseconds after the first frame when the ruling was made."""
    by_hand: bool = False
    """Somebody wanted to see these seconds again; there may be several at a moment."""


def keep_clip(folder: Path, clip: Clip, most: int = ROOM) -> Path:
    """Keep a clip; the oldest make room, those of other matches first. Where the disk is full, none stays."""
    if not is_match_name(clip.match) or clip.moment < 0:
        raise ValueError(f"a clip can't be named after match {clip.match!r}, moment {clip.moment}")
    make_folder(folder)
    file = _free_name(folder, clip)
    write_whole(file, msgspec.msgpack.encode(clip))
    _throw_out_oldest_clips(folder, clip.match, most)
    throw_out_oldest(folder, clip.match)
    return file


def _free_name(folder: Path, clip: Clip) -> Path:
    """Name a clip by its moment; those that are kept by hand replace none, and no ruling's clip."""
    stem = f"{clip.match}.{clip.moment:06d}"
    if not clip.by_hand:
        return folder / f"{stem}{CLIP}"
    names = (f"{stem}-{number}{CLIP}" for number in range(2, MOST_BY_HAND + 2))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{stem}-2{CLIP}")


def load_clip(file: Path) -> Clip | None:
    """Load a clip; None if it is gone or damaged."""
    try:
        return msgspec.msgpack.decode(read_small(file, LARGEST + 100_000), type=Clip)
    except (OSError, msgspec.DecodeError):
        return None


def _throw_out_oldest_clips(folder: Path, open_match: str, most: int) -> None:
    """Delete the oldest clips until the rest fits, the open match's last."""
    clips = sorted(_clips(folder), key=lambda file: (match_of(file) == open_match, age_order(file)))
    total = sum(map(size_of_kept, clips))
    for file in clips:
        if total <= most:
            return
        total -= size_of_kept(file)
        file.unlink(missing_ok=True)


def clips_of_match(folder: Path, match: str) -> list[Path]:
    """List a match's clips, the oldest first."""
    return sorted(_clips(folder, match), key=age_order)


def forget_clips(folder: Path, match: str | None = None) -> int:
    """Delete all clips of a match, or of all matches; tell how many there were."""
    gone = list(_clips(folder, match))
    for file in gone:
        file.unlink(missing_ok=True)
    return len(gone)


def _clips(folder: Path, match: str | None = None) -> Iterator[Path]:
    return (file for file in folder.glob(f"*{CLIP}") if match is None or match_of(file) == match)

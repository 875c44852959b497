"""A pause, kept until the table goes on: what people were told outlasts a plug that is pulled."""

from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.state_folder import PAUSE
from firmware.storage.forgotten_marks import mark_of
from referee.match import Match
from vision.files import make_folder, read_json, write_whole


class KeptPause(Struct, frozen=True):
    """Whether the table pauses, and the mark of the match that it pauses."""

    is_paused: bool
    match: str
    has_answers: bool
    """Before its first answer no match is kept: then the pause is that of the one which begins in its place."""


def keep_pause(state: Path, match: Match, is_paused: bool) -> None:
    """Keep that a match pauses, or that it goes on."""
    pause = KeptPause(is_paused, mark_of(match.setup.begun), match.entry is not None)
    make_folder(state)
    write_whole(state / PAUSE, msgspec.json.encode(pause) + b"\n")


def is_kept_paused(state: Path, match: Match, number: int | None) -> bool:
    """Tell whether a match paused when the table ended; its number is the one that the journal has for it."""
    try:
        kept = read_json(state / PAUSE, KeptPause)
    except OSError:
        return False
    is_same = kept.match == mark_of(match.setup.begun)
    return kept.is_paused and (is_same or (number is None and not kept.has_answers))

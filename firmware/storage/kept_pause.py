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
    match: str = ""
    """Without a mark it is the match that begins: before its first answer none is kept."""


def keep_pause(state: Path, match: Match, is_paused: bool) -> None:
    """Keep that a match pauses, or that it goes on."""
    make_folder(state)
    write_whole(state / PAUSE, msgspec.json.encode(KeptPause(is_paused, _mark(match))) + b"\n")


def is_kept_paused(state: Path, match: Match) -> bool:
    """Tell whether a match paused when the table ended."""
    try:
        kept = read_json(state / PAUSE, KeptPause)
    except OSError:
        return False
    return kept.is_paused and kept.match == _mark(match)


def _mark(match: Match) -> str:
    return "" if match.entry is None else mark_of(match.setup.begun)

"""Printed decks in a table's folder, and those that it needn't try, as a trial would outlast the test."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware.state_folder import DECKS, state_directory
from firmware.storage.decks import all_counts, draw_faces
from hardware.decks.catalogue import PRINTED
from referee.games.catalogue import GAMES
from tests.tidiness import MARK, TRIED
from vision.reading.templates import UNTRIED
from vision.teaching.taught_decks import bare_deck, save_deck
from vision.teaching.tried_decks import _file_of

KNOWN = TRIED.with_name("known")


def share_known_decks(state: Path, *games: str) -> None:
    """Let a table use these games' decks without a trial, as it does until a trial ends."""
    if MARK not in os.environ:
        return
    known = Path(os.environ[MARK], KNOWN)
    for folder in (known, state):
        folder.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        (state / TRIED.name).symlink_to(known)
    for game in GAMES.keys() & set(games):
        _note(GAMES[game].table.deck(GAMES[game].rules.house()).name, known)


def _note(deck: str, known: Path) -> None:
    done = known / f"{deck}.noted"
    if deck not in PRINTED or done.exists():
        return
    printed = PRINTED[deck]
    file = _file_of(known, draw_faces(deck), (printed.width, printed.height))
    file.write_bytes(msgspec.json.encode(UNTRIED))
    done.touch()


def lay_deck(name: str) -> None:
    """Store an own deck whose pictures are the printed faces."""
    deck = bare_deck(name, (63.0, 88.0), all_counts(PRINTED[name]), draw_faces(name))
    save_deck(deck, state_directory() / DECKS / name)

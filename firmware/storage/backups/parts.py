"""What a backup holds, what it may be called in there, and how large it may be."""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import CHOSEN, state_directory
from firmware.storage.places import configuration_path
from vision.files import make_folder
from vision.teaching.taught_decks import DECK, is_safe_name
from vision.troubles import TroubleError

JOURNAL, CONFIGURATION, TABLE, EMPTY, DECKS = (
    "journal.sqlite3",
    "coyote.toml",
    "table.json",
    "table.png",
    "decks",
)
MANIFEST = "manifest.json"
FORMAT = 1
"""The version of the file; a newer one is refused."""
SCRATCH = ".backup-"
"""How the folders begin in which a backup is prepared."""
LOCK = ".safekeeping.lock"

MEGABYTE = 1_000_000
LARGEST: Mapping[str, int] = {
    JOURNAL: 300 * MEGABYTE,
    CONFIGURATION: MEGABYTE,
    CHOSEN: MEGABYTE // 10,
    TABLE: MEGABYTE,
    EMPTY: 30 * MEGABYTE,
    MANIFEST: 8 * MEGABYTE,
}
LARGEST_PICTURE, LARGEST_DECK = 8 * MEGABYTE, MEGABYTE
MOST_FILES, MOST_BYTES = 20_000, 1000 * MEGABYTE
"""Files of a backup, and what they come to when they are unpacked."""
RESERVE = 64 * MEGABYTE
"""What has to stay free on the disk."""


class BackupError(TroubleError):
    """What is wrong with a backup, or hinders it."""


class TablePlaces(Struct, frozen=True):
    """Where a table keeps its things."""

    state: Path
    journal: Path
    configuration: Path


class Content(Struct, frozen=True):
    """A file of a backup."""

    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """What a backup says of itself."""

    format: int
    version: str
    made: str
    files: dict[str, Content]
    left_out: tuple[str, ...] = ()
    """What was there and couldn't be read."""
    forgotten: int = 0
    """How often the table had forgotten something by then."""
    lines: int = 0
    told: int = 0
    """How many lines its journal holds, of how many the table has told; 0 of earlier versions."""


def places(environ: Mapping[str, str], journal: Path, configuration: Path | None = None) -> TablePlaces:
    """Find where this table keeps its things."""
    return TablePlaces(
        state_directory(environ), journal.resolve(), configuration or configuration_path(environ)
    )


def size_limit(name: str) -> int:
    """Return how large a file of a backup may be; 0 if no file of a backup is called so."""
    if name in LARGEST:
        return LARGEST[name]
    folder, *rest = name.split("/")
    if folder != DECKS or not all(map(is_safe_name, rest)):
        return 0
    if len(rest) == 2 and rest[1] == DECK:
        return LARGEST_DECK
    return LARGEST_PICTURE if len(rest) == 3 and rest[2].endswith(".png") else 0


@contextmanager
def backup_lock(state: Path) -> Iterator[None]:
    """Do one thing with backups at a time, across all processes."""
    make_folder(state, is_private=True)
    with (state / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupError("another backup") from error
        yield

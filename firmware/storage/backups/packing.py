"""Making a backup: a copy of the journal while the table plays on, then all of it as one file, bit by bit."""

from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from firmware.state_folder import CHOSEN
from firmware.storage.backups.checking import reads_well
from firmware.storage.backups.parts import (
    CONFIGURATION,
    DECKS,
    EMPTY,
    FORMAT,
    JOURNAL,
    MANIFEST,
    TABLE,
    Content,
    Manifest,
    TablePlaces,
    backup_lock,
    size_limit,
)
from firmware.storage.configuration import may_read
from firmware.storage.files import beside
from firmware.storage.journal import UNCOUNTED, HeldLines, copy_of
from vision.teaching.taught_decks import DECK, DeckTroubleError, load_deck, pictures_in

CHUNK = 256 * 1024
"""Bytes that are read, or given away, at a time."""


class BackupFiles(Struct, frozen=True):
    """What goes into a backup: each file by its name in there, and what can't be read and stays out."""

    files: dict[str, Path]
    left_out: tuple[str, ...] = ()


def files_to_pack(here: TablePlaces, journal: Path) -> BackupFiles:
    """Find what goes into a backup; the journal is a copy, which doesn't change meanwhile."""
    decks = [_deck_files(folder) for folder in sorted((here.state / DECKS).glob("[!.]*")) if folder.is_dir()]
    single = {CONFIGURATION: here.configuration, **{name: here.state / name for name in (CHOSEN, TABLE, EMPTY)}}
    there = {name: file for name, file in single.items() if file.is_file() or not may_read(file)}
    well = {name: file for name, file in there.items() if may_read(file) and reads_well(name, file)}
    left_out = [name for name in there if name not in well]
    left_out += [name for deck in decks for name in deck.left_out]
    files = {JOURNAL: journal, **well}
    for deck in decks:
        files.update(deck.files)
    return BackupFiles(files, tuple(left_out))


def _deck_files(folder: Path) -> BackupFiles:
    name = f"{DECKS}/{folder.name}"
    try:
        faces = load_deck(folder).faces
        files = {f"{name}/{DECK}": folder / DECK}
        for face in faces:
            for file in pictures_in(folder, face):
                files[f"{name}/{face}/{file.name}"] = file
    except (DeckTroubleError, OSError):
        return BackupFiles({}, (name,))
    return BackupFiles(files) if all(map(size_limit, files)) else BackupFiles({}, (name,))


def journal_size(journal: Path) -> int:
    """Add up a journal and its log, from which it grows: what a copy comes to at most."""
    size = 0
    for file in (journal, beside(journal, "-wal")):
        with suppress(OSError):
            size += file.stat().st_size
    return size


# the file


def backup(here: TablePlaces, made: str) -> Iterator[bytes]:
    """Make a backup, piece by piece; nothing of it is kept in memory or on the disk."""
    with backup_lock(here.state), copy_of(here.journal) as (journal, held):
        yield from stream(files_to_pack(here, journal), made, held)


def stream(content: BackupFiles, made: str, held: HeldLines = UNCOUNTED, forgotten: int = 0) -> Iterator[bytes]:
    """Write the files one after the other, and last what they are."""
    pieces = Pieces()
    contents: dict[str, Content] = {}
    with ZipFile(pieces, "w") as file:
        for name, path in content.files.items():
            seal, size = sha256(), 0
            with path.open("rb") as source, file.open(_entry(name), "w") as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    seal.update(chunk)
                    size += len(chunk)
                    yield pieces.take_written()
            contents[name] = Content(size, seal.hexdigest())
        of_journal = {"forgotten": forgotten, "lines": held.lines, "told": held.told}
        manifest = Manifest(FORMAT, version("coyote-table"), made, contents, content.left_out, **of_journal)
        file.writestr(_entry(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    yield pieces.take_written()


def _entry(name: str) -> ZipInfo:
    """Name a file; pictures are small already, and of a journal that isn't packed all whole lines are read."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_STORED if name.endswith((".png", JOURNAL)) else ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


class Pieces:
    """What was written and not yet taken: the writer sees a file, the sender gets bytes."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, content: bytes) -> int:
        """Take something up."""
        self._written += content
        return len(content)

    def flush(self) -> None:
        """Hold nothing back."""

    def close(self) -> None:
        """Let go of nothing."""

    def take_written(self) -> bytes:
        """Give what was written since."""
        content = bytes(self._written)
        self._written.clear()
        return content

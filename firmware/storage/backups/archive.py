"""A backup: a table's whole state in one zip file, with the match files first and a manifest last.

The match files have the lines that a normal read returns. A file from elsewhere is untrusted: names come from a
list, and sizes are counted while unpacking. A second copy has such a file for each day, and the match files as
of now beside them.
"""

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import EINVAL
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO, RawIOBase
from itertools import chain, islice
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError  # noqa: N812 - it is a class, whatever its name

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware import state_folder
from firmware.state_folder import CARDS, CHOSEN, CONFIGURATION, DECKS, EMPTY_TABLE, FOUND_TABLE, JOURNAL
from firmware.storage import configuration as config
from firmware.storage.backups.camera_logins import without_login
from firmware.storage.cards_choice import read_cards_choice
from firmware.storage.errors import BackupError, journal_errors
from firmware.storage.files import beside, locked, read_raw
from firmware.storage.found_table import load_calibration
from firmware.storage.journal import open_mended
from firmware.storage.lines import count_told, in_writing_order, merge
from firmware.storage.match_files import LARGEST_MATCH, contents_of, read_files, table_among
from referee.sums import FiledLine, SealedLine, lines_in
from vision.files import make_folder
from vision.pictures import is_bounded, load_picture
from vision.teaching.kept_cuts import CUTS, read_wide
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.stored_drafts import DRAFT
from vision.teaching.taught_decks import DECK, decks_in, is_safe_name, last_whole, load_deck, pictures_in

PICTURES = (".png", ".jpg")  # taught pictures: the card alone, and with the ground around it
MANIFEST = "manifest.json"
FORMAT = 4
"""The format version; newer ones are rejected."""
LOCK = ".safekeeping.lock"
DAYS = "nightly"  # the folder of the backups in a second copy
_DAY = re.compile(r"(\d{4})-(\d{4}-\d\d-\d\d)\.zip")
MEGABYTE = 1_000_000
LARGEST: Mapping[str, int] = {
    CONFIGURATION: MEGABYTE,
    CHOSEN: MEGABYTE // 10,
    CARDS: MEGABYTE // 10,
    FOUND_TABLE: MEGABYTE,
    EMPTY_TABLE: 30 * MEGABYTE,
    MANIFEST: 8 * MEGABYTE,
}
MATCH_FILE = re.compile(r"matches/[1-9][0-9]{0,11}\.jsonl")
MOST_MATCH_BYTES, MOST_LINES, MOST_LOST = 150 * MEGABYTE, 1_000_000, 100_000
"""Most bytes read of a damaged backup, most lines, and most missing ones; a match has about 70."""
MOST_BYTES, MOST_LIST = 1000 * MEGABYTE, 4 * MEGABYTE
"""Most bytes of a backup's unpacked files, and of the list of them."""
PIECE = 65_536  # bytes unpacked at once
MOST_LEFT_OUT, LONGEST_SAID, MOST_COUNTED = 1000, 300, 10**9
"""Limits for a manifest: number of omitted names, letters of each text, and any number."""
END, LONG_SIZE = struct.Struct("<4s4H2LH"), 20
"""End of a zip file and size of the Zip64 locator before it, which only large files have.

The fields are: signature, disks, entries, size and position of the list, length of a comment.
"""


class TablePlaces(Struct, frozen=True):
    """Paths of a table's files."""

    state: Path
    journal: Path
    configuration: Path

    def file(self, name: str) -> Path:
        return self.configuration if name == CONFIGURATION else self.state / name


class Content(Struct, frozen=True):
    """A file of a backup."""

    size: int
    sha256: str


class Manifest(Struct, frozen=True):
    """A backup's description of itself."""

    format: int
    version: str
    made: str
    files: dict[str, Content]
    left_out: tuple[str, ...] = ()  # files that couldn't be read
    forgotten: int = 0  # how often the table had forgotten something before
    lines: int = 0
    told: int = 0
    """Lines in its journal, and lines that the table has written."""


class OpenBackup(Struct, frozen=True):
    """An open backup and its manifest."""

    file: ZipFile
    manifest: Manifest

    def content(self, name: str) -> bytes:
        """Unpack a part within its size limit, and compare it with the manifest."""
        stated = self.manifest.files[name]
        with _as_backup_damage():
            content = _unpack(self.file, name, stated.size)
            if len(content) != stated.size or sha256(content).hexdigest() != stated.sha256:
                raise BadZipFile
        return content

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Unpack all parts except the match files."""
        return ((name, self.content(name)) for name in self.manifest.files if not MATCH_FILE.fullmatch(name))

    def lines(self) -> list[FiledLine]:
        """Return the lines of the match files, in writing order."""
        names = filter(MATCH_FILE.fullmatch, self.manifest.files)
        return _bounded(chain.from_iterable(lines_in(self.content(name)) for name in names))


def places(journal: Path, configuration: Path | None = None) -> TablePlaces:
    configuration = configuration or state_folder.configuration_path()
    return TablePlaces(state_folder.state_directory(), journal.resolve(), configuration)


def size_limit(name: str) -> int:
    """Return the size limit of a backup's file; 0 if no file has that name."""
    if limit := LARGEST.get(name) or (LARGEST_MATCH if MATCH_FILE.fullmatch(name) else 0):
        return limit
    folder, *rest = name.split("/")
    if folder != DECKS or not all(map(is_safe_name, rest)):
        return 0
    match rest:
        case [_deck, name] if name in {DECK, DRAFT}:
            return MEGABYTE
        case [_deck, _face, name] if name == CUTS:
            return MEGABYTE
        case [_deck, _face, name] if name.endswith(PICTURES):
            return 8 * MEGABYTE
    return 0


READERS: Mapping[str, Callable[[Path], object]] = {
    CONFIGURATION: config.settings_in,
    CHOSEN: lambda file: config.merge_choice(config.TableSettings(), config.read_choice(file.parent), CHOSEN),
    CARDS: read_cards_choice,
    FOUND_TABLE: load_calibration,
    EMPTY_TABLE: lambda file: load_picture(file) if is_bounded(file) else None,
}
"""Readers of separate files in a backup; they return None or raise SettingsError for an unreadable file."""


def reads_well(name: str, file: Path) -> bool:
    try:
        return file.stat().st_size <= size_limit(name) and READERS[name](file) is not None
    except config.SettingsError:
        return False


def backup_lock(state: Path) -> AbstractContextManager[None]:
    """Serialize backup operations across all processes."""
    make_folder(state, is_private=True)
    return locked(state / LOCK, BackupError("another backup"))


def journal_size(journal: Path) -> int:
    """Return the size of a journal and its log: the upper limit for a copy."""
    size = 0
    for file in (journal, beside(journal, "-wal")):
        # the log is deleted when the last connection closes
        with suppress(FileNotFoundError):
            size += file.stat().st_size
    return size


# writing


def backup(here: TablePlaces, made: str) -> Iterator[bytes]:
    """Yield a backup in pieces while the table is playing; nothing is stored on the disk."""
    with backup_lock(here.state):
        yield from pack_table(here, made)


def pack_table(here: TablePlaces, made: str, forgotten: int = 0) -> Iterator[bytes]:
    with open_mended(here.journal) as journal, journal_errors(here.journal):
        lines, lost = journal.every_line(), journal.lost_at_end
    files, left_out = _files_beside(here)
    parts = ((name, file.read_bytes()) for name, file in files.items())
    about = Manifest(FORMAT, "", made, {}, left_out, forgotten, len(lines), count_told(lines) + lost)
    yield from pack(journal.table, lines, parts, about)


def pack(
    table: int, lines: Iterable[SealedLine], parts: Iterable[tuple[str, bytes]], about: Manifest
) -> Iterator[bytes]:
    """Yield a zip file of the match files and the parts in order, with the manifest last."""
    pieces, contents = Pieces(), dict[str, Content]()
    left_out = list(about.left_out)
    matches = contents_of(table, in_writing_order(lines)).items()
    with ZipFile(pieces, "w") as file:
        for name, whole in chain(((f"matches/{name}", content) for name, content in matches), parts):
            content = without_login(name, whole)
            if content is None:
                left_out.append(name)
                continue
            file.writestr(_entry(name), content)
            contents[name] = Content(len(content), sha256(content).hexdigest())
            yield pieces.take_written()
        now = version("coyote-table")
        manifest = replace(about, format=FORMAT, version=now, files=contents, left_out=tuple(left_out))
        file.writestr(_entry(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    yield pieces.take_written()


def _files_beside(here: TablePlaces) -> tuple[dict[str, Path], tuple[str, ...]]:
    single = ((name, here.file(name)) for name in READERS)
    there = {name: file for name, file in single if file.is_file() or not config.may_read(file)}
    files = {name: file for name, file in there.items() if config.may_read(file) and reads_well(name, file)}
    left_out = [name for name in there if name not in files]
    for name in decks_in(here.state / DECKS):
        deck = _deck_files(f"{DECKS}/{name}", last_whole(here.state / DECKS / name))
        files.update(deck)
        left_out += [] if deck else [f"{DECKS}/{name}"]
    return files, tuple(left_out)


def _deck_files(name: str, folder: Path) -> Mapping[str, Path]:
    files = {f"{name}/{each}": folder / each for each in (DECK, DRAFT) if (folder / each).is_file()}
    try:
        for face in load_deck(folder).faces:
            for file in pictures_in(folder, face):
                beside = (file.with_suffix(".jpg"), file.with_name(CUTS)) if read_wide(file) else ()
                files.update((f"{name}/{face}/{each.name}", each) for each in (file, *beside))
    except (DeckTroubleError, OSError):
        return {}
    return files if all(map(size_limit, files)) else {}


def _entry(name: str) -> ZipInfo:
    """Return a zip entry. Pictures are already small, and uncompressed matches can be salvaged."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_STORED if name.endswith((*PICTURES, ".jsonl")) else ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


class Pieces(RawIOBase):
    """A file that buffers what the writer writes until the sender takes it."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, content: Any) -> int:
        self._written += content
        return len(content)

    def take_written(self) -> bytes:
        content = bytes(self._written)
        self._written.clear()
        return content


# reading and checking


@contextmanager
def open_backup(file: Path) -> Iterator[OpenBackup]:
    """Open a backup with its manifest; raise BackupError if it is invalid or damaged."""
    with _as_backup_damage():
        _check_list(file)
        opened = ZipFile(file)
    with opened:
        with _as_backup_damage():
            manifest = _manifest_of(opened)
        yield OpenBackup(opened, manifest)


@contextmanager
def _as_backup_damage() -> Iterator[None]:
    try:
        yield
    except (BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BackupError("no backup") from error
    except OSError as error:
        # a part with a position before the file means a damaged list
        if error.errno != EINVAL:
            raise
        raise BackupError("no backup") from error


def verify_backup(file: Path) -> Manifest:
    with open_backup(file) as there:
        for name in there.manifest.files:
            there.content(name)
        return there.manifest


def _check_list(file: Path) -> None:
    """Check the length of a zip file's list before reading it; accept only lists like ours."""
    with file.open("rb") as opened:
        opened.seek(max(0, opened.seek(0, 2) - END.size - LONG_SIZE))
        tail = opened.read()
    if len(tail) < END.size or tail.startswith(b"PK\x06\x07"):
        raise BadZipFile
    signature, *_entries, length, _at, comment = END.unpack(tail[-END.size :])
    if signature != b"PK\x05\x06" or comment or length > MOST_LIST:
        raise BadZipFile


def _manifest_of(opened: ZipFile) -> Manifest:
    entries = opened.infolist()
    names = [entry.filename for entry in entries]
    if MANIFEST not in names or len(set(names)) != len(names) or not all(map(_is_plain, entries)):
        raise BadZipFile
    content = _unpack(opened, MANIFEST, LARGEST[MANIFEST])
    try:
        version = msgspec.json.decode(content, type=dict[str, object]).get("format")
        if isinstance(version, int) and version > FORMAT:
            raise BackupError("newer backup")
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadZipFile from error
    if {*manifest.files, MANIFEST} != set(names) or not _is_brief(manifest):
        raise BadZipFile
    for name, part in manifest.files.items():
        if name == MANIFEST or not size_limit(name):
            raise BadZipFile
        if not 0 <= part.size <= size_limit(name):
            raise BackupError("backup too large")
    return manifest


def _is_brief(manifest: Manifest) -> bool:
    """Return whether a manifest is no longer than a table's; parts of it are shown on pages."""
    texts = (manifest.version, manifest.made, *manifest.left_out)
    counts = (manifest.forgotten, manifest.lines, manifest.told)
    return (
        len(manifest.left_out) <= MOST_LEFT_OUT
        and all(len(text) <= LONGEST_SAID for text in texts)
        and all(0 <= count <= MOST_COUNTED for count in counts)
    )


def _is_plain(entry: ZipInfo) -> bool:
    """Return whether an entry is a file packed like ours: no folder, no link, not encrypted."""
    kind = entry.external_attr >> 16 & 0o170000
    return (
        kind in {0, 0o100000}
        # zipfile doesn't expect an empty name
        and not entry.filename.endswith("/")
        and not entry.flag_bits & 1
        and entry.compress_type in {ZIP_STORED, ZIP_DEFLATED}
    )


def _unpack(opened: ZipFile, name: str, most: int) -> bytes:
    """Unpack a part in pieces; in a single read, zipfile would copy its buffer repeatedly."""
    content = BytesIO()
    with opened.open(name) as packed:
        while piece := packed.read(PIECE):
            if content.tell() + len(piece) > most:
                raise BackupError("backup too large")
            content.write(piece)
    return content.getvalue()


def filed_in(file: Path) -> tuple[list[FiledLine], bool]:
    """Return a backup's lines and whether any are damaged; in a damaged one, intact lines are found anywhere.

    The newest backup of a second copy continues in the match files of the copy.
    """
    try:
        with open_backup(file) as there:
            found, is_damaged = there.lines(), False
    except BackupError as error:
        if error.problem.key == "backup journal damaged":
            raise
        found, is_damaged = _bounded(lines_in(read_raw(file, MOST_MATCH_BYTES))), True
    home = file.parents[1]
    if file.parent.name != DAYS or kept_copies(home)[:1] != (file,):
        return found, is_damaged
    files = read_files(home / JOURNAL)
    later = _bounded(chain.from_iterable(map(lines_in, files.values())))
    table = table_among(found or later) or 0
    own = [each for each in later if each.table == table]
    if later and not own:
        # written before a restore, after which the table was killed
        return found, is_damaged
    is_damaged |= contents_of(table, merge(each.line for each in own)) != files
    return [*{each.line.place: each for each in (*found, *own)}.values()], is_damaged


def _bounded(lines: Iterable[FiledLine]) -> list[FiledLine]:
    found = list(islice(lines, MOST_LINES + 1))
    if len(found) > MOST_LINES:
        raise BackupError("backup too large")
    # a single forged number could fill the memory with the lines before it
    if count_told(each.line for each in found) - len(found) > MOST_LOST:
        raise BackupError("backup journal damaged", lines=MOST_LOST)
    return found


def filed_or_none(file: Path) -> list[FiledLine]:
    """Return the lines of a copy; none if it can't be read."""
    with suppress(OSError, BackupError):
        return filed_in(file)[0]
    return []


def kept_copies(home: Path) -> tuple[Path, ...]:
    """Return a table's copies, newest first; by number, because a Pi's clock may have stopped."""
    files = (file for file in (home / DAYS).glob("*.zip") if _DAY.fullmatch(file.name) and file.is_file())
    return tuple(sorted(files, reverse=True))


def day_of(copy: Path) -> str:
    found = _DAY.fullmatch(copy.name)
    return "" if found is None else found[2]

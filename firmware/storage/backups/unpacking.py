"""Reading a backup from elsewhere: it is checked to the last byte before anything here changes.

Nothing in the file is believed: names are from a list, sizes are counted while unpacking, the journal's lines
are written into a new journal. What stood the checks waits in a folder; a mark, written last, says it is whole.
"""

import os
import shutil
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from datetime import datetime
from errno import EINVAL
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import MAX_WBITS, decompressobj
from zlib import error as ZlibError  # noqa: N812 - it is a class, whatever its name

import msgspec
from msgspec.structs import replace

from firmware.state_folder import CHOSEN, NEW, RESTORING, TRIAL
from firmware.storage.allowed_settings import leave_out_strange
from firmware.storage.backups.checking import CHECKS, OtherCopies, StagedBackup, reads_well, rewrite_journal
from firmware.storage.backups.parts import (
    DECKS,
    FORMAT,
    JOURNAL,
    LARGEST,
    MANIFEST,
    MOST_BYTES,
    MOST_FILES,
    RESERVE,
    BackupError,
    Content,
    Manifest,
    TablePlaces,
    backup_lock,
    size_limit,
)
from firmware.storage.backups.placing import BEFORE, MARK, BackupMark, next_folder
from firmware.storage.configuration import CHOICE, read_choice, settings_or_usual
from firmware.storage.errors import JournalError
from firmware.storage.files import read_raw
from firmware.storage.sealed_lines import carve_lines
from vision.files import make_folder, sync, write_whole
from vision.teaching.taught_decks import DeckTroubleError, load_deck

END = struct.Struct("<4s4H2LH")
"""The end of a zip file: signature, disks, entries, size and place of the list, length of a comment."""
FIRST = 30 + len(JOURNAL)
"""Where the content of the first file begins: behind a head of 30 bytes and its name."""
SHORTEST_ENTRY = 46
"""Bytes of the list for a file without a name."""
LONG_END = b"PK\x06\x07"
MOST_LIST = 20_000_000
CHUNK, SMALL_CHUNK = 256 * 1024, 512
ENCRYPTED = 1


def stage(file: Path, here: TablePlaces, others: Callable[[], OtherCopies] = OtherCopies) -> StagedBackup:
    """Check a backup, and lay it ready; whatever is wrong is a BackupError, and nothing has changed.

    A damaged journal is restored line by line, with what other copies have.
    """
    with backup_lock(here.state):
        if MARK.read(here.state) is not None:
            raise BackupError("backup waits")
        folder = here.state / RESTORING
        shutil.rmtree(folder, ignore_errors=True)
        with ExitStack() as undo:
            # also with a mark: what was told to have failed mustn't take its place at the next start
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
            try:
                staged = _stage_parts(file, here, folder, others)
            except OSError as error:
                raise BackupError("backup not laid ready", why=error.strerror or str(error)) from error
            except JournalError as error:
                raise BackupError(error.problem.key, **error.problem.values) from error
            undo.pop_all()
    return staged


def _stage_parts(
    file: Path, here: TablePlaces, folder: Path, others: Callable[[], OtherCopies]
) -> StagedBackup:
    new = folder / NEW
    with open_backup(file) as (opened, manifest):
        _check_room(manifest, here.state)
        make_folder(new)
        for name, content in manifest.files.items():
            _unpack(opened, name, content, folder / JOURNAL if name == JOURNAL else new / name)
    _check_parts(new)
    staged = rewrite_journal(folder / JOURNAL, new / JOURNAL, others)
    missing, strange = max(staged.missing, manifest.told - manifest.lines), _leave_out_settings(new, here)
    staged = replace(staged, missing=missing, left_out=manifest.left_out, strange=strange)
    _sync_all(folder)
    if CHOSEN in manifest.files:
        # it is new here, and so on trial
        write_whole(new / TRIAL, b"0")
    today = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    parts = tuple(sorted({name.split("/")[0] for name in manifest.files}))
    mark = BackupMark(next_folder(here.state, BEFORE, today), manifest.made, staged.matches, parts)
    MARK.keep(here.state, mark)
    return staged


@contextmanager
def open_backup(file: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Open a backup with what it says of itself; what is none, or damaged, is a BackupError."""
    try:
        _check_list(file)
        with _places_checked(), ZipFile(file) as opened:
            yield opened, manifest_of(opened)
    except (BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BackupError("no backup") from error


@contextmanager
def _places_checked() -> Iterator[None]:
    """Take a part whose place would be before the file for what it is: a damaged list of parts."""
    try:
        yield
    except OSError as error:
        if error.errno != EINVAL:
            raise
        raise BadZipFile from error


def extract_backup(file: Path, folder: Path) -> Manifest:
    """Unpack a backup of our own into a folder, as it says it is."""
    with open_backup(file) as (opened, manifest):
        for name, content in manifest.files.items():
            _unpack(opened, name, content, folder / name)
    return manifest


def manifest_in(file: Path) -> Manifest:
    """Read what a backup says of itself."""
    with open_backup(file) as (_opened, manifest):
        return manifest


def journal_in(file: Path) -> bytes:
    """Read the journal of a backup without its lists, which may be damaged: it is the first file in there.

    Earlier versions packed it; of such a one whatever comes before the damage can be unpacked.
    """
    if file.stat().st_size > MOST_BYTES:
        return b""
    raw = read_raw(file)[FIRST:]
    if any(carve_lines(raw)):
        return raw
    unpacker, unpacked = decompressobj(-MAX_WBITS), bytearray()
    with suppress(ZlibError):
        for at in range(0, len(raw), SMALL_CHUNK):
            if unpacker.eof or len(unpacked) >= LARGEST[JOURNAL]:
                break
            unpacked += unpacker.decompress(raw[at : at + SMALL_CHUNK], LARGEST[JOURNAL] - len(unpacked))
    return bytes(unpacked)


def verify_backup(file: Path) -> None:
    """Read all of a backup, and check that it is as it says."""
    with open_backup(file) as (opened, manifest):
        for name, content in manifest.files.items():
            for _chunk in _read_checked(opened, name, content):
                pass


# the file's own list


def _check_list(file: Path) -> None:
    """Look at how long the list of a zip file is, before all of it is read: as we write it, nothing else."""
    with file.open("rb") as opened:
        size = opened.seek(0, 2)
        opened.seek(max(0, size - END.size - 20))
        tail = opened.read()
    if len(tail) < END.size:
        raise BadZipFile
    signature, _disk, _first, _here, entries, length, _at, comment = END.unpack(tail[-END.size :])
    is_long = tail[: -END.size][-20:].startswith(LONG_END)
    if signature != b"PK\x05\x06" or comment or is_long:
        raise BadZipFile
    if length > size or entries * SHORTEST_ENTRY > length:
        # it can't be there: a bit of it has flipped
        raise BadZipFile
    if entries > MOST_FILES + 1 or length > MOST_LIST:
        raise BackupError("backup too large")


def manifest_of(opened: ZipFile) -> Manifest:
    """Read what a backup says of itself, and check that it is what lies there."""
    entries = opened.infolist()
    names = [entry.filename for entry in entries]
    if MANIFEST not in names or len(set(names)) != len(names) or not all(map(_is_plain, entries)):
        raise BadZipFile
    manifest = _decode_manifest(b"".join(_read_chunks(opened, MANIFEST, LARGEST[MANIFEST])))
    if {*manifest.files, MANIFEST} != set(names) or JOURNAL not in manifest.files:
        raise BadZipFile
    for name, content in manifest.files.items():
        if name == MANIFEST or not size_limit(name):
            raise BadZipFile
        if not 0 <= content.size <= size_limit(name):
            raise BackupError("backup too large")
    return manifest


def _decode_manifest(content: bytes) -> Manifest:
    try:
        plain = msgspec.json.decode(content, type=dict[str, object])
        said = plain.get("format")
        if isinstance(said, int) and said > FORMAT:
            raise BackupError("newer backup")
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadZipFile from error


def _is_plain(entry: ZipInfo) -> bool:
    """Return whether an entry is a file, packed as we pack: no folder, no link, nothing locked."""
    kind = entry.external_attr >> 16 & 0o170000
    return (
        kind in {0, 0o100000}
        # a name may be nothing at all, which zipfile doesn't expect
        and not entry.filename.endswith("/")
        and not entry.flag_bits & ENCRYPTED
        and entry.compress_type in {ZIP_STORED, ZIP_DEFLATED}
    )


def _check_room(manifest: Manifest, state: Path) -> None:
    """Refuse what would fill the disk; the journal is there twice for a while."""
    files = manifest.files.values()
    if sum(content.size for content in files) > MOST_BYTES:
        raise BackupError("backup too large")
    needed = sum(content.size for content in files) + manifest.files[JOURNAL].size + RESERVE
    if shutil.disk_usage(state).free < needed:
        raise BackupError("backup needs room", needed=needed // 1_000_000 + 1)


# unpacking


def _read_chunks(opened: ZipFile, name: str, most: int) -> Iterator[bytes]:
    """Unpack piece by piece, and no more than is allowed, whatever the list says."""
    with opened.open(name) as packed:
        while chunk := packed.read(CHUNK):
            most -= len(chunk)
            if most < 0:
                raise BackupError("backup too large")
            yield chunk


def _unpack(opened: ZipFile, name: str, content: Content, target: Path) -> None:
    """Unpack a file as the manifest says it is; of a damaged journal as much as there is."""
    make_folder(target.parent)
    is_journal = name == JOURNAL
    with target.open("xb") as out:
        out.writelines(
            read_damaged(opened, content.size) if is_journal else _read_checked(opened, name, content)
        )


def _read_checked(opened: ZipFile, name: str, content: Content) -> Iterator[bytes]:
    """Unpack a file piece by piece, and check at its end that it is what the manifest says."""
    seal, size = sha256(), 0
    for chunk in _read_chunks(opened, name, content.size):
        seal.update(chunk)
        size += len(chunk)
        yield chunk
    if size != content.size or seal.hexdigest() != content.sha256:
        raise BadZipFile


def read_damaged(opened: ZipFile, most: int) -> Iterator[bytes]:
    """Unpack a journal, up to where that can't be done any more: its lines have seals of their own."""
    entry = copy(opened.getinfo(JOURNAL))
    # without a checksum, which would hide what stands before the damage, and in it
    del entry.CRC
    with suppress(BadZipFile, ZlibError, EOFError), _places_checked(), opened.open(entry) as packed:
        while chunk := packed.read(SMALL_CHUNK):
            most -= len(chunk)
            if most < 0:
                raise BackupError("backup too large")
            yield chunk


def _check_parts(new: Path) -> None:
    for name in CHECKS:
        if (new / name).exists() and not reads_well(name, new / name):
            raise BackupError("backup part damaged", name=name)
    for deck in (new / DECKS).glob("*"):
        try:
            load_deck(deck)
        except DeckTroubleError as error:
            raise BackupError("backup deck damaged", name=deck.name) from error


def _leave_out_settings(new: Path, here: TablePlaces) -> tuple[str, ...]:
    """Take out of a choice what may not come in, and name it."""
    if not (new / CHOSEN).exists():
        return ()
    choice, strange = leave_out_strange(read_choice(new), settings_or_usual(here.configuration), here.state)
    CHOICE.keep(new, choice)
    return strange


def _sync_all(folder: Path) -> None:
    """Bring all of it to the disk before the mark."""
    for path in folder.rglob("*"):
        if path.is_dir():
            sync(path)
        else:
            with path.open("r+b") as file:
                os.fsync(file.fileno())
    sync(folder)
    sync(folder.parent)

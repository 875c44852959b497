"""A disk under SQLite that fails when told to, writes down what it is asked, and may lose power.

What a power cut leaves follows SQLite's own assumptions: what was synced is there; of all else any part may
be there, in any order, a write even in part, but a sector of 512 bytes whole or not at all. A new name in the
folder is certain once the folder was synced, as SQLite does with the first sync of each log or journal file.
"""

import sqlite3
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeVar

import apsw
from msgspec import Struct

from firmware.storage.database import Database

SECTOR = 512

Kind = Literal["create", "write", "truncate", "sync", "failed sync", "delete", "told"]


class Event(Struct, frozen=True):
    """Something the disk was asked for, or, between, an answer that was told to be kept."""

    kind: Kind
    name: str = ""
    file: int = 0
    at: int = 0
    data: bytes = b""
    folder: bool = False
    """The folder is synced too."""
    told: tuple[int, int] = (0, 0)


class Fault(Struct):
    """Which operation fails: from the how-manieth on, how many times, and how."""

    kind: Literal["write", "sync"]
    first: int
    times: int
    full: bool
    seen: int = 0
    fired: int = 0

    def strikes(self, kind: str) -> bool:
        """Count an operation, and say whether it fails."""
        if kind != self.kind:
            return False
        self.seen += 1
        strikes = self.first <= self.seen < self.first + self.times
        self.fired += strikes
        return strikes

    def error(self) -> apsw.Error:
        """Make the error that the disk gives."""
        if self.full:
            error: apsw.Error = apsw.FullError("the disk is full, the test says")
            error.extendedresult = apsw.SQLITE_FULL
        else:
            error = apsw.IOError("the disk is broken, the test says")
            codes = {"write": apsw.SQLITE_IOERR_WRITE, "sync": apsw.SQLITE_IOERR_FSYNC}
            error.extendedresult = codes[self.kind]
        return error


class Disk(apsw.VFS):
    """The disk: SQLite's usual one underneath."""

    def __init__(self, name: str, fault: Fault | None = None) -> None:
        """Register with SQLite under a name."""
        self.name = name
        self.fault = fault
        self.events: list[Event] = []
        self.connection: Connection | None = None
        self._files: dict[str, int] = {}
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "File":
        """Open a file, and note when it is new."""
        full = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        short = Path(full).name
        file = File(self, name, flags)
        if short not in self._files:
            self._files[short] = sum(event.kind == "create" for event in self.events)
            self.events.append(Event("create", short, self._files[short]))
        file.place = (short, self._files[short])
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """Delete a file, and note it."""
        super().xDelete(filename, syncdir)
        name = Path(filename).name
        self.events.append(Event("delete", name, self._files.pop(name), folder=syncdir))

    def write_again(self, path: Path) -> None:
        """Note that a file was written and synced past SQLite."""
        place = (path.name, self._files[path.name])
        self.events += [Event("write", *place, data=path.read_bytes()), Event("sync", *place)]

    def tell(self, match_id: int, number: int) -> None:
        """Note that an answer is told to be kept."""
        self.events.append(Event("told", told=(match_id, number)))

    def connect(self, path: Path, checkpoint: int = 1000) -> Database:
        """Open a database on this disk, for the journal."""
        self.connection = Connection(path, self.name, checkpoint)
        return self.connection

    def strikes(self, kind: str) -> apsw.Error | None:
        """Give the error if this operation is to fail."""
        return self.fault.error() if self.fault is not None and self.fault.strikes(kind) else None


_NAMED_BY_SYNC = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL


class File(apsw.VFSFile):
    """A file of the disk."""

    place: tuple[str, int]

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        """Open it underneath."""
        self._disk = disk
        wanted = flags[0]
        self._folder = bool(wanted & apsw.SQLITE_OPEN_CREATE and wanted & _NAMED_BY_SYNC)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        """Write, or fail."""
        if error := self._disk.strikes("write"):
            raise error
        super().xWrite(data, offset)
        self._disk.events.append(Event("write", *self.place, at=offset, data=bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        """Cut the file off."""
        super().xTruncate(newsize)
        self._disk.events.append(Event("truncate", *self.place, at=newsize))

    def xSync(self, flags: int) -> None:
        """Sync, or fail; the first time the folder of a new log or journal is synced too."""
        if error := self._disk.strikes("sync"):
            self._disk.events.append(Event("failed sync", *self.place))
            raise error
        super().xSync(flags)
        self._disk.events.append(Event("sync", *self.place, folder=self._folder))
        self._folder = False


class Connection:
    """What the journal needs of a connection, made of an apsw one."""

    def __init__(self, path: Path, vfs: str, checkpoint: int) -> None:
        """Open the database."""
        self._db = _as_sqlite3(lambda: apsw.Connection(str(path), vfs=vfs))
        self._db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")

    @property
    def in_transaction(self) -> bool:
        """Ask SQLite."""
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        """Run one statement and give its rows."""
        return _as_sqlite3(lambda: self._db.execute(sql, params).fetchall())

    def leave_log(self) -> None:
        """Leave everything as it is on closing, as if the process were killed."""
        self._db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def close(self) -> None:
        """Close."""
        _as_sqlite3(self._db.close)


T = TypeVar("T")


def _as_sqlite3(do: Callable[[], T]) -> T:
    """Do it, and raise what the journal knows."""
    try:
        return do()
    except apsw.Error as error:
        translated = sqlite3.OperationalError(str(error))
        translated.sqlite_errorcode = error.extendedresult
        raise translated from error


class _Content(Struct):
    """What is in a file: what is certain to be there, and what was asked for since the last sync."""

    certain: bytearray
    open: list[Event]


class Remains:
    """What a power cut leaves of the files, at any moment while the events are gone through."""

    def __init__(self, rng: Random) -> None:
        """Begin with an empty folder."""
        self._rng = rng
        self._contents: dict[int, _Content] = {}
        self._names: dict[str, int | None] = {}
        self._open_names: list[tuple[str, int | None]] = []

    def go_on(self, event: Event) -> None:
        """Let an event happen."""
        match event.kind:
            case "create":
                self._contents[event.file] = _Content(bytearray(), [])
                self._open_names.append((event.name, event.file))
            case "delete":
                self._open_names.append((event.name, None))
            case "write" | "truncate":
                self._contents[event.file].open.append(event)
            case "sync":
                self._settle(event.file, certain=True)
            case "failed sync":
                # What was to be synced is given up: Linux says so once and holds the pages for clean.
                self._settle(event.file, certain=False)
            case "told":
                pass
        if event.folder:
            self._names |= dict(self._open_names)
            self._open_names = []

    def leave(self, folder: Path) -> None:
        """Write what might be left into a folder."""
        names = dict(self._names)
        for name in {name for name, _ in self._open_names}:
            steps = [file for each, file in self._open_names if each == name]
            happened = self._rng.randint(0, len(steps))
            if happened:
                names[name] = steps[happened - 1]
        for name, file in names.items():
            if file is not None:
                (folder / name).write_bytes(self._content_left(self._contents[file]))

    def _settle(self, file: int, *, certain: bool) -> None:
        content = self._contents[file]
        content.certain = (
            self._apply_events(content.certain, content.open) if certain else self._content_left(content)
        )
        content.open = []

    def _content_left(self, content: _Content) -> bytearray:
        """Let any part of what was not synced happen, in any order: all, nothing, or each with a chance."""
        chance = self._rng.choice([0.0, 0.2, 0.5, 0.8, 1.0])
        some = [event for event in content.open if self._rng.random() < chance]
        if self._rng.random() < 0.5:
            self._rng.shuffle(some)
        torn = [piece for event in some for piece in self._tear_writes(event)]
        return self._apply_events(bytearray(content.certain), torn)

    def _tear_writes(self, event: Event) -> list[Event]:
        """Tear some writes: only a few of their sectors get written."""
        if event.kind != "write" or self._rng.random() < 0.6:
            return [event]
        pieces = _sectors(event)
        if self._rng.random() < 0.5:
            return pieces[: self._rng.randint(0, len(pieces))]
        return [piece for piece in pieces if self._rng.random() < 0.5]

    @staticmethod
    def _apply_events(content: bytearray, events: list[Event]) -> bytearray:
        for event in events:
            if event.kind == "truncate":
                del content[event.at :]
            else:
                content.extend(bytes(max(0, event.at - len(content))))
                content[event.at : event.at + len(event.data)] = event.data
        return content


def _sectors(event: Event) -> list[Event]:
    """Divide a write where sectors end."""
    ends = range((event.at // SECTOR + 1) * SECTOR, event.at + len(event.data), SECTOR)
    cuts = [0, *(end - event.at for end in ends), len(event.data)]
    return [
        Event("write", event.name, event.file, event.at + first, event.data[first:last])
        for first, last in pairwise(cuts)
    ]

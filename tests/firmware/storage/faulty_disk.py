"""A failing disk below SQLite that logs every request.

After a power cut the files follow SQLite's own assumptions, as in `faulty_files`. A new name in a folder is
durable once the folder was synced; SQLite does that at the first sync of each log or journal file.
"""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

import apsw

from firmware.storage.database import Database
from tests.firmware.storage.faulty_files import ROOT, FailingOperation, Named, Synced, Trail, Wrote
from tests.open_connections import CONNECTIONS


class Fault(FailingOperation, kw_only=True):
    """A failure: the kind of operation, the first failing count, the number of failures, and the error."""

    kind: Literal["write", "sync"]
    full: bool

    def error(self) -> apsw.Error:
        error: apsw.Error = apsw.FullError("the disk is full, the test says")
        error.extendedresult = apsw.SQLITE_FULL
        if not self.full:
            error = apsw.IOError("the disk is broken, the test says")
            is_write = self.kind == "write"
            error.extendedresult = apsw.SQLITE_IOERR_WRITE if is_write else apsw.SQLITE_IOERR_FSYNC
        return error


class Disk(apsw.VFS):
    """The disk: SQLite's usual one underneath."""

    def __init__(self, name: str) -> None:
        self.name, self.trail = name, Trail()
        self.fault: Fault | None = None
        self.connection: _Connection | None = None
        self._files: dict[str, int] = {}
        self._last = ROOT
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "_File":
        # a string, which apsw copies: any other name is read from the connection's memory, freed or not, and
        # the traceback of a failed test shows files of closed connections
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        short = Path(str(path)).name
        file = _File(self, path, flags)
        if short not in self._files:
            self._last += 1
            self._files[short] = self._last
            self.trail.events += [Wrote(self._last, 0, b"", is_end=True), Named((((ROOT, short), self._last),))]
        file.number = self._files[short]
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        name = Path(filename).name
        del self._files[name]
        self.trail.events += [Named((((ROOT, name), None),)), *([Synced(ROOT)] if syncdir else [])]

    def write_again(self, path: Path) -> None:
        """Record that a file was written and synced without SQLite."""
        number = self._files[path.name]
        self.trail.events += [Wrote(number, 0, path.read_bytes()), Synced(number)]

    def connect(self, path: Path, checkpoint: int = 1000) -> Database:
        """Open a database on this disk, for the journal."""
        self.connection = _Connection(path, self.name, checkpoint)
        return self.connection

    def error(self, kind: str) -> apsw.Error | None:
        fault = self.fault
        return fault.error() if fault is not None and kind == fault.kind and fault.strikes() else None


_NAMED_BY_SYNC = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL


class _File(apsw.VFSFile):
    """A file of the disk."""

    number: int

    def __init__(self, disk: Disk, name: str | None, flags: list[int]) -> None:
        self._disk, wanted = disk, flags[0]
        self._folder = bool(wanted & apsw.SQLITE_OPEN_CREATE and wanted & _NAMED_BY_SYNC)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        if error := self._disk.error("write"):
            raise error
        super().xWrite(data, offset)
        self._disk.trail.events.append(Wrote(self.number, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._disk.trail.events.append(Wrote(self.number, newsize, b"", is_end=True))

    def xSync(self, flags: int) -> None:
        """Sync, or fail; the first sync of a new log or journal also syncs its folder."""
        events = self._disk.trail.events
        if error := self._disk.error("sync"):
            events.append(Synced(self.number, is_certain=False))
            raise error
        super().xSync(flags)
        events += [Synced(self.number), *([Synced(ROOT)] if self._folder else [])]
        self._folder = False


class _Connection:
    """The connection interface of the journal, implemented by apsw."""

    def __init__(self, path: Path, vfs: str, checkpoint: int) -> None:
        self._db = _as_sqlite3(lambda: apsw.Connection(str(path), vfs=vfs))
        CONNECTIONS.opened(self)
        self._db.execute(f"PRAGMA wal_autocheckpoint = {checkpoint}")

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, params: tuple[int | str, ...] = (), /) -> Iterable[Any]:
        return _as_sqlite3(lambda: self._db.execute(sql, params).fetchall())

    def leave_log(self) -> None:
        """Leave the files unchanged on closing, as if the process were killed."""
        self._db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def close(self) -> None:
        CONNECTIONS.closed(self)
        _as_sqlite3(self._db.close)


T = TypeVar("T")


def _as_sqlite3(do: Callable[[], T]) -> T:
    """Call a function, and convert apsw's errors into sqlite3's."""
    try:
        return do()
    except apsw.Error as error:
        translated = sqlite3.OperationalError(str(error))
        translated.sqlite_errorcode = error.extendedresult
        raise translated from error

"""What goes wrong with the disk and the database, as data; `firmware/language` has the words."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vision.troubles import TroubleError


class JournalError(TroubleError):
    """What hinders the journal."""


class BackupError(TroubleError):
    """What is wrong with a backup, or hinders it."""


ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What SQLite's trouble comes as: damaged bytes may be no text, a damaged length asks for too much memory."""
_FULL, _DISK, _RIGHTS = "journal disk full", "journal disk", "journal rights"
_BUSY, _OTHER = "journal busy", "journal trouble"
_SQLITE_KINDS = {
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE), _FULL),
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN), _RIGHTS),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _BUSY),
    **dict.fromkeys((sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_INTERRUPT), _OTHER),
    sqlite3.SQLITE_IOERR: _DISK,
}
"""What SQLite's result codes mean; every other one is damage."""
_SYSTEM_KINDS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), _FULL),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _RIGHTS),
    errno.EIO: _DISK,
}
_READ_ERRORS = {
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_DATA,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
}


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise JournalError(_OTHER, path=str(path), why=str(error)) from error
    except ERRORS as error:
        code = _code(error)
        kind = _SQLITE_KINDS.get(code) or _SQLITE_KINDS.get(code & 0xFF, "journal damaged")
        raise JournalError(kind, path=str(path), why=str(error)) from error
    except OSError as error:
        kind = _SYSTEM_KINDS.get(error.errno or 0, _OTHER)
        raise JournalError(kind, path=str(path), why=error.strerror or str(error)) from error


def _code(error: Exception) -> int:
    """Give SQLite's extended result code; what Python found out by itself has none, and is damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)


def is_damage(error: Exception, path: Path) -> bool:
    """Return whether it is damage, and no trouble that passes: a full disk, another program, missing rights."""
    code = _code(error)
    if code == sqlite3.SQLITE_READONLY:
        # SQLite takes a file for read-only, too, if its header asks for a later version of SQLite.
        return os.access(path, os.W_OK)
    return code in _READ_ERRORS or code & 0xFF not in _SQLITE_KINDS

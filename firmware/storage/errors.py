"""Disk and database errors as data; `firmware/language` has the words."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vision.troubles import TroubleError


class JournalError(TroubleError):
    """A journal operation failed."""


class BackupError(TroubleError):
    """A backup is invalid, or a backup operation failed."""


ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""Exceptions of a damaged SQLite file: damaged bytes may not be text, and a damaged length may exceed memory.
"""
_FULL, _DISK, _RIGHTS = "journal disk full", "journal disk", "journal rights"
_BUSY, _OTHER = "journal busy", "journal trouble"
_SQLITE_KINDS = {
    **dict.fromkeys((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE), _FULL),
    **dict.fromkeys((sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN), _RIGHTS),
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _BUSY),
    **dict.fromkeys((sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_INTERRUPT), _OTHER),
    sqlite3.SQLITE_IOERR: _DISK,
}
"""Meaning of SQLite's result codes; all others are damage."""
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
    """Return SQLite's extended result code; Python's own errors have none and count as damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)


def is_damage(error: Exception, path: Path) -> bool:
    """Return whether an error is damage, not a temporary problem like a full disk, a lock or missing rights."""
    code = _code(error)
    if code == sqlite3.SQLITE_READONLY:
        # SQLite also treats a file as read-only if its header requires a later version of SQLite
        return os.access(path, os.W_OK)
    return code in _READ_ERRORS or code & 0xFF not in _SQLITE_KINDS

"""What goes wrong with the disk and the database, in one line that says what to do."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.language.speaking import _


class JournalError(Exception):
    """What hinders the journal, and what to do about it, in one line."""


ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite's trouble comes as: the message may quote damaged bytes, and then Python stumbles over those."""


_FULL = _("{path}: the disk is full; make room, then go on")


_DISK = _("{path}: the disk can't be read or written; check the card, then start the table again")


_RIGHTS = _("{path}: the file or its folder can't be written; check whose they are")


_BUSY = _("{path}: another program is using the journal; close that program")


_DAMAGED = _("{path}: the journal is damaged; start the table again, and it is mended")


_OTHER = _("{path}: the journal can't be used: {error}")


_SQLITE_TEXTS = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_IOERR_SHMSIZE: _FULL,
    sqlite3.SQLITE_READONLY: _RIGHTS,
    sqlite3.SQLITE_PERM: _RIGHTS,
    sqlite3.SQLITE_CANTOPEN: _RIGHTS,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_NOMEM: _OTHER,
    sqlite3.SQLITE_MISUSE: _OTHER,
    sqlite3.SQLITE_INTERRUPT: _OTHER,
}
"""What to tell for SQLite's result codes; every other one is damage."""


_SYSTEM_TEXTS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EIO: _DISK,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
}


_READ_ERRORS = {
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_DATA,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
}


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    """Turn what goes wrong into one line that says what to do."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise JournalError(_OTHER.format(path=path, error=error)) from error
    except ERRORS as error:
        code = _code(error)
        told = _SQLITE_TEXTS.get(code) or _SQLITE_TEXTS.get(code & 0xFF, _DAMAGED)
        raise JournalError(told.format(path=path, error=error)) from error
    except OSError as error:
        told = _SYSTEM_TEXTS.get(error.errno or 0, _OTHER)
        raise JournalError(told.format(path=path, error=error.strerror or error)) from error


def _code(error: Exception) -> int:
    """Give SQLite's extended result code; what Python found out by itself has none, and is damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)


def is_damage(error: Exception, path: Path) -> bool:
    """Tell damage from trouble that passes: a full disk, another program, missing rights."""
    code = _code(error)
    if code == sqlite3.SQLITE_READONLY:
        # SQLite takes a file for read-only, too, if its header asks for a later version of SQLite.
        return os.access(path, os.W_OK)
    return code in _READ_ERRORS or code & 0xFF not in _SQLITE_TEXTS

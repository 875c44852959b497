"""Moving a table's things to where the service keeps them: nothing that lies there already is written over.

`python -m firmware.storage.state_moving NEW OLD...`, run as their owner; it prints what it did.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.state_folder import CONFIGURATION, DECKS, JOURNAL, STAND_ALONE
from firmware.storage.errors import JournalError
from firmware.storage.files import journal_lock
from firmware.updates.tools import remove
from vision.files import make_folder, sync

LOCK = f"{JOURNAL}.lock"
NO_STATE = frozenset({CONFIGURATION, "log", LOCK})
"""What may lie in the same folder, and is none of the table's things."""


class Moved(Struct, frozen=True):
    """What was done with a folder: what has moved, what stayed because its place was taken."""

    old: str
    moved: tuple[str, ...] = ()
    stayed: tuple[str, ...] = ()
    is_busy: bool = False  # whether a table plays there: then nothing has moved


def main() -> None:
    os.umask(0o077)
    new, *olds = map(Path, sys.argv[1:])
    sys.stdout.write(msgspec.json.encode([move_state(old, new) for old in olds]).decode())


def older_folders(home: Path) -> tuple[Path, ...]:
    """Name where a table's things may lie: a person's own folder, and those of a service without root."""
    return tuple(home / place / "coyote-table" for place in (".local/share", ".local/state", ".config"))


def move_state(old: Path, new: Path) -> Moved:
    """Move a table's things; where matches lie already, only what is of use without those that come."""
    there = set(things_in(old))
    if not there:
        return Moved(str(old))
    make_folder(new)
    try:
        with journal_lock(old / JOURNAL):
            wanted = there & STAND_ALONE if (new / JOURNAL).exists() else there
            # the journal last: until it is there, a move that was broken off goes on the next time
            ordered = sorted(wanted, key=lambda name: (name == JOURNAL, name))
            moved = tuple(chain.from_iterable(_move(old, new, name) for name in ordered))
            return Moved(str(old), moved, tuple(sorted(things_in(old))))
    except JournalError:
        return Moved(str(old), stayed=tuple(sorted(there)), is_busy=True)
    finally:
        (old / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            old.rmdir()


def things_in(folder: Path) -> Iterator[str]:
    """List a table's things in a folder; marks of a table that ran, which begin with a dot, are none."""
    if folder.is_dir() and not folder.is_symlink():
        names = (path.name for path in folder.iterdir())
        yield from (name for name in names if name not in NO_STATE and not name.startswith("."))


def _move(old: Path, new: Path, name: str) -> Iterator[str]:
    if name == DECKS and (new / name).is_dir():
        for deck in sorted(path.name for path in (old / name).iterdir()):
            yield from (f"{name}/{moved}" for moved in _move(old / name, new / name, deck))
        with suppress(OSError):
            (old / name).rmdir()
    elif not os.path.lexists(new / name):
        _carry(old / name, new / name)
        yield name


def _carry(old: Path, new: Path) -> None:
    """Carry a file or a folder to another disk: whole, synced, its owner's alone; then the old one goes."""
    draft = new.with_name(f".moving-{new.name}")
    remove(draft)
    if old.is_dir() and not old.is_symlink():
        shutil.copytree(old, draft, symlinks=True)
    else:
        shutil.copy2(old, draft, follow_symlinks=False)
    for path in (draft, *draft.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)
            sync(path)
    draft.replace(new)
    sync(new.parent)
    remove(old)


if __name__ == "__main__":
    main()

"""A value that is kept in a small file of its own: one way to read it, one way to write it."""

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from firmware.storage.files import write_private
from vision.files import SMALL, make_folder, read_json, write_whole

T = TypeVar("T")


class Kept(Generic[T]):
    """What a table keeps in its state's folder under one name."""

    def __init__(
        self, name: str, kind: type[T], unsaid: T, *, largest: int = SMALL, is_private: bool = False
    ) -> None:
        """Take the file's name, what it holds, and what counts where nothing is kept or it can't be read."""
        self.name, self._kind, self._unsaid = name, kind, unsaid
        self._largest, self._is_private = largest, is_private

    def read(self, state: Path) -> T:
        """Read what is kept."""
        found = self.find(state)
        return self._unsaid if found is None else found

    def find(self, state: Path) -> T | None:
        """Read what is kept; None if that was never kept."""
        try:
            return read_json(state / self.name, self._kind, self._largest)
        except FileNotFoundError:
            return None
        except OSError:
            return self._unsaid

    def keep(self, state: Path, value: T) -> None:
        """Keep a value, all of it or nothing."""
        content = msgspec.json.encode(value) + b"\n"
        if self._is_private:
            write_private(state / self.name, content)
            return
        make_folder(state)
        write_whole(state / self.name, content)

    def drop(self, state: Path) -> None:
        """Keep nothing any more."""
        (state / self.name).unlink(missing_ok=True)

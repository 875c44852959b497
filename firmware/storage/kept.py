"""A value that is kept in a small file of its own: one way to read it, one way to write it."""

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from firmware.storage.files import beside
from vision.files import SMALL, make_folder, read_json, read_json_or, write_whole

T = TypeVar("T")


class Kept(Generic[T]):
    """What a table keeps in its state's folder under one name."""

    def __init__(
        self, name: str, kind: type[T], unsaid: T, *, largest: int = SMALL, is_private: bool = False
    ) -> None:
        """Take the file's name, what it holds, and what counts where nothing is kept or it can't be read."""
        self.name, self._kind, self._unsaid = name, kind, unsaid
        self._largest, self._is_private = largest, is_private

    def file(self, state: Path) -> Path:
        """Say where it is kept."""
        return state / self.name

    def read(self, state: Path) -> T:
        """Read what is kept."""
        return read_json_or(self.file(state), self._kind, self._unsaid, self._largest)

    def find(self, state: Path) -> T | None:
        """Read what is kept; None if that was never kept."""
        try:
            return self.load(state)
        except FileNotFoundError:
            return None
        except OSError:
            return self._unsaid

    def load(self, state: Path) -> T:
        """Read what is kept; raise OSError if that can't be read."""
        return read_json(self.file(state), self._kind, self._largest)

    def keep(self, state: Path, value: T) -> None:
        """Keep a value, all of it or nothing."""
        file = self.file(state)
        make_folder(file.parent)
        write_whole(file, msgspec.json.encode(value) + b"\n", is_private=self._is_private)

    def drop(self, state: Path) -> None:
        """Keep nothing any more."""
        self.file(state).unlink(missing_ok=True)


class KeptBeside(Kept[T]):
    """What is kept beside a journal, which is named in the state's place; the name is how the file ends."""

    def file(self, state: Path) -> Path:
        """Say where it is kept."""
        return beside(state, self.name)

"""A folder on a disk that fails when told to, writes down what happens to it, and may lose power.

It stands under what Python does to files: names, syncs, writes; what SQLite did in between is found by looking.
What a power cut leaves is the worst that file systems allow: what was synced is there; of all else any part may
be there, torn at sectors of 512 bytes, and of the names any that don't build on one that is lost. A renaming
happens or doesn't; the name of a new file or folder is certain once its folder was synced.
"""

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec import Struct

SECTOR = 512
ROOT = 0

Place = tuple[int, str]
"""A folder, and a name in it."""


class Saw(Struct, frozen=True):
    """A file has another content."""

    file: int
    content: bytes


class Named(Struct, frozen=True):
    """Names were given or taken away, all of these at once."""

    names: tuple[tuple[Place, int | None], ...]


class Synced(Struct, frozen=True):
    """A file's content is certain by now, or a folder's names."""

    what: int


class Told(Struct, frozen=True):
    """Something was told to be done."""

    number: int


Event = Saw | Named | Synced | Told


class Struck(Struct):
    """Which operation fails: from the how-manieth on, how many times, and how."""

    first: int
    times: int = 1
    code: int = errno.ENOSPC
    seen: int = 0
    fired: int = 0

    def check(self) -> None:
        """Count an operation, and let it fail if its time has come."""
        self.seen += 1
        if self.first <= self.seen < self.first + self.times:
            self.fired += 1
            raise OSError(self.code, os.strerror(self.code))


class Files:
    """The folder, as it is known, and what has happened to it."""

    def __init__(self, root: Path, struck: Struck | None = None) -> None:
        """Take a folder as it is: all of it is certain."""
        self.root, self.struck = root.resolve(), struck
        self.events: list[Event] = []
        self._names: dict[Place, int] = {}
        self._contents: dict[int, bytes] = {}
        self._last = ROOT
        self.look()
        self.names, self.contents = dict(self._names), dict(self._contents)
        self.events = []

    # looking

    def look(self) -> None:
        """Note what has changed without being heard of."""
        there = dict(self._each(self.root, ROOT))
        gone = [place for place in self._names if place not in there]
        for place in reversed(gone):
            del self._names[place]
            self.events.append(Named(((place, None),)))
        for place, path in there.items():
            self._look_at(self._names[place], path)

    def _each(self, folder: Path, number: int) -> Iterator[tuple[Place, Path]]:
        """List all that is there; what is new gets a number."""
        for path in sorted(folder.iterdir()):
            place = (number, path.name)
            if place not in self._names:
                self._last += 1
                self._names[place] = self._last
                self.events.append(Named(((place, self._last),)))
            yield place, path
            if path.is_dir():
                yield from self._each(path, self._names[place])

    def _look_at(self, number: int, path: Path) -> None:
        content = path.read_bytes() if path.is_file() else None
        if content is not None and self._contents.get(number) != content:
            self._contents[number] = content
            self.events.append(Saw(number, content))

    def tell(self, number: int) -> None:
        """Note that something is told to be done."""
        self.look()
        self.events.append(Told(number))

    # hearing

    @contextmanager
    def watch_python(self) -> Iterator[None]:
        """Hear what Python does to files, and let it fail."""
        both: tuple[Any, ...] = (os.rename, os.replace)
        one: tuple[Any, ...] = (os.unlink, os.remove, os.mkdir, os.rmdir)
        patches = [patch.object(os, each.__name__, self._watch_renaming(each)) for each in both]
        patches += [patch.object(os, each.__name__, self._watch_naming(each)) for each in one]
        patches += [
            patch.object(os, "fsync", self._sync),
            patch.object(io, "open", self._watch_opening(io.open)),
        ]
        for each in patches:
            each.start()
        try:
            yield
        finally:
            for each in patches:
                each.stop()

    def _check(self) -> None:
        if self.struck is not None:
            self.struck.check()

    def _watch_naming(self, do: Callable[..., None]) -> Callable[..., None]:
        def name_file(path: Any, *more: Any, **others: Any) -> None:
            if do is os.mkdir:
                self._check()
            self.look()
            do(path, *more, **others)
            self.look()

        return name_file

    def _watch_renaming(self, do: Callable[..., None]) -> Callable[..., None]:
        def rename_file(source: Any, target: Any) -> None:
            self._check()
            self.look()
            do(source, target)
            old, new = self._place(Path(source)), self._place(Path(target))
            if old is not None and new is not None:
                number = self._names[new] = self._names.pop(old)
                self.events.append(Named(((old, None), (new, number))))
            self.look()

        return rename_file

    def _sync(self, handle: int) -> None:
        self._check()
        self.look()
        path = Path(f"/proc/self/fd/{handle}").readlink()
        place = self._place(path)
        if place is not None or path == self.root:
            self.events.append(Synced(ROOT if place is None else self._names[place]))

    def _watch_opening(self, do: Callable[..., Any]) -> Callable[..., Any]:
        def open_file(file: Any, mode: str = "r", *more: Any, **others: Any) -> Any:
            if mode not in {"wb", "xb"}:
                return do(file, mode, *more, **others)
            self._check()
            return io.BufferedWriter(_Raw(os.fspath(file), mode, self._check))

        return open_file

    def _place(self, path: Path) -> Place | None:
        """Find a path's place, if it is in the folder."""
        parts = ("", *path.absolute().relative_to(self.root).parts) if self._is_in(path) else ()
        folder = ROOT
        for name in parts[1:-1]:
            folder = self._names[folder, name]
        return (folder, parts[-1]) if len(parts) > 1 else None

    def _is_in(self, path: Path) -> bool:
        return path.absolute().is_relative_to(self.root)


class _Raw(io.FileIO):
    """A file of which a write may fail, after half of it."""

    def __init__(self, file: str, mode: str, check: Callable[[], None]) -> None:
        """Open it."""
        self._check = check
        super().__init__(file, mode)

    def write(self, data: Any, /) -> int:
        """Write, or fail in the middle of it."""
        try:
            self._check()
        except OSError:
            super().write(bytes(data)[: len(data) // 2])
            raise
        return super().write(data) or 0


# what is left


class Remains:
    """What a power cut leaves, at any moment while the events are gone through."""

    def __init__(self, files: Files, rng: Random) -> None:
        """Begin with what was there."""
        self._rng = rng
        self._names: dict[Place, int | None] = {**files.names}
        self._certain = dict(files.contents)
        self._later: dict[int, list[bytes]] = {}
        self._open: list[Named] = []

    def go_on(self, event: Event) -> None:
        """Let an event happen."""
        match event:
            case Saw(file, content):
                self._later.setdefault(file, []).append(content)
            case Named():
                self._open.append(event)
            case Synced(what):
                if what in self._later:
                    self._certain[what] = self._later.pop(what)[-1]
                self._settle(what)
            case Told():
                pass

    def _settle(self, folder: int) -> None:
        """Make the names of a folder certain, and what they build on."""
        wanted = {place for named in self._open for place, _number in named.names if place[0] == folder}
        kept: list[Named] = []
        for named in reversed(self._open):
            places = {place for place, _number in named.names}
            if places & wanted:
                wanted |= places
            else:
                kept.append(named)
        done = [named for named in self._open if named not in kept]
        for named in done:
            self._names |= dict(named.names)
        self._open = kept[::-1]

    def leave(self, folder: Path) -> None:
        """Write what might be left into a folder."""
        names = {**self._names}
        lost: set[Place] = set()
        chance = self._rng.choice([0.0, 0.3, 0.7, 1.0])
        for named in self._open:
            places = {place for place, _number in named.names}
            if places & lost or self._rng.random() >= chance:
                lost |= places
            else:
                names |= dict(named.names)
        self._write(folder, ROOT, names)

    def _write(self, folder: Path, number: int, names: dict[Place, int | None]) -> None:
        folder.mkdir()
        for (home, name), each in names.items():
            if home != number or each is None:
                continue
            if each in self._certain or each in self._later:
                (folder / name).write_bytes(self._content_left(each))
            else:
                self._write(folder / name, each, names)

    def _content_left(self, file: int) -> bytes:
        """Give what is left of a file: what it was, what it should be, or sectors of either."""
        contents = [self._certain.get(file, b""), *self._later.get(file, [])]
        if self._rng.random() < 0.5:
            return self._rng.choice(contents)
        size = len(self._rng.choice(contents))
        sectors = (self._rng.choice(contents)[at : at + SECTOR] for at in range(0, size, SECTOR))
        return b"".join(each.ljust(SECTOR, b"\0") for each in sectors)[:size]


def tidy(folder: Path) -> None:
    """Remove a folder of what was left."""
    for path in sorted(folder.rglob("*"), reverse=True):
        with suppress(FileNotFoundError):
            path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()

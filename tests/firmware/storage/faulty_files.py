"""A folder on a failing disk that logs its changes and may lose power.

It hooks Python's file operations: names, syncs, writes. SQLite's changes are found by comparison, or reported
by `faulty_disk`. A power cut leaves the worst state that file systems allow: synced data is durable; of the
rest any part may be present, in any order, torn at sectors of 512 bytes, and any names that don't depend on a
lost one. A rename happens or not; a new name is durable once its folder was synced.
"""

import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec import Struct

SECTOR = 512
ROOT = 0

Place = tuple[int, str]  # a folder, and the name of an entry


class Wrote(Struct, frozen=True):
    """Bytes written into a file; the file may end with them."""

    file: int
    at: int
    data: bytes
    is_end: bool = False


class Named(Struct, frozen=True):
    """Names created or removed, all of these at once."""

    names: tuple[tuple[Place, int | None], ...]


class Synced(Struct, frozen=True):
    """A file's content is durable, or a folder's names, or the system has dropped the data."""

    what: int
    is_certain: bool = True


class Reported(Struct, frozen=True):
    """An operation was reported as done."""

    what: Any


Event = Wrote | Named | Synced | Reported


class FailingOperation(Struct):
    """A failing operation: its kind, the first failing count, the number of failures, and the error."""

    first: int
    times: int = 1
    code: int = errno.ENOSPC
    seen: int = 0
    fired: int = 0

    def strikes(self) -> bool:
        """Count an operation. Returns whether it fails."""
        self.seen += 1
        is_now = self.first <= self.seen < self.first + self.times
        self.fired += is_now
        return is_now

    def check(self) -> None:
        """Count an operation, and raise if it is to fail."""
        if self.strikes():
            raise OSError(self.code, os.strerror(self.code))


class Trail:
    """The events, with the names and contents before them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.names: dict[Place, int] = {}
        self.contents: dict[int, bytes] = {}

    def tell(self, what: object) -> None:
        self.events.append(Reported(what))


class Files(Trail):
    """The known state of the folder, and its events."""

    def __init__(self, root: Path, struck: FailingOperation | None = None) -> None:
        super().__init__()
        self.root, self.check = root.resolve(), struck.check if struck else lambda: None
        self._names: dict[Place, int] = {}
        self._contents: dict[int, bytes] = {}
        self._numbers = count(ROOT + 1)
        self.look()
        self.names, self.contents = dict(self._names), dict(self._contents)
        self.events = []

    def look(self) -> None:
        """Record changes made without a hook."""
        there = dict(self._each(self.root, ROOT))
        for place in reversed([place for place in self._names if place not in there]):
            del self._names[place]
            self.events.append(Named(((place, None),)))
        for place, path in there.items():
            number, content = self._names[place], path.read_bytes() if path.is_file() else None
            if content is not None and self._contents.get(number) != content:
                self._contents[number] = content
                self.events.append(Wrote(number, 0, content, is_end=True))

    def _each(self, folder: Path, number: int) -> Iterator[tuple[Place, Path]]:
        """List all entries; new ones get a number."""
        for path in sorted(folder.iterdir()):
            place = (number, path.name)
            if place not in self._names:
                self._names[place] = new = next(self._numbers)
                self.events += [Wrote(new, 0, b"", is_end=True)] if path.is_file() else []
                self.events.append(Named(((place, new),)))
            yield place, path
            if path.is_dir():
                yield from self._each(path, self._names[place])

    def tell(self, what: object) -> None:
        self.look()
        super().tell(what)

    @contextmanager
    def watch_python(self) -> Iterator[None]:
        """Record Python's file operations, and make some fail."""
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

    def _watch_naming(self, do: Callable[..., None]) -> Callable[..., None]:
        def name_file(path: Any, *more: Any, **others: Any) -> None:
            if do is os.mkdir:
                self.check()
            self.look()
            do(path, *more, **others)
            self.look()

        return name_file

    def _watch_renaming(self, do: Callable[..., None]) -> Callable[..., None]:
        def rename_file(source: Any, target: Any) -> None:
            self.check()
            self.look()
            do(source, target)
            old, new = self._place(Path(source)), self._place(Path(target))
            if old is not None and new is not None:
                number = self._names[new] = self._names.pop(old)
                self.events.append(Named(((old, None), (new, number))))
            self.look()

        return rename_file

    def _sync(self, handle: int) -> None:
        self.check()
        self.look()
        path = Path(f"/proc/self/fd/{handle}").readlink()
        place = self._place(path)
        if place is not None or path == self.root:
            self.events.append(Synced(ROOT if place is None else self._names[place]))

    def _watch_opening(self, do: Callable[..., Any]) -> Callable[..., Any]:
        def open_file(file: Any, mode: str = "r", *more: Any, **others: Any) -> Any:
            if mode not in {"wb", "xb"}:
                return do(file, mode, *more, **others)
            self.check()
            return io.BufferedWriter(_Raw(os.fspath(file), mode, self.check))

        return open_file

    def _place(self, path: Path) -> Place | None:
        """Return a path's folder and name, if it is in the watched folder."""
        path, folder = path.absolute(), ROOT
        if path == self.root or not path.is_relative_to(self.root):
            return None
        *folders, last = path.relative_to(self.root).parts
        for name in folders:
            folder = self._names[folder, name]
        return folder, last


class _Raw(io.FileIO):
    """A file whose write may fail halfway."""

    def __init__(self, file: str, mode: str, check: Callable[[], None]) -> None:
        self._check = check
        super().__init__(file, mode)

    def write(self, data: Any, /) -> int:
        try:
            self._check()
        except OSError:
            super().write(bytes(data)[: len(data) // 2])
            raise
        return super().write(data) or 0


# after a power cut


class _Remains:
    """The possible files after a power cut, at any moment of the event log."""

    def __init__(self, trail: Trail, rng: Random) -> None:
        self._rng = rng
        self._names: dict[Place, int | None] = {**trail.names}
        self._certain = {file: bytearray(content) for file, content in trail.contents.items()}
        self._later: dict[int, list[Wrote]] = {}
        self._open: list[Named] = []

    def go_on(self, event: Event) -> None:
        match event:
            case Wrote(file):
                self._later.setdefault(file, []).append(event)
            case Named():
                self._open.append(event)
            case Synced(what, is_certain):
                if what in self._later:
                    # Linux reports a failed sync once, and then treats the pages as clean
                    later = self._later[what]
                    done = _apply(self._certain.get(what), later) if is_certain else self._left_of(what)
                    self._certain[what] = done
                    del self._later[what]
                self._settle(what)

    def _settle(self, folder: int) -> None:
        """Make the names of a folder durable, with those they depend on."""
        wanted = {place for named in self._open for place, _number in named.names if place[0] == folder}
        done: list[Named] = []
        for named in reversed(self._open):
            places = {place for place, _number in named.names}
            if places & wanted:
                wanted |= places
                done.append(named)
        for named in reversed(done):
            self._names |= dict(named.names)
        self._open = [named for named in self._open if named not in done]

    def leave(self, folder: Path) -> None:
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
                (folder / name).write_bytes(self._left_of(each))
            else:
                self._write(folder / name, each, names)

    def _left_of(self, file: int) -> bytearray:
        """Apply any part of the unsynced events, in any order: all, none, or each at random."""
        chance = self._rng.choice([0.0, 0.2, 0.5, 0.8, 1.0])
        some = [event for event in self._later.get(file, []) if self._rng.random() < chance]
        if self._rng.random() < 0.5:
            self._rng.shuffle(some)
        return _apply(self._certain.get(file), [piece for event in some for piece in self._torn(event)])

    def _torn(self, event: Wrote) -> list[Wrote]:
        """Tear some writes: write only a few of their sectors."""
        if self._rng.random() < 0.6:
            return [event]
        ends = range((event.at // SECTOR + 1) * SECTOR, event.at + len(event.data), SECTOR)
        cuts = [event.at, *ends, event.at + len(event.data)]
        pieces = [
            Wrote(event.file, first, event.data[first - event.at : last - event.at])
            for first, last in pairwise(cuts)
        ]
        if self._rng.random() < 0.5:
            return pieces[: self._rng.randint(0, len(pieces))]
        return [piece for piece in pieces if self._rng.random() < 0.5]


def _apply(content: bytearray | None, events: list[Wrote]) -> bytearray:
    done = bytearray(content or b"")
    for event in events:
        end = event.at + len(event.data)
        done.extend(bytes(max(0, event.at - len(done))))
        done[event.at : end] = event.data
        if event.is_end:
            del done[end:]
    return done


def cut_power(
    trail: Trail, cuts: int, rng: Random, left: Path, since: int = 0
) -> Iterator[tuple[str, list[Any]]]:
    """Cut the power several times. Yields the time and the reported operations; the files are in place.

    Every second cut comes right after an operation was reported.
    """
    remains, told, happened = _Remains(trail, rng), list[Any](), 0
    every = range(since, len(trail.events) + 1)
    after_told = [
        at + 1 for at, event in enumerate(trail.events) if isinstance(event, Reported) and at + 1 >= since
    ]
    points = [rng.choice(after_told if after_told and number % 2 else every) for number in range(cuts)]
    for at in sorted(points):
        for event in trail.events[happened:at]:
            remains.go_on(event)
            told += [event.what] if isinstance(event, Reported) else []
        happened = at
        remains.leave(left)
        yield f"after {at} of {len(trail.events)} events", told
        shutil.rmtree(left)

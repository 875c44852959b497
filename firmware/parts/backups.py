"""What the pages are given to make backups with, and to put them in place."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from typing import IO

from msgspec import Struct

from firmware.language import wall_clock as wall
from firmware.language.speaking import _
from firmware.language.storage_troubles import left_out_lines
from firmware.language.troubles import error_text
from firmware.state_folder import CHOSEN
from firmware.storage.backups.packing import backup, journal_size
from firmware.storage.backups.parts import DECKS, EMPTY, RESERVE, SCRATCH, TABLE, BackupError, TablePlaces
from firmware.storage.backups.placing import before_folders, size_of
from firmware.storage.backups.unpacking import stage


class BackupContents(Struct, frozen=True):
    """What a backup would and would not hold, in bytes, and the copies moved aside earlier."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class Backups:
    """Backups of this table; what hinders them is OSError, in one line."""

    def __init__(self, here: TablePlaces, evidence: Path) -> None:
        """Take where things are kept."""
        self._here, self._evidence = here, evidence

    def holding(self) -> BackupContents:
        """Tell what a backup would hold."""
        state = self._here.state
        others = (*(state / name for name in (CHOSEN, TABLE, EMPTY)), self._here.configuration)
        decks = {each.name: size_of(each) for each in sorted((state / DECKS).glob("[!.]*")) if each.is_dir()}
        aside = [(each.name, size_of(each)) for each in before_folders(state)]
        small = sum(map(_size, others))
        return BackupContents(journal_size(self._here.journal), decks, small, size_of(self._evidence), aside)

    def backup(self) -> Generator[bytes, None, None]:
        """Make one, piece by piece."""
        with _plain_errors():
            yield from backup(self._here, wall.timestamp())

    @contextmanager
    def room(self, size: int) -> Iterator[IO[bytes]]:
        """Give a file for one that comes in, if there is room for it and what is in it."""
        state = self._here.state
        if disk_usage(state).free < 3 * size + RESERVE:
            raise OSError(_("The disk is full: make room, then try again."))
        with (
            TemporaryDirectory(prefix=SCRATCH, dir=state) as folder,
            (Path(folder) / "sent").open("w+b") as file,
        ):
            yield file

    def stage(self, file: IO[bytes]) -> Sequence[str]:
        """Check one, and lay it ready for the next start; give what there is to say about it."""
        file.flush()
        with _plain_errors():
            staged = stage(Path(file.name), self._here)
        return tuple(left_out_lines(staged.left_out, staged.missing, was_damaged=staged.was_damaged))


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except BackupError as error:
        raise OSError(error_text(error)) from error


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0

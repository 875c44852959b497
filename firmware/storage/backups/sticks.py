"""Where second copies can be: sticks that are mounted, and a folder that the configuration names.

A table writes only to sticks that the host has chosen. What copies lie on others is shown, so that a new card
can start from them. On each the copies are in one folder, and in it there is a folder for each table.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from secrets import token_hex

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.kept import Kept

HOME = "coyote-table"
"""The folder on a stick."""
CHOSEN_STICKS = "copies.json"
"""What a table remembers of its copies, in its state folder."""
MOUNTS = Path("/proc/self/mountinfo")
MEDIA = (Path("/media"), Path("/run/media"))
"""Below these lie the sticks that people plug in."""
MOST = 12
"""Places that are looked at."""
_ESCAPED = re.compile(r"\\([0-7]{3})")


class Stick(Struct, frozen=True):
    """What a stick is known by, wherever it is mounted."""

    id: str = ""


STICK = Kept("stick.json", Stick, Stick())


class CopySettings(Struct, frozen=True):
    """What a table remembers of its copies."""

    table: str = ""
    """What it is called on sticks."""
    sticks: tuple[str, ...] = ()
    """Those that were chosen."""
    forgotten: int = 0
    """How often a name or an evening was forgotten."""


class PlaceForCopies(Struct, frozen=True):
    """A stick or a folder, and whether this table keeps a copy there."""

    root: Path
    is_used: bool

    @property
    def home(self) -> Path:
        """Give the folder of all copies there."""
        return self.root / HOME


# what is plugged in


def mounted(mounts: Path | None = None) -> tuple[Path, ...]:
    """List where sticks are mounted, by the system's own list: no stick is touched for it."""
    try:
        lines = (mounts or MOUNTS).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    names = [line.split(" ")[4] for line in lines if line.count(" ") > 4]
    # the kernel writes blanks as octal numbers
    points = {Path(_ESCAPED.sub(lambda found: chr(int(found[1], 8)), name)) for name in names}
    return tuple(sorted(point for point in points if any(media in point.parents for media in MEDIA)))[:MOST]


def places_for_copies(
    settings: CopySettings, sticks: Sequence[Path], folder: Path | None
) -> Iterator[PlaceForCopies]:
    """List where copies are, or could be."""
    if folder is not None and folder.is_dir():
        yield PlaceForCopies(folder, is_used=True)
    for root in sticks:
        name = stick_name(root)
        yield PlaceForCopies(root, is_used=name is not None and name in settings.sticks)


def stick_name(root: Path) -> str | None:
    """Say what a stick is known by; nothing if no table has used it, or that can't be read any more."""
    return STICK.read(root / HOME).id or None


# what is remembered


COPY_SETTINGS = Kept(CHOSEN_STICKS, CopySettings, CopySettings())


def with_table_name(state: Path) -> CopySettings:
    """Give what is remembered; a table without a name gets one, by which its copies are known on sticks."""
    settings = COPY_SETTINGS.read(state)
    if not settings.table:
        settings = replace(settings, table=token_hex(4))
        COPY_SETTINGS.keep(state, settings)
    return settings


def use_stick(root: Path, state: Path) -> None:
    """Keep copies on a stick from now on."""
    name = stick_name(root)
    if name is None:
        name = token_hex(8)
        STICK.keep(root / HOME, Stick(name))
    settings = with_table_name(state)
    COPY_SETTINGS.keep(state, replace(settings, sticks=(*settings.sticks, name)))


def count_forgetting(state: Path) -> None:
    """Note that a name or an evening was forgotten: copies that are older have to forget it, too."""
    settings = COPY_SETTINGS.read(state)
    if settings.table:
        COPY_SETTINGS.keep(state, replace(settings, forgotten=settings.forgotten + 1))

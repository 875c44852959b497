"""What is done before each start, packed into one file outside of all versions."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from firmware.updates.files import write_whole
from firmware.updates.layout import Home

GUARD = "guard.pyz"
ROOM = Path(__file__).parent
MAIN = b"from firmware.updates.command import main\n\nmain()\n"


def place_guard(home: Home) -> None:
    """Lay the guard of the version that updates beside the versions: it is known to run."""
    if not ROOM.is_dir():
        # this is the guard
        return
    packed = packed_guard()
    file = home.versions / GUARD
    if not file.is_file() or file.read_bytes() != packed:
        write_whole(file, packed)


def packed_guard() -> bytes:
    """Pack this room, always to the same bytes."""
    sources = (ROOM.parent / "__init__.py", *sorted(ROOM.glob("*.py")))
    files = {str(path.relative_to(ROOM.parents[1])): path.read_bytes() for path in sources}
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in {"__main__.py": MAIN, **files}.items():
            archive.writestr(ZipInfo(name), content)
    return packed.getvalue()

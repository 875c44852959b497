"""The fabricated board: its KiCad project, the parts list exported from it, and files for a manufacturer."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PROJECT = Path(__file__).with_name("kicad")
PICTURE = PROJECT / "coyote.jpg"


def parts_rows() -> list[dict[str, str]]:
    """Return the rows of the parts list; designators are separated by commas."""
    text = (PROJECT / "fab" / "parts-fab.csv").read_text(encoding="utf-8")
    return [*csv.DictReader(io.StringIO(text))]


(_BOARD,) = (row for row in parts_rows() if row["Designator"] == "PCB1")
VERSION, SIZE = _BOARD["Value"], _BOARD["Package"]
"""Version printed on the board, and its size in words.

Boards of 1.0, printed without a version, lack F1 and the contacts' pull-ups. Pins, profiles and all other
parts are the same.
"""


def project_files() -> Mapping[str, bytes]:
    """Return the KiCad project and everything exported from it, by path."""
    return {
        path.relative_to(PROJECT).as_posix(): path.read_bytes()
        for path in sorted(PROJECT.rglob("*"))
        if path.is_file()
    }


def fab_zip() -> bytes:
    """Return the files for a manufacturer as a reproducible zip file."""
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for path in sorted((PROJECT / "fab").iterdir()):
            # ZipInfo without a time uses 1980, always
            archive.writestr(ZipInfo(path.name), path.read_bytes(), ZIP_DEFLATED)
    return made.getvalue()

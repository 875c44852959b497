"""How high each camera belongs above a table, in words: for the papers and the doctor."""

from collections.abc import Iterator

from firmware.language.speaking import _
from vision.table.optics import CAMERAS, Millimetres, Optics, heights, largest_apart, seen_from

CENTIMETRE = 10.0


def height_rows(apart: Millimetres) -> Iterator[str]:
    """Tell of each camera between which heights it sees a table, as a table in Markdown."""
    yield _("| camera | height of the lens, cm | sees from there, cm |")
    yield "|---|---|---|"
    for optics in CAMERAS.values():
        yield f"| {optics.name} | {height_text(optics, apart)} | {_seen_text(optics, apart)} |"


def height_text(optics: Optics, apart: Millimetres) -> str:
    """Tell between which heights a lens belongs, or how large a table it can see at all."""
    between = heights(optics, apart)
    if between is None:
        across, down = largest_apart(optics, apart)
        told = _("none: plates at most {across} x {down} mm apart")
        return told.format(across=int(across), down=int(down))
    low, high = between
    return _("{low} to {high}").format(low=-int(-low // CENTIMETRE), high=int(high // CENTIMETRE))


def _seen_text(optics: Optics, apart: Millimetres) -> str:
    between = heights(optics, apart)
    if between is None:
        return "-"
    across, down = (round(length / CENTIMETRE) for length in seen_from(optics, between[0]))
    return f"{across} x {down}"

"""Production files of the board as a zip file: layers, holes, and lists of its parts."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hardware.board.fab.components import FAB, VERSION, FabPart, fab_parts
from hardware.board.fab.copper import Drill, Mark, Nets, copper, drills, mask, outline, routed
from hardware.board.fab.ink import ink
from hardware.board.fab.layout import LAYOUT, Point, body
from hardware.board.parts import bought, price

_OLDEST = (1980, 1, 1, 0, 0, 0)
PROJECT = "6f1d5a4e-2b57-4c0b-9a3d-0c0f07e7ab1e"  # identifies the board's files in all versions


def fab_files(nets: Nets | None = None) -> Mapping[str, str]:
    found = routed() if nets is None else nets
    holes = drills(found)
    return {
        "coyote-F_Cu.gtl": gerber(copper("top", found), "Copper,L1,Top"),
        "coyote-B_Cu.gbl": gerber(copper("low", found), "Copper,L2,Bot"),
        "coyote-F_Mask.gts": gerber(mask(), "Soldermask,Top", "Negative"),
        "coyote-B_Mask.gbs": gerber(mask(), "Soldermask,Bot", "Negative"),
        "coyote-F_Silkscreen.gto": gerber(ink(), "Legend,Top"),
        "coyote-Edge_Cuts.gm1": gerber([Mark(outline(), 0.1)], "Profile,NP"),
        "coyote-PTH.drl": excellon((hole for hole in holes if hole.is_plated), "Plated,1,2,PTH"),
        "coyote-NPTH.drl": excellon((hole for hole in holes if not hole.is_plated), "NonPlated,1,2,NPTH"),
        **_lists(),
    }


def fab_zip() -> bytes:
    """Return all files as a reproducible zip file."""
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in fab_files().items():
            archive.writestr(ZipInfo(name, _OLDEST), content, ZIP_DEFLATED)
    return made.getvalue()


def _lists() -> Mapping[str, str]:
    """Return the lists: where each part is, and what to buy."""
    found = fab_parts()
    return {
        f"positions-{FAB}.csv": _rows(_POSITION_COLUMNS, map(_position, found)),
        f"parts-{FAB}.csv": _rows(_PART_COLUMNS, _parts(found)),
    }


_POSITION_COLUMNS = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
_PART_COLUMNS = ("Designator", "Quantity", "Value", "Package", "Manufacturer part")


def _position(part: FabPart) -> tuple[str, ...]:
    (left, low), (right, top) = body(part)
    side = "bottom" if part.kind == "socket" else "top"
    middle = (left + right) / 2, (low + top) / 2
    return (part.name, *(f"{each:.3f}mm" for each in middle), side, f"{LAYOUT.places[part.name][2]:g}")


def _parts(parts: Iterable[FabPart]) -> Iterable[tuple[str, ...]]:
    alike: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for part in parts:
        value = f"{len(part.nets)} poles" if part.kind == "terminal" else part.value
        alike[value, LAYOUT.kinds[part.kind].package, price(bought(part)).maker].append(part.name)
    for kind, names in alike.items():
        yield ",".join(names), str(len(names)), *kind


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((head, *rows))
    return text.getvalue()


# Writes Gerber (copper, mask, ink, outline) and Excellon (holes), in millimetres.
#
# Gerber X2 adds each file's purpose and each mark's net, written as comments for older programs.


def gerber(marks: Sequence[Mark], function: str, polarity: str = "Positive") -> str:
    """Return a layer: its function, then its marks in order, each with its net."""
    sizes = sorted({mark.size for mark in marks if mark.size})
    apertures = {size: 10 + number for number, size in enumerate(sizes)}
    purpose = (
        _attribute("TF.ProjectId", "Coyote Table", PROJECT, VERSION),
        _attribute("TF.FileFunction", function),
        _attribute("TF.FilePolarity", polarity),
    )
    head = (*purpose, "%FSLAX46Y46*%", "%MOMM*%", "G01*")
    defined = (f"%ADD{code}C,{size:.3f}*%" for size, code in apertures.items())
    body = (line for mark in marks for line in _mark(mark, apertures.get(mark.size, 0)))
    return "\n".join((*head, *defined, *body, "M02*")) + "\n"


def _mark(mark: Mark, aperture: int) -> Iterator[str]:
    yield "%LPD*%" if mark.is_dark else "%LPC*%"
    if mark.leg:
        yield _attribute("TO.P", mark.leg)
    if mark.net:
        yield _attribute("TO.N", mark.net.replace(" ", "_"))
    if aperture:
        yield f"D{aperture}*"
    if not mark.size:
        yield from ("G36*", *_drawn(mark.points), "G37*")
    elif len(mark.points) == 1:
        yield f"{_at(mark.points[0])}D03*"
    else:
        yield from _drawn(mark.points)
    if mark.leg or mark.net:
        yield _attribute("TD")


def _attribute(*attribute: str) -> str:
    return f"G04 #@! {','.join(attribute)}*"


def _drawn(points: Sequence[Point]) -> Iterator[str]:
    yield f"{_at(points[0])}D02*"
    yield from (f"{_at(point)}D01*" for point in points[1:])


def _at(point: Point) -> str:
    x, y = (round(1e6 * each) for each in point)
    return f"X{x}Y{y}"


def excellon(drills: Iterable[Drill], function: str) -> str:
    tools: defaultdict[float, list[Point]] = defaultdict(list)
    for drill in drills:
        tools[drill.size].append(drill.at)
    sizes = sorted(tools)
    plating = "PLATED" if function.startswith("Plated") else "NON_PLATED"
    head = ("M48", f"; #@! TF.FileFunction,{function}", "FMAT,2", "METRIC,TZ", f";TYPE={plating}")
    defined = (f"T{number}C{size:.3f}" for number, size in enumerate(sizes, 1))
    drilled = (
        line
        for number, size in enumerate(sizes, 1)
        for line in (f"T{number}", *(f"X{x:.3f}Y{y:.3f}" for x, y in tools[size]))
    )
    return "\n".join((*head, *defined, "%", "G90", "G05", *drilled, "M30")) + "\n"

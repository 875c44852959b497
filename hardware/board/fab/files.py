"""The files that a fab takes: layers, holes, where parts are, and what they are; as a zip file."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hardware.board.fab.components import FabPart, fab_parts
from hardware.board.fab.copper import Mark, Nets, copper, drills, mask, outline, routed
from hardware.board.fab.gerber import excellon, gerber
from hardware.board.fab.ink import ink
from hardware.board.fab.layout import LAYOUT, body
from hardware.board.parts import bought, price

_OLDEST = (1980, 1, 1, 0, 0, 0)


def fab_files(nets: Nets | None = None) -> Mapping[str, str]:
    """Write all files, by their names."""
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
        "positions.csv": _rows(
            ("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), map(_position, fab_parts())
        ),
        "parts.csv": _rows(("Designator", "Quantity", "Value", "Package", "Manufacturer part"), _parts()),
    }


def fab_zip() -> bytes:
    """Pack all files; the same ones are the same bytes."""
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in fab_files().items():
            archive.writestr(ZipInfo(name, _OLDEST), content, ZIP_DEFLATED)
    return made.getvalue()


def _position(part: FabPart) -> tuple[str, ...]:
    (left, low), (right, top) = body(part)
    side = "bottom" if part.kind == "socket" else "top"
    middle = (left + right) / 2, (low + top) / 2
    return (part.name, *(f"{each:.3f}mm" for each in middle), side, f"{LAYOUT.places[part.name][2]:g}")


def _parts() -> Iterable[tuple[str, ...]]:
    alike: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for part in fab_parts():
        told = f"{len(part.nets)} poles" if part.kind == "terminal" else part.value
        alike[told, LAYOUT.kinds[part.kind].package, price(bought(part)).maker].append(part.name)
    for (told, package, maker), names in alike.items():
        yield " ".join(names), str(len(names)), told, package, maker


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((head, *rows))
    return text.getvalue()

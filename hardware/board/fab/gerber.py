"""Write what a fab reads: Gerber for copper, mask, ink and outline, Excellon for holes; in millimetres.

What Gerber X2 adds, the purpose of a file and the net of each mark, stands in comments, for older programs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from hardware.board.fab.copper import Drill, Mark
from hardware.board.fab.layout import Point


def gerber(marks: Sequence[Mark], function: str, polarity: str = "Positive") -> str:
    """Write a layer: what it is to the fab, then its marks in their order, each with its net."""
    sizes = sorted({mark.size for mark in marks if mark.size})
    apertures = {size: 10 + number for number, size in enumerate(sizes)}
    purpose = _told("TF.FileFunction", function), _told("TF.FilePolarity", polarity)
    head = (*purpose, "%FSLAX46Y46*%", "%MOMM*%", "G01*")
    defined = (f"%ADD{code}C,{size:.3f}*%" for size, code in apertures.items())
    body = (line for mark in marks for line in _mark(mark, apertures.get(mark.size, 0)))
    return "\n".join((*head, *defined, *body, "M02*")) + "\n"


def _mark(mark: Mark, aperture: int) -> Iterator[str]:
    yield "%LPD*%" if mark.is_dark else "%LPC*%"
    if mark.leg:
        yield _told("TO.P", mark.leg)
    if mark.net:
        yield _told("TO.N", mark.net.replace(" ", "_"))
    if aperture:
        yield f"D{aperture}*"
    if not mark.size:
        yield from ("G36*", *_drawn(mark.points), "G37*")
    elif len(mark.points) == 1:
        yield f"{_at(mark.points[0])}D03*"
    else:
        yield from _drawn(mark.points)
    if mark.leg or mark.net:
        yield _told("TD")


def _told(*attribute: str) -> str:
    return f"G04 #@! {','.join(attribute)}*"


def _drawn(points: Sequence[Point]) -> Iterator[str]:
    yield f"{_at(points[0])}D02*"
    yield from (f"{_at(point)}D01*" for point in points[1:])


def _at(point: Point) -> str:
    x, y = (round(1e6 * each) for each in point)
    return f"X{x}Y{y}"


def excellon(drills: Iterable[Drill], function: str) -> str:
    """Write holes, tool by tool."""
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

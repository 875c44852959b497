"""Writes drawings as pages of a PDF file: outlines only, in exact size, reproducibly."""

import zlib
from collections.abc import Iterable, Sequence

from hardware.decks.drawing import Drawing, Group, Item, Matrix, Path, Run, Shape, Step

_POINTS = 72 / 25.4

_Stamps = dict[Group, int]  # object numbers of groups that are stored once and reused on pages


def pdf(pages: Sequence[Drawing]) -> bytes:
    """Return a PDF with one page per drawing; top-level groups that recur are stored only once."""
    stamps = _stamps(pages)
    first_page = 3 + len(stamps)
    kids = " ".join(f"{first_page + 2 * place} 0 R" for place in range(len(pages)))
    tree = f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", tree.encode()]
    objects += [_stamp(stamp) for stamp in stamps]
    for place, page in enumerate(pages):
        to_points: Matrix = (_POINTS, 0, 0, -_POINTS, 0, page.height * _POINTS)
        items = "".join(_on_page(item, stamps) for item in page.items)
        objects += [
            _page(page, first_page + 2 * place + 1, len(stamps)),
            _stream(f"1 J 1 j {_cm(to_points)}{items}"),
        ]
    return _file(objects)


def _stamps(pages: Iterable[Drawing]) -> _Stamps:
    """Number the top-level groups of pages by content, regardless of position."""
    items = (item for page in pages for item in page.items)
    groups = (Group(item.items, window=item.window) for item in items if isinstance(item, Group))
    return {stamp: number for number, stamp in enumerate(dict.fromkeys(groups))}


def _on_page(item: Item, stamps: _Stamps) -> str:
    if isinstance(item, Shape):
        return _shape(item)
    number = stamps[Group(item.items, window=item.window)]
    return f"q {_cm(item.matrix)}/G{number} Do Q\n"


def _item(item: Item) -> str:
    if isinstance(item, Shape):
        return _shape(item)
    window = f"{_path(item.window)}W* n\n" if item.window is not None else ""
    return f"q {_cm(item.matrix)}{window}{''.join(map(_item, item.items))}Q\n"


def _shape(shape: Shape) -> str:
    paint = {(True, False): "f*", (False, True): "S", (True, True): "B*"}
    how = paint.get((shape.fill is not None, shape.stroke is not None), "n")
    inside = f"{_colour(shape.fill)} rg " if shape.fill else ""
    edge = f"{_colour(shape.stroke)} RG {_n(shape.width)} w " if shape.stroke else ""
    return f"{inside}{edge}{_path(shape.path)}{how}\n"


def _colour(text: str) -> str:
    return " ".join(_n(int(text[place : place + 2], 16) / 255) for place in (1, 3, 5))


def _cm(matrix: Matrix) -> str:
    return " ".join(f"{part:.6f}" for part in matrix) + " cm\n"


def _path(path: Path) -> str:
    return "".join(map(_run, path))


def _run(run: Run) -> str:
    steps = "".join(map(_step, run.steps))
    return f"{_n(run.start[0])} {_n(run.start[1])} m {steps}{'h ' if run.closed else ''}"


def _step(step: Step) -> str:
    return " ".join(f"{_n(x)} {_n(y)}" for x, y in step) + (" c " if len(step) == 3 else " l ")


def _n(number: float) -> str:
    return f"{number:.4f}".rstrip("0").rstrip(".")


# the file's structure


def _page(page: Drawing, content: int, stamps: int) -> bytes:
    size = f"{page.width * _POINTS:.4f} {page.height * _POINTS:.4f}"
    names = " ".join(f"/G{number} {3 + number} 0 R" for number in range(stamps))
    return (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {content} 0 R"
        f" /Resources << /XObject << {names} >> >> >>"
    ).encode()


def _stamp(stamp: Group) -> bytes:
    # a bounding box that holds any sheet and rotated items beyond it
    head = "/Type /XObject /Subtype /Form /BBox [-2000 -2000 2000 2000] /Resources << >> "
    return _stream("1 J 1 j\n" + _item(stamp), head)


def _stream(text: str, more: str = "") -> bytes:
    packed = zlib.compress(text.encode("ascii"), 9)
    head = f"<< {more}/Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    return head + packed + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end

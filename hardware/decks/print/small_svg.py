"""Writes drawings as small SVG: numbers with one decimal, repeated paths written once."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from hardware.decks.drawing import IDENTITY, Drawing, Item, Path, Point, Run, Shape

OFTEN = 3  # uses of a path before it is defined once and referenced
LONG = 24  # minimum characters of such a path


def small_svg(drawing: Drawing, *, with_fine: bool = True, unit: str = "") -> str:
    """Return a drawing as a small SVG file, optionally without fine print."""
    items = drawing.items if with_fine else tuple(_coarse(drawing.items))
    return _Writer(Drawing(drawing.width, drawing.height, items)).file(unit)


def _coarse(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Shape):
            yield item
        elif not item.is_fine:
            yield replace(item, items=tuple(_coarse(item.items)))


class _Writer:
    """A drawing being written, with its repeated paths and its windows."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        counts = Counter(_relative(shape.path) for shape in _shapes(drawing.items))
        often = (text for text, count in counts.items() if count >= OFTEN and len(text) >= LONG)
        self._often = {text: f"p{number}" for number, text in enumerate(often)}
        self._defined: list[str] = []

    def file(self, unit: str) -> str:
        """Return the file; browsers treat numbers without a unit as pixels."""
        body = "".join(map(self._item, self._drawing.items))
        paths = "".join(f'<path id="{name}" d="{text}"/>' for text, name in self._often.items())
        defined = f"<defs>{paths}{''.join(self._defined)}</defs>" if paths or self._defined else ""
        width, height = short(self._drawing.width), short(self._drawing.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}{unit}"'
            f' height="{height}{unit}" fill-rule="evenodd" clip-rule="evenodd" stroke-linejoin="round"'
            f' stroke-linecap="round">{defined}{body}</svg>'
        )

    def _item(self, group: Item) -> str:
        if isinstance(group, Shape):
            return self._shape(group)
        clip = ""
        if group.window is not None:
            name = f"w{len(self._defined)}"
            self._defined.append(f'<clipPath id="{name}"><path d="{write_path(group.window)}"/></clipPath>')
            clip = f' clip-path="url(#{name})"'
        inner = "".join(map(self._item, group.items))
        matrix = " ".join(f"{part:.5g}" for part in group.matrix)
        moved = "" if group.matrix == IDENTITY else f' transform="matrix({matrix})"'
        return f"<g{moved}{clip}>{inner}</g>" if moved or clip else inner

    def _shape(self, shape: Shape) -> str:
        edge = f' stroke="{_colour(shape.stroke)}" stroke-width="{_fine(shape.width)}"' if shape.stroke else ""
        text, paint = _relative(shape.path), f' fill="{_colour(shape.fill) if shape.fill else "none"}"{edge}'
        if text not in self._often:
            return f'<path d="{write_path(shape.path)}"{paint}/>'
        x, y = shape.path[0].start
        return f'<use href="#{self._often[text]}" x="{short(x)}" y="{short(y)}"{paint}/>'


def _colour(colour: str) -> str:
    """Shorten #aabbcc to #abc."""
    doubled = len(colour) == 7 and colour[1::2] == colour[2::2]
    return f"#{colour[1::2]}" if doubled else colour


def _shapes(items: tuple[Item, ...]) -> Iterator[Shape]:
    for item in items:
        if isinstance(item, Shape):
            yield item
        else:
            yield from _shapes(item.items)


def write_path(path: Path) -> str:
    return "".join(_run(run, (0.0, 0.0)) for run in path)


def _relative(path: Path) -> str:
    """Write a path relative to its start, so that copies are identical."""
    return "".join(_run(run, path[0].start) for run in path) if path else ""


def _run(run: Run, origin: Point) -> str:
    """Write one run; a repeated command letter is omitted."""
    text, last = f"M{_pair(run.start, origin)}", "M"
    for step in run.steps:
        command = "C" if len(step) == 3 else "L"
        text += (command if command != last else " ") + " ".join(_pair(point, origin) for point in step)
        last = command
    return text + ("Z" if run.closed else "")


def _pair(point: Point, origin: Point) -> str:
    return f"{short(point[0] - origin[0])} {short(point[1] - origin[1])}"


def _fine(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"


def short(number: float) -> str:
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text

"""Draw the poster of a board on A3: wiring, strip boards, colours of wires, what people get wrong."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hardware.board.board import Board
from hardware.board.design.look import COLOURS, INK, LOOK, PAPER, SOFT, Label, device_label, terminal_label
from hardware.board.design.picture import picture
from hardware.board.design.plugged_picture import plugged_picture
from hardware.board.design.strip_picture import strip_pictures
from hardware.board.netlist import LEAVING, devices
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Group,
    Item,
    box,
    fill,
    placement,
    rounded_box,
    text,
    text_width,
)

SHORT, LONG = 297.0, 420.0
EDGE = 9.0
"""What a printer leaves white."""
LETTERS, ROW, HEAD = 2.2, 3.8, 7.0
LEGEND = 72.0
"""The width of the colours, beside what people get wrong."""
SWATCH = 1.3
"""Rows from colour to colour."""


class Placed(Struct, frozen=True):
    """A drawing on the poster: its upper left corner, and how large it is."""

    drawing: Drawing
    x: float
    y: float
    scale: float


def pictures_of(board: Board, name: str) -> Mapping[str, Drawing]:
    """Draw the wiring, and what parts are soldered to or plugged into, by the names of the files."""
    plugged = {f"plugged-{name}": plugged_picture(board, name)} if board.solderless else {}
    return {f"wiring-{name}": picture(board, name), **(plugged or strip_pictures(board, name))}


def poster(board: Board, name: str) -> Drawing:
    """Draw the poster of a board, upright or lying, so that its pictures are as large as can be."""
    pictures = list(pictures_of(board, name).values())
    told, colours = mistakes(board), legend(board)
    foot = HEAD + 2 * ROW * max(len(told), len(colours) * SWATCH / 2) + ROW
    upright, lying = _upright(pictures, foot), _lying(pictures, foot)
    is_upright = upright[0].scale >= lying[0].scale
    wide, high = (SHORT, LONG) if is_upright else (LONG, SHORT)
    placed = upright if is_upright else lying
    above = placed[-1] if is_upright else placed[0]
    top = above.y + above.scale * above.drawing.height
    most = (wide if is_upright else (wide - EDGE) / 2) - 2 * EDGE - LEGEND
    shown = (Group(each.drawing.items, placement(each.x, each.y, each.scale)) for each in placed)
    texts = (*_legend(colours, top), *_mistakes(told, top, most))
    return Drawing(wide, high, (fill(box(0, 0, wide, high), PAPER), *shown, *texts))


def _upright(pictures: Sequence[Drawing], foot: float) -> list[Placed]:
    """Put pictures one below the other, above what is told."""
    return _stack(pictures, EDGE, SHORT - 2 * EDGE, LONG - 2 * EDGE - foot)


def _lying(pictures: Sequence[Drawing], foot: float) -> list[Placed]:
    """Put the wiring at the left, above what is told, and strip boards at the right."""
    wide, high = (LONG - 3 * EDGE) / 2, SHORT - 2 * EDGE
    left = _stack(pictures[:1], EDGE, wide, high - foot)
    return [*left, *_stack(pictures[1:], 2 * EDGE + wide, wide, high)]


def _stack(pictures: Sequence[Drawing], left: float, wide: float, high: float) -> list[Placed]:
    most = max((each.width for each in pictures), default=wide)
    scale = min(wide / most, high / max(1.0, sum(each.height for each in pictures)))
    tops = [EDGE + scale * sum(before.height for before in pictures[:place]) for place in range(len(pictures))]
    return [
        Placed(each, left + (wide - scale * each.width) / 2, top, scale)
        for each, top in zip(pictures, tops, strict=True)
    ]


def legend(board: Board) -> dict[str, Label]:
    """Name each colour of the wires of a board."""
    found: dict[str, Label] = {}
    for device in devices(board):
        for end in device.terminals:
            is_named = device.kind in LEAVING or end.rail
            label = terminal_label(end.what) if is_named else device_label(device.kind)
            found.setdefault(COLOURS[end.what], label)
    return found


def mistakes(board: Board) -> list[Label]:
    """List what people get wrong with the parts of a board, and with plugging or soldering them."""
    has = {each for device in devices(board) for each in (device.kind, *(end.what for end in device.terminals))}
    has.add("solderless" if board.solderless else "soldered")
    return [each.told for each in LOOK.mistakes if not each.parts or has & each.parts]


def _legend(colours: dict[str, Label], top: float) -> Iterator[Item]:
    yield _title(Label("Colours of the wires", "Couleurs des fils"), EDGE, top)
    for place, (colour, label) in enumerate(colours.items()):
        y = top + HEAD + SWATCH * ROW * place + ROW
        told = label.english if label.english == label.french else f"{label.english} / {label.french}"
        yield fill(rounded_box(EDGE, y - 2.4, 8, 3, 1), colour)
        yield fill(text(told, EDGE + 10, y, LETTERS, font=PLAIN, side="left"), INK)


def _mistakes(told: Sequence[Label], top: float, most: float) -> Iterator[Item]:
    yield _title(Label("What people get wrong", "Ce qui rate souvent"), EDGE + LEGEND, top)
    for place, label in enumerate(told):
        y = top + HEAD + 2 * ROW * place + ROW
        for words, ink, below in ((label.english, INK, 0.0), (label.french, SOFT, ROW - 0.5)):
            high = min(LETTERS, LETTERS * most / text_width(words, LETTERS, PLAIN))
            yield fill(text(words, EDGE + LEGEND, y + below, high, font=PLAIN, side="left"), ink)


def _title(label: Label, x: float, top: float) -> Item:
    return fill(text(f"{label.english} / {label.french}", x, top + ROW, LETTERS, side="left"), INK)

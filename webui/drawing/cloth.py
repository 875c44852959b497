"""Cards at their places on the table: as a picture showed them, else as the board has them; pure."""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from msgspec import Struct

from firmware.parts.evidence import SeenCard
from referee.contract import Board, CardRow
from referee.telling import Listener, tell_card_row, tell_face

WIDTH, HEIGHT = 560.0, 400.0
CARD = (63.0, 88.0)
OPEN, OWN = 1.1, 0.55
"""How large cards are in the middle and before a seat."""
MOST_ROWS, MOST_IN_ROW = 3, 24
"""Rows that are drawn in the middle, and cards of each."""
ROOM, OWN_ROOM = 290.0, 120.0
"""How wide a row may be in the middle and before a seat."""
TILT = -7.0
"""Degrees by which a card is turned that a player only says to have."""
EDGE = 0.7
"""Cloth around what a picture showed, in cards."""


class ClothCard(Struct, frozen=True):
    """A card on the cloth: where its middle or its corner lies, as SVG says it, and how it lies there."""

    face: str
    name: str
    place: str
    kind: str = ""


class ClothName(Struct, frozen=True):
    """The name of a seat, and where it stands."""

    x: float
    y: float
    text: str
    has_turn: bool


class Cloth(Struct, frozen=True):
    """The table from above."""

    box: str
    cards: tuple[ClothCard, ...]
    names: tuple[ClothName, ...] = ()
    is_seen: bool = False
    """Cards lie where a picture showed them."""


def cloth_of_board(board: Board, listener: Listener) -> Cloth:
    """Lay the open cards of a board where they belong: shared ones in the middle, others before their seats."""
    seats = range(len(listener.names))
    shared = [row for row in board.cards if row.faces and (row.seat is None or row.claimed_by is not None)]
    cards = [*_middle(shared[:MOST_ROWS], listener)]
    for seat in seats:
        own = [row for row in board.cards if row.seat == seat and row.claimed_by is None and row.faces]
        cards += _before_seat(own, seat, listener)
    names = (_name(seat, listener, has_turn=board.turn == seat) for seat in seats)
    return Cloth(f"0 0 {WIDTH:g} {HEIGHT:g}", tuple(cards), tuple(names))


def cloth_of_picture(cards: Sequence[SeenCard], listener: Listener) -> Cloth:
    """Lay cards as a picture showed them."""
    corners = [corner for card in cards for corner in card.outline]
    left, right = (end(x for x, _y in corners) for end in (min, max))
    top, low = (end(y for _x, y in corners) for end in (min, max))
    edge = EDGE * max(abs(b - a) for card in cards for a, b in zip(*card.outline[::2], strict=True))
    box = (left - edge, top - edge, right - left + 2 * edge, low - top + 2 * edge)
    drawn = tuple(_seen(card, listener) for card in cards)
    return Cloth(" ".join(f"{each:.0f}" for each in box), drawn, is_seen=True)


def _seen(card: SeenCard, listener: Listener) -> ClothCard:
    """Fit a card into its outline; one that lies face down, or that wasn't read, shows its back."""
    (x, y), (right, up), _far, (left, low) = card.outline
    across = (right - x) / CARD[0], (up - y) / CARD[0]
    down = (left - x) / CARD[1], (low - y) / CARD[1]
    numbers = (*across, *down, x, y)
    face, place = card.card.face or "", " ".join(f"{each:.3f}" for each in numbers)
    return ClothCard(face, tell_face(listener, face) if face else "", f"matrix({place}) translate(31.5 44)")


def _middle(rows: Sequence[CardRow], listener: Listener) -> Iterator[ClothCard]:
    size = OPEN if len(rows) == 1 else OPEN * 1.6 / max(2, len(rows))
    pitch = CARD[1] * size + 8
    top = HEIGHT / 2 - pitch * (len(rows) - 1) / 2
    for number, row in enumerate(rows):
        yield from _row(row, (WIDTH / 2, top + number * pitch), size, ROOM, listener)


def _before_seat(rows: Sequence[CardRow], seat: int, listener: Listener) -> Iterator[ClothCard]:
    x, y = _seat_place(seat, len(listener.names))
    # a second row lies behind the first
    for number, row in reversed(list(enumerate(rows[:2]))):
        yield from _row(row, (x, y - 30 - 20 * number), OWN, OWN_ROOM, listener)


def _row(
    row: CardRow, middle: tuple[float, float], size: float, room: float, listener: Listener
) -> Iterator[ClothCard]:
    """Lay a row side by side, closer where there are many."""
    faces = row.faces[:MOST_IN_ROW]
    pitch = min(CARD[0] * size + 6, (room - CARD[0] * size) / max(1, len(faces) - 1))
    first = middle[0] - pitch * (len(faces) - 1) / 2
    turn = TILT if row.claimed_by is not None else 0.0
    where = tell_card_row(listener, row)
    for number, face in enumerate(faces):
        place = f"translate({first + number * pitch:.0f} {middle[1]:.0f}) rotate({turn:g}) scale({size:g})"
        kind = "faded" if number in row.struck else "said" if turn else ""
        yield ClothCard(face, f"{where} {tell_face(listener, face)}", place, kind)


def _seat_place(seat: int, seats: int) -> tuple[float, float]:
    """Give the place of a seat: the first one below, the others clockwise."""
    turn = pi / 2 + 2 * pi * seat / seats
    return WIDTH / 2 + 215 * cos(turn), HEIGHT / 2 + 20 + 145 * sin(turn)


def _name(seat: int, listener: Listener, *, has_turn: bool) -> ClothName:
    x, y = _seat_place(seat, len(listener.names))
    return ClothName(round(x), round(y + 16), listener.names[seat], has_turn)

"""What every page shows of a board: the rows and facts that decide now, and each card of a row; pure."""

from msgspec import Struct

from referee.contract import Board, CardRow, Fact, Weight
from referee.telling import Listener, tell_face, tell_fact


class ShownCard(Struct, frozen=True):
    """A card of a row, or an empty place: what is said of it, and how it lies."""

    face: str
    name: str
    note: str = ""
    sign: str = ""
    """What the note is about."""
    is_leading: bool = False
    is_struck: bool = False


def key_rows(board: Board) -> tuple[CardRow, ...]:
    """List the rows of cards that decide now."""
    return tuple(row for row in board.cards if row.weight is Weight.KEY)


def key_facts(board: Board) -> tuple[Fact, ...]:
    """List the facts that decide now."""
    return tuple(fact for fact in board.facts if fact.weight is Weight.KEY)


def cards_of(row: CardRow, listener: Listener) -> tuple[ShownCard, ...]:
    """Show the cards that lie in a row."""
    return tuple(_show_card(row, number, listener) for number in range(len(row.faces)))


def places_of(row: CardRow, listener: Listener) -> tuple[ShownCard, ...]:
    """Show all places of a row, empty ones too."""
    places = max(row.places, row.offset + len(row.faces))
    return tuple(_show_card(row, place - row.offset, listener) for place in range(places))


def _show_card(row: CardRow, number: int, listener: Listener) -> ShownCard:
    face = row.faces[number] if 0 <= number < len(row.faces) else ""
    note = row.notes[number] if 0 <= number < len(row.notes) else None
    return ShownCard(
        face=face,
        name=tell_face(listener, face) if face else "",
        note="" if note is None else tell_fact(listener, note).text,
        sign="" if note is None else note.key,
        is_leading=row.leading == number,
        is_struck=number in row.struck,
    )

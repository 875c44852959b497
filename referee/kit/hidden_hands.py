"""Card moves with hidden hands in most card games: gather and deal, lay a card, clear the centre."""

from referee.contract import CENTRE, DISCARD, PILE, Move, Ruling, hand_of
from referee.kit.answers import seat_named


def gather_and_deal(seats: int, count: int) -> tuple[Move, ...]:
    """Gather all cards, shuffle them, and deal `count` to each seat; the rest stays in the pile."""
    gathered = [Move(hand_of(seat), PILE) for seat in range(seats)]
    dealt = [Move(PILE, hand_of(seat), count) for seat in range(seats)]
    return (*gathered, Move(CENTRE, PILE), Move(DISCARD, PILE, shuffled=True), *dealt)


def lay_in_centre(seat: int, card: str) -> tuple[Move, ...]:
    return (Move(hand_of(seat), CENTRE, 1, faces=(card,)),)


def clear_centre() -> tuple[Move, ...]:
    return (Move(CENTRE, DISCARD),)


def moves_of_tricks(seats: int, count: int, ruling: Ruling) -> tuple[Move, ...]:
    """Return the card moves of a trick game: after "deal", "lays" with its card, and "takes"."""
    match ruling.key:
        case "deal":
            return gather_and_deal(seats, count)
        case "lays":
            return lay_in_centre(seat_named(ruling), str(ruling.values["card"]))
        case "takes":
            return clear_centre()
        case _:
            return ()

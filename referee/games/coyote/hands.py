"""How hands move the cards of Coyote, for the twin and for spoken instructions."""

from collections.abc import Callable

from referee.contract import DISCARD, PILE, PROOF, Move, Ruling, Show, Zone, before_seat
from referee.games.coyote.state import State, alive
from referee.kit.answers import seat_named

PUT_AWAY = ("worn", "covered", "seat")
"""Places of a player that are emptied after a round."""


def forehead(seat: int) -> Zone:
    """Name a player's forehead, where all but its owner see the card."""
    return Zone("worn", seat)


def covered_place(seat: int) -> Zone:
    """Name the place behind a card that replaced another."""
    return Zone("covered", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """List the moves of hands after a ruling."""
    hands = _HANDS.get(ruling.key)
    return hands(state, ruling) if hands else ()


def sources(state: State, ask: Show) -> tuple[Zone, ...]:
    """Name where the cards come from that an ask wants to see."""
    seats = range(len(state.marks))
    match ask.key:
        case "reveal":
            return tuple(zone for seat in seats for zone in (forehead(seat), before_seat(seat)))
        case "aside":
            return tuple(covered_place(seat) for seat in seats)
        case "draw":
            return (PILE,)
        case _:
            return (ask.zone,)


def _deal(state: State, _ruling: Ruling) -> tuple[Move, ...]:
    cards = tuple(Move(PILE, forehead(seat), 1) for seat in alive(state))
    return (*_clearing_moves(state, DISCARD), *cards)


def _shuffle(state: State, _ruling: Ruling) -> tuple[Move, ...]:
    return (*_clearing_moves(state, PILE), Move(DISCARD, PILE, shuffled=True))


def _renew(_state: State, _ruling: Ruling) -> tuple[Move, ...]:
    return (Move(DISCARD, PILE, shuffled=True),)


def _wear_another(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(PILE, forehead(seat_named(ruling, "target")), 1),)


def _turn_up(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(PILE, before_seat(seat_named(ruling)), 1),)


def _cover(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    seat = seat_named(ruling)
    return (Move(forehead(seat), covered_place(seat)), Move(PILE, forehead(seat), 1))


def _take_off(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    seat = seat_named(ruling)
    return (Move(forehead(seat), before_seat(seat)),)


def _draw(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    cards = ruling.values["cards"]
    return (Move(PILE, PROOF, len(cards) if isinstance(cards, tuple) else 0),)


_HANDS: dict[str, Callable[[State, Ruling], tuple[Move, ...]]] = {
    "round": _deal,
    "shuffle": _shuffle,
    "pile-renewed": _renew,
    "extra": _wear_another,
    "turns-extra": _turn_up,
    "replaced": _cover,
    "guessed": _take_off,
    "count-draw": _draw,
}


def _clearing_moves(state: State, target: Zone) -> tuple[Move, ...]:
    """Put away all cards that lay open or were worn in the round."""
    seats = range(len(state.marks))
    places = [Zone(name, seat) for name in PUT_AWAY for seat in seats]
    return tuple(Move(place, target) for place in (*places, PROOF))

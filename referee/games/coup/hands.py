"""How hands move the cards of Coup, for the twin and for spoken instructions. The pile is the Court."""

from collections.abc import Callable

from referee.contract import PILE, PROOF, Move, Ruling, Show, Zone, before_seat
from referee.games.coup.actions import DRAWN
from referee.games.coup.state import INFLUENCE, State
from referee.kit.answers import seat_named


def hand(seat: int) -> Zone:
    """Name the place of a player's hidden cards."""
    return Zone("hand", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """List the moves of hands after a ruling."""
    if ruling.key == "dealt":
        return tuple(Move(PILE, hand(seat), INFLUENCE) for seat in range(len(state.coins)))
    hands = _HANDS.get(ruling.key)
    return hands(seat_named(ruling), _card(ruling)) if hands else ()


def sources(_state: State, ask: Show) -> tuple[Zone, ...]:
    """Name where the cards come from that an ask wants to see: the hand of the seat asked."""
    return tuple(hand(seat) for seat in ask.seats)


Cards = tuple[str, ...]


def _show(seat: int, card: Cards) -> tuple[Move, ...]:
    return (Move(hand(seat), PROOF, 1, faces=card),)


def _swap(seat: int, card: Cards) -> tuple[Move, ...]:
    return (Move(PROOF, PILE, 1, shuffled=True, faces=card), Move(PILE, hand(seat), 1))


def _keep(seat: int, card: Cards) -> tuple[Move, ...]:
    return (Move(PROOF, hand(seat), 1, shuffled=True, faces=card),)


def _turn_up(seat: int, card: Cards) -> tuple[Move, ...]:
    return (Move(hand(seat), before_seat(seat), 1, faces=card),)


def _draw(seat: int, _card: Cards) -> tuple[Move, ...]:
    """Mix the drawn cards into the hand, because no other player may know which go back."""
    return (Move(PILE, hand(seat), DRAWN, shuffled=True),)


def _put_back(seat: int, _card: Cards) -> tuple[Move, ...]:
    return (Move(hand(seat), PILE, DRAWN, shuffled=True),)


_HANDS: dict[str, Callable[[int, Cards], tuple[Move, ...]]] = {
    "proved": _show,
    "swaps": _swap,
    "keeps": _keep,
    "loses": _turn_up,
    "draws": _draw,
    "returns": _put_back,
}


def _card(ruling: Ruling) -> Cards:
    card = ruling.values.get("card")
    return (card,) if isinstance(card, str) else ()

"""How hands move the cards of Coup d'État, and what a fair player may lay, for the twin.

The middle card is what is left of the pile, and lies where piles lie: the middle of the table is for tricks.
"""

from collections.abc import Callable, Mapping

from referee.contract import CENTRE, DISCARD, PILE, Answer, Move, Ruling, Show, Value, Zone, before_seat
from referee.games.coup_d_etat.contracts import CONTRACTS
from referee.games.coup_d_etat.deck import COUP, HAND, LEFT_OUT_BY_THREE, SUIT
from referee.games.coup_d_etat.dominos import PASS, fitting_cards
from referee.games.coup_d_etat.state import Dealt, Laying, Playing, State, clockwise, next_to_play
from referee.games.coup_d_etat.tricks import ask_card
from referee.kit.answers import seat_named

BOX = Zone("box")
"""The place of the 8s and 7s that three players leave out."""

Places = Mapping[Zone, tuple[str, ...]]


def hand(seat: int) -> Zone:
    """Name the place of a player's hidden cards."""
    return Zone("hand", seat)


def trick_pile(seat: int) -> Zone:
    """Name the place of the tricks that a player took."""
    return Zone("taken", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """List the moves of hands after a ruling."""
    hands = _HANDS.get(ruling.key)
    return hands(state, ruling) if hands else ()


def sources(_state: State, ask: Show) -> tuple[Zone, ...]:
    """Name where the cards come from that an ask wants to see."""
    match ask.key:
        case "draw" | "middle":
            return (PILE,)
        case _:
            return tuple(hand(seat) for seat in ask.seats)


def is_fair(state: State, answer: Answer, places: Places) -> bool:
    """Tell whether a fair player may answer so, with the cards where they really are."""
    stage, value = state.stage, answer.value
    match stage:
        case Dealt() if answer.ask == "nobody":
            return COUP in places[PILE]
        case Dealt():
            return answer.seat is not None and COUP in places[hand(answer.seat)]
        case Playing() if answer.ask in {"card", "only"}:
            return _is_fair_play(state, stage, value, places[hand(next_to_play(state, stage))])
        case Laying() if answer.ask in {"domino", "pass"}:
            fitting = fitting_cards(state.house, stage)
            return not fitting & set(places[hand(stage.turn)]) if value == PASS else _card_of(value) in fitting
        case _:
            return True


def _is_fair_play(state: State, playing: Playing, value: Value, held: tuple[str, ...]) -> bool:
    """Follow suit if possible; the Coup card may always be played, unless a house rule forbids it."""
    suits = {SUIT[card] for card in held}
    if not isinstance(value, tuple):
        return suits <= {*CONTRACTS[playing.deal.contract].no_lead, SUIT[COUP]}
    (card,), show = value, ask_card(state, playing)[-1]
    if not isinstance(show, Show) or not show.among[card]:
        return False
    is_void = not playing.suit or playing.suit not in suits
    return is_void or SUIT[card] == playing.suit or (card == COUP and state.house.coup_card == "free")


def _card_of(value: Value) -> str:
    return value[0] if isinstance(value, tuple) else ""


def _set_low_aside(_state: State, _ruling: Ruling) -> tuple[Move, ...]:
    return (Move(PILE, BOX, len(LEFT_OUT_BY_THREE), faces=LEFT_OUT_BY_THREE),)


def _draw(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(PILE, before_seat(seat_named(ruling)), 1, faces=_card(ruling)),)


def _deal(state: State, _ruling: Ruling) -> tuple[Move, ...]:
    """Gather and shuffle all cards, then deal from the President's left; the last card stays."""
    everybody = range(len(state.money))
    places = [place(seat) for place in (hand, trick_pile, before_seat) for seat in everybody]
    gathered = [Move(place, PILE) for place in (*places, CENTRE)]
    order = (*clockwise(state, state.president), state.president)
    dealt = [Move(PILE, hand(seat), HAND) for seat in order]
    return (*gathered, Move(DISCARD, PILE, shuffled=True), *dealt)


def _swap(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Lay the Coup card aside, and take the middle card instead."""
    seat = seat_named(ruling)
    return (Move(hand(seat), DISCARD, 1, faces=(COUP,)), Move(PILE, hand(seat), 1, shuffled=True))


def _play(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(hand(seat_named(ruling)), CENTRE, 1, faces=_card(ruling)),)


def _take(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(CENTRE, trick_pile(seat_named(ruling))),)


def _take_middle(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    return (Move(PILE, trick_pile(seat_named(ruling)), 1),)


_HANDS: dict[str, Callable[[State, Ruling], tuple[Move, ...]]] = {
    "low-aside": _set_low_aside,
    "drew": _draw,
    "deal": _deal,
    "declines": _swap,
    "swaps": _swap,
    "plays": _play,
    "lays": _play,
    "trick": _take,
    "middle": _take_middle,
}


def _card(ruling: Ruling) -> tuple[str, ...]:
    card = ruling.values["card"]
    if not isinstance(card, str):
        raise TypeError(f"{ruling.key} names no card")
    return (card,)

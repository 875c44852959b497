"""What hands do with the cards of Plenty Coups, and what a fair player may say: the twin plays by it.

Riders of a raid lie before the camp that is raided, a proposal beside the proposer's herd, an ally's rider
behind the camp, and the staff of a taunt on the riders of the taunted clan.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from referee.contract import CENTRE, DISCARD, PILE, Answer, Move, Option, Ruling, Show, Zone, before_seat
from referee.games.plenty_coups.cards import HAND
from referee.games.plenty_coups.deeds import ACTIONS, camp, herd, taunts
from referee.games.plenty_coups.state import (
    HORSE,
    PROOFS,
    STAFF,
    Acting,
    Deed,
    Proving,
    Returning,
    State,
    holder,
    turn_of,
)
from referee.kit.answers import seat_named

Places = Mapping[Zone, tuple[str, ...]]
SPENT = {"breed": HORSE, "feat": STAFF, "taunt": STAFF, "score": STAFF}
"""Cards that some words mean without naming them."""


NEUTRAL_HAND = Zone("neutral-hand")
"""The hand of the clan that two players play in turn: it belongs to neither."""


def hand(state: State, seat: int) -> Zone:
    """Name the hidden cards that a clan plays from now."""
    who = holder(state, seat)
    return Zone("hand", who) if who < state.players else NEUTRAL_HAND


def gift(seat: int) -> Zone:
    """Name the place of a gift that lies face down before a clan."""
    return Zone("gift", seat)


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Say what hands do once they have heard a ruling."""
    hands = _HANDS.get(ruling.key)
    return hands(state, ruling) if hands else ()


def sources(state: State, ask: Show) -> tuple[Zone, ...]:
    """Say from where the cards come that an ask wants to see."""
    stage = state.stage
    if ask.key == "display":
        return (PILE,)
    turn = turn_of(state)
    if turn is None:
        return ()
    return (hand(state, stage.target if isinstance(stage, Proving) else turn.seat),)


def is_fair(state: State, answer: Answer, places: Places) -> bool:
    """Tell whether the hand has what an answer needs, with the cards where they really are."""
    stage, value = state.stage, answer.value
    match stage:
        case Returning() | Acting():
            return isinstance(value, Option) and _is_fair_word(state, stage.turn.seat, value, places)
        case Deed():
            return isinstance(value, tuple) and _is_fair_card(state, stage, value, places)
        case Proving() if answer.ask == "proof":
            held = places[hand(state, stage.target)]
            return isinstance(value, tuple) and value[0] in held and value[0] in PROOFS
        case _:
            return True


def _is_fair_word(state: State, seat: int, option: Option, places: Places) -> bool:
    """Ask of each word whether there is a card for it."""
    held = places[hand(state, seat)]
    if option.word in SPENT:
        return SPENT[option.word] in held
    if option.word not in ACTIONS:
        return True
    stage = state.stage
    if not isinstance(stage, Acting):
        return True
    deed = Deed(stage.turn, option.word, -1 if option.seat is None else option.seat)
    return any(_is_fair_card(state, deed, (card,), places) for card in set(held))


def _is_fair_card(state: State, deed: Deed, cards: tuple[str, ...], places: Places) -> bool:
    """Lay what is there and serves; the first card of two needs another one that goes with it."""
    (card,) = cards
    held = Counter(places[hand(state, deed.turn.seat)]) - Counter(deed.laid)
    action = ACTIONS[deed.word]
    if not held[card] or card not in action.cards(state, deed):
        return False
    laid = (*deed.laid, card)
    if len(laid) == len(action.asks):
        return True
    rest = held - Counter((card,))
    return any(rest[other] for other in action.cards(state, Deed(deed.turn, deed.word, deed.target, laid)))


Hands = tuple[Move, ...]


def _deal(state: State, ruling: Ruling) -> Hands:
    return tuple(Move(PILE, hand(state, seat), HAND) for seat in range(_number(ruling, "hands")))


def _turn_up(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(PILE, CENTRE, _cards(ruling)),)


def _sweep(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(CENTRE, DISCARD, _cards(ruling)),)


def _renew(_state: State, _ruling: Ruling) -> Hands:
    return (Move(DISCARD, PILE, shuffled=True),)


def _take(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(CENTRE, _own_hand(state, ruling), _cards(ruling)),)


def _draw(state: State, ruling: Ruling) -> Hands:
    return (Move(PILE, _own_hand(state, ruling), _number(ruling, "count"), shuffled=True),)


def _discard(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(_own_hand(state, ruling), DISCARD, _cards(ruling)),)


def _prove(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(hand(state, seat_named(ruling, "hand")), DISCARD, _cards(ruling)),)


def _raid(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(_own_hand(state, ruling), before_seat(seat_named(ruling, "target")), _cards(ruling)),)


def _raid_off(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(before_seat(seat_named(ruling, "target")), DISCARD, _cards(ruling)),)


def _repel(state: State, ruling: Ruling) -> Hands:
    riders = _seen_move(before_seat(seat_named(ruling)), DISCARD, _cards(ruling))
    return riders, _seen_move(_own_hand(state, ruling), DISCARD, _cards(ruling, "weapons"))


def _offer(state: State, ruling: Ruling) -> Hands:
    return (Move(_own_hand(state, ruling), gift(seat_named(ruling, "target")), 1),)


def _exchange(state: State, ruling: Ruling) -> Hands:
    """Give a card, then take the one that lies there; both hands are mixed, as others may not know which."""
    own, other = hand(state, seat_named(ruling, "hand")), hand(state, seat_named(ruling, "other-hand"))
    lying = gift(seat_named(ruling, "target"))
    return Move(other, own, 1, shuffled=True), Move(lying, other, 1, shuffled=True)


def _propose(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(_own_hand(state, ruling), herd(seat_named(ruling)), _cards(ruling)),)


def _withdraw(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(herd(seat_named(ruling)), DISCARD, _cards(ruling)),)


def _seal(state: State, ruling: Ruling) -> Hands:
    proposer = seat_named(ruling, "target")
    accepted = _seen_move(_own_hand(state, ruling), camp(seat_named(ruling)), _cards(ruling))
    return accepted, _seen_move(herd(proposer), camp(proposer), _cards(ruling, "other"))


def _end(_state: State, ruling: Ruling) -> Hands:
    first, second = _cards(ruling)
    seats = seat_named(ruling), seat_named(ruling, "target")
    return tuple(
        _seen_move(camp(seat), DISCARD, (card,)) for seat, card in zip(seats, (first, second), strict=True)
    )


def _ally(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(_own_hand(state, ruling), camp(seat_named(ruling)), _cards(ruling)),)


def _end_neutral(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(camp(seat_named(ruling)), DISCARD, _cards(ruling)),)


def _taunt(state: State, ruling: Ruling) -> Hands:
    return (_seen_move(_own_hand(state, ruling), taunts(seat_named(ruling, "target")), _cards(ruling)),)


def _staff_off(_state: State, ruling: Ruling) -> Hands:
    return (_seen_move(taunts(seat_named(ruling)), DISCARD, _cards(ruling)),)


_HANDS: dict[str, Callable[[State, Ruling], Hands]] = {
    "dealt": _deal,
    "turned-up": _turn_up,
    "swept": _sweep,
    "display-off": _sweep,
    "pile-renewed": _renew,
    "takes": _take,
    "draws": _draw,
    "discards": _discard,
    "breeds": _discard,
    "feat": _discard,
    "proves": _prove,
    "raids": _raid,
    "chased": _raid_off,
    "comes-home": _raid_off,
    "raid-ends": _raid_off,
    "too-late": _raid_off,
    "repels": _repel,
    "offers": _offer,
    "exchange": _exchange,
    "proposes": _propose,
    "outbid": _withdraw,
    "withdrawn": _withdraw,
    "lapses": _withdraw,
    "seals": _seal,
    "alliance-ends": _end,
    "neutral-ally": _ally,
    "neutral-ends": _end_neutral,
    "taunts": _taunt,
    "staff-off": _staff_off,
}


def _own_hand(state: State, ruling: Ruling) -> Zone:
    """Name the hand of the clan that a ruling is about; the neutral clan's only in its own turn."""
    return hand(state, seat_named(ruling))


def _seen_move(source: Zone, target: Zone, faces: tuple[str, ...]) -> Move:
    return Move(source, target, len(faces), faces=faces)


def _cards(ruling: Ruling, key: str = "") -> tuple[str, ...]:
    """List the cards that a ruling names."""
    cards = ruling.values[key or ("cards" if "cards" in ruling.values else "card")]
    if isinstance(cards, str):
        return (cards,)
    if not isinstance(cards, tuple):
        raise TypeError(f"{ruling.key} names no cards")
    return tuple(str(card) for card in cards)


def _number(ruling: Ruling, key: str) -> int:
    number = ruling.values[key]
    if not isinstance(number, int):
        raise TypeError(f"{key} of {ruling.key} is no number")
    return number

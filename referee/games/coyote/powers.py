"""Optional powers: six special rules (Kidult), six variants (Gigamic), eight tokens (Oliphante).

Kidult: one power per player and round. Gigamic: each power once per round for the whole table. Oliphante: one
token per turn, before bidding, and never with two players left.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from referee.contract import Option, Ruling, Transition, make_ruling
from referee.games.coyote.state import (
    EDITIONS,
    Bid,
    Bidding,
    EditionName,
    Guessing,
    House,
    PowerUse,
    State,
    Turning,
    with_bid,
)
from referee.kit.answers import face_aimed_at, seat_aimed_at
from referee.kit.options import aimed_options

DRAWING = ("extra", "replace")  # tokens that draw a card from the pile
HIDDEN_CARD = ("replace", "guess")  # tokens for a card that its player can't see

# Which powers are available now.


def turn_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    house = state.house
    if not house.powers or bidding.obliged:
        return ()
    if house.edition == "oliphante":
        return _token_options(state, bidding)
    words = _powers_left(house, bidding, bidding.turn)
    return tuple([Option(word) for word in words if _fits_turn(house, bidding, word)])


def _fits_turn(house: House, bidding: Bidding, word: str) -> bool:
    last = bidding.bids[-1] if bidding.bids else None
    match word:
        case "reverse":
            return house.edition == "kidult" or not bidding.bound
        case "approve":
            return last is not None and not last.approved
        case "restart":
            return last is not None and last.seat != bidding.turn
        case _:
            return False


def after_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    """Return the powers that the last bidder may add before another player reacts."""
    house = state.house
    if not bidding.fresh or not house.powers or house.edition == "oliphante":
        return ()
    seat = bidding.bids[-1].seat
    options: list[Option] = []
    others = tuple([other for other in state.alive if other != seat])
    for word in _powers_left(house, bidding, seat):
        if word == "double":
            options.append(Option(word))
        elif (word == "next" and not bidding.bound) or (word == "extra" and _can_draw(state, bidding)):
            options.extend(aimed_options(word, others))
    return tuple(options)


def _powers_left(house: House, bidding: Bidding, seat: int) -> Sequence[str]:
    if not bidding.used:
        return house.powers
    if house.edition == "gigamic":
        if seat in bidding.acted and not house.t_multi:
            return ()
        used = [use.word for use in bidding.used]
        return [word for word in house.powers if word not in used]
    if seat in [use.seat for use in bidding.used]:
        return ()
    return [word for word in house.powers if word != "extra" or not bidding.extras]


def _token_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    if len(state.alive) <= 2 or bidding.turn in bidding.acted:
        return ()
    used = [use.word for use in bidding.used]
    words = [word for word in state.house.powers if used.count(word) < state.house.tokens(word)]
    if bidding.turn in bidding.stayed:
        words = [word for word in words if word not in HIDDEN_CARD]
    if not _can_draw(state, bidding):
        words = [word for word in words if word not in DRAWING]
    plain = tuple([Option(word) for word in words if word != "guess"])
    return plain + (_guesses(state.house.edition) if "guess" in words else ())


@cache
def _guesses(edition: EditionName) -> tuple[Option, ...]:
    return tuple(Option("guess", face=face) for face in EDITIONS[edition].deck.counts)


def _can_draw(state: State, bidding: Bidding) -> bool:
    return state.pile(bidding) > 0 or bool(state.discard)


def renew_pile(state: State, bidding: Bidding) -> tuple[State, tuple[Ruling, ...]]:
    if state.pile(bidding) > 0 or not state.discard:
        return state, ()
    return replace(state, discard=()), (make_ruling("pile-renewed", "pile-renewed"),)


# Effects of the powers. Oliphante uses the tokens; the other editions share the first six.


def use_power(state: State, bidding: Bidding, seat: int, option: Option) -> Transition:
    noted = replace(bidding, used=(*bidding.used, PowerUse(option.word, seat)), acted=(*bidding.acted, seat))
    effects = _TOKENS if state.house.edition == "oliphante" else _SPECIALS
    return effects[option.word](state, noted, option)


def _approve(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Take over the last bid; the next player can't do the same."""
    seat, number = bidding.turn, bidding.bids[-1].number
    bids = with_bid(bidding.bids, Bid(seat, number, approved=True))
    bidding = replace(bidding.with_turn_given(state.next_seat(seat)), bids=bids, fresh=True, bound=False)
    return state.going_on(bidding, make_ruling("approved", "approve", seat=seat, number=number))


def _double(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Double the loser's marks if the very next player challenges."""
    last = bidding.bids[-1]
    bidding = replace(bidding, bids=(*bidding.bids[:-1], replace(last, double=True)))
    return state.going_on(bidding, make_ruling("doubled", "double", seat=last.seat))


def _extra(state: State, bidding: Bidding, option: Option) -> Transition:
    state, rulings = renew_pile(state, bidding)
    seat, target = bidding.bids[-1].seat, seat_aimed_at(option)
    bidding = replace(bidding, extras=(*bidding.extras, target))
    return state.going_on(bidding, *rulings, make_ruling("extra", "second-card", seat=seat, target=target))


def _next(state: State, bidding: Bidding, option: Option) -> Transition:
    """Choose the next player; the turn continues from there in the same direction."""
    seat, target = bidding.bids[-1].seat, seat_aimed_at(option)
    ruling = make_ruling("next", "next-is", seat=seat, target=target)
    return state.going_on(bidding.with_turn_given(target), ruling)


def _restart(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Cancel the last bid; its bidder must bid again, above the previous one."""
    caller, (*earlier, last) = bidding.turn, bidding.bids
    bidding = replace(bidding.with_turn_given(last.seat), bids=tuple(earlier), obliged=True, fresh=False)
    bidding = replace(bidding, caller=caller, refused=last.number)
    ruling = make_ruling("restarted", "restart", seat=caller, target=last.seat, number=last.number)
    return state.going_on(bidding, ruling)


def _reverse(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Reverse the direction and bid (Kidult), or send the turn back to the previous player (Gigamic)."""
    ruling = make_ruling("reversed", "reverse direction", seat=bidding.turn)
    state = replace(state, way=-state.way)
    if state.house.edition == "kidult":
        return state.going_on(replace(bidding, obliged=True, fresh=False), ruling)
    previous = bidding.bids[-1].seat if bidding.bids else state.next_seat(bidding.turn)
    return state.going_on(replace(bidding.with_turn_given(previous), fresh=False), ruling)


def _token_reverse(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Reverse the direction until the end of the round, then bid."""
    ruling = make_ruling("reversed", "token-reverse direction after-token", seat=bidding.turn)
    return replace(state, way=-state.way).going_on(state.with_obligation(bidding), ruling)


def _token_extra(state: State, bidding: Bidding, _option: Option) -> Transition:
    state, rulings = renew_pile(state, bidding)
    bidding = state.with_obligation(replace(bidding, turned=bidding.turned + 1))
    ruling = make_ruling("turns-extra", "token-extra after-token", seat=bidding.turn)
    return state.going_on(Turning(bidding.turn, bidding), *rulings, ruling)


def _token_replace(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Cover one's own card with a new one; the covered card doesn't count."""
    state, rulings = renew_pile(state, bidding)
    bidding = state.with_obligation(replace(bidding, replaced=bidding.replaced + 1))
    ruling = make_ruling("replaced", "token-replace after-token", seat=bidding.turn)
    return state.going_on(bidding, *rulings, ruling)


def _token_skip(state: State, bidding: Bidding, _option: Option) -> Transition:
    ruling = make_ruling("skipped", "token-skip", seat=bidding.turn)
    return state.going_on(state.with_turn_passed(bidding), ruling)


def _token_guess(state: State, bidding: Bidding, option: Option) -> Transition:
    """Name one's own card, then look at it."""
    seat, face = bidding.turn, face_aimed_at(option)
    ruling = make_ruling("guessed", "token-guess", seat=seat, card=face)
    return state.going_on(Guessing(seat, face, bidding), ruling)


_Effect = Callable[[State, Bidding, Option], Transition]
_SPECIALS: Mapping[str, _Effect] = {
    "approve": _approve,
    "double": _double,
    "reverse": _reverse,
    "extra": _extra,
    "restart": _restart,
    "next": _next,
}
_TOKENS: Mapping[str, _Effect] = {
    "extra": _token_extra,
    "reverse": _token_reverse,
    "skip": _token_skip,
    "replace": _token_replace,
    "guess": _token_guess,
}

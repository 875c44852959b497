"""The optional rules: six special rules (Kidult), six variants (Gigamic), eight tokens (Oliphante).

Kidult: one use a player and round. Gigamic: each once a round for the whole table. Oliphante: one token
in a turn, before saying a number; never with two players left.
"""

from collections.abc import Callable, Sequence
from functools import cache

from msgspec.structs import replace

from referee.contract import Option, Ruling, Transition, make_ruling
from referee.games.coyote.house import House, deck_of, tokens_of
from referee.games.coyote.state import (
    Bid,
    Bidding,
    Guessing,
    PowerUse,
    State,
    Turning,
    alive,
    bidders,
    next_seat,
    pile,
    with_bid,
)

ON_TURN = ("approve", "reverse", "restart", "skip", "replace", "guess")
AFTER_BID = ("double", "extra", "next")
DRAWING = ("extra", "replace")
"""Tokens that take a card from the pile."""
HIDDEN_CARD = ("replace", "guess")
"""Tokens for a card that its player doesn't know."""

Effect = Callable[[State, Bidding, Option], Transition]


def turn_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    """List the powers that the seat in turn may use before a number, or instead of one."""
    house = state.house
    if not house.powers or bidding.obliged:
        return ()
    if house.edition == "oliphante":
        return _token_options(state, bidding)
    words = powers_left(house, bidding, bidding.turn)
    return tuple([Option(word) for word in words if word in ON_TURN and _fits(state, bidding, word)])


def after_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    """List the powers that the last bidder may add before another player reacts."""
    house = state.house
    if not bidding.fresh or not house.powers or house.edition == "oliphante":
        return ()
    seat = bidding.bids[-1].seat
    words = powers_left(house, bidding, seat)
    return tuple(
        [aimed for word in words if word in AFTER_BID for aimed in _aimed_options(state, bidding, word, seat)]
    )


def powers_left(house: House, bidding: Bidding, seat: int) -> Sequence[str]:
    """List the powers that a seat may still use in this round."""
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


def use_power(state: State, bidding: Bidding, seat: int, option: Option) -> Transition:
    """Use a power: note its use, then apply its effect."""
    noted = replace(
        bidding,
        used=(*bidding.used, PowerUse(option.word, seat)),
        acted=(*bidding.acted, seat),
    )
    effects = _TOKENS if state.house.edition == "oliphante" else _SPECIALS
    return effects[option.word](state, noted, option)


def _fits(state: State, bidding: Bidding, word: str) -> bool:
    """Tell whether a power has something to act upon now."""
    if word == "reverse":
        return state.house.edition == "kidult" or not bidding.bound
    if not bidding.bids:
        return False
    last = bidding.bids[-1]
    return not last.approved if word == "approve" else last.seat != bidding.turn


def _aimed_options(state: State, bidding: Bidding, word: str, seat: int) -> list[Option]:
    if word == "double":
        return [Option(word)]
    if word == "next" and bidding.bound:
        return []
    if word == "extra" and not _can_draw(state, bidding):
        return []
    return [Option(word, seat=other) for other in alive(state) if other != seat]


def _token_options(state: State, bidding: Bidding) -> tuple[Option, ...]:
    if len(alive(state)) <= 2 or bidding.turn in bidding.acted:
        return ()
    words = _tokens_left(state.house, bidding)
    if bidding.turn in bidding.stayed:
        words = [word for word in words if word not in HIDDEN_CARD]
    if not _can_draw(state, bidding):
        words = [word for word in words if word not in DRAWING]
    plain = tuple([Option(word) for word in words if word != "guess"])
    return plain + (_guesses(tuple(deck_of(state.house).counts)) if "guess" in words else ())


def _tokens_left(house: House, bidding: Bidding) -> list[str]:
    """List the powers with a token that is still face up."""
    used = [use.word for use in bidding.used]
    return [word for word in house.powers if used.count(word) < tokens_of(house, word)]


@cache
def _guesses(faces: tuple[str, ...]) -> tuple[Option, ...]:
    """List the guesses at one's own card."""
    return tuple(Option("guess", face=face) for face in faces)


def _can_draw(state: State, bidding: Bidding) -> bool:
    return pile(state, bidding) > 0 or bool(state.discard)


def renew_pile(state: State, bidding: Bidding) -> tuple[State, tuple[Ruling, ...]]:
    """Make sure that there is a card to draw: an empty pile is renewed from the discards."""
    if pile(state, bidding) > 0 or not state.discard:
        return state, ()
    return replace(state, discard=()), (make_ruling("pile-renewed", rule="pile-renewed"),)


def _approve(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Take the number over; the next player can't do the same."""
    seat, number = bidding.turn, bidding.bids[-1].number
    bidding = replace(
        with_turn_given(bidding, next_seat(state, seat)),
        bids=with_bid(bidding.bids, Bid(seat, number, approved=True)),
        fresh=True,
        bound=False,
    )
    return Transition(
        replace(state, stage=bidding), (make_ruling("approved", rule="approve", seat=seat, number=number),)
    )


def _double(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Double the loser's marks if the very next player contests."""
    last = bidding.bids[-1]
    bidding = replace(bidding, bids=(*bidding.bids[:-1], replace(last, double=True)))
    return Transition(replace(state, stage=bidding), (make_ruling("doubled", rule="double", seat=last.seat),))


def _extra(state: State, bidding: Bidding, option: Option) -> Transition:
    """Give another player a second card, worn unseen."""
    state, rulings = renew_pile(state, bidding)
    target = aim(option)
    bidding = replace(bidding, extras=(*bidding.extras, target))
    said = make_ruling("extra", rule="second-card", seat=bidding.bids[-1].seat, target=target)
    return Transition(replace(state, stage=bidding), (*rulings, said))


def _next(state: State, bidding: Bidding, option: Option) -> Transition:
    """Choose who answers; the turn goes on from there in the same direction."""
    target = aim(option)
    said = make_ruling("next", rule="next-is", seat=bidding.bids[-1].seat, target=target)
    return Transition(replace(state, stage=with_turn_given(bidding, target)), (said,))


def _restart(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Cancel the last number; its author must bid again, above the one before."""
    caller, last = bidding.turn, bidding.bids[-1]
    bidding = replace(
        with_turn_given(bidding, last.seat),
        bids=bidding.bids[:-1],
        caller=caller,
        refused=last.number,
        obliged=True,
        fresh=False,
    )
    said = make_ruling("restarted", rule="restart", seat=caller, target=last.seat, number=last.number)
    return Transition(replace(state, stage=bidding), (said,))


def _reverse(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Reverse the direction and bid (Kidult), or make the previous player speak again (Gigamic)."""
    seat = bidding.turn
    state = replace(state, way=-state.way)
    if state.house.edition == "kidult":
        bidding = replace(bidding, obliged=True, fresh=False)
    else:
        previous = bidding.bids[-1].seat if bidding.bids else next_seat(state, seat)
        bidding = replace(with_turn_given(bidding, previous), fresh=False)
    return Transition(
        replace(state, stage=bidding), (make_ruling("reversed", rule="reverse direction", seat=seat),)
    )


def _token_reverse(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Reverse the direction until the end of the round, then bid."""
    turned = replace(state, way=-state.way, stage=with_obligation(state, bidding))
    said = make_ruling("reversed", rule="token-reverse direction after-token", seat=bidding.turn)
    return Transition(turned, (said,))


def _token_extra(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Turn up the top card in front of oneself; it counts at the end."""
    state, rulings = renew_pile(state, bidding)
    bidding = replace(bidding, turned=bidding.turned + 1)
    stage = Turning(bidding.turn, with_obligation(state, bidding))
    said = make_ruling("turns-extra", rule="token-extra after-token", seat=bidding.turn)
    return Transition(replace(state, stage=stage), (*rulings, said))


def _token_replace(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Cover one's card with a new one; the covered card doesn't count."""
    state, rulings = renew_pile(state, bidding)
    bidding = replace(bidding, replaced=bidding.replaced + 1)
    said = make_ruling("replaced", rule="token-replace after-token", seat=bidding.turn)
    return Transition(replace(state, stage=with_obligation(state, bidding)), (*rulings, said))


def _token_skip(state: State, bidding: Bidding, _option: Option) -> Transition:
    """Skip the turn without a bid."""
    seat = bidding.turn
    bidding = with_turn_passed(state, bidding)
    return Transition(replace(state, stage=bidding), (make_ruling("skipped", rule="token-skip", seat=seat),))


def _token_guess(state: State, bidding: Bidding, option: Option) -> Transition:
    """Name one's own card, then look at it."""
    face = option.face or ""
    said = make_ruling("guessed", rule="token-guess", seat=bidding.turn, card=face)
    return Transition(replace(state, stage=Guessing(bidding.turn, face, bidding)), (said,))


def with_turn_given(bidding: Bidding, seat: int) -> Bidding:
    """Give a seat a new turn, in which it hasn't acted yet."""
    acted = bidding.acted and tuple([other for other in bidding.acted if other != seat])
    return replace(bidding, turn=seat, acted=acted)


def with_turn_passed(state: State, bidding: Bidding) -> Bidding:
    """Pass the turn to the next player of the round, without a bid."""
    return replace(with_turn_given(bidding, next_seat(state, bidding.turn, bidding.retired)), fresh=False)


def only_one_left(state: State, bidding: Bidding) -> int | None:
    """Find the only player left in a round with no number to contest."""
    left = bidders(state, bidding)
    if not left:
        return bidding.turn
    nothing_to_contest = not bidding.bids or bidding.bids[-1].seat == left[0]
    return left[0] if len(left) == 1 and nothing_to_contest else None


def with_obligation(state: State, bidding: Bidding) -> Bidding:
    """Oblige the seat in turn to say a number after a token, unless the house lets it contest."""
    return replace(bidding, obliged=not state.house.o_contest_after_token, fresh=False)


def aim(option: Option) -> int:
    """Give the seat that an option is aimed at."""
    if option.seat is None:
        raise ValueError(f"{option.word} needs a target")
    return option.seat


_SPECIALS: dict[str, Effect] = {
    "approve": _approve,
    "double": _double,
    "reverse": _reverse,
    "extra": _extra,
    "restart": _restart,
    "next": _next,
}
_TOKENS: dict[str, Effect] = {
    "extra": _token_extra,
    "reverse": _token_reverse,
    "skip": _token_skip,
    "replace": _token_replace,
    "guess": _token_guess,
}

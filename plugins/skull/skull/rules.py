"""The rules of Skull in order: placing discs, bidding, turning discs up, losing one."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Deck, Outcome, Transition, before_seat
from referee.contract.asks import Answer, Ask, Choice, Done, Number, Option, Ruling, Show, make_ruling
from referee.kit.answers import cards_said
from referee.kit.options import aimed_options, seats_after
from referee.kit.ranking import with_more

SET = {"flower": 3, "skull": 1}
NOBODY = -1
DECK = Deck("skull", {face: count * 6 for face, count in SET.items()})


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    goal: Literal[1, 2] = 2
    heir: Literal["owner", "left"] = "owner"


class State(Struct, frozen=True, kw_only=True):
    """Everything the referee knows: the number of discs in each place, and the discs turned up."""

    house: House
    discs: tuple[int, ...]
    points: tuple[int, ...]
    turn: int
    number: int = 0
    stacks: tuple[int, ...] = ()
    bid: int = 0
    passed: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    is_challenge: bool = False
    aim: int = NOBODY
    shown: tuple[int, ...] = ()
    is_lost: bool = False


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition:
    first = next((seat for seat in (after.winners if after else ()) if seat in seats), 0)
    discs, points = (sum(SET.values()),) * len(seats), (0,) * len(seats)
    state = State(house=house, discs=discs, points=points, turn=first)
    return _begin_round(state, first, make_ruling("hands-out", "set", count=discs[0]))


def _begin_round(state: State, first: int, *rulings: Ruling) -> Transition:
    """Begin a round in which everyone places a disc, unless the match is over."""
    over, none, number = outcome(state), (0,) * len(state.discs), state.number + 1
    won = make_ruling("won", "end", seat=over.winners[0]) if over else None
    ruling = won or make_ruling("round", "lay", seat=first, number=number)
    state = replace(state, turn=first, number=number, stacks=none, bid=0, passed=(), shown=none)
    return Transition(replace(state, is_challenge=False, aim=NOBODY, is_lost=False), (*rulings, ruling))


def down(state: State) -> dict[int, int]:
    """Return the number of face-down discs of each seat that has any."""
    counts = (lie - up for lie, up in zip(state.stacks, state.shown, strict=True))
    return {seat: count for seat, count in enumerate(counts) if count}


def asks(state: State) -> tuple[Ask, ...]:
    seat, aim, laid = (state.turn,), state.aim, state.stacks
    laying = tuple(who for who, count in enumerate(state.discs) if count and not laid[who])
    if outcome(state) is not None:
        return ()
    if laying:
        return (Done("lay", laying, state.number),)
    if not state.is_challenge:
        bid, word = Number("bid", seat, state.bid + 1, sum(laid)), "pass" if state.bid else "add"
        has_other = state.bid or state.discs[state.turn] > laid[state.turn]
        return (bid, Choice(word, seat, (Option(word),))) if has_other else (bid,)
    if aim == NOBODY:
        return (Choice("whose", seat, aimed_options("turn-up", tuple(down(state)))),)
    if state.is_lost:
        return (Done("lose", (aim,)),)
    key, count = ("own", min(state.bid, laid[aim])) if aim == state.turn else ("disc", 1)
    return (Show(key, seat, count, before_seat(aim), DECK, SET | {"flower": 3 - state.shown[aim]}),)


def hear(state: State, answer: Answer) -> Transition:
    seat = state.turn if answer.seat is None else answer.seat
    match answer.ask, answer.value:
        case "lay" | "add", _:
            ruling, laid = make_ruling("lays", answer.ask, seat=seat), with_more(state.stacks, seat)
            state = replace(state, stacks=laid)
            return Transition(state, (ruling,)) if answer.ask == "lay" else _go_on(state, ruling)
        case "bid", int(bid):
            return _go_on(replace(state, bid=bid), make_ruling("bids", "bid", seat=seat, count=bid))
        case "pass", _:
            return _go_on(replace(state, passed=(*state.passed, seat)), make_ruling("passes", "bid", seat=seat))
        case "whose", Option(seat=int(aim)):
            return Transition(replace(state, aim=aim), ())
    return _lose(state) if state.is_lost else _turn_up(state, cards_said(answer))


def _go_on(state: State, previous: Ruling) -> Transition:
    """Continue with the next player, or with the highest bidder's challenge."""
    skipped = (*state.out, *state.passed)
    if state.bid < sum(state.stacks):
        state = replace(state, turn=seats_after(state.turn, len(state.discs), skipped)[0])
        if len(skipped) < len(state.discs) - 1:
            return Transition(state, (previous,))
    ruling = make_ruling("challenge", "most", seat=state.turn, count=state.bid)
    return Transition(replace(state, is_challenge=True, aim=state.turn), (previous, ruling))


def _turn_up(state: State, cards: tuple[str, ...]) -> Transition:
    seat, whose = state.turn, state.aim
    is_own = whose == seat
    key, rule = ("turns-own", "own") if is_own else ("turns", "whose")
    ruling = make_ruling(key, rule, seat=seat, other=whose, cards=cards)
    if "skull" in cards:
        skull = make_ruling("skull-own" if is_own else "skull", "turned", seat=seat, other=whose)
        return Transition(replace(state, is_lost=True), (ruling, skull))
    state = replace(state, shown=with_more(state.shown, whose, len(cards)))
    if sum(state.shown) < state.bid:
        aim, *more = down(state)
        return Transition(replace(state, aim=NOBODY if more else aim), (ruling,))
    state = replace(state, points=with_more(state.points, seat))
    return _begin_round(state, seat, ruling, make_ruling("kept", "turned", seat=seat, count=state.bid))


def _lose(state: State) -> Transition:
    """Remove a hidden disc; a player without discs is out, and another one begins."""
    seat, owner = state.turn, state.aim
    loses = make_ruling("loses", "lose", seat=seat)
    state = replace(state, discs=with_more(state.discs, seat, -1))
    if state.discs[seat]:
        return _begin_round(state, seat, loses)
    state = replace(state, out=(*state.out, seat))
    left = seats_after(seat, len(state.discs), state.out)[0]
    heir = left if state.house.heir == "left" or owner == seat else owner
    return _begin_round(state, heir, loses, make_ruling("out", "out heir", seat=seat))


def outcome(state: State) -> Outcome | None:
    """Winning enough challenges ends the match, and so does being the last player with discs."""
    if max(state.points) >= state.house.goal:
        return Outcome("challenges", (state.points.index(max(state.points)),))
    playing = tuple(seat for seat, count in enumerate(state.discs) if count)
    return Outcome("last", playing) if len(playing) == 1 else None

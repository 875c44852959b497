"""The rules of Hearts in order: deal, pass three cards, thirteen tricks, count."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, Outcome, Transition, without
from referee.contract.asks import Answer, Ask, Choice, Done, Option, Ruling, Show, make_ruling
from referee.kit.answers import cards_said, who_said
from referee.kit.french_cards import CARDS, FRENCH_DECK, STRENGTH, SUIT
from referee.kit.tricks import Denial, TrickOrder, lay_card, seat_to_play, taker_of, tricks_of, unsay

SEATS, HAND, PASSED = 4, 13, 3
FIRST, QUEEN = "2c", "Qs"
WORTH = {card: 13 if card == QUEEN else int(SUIT[card] == "h") for card in CARDS}
ALL_POINTS = 26
ORDER = TrickOrder(SUIT, STRENGTH)
MINE, ONLY = Option("mine"), Option("only")

Rulings = tuple[Ruling, ...]


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    target: Literal[50, 100] = 100
    moon: Literal["others", "own"] = "others"
    passing: bool = True


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows; no hands are included."""

    house: House
    points: tuple[int, ...]
    taken: tuple[int, ...] = (0,) * SEATS  # points taken in this deal
    deal: int = 0
    passing: tuple[int, ...] = ()  # seats that still have to pass cards
    leader: int | None = None  # leader of the trick; None until the two of clubs is located
    seen: tuple[str, ...] = ()  # cards played in this deal, in order
    denials: tuple[Denial, ...] = ()
    has_only_barred: bool = False
    """Whether the seat in turn claims to hold only barred cards."""


# The deal: thirteen cards each; three are passed left, right, across, and not at all in every fourth deal.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition:
    return _deal(State(house, (0,) * len(seats)), ())


def _deal(state: State, rulings: Rulings) -> Transition:
    state = State(state.house, state.points, deal=state.deal + 1)
    if direction(state):
        state = replace(state, passing=tuple(range(SEATS)))
    return Transition(state, (*rulings, make_ruling("deal", rule="deal", count=HAND, number=state.deal)))


def direction(state: State) -> int:
    """Return how many places to the left passed cards go: 1, 3 (right), 2 (across) or 0."""
    return (0, 1, 3, 2)[state.deal % 4] if state.house.passing else 0


# Tricks: the two of clubs leads; players follow suit; no points in the first trick, no hearts led at first.


def trick_of(state: State) -> tuple[str, ...]:
    return state.seen[len(state.seen) // SEATS * SEATS :]


def turn_of(state: State) -> int | None:
    """Return the seat that lays the next card; None before the first leader is known, or at the end."""
    if state.leader is None or outcome(state) is not None:
        return None
    return seat_to_play(state.leader, trick_of(state), SEATS)


def is_broken(state: State) -> bool:
    """Return whether hearts may be led: a heart or the queen of spades has been played."""
    return any(WORTH[card] for card in state.seen)


def barred_now(state: State) -> dict[str, str]:
    """Return the cards that only a hand without alternatives may lay, each with the reason."""
    if not state.seen:
        return {card: "two-of-clubs" for card in CARDS if card != FIRST}
    if 0 < len(state.seen) < SEATS:
        return {card: "first-trick" for card in CARDS if WORTH[card]}
    if not trick_of(state) and not is_broken(state):
        return {card: "not-broken" for card in CARDS if SUIT[card] == "h"}
    return {}


def asks(state: State) -> tuple[Ask, ...]:
    if outcome(state) is not None:
        return ()
    if state.passing:
        return (Done("pass", state.passing, window=state.deal),)
    seat = turn_of(state)
    if seat is None:
        return (Choice("first", tuple(range(SEATS)), (MINE,)),)
    among = without(FRENCH_DECK.counts, state.seen)
    barred = {card: why for card, why in barred_now(state).items() if among[card]}
    if state.has_only_barred or len(barred) == sum(among.values()):
        barred = {}
    among = {card: 0 if card in barred else count for card, count in among.items()}
    show = Show("card", (seat,), 1, CENTRE, FRENCH_DECK, among, barred=barred)
    return (show, Choice("only", (seat,), (ONLY,))) if barred and state.seen else (show,)


def hear(state: State, answer: Answer) -> Transition:
    match answer.ask:
        case "pass":
            return _pass_cards(state, who_said(answer))
        case "first":
            seat = who_said(answer)
            ruling = make_ruling("leads", rule="two-of-clubs", seat=seat)
            return Transition(replace(state, leader=seat), (ruling,))
        case "only":
            return _believe(state, who_said(answer))
        case _:
            return _lay(state, cards_said(answer)[0])


def _pass_cards(state: State, seat: int) -> Transition:
    """Set three cards aside; when all players have, everyone takes the cards passed to them."""
    waiting = tuple(other for other in state.passing if other != seat)
    rulings = (make_ruling("passes", rule="pass", seat=seat),)
    if not waiting:
        rulings = (*rulings, make_ruling("passed", rule="pass", places=direction(state)))
    return Transition(replace(state, passing=waiting), rulings)


def _believe(state: State, seat: int) -> Transition:
    """Accept that a hand holds only barred cards, until a later card proves otherwise."""
    trick = len(state.seen) // SEATS + 1
    rule, apart = ("first-trick", QUEEN) if trick == 1 else ("broken", "")
    denied = tuple(Denial(seat, suit, trick, apart=apart) for suit in "dcs")
    state = replace(state, has_only_barred=True, denials=(*state.denials, *denied))
    return Transition(state, (make_ruling("only", rule=rule, seat=seat),))


def _lay(state: State, card: str) -> Transition:
    seat, trick = turn_of(state), (*trick_of(state), card)
    if seat is None or state.leader is None:
        raise ValueError("it is no seat's turn")
    number, led = len(state.seen) // SEATS + 1, SUIT[trick[0]]
    rule = "two-of-clubs" if not state.seen else "follow" if len(trick) > 1 else "lead"
    rulings: Rulings = (make_ruling("lays", rule=rule, seat=seat, card=card),)
    is_refuted = state.has_only_barred and card not in barred_now(state)
    denials = unsay(state.denials, seat, number) if is_refuted else state.denials
    denials, revoked = lay_card(ORDER, denials, Denial(seat, led, number, card))
    if tricks := tricks_of(revoked):
        ruling = make_ruling("revoke", rule="revoke", seat=seat, tricks=tricks, count=len(tricks), card=card)
        # each revoke is reported once
        rulings = (*rulings, ruling)
        denials = tuple([each for each in denials if each.seat != seat or each.trick not in tricks])
    state = replace(state, seen=(*state.seen, card), denials=denials, has_only_barred=False)
    return Transition(state, rulings) if len(trick) < SEATS else _take(state, state.leader, trick, rulings)


def _take(state: State, leader: int, trick: tuple[str, ...], rulings: Rulings) -> Transition:
    """The highest card of the suit led takes the trick, and its player leads the next one."""
    seat, points = taker_of(ORDER, leader, trick, SUIT[trick[0]], SEATS), sum(map(WORTH.__getitem__, trick))
    taken = tuple(had + points * (other == seat) for other, had in enumerate(state.taken))
    rulings = (*rulings, make_ruling("takes", rule="take", seat=seat, points=points))
    state = replace(state, taken=taken, leader=seat)
    return Transition(state, rulings) if len(state.seen) < len(CARDS) else _count(state, rulings)


# The count: a point per heart, 13 for the queen of spades; taking them all shoots the moon.


def _count(state: State, rulings: Rulings) -> Transition:
    counted = state.taken
    if ALL_POINTS in counted:
        shooter = counted.index(ALL_POINTS)
        rulings = (*rulings, make_ruling("moon", rule="moon", seat=shooter))
        if state.house.moon == "others":
            counted = tuple(0 if seat == shooter else ALL_POINTS for seat in range(SEATS))
        else:
            counted = tuple(
                -min(ALL_POINTS, state.points[shooter]) if seat == shooter else 0 for seat in range(SEATS)
            )
    else:
        rulings = (*rulings, make_ruling("scored", rule="worth", counts=counted))
    points = tuple(had + more for had, more in zip(state.points, counted, strict=True))
    state = replace(state, points=points)
    end = outcome(state)
    if end is None:
        return _deal(state, rulings)
    return Transition(state, (*rulings, make_ruling("won", rule="end", seats=end.winners, points=min(points))))


def outcome(state: State) -> Outcome | None:
    """The match ends when a player reaches the target after a deal; the fewest points win."""
    if max(state.points) < state.house.target:
        return None
    return Outcome("points", tuple(seat for seat, had in enumerate(state.points) if had == min(state.points)))

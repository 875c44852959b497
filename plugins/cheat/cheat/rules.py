"""The rules of Cheat in order: deal, claims, challenges, revealed cards, the end."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import PROOF, Outcome, Transition
from referee.contract.asks import Answer, Ask, Choice, Deadline, Number, Ruling, Show, make_ruling
from referee.kit import claims
from referee.kit.answers import cards_said, number_said, option_said, who_said
from referee.kit.claims import CHALLENGE, PASS, ClaimWindow
from referee.kit.french_cards import FRENCH_DECK, RANKS
from referee.kit.options import seats_after

ORDER = (RANKS[0], *reversed(RANKS[1:]))
"""The order of claimed ranks: ace, 2, and so on to the king."""
MAX_CLAIMED = 4  # maximum number of cards in a claim: as many as a rank has

Rulings = tuple[Ruling, ...]


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    seconds: Literal[5, 10, 20] = 10
    tours: Literal[5, 10, 20] = 10


class Claim(ClaimWindow, frozen=True, gc=False, kw_only=True):
    """Cards placed face down, which all other players may challenge."""

    seat: int
    count: int
    challenger: int | None = None


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows: the size of each hand, never its cards."""

    house: House
    cards: tuple[int, ...]
    first: int
    number: int = 0  # number of settled claims
    claim: Claim | None = None
    shown: tuple[str, ...] = ()  # the cards revealed last


# The deal: all 52 cards; the previous winner begins.


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition:
    """Deal all cards; if they don't divide evenly, the first seats get one more."""
    share, more = divmod(FRENCH_DECK.size, len(seats))
    cards = tuple(share + (seat < more) for seat in range(len(seats)))
    winners = [seat for seat in (after.winners if after else ()) if seat in seats]
    first, rule = (winners[0], "deal-again") if winners else (0, "deal")
    ruling = make_ruling("dealt", rule=rule, seat=first, counts=cards)
    return Transition(State(house, cards, first), (ruling,))


def turn_of(state: State) -> int:
    return (state.first + state.number) % len(state.cards)


def rank_due(state: State) -> str:
    return ORDER[state.number % len(ORDER)]


def heap_of(state: State) -> int:
    return FRENCH_DECK.size - sum(state.cards)


def _with_cards(state: State, seat: int, more: int) -> State:
    return replace(state, cards=tuple(had + more * (who == seat) for who, had in enumerate(state.cards)))


def asks(state: State) -> tuple[Ask, ...]:
    claim, seat = state.claim, turn_of(state)
    if outcome(state) is not None:
        return ()
    if claim is None:
        return (Number("claim", (seat,), 1, min(MAX_CLAIMED, state.cards[seat])),)
    if claim.challenger is None:
        return claim.asks
    return (Show("proof", (seat,), claim.count, PROOF, FRENCH_DECK, FRENCH_DECK.counts),)


def hear(state: State, answer: Answer) -> Transition:
    if state.claim is None:
        return _claim(state, number_said(answer))
    if state.claim.challenger is None:
        return _doubt(state, state.claim, answer)
    return _prove(state, state.claim, state.claim.challenger, cards_said(answer))


# Claims: one to four cards face down, claimed as the current rank; all others may challenge them.


def _claim(state: State, count: int) -> Transition:
    seat, clock = turn_of(state), Deadline(float(state.house.seconds), PASS)
    ask = Choice("doubt", seats_after(seat, len(state.cards)), (CHALLENGE, PASS), state.number + 1, clock)
    ruling = make_ruling("claims", rule="claim", seat=seat, count=count, rank=rank_due(state))
    state = replace(_with_cards(state, seat, -count), claim=Claim((ask,), seat=seat, count=count), shown=())
    return Transition(state, (ruling,))


def in_order(state: State, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Of simultaneous challengers, the next one clockwise counts."""
    return claims.in_order(answers, seats_after(turn_of(state), len(state.cards)))


def _doubt(state: State, claim: Claim, answer: Answer) -> Transition:
    seat = who_said(answer)
    rulings: Rulings = ()
    if others := claims.gave_way(claim, answer):
        rulings = (make_ruling("tie", rule="tie", seat=seat, others=others),)
    claim = claims.heard(claim, seat, option_said(answer))
    if claims.objection(claim) is not None:
        ruling = make_ruling("challenged", rule="doubt", seat=seat, claimant=claim.seat)
        return Transition(replace(state, claim=replace(claim, challenger=seat)), (*rulings, ruling))
    if claim.asks:
        return Transition(replace(state, claim=claim), rulings)
    return _settle(state, (make_ruling("stands", rule="stands", seat=claim.seat),))


# The proof: the liar, or the wrong challenger, takes all cards in the middle.


def _prove(state: State, claim: Claim, challenger: int, cards: tuple[str, ...]) -> Transition:
    rank, heap = rank_due(state), heap_of(state)
    is_true = all(card[:-1] == rank for card in cards)
    taker = challenger if is_true else claim.seat
    rulings = (
        make_ruling("honest" if is_true else "lied", rule="proof", seat=claim.seat, cards=cards, rank=rank),
        make_ruling("takes", rule="take", seat=taker, count=heap),
    )
    return _settle(replace(_with_cards(state, taker, heap), shown=cards), rulings)


# The end: nobody leaves before the last claim is settled.


def _settle(state: State, rulings: Rulings) -> Transition:
    state = replace(state, number=state.number + 1, claim=None)
    over = outcome(state)
    if over is not None:
        key = "won" if over.reason == "out" else "won-fewest"
        rulings = (*rulings, make_ruling(key, rule=over.reason, seats=over.winners, count=min(state.cards)))
    return Transition(state, rulings)


def outcome(state: State) -> Outcome | None:
    """The player without cards wins; after the last tour of the ranks, the player with the fewest."""
    fewest, is_last = min(state.cards), state.number >= len(ORDER) * state.house.tours
    if state.claim is not None or (fewest and not is_last):
        return None
    winners = tuple(seat for seat, count in enumerate(state.cards) if count == fewest)
    return Outcome("fewest" if fewest else "out", winners)

"""The rules of Love Letter in order: the deal, the cards and their effects, the end of a round and a match."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, TABLE, Deck, Outcome, Transition, before_seat, without
from referee.contract.asks import Answer, Ask, Choice, Done, Option, Ruling, Show, make_ruling
from referee.kit.options import aimed_options, seats_after

FACES = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
DECK = Deck("love-letter", dict(zip(FACES, (5, 2, 2, 2, 2, 1, 1, 1), strict=True)))
VALUE = {face: value for value, face in enumerate(FACES, 1)}
AIMED = {"guard": "guesses", "priest": "looks", "baron": "compares", "prince": "drops", "king": "swaps"}

LAID_BY = {"guesses": "guard", "falls": "baron", "drops": "prince", "show": "best"}
"""Rules by which a hand is shown, by stage; other stages have the name of their rule."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    tied: Literal["all", "none"] = "all"


class State(Struct, frozen=True, kw_only=True):
    """Everything the referee knows: the face-up cards, and no hands."""

    house: House
    tokens: tuple[int, ...]
    turn: int
    stage: str = "open"
    pile: int = 0
    laid: tuple[tuple[str, ...], ...] = ()
    open: tuple[str, ...] = ()
    out: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()
    target: int = 0
    guess: str = ""


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition:
    first = next((seat for seat in (after.winners if after else ()) if seat in seats), 0)
    return _deal(State(house=house, tokens=(0,) * len(seats), turn=first))


def _deal(state: State, *rulings: Ruling) -> Transition:
    count, turn, tokens = len(state.tokens), state.turn, state.tokens
    pile, rulings = DECK.size - 1 - count, (*rulings, make_ruling("deal", "open", seat=turn))
    state = State(house=state.house, tokens=tokens, turn=turn, pile=pile, laid=((),) * count)
    return Transition(state, rulings) if count == 2 else _draw(state, turn, *rulings)


def _draw(state: State, seat: int, *rulings: Ruling) -> Transition:
    safe = tuple(other for other in state.safe if other != seat)
    state = replace(state, turn=seat, stage="card", safe=safe, target=seat, guess="", pile=state.pile - 1)
    return Transition(state, (*rulings, make_ruling("draws", "card", seat=seat)))


def _playing(state: State) -> tuple[int, ...]:
    others = seats_after(state.turn, len(state.tokens), state.out)
    return others if state.turn in state.out else (*others, state.turn)


def _left(state: State) -> dict[str, int]:
    return without(DECK.counts, (*state.open, *(card for cards in state.laid for card in cards)))


def _aims(state: State) -> tuple[Option, ...]:
    others = seats_after(state.turn, len(state.tokens), (*state.out, *state.safe))
    if state.stage != "guard":
        return aimed_options("at", (*others, state.turn) if state.stage == "prince" else others)
    return tuple(Option("guess", seat, face) for seat in others for face in FACES[1:] if _left(state)[face])


def asks(state: State) -> tuple[Ask, ...]:
    stage, seat, who, among = state.stage, (state.turn,), state.target, _left(state)
    wanted = {state.guess: among[state.guess]} if state.guess else among
    hand = Show("card" if stage == "card" else "hand", (who,), 1, before_seat(who), DECK, wanted)
    found: dict[str, tuple[Ask, ...]] = {
        "open": (Show("open", TABLE, 3, CENTRE, DECK, DECK.counts),),
        "guesses": (hand, Choice("denies", (who,), (Option("no"),))),
        "looks": (Done("looks", seat),),
        "compares": (Choice("compares", seat, (*aimed_options("lower", (*seat, who)), Option("even"))),),
        **dict.fromkeys(AIMED, (Choice("guess" if stage == "guard" else "at", seat, _aims(state)),)),
    }
    return () if outcome(state) else found.get(stage, (hand,))


def hear(state: State, answer: Answer) -> Transition:
    seat, target, stage = state.turn, state.target, state.stage
    back = make_ruling("back", "baron" if stage == "compares" else "priest", seat=seat, target=target)
    match answer.value:
        case tuple(cards) if stage == "open":
            state = replace(state, open=cards, pile=state.pile - 3)
            return _draw(state, seat, make_ruling("opened", "open", cards=cards))
        case tuple(cards):
            return _lay(state, *cards)
        case Option(word="at" | "guess", seat=int(aim), face=face):
            key = "guesses" if face else "aims-own" if aim == seat else "aims"
            ruling = make_ruling(key, stage, seat=seat, target=aim, card=face or stage)
            state = replace(state, stage=AIMED[stage], target=aim, guess=face or "")
            return _end_turn(state, ruling) if stage == "king" else Transition(state, (ruling,))
        case Option(word="lower", seat=int(lower)):
            return Transition(replace(state, stage="falls", target=lower), (back,))
    ruling = make_ruling("denies", "guard", seat=target, card=state.guess) if stage == "guesses" else back
    return _end_turn(state, ruling)


def _lay(state: State, card: str) -> Transition:
    stage, who = state.stage, state.target
    laid = tuple((*cards, card) if seat == who else cards for seat, cards in enumerate(state.laid))
    rule = LAID_BY.get(stage, stage)
    state, ruling = replace(state, laid=laid), make_ruling("lays", rule, seat=who, card=card)
    if stage == "card":
        state = replace(state, stage=card, safe=(*state.safe, who) if card == "handmaid" else state.safe)
        has_more = card == "princess" or (card in AIMED and _aims(state))
        return Transition(state, (ruling,)) if has_more else _end_turn(state, ruling)
    if stage == "show":
        return _show(state, ruling)
    if stage == "drops" and card != "princess":
        key, pile = ("draws", state.pile - 1) if state.pile else ("takes-aside", 0)
        return _end_turn(replace(state, pile=pile), ruling, make_ruling(key, "prince", seat=who))
    rule = "princess" if stage == "drops" else rule
    return _end_turn(replace(state, out=(*state.out, who)), ruling, make_ruling("out", rule, seat=who))


def _end_turn(state: State, *rulings: Ruling) -> Transition:
    first, *others = _playing(state)
    if not others:
        return _win(state, (first,), *rulings)
    if not state.pile:
        return Transition(replace(state, stage="show", target=first, guess=""), rulings)
    return _draw(state, first, *rulings)


def _show(state: State, ruling: Ruling) -> Transition:
    seats, values = _playing(state), [[VALUE[card] for card in cards] for cards in state.laid]
    for seat in seats[seats.index(state.target) + 1 :]:
        return Transition(replace(state, target=seat), (ruling,))
    worth = {seat: (values[seat][-1], sum(values[seat])) for seat in seats}
    return _win(state, tuple(seat for seat in seats if worth[seat] == max(worth.values())), ruling)


def _win(state: State, best: tuple[int, ...], *rulings: Ruling) -> Transition:
    key = "best" if state.stage == "show" else "last"
    rulings = (*rulings, make_ruling(key, "best", seats=best))
    if len(best) == 1 or state.house.tied == "all":
        tokens = tuple(had + (seat in best) for seat, had in enumerate(state.tokens))
        state, rulings = replace(state, tokens=tokens), (*rulings, make_ruling("token", "token", seats=best))
    if over := outcome(state):
        return Transition(state, (*rulings, make_ruling("won", "token", seats=over.winners)))
    return _deal(replace(state, turn=best[0]), *rulings)


def outcome(state: State) -> Outcome | None:
    best = max(state.tokens)
    winners = tuple(seat for seat, count in enumerate(state.tokens) if count == best)
    return Outcome("tokens", winners) if best >= {2: 7, 3: 5, 4: 4}[len(state.tokens)] else None

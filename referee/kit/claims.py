"""Claims that others may challenge: a window for objections, their priority, and the proof.

A game stores a `ClaimWindow` in its state, extended by fields of its own, such as the claim itself:

1. A claim is made. The window has a `Choice` for the seats that may object, each with `PASS` as an option and
   the same window number; the game's `asks` returns them. Without a clock, `asking_for_objections` lets the
   claimant ask for objections; `with_clock` then sets a deadline for the others.
2. A seat answers: `heard` returns the window without that seat. `objection` returns the objection that counts,
   once no other seat can take priority. The game resolves it: a challenge by proof, a block by another window.
3. All pass: `objection` is None, and no ask is left. The claim takes effect.
4. Simultaneous answers: `in_order` puts a challenge before other objections, one seat first, the others
   clockwise. It records the seats that gave way, and `gave_way` returns them for a ruling.
5. `proof_asks` resolves a challenge by the card or by a concession, which is also the clock's answer. The proof
   may then be swapped or kept; `proof_moves` returns the card moves.

>>> doubt = Choice("doubt", (1, 2), (CHALLENGE, PASS), window=1)
>>> window = heard(ClaimWindow((doubt,), asking_for_objections(doubt, claimant=0)), 1, PASS)
>>> [(ask.key, ask.seats) for ask in (*window.asks, *window.beside)], objection(window)
([('doubt', (2,)), ('objections', (0,))], None)
>>> objection(heard(window, 2, CHALLENGE)).seat
2

"""

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import PILE, PROOF, Answer, Ask, Choice, Deadline, Move, Option, Show, hand_of

PASS = Option("pass")
CHALLENGE = Option("challenge")
OBJECTIONS = Option("objections")
CONCEDE = Option("concede")
SWAP = Option("swap")
KEEP = Option("keep")


class Objection(Struct, frozen=True, gc=False):
    """A challenge or another objection, and the seat that raised it."""

    seat: int
    option: Option


class ClaimWindow(Struct, frozen=True, gc=False):
    """Open asks to seats that haven't answered, the claimant's own ask, and the objections so far."""

    asks: tuple[Choice, ...]
    beside: tuple[Choice, ...] = ()
    said: tuple[Objection, ...] = ()


AnyWindow = TypeVar("AnyWindow", bound=ClaimWindow)


def asking_for_objections(ask: Choice, claimant: int) -> tuple[Choice, ...]:
    """Return the claimant's option to ask for objections; empty if a clock runs."""
    return () if ask.deadline else (Choice("objections", (claimant,), (OBJECTIONS,), ask.window),)


def with_clock(window: AnyWindow, clock: Deadline) -> AnyWindow:
    asks = tuple([replace(ask, deadline=clock) for ask in window.asks])
    return replace(window, asks=asks, beside=())


def waiting(window: ClaimWindow) -> tuple[int, ...]:
    return tuple([seat for ask in window.asks for seat in ask.seats])


def heard(window: AnyWindow, seat: int, option: Option) -> AnyWindow:
    asks: list[Choice] = []
    for ask in window.asks:
        if seat not in ask.seats:
            asks.append(ask)
        elif len(ask.seats) > 1:
            place = ask.seats.index(seat)
            seats = ask.seats[:place] + ask.seats[place + 1 :]
            asks.append(Choice(ask.key, seats, ask.options, ask.window, ask.deadline))
    if option == PASS:
        return replace(window, asks=tuple(asks))
    return replace(window, asks=tuple(asks), said=(*window.said, Objection(seat, option)))


def objection(window: ClaimWindow, order: tuple[int, ...] = ()) -> Objection | None:
    """Return the objection that counts, once no other can take priority; challenges beat all others.

    Without `order`, the earliest counts; with it, the seat that comes first in it.
    """
    challenges = [said for said in window.said if said.option == CHALLENGE]
    if not challenges and window.asks and CHALLENGE in window.asks[0].options:
        return None
    rivals = challenges or window.said
    if not order or not rivals:
        return rivals[0] if rivals else None
    first = min(rivals, key=lambda said: order.index(said.seat))
    before = order[: order.index(first.seat)]
    return None if any(seat in before for seat in waiting(window)) else first


RANKS = {"challenge": 0, "pass": 2, "objections": 3}
"""Priority of simultaneous answers; any other objection comes between a challenge and a pass."""


def in_order(
    answers: tuple[Answer, ...], order: tuple[int, ...], first: int | None = None
) -> tuple[Answer, ...]:
    """Sort simultaneous answers by priority; equal ones by `first`, then by `order`."""

    def rank(answer: Answer) -> tuple[int, bool, int]:
        place = order.index(answer.seat) if answer.seat in order else len(order)
        return RANKS.get(_word(answer), 1), answer.seat != first, place

    best, *others = sorted(answers, key=rank)
    rivals = tuple(other.seat for other in others if other.seat is not None and _word(other) == _word(best))
    return (replace(best, tied=rivals) if rivals and best.value != PASS else best, *others)


def _word(answer: Answer) -> str:
    return answer.value.word if isinstance(answer.value, Option) else ""


def gave_way(window: ClaimWindow, answer: Answer) -> tuple[int, ...]:
    """Return the seats that gave the same answer at the same instant and were entitled to it."""
    open_to = waiting(window)
    return tuple(seat for seat in answer.tied if seat in open_to and seat != answer.seat)


def proof_asks(show: Show, seconds: float | None) -> tuple[Ask, ...]:
    """Ask for the card that proves a claim; with `seconds`, also offer to concede, as the clock does."""
    if seconds is None:
        return (show,)
    return (Choice("concede", show.seats, (CONCEDE,), deadline=Deadline(seconds, CONCEDE)), show)


def proof_moves(key: str, seat: int, cards: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the card moves of a proof: shown, then swapped for another card or kept."""
    hand = hand_of(seat)
    match key:
        case "proved":
            return (Move(hand, PROOF, len(cards), faces=cards),)
        case "swaps":
            return (Move(PROOF, PILE, len(cards), shuffled=True, faces=cards), Move(PILE, hand, len(cards)))
        case "keeps":
            return (Move(PROOF, hand, len(cards), shuffled=True, faces=cards),)
        case _:
            return ()

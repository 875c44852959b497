"""Claims that others may doubt: a window in which they speak, who of them comes first, and the proof.

A game keeps a `ClaimWindow` in its state, with fields of its own added, such as what is claimed:

1. The claim is made. The window has a `Choice` for those who may speak, each with `PASS` among its options, all
   of one window number; the game's `asks` gives them to the table. Where no clock runs, `asking_for_objections`
   lets the claimant ask for them; then `with_clock` gives all others so many seconds.
2. A seat speaks: `heard` is the window without it, and `objection` is what counts of all that was said, as soon
   as no other seat can come before it. The game settles it: a challenge by a proof, a block by another window.
3. All have let it pass: there is no `objection`, and no ask is left. What was claimed takes effect.
4. Said at the same instant: `in_order` puts a challenge before any other objection, one seat first, the others
   clockwise; it notes who gave way, and `gave_way` names them for a ruling.
5. A challenge is settled by `proof_asks`: the card, or giving in, which is also what the clock says. The card
   that proved it may then be swapped or kept; `proof_moves` are what hands do with it.

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
    """A challenge, or another objection, and the seat that called it."""

    seat: int
    option: Option


class ClaimWindow(Struct, frozen=True, gc=False):
    """What those are asked who haven't spoken yet, what the claimant is, and what the others have called."""

    asks: tuple[Choice, ...]
    beside: tuple[Choice, ...] = ()
    said: tuple[Objection, ...] = ()


AnyWindow = TypeVar("AnyWindow", bound=ClaimWindow)


def asking_for_objections(ask: Choice, claimant: int) -> tuple[Choice, ...]:
    """Let the claimant ask for objections, where no clock runs."""
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
    """Find the objection that counts, once no other can come before it: challenges come before all others.

    The first that was called counts, or, where there is an order of seats, the one whose seat is first in it.
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
"""What comes first of what is said at the same instant; any other objection comes after a challenge."""


def in_order(
    answers: tuple[Answer, ...], order: tuple[int, ...], first: int | None = None
) -> tuple[Answer, ...]:
    """Order what is said at the same instant; of the same words, one seat's come first, then in an order."""

    def rank(answer: Answer) -> tuple[int, bool, int]:
        place = order.index(answer.seat) if answer.seat in order else len(order)
        return RANKS.get(_word(answer), 1), answer.seat != first, place

    best, *others = sorted(answers, key=rank)
    rivals = tuple(other.seat for other in others if other.seat is not None and _word(other) == _word(best))
    return (replace(best, tied=rivals) if rivals and best.value != PASS else best, *others)


def _word(answer: Answer) -> str:
    return answer.value.word if isinstance(answer.value, Option) else ""


def gave_way(window: ClaimWindow, answer: Answer) -> tuple[int, ...]:
    """Name the seats that said the same at the same instant, and could have spoken."""
    open_to = waiting(window)
    return tuple(seat for seat in answer.tied if seat in open_to and seat != answer.seat)


def proof_asks(show: Show, seconds: float | None) -> tuple[Ask, ...]:
    """Ask for the card that proves a claim; where one may give in, that is what the clock says, too."""
    if seconds is None:
        return (show,)
    return (Choice("concede", show.seats, (CONCEDE,), deadline=Deadline(seconds, CONCEDE)), show)


def proof_moves(key: str, seat: int, cards: tuple[str, ...]) -> tuple[Move, ...]:
    """Say what hands do with a card that proves a claim: it is shown, then swapped for another or kept."""
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

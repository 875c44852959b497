"""Claims that others may doubt: a window in which they speak, who of them comes first, and the proof.

A game keeps a `ClaimWindow` in its state, with fields of its own added, such as what is claimed:

1. The claim is made: `open_asks` says who may speak, with which options. They stand in the window; the game's
   `asks` gives them to the table. Each seat that may speak has `PASS` among its options. Where no clock runs,
   the claimant may ask for `objections`; then `with_clock` gives all others so many seconds.
2. A seat speaks: `heard` is the window without it, and `objection` is what counts of all that was said, as soon
   as no other seat can come before it. The game settles it: a challenge by a proof, a block by another window.
3. All have let it pass: there is no `objection`, and `waiting` is empty. What was claimed takes effect.
4. Said at the same instant: `in_order` puts a challenge before any other objection, one seat first, the others
   clockwise; it notes who gave way, and `gave_way` names them for a ruling.
5. A challenge is settled by `proof_asks`: the card, or giving in, which is also what the clock says. The card
   that proved it may then be swapped or kept; `proof_moves` are what hands do with it.

>>> from referee.contract import Option
>>> asks = open_asks(1, (("doubt", (1, 2), (CHALLENGE, PASS)),), claimant=0)
>>> [(ask.key, ask.seats) for ask in asks]
[('doubt', (1, 2)), ('objections', (0,))]
>>> window = heard(ClaimWindow(asks), 1, PASS)
>>> waiting(window), objection(window, order=(0, 1, 2))
((2,), None)
>>> objection(heard(window, 2, CHALLENGE), order=(0, 1, 2))
Objection(seat=2, option=Option(word='challenge', seat=None, face=None, cell=None))

"""

from collections.abc import Iterable
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

Group = tuple[str, tuple[int, ...], tuple[Option, ...]]
"""The key of an ask, the seats that may choose, and the options; no seats, no ask."""


class Objection(Struct, frozen=True, gc=False):
    """A challenge, or another objection, and the seat that called it."""

    seat: int
    option: Option


class ClaimWindow(Struct, frozen=True, gc=False):
    """What those are asked who haven't spoken yet, and what the others have called."""

    asks: tuple[Choice, ...]
    said: tuple[Objection, ...] = ()


Window = TypeVar("Window", bound=ClaimWindow)


def open_asks(
    number: int, groups: Iterable[Group], claimant: int, clock: Deadline | None = None
) -> tuple[Choice, ...]:
    """Ask all who may speak; without a clock the claimant may ask for objections."""
    asks = [Choice(key, seats, options, number, clock) for key, seats, options in groups if seats]
    if clock is None:
        asks.append(Choice("objections", (claimant,), (OBJECTIONS,), number))
    return tuple(asks)


def with_clock(window: Window, clock: Deadline) -> Window:
    """Let the clock run for all who haven't spoken."""
    return replace(window, asks=tuple(replace(ask, deadline=clock) for ask in window.asks if _speaks(ask)))


def waiting(window: ClaimWindow) -> tuple[int, ...]:
    """List the seats that haven't spoken, as they are asked."""
    return tuple([seat for ask in window.asks if _speaks(ask) for seat in ask.seats])


def _speaks(ask: Choice) -> bool:
    """Tell what those are asked who may object from what the claimant is."""
    return ask.key != "objections"


def heard(window: Window, seat: int, option: Option) -> Window:
    """Hear a seat: it isn't asked any more."""
    asks: list[Choice] = []
    for ask in window.asks:
        if seat not in ask.seats:
            asks.append(ask)
        elif len(ask.seats) > 1:
            seats = tuple([other for other in ask.seats if other != seat])
            asks.append(Choice(ask.key, seats, ask.options, ask.window, ask.deadline))
    if option == PASS:
        return replace(window, asks=tuple(asks))
    return replace(window, asks=tuple(asks), said=(*window.said, Objection(seat, option)))


def objection(window: ClaimWindow, order: tuple[int, ...], *, is_in_turn: bool = False) -> Objection | None:
    """Find the objection that counts, once no other can come before it: challenges come before all others.

    The first that was called counts, or, in turn, the one whose seat comes first in an order.
    """
    if not window.said:
        return None
    challenges = tuple([said for said in window.said if said.option == CHALLENGE])
    if not challenges and any(CHALLENGE in ask.options for ask in window.asks):
        return None
    rivals = challenges or window.said
    if not is_in_turn:
        return rivals[0]
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
    open_to = waiting(window) if answer.tied else ()
    return tuple([seat for seat in answer.tied if seat in open_to and seat != answer.seat])


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

"""What Coyote asks, in whole questions: which number stands, whose it is, and who may do what about it."""

from collections.abc import Iterator, Mapping

from referee.contract import Ask, Choice, Datum, Question, make_question
from referee.games.coyote.board import situation
from referee.games.coyote.state import Duel
from referee.games.coyote.view import Guess, View

CLOSED: Mapping[str, str] = {"reveal": "reveal-closed", "aside": "aside-closed"}
"""How cards are asked for after a round without a call."""
BEFORE_BIDS: Mapping[str, str] = {"extra": "extra-first", "leave": "leave-first"}
"""How something is asked before the first number."""


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask the one in turn first, then those who may come before; or for the cards that are to be seen."""
    by_key = {ask.key: ask for ask in asks}
    if "announce" not in by_key:
        return tuple(_cards(view, ask) for ask in asks)
    return tuple(_bidding(view, by_key))


def _bidding(view: View, asks: Mapping[str, Ask]) -> Iterator[Question]:
    stakes, instead = _stakes(view), asks.get("turn")
    key = _number_key(view, _words_of(instead))
    yield make_question(key, stakes, asks["announce"], *([instead] if instead else []))
    if "after" in asks:
        is_double = _words_of(asks["after"]) == {"double"}
        yield make_question("after-double" if is_double else "after", stakes, asks["after"])
    if "contest" in asks:
        yield make_question("contest", stakes, asks["contest"])


def _number_key(view: View, instead: frozenset[str]) -> str:
    """Name how a number is asked for: the first or a later one, and what may be done instead of saying it."""
    if view.refuser is not None:
        return "announce-again"
    if not view.bids:
        return "open-or-special" if instead else "open"
    if "coyote" in instead:
        return "announce-or-call-or-special" if len(instead) > 1 else "announce-or-call"
    if instead:
        return "announce-or-special"
    return "announce-own" if view.bids[-1].seat == view.turn else "announce"


def _words_of(ask: Ask | None) -> frozenset[str]:
    return frozenset(option.word for option in ask.options) if isinstance(ask, Choice) else frozenset()


def _cards(view: View, ask: Ask) -> Question:
    """Ask for cards that are to be seen: after a call, what it is about is told first."""
    is_called = isinstance(view.now, Duel)
    about = situation(view) if is_called and ask.key == "reveal" else None
    key = ask.key if is_called else _other_cards_key(view, ask)
    return make_question(key, _stakes(view), ask, about=about)


def _other_cards_key(view: View, ask: Ask) -> str:
    keys = CLOSED if view.bids else {**CLOSED, **BEFORE_BIDS}
    return keys.get(ask.key, ask.key)


def _stakes(view: View) -> dict[str, Datum]:
    """Name the number at stake and whose it is, and what else a question tells of."""
    stakes: dict[str, Datum] = {"round": view.round, "next": view.turn}
    if view.bids:
        last = view.bids[-1]
        stakes |= {"bidder": last.seat, "number": last.number}
    if view.refuser is not None:
        stakes |= {"refuser": view.refuser, "refused": view.refused}
    match view.now:
        case Duel(contester=contester, bidder=bidder, number=number):
            stakes |= {"contester": contester, "bidder": bidder, "number": number}
        case Guess(face=face):
            stakes |= {"face": face}
        case _:
            pass
    return stakes

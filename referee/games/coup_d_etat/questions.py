"""What Coup d'État asks, in whole questions: which card, in which trick of which contract, and who pays."""

from collections.abc import Iterator, Mapping

from referee.contract import Ask, Datum, Question, make_question
from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.loans import AHEAD
from referee.games.coup_d_etat.view import View

COUPS: Mapping[Contract, str] = {
    "barbu": "coup-barbu",
    "victory": "coup-victory",
    "siege": "coup-siege",
    "prison": "coup-prison",
    "guillotine": "coup-guillotine",
    "dominos": "coup-dominos",
}
"""The names of the contracts in which a coup is attempted."""
LAYING: Mapping[frozenset[str], str] = {
    frozenset({"domino"}): "domino-first",
    frozenset({"pass", "domino"}): "domino-or-pass",
    frozenset({"chain", "domino"}): "domino-or-enough",
}
"""How a card of Dominos is asked for, by what may be done instead."""


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask for the card first, then what else the table may say."""
    if view.phase == "dominos":
        return tuple(_dominos(view, asks))
    return tuple(make_question(_question_key(view, ask), _stakes(view), ask) for ask in _card_first(asks))


def _card_first(asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    return tuple(sorted(asks, key=lambda ask: ask.key != "card"))


def _dominos(view: View, asks: tuple[Ask, ...]) -> Iterator[Question]:
    laying = tuple(ask for ask in asks if ask.key != "stop")
    yield make_question(LAYING[frozenset(ask.key for ask in laying)], _stakes(view), *laying)
    for ask in asks:
        if ask.key == "stop":
            yield make_question("stop", _stakes(view), ask)


def _question_key(view: View, ask: Ask) -> str:
    match ask.key:
        case "draw" if view.equals:
            return "draw-again"
        case "card" if not view.cards:
            return "card-lead"
        case "card" if view.suit:
            return "card-follow"
        case "lend" if view.debt is not None and view.debt.payee is None:
            return "lend-bank"
        case key:
            return key


def _stakes(view: View) -> dict[str, Datum]:
    """Name the contract that is at stake, where the deal stands, and what is owed."""
    debt = view.debt
    owed: dict[str, Datum] = (
        {}
        if debt is None
        else {"payer": debt.payer, "payee": debt.payee, "amount": debt.amount, "short": debt.short}
    )
    return {
        "contract": _contract_name(view),
        "borrower": view.borrower,
        "loan": AHEAD,
        "president": view.president,
        "tour": view.tour,
        "deal": view.deal,
        "trick": view.trick,
        "leader": view.leader,
        "suit": view.suit,
        "left": view.left[view.turn] if view.left and view.turn is not None else 0,
        **owed,
    }


def _contract_name(view: View) -> str:
    if view.contract is None:
        return ""
    return view.contract if view.claimant is None else COUPS[view.contract]

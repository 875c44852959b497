"""What Plenty Coups asks, in whole questions: who does what to whom, and with which card."""

from referee.contract import Ask, Datum, Question, make_question
from referee.games.plenty_coups.board import raid_in_turn
from referee.games.plenty_coups.view import View

ANSWERING = frozenset({"gift-back", "worth", "proof"})
"""Asks to whom something is done, not to whose turn it is."""


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask what is done in the turn; then, where a camera looks twice, whether the turn is over."""
    if any(ask.key == "proof" for ask in asks):
        return (make_question("worth-or-proof", _stakes(view, asks[0]), *asks),)
    late = sorted(asks, key=lambda ask: ask.key == "whole-turn")
    return tuple(make_question(_question_key(view, ask), _stakes(view, ask), ask) for ask in late)


def _question_key(view: View, ask: Ask) -> str:
    match ask.key:
        case "action" if view.may_score:
            return "action-repelled"
        case "action" if raid_in_turn(view) is not None:
            return "action-raided"
        case key:
            return key


def _stakes(view: View, ask: Ask) -> dict[str, Datum]:
    """Name whose turn it is and whom it is done to, what is left, and a raid on the camp."""
    raid = raid_in_turn(view)
    return {
        "seat": view.turn,
        "clan": view.target if ask.key in ANSWERING else view.turn,
        "target": view.target,
        "left": view.left,
        **({"count": view.count} if ask.key == "take" else {}),
        "raider": None if raid is None else raid.seat,
        "value": None if raid is None else raid.value,
    }

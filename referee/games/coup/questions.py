"""What Coup asks, in whole questions: who claims what against whom, and who may doubt or block it."""

from collections.abc import Mapping

from referee.contract import Ask, Question, Situation, make_question
from referee.games.coup.board import situation
from referee.games.coup.view import View

LOSSES: Mapping[str, str] = {"wrong": "lose-doubt", "caught": "lose-claim"}
"""How it is asked which card is lost, by the phase; otherwise an action has struck."""


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask the doubters first, then the target who may block, and whether the clock shall run."""
    about = situation(view)
    if any(ask.key == "prove" for ask in asks):
        return (_proof(about, asks),)
    return tuple(_question(view, about, ask) for ask in asks)


def _proof(about: Situation | None, asks: tuple[Ask, ...]) -> Question:
    """Ask in one for the card, and whether it isn't shown."""
    key = "prove" if len(asks) == 1 else "prove-or-concede"
    return make_question(key, {} if about is None else about.values, *asks)


def _question(view: View, about: Situation | None, ask: Ask) -> Question:
    stakes = {} if about is None else about.values
    if ask.key in {"challenge", "objections"}:
        return make_question(ask.key, stakes, ask, about=about)
    return make_question(_question_key(view, ask), stakes, ask)


def _question_key(view: View, ask: Ask) -> str:
    word = "" if view.deed is None else view.deed.word
    match ask.key:
        case "challenge-or-block":
            return f"challenge-or-block-{word}"
        case "block":
            return f"block-{word}"
        case "lose":
            return LOSSES.get(view.phase, f"lose-{word}")
        case key:
            return key

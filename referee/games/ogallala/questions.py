"""What Ogallala asks, in whole questions: whose card or canoe it is about, and where it goes."""

from referee.contract import Ask, Choice, Datum, Question, make_question
from referee.games.ogallala.board import situation
from referee.games.ogallala.view import View


def questions(view: View, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask for a card first, where one may be drawn, then what may be done instead."""
    drawn_first = sorted(asks, key=lambda ask: ask.key != "draw")
    return tuple(make_question(_question_key(view, ask), _stakes(view), ask) for ask in drawn_first)


def _question_key(view: View, ask: Ask) -> str:
    match ask:
        case Choice(key="turn", options=options) if len({option.word for option in options}) == 1:
            return f"turn-{options[0].word}"
        case Choice(key="place"):
            return _place_key(view)
        case _:
            return "draw-next" if ask.key == "draw" and view.drawn else ask.key


def _place_key(view: View) -> str:
    if view.stage == "booty":
        return "place-booty"
    return "place-last" if view.stage == "drawn" and view.is_last else "place"


def _stakes(view: View) -> dict[str, Datum]:
    """Name the card or the canoe that it is about, as the situation does."""
    about = situation(view)
    values = {} if about is None else dict(about.values)
    return {
        **values,
        "card": view.card or view.open_card,
        "drawn": view.drawn,
        "left": len(view.booty),
    }

"""What Ogallala's options would bring."""

from referee.contract import Effect, Mood, Option, make_effect
from referee.games.ogallala.option_words import EFFECTS
from referee.games.ogallala.state import State

OPTION_MOODS = {"attack": Mood.CLAIM}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what ends a turn or the match, and what goes on."""
    if option.word == "refill":
        return make_effect("refill", count=len(state.discard))
    if option.word not in EFFECTS:
        return None
    return make_effect(option.word, (option.face or "") if option.word == "take" else "")

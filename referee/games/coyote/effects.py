"""What Coyote's options would bring."""

from referee.contract import Effect, Mood, Option, make_effect
from referee.games.coyote.option_words import EFFECTS
from referee.games.coyote.state import Bidding, Leaving, State

OPTION_MOODS = {"coyote": Mood.CALL, "double": Mood.CLAIM, "guess": Mood.CLAIM}

TOLD = frozenset(EFFECTS) - {"extra-own", "guess-open"}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what a call or a special rule would bring."""
    if option.word not in TOLD:
        return None
    if isinstance(state.stage, Leaving):
        return make_effect(option.word)
    if not isinstance(state.stage, Bidding):
        return None
    bids = state.stage.bids
    key = _own_key(state, option.word)
    if not bids:
        return make_effect(key)
    return make_effect(key, bidder=bids[-1].seat, number=bids[-1].number)


def _own_key(state: State, word: str) -> str:
    """Name what a word brings in this house, where that differs."""
    if word == "extra" and state.house.edition == "oliphante":
        return "extra-own"
    return "guess-open" if word == "guess" and state.house.o_guess_stays else word

"""What Coyote's options would bring."""

from referee.contract import Effect, Mood, Option, make_effect
from referee.games.coyote.option_words import EFFECTS
from referee.games.coyote.state import Bidding, State

OPTION_MOODS = {"coyote": Mood.CALL, "double": Mood.CLAIM, "guess": Mood.CLAIM}

TOLD = frozenset(EFFECTS) - {"extra-own"}


def effect(state: State, _seat: int | None, option: Option) -> Effect | None:
    """Say what a call or a special rule would bring."""
    if option.word not in TOLD or not isinstance(state.stage, Bidding):
        return None
    bids = state.stage.bids
    key = "extra-own" if option.word == "extra" and state.house.edition == "oliphante" else option.word
    if not bids:
        return make_effect(key)
    return make_effect(key, bidder=bids[-1].seat, number=bids[-1].number)

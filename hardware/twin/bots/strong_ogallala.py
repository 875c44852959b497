"""A strong bot at Ogallala: it lays cards where they bring points, and builds sets, which bring most."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.bots.ogallala import choose_action as choose_plainly
from hardware.twin.bots.ogallala import options_in, worth_of
from hardware.twin.tabletop import Places
from referee.contract import Option
from referee.games.ogallala.deck import House
from referee.games.ogallala.final_count import steps_of
from referee.games.ogallala.placing import with_card_placed
from referee.games.ogallala.state import Placing, State, own_territory
from referee.games.ogallala.territory import Territory, canoes_in, is_complete
from referee.match import Match

PROMISED = 1.5
"""What a point is worth that sets bring once their canoe is complete."""
SETS = frozenset({"count-set", "count-pair"})


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Weigh where a card may lie; all else is done as the plain bot does it."""
    ask = asks_by_key(match, seat).get("place")
    if ask is None:
        return choose_plainly(match, seat, places, rng)
    worth = {option: _worth(match.state, option) for option in options_in(ask)}
    best = max(worth.values())
    return say_action(match, "place", rng.choice([option for option in worth if worth[option] == best]), seat)


def _worth(state: State, option: Option) -> float:
    """Rate a place by what the territory may become; a card that isn't laid ends the turn."""
    own, stage = own_territory(state), state.stage
    if option.cell is None or not isinstance(stage, Placing):
        return 0.0
    after = with_card_placed(own, option, stage.card)
    return 1.0 + worth_of(state.house, after) + PROMISED * promised(state.house, after)


def promised(house: House, territory: Territory) -> float:
    """Count the points of sets that lie together in canoes that aren't complete."""
    return sum(
        step.points
        for canoe in canoes_in(territory)
        if not is_complete(canoe)
        for step in steps_of(house, canoe)
        if step.key in SETS
    )

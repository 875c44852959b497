"""A bot at Ogallala: extends its canoes, attacks for booty, and ends the match when it leads."""

import math
from collections.abc import Callable, Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.tabletop import Places
from referee.contract import Answer, Ask, Option
from referee.games.ogallala.deck import BOOTY, BOWS, STERNS, STRENGTH, House
from referee.games.ogallala.final_count import AS_RECORDED, points_of
from referee.games.ogallala.placing import placings, with_card_placed
from referee.games.ogallala.rules import END, FROM_PILE, GO_ON, REFILL, SPARE, STOP
from referee.games.ogallala.state import Placing, State
from referee.games.ogallala.territory import Canoe, Territory
from referee.match import Match

TOGETHER = 1.3
"""Exponent of a canoe's length in its value: one long canoe is worth more than two short ones."""
END_WORTH = 2.0  # value of a bow or a stern to an incomplete canoe
WHOLE_WORTH = 8.0
"""Value of completing a canoe besides its points: it can attack, and three end the match."""
BOOTY_WORTH = 2.5  # value of a piece of booty in a canoe


def choose_action(match: Match, seat: int, _places: Places, rng: Random) -> BotAction | None:
    state, asks = match.state, asks_by_key(match, seat)
    if "count" in asks:
        # the cards are in the middle already; after a misreading, trust the record
        return say_action(match, "record", AS_RECORDED, seat) if _was_misread(match) else BotAction()
    if "aside" in asks:
        return say_action(match, "aside", options_in(asks["aside"])[0], seat)
    if "draw" in asks:
        # a card from the pile is laid on behalf of the seat
        return None
    key = next(iter(asks))
    rate = WORTHS.get(key, _simple_worth)
    worth = {option: float(rate(state, seat, option)) for option in options_in(asks[key])}
    best = max(worth.values())
    # random among equals
    return say_action(match, key, rng.choice([option for option in worth if worth[option] == best]), seat)


def _simple_worth(_state: State, _seat: int, option: Option) -> float:
    return SIMPLE.get(option, 0.0)


def _worth_of_place(state: State, _seat: int, option: Option) -> float:
    """Rate laying a card above giving it away."""
    if option.cell is None or not isinstance(state.stage, Placing):
        return 0.0
    return 1.0 + worth_of(state.house, with_card_placed(state.own, option, state.stage.card))


def _best_place(state: State, _seat: int, option: Option) -> float:
    """Rate a card by its best position; 0 if there is none."""
    house, territory, card = state.house, state.own, option.face or ""
    places = placings(house, territory, card)
    return max((worth_of(house, with_card_placed(territory, place, card)) for place in places), default=0.0)


def worth_of(house: House, territory: Territory) -> float:
    """Rate a territory by its points and potential."""
    return sum(_canoe_worth(house, canoe) for canoe in territory.canoes)


def _canoe_worth(house: House, canoe: Canoe) -> float:
    cards = canoe.cards_aboard
    if canoe.is_complete:
        return points_of(house, canoe) + len(cards) + WHOLE_WORTH
    ends = sum(card in BOWS or card in STERNS for card in cards)
    booty, gaps = sum(card in BOOTY for card in cards), len(canoe.cards) - len(cards)
    return math.pow(len(cards), TOGETHER) + END_WORTH * ends + BOOTY_WORTH * booty - gaps


def _canoe(state: State, seat: int, option: Option) -> Canoe:
    if option.cell is None:
        raise ValueError(f"{option.word} has no cell")
    return state.territories[seat if option.seat is None else option.seat].canoe_at(option.cell)


def _loss(state: State, seat: int, option: Option) -> float:
    """Rate sinking a canoe: the least valuable one is best."""
    return -_canoe_worth(state.house, _canoe(state, seat, option))


def _loot(state: State, _seat: int, option: Option) -> float:
    """Rate an attack by its booty first, then by its damage."""
    if option == SPARE:
        return -1.0
    canoe = _canoe(state, 0, option)
    points = points_of(state.house, canoe) if canoe.is_complete else 0
    return 20 * sum(card in BOOTY for card in canoe.cards_aboard) + points + canoe.strength


def _ending(state: State, seat: int, option: Option) -> float:
    worths = [
        sum(points_of(state.house, canoe) for canoe in territory.canoes if canoe.is_complete)
        for territory in state.territories
    ]
    return 1.0 if option == (END if worths[seat] == max(worths) else GO_ON) else 0.0


def options_in(ask: Ask) -> tuple[Option, ...]:
    """Return the options of an ask, grouped by word."""
    return tuple(option for same in options_of(ask).values() for option in same)


def _was_misread(match: Match) -> bool:
    entry = match.entry
    is_count = isinstance(entry, Answer) and entry.ask == "count"
    return is_count and any(ruling.key in {"missing", "extra"} for ruling in match.rulings)


SIMPLE = {FROM_PILE: 2.0, REFILL: 2.0, STOP: 1.0}
"""Fixed values of options; a card in the middle comes from a pile."""
WORTHS: Mapping[str, Callable[[State, int, Option], float]] = {
    "place": _worth_of_place,
    "lasso": _best_place,
    "booty": _best_place,
    "archer": lambda _state, _seat, option: STRENGTH[option.face or ""],
    "saboteur": _loss,
    "attack": _loot,
    "end": _ending,
}

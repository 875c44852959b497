"""Bots at Ogallala: the plain one extends its canoes, attacks for booty, and ends the match when it leads.

The strong one weighs a canoe's points by the chance that its bow and stern are still to come, and takes open
cards that it can use.
"""

import math
from collections.abc import Callable, Mapping
from random import Random

from msgspec import Struct

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.tabletop import Places
from referee.contract import Answer, Ask, Option
from referee.games.ogallala.coaching import Odds, odds_of
from referee.games.ogallala.deck import BOOTY, BOWS, PICTURE, STERNS, STRENGTH, House
from referee.games.ogallala.final_count import AS_RECORDED, PRIZE, points_of, score
from referee.games.ogallala.placing import placings, with_card_placed
from referee.games.ogallala.rules import END, FROM_PILE, GO_ON, REFILL, SPARE, STOP, ends_turn
from referee.games.ogallala.state import ENOUGH, Placing, State
from referee.games.ogallala.territory import Canoe, Territory, completed_by
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


# the strong bot

FILLED = 0.85  # probability that a gap is filled in time
RISK = 0.25
"""Probability that a canoe is attacked successfully while another player has a stronger one."""
PLUNDER = 0.6  # share of an attack's booty that finds a place
HARM = 0.3  # value of a point that an opponent loses; the leader's count double
LATER = 0.5  # share of an attack's value that is left once the canoe is completed
PAUSE = 4.0
"""Points that a player draws in the rest of a turn, which a completed canoe or a discarded card ends."""
CLOSER = (6.0, 10.0, 14.0)  # value of a player's first canoes, as the third allows ending the match
CLOSING = 40.0  # value of a canoe that may become the third and give the lead
VICTORY = 500.0  # value of a third canoe with which a player leads
EFFECTS: Mapping[str, float] = {"lasso": 8.0, "archer": 3.0}
"""Value of the effects of special cards."""


class Prospects(Struct, frozen=True):
    """A player's prospects, by the open cards."""

    house: House
    odds: Odds
    lead: int
    """Most points of another player's complete canoes."""
    strongest: int
    """Strength of the strongest canoe of another player."""
    loot: tuple[tuple[int, float], ...]
    """Strength of each canoe that may be attacked, and the value of attacking it."""


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Take a useful open card; choose places and targets by the resulting promise of the territory."""
    state, asks = match.state, asks_by_key(match, seat)
    taking = options_of(asks.get("turn")).get("take", ())
    key = next((key for key in asks if key in STRONG_WORTHS), None)
    if not taking and key is None:
        return choose_action(match, seat, places, rng)
    prospects = prospects_of(state, seat)
    if key is not None:
        worth = {option: STRONG_WORTHS[key](state, prospects, option) for option in options_in(asks[key])}
        return say_action(match, key, max(worth, key=lambda option: worth[option]), seat)
    if _is_useful(state, prospects, taking[0].face or ""):
        return say_action(match, "turn", taking[0], seat)
    return choose_action(match, seat, places, rng)


def prospects_of(state: State, seat: int) -> Prospects:
    house = state.house
    others = {seat: state.territories[seat] for seat in state.clockwise(seat)}
    lead = max(score(house, territory) for territory in others.values())
    canoes = [canoe for territory in others.values() for canoe in territory.canoes]
    loot = tuple(
        (canoe.strength, _plunder(house, canoe, is_leader=0 < lead == score(house, territory)))
        for territory in others.values()
        for canoe in territory.canoes
        if not canoe.is_protected
    )
    return Prospects(house, odds_of(state), lead, max((canoe.strength for canoe in canoes), default=0), loot)


def _plunder(house: House, canoe: Canoe, *, is_leader: bool) -> float:
    """Return the value of attacking a canoe: its booty, and the points that its owner loses."""
    booty = sum(card in BOOTY for card in canoe.cards_aboard)
    lost = points_of(house, canoe) * (1.0 if canoe.is_complete else 0.5)
    return PRIZE * PLUNDER * booty + HARM * (1 + is_leader) * lost


def promise_of(prospects: Prospects, territory: Territory) -> float:
    """Return the points that a territory promises; its best canoes get the next bows and sterns."""
    house, complete = prospects.house, territory.complete
    points = sum(points_of(house, canoe) for canoe in complete)
    promise = sum(points_of(house, canoe) * _safety(prospects, canoe) for canoe in complete)
    promise += sum(CLOSER[: len(complete)])
    if len(complete) >= ENOUGH and points > prospects.lead:
        promise += VICTORY
    is_closing, bows, sterns = len(complete) == ENOUGH - 1, 0, 0
    for value, canoe in _best_first(prospects, territory):
        lacks_bow, lacks_stern = canoe.cards[0] not in BOWS, canoe.cards[-1] not in STERNS
        bows, sterns = bows + lacks_bow, sterns + lacks_stern
        chance = FILLED ** canoe.cards.count("") * _has_room(territory, canoe)
        chance *= prospects.odds.chance_of_bows(bows) if lacks_bow else 1.0
        chance *= prospects.odds.chance_of_sterns(sterns) if lacks_stern else 1.0
        promise += chance * (value + CLOSING * (is_closing and points + value > prospects.lead))
        is_closing = False
    return promise


def _best_first(prospects: Prospects, territory: Territory) -> list[tuple[float, Canoe]]:
    """Return the incomplete canoes with their points once completed and the attack that this allows."""
    values = [
        (
            points_of(prospects.house, Canoe(canoe.cell, canoe.cards_aboard)) * _safety(prospects, canoe)
            + LATER * _best_loot(prospects, canoe),
            canoe,
        )
        for canoe in territory.incomplete
    ]
    return sorted(values, key=lambda each: each[0], reverse=True)


def _has_room(territory: Territory, canoe: Canoe) -> bool:
    """Return whether the missing ends of a canoe fit into the territory's maximum width."""
    columns, _lines = territory.room
    before, after = canoe.cell[0] - 1, canoe.cell[0] + len(canoe.cards)
    return (canoe.cards[0] in BOWS or before in columns) and (canoe.cards[-1] in STERNS or after in columns)


def _safety(prospects: Prospects, canoe: Canoe) -> float:
    return 1 - RISK * (canoe.strength < prospects.strongest and not canoe.is_protected)


def _best_loot(prospects: Prospects, canoe: Canoe) -> float:
    strength = canoe.strength
    return max((worth for against, worth in prospects.loot if against < strength), default=0.0)


def _promise_with(prospects: Prospects, own: Territory, option: Option, card: str) -> float:
    """Return the promise once a card is placed, with the attack if that completes a canoe."""
    after = with_card_placed(own, option, card)
    completed = completed_by(own, option, after)
    attack = max(_best_loot(prospects, canoe) for canoe in completed) - PAUSE if completed else 0.0
    return promise_of(prospects, after) + attack


def _best_promise(state: State, prospects: Prospects, option: Option) -> float:
    own, card = state.own, option.face or ""
    places = placings(state.house, own, card)
    return max((_promise_with(prospects, own, place, card) for place in places), default=0.0)


def _is_useful(state: State, prospects: Prospects, card: str) -> bool:
    """Return whether an open card improves the territory; by much if it ends the turn."""
    if PICTURE[card] == "saboteur":
        return False
    gain = _best_promise(state, prospects, Option("take", face=card)) - promise_of(prospects, state.own)
    return gain + EFFECTS.get(PICTURE[card], 0.0) > (2 * PAUSE if ends_turn(state, card) else 1.0)


def _strong_place(state: State, prospects: Prospects, option: Option) -> float:
    if option.cell is None or not isinstance(state.stage, Placing):
        return promise_of(prospects, state.own) - PAUSE
    return _promise_with(prospects, state.own, option, state.stage.card)


def _strong_lasso(state: State, prospects: Prospects, option: Option) -> float:
    """Rate a card by its best place and the loss to its owner."""
    return _best_promise(state, prospects, option) + HARM * PRIZE * (option.face in BOOTY)


def _strong_attack(state: State, prospects: Prospects, option: Option) -> float:
    if option == SPARE:
        return 0.0
    points = score(state.house, state.territories[option.seat or 0])
    return _plunder(state.house, _canoe(state, 0, option), is_leader=0 < points == prospects.lead)


STRONG_WORTHS: Mapping[str, Callable[[State, Prospects, Option], float]] = {
    "place": _strong_place,
    "booty": _best_promise,
    "lasso": _strong_lasso,
    "attack": _strong_attack,
}

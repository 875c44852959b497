"""The count of a complete canoe: its length, what it carries, and the sets that lie together; as steps."""

from msgspec import Struct

from referee.games.ogallala.canoes import cards_aboard, complete_in
from referee.games.ogallala.deck import BOOTY, HALVES, SETS
from referee.games.ogallala.house import House
from referee.games.ogallala.territory import Canoe, Row, Territory

SHORT = 7
"""Up to so many cards bring a point each, in a longer canoe two."""
PRIZE, PAIR, WHOLE = 10, 40, 90
"""What a prize brings, two halves side by side, and both with their character beside them."""


class CountStep(Struct, frozen=True, gc=False):
    """A step of the count: what it counts, the cards, and what they bring together."""

    key: str
    cards: Row
    points: int


def steps_of(house: House, canoe: Canoe) -> tuple[CountStep, ...]:
    """Count a complete canoe."""
    cards = cards_aboard(canoe)
    length = (
        CountStep("count-short", cards, len(cards))
        if len(cards) <= SHORT
        else CountStep("count-long", cards, 2 * len(cards))
    )
    sets = [step for step in (_set_step(house, cards, *each) for each in _SETS) if step is not None]
    joined = {card for step in sets for card in step.cards}
    prizes = tuple(card for card in cards if card in BOOTY and card not in joined)
    single = (CountStep("count-prizes", prizes, PRIZE * len(prizes)),) if prizes else ()
    return (length, *sets, *single)


def points_of(house: House, canoe: Canoe) -> int:
    """Say what a complete canoe brings."""
    return sum(step.points for step in steps_of(house, canoe))


def score(house: House, territory: Territory) -> int:
    """Say what a player's complete canoes bring."""
    return sum(points_of(house, canoe) for canoe in complete_in(territory))


_SETS = tuple((*halves, character) for halves, character in zip(HALVES, SETS.values(), strict=True))


def _set_step(house: House, cards: Row, left: str, right: str, character: str) -> CountStep | None:
    """Find a set, or else a pair, side by side: its halves in the right order, unless agreed otherwise."""
    whole = _together(cards, frozenset({left, right, character}))
    pair = _together(cards, frozenset({left, right}))
    is_any = house.combo_order == "any"
    if whole and (is_any or (left, right) in {whole[:2], whole[1:]}):
        return CountStep("count-set", whole, WHOLE)
    if pair and (is_any or pair == (left, right)):
        return CountStep("count-pair", pair, PAIR)
    return None


def _together(cards: Row, wanted: frozenset[str]) -> Row:
    """Find these cards side by side, in any order."""
    runs = (cards[place : place + len(wanted)] for place in range(len(cards)))
    return next((run for run in runs if frozenset(run) == wanted), ())

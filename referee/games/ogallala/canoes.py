"""What a canoe is: which cards of a row belong together, whether nothing is missing, how strong it is."""

from collections.abc import Iterator
from functools import lru_cache

from referee.contract import Option
from referee.games.ogallala.deck import BOWS, CREW, GUARDIAN, PICTURE, STERNS, STRENGTH, Crew
from referee.games.ogallala.territory import Canoe, Cell, Row, Territory, beside, pushed_cell, row_at, trimmed
from referee.kit.answers import cell_aimed_at


def canoes_in(territory: Territory) -> tuple[Canoe, ...]:
    """List the canoes of a territory, complete or not, row by row."""
    left, top = territory.left, territory.top
    return tuple(
        [
            Canoe((left + first, top + line), row[first : last + 1])
            for line, row in enumerate(territory.rows)
            for first, last in groups(row)
        ]
    )


@lru_cache(maxsize=4096)
def groups(row: Row) -> tuple[tuple[int, int], ...]:
    """Part a row into canoes: the places of the first and the last card of each."""
    found: list[tuple[int, int]] = []
    for place, card in enumerate(row):
        if card and found and _belongs(row, found[-1][1], place):
            found[-1] = (found[-1][0], place)
        elif card:
            found.append((place, place))
    return tuple(found)


def _belongs(row: Row, last: int, place: int) -> bool:
    """Tell whether a card belongs to the one before it: a gap may lack one card, but no bow or stern."""
    is_end = row[last] in STERNS, row[place] in BOWS
    if place == last + 1:
        return is_end != (True, True)
    return place == last + 2 and not any(is_end)


def canoe_at(territory: Territory, cell: Cell) -> Canoe:
    """Find the canoe that has a card on a cell."""
    row, place = row_at(territory, cell[1]), cell[0] - territory.left
    first, last = next(group for group in groups(row) if group[0] <= place <= group[1])
    return Canoe((territory.left + first, cell[1]), row[first : last + 1])


def cells_in(canoe: Canoe) -> frozenset[Cell]:
    """List the cells that a canoe's cards lie on."""
    return frozenset(beside(canoe.cell, place) for place, card in enumerate(canoe.cards) if card)


def cells_aboard(canoe: Canoe) -> Iterator[tuple[Cell, str]]:
    """List a canoe's cards, each with its cell."""
    return ((beside(canoe.cell, place), card) for place, card in enumerate(canoe.cards) if card)


def cards_aboard(canoe: Canoe) -> tuple[str, ...]:
    """List a canoe's cards, from bow to stern."""
    return tuple([card for card in canoe.cards if card])


def is_complete(canoe: Canoe) -> bool:
    """Tell whether a canoe has a bow, a stern and no gap."""
    return _is_whole(canoe.cards)


def _is_whole(cards: Row) -> bool:
    return cards[0] in BOWS and cards[-1] in STERNS and "" not in cards


def complete_in(territory: Territory) -> tuple[Canoe, ...]:
    """List the complete canoes."""
    lines = range(territory.top, territory.top + len(territory.rows))
    return tuple([canoe for line in lines for canoe in _complete_on(territory, line)])


def _complete_on(territory: Territory, line: int) -> list[Canoe]:
    """List the complete canoes of one row."""
    first, row = trimmed(row_at(territory, line))
    left = territory.left + first
    return [Canoe((left + place, line), cards) for place, cards in _complete_in_row(row)]


@lru_cache(maxsize=1024)
def _complete_in_row(row: Row) -> tuple[tuple[int, Row], ...]:
    """List the complete canoes of a row: the place of the bow, and the cards."""
    canoes = [(first, row[first : last + 1]) for first, last in groups(row)]
    return tuple([(first, cards) for first, cards in canoes if _is_whole(cards)])


def completed_by(before: Territory, option: Option, after: Territory) -> tuple[Canoe, ...]:
    """List the canoes that a card has completed in its row; one that was complete stays so when pushed."""
    line = cell_aimed_at(option)[1]
    old = {pushed_cell(before, canoe.cell, option) for canoe in _complete_on(before, line)}
    return tuple([canoe for canoe in _complete_on(after, line) if canoe.cell not in old])


def incomplete_in(territory: Territory) -> tuple[Canoe, ...]:
    """List the canoes that aren't complete."""
    return tuple([canoe for canoe in canoes_in(territory) if not is_complete(canoe)])


def strength(canoe: Canoe) -> int:
    """Add up the numbers of a canoe's paddlers."""
    return sum([STRENGTH[card] for card in canoe.cards if card])


def is_protected(canoe: Canoe) -> bool:
    """Tell whether a canoe has the Guardian on board."""
    return GUARDIAN in canoe.cards


def crews_of(cards: Row) -> frozenset[Crew]:
    """Tell of which crews the paddlers among some cards are."""
    return frozenset([CREW[card] for card in cards if card in CREW])


@lru_cache(maxsize=1024)
def pictures_of(cards: Row) -> frozenset[str]:
    """Name the pictures of some cards."""
    return frozenset([PICTURE[card] for card in cards if card])


def has_doubles(cards: Row) -> bool:
    """Tell whether two of some cards have the same picture."""
    return len(pictures_of(cards)) < len(cards) - cards.count("")


def parts_of(canoe: Canoe) -> tuple[Canoe, ...]:
    """Part a canoe at its gaps."""
    parts: list[Canoe] = []
    for place, card in enumerate(canoe.cards):
        if card and parts and canoe.cards[place - 1]:
            parts[-1] = Canoe(parts[-1].cell, (*parts[-1].cards, card))
        elif card:
            parts.append(Canoe(beside(canoe.cell, place), (card,)))
    return tuple(parts)

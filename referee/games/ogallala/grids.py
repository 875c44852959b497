"""The territories as grids: what a page draws, and chooses cells on."""

from collections.abc import Iterator

from referee.contract import CardGroup, Grid, Ruling, Span, make_ruling
from referee.games.ogallala.territory import Territory, frame
from referee.games.ogallala.view import SeenCanoe, SeenTerritory, View


def grids(view: View) -> tuple[Grid, ...]:
    """Give the territories, their canoes, and what lies beside them."""
    return tuple(_grid(seat, territory) for seat, territory in enumerate(view.territories))


def _grid(seat: int, territory: SeenTerritory) -> Grid:
    groups = tuple(_group(seat, canoe) for canoe in territory.canoes)
    first = (territory.left, territory.top)
    seen = frame(Territory(*first, territory.rows))
    return Grid(seat, first, territory.rows, groups, territory.aside, seen)


def _group(seat: int, canoe: SeenCanoe) -> CardGroup:
    return CardGroup(Span(seat, canoe.cell, len(canoe.cards)), canoe.is_complete, tuple(_notes(canoe)))


def _notes(canoe: SeenCanoe) -> Iterator[Ruling]:
    if canoe.is_complete:
        yield make_ruling("is-complete", rule="complete strength", strength=canoe.strength, points=canoe.points)
    else:
        yield make_ruling("is-incomplete", rule="complete gap strength", strength=canoe.strength)
    if canoe.is_protected:
        yield make_ruling("is-protected", rule="guardian")

"""What Ogallala shows of itself: the card or the canoe that it is about, and how near the end is."""

from collections.abc import Iterator

from referee.contract import (
    Board,
    CardRow,
    Count,
    Datum,
    Face,
    Fact,
    Headline,
    Place,
    Situation,
    Weight,
    make_fact,
    make_headline,
    make_situation,
)
from referee.games.ogallala.state import ENOUGH, MOST
from referee.games.ogallala.territory import Cell, Territory, counted_cell
from referee.games.ogallala.view import CountedCanoe, SeenCanoe, SeenTerritory, View

EXCUSED = {
    "SeenTerritory.left": "the grids show where cards lie",
    "SeenTerritory.top": "the grids show where cards lie",
    "SeenTerritory.rows": "the grids show the cards",
    "SeenCanoe.cards": "the grids show the cards",
    "SeenCanoe.points": "the grids show them beside each canoe, the standings their sum",
}


def situation(view: View) -> Situation | None:
    """Say which card or canoe it is about, and whose."""
    if view.stage == "over":
        return None if view.reason is None else make_situation(f"over-{view.reason}", seat=view.ender)
    if view.next_count is not None:
        return _counting(view.next_count)
    if view.turn is None:
        return None
    return make_situation(_situation_key(view), seat=view.turn, **_stakes(view, view.turn))


def _counting(canoe: CountedCanoe) -> Situation:
    return make_situation(
        "counting", seat=canoe.seat, number=canoe.number, canoes=canoe.canoes, cards=_aboard(canoe)
    )


def _aboard(canoe: CountedCanoe) -> tuple[str, ...]:
    return tuple(filter(None, canoe.cards))


def _situation_key(view: View) -> str:
    if view.stage == "drawing" and not view.drawn:
        return "begins"
    return "drawn-last" if view.stage == "drawn" and view.is_last else view.stage


def _stakes(view: View, seat: int) -> dict[str, Datum]:
    """Give what is at stake at a stage."""
    match view.stage:
        case "drawing":
            return {"drawn": view.drawn}
        case "sharing":
            return {"cards": view.booty}
        case "ending":
            return {"canoes": view.held[seat]}
        case "sinking":
            return {"card": view.card, "canoes": _whole_count(view, seat)}
        case "attacking":
            attacker = _attacker(view)
            where = _counted(view.territories[seat], attacker.cell) if attacker else None
            return {"cell": where, "strength": attacker.strength} if attacker else {}
        case _:
            return {"card": view.card}


def _counted(territory: SeenTerritory, cell: Cell) -> Cell:
    """Count a cell as the grids are drawn."""
    return counted_cell(Territory(territory.left, territory.top, territory.rows), cell)


def _whole_count(view: View, seat: int) -> int:
    return sum(canoe.is_complete for canoe in view.territories[seat].canoes)


def _attacker(view: View) -> SeenCanoe | None:
    """Find the canoe that may attack next."""
    if view.turn is None or view.attacker is None:
        return None
    canoes = view.territories[view.turn].canoes
    return next((canoe for canoe in canoes if canoe.cell == view.attacker), None)


def board(view: View) -> Board:
    """Show what the turn is about first, then how near the end is, and what lies beside the territories."""
    return Board(
        facts=(*_decisive(view), *_shared(view), *_of_seats(view)),
        cards=tuple(_cards(view)),
        turn=view.turn,
        number=_number(view),
        headline=_headline(view),
    )


def _headline(view: View) -> Headline | None:
    """Show the strength that attacks, or the points of whose turn it is."""
    number = _number(view)
    if view.turn is None or number is None:
        return None
    if view.stage == "attacking":
        return make_headline("strength", seat=view.turn, strength=number)
    return make_headline("points", seat=view.turn, points=number)


def _number(view: View) -> int | None:
    """Give the strength to attack with, or the points of whose turn it is."""
    attacker = _attacker(view)
    if attacker is not None and view.stage == "attacking":
        return attacker.strength
    return None if view.turn is None else view.territories[view.turn].points


def _decisive(view: View) -> Iterator[Fact]:
    """Show what decides now: the canoe that attacks, or the one that is counted."""
    attacker = _attacker(view)
    if attacker is not None and view.turn is not None:
        cell = _counted(view.territories[view.turn], attacker.cell)
        yield make_fact("attacker", Weight.KEY, view.turn, strength=Count(attacker.strength), cell=Place(cell))
    if view.counted is not None:
        yield make_fact("counted", Weight.KEY, counted=Count(view.counted), canoes=Count(view.to_count))
    if view.is_last and view.stage != "ending":
        yield make_fact("last-card", Weight.KEY)


def _shared(view: View) -> Iterator[Fact]:
    yield make_fact("pile", count=Count(view.pile))
    if view.open_card:
        yield make_fact("open-card", card=Face(view.open_card))
    if view.turn is not None:
        yield make_fact("drawn", Weight.SIDE, view.turn, count=Count(view.drawn))


def _of_seats(view: View) -> Iterator[Fact]:
    """Show how near each player is to the end, and which canoes can't be attacked."""
    for seat, territory in enumerate(view.territories):
        if view.held[seat]:
            goal = ENOUGH if view.held[seat] < ENOUGH else MOST
            yield make_fact("held", seat=seat, canoes=Count(view.held[seat]), goal=Count(goal))
        begun = sum(not canoe.is_complete for canoe in territory.canoes)
        if begun:
            yield make_fact("begun", Weight.SIDE, seat, count=Count(begun))
        guarded = sum(canoe.is_protected for canoe in territory.canoes)
        if guarded:
            yield make_fact("guarded", Weight.SIDE, seat, count=Count(guarded))


def _cards(view: View) -> Iterator[CardRow]:
    if view.card:
        yield CardRow("middle", (view.card,), Weight.KEY)
    if view.booty:
        yield CardRow("booty", view.booty, Weight.KEY, view.turn)
    if view.next_count is not None:
        yield CardRow("counted", _aboard(view.next_count), Weight.KEY)
    if view.discard:
        yield CardRow("discard", view.discard, Weight.SIDE)
    for seat, territory in enumerate(view.territories):
        if territory.aside:
            yield CardRow("aside", territory.aside, Weight.MAIN, seat)

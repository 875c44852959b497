"""Comparing cards under the camera with the record: what is missing, what is too many, as rulings."""

from collections import Counter

from referee.contract import Ruling, Span, make_ruling
from referee.games.ogallala.state import State
from referee.games.ogallala.territory import Row, beside, card_at


def audit_cards(seat: int, recorded: Row, seen: Row) -> tuple[Ruling, ...]:
    """Compare what was seen of some cards of a player with the record of them, in any order."""
    has, sees = Counter(filter(None, recorded)), Counter(seen)
    missing, extra = tuple((has - sees).elements()), tuple((sees - has).elements())
    if not missing and not extra:
        return (make_ruling("agrees", rule="record", seat=seat, count=len(seen)),)
    told = (make_ruling("missing", rule="record", seat=seat, cards=missing),) if missing else ()
    return (*told, make_ruling("extra", rule="record", seat=seat, cards=extra)) if extra else told


def audit_span(state: State, span: Span, seen: Row) -> tuple[Ruling, ...]:
    """Compare part of a row that was pushed under the camera with the record of it."""
    territory, cells = state.territories[span.seat], range(span.length)
    recorded = tuple(card_at(territory, beside(span.cell, step)) for step in cells)
    return audit_cards(span.seat, recorded, seen)

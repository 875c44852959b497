"""The twin's pieces: hands move what a moment moves, and what was wrong before stays wrong."""

from collections import Counter
from math import hypot
from random import Random

import pytest

from hardware.twin.loose_pieces import (
    LoosePiece,
    follow_heaps,
    free_spots,
    heaps_of,
    is_covered,
    lay_piece,
    scene_pieces,
    spots_in,
    step_aside,
    take_piece,
)
from hardware.twin.player import any_answer
from hardware.twin.tabletop import Pose, Tabletop, lay_card
from referee.contract import Refusal, Zone, before_seat
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear

SEAT, BARE = before_seat(0), Tabletop()


def spots(zone: Zone, table: Tabletop = BARE) -> list[tuple[float, float]]:
    """Give every seat a strip of the table."""
    row = -240.0 + 120 * (zone.seat or 0)
    there = spots_in(zone, (0.0, row), lambda _zone, spot: abs(spot[1] - row) < 50, 24.0)
    return list(free_spots(there, table, 24.0))


@pytest.mark.parametrize("game", ["coup", "plenty-coups"])
def test_hands_keep_up_with_the_record(game: str) -> None:
    rng = Random(3)
    match = begin(Setup(GAMES[game], GAMES[game].house(), ("Ana", "Bo", "Cy"), begun="x"))
    assert isinstance(match, Match)
    pieces = follow_heaps((), {}, match, spots)
    for _answer in range(120):
        before = heaps_of(match)
        after = hear(match, any_answer(match.asks, match.number, rng))
        if isinstance(after, Refusal):
            continue
        match = after
        pieces = follow_heaps(pieces, before, match, spots)
        assert Counter((each.kind, each.home) for each in pieces) == +Counter(heaps_of(match))
        if match.outcome is not None:
            break
    assert pieces


def test_a_piece_too_many_stays_too_many() -> None:
    match = begin(Setup(GAMES["coup"], GAMES["coup"].house(), ("Ana", "Bo"), begun="x"))
    assert isinstance(match, Match)
    pieces = lay_piece(follow_heaps((), {}, match, spots), "coins", 24.0, SEAT, spots(SEAT))
    assert len(follow_heaps(pieces, heaps_of(match), match, spots)) == 5


def test_pieces_lie_apart_and_none_is_taken_where_none_lies() -> None:
    pieces: tuple[LoosePiece, ...] = ()
    for _piece in range(9):
        pieces = lay_piece(pieces, "coins", 24.0, SEAT, spots(SEAT))
    apart = [hypot(a.x - b.x, a.y - b.y) for a in pieces for b in pieces if a is not b]
    assert min(apart) > 24
    assert len(take_piece(pieces, "coins", SEAT)) == 8
    assert take_piece(pieces, "coins", before_seat(1)) == pieces


def test_where_there_is_no_room_pieces_cover_each_other_but_not_quite() -> None:
    pieces: tuple[LoosePiece, ...] = ()
    for _piece in range(4):
        pieces = lay_piece(pieces, "coins", 24.0, SEAT, [(0.0, 0.0), (27.0, 0.0)])
    apart = [hypot(a.x - b.x, a.y - b.y) for a in pieces for b in pieces if a is not b]
    assert min(apart) >= 12


def test_pieces_are_pushed_aside_where_a_card_is_laid() -> None:
    pieces = lay_piece((), "coins", 24.0, SEAT, [(0.0, -240.0)])
    table = lay_card(Tabletop(), "duke", SEAT, Pose(3, -235, 30))
    assert is_covered(table, (0.0, -240.0), 24.0)
    (piece,) = step_aside(pieces, table, lambda zone: spots(zone, table))
    assert not is_covered(table, (piece.x, piece.y), 24.0)
    assert step_aside((piece,), table, lambda zone: spots(zone, table)) == (piece,)
    (shown,) = scene_pieces((piece,))
    assert shown.deck
    assert shown.corner == 12.0

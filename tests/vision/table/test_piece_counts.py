"""Pieces by zones: what lies well within one counts there, everything else makes a count unsure."""

import numpy as np

from vision.reading.pieces import PieceReading, SeenPiece
from vision.sightings import Point, Sighting
from vision.table.calibration import Calibration
from vision.table.piece_counts import ZoneCount, count_in_zones

TABLE = Calibration(((1.0, 0.0, 500.0), (0.0, 1.0, 400.0), (0.0, 0.0, 1.0)), (1000, 800), (1, 1, 1), 1.0, {})
ZONES = {
    "left": ((-200.0, -100.0), (0.0, -100.0), (0.0, 100.0), (-200.0, 100.0)),
    "right": ((0.0, -100.0), (200.0, -100.0), (200.0, 100.0), (0.0, 100.0)),
}


def seen(*places: Point, doubts: tuple[Point, ...] = ()) -> PieceReading:
    """See coins at places of the table in millimetres."""
    pieces = tuple(SeenPiece("coins", (x + 500, y + 400), 0.9) for x, y in places)
    return PieceReading(pieces, tuple((x + 500, y + 400) for x, y in doubts))


def counted(*ballots: PieceReading, cards: tuple[Sighting, ...] = ()) -> dict[str, tuple[int, bool]]:
    counts = count_in_zones(ballots, ("coins",), cards, TABLE, ZONES)
    return {each.zone: (each.count, each.is_sure) for each in counts}


def test_pieces_count_where_they_lie_and_empty_zones_have_none() -> None:
    assert counted(seen((-100, 0), (-50, 20))) == {"left": (2, True), "right": (0, True)}
    assert count_in_zones([seen((100, 0))], ("coins",), (), TABLE, ZONES)[1] == ZoneCount(
        "coins", "right", 1, True
    )


def test_a_piece_between_zones_counts_in_neither_and_makes_both_unsure() -> None:
    assert counted(seen((-100, 0), (3, 0))) == {"left": (1, False), "right": (0, False)}


def test_a_piece_outside_of_all_makes_the_nearest_unsure() -> None:
    assert counted(seen((150, 140), (100, 0))) == {"left": (0, True), "right": (1, False)}


def test_a_doubt_makes_its_zone_unsure_but_not_on_a_known_card_with_nothing_on_it() -> None:
    assert counted(seen((100, 0), doubts=((120, 0),))) == {"left": (0, True), "right": (1, False)}
    outline = ((600.0, 350.0), (663.0, 350.0), (663.0, 438.0), (600.0, 438.0))
    card = Sighting("duke", True, 0.9, (), outline, "up", 1.0)
    assert counted(seen((30, 0), doubts=((120, 0),)), cards=(card,)) == {"left": (0, True), "right": (1, True)}
    covered = Sighting("duke", True, 0.9, (), outline, "up", 0.8)
    assert counted(seen((30, 0), doubts=((120, 0),)), cards=(covered,))["right"] == (1, False)


def test_readings_that_differ_say_at_least_the_smaller_number() -> None:
    assert counted(seen((100, 0), (130, 0)), seen((100, 0))) == {"left": (0, True), "right": (1, False)}


def test_no_count_is_above_what_was_seen_wherever_pieces_lie() -> None:
    rng = np.random.default_rng(1)
    for _table in range(50):
        places = [(float(x), float(y)) for x, y in rng.uniform(-250, 250, (6, 2))]
        assert sum(count for count, _sure in counted(seen(*places)).values()) <= 6

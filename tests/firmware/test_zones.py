"""Zones: those of the mat are where they are printed, those of a bare table are everybody's."""

from random import Random

import numpy as np
import pytest

from firmware.zones import mat_zones, seat_zones
from hardware.decks.playmat import ZONES
from referee.contract import Game, Show
from tests.referee.tables import after_any, every_table, new_match
from vision.zones import zone_of


def test_the_mats_zones_are_those_that_are_printed() -> None:
    zones = mat_zones()
    assert list(zones) == list(ZONES)
    for name, (left, top, width, height) in ZONES.items():
        # the codes' middles are 38 mm from the mat's left, upper and right edge, and 62 from the lower one
        assert zone_of(zones, (left + width / 2 - 380, top + height / 2 - 258)) == name
        assert zones[name][2][1] - zones[name][0][1] == height
    assert zone_of(zones, (-370.0, -250.0)) is None


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_bare_table_has_a_part_for_each_seat(seats: int) -> None:
    zones = seat_zones(seats, 844, 556)
    assert len(zones) == seats + 3
    assert zone_of(zones, (0.0, 0.0)) == "centre"
    assert zone_of(zones, (-200.0, 0.0)) == "proof"
    assert zone_of(zones, (200.0, 0.0)) == "discard"
    assert zone_of(zones, (0.0, 250.0)) == "seat 1"
    turns = np.radians(90 + 360 * np.arange(seats) / seats)
    there = [zone_of(zones, (400 * float(np.cos(turn)), 270 * float(np.sin(turn)))) for turn in turns]
    assert there == [f"seat {number}" for number in range(1, seats + 1)]


@every_table
def test_every_zone_that_is_asked_for_is_on_the_table_and_on_the_mat(
    game: Game, rules: str, seats: int
) -> None:
    match, rng = new_match(game, rules, seats), Random(seats)
    for _answer in range(150):
        for ask in match.asks:
            if isinstance(ask, Show):
                assert ask.zone.name in {"centre", "proof", "discard", "seat"}, ask
        if not match.asks:
            break
        match = after_any(match, rng)
    assert {"centre", "proof", "discard", "seat 1"} <= set(mat_zones()) & set(seat_zones(seats, 844, 556))

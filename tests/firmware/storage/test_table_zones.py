"""Zones: those of the mat are where they are printed, those of a bare table are everybody's."""

from random import Random

import numpy as np
import pytest

from firmware.core.cards import zone_name
from firmware.storage.table_zones import mat_zones, seat_zones
from firmware.twin.world import _middle
from hardware.decks.print.playmat import ZONES
from hardware.twin.tabletop import FARTHEST
from referee.contract import Game, Show, TableLayout, Zone
from referee.games.plenty_coups import PLENTY_COUPS
from tests.referee.tables import after_any, every_table, new_match
from vision.table.zones import zone_of


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
    zones = seat_zones(TableLayout(seats), 844, 556)
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
    match, rng, parting = new_match(game, rules, seats), Random(seats), game.parting(seats)
    bare, mat = seat_zones(parting, 844, 556), {name.split()[0] for name in mat_zones(parting.parts)}
    for _answer in range(150):
        for ask in match.asks:
            if isinstance(ask, Show):
                assert zone_name(ask.zone) in bare, ask
                assert ask.zone.name in mat, ask
        if not match.asks:
            break
        match = after_any(match, rng)
    assert {"centre", "proof", "discard", "seat 1"} <= set(mat_zones()) & set(bare)


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_part_of_a_place_has_room_for_a_card_in_sight(seats: int) -> None:
    parting = PLENTY_COUPS.parting(seats)
    zones = seat_zones(parting, 844, 556)
    assert {name for name in zones if name[-1].isdigit()} == {
        f"{part} {number}"
        for part in ("seat", "herd", "camp", "taunt")
        for number in range(1, parting.count + 1)
    }
    for name in zones:
        x, y = _middle(zones, zone_named(name))
        assert zone_of(zones, (x, y)) == name
        assert abs(x) <= FARTHEST[0]
        assert abs(y) <= FARTHEST[1]


def test_a_player_has_the_first_part_on_the_left_and_the_last_ones_behind() -> None:
    zones = seat_zones(TableLayout(4, ("seat", "herd", "camp", "taunt")), 844, 556)
    assert zone_of(zones, (-60.0, 180.0)) == "seat 1"
    assert zone_of(zones, (60.0, 180.0)) == "herd 1"
    assert zone_of(zones, (-60.0, 280.0)) == "camp 1"
    assert zone_of(zones, (60.0, 280.0)) == "taunt 1"
    assert zone_of(zones, (60.0, -180.0)) == "seat 3"


def test_a_mat_may_have_more_parts_in_the_same_places() -> None:
    plain, parted = mat_zones(), mat_zones(("seat", "herd", "camp", "taunt"))
    for name, corners in parted.items():
        (left, top), (right, bottom) = corners[0], corners[2]
        seat = f"seat {name.split()[1]}" if name not in plain else name
        assert zone_of(plain, ((left + right) / 2, (top + bottom) / 2)) == seat
        assert (right - left) * (bottom - top) >= 63 * 63, "a card's middle is meant"
    assert parted["seat 1"][0][0] < parted["taunt 1"][0][0]
    assert parted["seat 4"][0][0] > parted["taunt 4"][0][0]
    assert parted["seat 3"][0][1] < parted["taunt 3"][0][1]
    assert parted["seat 6"][0][1] > parted["taunt 6"][0][1]


def zone_named(name: str) -> Zone:
    """Name a zone as the referee does."""
    word, _space, number = name.partition(" ")
    return Zone(word, int(number) - 1) if number else Zone(word)

"""The found table: stored as calibrated, with zones printed on the mat or divided by seats."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.storage import found_table
from firmware.storage.found_table import Layout, load_calibration, load_layout, seat_zones
from firmware.twin.world import _middle
from hardware.decks.print.playmat import ZONES
from hardware.twin.tabletop import FARTHEST
from referee.contract import TableLayout, Zone
from referee.games.plenty_coups import PLENTY_COUPS
from tests.firmware.storage.backups.tables import TABLE
from tests.tiers import tiered
from vision.pictures import load_picture
from vision.table.values import Calibration
from vision.table.zones import zone_of

USUAL = (796.0, 528.5)
PARTS = ("seat", "herd", "camp", "taunt")


def test_stores_table_with_layout(tmp_path: Path) -> None:
    file, layout = tmp_path / "state" / "table.json", Layout((800.0, 500.0), 2)
    found_table.keep_table(file, TABLE, layout, None)
    assert load_calibration(file) == TABLE
    assert load_layout(file) == layout
    assert load_picture(file.with_suffix(".png")) is None
    found_table.keep_table(file, TABLE, layout, np.full((88, 63, 3), 90, np.uint8))
    assert load_picture(file.with_suffix(".png")) is not None


LINES = ((0.0, 0.0, 0.0), (1.0, 0.0, 5.0), (2.0, 0.0, 10.0))
PLANES = (LINES[:1] * 3, LINES, ((1e200, 0.0, 0.0), (0.0, 1e200, 0.0), (0.0, 0.0, 1.0)))
FLAT = tuple(msgspec.json.encode(Calibration(each, (2028, 1520), (1.0, 1.0, 1.0), 0.9, {})) for each in PLANES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "content", [None, b"", b"[]", b'{"layout": {"first": -1}}', b'{"layout": {"apart": [1, 2]}}', *FLAT]
)
def test_invalid_table_is_none(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "table.json"
    if content is not None:
        file.write_bytes(content)
    assert load_layout(file) == Layout()
    assert load_calibration(file) is None


@given(seats=st.integers(2, 12), first=st.integers(0, 99))
def test_turning_moves_seats_only(seats: int, first: int) -> None:
    zones = seat_zones(TableLayout(seats), *USUAL)
    moved = found_table.turn_places(zones, first)
    assert sorted(moved.values()) == sorted(zones.values())
    assert {name for name in zones if moved[name] == zones[name]} >= {"centre", "proof", "discard"}
    assert found_table.turn_places(moved, seats - first % seats) == zones
    assert moved["seat 1"] == zones[f"seat {first % seats + 1}"]


# zones


def test_mat_zones_match_print() -> None:
    zones = found_table.mat_zones()
    assert list(zones) == list(ZONES)
    for name, (left, top, width, height) in ZONES.items():
        # the codes' centres are 38 mm from the mat's left, upper and right edges, and 62 mm from the lower one
        assert zone_of(zones, (left + width / 2 - 380, top + height / 2 - 258)) == name
        assert zones[name][2][1] - zones[name][0][1] == height
    assert zone_of(zones, (-370.0, -250.0)) is None


@pytest.mark.parametrize("seats", tiered((2, 3, 10), range(2, 11)))
def test_bare_table_has_part_for_each_seat(seats: int) -> None:
    zones = seat_zones(TableLayout(seats), 844, 556)
    assert len(zones) == seats + 3
    middles = {"centre": 0.0, "proof": -200.0, "discard": 200.0}
    assert [zone_of(zones, (x, 0.0)) for x in middles.values()] == list(middles)
    turns = np.radians(90 + 360 * np.arange(seats) / seats)
    there = [zone_of(zones, (400 * float(np.cos(turn)), 270 * float(np.sin(turn)))) for turn in turns]
    assert there == [f"seat {number}" for number in range(1, seats + 1)]


@pytest.mark.parametrize("seats", tiered((2, 6), range(2, 7)))
def test_each_part_fits_a_visible_card(seats: int) -> None:
    parting = PLENTY_COUPS.table.parting(seats)
    zones = seat_zones(parting, 844, 556)
    own = {f"{part} {number}" for part in PARTS for number in range(1, parting.count + 1)}
    assert {name for name in zones if name[-1].isdigit()} == own
    for name in zones:
        word, _space, number = name.partition(" ")
        x, y = _middle(zones, Zone(word, int(number) - 1) if number else Zone(word))
        assert zone_of(zones, (x, y)) == name
        assert abs(x) <= FARTHEST[0]
        assert abs(y) <= FARTHEST[1]

"""A kept table: its seats, its parts in the picture, and files that can't be read."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.doors.seat_outlines import visible_parts
from firmware.storage.eyes_settings import load_calibration
from firmware.storage.found_table import Layout, divide_table, keep_table, load_layout, turn_places
from firmware.storage.table_zones import mat_zones, seat_zones
from referee.contract import TableLayout
from tests.vision.process.live import with_cards
from vision.table.calibration import Calibration, calibrate, to_table
from vision.table.empty_table import load_empty_table
from vision.table.zones import zone_of

USUAL = (796.0, 528.5)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    table = calibrate(with_cards().picture)
    assert table is not None
    return table


def test_a_table_is_kept_with_its_layout_in_one_file(tmp_path: Path, calibration: Calibration) -> None:
    file, layout = tmp_path / "state" / "table.json", Layout((800.0, 500.0), 2)
    keep_table(file, calibration, layout, None)
    assert load_calibration(file) == calibration
    assert load_layout(file) == layout
    assert not file.with_suffix(".png").exists()
    keep_table(file, calibration, layout, with_cards().picture)
    assert load_empty_table(file.with_suffix(".png")) is not None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"layout": {"first": -1}}', '{"layout": {"apart": [1, 2]}}', '{"layout": 7}']
)
def test_a_layout_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "table.json"
    assert load_layout(file) == Layout()
    file.write_text(text, encoding="utf-8")
    assert load_layout(file) == Layout()


@given(seats=st.integers(2, 12), first=st.integers(0, 99))
def test_turning_the_seats_moves_seats_only_and_all_the_way_round_is_nothing(seats: int, first: int) -> None:
    zones = seat_zones(TableLayout(seats), *USUAL)
    moved = turn_places(zones, first)
    assert set(moved) == set(zones)
    assert sorted(moved.values()) == sorted(zones.values())
    assert {name: moved[name] for name in ("centre", "proof", "discard")} == {
        name: zones[name] for name in ("centre", "proof", "discard")
    }
    assert turn_places(moved, seats - first % seats) == zones
    assert moved["seat 1"] == zones[f"seat {first % seats + 1}"]


def test_a_table_is_parted_as_it_lies() -> None:
    assert divide_table(Layout(), TableLayout(4), USUAL, mat=False) == seat_zones(TableLayout(4), *USUAL)
    assert divide_table(Layout((900.0, 600.0)), TableLayout(4), USUAL, mat=False) == seat_zones(
        TableLayout(4), 900.0, 600.0
    )
    assert divide_table(Layout((900.0, 600.0)), TableLayout(4), USUAL, mat=True) == mat_zones()


def test_parts_are_seen_where_cards_would_lie_in_them(calibration: Calibration) -> None:
    zones = seat_zones(TableLayout(5), *USUAL)
    parts = visible_parts(calibration, zones)
    assert [part.name for part in parts] == list(zones)
    for part in parts:
        (middle,) = to_table(calibration, np.array([part.middle]))
        assert zone_of(zones, (float(middle[0]), float(middle[1]))) == part.name
        corners = np.array(part.outline)
        assert (corners >= -8).all()
        assert (corners <= np.array(calibration.size) + 8).all()


def test_parts_out_of_sight_are_left_out(calibration: Calibration) -> None:
    zones = {"far": ((9000.0, 9000.0), (9100.0, 9000.0), (9100.0, 9100.0))}
    assert visible_parts(calibration, zones) == ()

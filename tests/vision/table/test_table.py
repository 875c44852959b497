"""A table's plane, light, zones and empty picture."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from firmware.storage.found_table import mat_zones, seat_zones
from hardware.twin.rendering.renderer import faces_of
from referee.contract import TableLayout
from tests.given import present
from tests.hardware.twin.levels import faulty_picture
from tests.vision.process.live import TABLE, found_table, with_cards
from vision.pictures import load_picture
from vision.sightings import Point
from vision.table.calibration import project_empty_table, recalibrate, save_empty_table
from vision.table.framing import USUAL_APART, can_be, plates_apart
from vision.table.plane import bend_points, straighten_points
from vision.table.plates import BRIGHT, DARK, light_problems
from vision.table.zones import place_toward

# planes, lenses and light


@pytest.mark.parametrize("lens", [-0.08, 0.0, 0.15])
def test_straightens_lens_distortion(lens: float) -> None:
    points = np.array([(0.0, 0.0), (639.5, 479.5), (1279.0, 100.0), (300.0, 959.0)])
    bent = bend_points(points, lens, (1280, 960))
    assert np.abs(straighten_points(bent, lens, (1280, 960)) - points).max() < 0.5
    assert bent[1] == pytest.approx(points[1])
    assert (np.abs(bent - points).max() > 1) == bool(lens)


@pytest.mark.parametrize(
    ("light", "white", "problems"),
    [
        (DARK - 1, 0, ["too dark"]),
        (DARK, 0, []),
        (BRIGHT - 1, 0, []),
        (BRIGHT, 0, ["too bright"]),
        (128, 35, []),
        (128, 45, ["too bright"]),
    ],
)
def test_light_bounds_are_exact(light: float, white: int, problems: list[str]) -> None:
    picture = np.full((100, 100, 3), light, np.uint8)
    picture[:white] = 255
    assert [problem.key for problem in light_problems(picture)] == problems


def test_measures_distance_between_plates() -> None:
    one, two, _three, four = TABLE.table.plates
    seen = plates_apart(found_table())
    assert seen == pytest.approx((abs(two.x - one.x), abs(four.y - one.y)), rel=0.02)


@pytest.mark.parametrize(
    ("typed", "possible"),
    [((844, 556), True), ((800, 530), True), ((914, 556), True), ((844, 620), False), ((556, 844), False)],
)
def test_typed_distances_may_differ_a_little(typed: tuple[float, float], possible: bool) -> None:
    assert can_be(typed, (842.0, 555.0)) is possible


def test_empty_table_picture_survives_a_nudge(tmp_path: Path) -> None:
    file = tmp_path / "table.png"
    assert load_picture(file) is None
    file.write_bytes(b"no picture")
    assert load_picture(file) is None
    save_empty_table(file, with_cards().picture, found_table())
    empty = present(load_picture(file))
    nudged = faulty_picture(replace(TABLE, cards=()), faces_of("coup"), "nudged")
    now = present(recalibrate(nudged, found_table()))
    seen = project_empty_table(empty, now)
    assert seen.shape == nudged.shape
    known = seen.max(axis=2) > 0
    assert known.mean() > 0.85
    assert np.abs(seen.astype(int) - nudged)[known].mean() < 6


PROGRAM = """
from tests.forgetting import megabytes as held
from vision.table.thrift import give_back_memory

give_back_memory()
first = bytearray(4_000_000)
del first  # glibc would take the next ones from its own store
before = held()
pictures = [bytearray(b"x") * 3_000_000 for _number in range(20)]
between = bytearray(200_000)  # what lies above keeps a store from shrinking
full = held()
del pictures
print(full - before, held() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="its memory is read from /proc")
def test_freed_pictures_return_their_memory() -> None:
    told = subprocess.check_output([sys.executable, "-c", PROGRAM], cwd=Path(__file__).parents[3], text=True)
    grown, kept = map(int, told.split())
    assert grown > 52
    assert kept < 5


@pytest.mark.parametrize(
    ("players", "point", "place"),
    [
        (4, (0.0, 90.0), "seat 1"),
        (4, (-120.0, 10.0), "seat 2"),
        (4, (5.0, -60.0), "seat 3"),
        # in front of a place, and within it
        (6, (-105.0, 50.0), "seat 2"),
        (6, (-400.0, 150.0), "seat 2"),
        # ambiguous: in the middle, and where two places meet
        (4, (3.0, 2.0), None),
        (6, (-110.0, 0.0), None),
    ],
)
def test_card_belongs_to_the_nearest_seat(players: int, point: Point, place: str | None) -> None:
    assert place_toward(seat_zones(TableLayout(players), *USUAL_APART), point) == place


def test_card_on_printed_mat_belongs_to_a_seat() -> None:
    for point, place in (((50.0, 80.0), "seat 1"), ((-110.0, 12.0), "seat 3"), ((0.0, 80.0), None)):
        assert place_toward(mat_zones(), point) == place

"""The ground pour, read from the production files: no floating islands, no slivers; and by a second program."""

import subprocess
from functools import cache
from pathlib import Path
from shutil import which

import cv2
import numpy as np
import pytest

from hardware.board.fab import copper
from hardware.board.fab.files import gerber
from hardware.board.fab.layout import SIZE, pads
from hardware.board.netlist import GROUND
from tests.hardware.board.fab_reading import (
    CELLS,
    MARGIN,
    Hole,
    Picture,
    Plotter,
    Point,
    cell,
    joined,
    net_faults,
    read_holes,
)
from tests.hardware.board.test_fab import LAYERS, PLACES, files

IMAGES = (*LAYERS, "coyote-F_Mask.gts", "coyote-B_Mask.gbs", "coyote-F_Silkscreen.gto", "coyote-Edge_Cuts.gm1")
NARROWEST = 0.15  # mm that fabs etch reliably
BLUNTED = 12  # cells of a corner that a disc of that width leaves out


@cache
def painted(name: str) -> Picture:
    return Plotter(SIZE).read(files()[name])


def holes() -> tuple[Hole, ...]:
    return read_holes(files()["coyote-PTH.drl"])


def islands(layer: Picture, joints: tuple[Hole, ...]) -> int:
    """Count pieces of copper that no plated hole joins to anything."""
    count, labels = cv2.connectedComponents(layer, connectivity=4)
    return count - 1 - len({int(labels[cell(hole.at)]) for hole in joints} - {0})


def slivers(layer: Picture) -> int:
    """Count places that are too narrow for a disc."""
    disc = np.hypot(*np.mgrid[-2:3, -2:3]) <= NARROWEST / 2 * CELLS
    narrow = layer & ~cv2.morphologyEx(layer, cv2.MORPH_OPEN, disc.astype(np.uint8))
    _count, _labels, stats, _centres = cv2.connectedComponentsWithStats(narrow, connectivity=8)
    return int((stats[1:, cv2.CC_STAT_AREA] > BLUNTED).sum())


@pytest.mark.parametrize("name", LAYERS)
def test_pour_has_no_islands_and_no_slivers(name: str) -> None:
    assert (islands(painted(name), holes()), slivers(painted(name))) == (0, 0)


def test_pour_covers_each_side_and_reaches_ground() -> None:
    """Dropped islands leave most of the ground: over half of each side is copper."""
    for side, name in zip(copper.SIDES, LAYERS, strict=True):
        assert painted(name).mean() > 0.5
        ground = [pad for pad in pads() if pad.net == GROUND]
        labels, _count = joined([painted(name)], ())
        assert len({int(labels[0][cell(pad.at)]) for pad in ground}) < len(ground), side


_BAR, _SIDE = ((5.1, 5.2), (5.1, 5.8)), ((5.0, 5.8), (5.0, 5.2))


@pytest.mark.parametrize(
    ("area", "found"),
    [
        # an island beside nothing, one that a hole joins, and a bar of 0.1 mm between two squares
        ([(1, 1), (2, 1), (2, 2), (1, 2)], (1, 0)),
        ([(4, 4), (6, 4), (6, 6), (4, 6)], (0, 0)),
        ([(4, 4), (6, 4), (6, 5.2), *_BAR, (6, 5.8), (6, 7), (4, 7), (4, 5.8), *_SIDE, (4, 5.2)], (0, 1)),
    ],
)
def test_injected_island_and_sliver_are_found(area: list[Point], found: tuple[int, int]) -> None:
    layer = Plotter(SIZE).read(gerber([copper.Mark((*area, area[0]))], "Copper,L1,Top"))
    assert (islands(layer, (Hole((4.5, 4.5), 0.4),)), slivers(layer)) == found


# a second program


with_gerbv = pytest.mark.skipif(
    which("gerbv") is None, reason="gerbv isn't installed: the board isn't read by a second program"
)


@cache
def gerbv(folder: Path, name: str) -> Picture:
    (folder / name).write_text(files()[name], encoding="utf-8")
    wide, high = (side + 2 * MARGIN for side in SIZE)
    window = f"--window_inch={wide / 25.4:.6f}x{high / 25.4:.6f}"
    origin = f"--origin={-MARGIN / 25.4:.6f}x{-MARGIN / 25.4:.6f}"
    look = f"--border=0 --dpi={CELLS * 25.4:.1f} {origin} {window} -b #000000 -f #ffffffff"
    command = ["gerbv", "-x", "png", *look.split(), "-o", "shown.png", name]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert "CRITICAL" not in result.stderr, result.stderr
    # a picture's first row is the highest
    shown = cv2.imread(str(folder / "shown.png"), cv2.IMREAD_GRAYSCALE)
    return np.flipud(shown > 127).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gerbv")


@with_gerbv
@pytest.mark.parametrize("name", IMAGES)
def test_second_program_reads_each_layer_alike(folder: Path, name: str) -> None:
    """Only cells at edges may differ, which the two programs round in their own ways."""
    theirs, ours = gerbv(folder, name), painted(name)
    height, width = np.minimum(theirs.shape, ours.shape)
    differing = theirs[:height, :width] ^ ours[:height, :width]
    assert not cv2.erode(differing, np.ones((3, 3), np.uint8)).any()


@with_gerbv
def test_second_program_finds_the_same_nets_islands_and_slivers(folder: Path) -> None:
    layers = [gerbv(folder, name) for name in LAYERS]
    assert [fault for layer in joined(layers, holes())[0] for fault in net_faults(layer, PLACES)] == []
    assert [(islands(layer, holes()), slivers(layer)) for layer in layers] == [(0, 0), (0, 0)]


@with_gerbv
@pytest.mark.parametrize("name", ["coyote-PTH.drl", "coyote-NPTH.drl"])
def test_second_program_finds_the_same_holes(folder: Path, name: str) -> None:
    told, drilled = read_holes(files()[name]), gerbv(folder, name)
    assert all(drilled[cell(hole.at)] for hole in told)
    count, _labels = cv2.connectedComponents(drilled)
    assert count - 1 == len(told)


@with_gerbv
def test_second_program_finds_the_same_outline(folder: Path) -> None:
    ys, xs = np.nonzero(gerbv(folder, "coyote-Edge_Cuts.gm1"))
    assert (np.ptp(xs) / CELLS, np.ptp(ys) / CELLS) == pytest.approx(SIZE, abs=0.2)

"""What each camera that we know reads from where it belongs, by its optics."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from math import sqrt

import click
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.levels import L1, aim_camera, around_zero, between, random_light, random_table
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, plates
from tests.bench.measured import json_option, print_figures
from tests.bench.vision import DECKS, VERDICTS, faces_of_cached, pairs, templates_from_artwork, verdict_of
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.table.calibration import calibrate, plates_spanning
from vision.table.framing import USUAL_APART
from vision.table.optics import (
    AIM,
    CAMERAS,
    Millimetres,
    Optics,
    blur_at,
    focal_length,
    heights,
    largest_apart,
    made_smaller,
    plates_span,
    seen_from,
)
from vision.table.thrift import SMALL

OF_THE_PI = tuple(name for name in CAMERAS if not name.startswith("usb"))
EXPOSURES = {"100 ms": 4.0, "33 ms": 4.0 * sqrt(3)}
"""The noise on mid-grey in the light of an evening, by how long the exposure lasts."""
SOFT = 0.75
"""The blur of lens and colour filters in focus, in pixels."""
DISTORTION = 0.04
"""How far a lens may bend, as makers' focal lengths and angles of view differ."""
TILT = 2.0
"""Degrees by which a camera that was framed may still be tilted."""
CELL = 112.0
"""Millimetres that a card takes, whichever way it lies."""
BESIDE = (70.0, 90.0)
"""Millimetres across and down that plates and a border take of what lies between their middles."""
SHARE = 0.995
"""How much smaller than the largest a table is that a camera just sees."""


class CameraAccuracy(Struct, frozen=True):
    """What became of cards under a camera at a height."""

    camera: str
    across: int
    """Millimetres between the plates."""
    height: int
    exposure: str
    not_found: int
    """Tables that weren't found; their cards count for nothing."""
    cards: int
    right: int
    unsure: int
    flagged: int
    missed: int
    wrong: int
    right_percent: float


@click.command(help="Cameras: how many cards each reads from the heights at which it sees a table.")
@click.option(
    "--tables", default=5, show_default=True, type=click.IntRange(1, 1000), help="How many for each figure."
)
@click.option("--cards", default=12, show_default=True, type=click.IntRange(1, 15), help="How many on each.")
@click.option("--seed", default=1000, show_default=True, help="The first table's seed.")
@click.option("--small", is_flag=True, help="With pictures as small as where memory is scarce.")
@json_option
def cameras(tables: int, cards: int, seed: int, *, small: bool, as_json: bool) -> None:
    """Measure what cameras read."""
    # a USB camera's picture isn't made smaller
    tried = [made_smaller(CAMERAS[name], SMALL.share) for name in OF_THE_PI] if small else CAMERAS.values()
    rows = [
        accuracy_of(optics, height, exposure, range(seed, seed + tables), cards)
        for optics in tried
        for height, exposure in product(heights_to_try(optics), EXPOSURES)
    ]
    print_figures("cameras", {"seed": seed, "small": small, "accuracy": rows}, _lines(rows), as_json=as_json)


# where a camera hangs


def apart_under(optics: Optics) -> Millimetres:
    """Lay the plates as usual, or as far apart as the camera can see them."""
    if heights(optics, USUAL_APART) is not None:
        return USUAL_APART
    across, down = largest_apart(optics, USUAL_APART)
    return SHARE * across, SHARE * down


def heights_to_try(optics: Optics) -> tuple[float, float, float]:
    """Give the least height that we recommend, the middle, and the greatest."""
    between_them = heights(optics, apart_under(optics))
    if between_them is None:
        raise RuntimeError(optics.name)  # it can't be: the plates lie as that camera sees them
    low, high = between_them
    return low, (low + high) / 2, high


# a table under it


def scene_under(
    optics: Optics, apart: Millimetres, height: float, noise: float, faces: tuple[str | None, ...], seed: int
) -> Scene:
    """Lay cards everywhere between the plates, in the light of an evening, and hang the camera above them."""
    rng = default_rng(seed)
    needed = zip(plates_span(apart), seen_from(optics, height), strict=True)
    across, down = (max(lengths) + 100 for lengths in needed)
    table = replace(random_table(rng), plates=plates(apart[0] / 2, apart[1] / 2), width=across, depth=down)
    return Scene(
        _hang_camera(optics, height, noise, rng),
        table,
        random_light(L1, rng),
        _spread_cards(faces, apart, rng),
        seed=seed,
    )


def _hang_camera(optics: Optics, height: float, noise: float, rng: Generator) -> SceneCamera:
    """Hang a camera as somebody does who was told how: a little tilted, focused a little beside the table."""
    camera = SceneCamera(
        at=(0.0, 0.0, height),
        tilt=around_zero(rng, TILT),
        roll=around_zero(rng, TILT),
        pan=around_zero(rng, TILT),
        focal=focal_length(optics),
        k1=around_zero(rng, DISTORTION),
        resolution=optics.mode,
        defocus=float(np.hypot(SOFT, blur_at(optics, height, height * AIM))),
        noise=noise,
        sharpening=between(rng, L1.sharpening),
    )
    return aim_camera(camera, 0.0, 0.0)


def _spread_cards(faces: tuple[str | None, ...], apart: Millimetres, rng: Generator) -> tuple[SceneCard, ...]:
    """Lay each card somewhere in a cell of its own, turned anyhow."""
    area = np.subtract(apart, BESIDE)
    columns, rows = (area // CELL).astype(int)
    cell = area / (columns, rows)
    chosen = rng.permutation(columns * rows)[: len(faces)]
    middles = (np.column_stack((chosen % columns, chosen // columns)) + 0.5) * cell - area / 2
    places = middles + rng.uniform(-0.5, 0.5, (len(chosen), 2)) * (cell - CELL)
    turns = rng.uniform(0, 360, len(chosen))
    return tuple(
        SceneCard(face, float(x), float(y), float(turn))
        for face, (x, y), turn in zip(faces, places, turns, strict=True)
    )


def _random_faces(deck: str, cards: int, seed: int) -> tuple[str | None, ...]:
    """Choose faces of a deck; one card in ten lies face down."""
    rng, names = default_rng([seed, cards]), tuple(PRINTED[deck].faces)
    return tuple(None if rng.random() < 0.1 else names[rng.integers(len(names))] for _card in range(cards))


# what it reads


def accuracy_of(optics: Optics, height: float, exposure: str, seeds: range, cards: int) -> CameraAccuracy:
    """Lay tables under a camera, have it find them bare, and read the cards."""
    apart, told = apart_under(optics), Counter[str]()
    for seed in seeds:
        deck = DECKS[seed % len(DECKS)]
        faces = _random_faces(deck, cards, seed)
        scene = scene_under(optics, apart, height, EXPOSURES[exposure], faces, seed)
        told.update(read_scene(scene, deck, apart))
    return _row(optics, apart, height, exposure, told)


def read_scene(scene: Scene, deck: str, apart: Millimetres) -> Iterator[str]:
    """Find the bare table, read the cards that lie there then, and say what became of each."""
    light = replace(scene.light, shadows=())
    bare, laid = (
        render(each, faces_of_cached(deck))
        for each in (replace(scene, cards=(), light=light, seed=scene.seed + 1), scene)
    )
    table = calibrate(bare.picture, plates_spanning(*apart))
    if table is None:
        yield "not found"
        return
    around = surroundings_at(table, bare.picture)
    seen = read(laid.picture, templates_from_artwork(deck), None, around)
    matched = pairs(laid.truth, seen)
    yield from (verdict_of(card, matched.get(i), seen) for i, card in enumerate(laid.truth))


def _row(
    optics: Optics, apart: Millimetres, height: float, exposure: str, told: Counter[str]
) -> CameraAccuracy:
    right, unsure, flagged, missed, wrong = (told[verdict] for verdict in VERDICTS)
    total = right + unsure + flagged + missed + wrong
    share = round(100 * right / max(1, total), 1)
    return CameraAccuracy(
        optics.name, round(apart[0]), round(height), exposure, told["not found"],
        total, right, unsure, flagged, missed, wrong, share,
    )  # fmt: skip


def _lines(rows: Iterable[CameraAccuracy]) -> Iterator[str]:
    columns = f"{'camera':30} {'apart':>6} {'height':>6} {'light':>7} {'none':>5} {'cards':>6} {'right':>7}"
    yield columns + "".join(f"{verdict:>8}" for verdict in VERDICTS[1:])
    for row in rows:
        counts = f"{row.unsure:>8}{row.flagged:>8}{row.missed:>8}{row.wrong:>8}"
        yield (
            f"{row.camera:30} {row.across:>6} {row.height:>6} {row.exposure:>7} {row.not_found:>5}"
            f" {row.cards:>6} {row.right_percent:>6.1f}%{counts}"
        )
    yield "apart and height in mm; light is what the exposure lasts, none are tables that weren't found"

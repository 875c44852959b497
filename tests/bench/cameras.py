"""Reading accuracy of each known camera at its mounting heights, simulated by its optics."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec.structs import replace

from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene
from tests.bench.measured import Measured, percent
from tests.hardware.twin.truth import frame_of
from tests.vision.counting import pairs, verdict_columns, verdict_of
from tests.vision.rendered_tables import (
    DECKS,
    EXPOSURES,
    apart_under,
    faces_of_cached,
    heights_to_try,
    random_faces,
    scene_under,
    templates_from_artwork,
)
from tests.vision.slanted_views import camera_beside, scene_beside
from tests.vision.slanted_views import seen_from as pixels_of
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.table.calibration import CARD_WIDTH, calibrate, to_table
from vision.table.card_plane import aligned, exact_outlines, fit_cards
from vision.table.optics import CAMERAS, focal_length
from vision.table.plates import Millimetres
from vision.table.values import Optics

FEW_PIXELS = (102, 90, 80, 70)
"""Pixels across a card to judge `NEEDED_BY_USB`, starting at the lowest height for the usual plates."""
ANGLES, ACROSS = (0, 20, 35, 45, 50, 55), (80, 100, 120)
"""Degrees off the vertical, and pixels across a card in the middle, of cameras that stand beside the table."""
SOFT_LENS = 1.5, -0.15  # blur in pixels, and distortion, of a cheap USB camera


def cameras(tables: int = 5, cards: int = 12, seed: int = 1000) -> Measured:
    """Cameras: how many cards each reads from the heights at which it sees a table."""
    rows = [
        accuracy_of(optics, height, exposure, range(seed, seed + tables), cards)
        for optics in CAMERAS.values()
        for height, exposure in product(heights_to_try(optics), EXPOSURES)
    ]
    usb = CAMERAS["usb 1080p"]
    # increasing heights above the usual plates, with a good lens and a cheap one
    for is_soft, pixels in product((False, True), FEW_PIXELS):
        height = focal_length(usb) * CARD_WIDTH / pixels
        rows.append(accuracy_of(usb, height, "33 ms", range(seed, seed + tables), cards, is_soft=is_soft))
    beside = [
        accuracy_beside(CAMERAS["usb 1080p"], angle, pixels, range(seed, seed + tables), cards)
        for angle, pixels in product(ANGLES, ACROSS)
    ]
    ratios = [
        *_shares(rows, "exposure", "{}"),
        *_shares(rows, "camera", "{}"),
        *_shares(beside, "angle", "beside, {} degrees"),
        *_shares(beside, "across", "beside, {} pixels"),
    ]
    return Measured(dict(ratios), tuple(map(str, (*rows, *beside))))


def _shares(rows: Sequence[Mapping[str, Any]], column: str, named: str) -> Iterator[tuple[str, str]]:
    """Yield the share of cards read for each value of a column."""
    for value in dict.fromkeys(row[column] for row in rows):
        some = [row for row in rows if row[column] == value]
        right, wrong, cards = (sum(row[each] for row in some) for each in ("right", "wrong", "cards"))
        yield f"{named.format(value)}: right, wrong", f"{percent(right, cards)}, {wrong} of {cards:,}"


def accuracy_beside(optics: Optics, angle: int, pixels: int, seeds: range, cards: int) -> dict[str, Any]:
    """Render tables without markers from the side, fit the plane to the cards, and read them on it."""
    told, off = Counter[str](), list[float]()
    for seed in seeds:
        deck = DECKS[seed % len(DECKS)]
        camera = camera_beside(optics, angle, pixels, seed)
        scene = scene_beside(camera, deck, cards, seed)
        laid, templates = frame_of(scene, faces_of_cached(deck)), templates_from_artwork(deck)
        first = read(laid.picture, templates)
        outlines = exact_outlines(first.cards, optics.mode)
        fit = fit_cards(outlines, templates.size, optics.mode)
        told["not found"] += fit is None
        seen = first if fit is None else read(laid.picture, templates, None, surroundings_at(fit.table))
        matched = pairs(laid.truth, seen.cards)
        told.update(verdict_of(card, matched.get(i), seen) for i, card in enumerate(laid.truth))
        if fit is not None:
            mm = np.array([(card.x, card.y) for card in scene.cards])
            placed = aligned(fit.table, pixels_of(camera, mm), mm)
            off += np.hypot(*(to_table(placed, pixels_of(camera, mm)) - mm).T).tolist()
    mean, worst = (round(float(each), 2) for each in (np.mean(off), np.max(off))) if off else (None, None)
    place = {"camera": f"{optics.name}, beside", "angle": angle, "across": pixels, "mm": mean, "worst": worst}
    return {**place, "not_found": told["not found"], **verdict_columns(told)}


def accuracy_of(
    optics: Optics, height: float, exposure: str, seeds: range, cards: int, *, is_soft: bool = False
) -> dict[str, object]:
    """Render tables under a camera, calibrate on each empty table, and read the cards."""
    apart, told = apart_under(optics), Counter[str]()
    for seed in seeds:
        deck = DECKS[seed % len(DECKS)]
        faces = random_faces(deck, cards, seed)
        scene = scene_under(optics, apart, height, EXPOSURES[exposure], faces, seed)
        if is_soft:
            blur, k1 = SOFT_LENS
            scene = replace(scene, camera=replace(scene.camera, defocus=blur, k1=k1))
        told.update(_read_scene(scene, deck, apart))
    name = f"{optics.name}, soft" if is_soft else optics.name
    place = {"camera": name, "across": round(apart[0]), "height": round(height), "exposure": exposure}
    return {**place, "not_found": told["not found"], **verdict_columns(told)}


def _read_scene(scene: Scene, deck: str, apart: Millimetres) -> Iterator[str]:
    """Calibrate on the empty table, read the cards, and yield the result for each card."""
    empty = replace(scene, cards=(), light=replace(scene.light, shadows=()), seed=scene.seed + 1)
    bare, laid = render(empty, faces_of_cached(deck)), frame_of(scene, faces_of_cached(deck))
    table = calibrate(bare, apart)
    if table is None:
        yield "not found"
        return
    seen = read(laid.picture, templates_from_artwork(deck), None, surroundings_at(table, bare))
    matched = pairs(laid.truth, seen.cards)
    yield from (verdict_of(card, matched.get(i), seen) for i, card in enumerate(laid.truth))

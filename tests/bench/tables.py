"""Tables found by cards on all grounds: offered ones, wrong ones and false outlines.

A known deck has names. An unknown one, of playing or bridge size, was laid after a picture of the empty table.
"""

from collections.abc import Iterable
from itertools import product
from multiprocessing import get_context
from random import Random
from time import process_time

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.scene import Scene, SceneCard, SceneLight
from tests.bench.measured import Measured
from tests.hardware.twin.levels import with_noise
from tests.vision.grounds import GROUNDS, draw_on_ground, table_on
from tests.vision.rendered_tables import templates_from_artwork
from tests.vision.slanted_views import camera_beside, seen_from
from tests.vision.table_sequences import both_faces, lay_apart
from vision.process.free_cards import Sought, show_cards
from vision.process.messages import CardsShown, ShowCards
from vision.table.calibration import to_table
from vision.table.card_plane import aligned
from vision.table.optics import CAMERAS, made_smaller
from vision.table.values import Calibration

KNOWN, UNKNOWN = "coup", "piquet"
DECKS = {"a known deck": (KNOWN, (63.0, 88.0)), "an unknown deck": (UNKNOWN, (63.0, 88.0)),
         "an unknown deck of 56 x 87 mm": (UNKNOWN, (56.0, 87.0))}  # fmt: skip
HARD = {"newspaper", "white"}
"""Grounds on which cards of an unknown deck have hardly an edge."""
ANGLES = (0, 20, 40, 55)
CAMERA = "usb 720p"
SHARES = {"1280 x 720": 1.0, "640 x 480": 0.5}
NOISY = "640 x 480"
AT_CARDS, BESIDE, SCALE = 6.0, 25.0, 0.04
"""Errors from which on a table is wrong: millimetres at the cards and 25 cm beside them, and share of scale."""
AROUND = 250.0
NEAR = 12.0  # pixels within which an outline's middle is a card's


class Shown(Struct, frozen=True):
    """What a picture of four or six cards gave."""

    ground: str
    camera: str
    angle: int
    deck: str
    laid: str
    is_offered: bool
    is_wrong: bool
    false: int  # outlines that are no card
    seconds: float


def tables(every: int = 1, seed: int = 5, processes: int = 2) -> Measured:
    """Tables found by four cards: each ground, camera and angle, with known and unknown decks."""
    every_job = list(product(GROUNDS, SHARES, ANGLES, DECKS, ("apart", "careless"), (seed,)))
    jobs = Random(seed).sample(every_job, len(every_job) // every)
    with get_context("spawn").Pool(processes) as pool:
        found = pool.starmap(show_picture, jobs, chunksize=4)
    wrong = [each for each in found if each.is_wrong]
    return Measured(dict(_rows(found)), tuple(map(str, wrong)), "a wrong table is offered" if wrong else "")


def _rows(found: list[Shown]) -> Iterable[tuple[str, str]]:
    for deck, laid in product(DECKS, ("apart", "careless")):
        some = [each for each in found if (each.deck, each.laid) == (deck, laid)]
        usual = [each for each in some if each.angle in {20, 40}]
        soft = [each for each in usual if each.ground not in HARD]
        name = f"{deck}, {laid}"
        yield f"{name}: offered at 20 and 40 degrees", f"{_offered(usual)} of {len(usual)}"
        yield f"{name}: the same without newspaper and white", f"{_offered(soft)} of {len(soft)}"
        yield f"{name}: offered at all angles, wrong", f"{_offered(some)} of {len(some)}, {_wrong(some)}"
        yield f"{name}: false outlines", str(sum(each.false for each in some))
    for ground in GROUNDS:
        some = [each for each in found if each.ground == ground]
        yield f"{ground}: offered, wrong", f"{_offered(some)} of {len(some)}, {_wrong(some)}"
    yield "seconds of this machine", f"{np.median([each.seconds for each in found]):.2f}"


def _offered(some: Iterable[Shown]) -> int:
    return sum(each.is_offered for each in some)


def _wrong(some: Iterable[Shown]) -> int:
    return sum(each.is_wrong for each in some)


def show_picture(ground: str, camera: str, angle: int, deck: str, laid: str, seed: int) -> Shown:
    cv2.setNumThreads(1)
    scene = _scene(ground, camera, angle, deck, laid, seed)
    picture, empty = draw_on_ground(scene, ground, both_faces), None
    if DECKS[deck][0] == UNKNOWN:
        bare = draw_on_ground(replace(scene, cards=()), ground, both_faces)
        # the camera may expose it otherwise
        empty = np.asarray(np.clip(bare * Random(f"{ground} {angle}").uniform(0.93, 1.07), 0, 255), np.uint8)
    if camera == NOISY:
        picture = with_noise(picture, Random(seed))
        empty = None if empty is None else with_noise(empty, Random(seed + 1))
    start = process_time()
    shown = show_cards(picture, Sought({KNOWN: templates_from_artwork(KNOWN)}, empty), ShowCards(), None)
    seconds = process_time() - start
    is_wrong = shown.table is not None and is_wrong_table(shown.table, scene)
    false = _false_outlines(shown, scene)
    return Shown(ground, camera, angle, deck, laid, shown.table is not None, is_wrong, false, round(seconds, 2))


def _scene(ground: str, camera: str, angle: int, deck: str, laid: str, seed: int) -> Scene:
    rng = default_rng([seed, angle, len(ground), len(laid)])
    optics = made_smaller(CAMERAS[CAMERA], SHARES[camera])
    lens = replace(camera_beside(optics, angle, 90 * SHARES[camera], seed + angle, noise=0.0), jpeg=0)
    name, size = DECKS[deck]
    faces = rng.permutation(list(PRINTED[name].faces))[: 4 if laid == "apart" else 6].tolist()
    laid_apart = lay_apart([face if name == KNOWN else f"{name}/{face}" for face in faces], rng)
    cards = tuple(replace(card, size=size) for card in laid_apart)
    if laid == "careless":
        # two lie over others, one is pushed against its neighbour
        cards = (
            *cards[:4],
            *(_over(card, cards[place], rng.uniform(20, 60)) for place, card in enumerate(cards[4:])),
        )
    return Scene(lens, table_on(ground, seed), SceneLight(), cards, seed=seed)


def _over(card: SceneCard, other: SceneCard, apart: float) -> SceneCard:
    return replace(card, x=other.x + apart, y=other.y + apart / 2)


def is_wrong_table(table: Calibration, scene: Scene) -> bool:
    """Compare places on the found table with the true ones, wherever its origin is."""
    middles = np.array([(card.x, card.y) for card in scene.cards])
    true = np.vstack([middles + offset for offset in ((0, 0), (20, 0), (0, 20))])
    beside = np.vstack([middles + AROUND * np.array(way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))])
    pixels, pixels_beside = (seen_from(scene.camera, each) for each in (true, beside))
    table = aligned(table, pixels, true)
    found, found_beside = to_table(table, pixels), to_table(table, pixels_beside)
    scale = np.linalg.norm(found - found.mean(0)) / np.linalg.norm(true - true.mean(0))
    at_cards, around = np.hypot(*(found - true).T).max(), np.hypot(*(found_beside - beside).T).max()
    return bool(abs(scale - 1) > SCALE or at_cards > AT_CARDS or around > BESIDE)


def _false_outlines(shown: CardsShown, scene: Scene) -> int:
    places = seen_from(scene.camera, np.array([(card.x, card.y) for card in scene.cards]))
    middles = [np.mean(outline, axis=0) for outline in shown.outlines]
    return sum(float(np.hypot(*(places - middle).T).min()) > NEAR for middle in middles)

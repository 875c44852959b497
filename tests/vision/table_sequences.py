"""Sequences of pictures from one camera above a table: cards, hands and light change; the camera may move.

Grounds (`grounds.py`) are woven, checked and tufted cloths, too: a pattern repeats itself, and plain ground
shows little.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, radians, sin

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight
from hardware.twin.rendering.surfaces import cloud
from tests.hardware.twin.levels import aim_camera, around_zero
from tests.vision.grounds import draw_on_ground, table_on
from tests.vision.slanted_views import camera_beside
from vision.table.optics import CAMERAS

DECK, OTHER = "coup", "piquet"
"""The deck that is read, and one whose cards are unknown."""
GROUNDS = ("wood", "felt", "white", "cloth", "gingham", "carpet")
PLACES = ((-115.0, -75.0), (5.0, -85.0), (120.0, -60.0), (-100.0, 55.0), (20.0, 50.0), (125.0, 70.0))
NOISE, QUALITY = 3.0, 85
SECOND = 15  # pictures
LOOKED_AT = 4 * SECOND  # pictures after each change: all that is read must be read by then


class Shot(Struct, frozen=True):
    """Pictures of one scene; the light changes from one strength to another."""

    scene: Scene
    pictures: int
    light: tuple[float, float] = (1.0, 1.0)
    slope: float = 0.0  # how much darker the left edge is than the right one
    is_covered: bool = False  # something is held over the table


class TableSequence(Struct, frozen=True):
    """What happens at a table: shots from the first one on, which shows it at rest."""

    event: str
    ground: str
    shots: tuple[Shot, ...]
    is_jpeg: bool
    seed: int

    @property
    def is_moved(self) -> bool:
        return self.shots[-1].scene.camera != self.shots[0].scene.camera


def both_faces(name: str) -> Pixels:
    deck, _slash, face = name.rpartition("/")
    return _faces(deck or DECK)(face)


_faces = cache(faces_of)


# what happens


def sequences(count: int, seed: int) -> Iterator[TableSequence]:
    """Yield sequences of all events in turn, each on the next ground."""
    for number in range(count):
        event = EVENTS[number % len(EVENTS)]
        ground = GROUNDS[(number + number // len(EVENTS)) % len(GROUNDS)]
        yield _sequence(event, ground, number, seed)


def _sequence(event: str, ground: str, number: int, seed: int) -> TableSequence:
    rng = default_rng([seed, number])
    start = _first_scene(ground, rng)
    shots = (
        (Shot(start, 3 * SECOND), *_STILL[event](start, rng)) if event in _STILL else _moved(event, start, rng)
    )
    return TableSequence(event, ground, tuple(shots), is_jpeg=bool(number % 2), seed=seed + number)


def _first_scene(ground: str, rng: Generator) -> Scene:
    angle, across = float(rng.choice([0, 20, 35, 45])), float(rng.uniform(82, 100))
    camera = camera_beside(CAMERAS["usb 720p"], angle, across, int(rng.integers(1000)), noise=0.0)
    table = table_on(ground, int(rng.integers(4)))
    light = SceneLight(daylight=float(rng.uniform(0.3, 0.7)), day_from=float(rng.uniform(0, 360)))
    faces = rng.permutation(list(PRINTED[DECK].faces))[:4]
    return Scene(
        replace(camera, jpeg=0), table, light, lay_apart(faces.tolist(), rng), seed=int(rng.integers(1000))
    )


def lay_apart(faces: Sequence[str | None], rng: Generator) -> tuple[SceneCard, ...]:
    places = rng.permutation(len(PLACES))[: len(faces)]
    return tuple(
        SceneCard(face, PLACES[place][0] + around_zero(rng, 8), PLACES[place][1] + around_zero(rng, 8),
                  float(rng.uniform(-20, 20) if PLACES[place][1] < 0 else rng.uniform(160, 200)))
        for face, place in zip(faces, places, strict=True)
    )  # fmt: skip


def _reaching(scene: Scene, pictures: int, rng: Generator, **changes: tuple[float, float]) -> Shot:
    """Show a hand that reaches in from below or from a side."""
    side = float(rng.choice([0.0, 90.0, 270.0]))
    hand = Hand(around_zero(rng, 70), around_zero(rng, 50), side + around_zero(rng, 20))
    return Shot(replace(scene, hands=(hand,)), pictures, **changes)


def _take_one_by_one(start: Scene, rng: Generator) -> Iterator[Shot]:
    cards = start.cards
    while cards:
        cards = cards[1:]
        then = replace(start, cards=cards)
        yield _reaching(then, 6, rng)
        yield Shot(then, LOOKED_AT)


def _take_all(start: Scene, rng: Generator) -> Iterator[Shot]:
    bare = replace(start, cards=())
    yield _reaching(bare, 8, rng)
    yield Shot(bare, 2 * LOOKED_AT)
    yield _reaching(bare, 6, rng)
    yield Shot(replace(start, cards=lay_apart([each.face for each in start.cards], rng)), LOOKED_AT)


def _push(start: Scene, rng: Generator) -> Iterator[Shot]:
    for number in (0, 2):
        card = start.cards[number]
        pushed = replace(
            card, x=card.x + around_zero(rng, 30), y=card.y + around_zero(rng, 25), angle=card.angle + 15
        )
        start = replace(start, cards=tuple(pushed if each is card else each for each in start.cards))
        yield _reaching(start, 6, rng)
        yield Shot(start, LOOKED_AT)


def _push_all(start: Scene, rng: Generator) -> Iterator[Shot]:
    """All cards are pushed by both hands at once, as if the camera had moved."""
    x, y = around_zero(rng, 35), around_zero(rng, 30)
    pushed = replace(start, cards=tuple(replace(each, x=each.x + x, y=each.y + y) for each in start.cards))
    yield _reaching(pushed, 8, rng)
    yield Shot(pushed, LOOKED_AT)


def _relay(start: Scene, rng: Generator) -> Iterator[Shot]:
    for _again in range(2):
        away = replace(start, cards=start.cards[1:])
        yield _reaching(away, 6, rng)
        yield Shot(away, LOOKED_AT)
        card = replace(start.cards[0], x=around_zero(rng, 60), y=175.0, angle=start.cards[0].angle + 90)
        start = replace(start, cards=(*start.cards[1:], card))
        yield _reaching(start, 6, rng)
        yield Shot(start, LOOKED_AT)


def _unknown_cards(start: Scene, rng: Generator) -> Iterator[Shot]:
    names = rng.permutation(list(PRINTED[OTHER].faces))[:5].tolist()
    for faces in (names, names[:2], [], [start.cards[0].face]):
        laid = tuple(
            replace(each, deck="" if each.face in PRINTED[DECK].faces else OTHER)
            for each in lay_apart(faces, rng)
        )
        scene = replace(start, cards=laid)
        yield _reaching(scene, 6, rng)
        yield Shot(scene, LOOKED_AT)


def _resting_hand(start: Scene, rng: Generator) -> Iterator[Shot]:
    yield _reaching(start, 4 * SECOND, rng)
    yield Shot(start, LOOKED_AT)


def _dim(start: Scene, rng: Generator) -> Iterator[Shot]:
    dark = float(rng.uniform(0.45, 0.6))
    fewer = replace(start, cards=start.cards[1:])
    yield Shot(start, 2 * SECOND, (1.0, dark))
    yield Shot(start, LOOKED_AT, (dark, dark))
    yield _reaching(fewer, 6, rng, light=(dark, dark))
    yield Shot(fewer, LOOKED_AT, (dark, dark))
    yield Shot(start, LOOKED_AT, (0.8, 0.8))


def _lamp(start: Scene, _rng: Generator) -> Iterator[Shot]:
    yield Shot(start, LOOKED_AT, (0.85, 0.85), slope=0.45)
    fewer = replace(start, cards=start.cards[:3])
    yield Shot(fewer, LOOKED_AT, (0.85, 0.85), slope=0.45)
    yield Shot(fewer, LOOKED_AT)


def _cover(start: Scene, _rng: Generator) -> Iterator[Shot]:
    yield Shot(start, 3 * SECOND, is_covered=True)
    yield Shot(start, LOOKED_AT)


_STILL = {
    "take one by one": _take_one_by_one,
    "take all": _take_all,
    "push": _push,
    "push all": _push_all,
    "relay": _relay,
    "unknown cards": _unknown_cards,
    "resting hand": _resting_hand,
    "dim": _dim,
    "lamp": _lamp,
    "cover": _cover,
}
NUDGES = {
    "5 mm": (5, 0),
    "12 mm": (12, 1),
    "30 mm": (30, 3),
    "60 mm": (60, 12),
    "1 degree": (0, 1),
    "turn": (0, 10),
}
MOVES = (*NUDGES, "unknown cards", "with a card", "fall", "empty table")
EVENTS = (*_STILL, *(f"moved: {each}" for each in MOVES))


def _moved(event: str, start: Scene, rng: Generator) -> Iterator[Shot]:
    how = event.removeprefix("moved: ")
    shift, turn = NUDGES.get(how, (40, 8) if how == "fall" else (18, 2))
    there, after = _nudged(start.camera, shift, turn, rng, is_fall=how == "fall"), start.cards
    yield Shot(start, 3 * SECOND)
    if how == "unknown cards":
        names = rng.permutation(list(PRINTED[OTHER].faces))[:4].tolist()
        after = tuple(replace(each, deck=OTHER) for each in lay_apart(names, rng))
    if how == "empty table":
        after = ()
    if after is not start.cards:
        start = replace(start, cards=after)
        yield _reaching(start, 6, rng)
        yield Shot(start, LOOKED_AT)
    if how == "with a card":
        # a card is laid while the camera is nudged
        after = (*after, SceneCard(after[0].face, 0.0, 175.0, 90.0))
    then = replace(start, camera=there, cards=after)
    yield _reaching(then, 5, rng)
    yield Shot(then, 2 * LOOKED_AT)


def _nudged(camera: SceneCamera, shift: float, turn: float, rng: Generator, *, is_fall: bool) -> SceneCamera:
    way = rng.uniform(0, 360)
    x, y, z = camera.at
    moved = replace(
        camera,
        at=(x + shift * cos(radians(way)), y + shift * sin(radians(way)), z * (0.93 if is_fall else 1.0)),
        pan=camera.pan + turn * float(rng.choice([-1, 1])),
        tilt=camera.tilt + (around_zero(rng, turn / 4)),
        roll=camera.roll + around_zero(rng, turn / 6),
    )
    if is_fall:
        # it looks at another part of the table
        return aim_camera(moved, around_zero(rng, 60), around_zero(rng, 40))
    return aim_camera(moved, shift * cos(radians(way)), shift * sin(radians(way)))


# pictures


def pictures_of(sequence: TableSequence) -> Iterator[tuple[Shot, Pixels]]:
    """Yield a sequence's pictures, each with new noise."""
    rng = default_rng([sequence.seed, 5])
    shape = _rendered(sequence.shots[0].scene, sequence.ground).shape
    fields = [rng.standard_normal(shape, np.float32) * NOISE for _field in range(3)]
    for shot in sequence.shots:
        bare = _covered(shape, sequence.seed) if shot.is_covered else _rendered(shot.scene, sequence.ground)
        slope = np.linspace(1 - shot.slope, 1, shape[1], dtype=np.float32)[:, None]
        for number in range(shot.pictures):
            light = np.float32(np.interp(number, (0, max(1, shot.pictures - 1)), shot.light))
            noise = np.roll(fields[int(rng.integers(3))], rng.integers(0, 400, 2), (0, 1))
            seen = np.asarray(np.clip(bare * (slope * light) + noise, 0, 255), np.uint8)
            if sequence.is_jpeg:
                packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
                seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
            yield shot, seen


@cache
def _rendered(scene: Scene, ground: str) -> Pixels:
    return draw_on_ground(scene, ground, both_faces)


def _covered(shape: tuple[int, ...], seed: int) -> Pixels:
    """Draw a book that is held over the table."""
    rng = default_rng([seed, 9])
    plain = np.full(shape, rng.uniform(60, 150), np.float32) + cloud(rng, shape[:2], 200, 90)[..., None] * 4
    lines = np.zeros(shape[:2], np.uint8)
    for y in range(80, shape[0] - 80, 46):
        cv2.putText(lines, "the quick brown fox jumps", (120, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 2)
    plain[lines > 0] = 20
    return np.asarray(np.clip(plain, 0, 255), np.uint8)

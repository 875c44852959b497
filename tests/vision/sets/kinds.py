"""The kinds of photographs that are hardest to read: how each deck was taught, and what lies where.

Everything follows from a seed. Taught and read are never the same picture: other cards of the same face, other
places, light and cameras.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.scene import Colour, Scene, SceneCamera, SceneCard, SceneTable, Surface
from tests.hardware.twin.layouts import move_cards, overlap_area, stack_cards
from tests.hardware.twin.levels import L0, Level, aim_camera, random_scene
from tests.hardware.twin.truth import Frame, frame_of
from tests.vision.sets.drawn_decks import DrawnDeck
from tests.vision.sets.wear import MARK, sleeved_card, worn_card

Lay = Callable[[Sequence[str], tuple[float, float], Generator], tuple[SceneCard, ...]]
Top = tuple[Surface, Colour | None]

BLACK_CLOTH: Top = ("felt", (30.0, 28.0, 27.0))
CLOTH: Top = ("felt", None)
BLUE_CLOTH: Top = ("felt", (110.0, 60.0, 36.0))
WOOD: Top = ("wood", None)
DARK_WOOD: Top = ("wood", (44.0, 56.0, 78.0))
WHITE: Top = ("light", (232.0, 235.0, 236.0))

PHONE = (1600, 1200)
NEAR = (960, 720)  # the sizes of pictures: of a table, and of one card that is taught


class Teaching(Struct, frozen=True):
    """How a deck was taught: so many photographs a card, without a sleeve."""

    pictures: int
    top: Top
    level: Level = L0


class Kind(Struct, frozen=True):
    """A kind of photographs."""

    name: str
    deck: Callable[[], DrawnDeck]
    teaching: Teaching
    lay: Lay
    tops: tuple[Top, ...]
    photographs: int
    cards: tuple[int, int]  # the fewest and the most cards in a photograph
    level: Level = L0
    tilt: tuple[float, float] = (0.0, 20.0)
    far: tuple[float, float] = (450.0, 620.0)
    taught: int | None = None  # so many faces of the deck are taught; the others are strangers
    strangers: float = 0.0  # the share of strangers among the cards
    wear: float = 0.3
    sleeve: float = 0.0  # how much wider than a card its sleeve is, on each side, in millimetres


def _scattered(
    groups: list[tuple[SceneCard, ...]], room: tuple[float, float], rng: Generator
) -> tuple[SceneCard, ...]:
    """Lay groups of cards apart from each other in a room; leave out what finds no place."""
    lying: tuple[SceneCard, ...] = ()
    for some in groups:
        for _try in range(60):
            x, y = (float(rng.uniform(-side, side) / 2) for side in room)
            there = move_cards(some, x, y, float(rng.uniform(0, 360)))
            inside = all(abs(card.x) < room[0] / 2 and abs(card.y) < room[1] / 2 for card in there)
            wider = (replace(card, size=(card.size[0] + 6, card.size[1] + 6)) for card in lying)
            if inside and not any(overlap_area(a, b) for a in wider for b in there):
                lying += there
                break
    return lying


def lay_apart(names: Sequence[str], size: tuple[float, float], rng: Generator) -> tuple[SceneCard, ...]:
    room = (260.0 * size[1] / 88, 180.0 * size[1] / 88)
    return _scattered([(SceneCard(name, 0, 0, size=size),) for name in names], room, rng)


def lay_half_covered(names: Sequence[str], size: tuple[float, float], rng: Generator) -> tuple[SceneCard, ...]:
    """Lay tricks of two to four cards, each crossing the lower half of the one before."""
    groups: list[tuple[SceneCard, ...]] = []
    rest = list(names)
    while rest:
        count = int(rng.integers(2, 4))
        groups.append(_trick([rest.pop() for _card in range(min(count, len(rest)))], size, rng))
    return _scattered(groups, (250.0, 150.0), rng)


def _trick(names: Sequence[str], size: tuple[float, float], rng: Generator) -> tuple[SceneCard, ...]:
    cards: list[SceneCard] = []
    x, y, angle = 0.0, 0.0, 0.0
    for name in names:
        cards.append(SceneCard(name, x, y, angle, size=size))
        down = np.radians(angle)
        off = size[1] * float(rng.uniform(0.42, 0.6))
        x, y = x - off * float(np.sin(down)), y + off * float(np.cos(down))
        angle = (angle + float(rng.choice((70, 90, 110, -80, -100))) + float(rng.normal(0, 8))) % 360
    return stack_cards(tuple(cards))


def photograph(kind: Kind, names: Sequence[str], seed: int, lay: Lay, top: Top, level: Level) -> Frame:
    rng = default_rng([11, seed])
    deck = kind.deck()
    held = tuple(side + 2 * kind.sleeve for side in deck.size)
    marked = [f"{name}{MARK}{seed}-{i}" for i, name in enumerate(names)]
    cards = lay(marked, (held[0], held[1]), rng)
    bare = SceneTable(top[0], top[1], plates=(), grain=seed % 4)
    scene = random_scene(level, lambda _faces, _rng: cards, (), seed, bare)
    return frame_of(replace(scene, camera=_held_camera(scene, kind, rng, cards)), _cards_of(kind, top))


def _held_camera(scene: Scene, kind: Kind, rng: Generator, cards: Sequence[SceneCard]) -> SceneCamera:
    """Hold a phone over the cards, as far and as steep as the kind asks."""
    one = len(cards) == 1
    size, tilt, far = (NEAR, (0.0, 12.0), (150.0, 230.0)) if one else (PHONE, kind.tilt, kind.far)
    camera = replace(
        scene.camera,
        resolution=size,
        focal=0.82 * size[0],
        off_centre=(0.0, 0.0),
        tilt=float(rng.uniform(*tilt) * rng.choice((-1, 1))),
        roll=float(rng.uniform(-5, 5)),
        pan=float(rng.uniform(-8, 8)),
        at=(0.0, 0.0, float(rng.uniform(*far))),
    )
    x, y = np.mean([(card.x, card.y) for card in cards], axis=0).tolist()
    return aim_camera(camera, x, y)


@lru_cache(maxsize=64)
def _cards_of(kind: Kind, top: Top) -> Callable[[str], Pixels]:
    """Give the picture of each single card: its face, worn in its own way, in its own sleeve."""
    deck, table = kind.deck(), top[1] or (90.0, 100.0, 100.0)

    def card(name: str) -> Pixels:
        face, _mark, number = name.partition(MARK)
        seed = sum(ord(sign) * 31**k for k, sign in enumerate(number)) % 2**31
        worn = worn_card(deck.face(face), seed, kind.wear)
        return sleeved_card(worn, seed, kind.sleeve, table) if kind.sleeve else worn

    return card


def faces_of(kind: Kind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the faces that are taught, and the strangers."""
    names = list(kind.deck().faces)
    default_rng(5).shuffle(names)
    most = kind.taught or len(names)
    return tuple(sorted(names[:most])), tuple(sorted(names[most:]))


def taught_pictures(kind: Kind) -> Iterator[tuple[str, Pixels]]:
    teaching, bare = kind.teaching, replace(kind, sleeve=0.0)
    for number, name in enumerate(faces_of(kind)[0]):
        for i in range(teaching.pictures):
            seed = 500_000 + 10 * number + i
            frame = photograph(bare, [name], seed, _lay_upright, teaching.top, teaching.level)
            yield f"{name}__{i}.png", frame.picture


def _lay_upright(names: Sequence[str], size: tuple[float, float], rng: Generator) -> tuple[SceneCard, ...]:
    return (SceneCard(names[0], float(rng.uniform(-8, 8)), 0.0, float(rng.uniform(-6, 6)), size=size),)


def read_photographs(kind: Kind, first: int = 0) -> Iterator[Frame]:
    known, strangers = faces_of(kind)
    for number in range(first, first + kind.photographs):
        rng = default_rng([13, number])
        count = int(rng.integers(kind.cards[0], kind.cards[1] + 1))
        foreign = round(count * kind.strangers)
        names = [*rng.choice(known, count - foreign, replace=False).tolist()]
        names += rng.choice(strangers, foreign, replace=False).tolist() if foreign else []
        rng.shuffle(names)
        top = kind.tops[number % len(kind.tops)]
        yield photograph(kind, names, 1000 + number, kind.lay, top, kind.level)


def face_in(truth: str | None) -> str:
    return (truth or "").partition(MARK)[0]

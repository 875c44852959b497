"""Plays at a rendered table: hands lay, cover, slide, take and gather cards, and what lies there after each."""

from collections.abc import Iterator
from math import hypot
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.twin.rendering.motions import (
    AWAY,
    BEAT,
    arm_for,
    card_in_hand,
    draw_back,
    ease,
    scene_while_laying,
)
from hardware.twin.rendering.scene import Hand, Scene, SceneCard

Kind = Literal["lay", "cover", "slide", "take", "gather"]
WEIGHTS: dict[Kind, int] = {"lay": 6, "cover": 3, "slide": 2, "take": 2, "gather": 1}
"""How often each kind is played."""
FRAMES = 24
"""Frames from before a hand comes until after it is gone."""
MOST, FEW = 7, 3
"""Cards on the table at most; cards that are worth gathering."""
ACROSS, DOWN = 200.0, 120.0
"""Millimetres from the middle within which cards are laid."""
APART = 112.0
"""Millimetres between the middles of cards that don't touch."""
OVER = (26.0, 50.0)
"""Millimetres between the middles of cards that cover each other."""
TRIES = 200
REACH, LEAVE = 0.3, 0.65
"""The parts of the time in which a hand that moves cards has come, and goes."""
THIN = 0.3
"""How thick a card is."""


class Play(Struct, frozen=True):
    """A play: its kind, the table while hands are at it, and the cards that lie there afterwards."""

    kind: Kind
    scenes: tuple[Scene, ...]
    after: Scene


def random_plays(scene: Scene, faces: tuple[str, ...], rng: Random) -> Iterator[Play]:
    """Play on and on; a face lies on the table once at most."""
    while True:
        play = _random_play(scene, faces, rng)
        yield play
        scene = play.after


def _random_play(scene: Scene, faces: tuple[str, ...], rng: Random) -> Play:
    kinds = [kind for kind in WEIGHTS if _can_be_played(kind, scene)]
    (kind,) = rng.choices(kinds, [WEIGHTS[kind] for kind in kinds])
    left = [face for face in faces if face not in {card.face for card in scene.cards}]
    match kind:
        case "lay" | "cover":
            card = _new_card(scene, rng.choice(left), rng, is_covering=kind == "cover")
            return _laying(kind, scene, card, rng)
        case "take":
            return _taking(scene, rng.choice(_uppermost(scene)), rng)
        case "slide":
            card = rng.choice(_uppermost(scene))
            return _sliding(scene, card, _new_card(_without(scene, card), card.face or "", rng), rng)
        case "gather":
            return _gathering(scene, rng)


def _can_be_played(kind: Kind, scene: Scene) -> bool:
    match kind:
        case "lay":
            return len(scene.cards) < MOST
        case "cover":
            return 0 < len(scene.cards) < MOST
        case "gather":
            return len(scene.cards) >= FEW
        case _:
            return len(scene.cards) > 0


def _new_card(scene: Scene, face: str, rng: Random, *, is_covering: bool = False) -> SceneCard:
    """Choose a place for a card: free, or over an uppermost card; over one, too, where none is free."""
    for _try in range(TRIES if not is_covering else 0):
        x, y = rng.uniform(-ACROSS, ACROSS), rng.uniform(-DOWN, DOWN)
        if all(hypot(x - card.x, y - card.y) > APART for card in scene.cards):
            return SceneCard(face, x, y, rng.uniform(0, 360), THIN)
    below, (least, most) = rng.choice(_uppermost(scene)), OVER
    far = rng.uniform(least, most)
    way = rng.uniform(-1, 1)
    x, y = below.x + far * way, below.y + far * (1 - abs(way)) * rng.choice((-1, 1))
    return SceneCard(face, x, y, below.angle + rng.uniform(-30, 30), below.height + THIN)


def _uppermost(scene: Scene) -> list[SceneCard]:
    """List the cards that no later one touches."""
    return [
        card
        for place, card in enumerate(scene.cards)
        if all(hypot(card.x - other.x, card.y - other.y) > APART for other in scene.cards[place + 1 :])
    ]


def _without(scene: Scene, *taken: SceneCard) -> Scene:
    return replace(scene, cards=tuple(card for card in scene.cards if card not in taken))


def _in_time(scenes: Iterator[Scene], start: float) -> tuple[Scene, ...]:
    return tuple(replace(scene, time=start + number * BEAT) for number, scene in enumerate(scenes))


def _arm(card: SceneCard, rng: Random) -> tuple[Hand, float]:
    return arm_for(card, default_rng(rng.getrandbits(32))), rng.uniform(-20, 20)


def _laying(kind: Kind, scene: Scene, card: SceneCard, rng: Random) -> Play:
    hand, turned = _arm(card, rng)
    scenes = (scene_while_laying(scene, card, hand, turned, part / FRAMES) for part in range(FRAMES))
    return Play(kind, _in_time(scenes, scene.time), replace(scene, cards=(*scene.cards, card)))


def _taking(scene: Scene, card: SceneCard, rng: Random) -> Play:
    """Take a card: laying it, backwards."""
    left, (hand, turned) = _without(scene, card), _arm(card, rng)
    scenes = (scene_while_laying(left, card, hand, turned, 1 - part / FRAMES) for part in range(FRAMES))
    return Play("take", _in_time(scenes, scene.time), left)


def _sliding(scene: Scene, card: SceneCard, there: SceneCard, rng: Random) -> Play:
    left, (hand, _turned) = _without(scene, card), _arm(card, rng)

    def at(part: float) -> Scene:
        moved = ease((part - REACH) / (LEAVE - REACH))
        now = replace(
            there,
            x=card.x + moved * (there.x - card.x),
            y=card.y + moved * (there.y - card.y),
            angle=card.angle + moved * (there.angle - card.angle),
        )
        held = replace(hand, x=hand.x + now.x - card.x, y=hand.y + now.y - card.y)
        return replace(left, cards=(*left.cards, now), hands=(draw_back(held, _distance(part)),))

    after = replace(left, cards=(*left.cards, there))
    return Play("slide", _in_time(map(at, _parts()), scene.time), after)


def _gathering(scene: Scene, rng: Random) -> Play:
    """Sweep all cards into a heap, and take it away."""
    last = scene.cards[-1]
    hand, turned = _arm(last, rng)

    def at(part: float) -> Scene:
        swept, away = ease((part - REACH) / (LEAVE - REACH)), _distance(part)
        heap = tuple(
            replace(
                card,
                x=card.x + swept * (last.x - card.x),
                y=card.y + swept * (last.y - card.y),
                height=THIN * (place + 1),
            )
            for place, card in enumerate(scene.cards)
        )
        if part > LEAVE:
            heap = tuple(card_in_hand(card, hand, away, turned) for card in heap)
        return replace(scene, cards=heap, hands=(draw_back(hand, away),))

    return Play("gather", _in_time(map(at, _parts()), scene.time), replace(scene, cards=()))


def _parts() -> Iterator[float]:
    return (frame / FRAMES for frame in range(FRAMES))


def _distance(part: float) -> float:
    """Tell how far a hand that moves cards is drawn back: it comes, stays at them, and goes."""
    coming, going = 1 - ease(part / REACH), ease((part - LEAVE) / (1 - LEAVE))
    return AWAY * (coming if part < LEAVE else going)

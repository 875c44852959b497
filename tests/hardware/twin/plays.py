"""Plays at a rendered table: moves of cards by hands, and the resulting cards.

Cards are placed, covered, moved, turned, shuffled, flipped, removed and gathered.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from random import Random
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.scene import Hand, Scene, SceneCard
from tests.hardware.twin.levels import SKINS, SLEEVES

Kind = Literal["lay", "cover", "slide", "turn", "turn over", "shuffle", "take", "gather"]
WEIGHTS: dict[Kind, int] = dict(zip(get_args(Kind), (12, 6, 4, 2, 2, 2, 4, 2), strict=True))
"""Relative frequency of each kind."""
FRAMES = 24  # frames from before a hand appears until after it is gone
MOST, FEW = 7, 3  # maximum cards on the table; minimum cards to gather
FACE_DOWN = 2  # maximum cards face down
SHUFFLED = 4  # maximum cards to shuffle
ACROSS, DOWN = 200.0, 120.0  # mm from the middle within which cards are placed
APART = 112.0  # mm between the centres of cards that don't touch
OVER = (26.0, 50.0)  # mm between the centres of overlapping cards
TRIES = 200
REACH, LEAVE = 0.3, 0.65
"""Shares of the time at which a moving hand has arrived, and leaves."""
THIN = 0.3  # thickness of a card in mm

BEAT = 1 / 15  # seconds per frame
AWAY = 620.0  # how far an arm is withdrawn until it is out of the picture
GRIP = 100.0  # distance from the palm to the fingertips on a card
ABOVE = 26.0  # height in mm at which a card is carried
# shares of the time at which the hand has arrived, released the card, and left
CAME, LET_GO, GONE = 0.35, 0.5, 0.8


class Play(Struct, frozen=True):
    """A play: its kind, the table during it, and the resulting cards."""

    kind: Kind
    scenes: tuple[Scene, ...]
    after: Scene


def random_plays(scene: Scene, faces: tuple[str, ...], rng: Random) -> Iterator[Play]:
    """Yield plays endlessly; no face is on the table twice."""
    while True:
        play = _random_play(scene, faces, rng)
        yield play
        scene = play.after


def _random_play(scene: Scene, faces: tuple[str, ...], rng: Random) -> Play:
    left = [face for face in faces if face not in {card.face for card in scene.cards}]
    kinds = [kind for kind in WEIGHTS if _can_be_played(kind, scene, left)]
    (kind,) = rng.choices(kinds, [WEIGHTS[kind] for kind in kinds])
    card = rng.choice(_uppermost(scene)) if scene.cards else None
    match kind:
        case "take" if card is not None:
            return _taking(scene, card, rng)
        case "slide" if card is not None:
            return _moving(kind, scene, {card: _new_card(_without(scene, card), card.face, rng)}, rng)
        case "turn" if card is not None:
            return _moving(kind, scene, {card: replace(card, angle=card.angle + _turn(rng))}, rng)
        case "turn over":
            return _turning_over(scene, rng.choice(_that_can_be_turned_over(scene)), left, rng)
        case "shuffle":
            return _shuffling(scene, rng)
        case "gather":
            return _gathering(scene, rng)
    return _laying(kind, scene, _new_card(scene, rng.choice(left), rng, is_covering=kind == "cover"), rng)


def _can_be_played(kind: Kind, scene: Scene, left: Sequence[str]) -> bool:
    match kind:
        case "lay":
            return len(scene.cards) < MOST and bool(left)
        case "cover":
            return 0 < len(scene.cards) < MOST and bool(left)
        case "gather":
            return len(scene.cards) >= FEW
        case "shuffle":
            return len(_uppermost(scene)) > 1
        case "turn over":
            return bool(left) and bool(_that_can_be_turned_over(scene))
        case _:
            return len(scene.cards) > 0


def _that_can_be_turned_over(scene: Scene) -> list[SceneCard]:
    down = sum(card.face is None for card in scene.cards)
    return [card for card in _uppermost(scene) if card.face is None or down < FACE_DOWN]


def _turn(rng: Random) -> float:
    return rng.choice((-1, 1)) * rng.uniform(30, 180)


def _new_card(scene: Scene, face: str | None, rng: Random, *, is_covering: bool = False) -> SceneCard:
    """Choose a free place for a card, or one over an uppermost card."""
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
    """Remove a card: placing it, backwards."""
    left, (hand, turned) = _without(scene, card), _arm(card, rng)
    scenes = (scene_while_laying(left, card, hand, turned, 1 - part / FRAMES) for part in range(FRAMES))
    return Play("take", _in_time(scenes, scene.time), left)


def _moving(kind: Kind, scene: Scene, moves: Mapping[SceneCard, SceneCard], rng: Random) -> Play:
    left = _without(scene, *moves)
    hands = [_arm(card, rng)[0] for card in moves]

    def at(part: float) -> Scene:
        moved, away = ease((part - REACH) / (LEAVE - REACH)), _distance(part)
        now = [_on_the_way(card, there, moved) for card, there in moves.items()]
        held = (
            replace(hand, x=hand.x + new.x - card.x, y=hand.y + new.y - card.y)
            for hand, card, new in zip(hands, moves, now, strict=True)
        )
        return replace(left, cards=(*left.cards, *now), hands=tuple(withdrawn(hand, away) for hand in held))

    after = replace(left, cards=(*left.cards, *moves.values()))
    return Play(kind, _in_time(map(at, _parts()), scene.time), after)


def _on_the_way(card: SceneCard, there: SceneCard, moved: float) -> SceneCard:
    return replace(
        there,
        x=card.x + moved * (there.x - card.x),
        y=card.y + moved * (there.y - card.y),
        angle=card.angle + moved * (there.angle - card.angle),
    )


def _shuffling(scene: Scene, rng: Random) -> Play:
    upper = _uppermost(scene)
    moved = rng.sample(upper, rng.randint(2, min(SHUFFLED, len(upper))))
    lying, moves = _without(scene, *moved), dict[SceneCard, SceneCard]()
    for card in moved:
        moves[card] = _new_card(lying, card.face, rng)
        lying = replace(lying, cards=(*lying.cards, moves[card]))
    return _moving("shuffle", scene, moves, rng)


def _turning_over(scene: Scene, card: SceneCard, faces: Sequence[str], rng: Random) -> Play:
    """Lift a card, flip it, and put it back; a face-down card is revealed only then."""
    over = replace(card, face=None if card.face is not None else rng.choice(faces))
    left, (hand, turned) = _without(scene, card), _arm(card, rng)

    def at(part: float) -> Scene:
        shown, done = (card, 1 - 2 * part) if part < 1 / 2 else (over, 2 * part - 1)
        return scene_while_laying(left, shown, hand, turned, done)

    after = replace(left, cards=(*left.cards, over))
    return Play("turn over", _in_time(map(at, _parts()), scene.time), after)


def _gathering(scene: Scene, rng: Random) -> Play:
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
        return replace(scene, cards=heap, hands=(withdrawn(hand, away),))

    return Play("gather", _in_time(map(at, _parts()), scene.time), replace(scene, cards=()))


def _parts() -> Iterator[float]:
    return (frame / FRAMES for frame in range(FRAMES))


def _distance(part: float) -> float:
    """Return how far a moving hand is withdrawn: it arrives, stays, and leaves."""
    coming, going = 1 - ease(part / REACH), ease((part - LEAVE) / (1 - LEAVE))
    return AWAY * (coming if part < LEAVE else going)


# moving hands


def ease(part: float) -> float:
    """Ease from 0 to 1: start and stop gently."""
    part = min(1.0, max(0.0, part))
    return part * part * (3 - 2 * part)


def still_scenes(scene: Scene, frames: int) -> tuple[Scene, ...]:
    return tuple(replace(scene, time=scene.time + i * BEAT) for i in range(frames))


def arm_for(card: SceneCard, rng: Generator) -> Hand:
    side = float(np.degrees(np.arctan2(-card.x, card.y + 60))) + float(rng.uniform(-25, 25))
    return Hand(
        *point_along_arm(card.x, card.y, side, GRIP),
        angle=side,
        left=bool(rng.integers(2)),
        curl=float(rng.uniform(0.25, 0.5)),
        spread=float(rng.uniform(0.0, 0.3)),
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=SLEEVES[int(rng.integers(len(SLEEVES)))],
        bare=float(rng.uniform(20, 120)),
    )


def point_along_arm(x: float, y: float, side: float, far: float) -> tuple[float, float]:
    turn = np.radians(side)
    return float(x - far * np.sin(turn)), float(y + far * np.cos(turn))


def withdrawn(hand: Hand, far: float) -> Hand:
    x, y = point_along_arm(hand.x, hand.y, hand.angle, far)
    return replace(hand, x=x, y=y, height=hand.height + 30 * far / AWAY)


def card_in_hand(card: SceneCard, hand: Hand, far: float, turned: float) -> SceneCard:
    x, y = point_along_arm(card.x, card.y, hand.angle, far)
    up = ease(far / 160)
    return replace(
        card, x=x, y=y, angle=card.angle + turned * up, height=card.height + ABOVE * up, lift=card.lift + 6 * up
    )


def scene_while_laying(scene: Scene, card: SceneCard, hand: Hand, turned: float, part: float) -> Scene:
    """Render a moment of placing a card; part is from 0 to 1."""
    if part >= GONE:
        return replace(scene, cards=(*scene.cards, card))
    if part >= CAME:
        far = AWAY * ease((part - LET_GO) / (GONE - LET_GO))
        return replace(scene, cards=(*scene.cards, card), hands=(*scene.hands, withdrawn(hand, far)))
    far = AWAY * (1 - ease(part / CAME))
    held = card_in_hand(card, hand, far, turned)
    return replace(scene, cards=(*scene.cards, held), hands=(*scene.hands, withdrawn(hand, far)))

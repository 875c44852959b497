"""Scenes over time: a still table, or a hand that lays a card and leaves."""

import numpy as np
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.levels import SKINS, SLEEVES
from hardware.twin.rendering.scene import Hand, Scene, SceneCard

BEAT = 1 / 15  # seconds from frame to frame
AWAY = 620.0  # how far an arm is drawn back until nothing of it is in the picture
GRIP = 100.0  # from the palm to where the fingertips hold a card
ABOVE = 26.0  # how high over the table a card is carried
# which part of the time goes by before: the hand has come, let go, gone
CAME, LET_GO, GONE = 0.35, 0.5, 0.8


def ease(part: float) -> float:
    """Ease from 0 to 1: start and stop gently."""
    part = min(1.0, max(0.0, part))
    return part * part * (3 - 2 * part)


def still_scenes(scene: Scene, frames: int) -> tuple[Scene, ...]:
    """Let time pass over a still table."""
    return tuple(replace(scene, time=scene.time + i * BEAT) for i in range(frames))


def arm_for(card: SceneCard, rng: Generator) -> Hand:
    """Choose an arm from the side nearest to a card, with its fingers on the card's lower half."""
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
    """Find the point some way from a place towards an arm's side."""
    turn = np.radians(side)
    return float(x - far * np.sin(turn)), float(y + far * np.cos(turn))


def draw_back(hand: Hand, far: float) -> Hand:
    """Pull a hand back along its arm."""
    x, y = point_along_arm(hand.x, hand.y, hand.angle, far)
    return replace(hand, x=x, y=y, height=hand.height + 30 * far / AWAY)


def card_in_hand(card: SceneCard, hand: Hand, far: float, turned: float) -> SceneCard:
    """Put a card into a hand that is still on its way."""
    x, y = point_along_arm(card.x, card.y, hand.angle, far)
    up = ease(far / 160)
    return replace(
        card,
        x=x,
        y=y,
        angle=card.angle + turned * up,
        height=card.height + ABOVE * up,
        lift=card.lift + 6 * up,
    )


def laying_scenes(scene: Scene, card: SceneCard, frames: int, seed: int) -> tuple[Scene, ...]:
    """Reach in with a card, lay it and leave; the last fifth of the frames shows the still table."""
    rng = default_rng([seed, 3])
    hand, turned = arm_for(card, rng), float(rng.uniform(-20, 20))
    return tuple(
        replace(scene_while_laying(scene, card, hand, turned, i / frames), time=scene.time + i * BEAT)
        for i in range(frames)
    )


def scene_while_laying(scene: Scene, card: SceneCard, hand: Hand, turned: float, part: float) -> Scene:
    """Make one moment of laying a card: part goes from 0 to 1."""
    if part >= GONE:
        return replace(scene, cards=(*scene.cards, card))
    if part >= CAME:
        far = AWAY * ease((part - LET_GO) / (GONE - LET_GO))
        return replace(scene, cards=(*scene.cards, card), hands=(*scene.hands, draw_back(hand, far)))
    far = AWAY * (1 - ease(part / CAME))
    held = card_in_hand(card, hand, far, turned)
    return replace(scene, cards=(*scene.cards, held), hands=(*scene.hands, draw_back(hand, far)))

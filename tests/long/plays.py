"""Rendered evenings (`python -m tests.long.plays 1-20`): plays one after another, as read by the eyes.

An evening's number alone determines its deck, table and light, so machines can share the evenings. It prints a
line for each play that isn't right, and the outcomes by kind of play, deck and light; it fails if one is wrong.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Literal

import cv2
from msgspec import Struct, field
from msgspec.structs import replace

from firmware.storage.decks import deck_folder
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, plates
from tests.given import present
from tests.hardware.twin.levels import LEVELS, random_scene, with_noise
from tests.hardware.twin.plays import Play, random_plays
from tests.hardware.twin.truth import CardTruth, frame_of
from tests.scripts import say, script
from tests.vision.counting import pairs
from tests.vision.process.live import look_next
from vision.pictures import Picture
from vision.process.messages import EyesMessage, EyesSettings, TableRead, UseDeck
from vision.process.on_frame import EyesState, obey_order, open_eyes
from vision.sightings import Sighting
from vision.table.calibration import calibrate

DECKS = ("piquet", "coyote-gigamic", "plenty-coups", "ogallala", "coup")
LIGHTS = ("L0", "L1", "L1", "L2")  # lights of evenings; L1, lamplight, is the most common
PLAYS = 25  # plays per evening
SHARE = 0.82  # size of the pictures relative to the largest
FRAMES = 2
"""While hands move, one in so many pictures is rendered, so hands are that much faster."""
SOON, LONGEST = 15, 60
"""Frames after a hand is gone until a play must be reported (a second), and until it is given up."""
NEAR = 0.5
"""Allowed error of a card's position, as a share of its width; a covered card may have an older position."""
Outcome = Literal["right", "late", "open", "wrong"]


class Figures(Struct):
    """Number of plays with each outcome, of each kind of play, deck and light, and of all."""

    plays: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])


def watch_evening(number: int, folder: Path, figures: Figures) -> None:
    rng = Random(number)
    deck, light = rng.choice(DECKS), rng.choice(LIGHTS)
    scene = bare_table(light, number)
    table = calibrate(draw(deck, scene))
    eyes, _news = open_eyes(EyesSettings("twin", str(deck_folder(deck, folder)), table=table))
    known = tuple(face for face in present(eyes.deck).names if face != "back")
    # like a game's deck, with each card once
    eyes, _news = obey_order(eyes, UseDeck(eyes.settings.deck, dict.fromkeys(known, 1)))
    eyes, _news = _look(eyes, deck, [scene] * LONGEST, rng)
    for place, play in enumerate(islice(random_plays(scene, known, rng), PLAYS), 1):
        eyes, outcome, frames = _judge(eyes, deck, play, rng)
        figures.plays.update(f"{group} {outcome}" for group in (play.kind, deck, light, "all"))
        told = f"evening {number} ({deck}, {light}), play {place}: {play.kind}: {outcome} after {frames} frames"
        if outcome != "right":
            say(told)
        figures.wrong += [told] if outcome == "wrong" else []


def bare_table(light: str, number: int) -> Scene:
    scene = random_scene(LEVELS[light], lambda _faces, _rng: (), (), number)
    x, y = scene.camera.off_centre
    wide, high = scene.camera.resolution
    camera = replace(
        scene.camera,
        resolution=(round(wide * SHARE / 8) * 8, round(high * SHARE / 8) * 8),
        focal=scene.camera.focal * SHARE,
        off_centre=(x * SHARE, y * SHARE),
        # noise is generated once, and added to each picture
        noise=0.0,
        jpeg=0,
    )
    table = replace(scene.table, plates=plates(422.0, 278.0))
    return replace(scene, camera=camera, table=table)


def draw(deck: str, scene: Scene) -> Picture:
    return render(scene, faces_of(deck))


def _look(
    eyes: EyesState, deck: str, scenes: Iterable[Scene], rng: Random
) -> tuple[EyesState, list[EyesMessage]]:
    news: list[EyesMessage] = []
    drawn = lru_cache(maxsize=1)(lambda scene: draw(deck, scene))
    for scene in scenes:
        eyes, more = look_next(eyes, with_noise(drawn(scene), rng))
        news += more
    return eyes, news


def _judge(eyes: EyesState, deck: str, play: Play, rng: Random) -> tuple[EyesState, Outcome, int]:
    """Let the eyes watch a play until they read it correctly, or up to `LONGEST` frames; return how many."""
    before = {card.face for card in present(eyes.watch).known}
    gone = max(number for number, scene in enumerate(play.scenes, 1) if scene.hands)
    eyes, news = _look(eyes, deck, play.scenes[:gone:FRAMES], rng)
    frame = frame_of(play.after, faces_of(deck))
    number = 0
    while number < LONGEST:
        number += 1
        eyes, more = look_next(eyes, with_noise(frame.picture, rng))
        news += more
        if eyes.watch is not None and not eyes.watch.is_busy and _is_told(eyes.watch.known, frame.truth):
            break
    if _is_wrong(eyes, before, news, frame.truth):
        return eyes, "wrong", number
    if eyes.watch is None or not _is_told(eyes.watch.known, frame.truth):
        return eyes, "open", number
    return eyes, "right" if number <= SOON else "late", number


def _is_told(known: tuple[Sighting, ...], truth: tuple[CardTruth, ...]) -> bool:
    """Return whether exactly the cards on the table are known, each at its position."""
    met = pairs(truth, known, NEAR)
    return len(known) == len(truth) == len(met) and all(
        met[i].face == each.face for i, each in enumerate(truth)
    )


def _is_wrong(
    eyes: EyesState, before: set[str | None], news: list[EyesMessage], truth: tuple[CardTruth, ...]
) -> bool:
    """Return whether an absent card was reported, or a present one was reported as removed."""
    there = {each.face for each in truth}
    views = [{each.card.face for each in view.cards} for view in news if isinstance(view, TableRead)]
    laid = {face for was, now in pairwise((before, *views)) for face in now - was}
    taken = {face for was, now in pairwise((before, *views)) for face in was - now}
    again = laid & taken
    known = {card.face for card in eyes.watch.known if card.sure} if eyes.watch is not None else set()
    return bool(((laid | known) - there - {None}) or ((taken & there) - again - {None}))


@script
def main(numbers: str, scratch: Path) -> Iterator[Figures]:
    first, _dash, last = numbers.partition("-")
    yield (figures := Figures())
    cv2.setNumThreads(1)
    for number in range(int(first), int(last or first) + 1):
        watch_evening(number, scratch, figures)

"""Plays at a rendered table, one after another, and what the eyes tell of each: right, late, open or wrong.

python -m tests.long.plays                 60 plays of piquet cards
python -m tests.long.plays 500 ogallala 7  500 of another deck, with another seed
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np
from msgspec import Struct

from firmware.start.games import hand_in_games
from firmware.storage.eyes_settings import deck_folder
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.plays import Play, random_plays
from hardware.twin.rendering.renderer import CardTruth, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneLight, SceneTable, plates
from vision.process.messages import CardChanged, EyesMessage, EyesSettings
from vision.process.on_frame import EyesState, look_at_picture, open_eyes
from vision.sightings import Sighting
from vision.table.calibration import calibrate

CAMERA = SceneCamera(resolution=(1664, 1248), focal=1280.0, noise=2.0)
SOON, LONGEST = 15, 60
"""Frames after a hand is gone in which a play has to be told, and after which it is given up."""
NEAR = 0.35
"""How far a card may be from where it lies, as a share of its longer side."""
Outcome = Literal["right", "late", "open", "wrong"]


class ToldPlay(Struct, frozen=True):
    """What was played, and what became of it."""

    kind: str
    outcome: Outcome
    frames: int
    """Frames from when the hand had gone."""


def watch_plays(deck: str, seed: int, folder: Path) -> Iterator[ToldPlay]:
    """Play on at a table in the felt's colours, and judge each play."""
    scene = Scene(CAMERA, SceneTable("felt", plates=plates(844.0, 556.0)), SceneLight(), (), seed=seed)
    table = calibrate(render(scene, faces_of(deck)).picture)
    eyes, _news = open_eyes(EyesSettings("twin", str(deck_folder(deck, folder)), table=table))
    known = tuple(face for face in _names(eyes) if face != "back")
    eyes, _news = _look(eyes, deck, [scene] * LONGEST)
    for play in random_plays(scene, known, Random(seed)):
        eyes, told = _judge(eyes, deck, play)
        yield told


def _names(eyes: EyesState) -> tuple[str, ...]:
    return () if eyes.deck is None else eyes.deck.names


def _look(eyes: EyesState, deck: str, scenes: list[Scene]) -> tuple[EyesState, list[EyesMessage]]:
    news: list[EyesMessage] = []
    for scene in scenes:
        eyes, more = look_at_picture(eyes, render(scene, faces_of(deck)).picture)
        news += more
    return eyes, news


def _judge(eyes: EyesState, deck: str, play: Play) -> tuple[EyesState, ToldPlay]:
    """Let the eyes watch a play until they have it right, or for as long as anybody waits."""
    gone = max(number for number, scene in enumerate(play.scenes, 1) if scene.hands)
    eyes, news = _look(eyes, deck, list(play.scenes[:gone]))
    frame = render(play.after, faces_of(deck))
    noise = np.random.default_rng(len(news)).integers(0, 3, (3, *frame.picture.shape), np.uint8)
    still = np.minimum(frame.picture, 250)
    for number in range(1, LONGEST + 1):
        eyes, more = look_at_picture(eyes, still + noise[number % 3])
        news += more
        if eyes.watch is not None and not eyes.watch.is_busy and _is_told(eyes.watch.known, frame.truth):
            break
    outcome: Outcome = "right" if number <= SOON else "late"
    if eyes.watch is None or not _is_told(eyes.watch.known, frame.truth):
        outcome = "open"
    if _is_wrong(eyes, news, frame.truth):
        outcome = "wrong"
    return eyes, ToldPlay(play.kind, outcome, number)


def _is_told(known: tuple[Sighting, ...], truth: tuple[CardTruth, ...]) -> bool:
    """Tell whether each card that lies there is known, where it lies, and no other."""
    return len(known) == len(truth) and all(
        any(card.face == each.face and _is_there(card, each) for card in known) for each in truth
    )


def _is_wrong(eyes: EyesState, news: list[EyesMessage], truth: tuple[CardTruth, ...]) -> bool:
    """Tell whether a card was named that isn't there, or told as taken that is."""
    there = {each.face for each in truth}
    told = [each for each in news if isinstance(each, CardChanged)]
    laid = {each.card.card.face for each in told if each.what != "taken"}
    taken = {each.card.card.face for each in told if each.what == "taken"}
    again = laid & taken
    known = {card.face for card in eyes.watch.known if card.sure} if eyes.watch is not None else set()
    return bool(((laid | known) - there - {None}) or ((taken & there) - again))


def _is_there(card: Sighting, truth: CardTruth) -> bool:
    one, other = (np.mean(np.array(each.outline), axis=0) for each in (card, truth))
    side = np.linalg.norm(np.array(truth.outline)[1] - np.array(truth.outline)[2])
    return bool(np.linalg.norm(one - other) < NEAR * side)


def main(count: int, deck: str, seed: int) -> None:
    """Watch so many plays, and print what was told of them, kind by kind."""
    hand_in_games()
    counts: Counter[tuple[str, str]] = Counter()
    with TemporaryDirectory() as folder:
        for number, told in zip(range(1, count + 1), watch_plays(deck, seed, Path(folder)), strict=False):
            counts[told.kind, told.outcome] += 1
            if told.outcome != "right":
                sys.stdout.write(f"play {number}: {told.kind}: {told.outcome} after {told.frames} frames\n")
                sys.stdout.flush()
    outcomes = ("right", "late", "open", "wrong")
    for kind in sorted({kind for kind, _outcome in counts}):
        sys.stdout.write(f"{kind}: " + ", ".join(f"{name} {counts[kind, name]}" for name in outcomes) + "\n")
    total = {name: sum(counts[kind, name] for kind, each in counts if each == name) for name in outcomes}
    sys.stdout.write("all: " + ", ".join(f"{name} {total[name]}" for name in outcomes) + "\n")


if __name__ == "__main__":
    count, deck, seed = (*sys.argv[1:], *("60", "piquet", "1")[len(sys.argv) - 1 :])
    main(int(count), deck, int(seed))

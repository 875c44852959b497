"""Evenings at rendered tables with decks that the eyes have never seen: how often they ask, and wrong names.

`python -m tests.long.learning_evenings [EVENINGS [DECK ...]]` plays evenings on decks of 20 to 36 faces,
through the table's own camera and a USB camera, and prints a line for each; wrong names are listed.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK, Faces, faces_of
from hardware.twin.rendering.scene import Scene
from tests.given import present
from tests.hardware.twin.layouts import lay_separate
from tests.hardware.twin.levels import L1, random_scene
from tests.hardware.twin.truth import Frame, frame_of
from tests.vision.photographs import smaller
from tests.vision.process.live import look_next
from tests.vision.rendered_tables import EXPOSURES, apart_under, heights_to_try, scene_under
from tests.vision.sets.drawn_decks import line_drawings, pictured_cards, playing_cards
from vision.process.messages import EyesSettings, NameCard, UnknownCard
from vision.process.on_frame import EyesState, obey_order, open_eyes
from vision.process.watching import STILL_FRAMES, VOTES
from vision.sightings import Sighting, likely_face
from vision.table.calibration import calibrate
from vision.table.optics import CAMERAS
from vision.table.values import Calibration

AT_ONCE = 4  # cards that lie on the table together
TIMES = 3  # times that each face is met in an evening
FRAMES = STILL_FRAMES + VOTES + 2  # frames after which cards on a still table are reported
SIZE = (1352, 1014)  # pixels of the table's own camera, smaller than in use, to save time
MOST_FACES = 36


class Result(Struct, frozen=True):
    """What happened in an evening."""

    faces: int
    cards: int
    questions: int
    again: int  # questions for faces that had been named
    nothing: int  # questions for things that are no cards
    sure: int
    likely: int
    wrong: int
    likely_wrong: int
    silent: int  # cards neither named nor asked for
    seconds: float


class EveningDeck(Struct, frozen=True, eq=False):
    """A deck by its faces' pictures."""

    name: str
    faces: tuple[str, ...]
    paint: Faces


def decks() -> Iterator[EveningDeck]:
    for name in ("piquet", "plenty-coups", "coyote-gigamic"):
        yield EveningDeck(name, (*PRINTED[name].faces, BACK), faces_of(name))
    for name, drawn in (
        ("playing", playing_cards()),
        ("pictured", pictured_cards()),
        ("lines", line_drawings()),
    ):
        yield EveningDeck(name, tuple(drawn.faces), drawn.face)


class Evening:
    """One evening: the scene, the eyes and the person who is asked."""

    def __init__(self, deck: EveningDeck, seed: int, folder: Path) -> None:
        self.rng = default_rng([seed, len(deck.faces)])
        some = self.rng.permutation(len(deck.faces))[:MOST_FACES]
        self.deck, self.faces = deck, [deck.faces[i] for i in some]
        self.scene = scene_of(seed, self.rng)
        self.eyes = open_eyes(
            EyesSettings("twin", str(folder), dict.fromkeys(self.faces, TIMES), "Evening", self._table())
        )[0]
        self.counts, self.named = Counter[str](), set[str]()

    def _table(self) -> Calibration:
        empty = frame_of(replace(self.scene, cards=()), self.deck.paint)
        return present(calibrate(empty.picture))

    def play(self) -> Result:
        start = perf_counter()
        cards = [face for face in self.faces for _time in range(TIMES)]
        order = self.rng.permutation(len(cards))
        for first in range(0, len(cards), AT_ONCE):
            self._play_round([cards[i] for i in order[first : first + AT_ONCE]])
        counts = self.counts
        return Result(
            len(self.faces), len(cards), *(counts[each] for each in KINDS), round(perf_counter() - start, 1)
        )

    def _play_round(self, faces: Sequence[str]) -> None:
        frame = self._lay(faces)
        self._show(frame)
        for card in frame.truth:
            seen = _sighting_at(self.eyes, card.outline)
            name = None if seen is None else _name(seen)
            likely = None if seen is None else likely_face(seen)
            true = card.face or BACK
            self.counts["sure"] += name == true
            self._note_wrong(name, true)
            self.counts["likely"] += likely == true
            self.counts["likely wrong"] += likely is not None and likely != true
            is_asked = any(_is_at(each, card.outline) for each in self._unknown())
            self.counts["silent"] += name is None and likely is None and not is_asked
        while unknown := self._unknown():
            self._answer(unknown[0], frame)
        self._show(frame)
        for card in frame.truth:
            seen = _sighting_at(self.eyes, card.outline)
            self._note_wrong(None if seen is None else _name(seen), card.face or BACK)

    def _note_wrong(self, name: str | None, true: str) -> None:
        if name is not None and name != true:
            print(f"  {true} was named {name}, after {self.counts['questions']} questions", flush=True)
            self.counts["wrong"] += 1

    def _lay(self, faces: Sequence[str]) -> Frame:
        laid = lay_separate(tuple(None if face == BACK else face for face in faces), self.rng)
        return frame_of(replace(self.scene, cards=laid), self.deck.paint)

    def _show(self, frame: Frame) -> None:
        for _frame in range(FRAMES):
            noise = self.rng.integers(0, 4, frame.picture.shape, np.uint8)
            self.eyes, _news = look_next(self.eyes, np.asarray(cv2.add(frame.picture, noise), np.uint8))

    def _unknown(self) -> tuple[UnknownCard, ...]:
        return tuple(each.news for each in present(self.eyes.learning).shown)

    def _answer(self, card: UnknownCard, frame: Frame) -> None:
        face = next((each.face or BACK for each in frame.truth if _is_at(card, each.outline)), "")
        self.counts["questions"] += 1
        self.counts["again"] += face in self.named
        self.counts["nothing"] += not face
        self.named.add(face)
        self.eyes, _news = obey_order(
            self.eyes, NameCard(card.outline, face, "evening", self.counts["questions"], "Anna")
        )


KINDS = ("questions", "again", "nothing", "sure", "likely", "wrong", "likely wrong", "silent")


def scene_of(seed: int, rng: Generator) -> Scene:
    """Return a table and its camera: the table's own, or a USB camera every other evening."""
    if seed % 2 == 0:
        return smaller(random_scene(L1, lay_separate, (), seed), SIZE)
    optics = CAMERAS["usb 1080p"]
    height = heights_to_try(optics)[int(rng.integers(2))]
    scene = scene_under(optics, apart_under(optics), height, EXPOSURES["33 ms"], (), seed)
    return smaller(scene, (1440, 810))


def _name(card: Sighting) -> str | None:
    return None if not card.sure else BACK if card.facing == "down" else card.face


def _sighting_at(eyes: EyesState, outline: Sequence[tuple[float, float]]) -> Sighting | None:
    known = () if eyes.watch is None else eyes.watch.known
    return next((each for each in known if _middle_off(each.outline, outline) < NEAR), None)


def _is_at(card: UnknownCard, outline: Sequence[tuple[float, float]]) -> bool:
    return _middle_off(card.outline, outline) < NEAR


NEAR = 0.25  # largest distance of two outlines of the same card, in widths


def _middle_off(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> float:
    first, second = np.array(one), np.array(other)
    return float(np.hypot(*(first.mean(axis=0) - second.mean(axis=0))) / np.hypot(*(second[1] - second[0])))


def main(evenings: int, wanted: Sequence[str]) -> None:
    print(
        f"{'deck':16s}{'seed':>5s}" + "".join(f"{each:>13s}" for each in Result.__struct_fields__), flush=True
    )
    for seed in range(evenings):
        for deck in decks():
            if wanted and deck.name not in wanted:
                continue
            with TemporaryDirectory() as folder:
                result = Evening(deck, seed, Path(folder) / "learnt").play()
            values = "".join(f"{getattr(result, each):>13}" for each in Result.__struct_fields__)
            print(f"{deck.name:16s}{seed:5d}{values}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, sys.argv[2:])

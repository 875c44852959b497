"""Frames of the twin for tests: shown to eyes with fresh noise, or in a file that a live camera replaces."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from threading import Event, Thread

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK, faces_of
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable, plates
from tests.given import present
from tests.hardware.twin.truth import Frame, frame_of
from vision.process.eyes_state import EyesStep
from vision.process.looks import remember_looks
from vision.process.messages import EyesMessage, EyesSettings
from vision.process.on_frame import EyesState, look_at_picture, open_eyes
from vision.process.watching import STILL_FRAMES, VOTES, Watch, begin_unread_watch
from vision.sightings import Sighting
from vision.table.calibration import calibrate
from vision.table.camera import show_live
from vision.table.values import Calibration, Optics
from vision.teaching.taught_decks import bare_deck, save_deck

DECK = "coup"
DUKE, CAPTAIN = SceneCard("duke", -120.0, 20.0, 8.0), SceneCard("captain", 130.0, -30.0, -12.0)
TABLE = Scene(
    SceneCamera(resolution=(1200, 900), focal=924.0, noise=0.0, jpeg=0),
    SceneTable("felt", plates=plates(400.0, 265.0)),
    SceneLight(),
    (DUKE,),
)
ONCE = STILL_FRAMES + VOTES + 2  # frames after which cards on a still table are reported
SPECKLES = 4
RATE = 15.0  # pictures a second


@lru_cache(maxsize=40)
def render_scene(scene: Scene) -> Frame:
    return frame_of(scene, faces_of(DECK))


def with_cards(*cards: SceneCard) -> Frame:
    return render_scene(replace(TABLE, cards=cards))


@cache
def found_table() -> Calibration:
    return present(calibrate(with_cards().picture))


@cache
def calibrated_eyes(deck: Path) -> EyesState:
    return open_eyes(EyesSettings("twin", str(deck), table=found_table()))[0]


@cache
def _speckle(shape: tuple[int, ...], number: int) -> NDArray[np.uint8]:
    return np.random.default_rng(number).integers(0, 4, shape, np.uint8)


def look_next(
    eyes: EyesState, picture: NDArray[np.uint8], optics: Optics | None = None, rate: float = RATE
) -> EyesStep:
    """Show the next of so many pictures a second."""
    return look_at_picture(eyes, picture, eyes.at + 1 / rate, optics)


def show_picture(
    eyes: EyesState, picture: NDArray[np.uint8], frames: int = ONCE, rate: float = RATE
) -> tuple[EyesState, list[EyesMessage]]:
    news = list[EyesMessage]()
    for number in range(frames):
        shown = cv2.add(picture, _speckle(picture.shape, number % SPECKLES))
        eyes, more = look_next(eyes, np.asarray(shown, np.uint8), rate=rate)
        news += more
    return eyes, news


@cache
def eyes_at(deck: Path, *cards: SceneCard) -> EyesState:
    return show_picture(calibrated_eyes(deck), with_cards(*cards).picture)[0]


def teach_artwork(folder: Path) -> Path:
    faces, names = faces_of(DECK), (*PRINTED[DECK].faces, BACK)
    pictures = {name: (np.ascontiguousarray(faces(name)[::2, ::2]),) for name in names}
    save_deck(bare_deck(DECK, (63.0, 88.0), dict.fromkeys(names, 3), pictures), folder)
    return folder


def begin_watch(picture: NDArray[np.uint8], known: tuple[Sighting, ...] = ()) -> Watch:
    """Return the state for a table whose current cards are known."""
    fresh, looks = begin_unread_watch(picture), remember_looks({}, picture, known, known)
    return replace(fresh, settled=fresh.last, bare=fresh.last, known=known, looks=looks, whole=False)


class Feed:
    """Writes its current picture as one live frame after another."""

    def __init__(self, file: Path, picture: NDArray[np.uint8]) -> None:
        self.file, self.picture = file, picture
        self.unplugged, self.over = False, Event()
        self.show_next(0)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def show_next(self, number: int) -> None:
        speckle = _speckle(self.picture.shape, number % SPECKLES)
        show_live(self.file, np.asarray(cv2.add(self.picture, speckle), np.uint8))

    def end(self) -> None:
        self.over.set()
        self._thread.join()

    def _run(self) -> None:
        number = 1
        while not self.over.wait(0.04):
            if self.unplugged:
                self.file.unlink(missing_ok=True)
            else:
                self.show_next(number)
            number += 1


@contextmanager
def feed_camera(file: Path, picture: NDArray[np.uint8]) -> Iterator[Feed]:
    feed = Feed(file, picture)
    try:
        yield feed
    finally:
        feed.end()

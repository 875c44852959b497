"""A live camera for tests: frames of the twin with fresh noise, in a file that is replaced."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import BACK, Frame, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable, plates
from vision.table.file_cameras import show_live
from vision.teaching.taught_decks import TaughtDeck, save_deck

DECK = "coup"
DUKE, CAPTAIN = SceneCard("duke", -120.0, 20.0, 8.0), SceneCard("captain", 130.0, -30.0, -12.0)
TABLE = Scene(
    SceneCamera(resolution=(1200, 900), focal=924.0, noise=0.0, jpeg=0),
    SceneTable("felt", plates=plates(400.0, 265.0)),
    SceneLight(),
    (DUKE,),
)
LIMIT = 40.0


@cache
def render_scene(scene: Scene) -> Frame:
    """Render a scene; cached."""
    return render(scene, faces_of(DECK))


def with_cards(*cards: SceneCard) -> Frame:
    """Render the table with some cards."""
    return render_scene(replace(TABLE, cards=cards))


def teach_artwork(folder: Path) -> Path:
    """Teach a deck from its own artwork."""
    faces, names = faces_of(DECK), (*PRINTED[DECK].faces, BACK)
    pictures = {name: (np.ascontiguousarray(faces(name)[::2, ::2]),) for name in names}
    save_deck(TaughtDeck(DECK, (63.0, 88.0), dict.fromkeys(names, 3), pictures), folder)
    return folder


class Feed:
    """Shows its picture in one frame after another, until it is given another picture or None."""

    def __init__(self, file: Path, picture: NDArray[np.uint8]) -> None:
        """Begin to show."""
        self.file, self.picture, self.noise = file, picture, 3
        self.unplugged, self.frozen, self.over = False, False, Event()
        self.show_next(0)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def show_next(self, number: int) -> None:
        """Show one frame."""
        rng = np.random.default_rng(number)
        speckle = rng.integers(0, self.noise + 1, self.picture.shape, np.uint8)
        show_live(self.file, np.where(self.picture > 250, self.picture, self.picture + speckle))

    def end(self) -> None:
        """Stop showing."""
        self.over.set()
        self._thread.join()

    def _run(self) -> None:
        number = 1
        while not self.over.wait(0.04):
            if self.unplugged:
                self.file.unlink(missing_ok=True)
            else:
                self.show_next(0 if self.frozen else number)
            number += 1


@contextmanager
def feed_camera(file: Path, picture: NDArray[np.uint8]) -> Iterator[Feed]:
    """Feed a camera."""
    feed = Feed(file, picture)
    try:
        yield feed
    finally:
        feed.end()


def wait_until(true: object, what: str = "it never came") -> None:
    """Wait until a condition holds."""
    start = monotonic()
    while monotonic() - start < LIMIT:
        if true():  # type: ignore[operator]
            return
        sleep(0.01)
    raise AssertionError(what)

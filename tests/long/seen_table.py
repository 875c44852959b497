"""A rendered table of real cards, as a network camera or a computer's own camera sees it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from threading import Lock
from time import monotonic

import numpy as np
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight
from tests.hardware.twin.levels import aim_camera, with_noise
from tests.vision.grounds import draw_on_ground, table_on
from tests.vision.table.network_server import Camera, camera_server
from vision.pictures import Picture, packed_jpeg

DISTANCE, PAUSE = 754.0, 0.2  # millimetres from camera to table, seconds between pictures
REACH = 0.4  # seconds for which a hand is over a changed card
DIMMED = 0.6  # light that is left when it dims
PLACES = ((-120.0, -80.0, 5.0), (110.0, -90.0, -8.0), (-100.0, 90.0, 2.0), (120.0, 80.0, 12.0))
"""Where the four cards lie that give the table."""
OWN_CAMERA = """
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [1600, 1200];
  const show = async () => {
    const bytes = Uint8Array.from(atob(await window.seenTable()), (letter) => letter.charCodeAt(0));
    pen.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
    setTimeout(show, 200);
  };
  await show();
  return canvas.captureStream(5);
};
"""
"""This computer's camera, which shows the rendered table."""

Cards = tuple[SceneCard, ...]


class SeenTable:
    """A table with cards in front of a slanted camera: each picture has its own noise.

    A hand lays and takes each card, because readers look closely where something has moved.
    """

    def __init__(self, deck: str, ground: str, degrees: float) -> None:
        slant = np.radians(degrees)
        at = (0.0, DISTANCE * float(np.sin(slant)), DISTANCE * float(np.cos(slant)))
        # noise that stayed would look like a table that stays
        camera = SceneCamera(
            at=at, tilt=degrees, focal=1300.0, resolution=(1600, 1200), k1=0.02, noise=0.0, jpeg=0
        )
        self._ground, self._faces = ground, faces_of(deck)
        self._scene = Scene(aim_camera(camera, 0.0, 0.0), table_on(ground, 7))
        self._lock = Lock()
        self._hands: tuple[Hand, ...] = ()
        self._drawn: Scene | None = None
        self._noise, self.is_asleep = Random(7), False
        self.cards: Callable[[], Cards] = tuple
        """Returns the cards on the table."""
        self.changed = monotonic()
        """When the newest change was first in a picture."""

    def nudge(self) -> None:
        x, y, z = self._scene.camera.at
        self._scene = replace(self._scene, camera=replace(self._scene.camera, at=(x + 20.0, y - 10.0, z)))

    def dim(self) -> None:
        self._scene = replace(self._scene, light=SceneLight(strength=DIMMED))

    def frame(self) -> bytes:
        with self._lock:
            cards, lying = self.cards(), () if self._drawn is None else self._drawn.cards
            if cards != lying:
                moved = set(cards).symmetric_difference(lying)
                self._hands = tuple(Hand(card.x, card.y) for card in list(moved)[:1])
                self.changed = monotonic()
            elif monotonic() > self.changed + REACH:
                self._hands = ()
            scene = replace(self._scene, cards=cards, hands=self._hands)
            if scene != self._drawn:
                self._picture: Picture = draw_on_ground(scene, self._ground, self._faces)
                self._drawn = scene
            # a camera is frozen whose pictures repeat
            return packed_jpeg(with_noise(self._picture, self._noise), 88)


@contextmanager
def network_camera(seen: SeenTable) -> Iterator[str]:
    """Serve the table as an MJPEG stream; yields its address."""
    # drawing the first picture takes longer than a camera may need
    seen.frame()

    class SeenCamera(Camera):
        def show_stream(self) -> None:
            self._stream(self._frames())

        def _frames(self) -> Iterator[bytes]:
            while not self.over.wait(PAUSE):
                if not seen.is_asleep:
                    yield seen.frame()

    with camera_server(SeenCamera) as place:
        yield f"http://{place}/stream"

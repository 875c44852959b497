"""The camera of the simulated table: a plain one, or a known model at its proper height.

Its frames are written to a file that the eyes read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import Faces, render
from hardware.twin.rendering.scene import Scene, SceneCamera
from vision.pictures import small_jpeg
from vision.table.camera import LiveFrames, show_live
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, focal_length, heights
from vision.troubles import TroubleError

PLAIN = SceneCamera(resolution=(1664, 1248), focal=1280.0, jpeg=0)
"""Just enough pixels to read small signs."""


def simulated_camera(name: str | None) -> SceneCamera:
    """Return the named camera, hung in the middle of its working heights."""
    if name is None:
        return PLAIN
    optics = CAMERAS.get(name)
    between = None if optics is None else heights(optics, USUAL_APART)
    if optics is None or between is None:
        able = [each for each, known in CAMERAS.items() if heights(known, USUAL_APART) is not None]
        raise TroubleError("not simulated", camera=name, names=", ".join(able))
    at = (0.0, 0.0, sum(between) / 2)
    return SceneCamera(at=at, resolution=optics.mode, focal=focal_length(optics), k1=-0.02, jpeg=0)


NOISES, SPECKLE = 3, 4
"""Number of noise patterns in rotation, and their strength in grey levels."""
AT_REST, SELDOM = 30, 4
"""Identical frames after which only every fourth is written, so that an idle table saves power."""
SMALL, QUALITY = 640, 80
"""Width in pixels and JPEG quality of the picture for pages."""

Fault = Literal["unplugged", "frozen", "black"]
Drawing = Callable[[SceneCamera], tuple[Scene, Faces] | None]
"""Returns the scene in front of a camera; None while it is unavailable."""


class SimulatedView:
    """A camera above the simulated table."""

    def __init__(self, file: Path, camera: SceneCamera) -> None:
        self._file, self._camera, self._frames = file, camera, LiveFrames(file)
        self._drawn: tuple[Scene, Pixels] | None = None
        self._last: Pixels | None = None
        self._same = 0
        noise = np.random.default_rng(0)
        size = (*reversed(camera.resolution), 3)
        self._noises = [noise.integers(0, SPECKLE, size, np.uint8) for _number in range(NOISES)]
        self.fault: Fault | None = None

    def picture(self) -> bytes | None:
        """Return the current view as a small JPEG; None while the camera is unplugged."""
        last = self._last
        if last is None or self.fault == "unplugged":
            return None
        return small_jpeg(last, SMALL, QUALITY)

    def show(self, drawing: Drawing) -> bool:
        """Write the next frame with noise, less often while nothing changes; False if there is none."""
        if self.fault == "unplugged":
            self._file.unlink(missing_ok=True)
            return False
        frame = self._last if self.fault == "frozen" else self._frame(drawing)
        if frame is None:
            return False
        before, self._last = self._last, frame * 0 if self.fault == "black" else frame
        if self.fault is not None:
            show_live(self._file, self._last)
            return True
        self._same = self._same + 1 if self._last is before else 0
        if self._same == 0:
            self._frames.forget()
        if self._same < AT_REST or self._same % SELDOM == 0:
            noise = self._noises[self._same % NOISES]
            self._frames.show(self._same % NOISES, lambda: frame + noise)
        return True

    def close(self) -> None:
        self._frames.forget()

    def _frame(self, drawing: Drawing) -> Pixels | None:
        """Return the table's picture, rendered only after changes."""
        found = drawing(self._camera)
        if found is None:
            return None if self._drawn is None else self._drawn[1]
        scene, faces = found
        if self._drawn is None or self._drawn[0] != scene:
            # headroom for the noise, so that white doesn't overflow to black
            self._drawn = scene, np.minimum(render(scene, faces), 255 - SPECKLE)
        return self._drawn[1]

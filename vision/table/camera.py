"""What a camera is, and the trouble it raises."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.table.optics import Optics
from vision.troubles import TroubleError

Picture = NDArray[np.uint8]

PATIENCE = 2.0
"""Seconds that taking a picture may last."""
HANGS = "hangs"
"""The key among a trouble's values that marks a call that never came back: it holds the camera for good."""
WARM = 12
"""Pictures that a camera needs before its exposure has settled."""


class CameraTroubleError(TroubleError):
    """A camera that gives no picture: missing, busy, gone, too slow, frozen, black, too bright or garbled."""


class Camera(Protocol):
    """A source of pictures."""

    def picture(self) -> Picture | None:
        """Take the next picture (blue, green, red); None when there are no more."""

    def optics(self) -> Optics | None:
        """Tell what lens it has; None if that isn't known, or not yet."""

    def lock(self) -> None:
        """Hold exposure and white balance as they are now, where the camera can."""

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""

    def close(self) -> None:
        """Let go of the device."""

"""The camera of the simulated table: a plain one, or by name one that people have, hung where it belongs."""

from hardware.twin.rendering.scene import SceneCamera
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, focal_length, heights
from vision.troubles import TroubleError

PLAIN = SceneCamera(resolution=(1664, 1248), focal=1280.0, jpeg=0)
"""Just large enough for small signs to be read."""


FROM_OPPOSITE = SceneCamera(
    at=(0.0, 400.0, 700.0), pan=180.0, tilt=-29.7, resolution=(2028, 1520), focal=1450.0, jpeg=0
)
"""A second camera: lower than the first one, and from the other side."""
OPPOSITE = "opposite"
"""What that one is called."""


class SimulatedCameraError(TroubleError):
    """No camera of that name can be simulated."""


def simulated_camera(name: str | None) -> SceneCamera:
    """Give the camera of a name, above the middle of the heights at which it sees the table."""
    if name is None:
        return PLAIN
    optics = CAMERAS.get(name)
    between = None if optics is None else heights(optics, USUAL_APART)
    if optics is None or between is None:
        able = [each for each, known in CAMERAS.items() if heights(known, USUAL_APART) is not None]
        raise SimulatedCameraError("not simulated", camera=name, names=", ".join(able))
    at = (0.0, 0.0, sum(between) / 2)
    return SceneCamera(at=at, resolution=optics.mode, focal=focal_length(optics), k1=-0.02, jpeg=0)


def check_second_camera(name: str | None) -> None:
    """See that a second camera of that name can be simulated, if one is named."""
    if name not in {None, OPPOSITE}:
        raise SimulatedCameraError("not simulated", camera=str(name), names=OPPOSITE)

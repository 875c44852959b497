"""Optics of known cameras: sensor modes, fields of view, and heights above a table. Pure.

Angles are the makers' figures; for the HQ and Global Shutter Cameras they follow from sensor and lens (6 mm).
The modes read the whole sensor, so that the field of view isn't cropped.
"""

from collections.abc import Mapping
from math import radians, tan

from msgspec.structs import replace

from vision.table.calibration import CARD_WIDTH, LET_PASS
from vision.table.plates import PATCH, SIDE, Millimetres
from vision.table.values import Optics

USUAL_FOCAL = 0.8
"""Usual focal length of phones and webcams, as a multiple of the picture's longer side."""
AIM = 1.05  # safety factor for view and resolution: nobody aims a lens to the millimetre


NEEDED_BY_USB = 95.0
"""Pixels across a card that are enough for a USB camera, whose picture is never scaled down.

Measured by `python -m tests.bench cameras`: at 90 pixels all tables are found and no card is misread, even in
soft pictures.
"""

CAMERAS: Mapping[str, Optics] = {
    "imx708": Optics("Camera Module 3", (2304, 1296), 66.0, 100.0),
    "imx708_wide": Optics("Camera Module 3 Wide", (2304, 1296), 102.0, 50.0),
    "imx219": Optics("Camera Module 2", (1640, 1232), 62.2, 500.0),
    "imx477": Optics("HQ Camera, 6 mm", (2028, 1520), 55.3, 200.0),
    "imx296": Optics("Global Shutter Camera, 6 mm", (1456, 1088), 45.4, 200.0),
    "usb 720p": Optics("USB camera, 1280 x 720", (1280, 720), 70.4, 200.0, NEEDED_BY_USB),
    "usb 1080p": Optics("USB camera, 1920 x 1080", (1920, 1080), 70.4, 200.0, NEEDED_BY_USB),
    "usb 4k": Optics("USB camera, 3840 x 2160", (3840, 2160), 70.4, 200.0, NEEDED_BY_USB),
}
"""Known cameras by libcamera's sensor names."""


def optics_of(model: str) -> Optics | None:
    """Return a camera by its sensor's name, with or without an infrared filter; None if it is unknown."""
    return CAMERAS.get(model.lower().replace("_noir", ""))


def usb_optics(across: int) -> Optics:
    """Return typical optics of a USB camera with this picture width: webcams don't report theirs."""
    known = [each for each in CAMERAS.values() if each.is_usb]
    return next((each for each in known if each.mode[0] >= across), known[-1])


def made_smaller(optics: Optics, share: float) -> Optics:
    """Return the optics of a camera whose pictures are scaled down; cards then need fewer pixels, too."""
    across, down = (2 * round(pixels * share / 2) for pixels in optics.mode)
    return replace(optics, mode=(across, down), needed=optics.needed * share)


def focal_length(optics: Optics) -> float:
    """Return the focal length in pixels."""
    return optics.mode[0] / 2 / tan(radians(optics.angle) / 2)


def seen_from(optics: Optics, height: float) -> Millimetres:
    share = height / focal_length(optics)
    return optics.mode[0] * share, optics.mode[1] * share


def plates_span(apart: Millimetres) -> Millimetres:
    """Return the area around the middle that must be visible, for plates at these distances."""
    _left, top, _width, high = PATCH
    # the white patch hangs below its code
    return apart[0] + SIDE, apart[1] + 2 * (top + high - SIDE / 2)


def lowest(optics: Optics, apart: Millimetres) -> float:
    """Return the least height in millimetres from which all plates are visible."""
    across, down = plates_span(apart)
    focal = focal_length(optics)
    return max(across / optics.mode[0], down / optics.mode[1]) * focal * AIM


def highest(optics: Optics) -> float:
    """Return the greatest height in millimetres from which a card has the pixels that the reader needs."""
    return focal_length(optics) * CARD_WIDTH / (optics.needed * LET_PASS) / AIM


def heights(optics: Optics, apart: Millimetres) -> tuple[float, float] | None:
    """Return the least and greatest height in millimetres; None if the table is too large for the lens."""
    low, high = max(lowest(optics, apart), optics.nearest), highest(optics)
    return (low, high) if low <= high else None


def largest_apart(optics: Optics, shape: Millimetres) -> Millimetres:
    """Return the largest distances between plates of a shape that are visible from the greatest height."""
    across, down = seen_from(optics, highest(optics))
    border = plates_span((0.0, 0.0))
    share = min((across / AIM - border[0]) / shape[0], (down / AIM - border[1]) / shape[1])
    return shape[0] * share, shape[1] * share


def better_camera(optics: Optics, apart: Millimetres) -> Optics | None:
    """Return a known camera for a table of this size, preferably of the same kind; None if there is none."""
    able = [each for each in CAMERAS.values() if heights(each, apart) is not None]
    return min(able, key=lambda each: each.is_usb != optics.is_usb, default=None)

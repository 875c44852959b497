"""See a card as another camera sees another print of it: what a deck's trials are made of.

A deck is taught by one camera from one print, and read by another camera, of cards that were used. What lies
between the two is drawn here: ink and its register, paper, wear and a bend; lenses and light; and what a camera
makes of it, which measures, balances, bends tones, lifts colours, smooths, sharpens and packs. The strengths
are those that are allowed or usual: offset printing drifts by a few units of colour and a tenth of a millimetre
(ISO 12647-2), phones pack at 75 to 95 with halved colours, and raise contrast and colours by up to a third.
"""

import cv2
import numpy as np
from numpy.random import Generator

from vision.reading.focus import to_colours, to_light
from vision.reading.templates import Floats, Picture
from vision.table.plane import Reals

INK, REGISTER = 0.08, 0.0015
"""How much stronger one run prints a colour, and how far colours lie from each other, in widths of a card."""
BENT = 0.004
"""How far places of a bent card, or of one that was cut out crookedly, lie from where they should."""
SCUFFED = 4.0
"""By how many steps of 255 use makes places of a card paler, or soils them."""

UNEVEN = 0.12
"""How unevenly a bent or glossy card is lit, and a phone evens out tones: a deviation, as a share."""


def print_again(shot: Picture, rng: Generator) -> Picture:
    """Print a card on another day, and use it."""
    ink = np.exp(rng.normal(0, INK, 3)).astype(np.float32)
    paper = rng.uniform(0.93, 1, 3).astype(np.float32)
    bgr = np.power(np.asarray(shot[..., :3], np.float32) / np.float32(255), ink) * paper
    high, wide = shot.shape[:2]
    planes = [_shift(plane, rng.normal(0, REGISTER * wide, 2)) for plane in cv2.split(bgr)]
    used = cv2.merge(planes) * 255 + _clouds((high, wide), 12, rng)[..., None] * rng.uniform(0, SCUFFED)
    return np.asarray(np.clip(_bend(np.asarray(used, np.float32), rng), 0, 255), np.uint8)


def _shift(plane: cv2.typing.MatLike, by: Reals) -> cv2.typing.MatLike:
    moved = np.column_stack((np.eye(2), by))
    return cv2.warpAffine(plane, moved, plane.shape[::-1], borderMode=cv2.BORDER_REPLICATE)


def _clouds(shape: tuple[int, int], across: int, rng: Generator) -> Floats:
    """Draw smooth unevenness of middle 0 and deviation 1, with so many clouds across."""
    high, wide = shape
    few = rng.standard_normal((max(2, round(across * high / wide)), across)).astype(np.float32)
    return np.asarray(cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)


def _bend(picture: Floats, rng: Generator) -> Floats:
    """Move places of a card a little, each another way."""
    high, wide = picture.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    across, down = (
        _clouds((high, wide), 3, rng) * np.float32(rng.uniform(0, BENT) * wide) for _way in range(2)
    )
    return np.asarray(
        cv2.remap(picture, x + across, y + down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def see_small(card: Picture, size: tuple[int, int], rng: Generator) -> Floats:
    """See a card with so many pixels across and down, slightly out of focus."""
    light = cv2.resize(
        to_light(np.asarray(card, np.float32) / np.float32(255)), size, interpolation=cv2.INTER_AREA
    )
    soft = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 1.4))
    return to_colours(np.asarray(soft, np.float32)) * np.float32(255)


def light_up(small: Floats, rng: Generator) -> Floats:
    """Light a card from a side by a coloured lamp, through a veil, with gloss in a place."""
    high, wide = small.shape[:2]
    x, y = np.linspace(-1, 1, wide)[None, :, None], np.linspace(-1, 1, high)[:, None, None]
    gain = rng.uniform(0.5, 0.95) * (1 + rng.uniform(-0.08, 0.08) * x + rng.uniform(-0.08, 0.08) * y)
    at, reach = rng.uniform(-1.2, 1.2, 2), rng.uniform(0.3, 0.9)
    gloss = rng.uniform(0, 35) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / reach**2)
    uneven = np.exp(_clouds((high, wide), 3, rng) * rng.uniform(0, UNEVEN))[..., None]
    return np.asarray(small * gain * uneven * rng.uniform(0.88, 1, 3) + rng.uniform(0, 20) + gloss, np.float32)


def photograph(lit: Floats, rng: Generator) -> Picture:
    """Measure a lit card with noise, and make of it what a phone or a webcam makes."""
    noise = rng.uniform(0.4, 1.2) * np.sqrt(np.maximum(lit, 4) / 16)
    measured = lit + rng.standard_normal(lit.shape) * noise
    toned = _tone(np.clip(measured / 255, 0, 1).astype(np.float32), rng)
    grey = cv2.cvtColor(toned, cv2.COLOR_BGR2GRAY)[..., None]
    vivid = grey + (toned - grey) * np.float32(rng.uniform(0.75, 1.35))
    smooth = cv2.bilateralFilter(np.asarray(vivid, np.float32), 3, float(rng.uniform(0.01, 0.08)), 1.0)
    halo = smooth - cv2.GaussianBlur(smooth, (0, 0), rng.uniform(0.7, 1.6))
    sharp = smooth + np.float32(rng.uniform(0, 0.9)) * halo
    eight = np.asarray(np.clip(sharp * 255, 0, 255), np.uint8)
    _done, packed = cv2.imencode(".jpg", eight, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 96))))
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _tone(light: Floats, rng: Generator) -> Floats:
    """Bend tones: lift or sink the middle, and make the ends softer or harder."""
    bent = np.power(light, np.float32(np.exp(rng.normal(0, 0.15))))
    return np.asarray(
        bent + np.float32(rng.uniform(-0.15, 0.3)) * bent * (1 - bent) * (2 * bent - 1), np.float32
    )

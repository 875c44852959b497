"""Develop light into a stored picture: lens blur, colour filters, noise, tone, sharpening, JPEG."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.twin.rendering.lens import Floats, Pixels, floats, middle, pixels
from hardware.twin.rendering.scene import SceneCamera

Deep = NDArray[np.uint16]
# 8-bit steps that one part of light makes on mid-grey, and what interpolating colours leaves of noise
STEPS_ON_GREY = 305.0
LEFT_OF_NOISE = 0.72
GREY = 0.18
READ = 0.25  # the part of mid-grey's noise that doesn't come from light


@lru_cache(maxsize=1)
def to_light() -> Floats:
    """Tabulate the light of each of a screen's 256 steps."""
    step = np.arange(256) / 255
    return np.where(step <= 0.04045, step / 12.92, ((step + 0.055) / 1.055) ** 2.4).astype(np.float32)


@lru_cache(maxsize=1)
def to_screen() -> Pixels:
    """Tabulate the screen step, of 256, for each of 65536 amounts of light."""
    light = np.arange(65536) / 65535
    step = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return (step * 255 + 0.5).astype(np.uint8)


def to_linear(picture: Pixels) -> Floats:
    """Convert a screen's steps to light."""
    return floats(cv2.LUT(picture, to_light()))


def blur(light: Floats, camera: SceneCamera) -> Floats:
    """Blur light by the lens and by motion."""
    width = 2 * round(camera.defocus * 2.6 + 0.5) + 1
    if camera.defocus > 0:
        light = floats(cv2.GaussianBlur(light, (width, width), camera.defocus))
    if np.hypot(*camera.shake) > 0.2:
        light = floats(cv2.filter2D(light, -1, smear(camera.shake), borderType=cv2.BORDER_REPLICATE))
    return light


def smear(shake: tuple[float, float]) -> Floats:
    """Make a motion kernel: points along the path, each shared among four neighbours."""
    reach = int(np.ceil(max(abs(shake[0]), abs(shake[1])) / 2)) + 1
    kernel = np.zeros((2 * reach + 2, 2 * reach + 2))
    for part in np.linspace(-0.5, 0.5, 33):
        x, y = reach + shake[0] * part, reach + shake[1] * part
        i, j = int(x), int(y)
        fx, fy = x - i, y - j
        kernel[j : j + 2, i : i + 2] += np.outer((1 - fy, fy), (1 - fx, fx))
    return floats(kernel[:-1, :-1] / kernel[:-1, :-1].sum())


# rows and columns of the sensor's filters: red and green over green and blue
FILTERS = ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0))


def filter_light(light: Floats, camera: SceneCamera, site: tuple[int, int, int]) -> Floats:
    """Sample the light behind one filter of each square of four, with a little chromatic aberration."""
    row, column, colour = site
    channel = cv2.extractChannel(light, colour)
    size = light.shape[1] // 2, light.shape[0] // 2
    grow = 1 - camera.fringe * (colour - 1)
    x, y = middle(camera)
    move = np.array([[2 * grow, 0, x + (column - x) * grow], [0, 2 * grow, y + (row - y) * grow]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return floats(cv2.warpAffine(channel, move, size, flags=how, borderMode=cv2.BORDER_REPLICATE))


def collect_light(light: Floats, lamp: Floats, shine: Floats | None, camera: SceneCamera) -> Floats:
    """Collect the lit scene's light behind each filter: one amount per pixel."""
    raw = np.empty(light.shape[:2], np.float32)
    half = light.shape[1] // 2, light.shape[0] // 2
    tint = lamp.mean(axis=(0, 1))
    for site in FILTERS:
        row, column, colour = site
        amount = filter_light(light, camera, site)
        amount *= floats(cv2.resize(cv2.extractChannel(lamp, colour), half))
        if shine is not None:
            amount += shine * np.float32(tint[colour])
        raw[row::2, column::2] = amount * np.float32(camera.exposure)
    return raw


def add_noise(raw: Floats, camera: SceneCamera, rng: Generator) -> Floats:
    """Add photon and sensor noise."""
    if not camera.noise:
        return raw
    base = camera.noise / STEPS_ON_GREY / LEFT_OF_NOISE
    spread = np.sqrt(raw * np.float32((1 - READ) / GREY) + np.float32(READ))
    spread *= rng.standard_normal(raw.shape, dtype=np.float32)
    spread *= np.float32(base)
    spread += raw
    return floats(spread)


def digitise(raw: Floats, camera: SceneCamera) -> Deep:
    """Clip at saturation, balance the colours and count in 16 bits."""
    np.clip(raw, 0, 1, out=raw)
    for row, column, colour in FILTERS:
        gain = camera.white_balance[colour] * 65535
        raw[row::2, column::2] *= np.float32(gain)
    return np.clip(raw, 0, 65535, out=raw).astype(np.uint16)


def sharpen(picture: Pixels, amount: float) -> Pixels:
    """Sharpen a picture as cameras do."""
    if not amount:
        return picture
    soft = cv2.GaussianBlur(picture, (5, 5), 1.0)
    return pixels(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0))


def compress_jpeg(picture: Pixels, quality: int) -> Pixels:
    """Compress a picture as JPEG and decompress it."""
    if not quality:
        return picture
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return pixels(cv2.imdecode(packed, cv2.IMREAD_COLOR))


def develop_picture(
    light: Floats, lamp: Floats, shine: Floats | None, camera: SceneCamera, rng: Generator
) -> Pixels:
    """Develop a picture, from blur to JPEG."""
    raw = add_noise(collect_light(blur(light, camera), lamp, shine, camera), camera, rng)
    tones = to_screen()[digitise(raw, camera)]  # OpenCV 4 has lookup tables for 8 bits only
    picture = pixels(cv2.cvtColor(tones, cv2.COLOR_BayerRGGB2BGR_EA))
    return compress_jpeg(sharpen(picture, camera.sharpening), camera.jpeg)

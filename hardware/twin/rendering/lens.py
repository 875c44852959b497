"""Maps between table and picture: perspective, and the Brown model of lens distortion."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.twin.rendering.scene import SceneCamera

Floats = NDArray[np.float32]
Reals = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right, bottom; the last two exclusive

COARSE = 16


def floats(of: object) -> Floats:
    return np.asarray(of, np.float32)


def pixels(of: object) -> Pixels:
    return np.asarray(of, np.uint8)


def reals(of: object) -> Reals:
    return np.asarray(of, np.float64)


def sample_colours(
    picture: Pixels | Floats, across: Floats, down: Floats, beyond: Sequence[float] | None = None
) -> NDArray[Any]:
    """Sample a picture's colours at points; outside it, use `beyond` or the edge colour."""
    if beyond is None:
        return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderValue=beyond))


def rotation(axis: int, degrees: float) -> Reals:
    """Return a rotation about one axis: 0 across, 1 down, 2 along the view."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    a, b = [i for i in range(3) if i != axis]
    turn = np.eye(3)
    turn[a, a], turn[a, b], turn[b, a], turn[b, b] = c, -s, s, c
    return turn


def geometry_of(camera: SceneCamera) -> SceneCamera:
    """Reduce a camera to its geometry, so that its frames share cached results."""
    plain = {"exposure": 1.0, "white_balance": (1.0, 1.0, 1.0), "shake": (0.0, 0.0), "jpeg": 0}
    return replace(camera, **plain, defocus=0.0, noise=0.0, sharpening=0.0, fringe=0.0)


@lru_cache(maxsize=64)
def attitude(camera: SceneCamera) -> Reals:
    """Return the camera's rotation; its own axes are across, down and along the view."""
    return reals(rotation(2, -camera.pan) @ rotation(0, camera.tilt) @ rotation(1, -camera.roll))


def middle(camera: SceneCamera) -> tuple[float, float]:
    """Return the principal point, where the optical axis meets the picture."""
    width, height = camera.resolution
    return (width - 1) / 2 + camera.off_centre[0], (height - 1) / 2 + camera.off_centre[1]


def sheet(camera: SceneCamera, height: float = 0.0) -> Reals:
    """Map a plane at a height to undistorted rays: millimetres to x / z, y / z."""
    x, y, z = camera.at
    return reals(attitude(camera) @ np.array([[1, 0, -x], [0, 1, -y], [0, 0, z - height]]))


def map_points(matrix: Reals, points: Reals) -> Reals:
    away = points @ matrix[:, :2].T + matrix[:, 2]
    return reals(away[:, :2] / away[:, 2:])


def distortion(camera: SceneCamera, squared: Reals) -> Reals:
    """Return the radial distortion factor of rays, by their squared distance from the axis."""
    return reals(1 + squared * (camera.k1 + squared * camera.k2))


def project(camera: SceneCamera, points: Reals) -> Reals:
    """Map points (n, 3) over the table to the picture."""
    rays = (points * (1, 1, -1) - np.array(camera.at) * (1, 1, -1)) @ attitude(camera).T
    flat = rays[:, :2] / rays[:, 2:]
    bent = flat * distortion(camera, (flat**2).sum(axis=1))[:, None]
    return reals(bent * camera.focal + middle(camera))


def straighten(camera: SceneCamera, seen: Reals) -> Reals:
    """Map pixels (n, 2) to undistorted rays."""
    bent = (seen - middle(camera)) / camera.focal
    flat = bent
    for _ in range(8):
        flat = bent / distortion(camera, (flat**2).sum(axis=1))[:, None]
    return reals(flat)


def on_table(camera: SceneCamera, seen: Reals, height: float = 0.0) -> Reals:
    """Map pixels to points (n, 2) of a plane at a height."""
    return map_points(reals(np.linalg.inv(sheet(camera, height))), straighten(camera, seen))


def box_around(camera: SceneCamera, seen: Reals, margin: int = 3) -> Box:
    """Return the bounding box of pixels with a margin, clipped to the picture; may be empty."""
    low, high = np.floor(seen.min(axis=0)) - margin, np.ceil(seen.max(axis=0)) + margin + 1
    limit = np.array(camera.resolution)
    left, top = np.clip(low, 0, limit).astype(int).tolist()
    right, bottom = np.clip(high, 0, limit).astype(int).tolist()
    return left, top, right, bottom


def blocks(start: int, end: int) -> Reals:
    """Return the middles of blocks that cover a range of pixels, with one more at both ends."""
    count = ceil((end - start) / COARSE) + 2
    return reals(start + (np.arange(count) - 0.5) * COARSE - 0.5)


def coarse(camera: SceneCamera, box: Box, height: float) -> tuple[Reals, tuple[int, int]]:
    """Return the table's points (n, 2) under the blocks of a box, and the rows and columns."""
    across, down = blocks(box[0], box[2]), blocks(box[1], box[3])
    grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    return on_table(camera, grid, height), (len(down), len(across))


def refine(values: Reals, shape: tuple[int, int], box: Box, step: int = 1) -> Floats:
    """Interpolate smooth values over a box's pixels, or over every `step` pixels."""
    times = COARSE // step
    rows, columns = shape
    small = values.astype(np.float32).reshape(rows, columns)
    full = floats(cv2.resize(small, (columns * times, rows * times), interpolation=cv2.INTER_LINEAR))
    return full[times : times + (box[3] - box[1]) // step, times : times + (box[2] - box[0]) // step]


def everything(camera: SceneCamera) -> Box:
    return 0, 0, camera.resolution[0], camera.resolution[1]


@lru_cache(maxsize=4)
def ground(camera: SceneCamera, step: int) -> tuple[Floats, Floats]:
    """Return the table's points under the whole picture, across and down, every `step` pixels."""
    box = everything(camera)
    points, shape = coarse(camera, box, 0.0)
    return refine(points[:, 0], shape, box, step), refine(points[:, 1], shape, box, step)


# develop light into a stored picture: lens blur, colour filters, noise, tone, sharpening, JPEG

Deep = NDArray[np.uint16]
# 8-bit levels per unit of light at mid-grey, and the fraction of noise that demosaicing leaves
STEPS_ON_GREY = 305.0
LEFT_OF_NOISE = 0.72
GREY = 0.18
READ = 0.25  # the part of mid-grey's noise that isn't shot noise


@lru_cache(maxsize=1)
def to_light() -> Floats:
    """Return the linear light of each of 256 sRGB levels."""
    step = np.arange(256) / 255
    return np.where(step <= 0.04045, step / 12.92, ((step + 0.055) / 1.055) ** 2.4).astype(np.float32)


@lru_cache(maxsize=1)
def to_screen() -> Pixels:
    """Return the sRGB level, of 256, for each of 65536 amounts of linear light."""
    light = np.arange(65536) / 65535
    step = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return (step * 255 + 0.5).astype(np.uint8)


def to_linear(picture: Pixels) -> Floats:
    return floats(cv2.LUT(picture, to_light()))


def blur(light: Floats, camera: SceneCamera) -> Floats:
    width = 2 * round(camera.defocus * 2.6 + 0.5) + 1
    if camera.defocus > 0:
        light = floats(cv2.GaussianBlur(light, (width, width), camera.defocus))
    if np.hypot(*camera.shake) > 0.2:
        light = floats(cv2.filter2D(light, -1, smear(camera.shake), borderType=cv2.BORDER_REPLICATE))
    return light


def smear(shake: tuple[float, float]) -> Floats:
    """Return a motion kernel: points along the path, each interpolated among four pixels."""
    reach = int(np.ceil(max(abs(shake[0]), abs(shake[1])) / 2)) + 1
    kernel = np.zeros((2 * reach + 2, 2 * reach + 2))
    for part in np.linspace(-0.5, 0.5, 33):
        x, y = reach + shake[0] * part, reach + shake[1] * part
        i, j = int(x), int(y)
        fx, fy = x - i, y - j
        kernel[j : j + 2, i : i + 2] += np.outer((1 - fy, fy), (1 - fx, fx))
    return floats(kernel[:-1, :-1] / kernel[:-1, :-1].sum())


# rows and columns of the sensor's Bayer filters: red and green over green and blue
FILTERS = ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0))


def filter_light(light: Floats, camera: SceneCamera, site: tuple[int, int, int]) -> Floats:
    """Sample the light behind one filter of each Bayer cell, with slight chromatic aberration."""
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
    if not camera.noise:
        return raw
    spread = np.sqrt(raw * np.float32((1 - READ) / GREY) + np.float32(READ))
    spread *= rng.standard_normal(raw.shape, dtype=np.float32)
    spread *= np.float32(camera.noise / STEPS_ON_GREY / LEFT_OF_NOISE)
    spread += raw
    return floats(spread)


def digitise(raw: Floats, camera: SceneCamera) -> Deep:
    """Clip at saturation, apply white balance and quantise to 16 bits."""
    np.clip(raw, 0, 1, out=raw)
    for row, column, colour in FILTERS:
        raw[row::2, column::2] *= np.float32(camera.white_balance[colour] * 65535)
    return np.clip(raw, 0, 65535, out=raw).astype(np.uint16)


def sharpen(picture: Pixels, amount: float) -> Pixels:
    """Apply unsharp masking, as cameras do."""
    if not amount:
        return picture
    return pixels(cv2.addWeighted(picture, 1 + amount, cv2.GaussianBlur(picture, (5, 5), 1.0), -amount, 0))


def compress_jpeg(picture: Pixels, quality: int) -> Pixels:
    if not quality:
        return picture
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return pixels(cv2.imdecode(packed, cv2.IMREAD_COLOR))


def develop_picture(
    light: Floats, lamp: Floats, shine: Floats | None, camera: SceneCamera, rng: Generator
) -> Pixels:
    raw = add_noise(collect_light(blur(light, camera), lamp, shine, camera), camera, rng)
    tones = to_screen()[digitise(raw, camera)]
    picture = pixels(cv2.cvtColor(tones, cv2.COLOR_BayerRGGB2BGR_EA))
    return compress_jpeg(sharpen(picture, camera.sharpening), camera.jpeg)

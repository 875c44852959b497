"""Table tops: felt, wood, a light laminate, a cloth mat and the printed mat; each drawn once per table."""

from functools import lru_cache

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from hardware.decks.print import markers, playmat
from hardware.decks.print.raster import picture
from hardware.twin.rendering import lens
from hardware.twin.rendering.scene import Colour, Plate, SceneCamera, SceneTable, Surface

GRAIN = 2.0  # pixels per millimetre
FINE = 2.5  # pixels per millimetre of the plates
TONES = (26, 236)  # levels of the darkest ink and the whitest paper
GOLD: Colour = (90.0, 165.0, 205.0)  # colour of the mat's print
FLOOR: Colour = (38.0, 44.0, 52.0)
OWN: dict[Surface, Colour] = {
    "felt": (62.0, 98.0, 34.0),
    "wood": (72.0, 112.0, 160.0),
    "light": (206.0, 216.0, 220.0),
    "mat": (92.0, 48.0, 38.0),
    "paper": (72.0, 112.0, 160.0),
}
# reflectivity of each surface for a lamp's image, relative to a card's
GLOSS: dict[Surface, float] = {"felt": 0.0, "wood": 0.22, "light": 0.15, "mat": 0.06, "paper": 0.05}


def cloud(rng: Generator, shape: tuple[int, int], across: float, down: float) -> lens.Floats:
    """Return smooth noise with a feature size in pixels and a standard deviation of about 1."""
    rows, columns = max(3, int(shape[0] / down) + 3), max(3, int(shape[1] / across) + 3)
    small = rng.standard_normal((rows, columns), dtype=np.float32)
    return lens.floats(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def tint(colour: Colour, shade: lens.Floats) -> lens.Floats:
    """Return a colour, lighter or darker by `shade`; 0 leaves it unchanged."""
    return np.multiply.outer(1 + shade, np.array(colour, np.float32))


def felt(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw felt: short fibres in all directions over a worn, blotched cloth."""
    fibres = sum((fibre(rng, shape, angle) for angle in (10, 55, 100, 145)), np.zeros(shape, np.float32))
    worn = cloud(rng, shape, 260, 200) * 0.025 + cloud(rng, shape, 26, 20) * 0.015
    fluff = (cloud(rng, shape, 3, 3) > 3.1) * np.float32(0.12)
    return tint(colour, fibres * 0.065 + worn + fluff)


def fibre(rng: Generator, shape: tuple[int, int], angle: float) -> lens.Floats:
    """Return noise combed in one direction."""
    comb = np.zeros((9, 9), np.float32)
    x, y = 4 * np.cos(np.radians(angle)), 4 * np.sin(np.radians(angle))
    ends = (round(4 - x), round(4 - y)), (round(4 + x), round(4 + y))
    cv2.line(comb, *ends, 1.0)
    noise = rng.standard_normal(shape, dtype=np.float32)
    return lens.floats(cv2.filter2D(noise, -1, comb / comb.sum() ** 0.5 / 2))


def wood(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw planks side by side, each with its own rings, tint and pores."""
    top = np.empty((*shape, 3), np.float32)
    edge = 0
    while edge < shape[0]:
        width = int(rng.uniform(170, 260))
        part = top[edge : edge + width]
        part[:] = plank(rng, (part.shape[0], shape[1]), colour)
        part[:2] *= 0.62
        edge += width
    return top


def plank(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw a plank: rings cut at a slant, stretched along the grain."""
    down = np.arange(shape[0], dtype=np.float32)[:, None]
    wave = cloud(rng, shape, 700, 120) * 30 + cloud(rng, shape, 240, 40) * 3
    heart = rng.uniform(-0.4, 1.4) * shape[0]
    rings = np.hypot(down - heart + wave, rng.uniform(10, 40)) / rng.uniform(9, 16)
    late = np.power(rings % 1.0, 3.0) * (0.6 + 0.4 * np.sin(rings * 1.7))
    streaks = cloud(rng, shape, 190, 1.5) * 0.030 + cloud(rng, shape, 60, 1.1) * 0.022
    pores = (cloud(rng, shape, 16, 1.3) > 2.1) * np.float32(-0.16)
    shade = streaks + pores - late * rng.uniform(0.12, 0.22) + rng.uniform(-0.1, 0.1) + 0.05
    reddish = np.array((-0.04, 0.0, 0.03), np.float32) * np.float32(rng.uniform(-1, 1))
    return tint(colour, shade.astype(np.float32)) * (1 + reddish)


def light(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw a nearly white laminate: faint grain, a few specks, a little dirt."""
    grain = cloud(rng, shape, 300, 3) * 0.008 + cloud(rng, shape, 1.5, 1.5) * 0.008
    dirt = cloud(rng, shape, 320, 260) * 0.012
    specks = (cloud(rng, shape, 4, 4) > 3.0) * np.float32(-0.05)
    return tint(colour, grain + dirt + specks)


def mat(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw a neoprene mat: a woven ground, a star, rings, card areas and a border."""
    weave = cloud(rng, shape, 1.2, 1.2) * 0.03 + cloud(rng, shape, 400, 300) * 0.06
    print_ = mat_print(shape, rng.uniform(0, 90))
    worn = 0.9 + cloud(rng, shape, 5, 5) * 0.05
    ink = lens.floats(cv2.GaussianBlur(print_, (0, 0), 0.8)) * worn
    drawn = tint(colour, weave)
    drawn *= (1 - ink)[..., None]
    for channel, gold in enumerate(GOLD):
        drawn[..., channel] += gold * ink
    return drawn


def mat_print(shape: tuple[int, int], turn: float) -> lens.Floats:
    """Draw the mat's print, as ink between 0 and 1."""
    ink = np.zeros(shape, np.float32)
    rows, columns = shape
    for inset, width in ((300, 5), (318, 2), (336, 2)):
        cv2.rectangle(ink, (inset, inset), (columns - inset, rows - inset), 0.55, width)
    for radius, width in ((150, 3), (290, 2), (306, 6), (420, 2)):
        cv2.circle(ink, (columns // 2, rows // 2), radius, 0.45, width, cv2.LINE_AA)
    cv2.polylines(ink, star(columns / 2, rows / 2, turn), True, 0.5, 3, cv2.LINE_AA)
    for place in (-1.5, -0.5, 0.5, 1.5):
        x = int(columns / 2 + place * 300)
        cv2.rectangle(ink, (x - 70, rows - 560), (x + 70, rows - 370), 0.35, 2)
    return ink


def star(x: float, y: float, turn: float) -> list[NDArray[np.int32]]:
    """Return the corners of an eight-pointed star, for OpenCV."""
    angles = np.radians(np.arange(16) * 22.5 + turn)
    reach = np.where(np.arange(16) % 2, 120, 280)
    corners = np.stack((x + reach * np.cos(angles), y + reach * np.sin(angles)), axis=-1)
    return [corners.round().astype(np.int32)]


def paper(rng: Generator, shape: tuple[int, int], colour: Colour) -> lens.Floats:
    """Draw the printed play mat on a wooden table."""
    ground = wood(rng, shape, colour)
    sheet = on_paper(picture(playmat.playmat(), GRAIN))
    top, left = ((outer - inner) // 2 for outer, inner in zip(shape, sheet.shape[:2], strict=True))
    waves = 1 + cloud(rng, (sheet.shape[0], sheet.shape[1]), 300, 300) * 0.012
    ground[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet * waves[..., None]
    return ground


DRAWN = {"felt": felt, "wood": wood, "light": light, "mat": mat, "paper": paper}


@lru_cache(maxsize=2)
def top(table: SceneTable) -> lens.Pixels:
    rng = default_rng([table.grain, len(table.surface)])
    shape = int(table.depth * GRAIN), int(table.width * GRAIN)
    drawn = DRAWN[table.surface](rng, shape, table.colour or OWN[table.surface])
    # in place, because a table top takes 100 MB as floats
    return lens.pixels(np.clip(drawn, 0, 255, out=drawn))


@lru_cache(maxsize=16)
def plate(number: int) -> lens.Pixels:
    return on_paper(picture(markers.plate(number), FINE))


def on_paper(print_: lens.Pixels) -> lens.Pixels:
    """Convert a print's colours to paper and ink, whose white and black are imperfect."""
    return lens.pixels(np.clip(print_, *TONES))


def fix_plate(top_: lens.Pixels, here: Plate, table: SceneTable) -> None:
    """Draw a plate on a table top, rotated about the middle of its code."""
    scale = here.size * GRAIN / (markers.MARKER * FINE)
    c, s = np.cos(np.radians(here.angle)) * scale, np.sin(np.radians(here.angle)) * scale
    x, y = (here.x + table.width / 2) * GRAIN, (here.y + table.depth / 2) * GRAIN
    u, v = ((edge + markers.MARKER / 2) * FINE - 0.5 for edge in markers.MARKER_AT)
    move: lens.Reals = np.array([[c, -s, x - c * u + s * v - 0.5], [s, c, y - s * u - c * v - 0.5]])
    shape = top_.shape[1], top_.shape[0]
    cv2.warpAffine(plate(here.number), move, shape, dst=top_, borderMode=cv2.BORDER_TRANSPARENT)


@lru_cache(maxsize=2)
def table_with_plates(table: SceneTable) -> lens.Pixels:
    bare = top(replace(table, plates=()))
    if not table.plates:
        return bare
    done = bare.copy()
    for one in table.plates:
        fix_plate(done, one, table)
    return done


@lru_cache(maxsize=3)
def bare_table(camera: SceneCamera, table: SceneTable) -> lens.Pixels:
    """Return a camera's view of the empty table, evenly lit, with the floor around it."""
    box = lens.everything(camera)
    points, shape = lens.coarse(camera, box, 0.0)
    across = lens.refine((points[:, 0] + table.width / 2) * GRAIN - 0.5, shape, box)
    down = lens.refine((points[:, 1] + table.depth / 2) * GRAIN - 0.5, shape, box)
    return lens.pixels(lens.sample_colours(table_with_plates(table), across, down, FLOOR))

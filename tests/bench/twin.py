"""How long the renderer takes for a frame."""

from collections.abc import Iterable
from statistics import median

import click
import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import lay_separate
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import FULL, WIDE
from tests.bench.measured import json_option, milliseconds, print_figures

DECK = "coyote-gigamic"
CARDS = 12


class FrameTimes(Struct, frozen=True):
    """How long frames of twelve cards take: the first of a table, and the median of those after it."""

    level: str
    size: str
    first: float
    median: float
    ratio: float
    """The median, over one cvtColor, Otsu's threshold and findContours of the same frame."""


@click.command(help="Frames of twelve cards, at each level of light and in both sizes.")
@click.option("--frames", default=10, show_default=True, type=click.IntRange(1, 1000), help="How many of each.")
@json_option
def twin(frames: int, *, as_json: bool) -> None:
    """Measure the renderer."""
    rows = [_time_frames(level, size, frames) for level in LEVELS for size in (FULL, WIDE)]
    print_figures("twin", {"cards": CARDS, "frames": rows}, _table(rows), as_json=as_json)


def _time_frames(level: str, size: tuple[int, int], frames: int) -> FrameTimes:
    faces, names = faces_of(DECK), tuple(PRINTED[DECK].faces)[:CARDS]
    scene = random_scene(LEVELS[level], lay_separate, names, 1, resolution=size)
    for name in names:
        faces(name)
    first = milliseconds(lambda: render(scene, faces))
    times = [
        milliseconds(lambda time=time: render(replace(scene, time=time / 10), faces))  # type: ignore[misc]
        for time in range(1, frames + 1)
    ]
    picture = render(scene, faces).picture
    yardstick = median(milliseconds(lambda: _contours(picture)) for _time in range(5))
    middle = median(times)
    return FrameTimes(level, f"{size[0]}x{size[1]}", round(first), round(middle), round(middle / yardstick, 1))


def _contours(picture: Pixels) -> object:
    """Do what any reader would do first."""
    grey = cv2.cvtColor(np.asarray(picture), cv2.COLOR_BGR2GRAY)
    _level, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)


def _table(rows: Iterable[FrameTimes]) -> Iterable[str]:
    yield f"{'level':6} {'size':10} {'first ms':>9} {'median ms':>10} {'ratio':>7}"
    for row in rows:
        yield f"{row.level:6} {row.size:10} {row.first:>9.0f} {row.median:>10.0f} {row.ratio:>7}"
    yield "ratio: to cvtColor, Otsu and findContours of the same frame"

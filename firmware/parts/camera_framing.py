"""How a table lies in the live picture, as a page shows it: an outline, one move, three gauges."""

from typing import Literal

from msgspec import Struct

from vision.sightings import Outline
from vision.table.calibration import BLURRED, BRIGHT, DARK
from vision.table.framing import Framing, tell_move
from vision.troubles import Problem

GOOD_FROM, GOOD_TO = 55.0, 92.0
"""Where a gauge's good range lies, of 100."""
MARKERS = 4


class Gauge(Struct, frozen=True):
    """How good something is: a share of 100, good between 55 and 92, and in a word."""

    part: Literal["markers", "focus", "light"]
    share: float
    word: Literal["count", "sharp", "blurred", "good", "too dark", "too bright", "unknown"]

    @property
    def is_good(self) -> bool:
        """Tell whether it is as it should be."""
        return self.share > GOOD_FROM and self.word in {"count", "sharp", "good"}


class CameraFraming(Struct, frozen=True):
    """How the table lies in the live picture, and what hands should do next."""

    size: tuple[int, int]
    outline: Outline
    """Where the markers belong in the picture."""
    seen: int
    """Markers that are seen, of four."""
    gauges: tuple[Gauge, ...]
    way: str = ""
    """Which way the camera has to go: raise, left, look left, turn left, and so on; empty if it is right."""
    move: Problem | None = None
    """The same, to be told."""

    @property
    def is_good(self) -> bool:
        """Tell whether all markers lie where they belong."""
        return self.seen == MARKERS and self.move is None


def shown_framing(framing: Framing | None) -> CameraFraming | None:
    """Show how a table lies in the picture."""
    if framing is None:
        return None
    move = framing.moves[0] if framing.moves else None
    return CameraFraming(
        size=framing.size,
        outline=framing.outline,
        seen=len(framing.seen),
        gauges=(_marker_gauge(len(framing.seen)), _focus_gauge(framing.blur), _light_gauge(framing.light)),
        way="" if move is None else move.way,
        move=None if move is None else tell_move(move),
    )


def wrong_besides(framing: Framing) -> tuple[Problem, ...]:
    """List what is wrong besides what a move cures, or what is said of the table as a whole."""
    cured = {"too far"} | ({"marker hidden"} if framing.moves or not framing.seen else set())
    return tuple(problem for problem in framing.wrong if problem.key not in cured)


def _marker_gauge(seen: int) -> Gauge:
    return Gauge("markers", GOOD_TO if seen == MARKERS else GOOD_FROM * seen / MARKERS, "count")


def _focus_gauge(blur: float) -> Gauge:
    if blur <= BLURRED:
        return Gauge("focus", GOOD_TO - (GOOD_TO - GOOD_FROM) * blur / BLURRED, "sharp")
    return Gauge("focus", GOOD_FROM * BLURRED / blur, "blurred")


def _light_gauge(light: float | None) -> Gauge:
    if light is None:
        return Gauge("light", 0.0, "unknown")
    if light < DARK:
        return Gauge("light", GOOD_FROM * light / DARK, "too dark")
    if light >= BRIGHT:
        return Gauge("light", 100.0, "too bright")
    return Gauge("light", GOOD_FROM + (GOOD_TO - GOOD_FROM) * (light - DARK) / (BRIGHT - DARK), "good")

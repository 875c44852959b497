"""The simulated world of the twin: cards on a table, the camera that sees them, fingers on buttons and dial.

It knows where every card is, and does with the cards what a moment makes people do. The camera's frames go into
a file, and the eyes read them there: nothing that is known here reaches the referee by another way.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread
from time import sleep
from typing import Any, Literal
from zlib import crc32

import numpy as np

from hardware.board.board import Board, Key, wires
from hardware.twin.dealer import Dealt, Truth, dealt, followed_as_told, laid
from hardware.twin.faces import faces_of
from hardware.twin.lens import Pixels
from hardware.twin.render import render
from hardware.twin.scene import Camera, Laid, Light, Scene, Table
from referee.contract import Show, Zone
from referee.match import Match, moments
from vision.cameras import show_live
from vision.sightings import Point
from vision.zones import Zones

CAMERA = Camera(resolution=(1664, 1248), focal=1280.0, jpeg=0)
"""Just large enough for small signs to be read."""
FRAME = 0.1
"""Seconds from frame to frame."""
NOISES, SPECKLE = 6, 4
"""How many noises follow one another, and how strong they are in steps of grey."""
STEP = 0.01
"""Seconds between the edges of a dial that is turned."""
HELD: Mapping[str, float] = {"short": 0.08, "long": 0.9}
"""Seconds for which a button is held."""
BETWEEN = 0.12
"""Seconds between the two presses of a double one."""
APART: Point = (68.0, 95.0)
"""Millimetres from one card to the next in a zone."""
ROW = 5

Fault = Literal["unplugged", "frozen", "black"]


class World:
    """What lies on the simulated table, and what is true of every card."""

    def __init__(self, match: Match, zones: Zones, file: Path) -> None:
        """Shuffle, and deal as the match so far has it; the same match always has the same cards."""
        self._zones, self._file = zones, file
        self._faces = faces_of(match.setup.game.deck(match.setup.house).name)
        self._lock = Lock()
        self._cards: tuple[Laid, ...] = ()
        self._rng, self._dealt = _dealt_so_far(match)
        self._base: Pixels | None = None
        noise = np.random.default_rng(0)
        size = (*reversed(CAMERA.resolution), 3)
        self._noises = [noise.integers(0, SPECKLE, size, np.uint8) for _number in range(NOISES)]
        self.fault: Fault | None = None
        self.shown = Event()
        """Set once there is a frame."""
        self._over = Event()
        self._thread = Thread(target=self._show, name="camera", daemon=True)
        self._thread.start()

    def truth(self, match: Match) -> Truth:
        """Tell where every card is."""
        with self._lock:
            self._follow(match)
            return self._dealt.truth

    def _follow(self, match: Match) -> None:
        """Do with the cards what moments made people do since; a new match is shuffled for."""
        new = []
        for moment in moments(match):
            if moment is self._dealt.match:
                break
            new.append(moment)
        else:
            self._rng, self._dealt = _dealt_so_far(match)
            return
        for moment in reversed(new):
            self._dealt = Dealt(moment, followed_as_told(self._dealt.truth, moment, self._rng))

    def lay(self, match: Match, ask: Show, faces: Iterable[str] | None = None) -> tuple[str, ...]:
        """Lay what an ask wants to see, as it is, or other cards, in its zone."""
        with self._lock:
            self._follow(match)
            cards = laid(self._dealt, ask)[0] if faces is None else tuple(faces)
            there = _places(_middle(self._zones, ask.zone), len(self._cards), len(cards), self._rng)
            new = (Laid(face, x, y, angle) for face, (x, y, angle) in zip(cards, there, strict=True))
            self._cards, self._base = (*self._cards, *new), None
        return cards

    def sweep(self) -> None:
        """Take all cards off the table."""
        with self._lock:
            self._cards, self._base = (), None

    def close(self) -> None:
        """Show no more."""
        self._over.set()
        self._thread.join()

    def _show(self) -> None:
        """Show frame after frame, each with its noise."""
        number = 0
        while not self._over.wait(FRAME):
            if self.fault == "unplugged":
                self._file.unlink(missing_ok=True)
                continue
            number += self.fault != "frozen"
            frame = self._frame()
            show_live(self._file, frame * 0 if self.fault == "black" else frame + self._noises[number % NOISES])
            self.shown.set()

    def _frame(self) -> Pixels:
        """Render the table once for as long as nothing changes."""
        with self._lock:
            cards, base = self._cards, self._base
        if base is None:
            scene = Scene(CAMERA, Table("felt"), Light(), cards)
            # room for the noise, so that no white turns black
            base = np.minimum(render(scene, self._faces).picture, 255 - SPECKLE)
            with self._lock:
                self._base = base if self._cards == cards else None
        return base


def _dealt_so_far(match: Match) -> tuple[Random, Dealt]:
    """Deal for a match, and follow it to the moment where it stands."""
    played = list(moments(match))[::-1]
    rng = Random(crc32(f"{match.setup.begun} {match.setup.names}".encode()))  # noqa: S311 - cards of a simulated table
    known = dealt(played[0], rng)
    for moment in played[1:]:
        known = Dealt(moment, followed_as_told(known.truth, moment, rng))
    return rng, known


def _middle(zones: Zones, zone: Zone) -> Point:
    corners = zones[zone.name if zone.seat is None else f"{zone.name} {zone.seat + 1}"]
    xs, ys = zip(*corners, strict=True)
    if zone.seat is None:
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    # a seat's part reaches far out of the picture: stay where it begins
    near = sorted(corners, key=lambda corner: corner[0] ** 2 + corner[1] ** 2)[: len(corners) // 2]
    xs, ys = zip(*near, strict=True)
    return 1.25 * sum(xs) / len(xs), 1.25 * sum(ys) / len(ys)


def _places(middle: Point, before: int, count: int, rng: Random) -> list[tuple[float, float, float]]:
    """Find places for cards in rows around a middle, none where another lies, none quite straight."""
    places = []
    for number in range(before, before + count):
        row, column = divmod(number, ROW)
        across = ((column + 1) // 2) * (1 if column % 2 else -1) * APART[0]
        down = ((row + 1) // 2) * (1 if row % 2 else -1) * APART[1]
        shift = (rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5))
        places.append((middle[0] + across + shift[0], middle[1] + down + shift[1], rng.uniform(-3, 3)))
    return places


class Fingers:
    """Fingers on the board's simulated pins."""

    def __init__(self, board: Board, factory: Any) -> None:
        """Take the pins; they are pulled up until somebody presses."""
        self._pins = {key: factory.pin(gpio) for key, gpio in wires(board).items()}

    def press(self, key: Key, how: str = "short") -> bool:
        """Press a button; False if the board has none there."""
        if key not in self._pins:
            return False
        for number in range(2 if how == "double" else 1):
            sleep(BETWEEN * number)
            self._pins[key].drive_low()
            sleep(HELD.get(how, HELD["short"]))
            self._pins[key].drive_high()
        return True

    def turn(self, clicks: int) -> bool:
        """Turn the dial, slowly enough for single steps."""
        first, second = (Key("a"), Key("b")) if clicks > 0 else (Key("b"), Key("a"))
        if first not in self._pins:
            return False
        for _click in range(abs(clicks)):
            for key, is_low in ((first, True), (second, True), (first, False), (second, False)):
                (self._pins[key].drive_low if is_low else self._pins[key].drive_high)()
                sleep(STEP)
            sleep(0.08)
        return True

"""A whole table in simulated time: loop, rendered pictures, real eyes, bots.

When the loop waits for its queue, time advances to the next event: a picture for the eyes, a bot's step, a
press. Computing takes no simulated time, so a busy machine plays the same match.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from firmware.board.inputs.button_input import ButtonInput
from firmware.cli.terminal import listener_of
from firmware.storage.decks import deck_folder
from firmware.storage.found_table import parting_of, seat_zones
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Parts
from firmware.table.watcher import DeferredOrders, EyesNews, EyesStarted
from firmware.twin.simulated_camera import AT_REST, NOISES, PLAIN, SELDOM, SPECKLE
from firmware.twin.world import FRAME, World
from hardware.twin.rendering.renderer import render
from hardware.twin.strengths import Strength
from referee.contract import TableLayout
from referee.match import Match
from tests.firmware.table.tables import SIX, FakeButtons, QuickDisk, SilentOutputs
from tests.firmware.twin.twin_tables import SteppedBots
from tests.long.fingers import Fingers
from tests.stepped import NEVER, Actor, SteppedQueue, SteppedTime
from vision.pictures import Picture
from vision.process import on_frame
from vision.process.messages import EyesSettings
from vision.process.on_frame import (
    EyesState,
    go_without_picture,
    look_at_picture,
    obey_order,
    open_eyes,
    pause_after,
)
from vision.reading.reader import read
from vision.sightings import Reading
from vision.table.camera import CameraTroubleError, WatchedCamera
from vision.table.values import Zones

APART = 844.0, 556.0  # millimetres between the markers' centres, horizontally and vertically
SETTLED = 6
"""Unchanged pictures after which idle eyes slow down to the rate of a table at rest."""


class TableLog(Logbook):
    """A log in memory, with simulated time."""

    def __init__(self, time: SteppedTime) -> None:
        self._time = time
        self.lines = list[bytes]()

    def note(self, what: str, **values: object) -> None:
        line = {"at": round(self._time.seconds, 2), "what": what, **values}
        self.lines.append(msgspec.json.encode(line, enc_hook=str) + b"\n")

    def close(self) -> None:
        """Do nothing."""


class SteppedWorld(World):
    """The simulated world without a thread; pictures are taken on demand."""

    def _show(self) -> None:
        pass


class SteppedCamera:
    """The twin's camera: the scene with sensor noise and faults."""

    name = "twin"

    def __init__(self, world: World) -> None:
        self._world = world
        self._scene: object = None
        self._bare: Picture | None = None
        self._last: Picture | None = None
        self.same = self.scenes = 0

    def picture(self) -> Picture:
        if self._world.view.fault == "unplugged":
            raise CameraTroubleError("missing", camera=self.name)
        if self._world.view.fault == "frozen" and self._last is not None:
            return self._last
        drawn = self._world._scene(PLAIN, None)
        scene, faces = drawn
        self.same = self.same + 1 if scene == self._scene else 0
        if self._bare is None or scene != self._scene:
            self._scene, self.scenes = scene, self.scenes + 1
            self._bare = np.minimum(render(scene, faces), 255 - SPECKLE)
        self._last = self._bare + noises(self._bare.shape)[self.same % NOISES]
        return self._last * 0 if self._world.view.fault == "black" else self._last

    def optics(self) -> None:
        """Return no optics."""

    def lock(self) -> None:
        """Leave the light as it is."""

    def unlock(self) -> None:
        """Leave the light as it is."""

    def close(self) -> None:
        """Do nothing."""


@lru_cache(maxsize=1)
def noises(size: tuple[int, ...]) -> list[Picture]:
    """Return a sequence of noise pictures like the twin's."""
    noise = np.random.default_rng(0)
    return [noise.integers(0, SPECKLE, size, np.uint8) for _number in range(NOISES)]


class Remembered:
    """A cache for the reader: each part of a scene is read once, as only its noise changes."""

    def __init__(self, camera: SteppedCamera) -> None:
        self._camera, self._read = camera, dict[tuple[object, ...], Reading]()
        self._shown = 0

    def __call__(self, part: Picture, deck: Any, among: Any = None, around: Any = None) -> Reading:
        if around is None:
            return read(part, deck, among, around)
        if self._shown != self._camera.scenes:
            self._shown = self._camera.scenes
            self._read.clear()
        # a part's plane identifies its position in the picture
        key = part.shape, around.plane.tobytes(), id(deck), str(among)
        if key not in self._read:
            self._read[key] = read(part, deck, among, around)
        return self._read[key]


@lru_cache(maxsize=8)
def _eyes_with_deck(deck: str, folder: Path) -> EyesState:
    return open_eyes(EyesSettings("twin", str(deck_folder(deck, folder))))[0]


class SteppedEyes:
    """The eyes as a pure function, in simulated time."""

    def __init__(
        self, match: Match, folders: tuple[Path, Path], camera: SteppedCamera, table: tuple[SteppedTime, Any]
    ) -> None:
        (self._time, self._put), (folder, decks), self._camera = table, folders, camera
        self._watched = WatchedCamera(camera)
        deck, zones = match.setup.game.table.deck(match.setup.house), zones_of(parting_of(match))
        eyes = _eyes_with_deck(deck.name, decks)
        evidence = str(folder / "evidence")
        settings = replace(eyes.settings, among=deck.counts, zones=zones, evidence=evidence)
        self._eyes = replace(eyes, settings=settings)
        self._actor = Actor(self._time, self._look)
        self._put(EyesStarted(1))

    def tell(self, order: Any) -> None:
        for each in order.made() if isinstance(order, DeferredOrders) else (order,):
            self._eyes, news = obey_order(self._eyes, each)
            self._pass_on(news)
        self._actor.wait_until(min(self._actor.due, self._time.seconds + FRAME))

    def close(self) -> None:
        self._actor.wait_until(NEVER)

    def _look(self) -> float:
        """Process the next picture; return the time of the following one."""
        try:
            picture = self._watched.picture()
        except CameraTroubleError as error:
            self._eyes, news = go_without_picture(self._eyes, error.problem)
        else:
            self._eyes, news = look_at_picture(self._eyes, picture, self._time.seconds)
        self._pass_on(news)
        watch = self._eyes.watch
        is_settled = watch is not None and not watch.is_busy and not watch.whole
        rests = self._camera.same >= (SETTLED if is_settled else AT_REST)
        return self._time.seconds + max(FRAME * (SELDOM if rests else 1), pause_after(self._eyes))

    def _pass_on(self, news: tuple[Any, ...]) -> None:
        for each in news:
            self._put(EyesNews(each))


def zones_of(layout: TableLayout) -> Zones:
    return seat_zones(layout, *APART)


OpenEyes = Callable[[Match, World, tuple[SteppedTime, Any]], Any]  # opens alternative eyes on a simulated world


class LoneTable:
    """A table with bots at all or some seats."""

    def __init__(
        self,
        match: Match,
        folder: Path,
        decks: Path,
        seed: int,
        strength: Strength = "plain",
        *,
        people: frozenset[int] = frozenset(),
        open_eyes: OpenEyes | None = None,
    ) -> None:
        """Set up the table; by default its eyes watch rendered pictures."""
        self.time = SteppedTime(0.0)
        self.log = TableLog(self.time)
        self.queue: Any = SteppedQueue(self.time)
        self.world = SteppedWorld(match, zones_of, folder / "camera.bmp")
        self.world.shown.set()
        self.voices, pins = SilentOutputs(), FakeButtons()
        camera = SteppedCamera(self.world)
        self._reader: Any = Remembered(camera)
        clock = self.time, self.queue.put
        eyes: Any = (
            SteppedEyes(match, (folder, decks), camera, clock)
            if open_eyes is None
            else open_eyes(match, self.world, clock)
        )
        disk, button_input = QuickDisk(self.queue), ButtonInput(SIX)
        parts = Parts(
            self.queue, button_input, pins, self.voices, disk, eyes, self.log, listener_of, clock=self.time
        )
        self.companion = Companion(parts, match, None)
        self.client = self.companion.client
        self.fingers = Fingers(self.client, button_input, (self.time, self.queue.put, self.log))
        self.bots = SteppedBots(
            frozenset(range(len(match.setup.names))) - people,
            self.client,
            self.world,
            Random(seed),
            strength=strength,
            clock=self.time,
        )
        # bots enter their decisions by `Fingers`
        self.bots._say = self.fingers.say  # type: ignore[method-assign]
        steps = self.bots.steps()
        Actor(self.time, lambda: self.time.seconds + next(steps))

    def run(self, look_on: Callable[[], Iterator[float]]) -> None:
        """Run until the loop is stopped; `look_on` is called at the times it yields."""
        seconds = look_on()
        Actor(self.time, lambda: self.time.seconds + next(seconds, NEVER))
        on_frame.read = self._reader
        try:
            self.companion.run()
        finally:
            on_frame.read = read
            self.bots.close()
            self.world.close()

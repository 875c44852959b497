"""A whole table in simulated time: loop, bots, and eyes that need no picture.

When the loop waits for its queue, time advances to the next event: a look of the eyes, a bot's step, a press.
Computing takes no simulated time, so a busy machine plays the same match.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from firmware.board.inputs.button_input import ButtonInput
from firmware.cli.terminal import listener_of
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Parts
from firmware.twin.world import World
from hardware.twin.strengths import Strength
from referee.match import Match
from tests.firmware.table.tables import SIX, FakeButtons, QuickDisk, SilentOutputs
from tests.firmware.twin.twin_tables import SteppedBots
from tests.long.fingers import Fingers
from tests.long.keen_eyes import KeenEyes, zones_of
from tests.stepped import NEVER, Actor, SteppedQueue, SteppedTime


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
    """The simulated world without a thread or pictures."""

    def _show(self) -> None:
        pass


class LoneTable:
    """A table with bots at all seats."""

    def __init__(self, match: Match, folder: Path, seed: int, strength: Strength) -> None:
        self.time = SteppedTime(0.0)
        self.log = TableLog(self.time)
        self.queue: Any = SteppedQueue(self.time)
        self.world = SteppedWorld(match, zones_of, folder / "camera.bmp")
        self.world.shown.set()
        eyes: Any = KeenEyes(match, self.world, (self.time, self.queue.put))
        disk, button_input = QuickDisk(self.queue), ButtonInput(SIX)
        board = button_input, FakeButtons(), SilentOutputs()
        parts = Parts(self.queue, *board, disk, eyes, self.log, listener_of, clock=self.time)
        self.companion = Companion(parts, match, None)
        self.client = self.companion.client
        self.fingers = Fingers(self.client, button_input, (self.time, self.queue.put, self.log))
        self.bots = SteppedBots(
            frozenset(range(len(match.setup.names))),
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
        try:
            self.companion.run()
        finally:
            self.bots.close()
            self.world.close()

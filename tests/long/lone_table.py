"""A whole table in simulated time: loop, bots, and eyes that need no picture.

When the loop waits for its queue, time advances to the next event: a look of the eyes, a bot's step, a press.
Computing takes no simulated time, so a busy machine plays the same match.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from firmware.board.inputs.button_input import ButtonInput
from firmware.board.inputs.meaning import answers
from firmware.board.inputs.presses import LONG_PRESS
from firmware.board_events import Edge
from firmware.cli.terminal import listener_of
from firmware.table.client import TableClient
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.loop_parts import Parts
from firmware.twin.simulated_board import DOUBLE_PRESS_GAP, PRESS_SECONDS
from firmware.twin.world import World
from hardware.board.board import Key
from hardware.twin.strengths import Strength
from referee.contract import Answer, Gesture
from referee.match import Match
from tests.firmware.table.tables import SIX, FakeButtons, QuickDisk, SilentOutputs
from tests.firmware.twin.twin_tables import SteppedBots
from tests.long.keen_eyes import KeenEyes, zones_of
from tests.stepped import NEVER, Actor, SteppedQueue, SteppedTime

SAYS_ANYWAY = 5.0  # seconds before a player with a dead button uses a phone


def press_for(match: Match, answer: Answer, buttons: int) -> tuple[Key, Gesture] | None:
    """Return the button and gesture for an answer; for one of the whole table, any seat's button."""
    seats = range(buttons) if answer.seat is None else (answer.seat,)
    for key in (Key("call", seat) for seat in seats if seat < buttons):
        for gesture, found in answers(match, key).items():
            if (found.ask, found.value) == (answer.ask, answer.value):
                return key, gesture
    return None


class Fingers:
    """Enters the bots' decisions: by a button, else on a phone."""

    def __init__(
        self, client: TableClient, time: SteppedTime, put: Callable[[Edge], None], log: Logbook
    ) -> None:
        self._client, self._time, self._put, self._log = client, time, put, log
        self.dead = frozenset[int]()
        """Seats with a dead button."""

    def say(self, match: Match, answer: Answer) -> None:
        press = press_for(match, answer, SIX.seats)
        self._log.note("bot", seat=answer.seat, ask=answer.ask, value=answer.value, press=press)
        if press is None:
            self._submit(match, answer)
        elif press[0].seat in self.dead:
            self._time.later(SAYS_ANYWAY, lambda: self._submit(match, answer))
        else:
            self._press(*press)

    def _submit(self, match: Match, answer: Answer) -> None:
        now = self._client.moment()
        windows = {ask.key for ask in now.asks if getattr(ask, "window", None) is not None}
        if now is match or answer.ask in windows:
            self._client.submit(replace(answer, moment=now.number), match.setup.begun)

    def _press(self, key: Key, gesture: Gesture) -> None:
        held = LONG_PRESS + 0.1 if gesture == "long" else PRESS_SECONDS["short"]
        for at in (number * (held + DOUBLE_PRESS_GAP) for number in range(1 + (gesture == "double"))):
            self._time.later(at, partial(self._edge, key, is_down=True))
            self._time.later(at + held, partial(self._edge, key, is_down=False))

    def _edge(self, key: Key, *, is_down: bool) -> None:
        self._put(Edge(key, self._time.seconds, is_down=is_down))


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
        disk, board = QuickDisk(self.queue), (ButtonInput(SIX), FakeButtons(), SilentOutputs())
        parts = Parts(self.queue, *board, disk, eyes, self.log, listener_of, clock=self.time)
        self.companion = Companion(parts, match, None)
        self.client = self.companion.client
        self.fingers = Fingers(self.client, self.time, self.queue.put, self.log)
        seats, rng = frozenset(range(len(match.setup.names))), Random(seed)
        self.bots = SteppedBots(seats, self.client, self.world, rng, strength=strength, clock=self.time)
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

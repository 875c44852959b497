"""A companion with the real eyes over a camera of a test's own; its pins and voices are quiet."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from firmware.board.senses.hands import Hands
from firmware.cli.terminal import listener_of
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.parts import Item, Parts, Stop
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted, Watcher
from referee.match import Match
from tests.firmware.table.tables import SIX, Pins, Quiet
from vision.process.eyes import run_eyes
from vision.process.messages import EyesSettings, settings_after
from vision.process.supervision import SupervisedEyes


class EyedTable:
    """Eyes, a loop in a thread, and its door."""

    def __init__(
        self,
        match: Match,
        folder: Path,
        settings: EyesSettings,
        disk: Callable[["SimpleQueue[Item]"], Any],
        number: int | None = None,
    ) -> None:
        """Sit down."""
        self.queue: SimpleQueue[Item] = SimpleQueue()
        self.voices = Quiet()
        self.eyes = SupervisedEyes(run_eyes, settings, remembered=settings_after)
        parts = Parts(
            self.queue, Hands(SIX), Pins(), self.voices, disk(self.queue),
            Watcher(lambda: self.eyes, self.hear_eyes), Logbook(folder / "log.jsonl"), listener_of,
        )  # fmt: skip
        self.companion = Companion(parts, match, number)
        self.door = self.companion.door
        self._thread = Thread(target=self.companion.run)
        self._thread.start()

    def hear_eyes(self, item: EyesStarted | EyesNews | EyesGone) -> None:
        """Hand on what the eyes tell."""
        self.queue.put(item)

    def close(self) -> None:
        """Leave."""
        self.queue.put(Stop())
        self._thread.join(30)

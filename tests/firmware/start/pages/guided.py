"""A companion with the real eyes over a camera that is fed with frames, and what guides the host there."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from firmware.board.senses.hands import Hands
from firmware.cli.terminal import listener_of
from firmware.core.logbook import Logbook
from firmware.core.loop import Companion, Item, Parts, Stop
from firmware.core.watcher import Watcher
from firmware.doors.finding import Home
from firmware.start.pages.guide_doors import guides
from firmware.storage.found_table import divide_table
from hardware.twin.rendering.scene import SceneCard
from referee.match import Match
from tests.firmware.core.tables import SIX, HeldDisk, Pins, Quiet
from tests.vision.process.live import Feed, feed_camera, with_cards
from vision.process.eyes import run_eyes
from vision.process.messages import EyesSettings, settings_after
from vision.process.supervision import SupervisedEyes

APART = (796.0, 528.5)
"""How far apart the middles of the codes are on the table that is shown."""
PLACES = ((-120.0, 20.0, 4.0), (110.0, -40.0, 30.0), (30.0, 50.0, 190.0))


class Guided:
    """Eyes, a loop, and guides."""

    def __init__(self, match: Match, folder: Path, feed: Feed) -> None:
        """Sit down."""
        self.queue: SimpleQueue[Item] = SimpleQueue()
        self.feed, self.file = feed, folder / "table.json"
        self.eyes: SupervisedEyes | None = None
        settings = EyesSettings(f"live:{feed.file}", empty=str(self.file.with_suffix(".png")))
        parts = Parts(
            self.queue, Hands(SIX), Pins(), Quiet(), HeldDisk(self.queue),
            Watcher(lambda: self._open_eyes(settings), self.queue.put),
            Logbook(folder / "log.jsonl"), listener_of,
        )  # fmt: skip
        self.companion = Companion(parts, match, 1)
        home = Home(self.file, lambda layout, seats: divide_table(layout, seats, (844.0, 556.0), mat=False))
        self.guides = guides(self.companion.door, home)
        self._thread = Thread(target=self.companion.run)
        self._thread.start()

    def _open_eyes(self, settings: EyesSettings) -> SupervisedEyes:
        self.eyes = SupervisedEyes(run_eyes, settings, remembered=settings_after)
        return self.eyes

    def lay(self, *cards: SceneCard) -> None:
        """Show a table with some cards."""
        self.feed.picture = with_cards(*cards).picture

    @property
    def kept_settings(self) -> Mapping[str, object]:
        """Give what the eyes would start from, if they had to be replaced."""
        assert self.eyes is not None
        settings: EyesSettings = self.eyes._settings
        return {"table": settings.table, "zones": settings.zones, "deck": settings.deck}

    def close(self) -> None:
        """Leave."""
        self.queue.put(Stop())
        self._thread.join(30)


@contextmanager
def open_guided_table(match: Match, folder: Path) -> Iterator[Guided]:
    """Sit down at an empty table, and leave in any case."""
    with feed_camera(folder / "frame.bmp", with_cards().picture) as feed:
        each = Guided(match, folder, feed)
        try:
            yield each
        finally:
            each.close()

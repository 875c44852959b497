"""A table whose camera is fed with frames, and what guides the host there."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from firmware.parts.finding import Home, Pausing, TableFinder
from firmware.parts.learning import Teacher
from firmware.storage.found_table import divide_table
from hardware.twin.rendering.scene import SceneCard
from referee.match import Match
from tests.firmware.table.tables import EyedTable, HeldDisk
from tests.vision.process.live import Feed, feed_camera, with_cards
from vision.process.messages import EyesSettings

APART = (796.0, 528.5)
"""How far apart the middles of the codes are on the table that is shown."""
PLACES = ((-120.0, 20.0, 4.0), (110.0, -40.0, 30.0), (30.0, 50.0, 190.0))


class Guided(EyedTable):
    """Eyes, a loop, and guides."""

    def __init__(self, match: Match, folder: Path, feed: Feed) -> None:
        self.feed, self.file = feed, folder / "table.json"
        settings = EyesSettings(f"live:{feed.file}", empty=str(self.file.with_suffix(".png")))
        super().__init__(match, folder, settings, HeldDisk, 1)
        home = Home(self.file, lambda layout, seats: divide_table(layout, seats, (844.0, 556.0), mat=False))
        pausing = Pausing(self.door)
        self.finder, self.teacher = TableFinder(self.door, home, pausing), Teacher(self.door, pausing)

    def lay(self, *cards: SceneCard) -> None:
        self.feed.picture = with_cards(*cards).picture

    @property
    def kept_settings(self) -> Mapping[str, object]:
        """Give what the eyes would start from, if they had to be replaced."""
        settings: EyesSettings = self.eyes._settings
        return {"table": settings.table, "zones": settings.zones, "deck": settings.deck}


@contextmanager
def open_guided_table(match: Match, folder: Path) -> Iterator[Guided]:
    with feed_camera(folder / "frame.bmp", with_cards().picture) as feed:
        each = Guided(match, folder, feed)
        try:
            yield each
        finally:
            each.close()

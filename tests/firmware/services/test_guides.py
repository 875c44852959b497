"""Finding the table from a phone, with the real eyes over rendered frames."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from firmware.services.areas import visible_parts
from firmware.services.finding import TableFinder, gauges_of
from firmware.services.pausing import Pausing
from firmware.storage.found_table import divide_table, load_calibration, load_layout
from firmware.table.notices import Notice
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.firmware.table.tables import EyedTable, HeldDisk
from tests.given import present
from tests.referee.tables import new_match
from tests.tiers import slow
from tests.vision.process.live import Feed, feed_camera, with_cards
from tests.waiting import until
from vision.pictures import load_picture
from vision.process.messages import EyesSettings
from vision.table.values import Calibration

CODE_DISTANCE = (796.0, 528.5)  # distance between the centres of the codes on the shown table


class Guided(EyedTable):
    """Eyes, a loop, and guides."""

    def __init__(self, match: Match, folder: Path, feed: Feed) -> None:
        self.feed, self.file = feed, folder / "table.json"
        settings = EyesSettings(f"live:{feed.file}", empty=str(self.file.with_suffix(".png")))
        super().__init__(match, folder, settings, HeldDisk, 1)
        home = self.file, lambda layout, seats: divide_table(layout, seats, (844.0, 556.0), mat=False)
        pausing = Pausing(self.client)
        self.finder = TableFinder(self.client, home, pausing, folder)

    @property
    def kept_settings(self) -> Mapping[str, object]:
        """Return the settings that replaced eyes would start from."""
        settings: EyesSettings = self.eyes._settings
        return {"table": settings.table, "zones": settings.zones, "deck": settings.deck}


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    # a frame may take long on a busy machine
    monkeypatch.setattr("firmware.services.finding.SNAPSHOT_TIMEOUT", 120.0)
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Guided]:
    with feed_camera(tmp_path / "frame.bmp", with_cards().picture) as feed:
        each = Guided(new_match(GAMES["coup"], "rule text", 3), tmp_path, feed)
        try:
            yield each
        finally:
            each.close()


def is_paused(table: Guided) -> bool:
    return table.client.state().is_paused


def sees_markers(finder: TableFinder) -> bool:
    finder.open()
    return finder.sight().by == "markers"


def full(*_parts: object) -> None:
    raise OSError(28, "No space left on device")


# the table


def test_outline_is_within_half_a_scan_step() -> None:
    """A step is eight pixels; the table's centre is at 500, 400, and one pixel is a millimetre."""
    corners = ((-100.0, -80.0), (100.0, -80.0), (100.0, 80.0), (-100.0, 80.0))
    to_picture = ((1.0, 0.0, 500.0), (0.0, 1.0, 400.0), (0.0, 0.0, 1.0))
    plain = Calibration(to_picture, (1000, 800), (1, 1, 1), 1.0, {})
    (part,) = visible_parts(plain, {"centre": corners})
    assert np.abs(np.mean(part.outline, axis=0) - (500, 400)).max() <= 4


@slow("the real eyes look for a table, also one that is half hidden")
def test_table_is_found_checked_rotated_and_stored(table: Guided, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.services.finding.LOOK_TIMEOUT", 120.0)
    finder = table.finder
    assert finder.sight().framing is None
    assert finder.keep(is_empty=True) == Notice("not found")
    finder.open()
    until(lambda: is_paused(table))
    sight = finder.sight()
    assert sight.framing is not None
    assert (len(sight.framing.seen), sight.framing.size) == (4, (1200, 900))
    assert [gauge.word for gauge in gauges_of(sight.framing)] == ["count", "sharp", "good"]
    # a small picture: from a distance that shows all of this table, cards have too few pixels
    assert sight.framing.moves[0].way == "closer"
    assert sight.wrong == ()
    bare = table.feed.picture
    table.feed.picture = hidden = bare.copy()
    hidden[:450, :600] = hidden[450, 600]
    until(lambda: len(getattr(finder.sight().framing, "seen", "")) == 3)
    assert finder.find(None) is None
    sight = finder.sight()
    assert (sight.framing, len(sight.markers), sight.parts) == (None, 3, ())
    assert [each.key for each in sight.wrong] == ["marker hidden", "too far"]
    assert finder.keep(is_empty=True) == Notice("not found")
    assert not table.file.exists()
    table.feed.picture = bare
    until(lambda: finder.find(None) is None and len(finder.sight().markers) == 4)
    sight = finder.sight()
    assert (sight.is_open, sight.is_kept, sight.size) == (True, False, (1200, 900))
    assert [each.key for each in sight.wrong] == ["too far"]
    assert sight.layout.apart is not None
    assert np.allclose(sight.layout.apart, CODE_DISTANCE, atol=2)
    assert [part.name for part in sight.parts] == ["centre", "proof", "discard", "seat 1", "seat 2", "seat 3"]
    first = {part.name: part.middle for part in sight.parts}
    assert first["seat 1"][1] > 700
    finder.turn()
    moved = {part.name: part.middle for part in finder.sight().parts}
    assert (moved["seat 1"], moved["centre"]) == (first["seat 2"], first["centre"])
    assert (finder.photograph() or b"").startswith(b"\xff\xd8")
    with monkeypatch.context() as patch:
        patch.setattr("firmware.services.finding.keep_table", full)
        assert finder.keep(is_empty=True) == Notice("not written", {"why": "No space left on device"})
    assert finder.sight().parts
    assert finder.keep(is_empty=True) is None
    until(lambda: not is_paused(table))
    kept = present(load_calibration(table.file))
    assert load_layout(table.file).first == 1
    assert load_picture(table.file.with_suffix(".png")) is not None
    until(lambda: table.kept_settings["table"] == kept and len(table.kept_settings["zones"]) == 6)  # type: ignore[arg-type]
    assert finder.sight().is_kept
    assert finder.photograph() is None


@slow("the real eyes, and then a dead camera")
def test_impossible_distances_and_a_dead_camera_are_reported(
    table: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = table.finder
    monkeypatch.setattr("firmware.services.finding.LOOK_TIMEOUT", 120.0)
    finder.open()
    for wrong_apart in ((5.0, 5.0), (CODE_DISTANCE[0], 2 * CODE_DISTANCE[1]), (0.0, 300.0)):
        assert finder.find(wrong_apart) == Notice("not so far apart")
    assert finder.find(CODE_DISTANCE) is None
    assert finder.keep(is_empty=False) is None
    assert sees_markers(finder)
    table.feed.unplugged = True
    until(lambda: any(each.key in {"gone", "missing"} for each in table.client.troubles()))
    with monkeypatch.context() as patch:
        patch.setattr("firmware.services.finding.SNAPSHOT_TIMEOUT", 0.05)
        patch.setattr("firmware.services.finding.LOOK_TIMEOUT", 0.05)
        finder.open()
        until(lambda: {each.key for each in finder.sight().wrong} & {"gone", "missing"})
        assert finder.sight().by == "cards"
        assert finder.find(None) == Notice("no frame")
    table.feed.unplugged = False
    until(lambda: sees_markers(finder))

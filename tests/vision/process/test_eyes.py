"""The eyes as the companion uses them: a process that reads a table, in spite of all faults of its camera."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import cv2
import numpy as np
import pytest

from hardware.twin.mischief import faulty_frame
from hardware.twin.rendering.faces import faces_of
from tests.vision.process.live import (
    CAPTAIN,
    DECK,
    DUKE,
    LIMIT,
    TABLE,
    Feed,
    feed_camera,
    teach_artwork,
    wait_until,
    with_cards,
)
from vision.process.clip_files import clips_of_match, load_clip
from vision.process.clip_view import FilmedParts
from vision.process.eyes import run_eyes
from vision.process.messages import (
    CardChanged,
    EvidenceKept,
    EyesMessage,
    EyesReady,
    EyesSettings,
    FilmParts,
    KeepEvidence,
    ReadTable,
    SnapshotTaken,
    TableFound,
    TableRead,
    TakeSnapshot,
    TroubleBegan,
    TroubleEnded,
    settings_after,
)
from vision.process.supervision import SupervisedEyes

Kind = TypeVar("Kind", bound=EyesMessage)


class Companion:
    """Receives and keeps all messages."""

    def __init__(self, settings: EyesSettings) -> None:
        """Open the eyes."""
        self.eyes = SupervisedEyes(run_eyes, settings, remembered=settings_after)
        self.heard: list[EyesMessage] = []

    def wait(self, kind: type[Kind], which: Callable[[Kind], bool] = lambda _news: True) -> Kind:
        """Wait for a message of a kind; forget earlier ones."""
        start = monotonic()
        while monotonic() - start < LIMIT:
            self.heard += self.eyes.news()
            while self.heard:
                news = self.heard.pop(0)
                if isinstance(news, kind) and which(news):
                    return news
            sleep(0.01)
        raise AssertionError(f"no {kind.__name__}")

    def trouble(self, key: str) -> None:
        """Wait for a trouble to begin."""
        self.wait(TroubleBegan, lambda news: news.problem.key == key)

    def well(self, key: str) -> None:
        """Wait for a trouble to end."""
        self.wait(TroubleEnded, lambda news: news.problem.key == key)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / DECK)


@pytest.fixture
def feed(tmp_path: Path) -> Iterator[Feed]:
    with feed_camera(tmp_path / "frame.bmp", with_cards(DUKE).picture) as each:
        yield each


@pytest.fixture
def companion(feed: Feed, deck: Path, tmp_path: Path) -> Iterator[Companion]:
    half = {"left": ((-500.0, -400.0), (0.0, -400.0), (0.0, 400.0), (-500.0, 400.0))}
    settings = EyesSettings(f"live:{feed.file}", str(deck), zones=half, evidence=str(tmp_path / "evidence"))
    each = Companion(settings)
    try:
        yield each
    finally:
        each.eyes.close()


def faces_seen(seen: TableRead) -> list[str | None]:
    return sorted((placed.card.face for placed in seen.cards), key=str)


def test_the_eyes_tell_what_lies_and_what_happens(companion: Companion, feed: Feed) -> None:
    assert companion.wait(EyesReady).size == (1200, 900)
    assert companion.wait(TableFound).table.residual < 1
    seen = companion.wait(TableRead)
    assert faces_seen(seen) == ["duke"]
    (duke,) = seen.cards
    assert duke.middle is not None
    assert np.hypot(duke.middle[0] - DUKE.x, duke.middle[1] - DUKE.y) < 4
    assert duke.zone == "left"
    feed.picture = with_cards(DUKE, CAPTAIN).picture
    happened = companion.wait(CardChanged)
    assert (happened.what, happened.card.card.face, happened.card.zone) == ("laid", "captain", None)
    companion.eyes.tell(KeepEvidence(happened.reading, "m", 7, "why"))
    kept = companion.wait(EvidenceKept)
    assert (kept.match, kept.moment) == ("m", 7)
    assert cv2.imread(kept.file).shape == (900, 1200, 3)
    assert Path(kept.file).with_suffix(".json").exists()
    companion.eyes.tell(KeepEvidence(happened.reading + 100, "m", 8))
    companion.trouble("no evidence")
    companion.eyes.tell(ReadTable("please"))
    assert faces_seen(companion.wait(TableRead, lambda news: news.asked == "please")) == ["captain", "duke"]
    companion.eyes.tell(TakeSnapshot())
    small = cv2.imdecode(np.frombuffer(companion.wait(SnapshotTaken).jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert small.shape == (480, 640, 3)


def test_a_ruling_leaves_a_clip_of_the_open_parts_alone(feed: Feed, deck: Path, tmp_path: Path) -> None:
    box = ((-200.0, -100.0), (0.0, -100.0), (0.0, 100.0), (-200.0, 100.0))
    other = ((0.0, -100.0), (200.0, -100.0), (200.0, 100.0), (0.0, 100.0))
    evidence, zones = tmp_path / "evidence", {"open": box, "shut": other}
    companion = Companion(EyesSettings(f"live:{feed.file}", str(deck), zones=zones, evidence=str(evidence)))
    try:
        companion.wait(TableRead)
        companion.eyes.tell(FilmParts(FilmedParts(("open",), ("shut",))))
        feed.picture = with_cards(DUKE, CAPTAIN).picture
        happened = companion.wait(CardChanged)
        companion.eyes.tell(KeepEvidence(happened.reading, "m", 7, "why"))
        companion.wait(EvidenceKept)
        wait_until(lambda: clips_of_match(evidence, "m"))
    finally:
        companion.eyes.close()
    (file,) = clips_of_match(evidence, "m")
    clip = load_clip(file)
    assert clip is not None
    last = cv2.imdecode(np.frombuffer(clip.frames[-1].jpeg, np.uint8), cv2.IMREAD_COLOR)
    # the duke lies there, the captain beside
    assert last.shape[0] == last.shape[1]
    assert (last > 200).all(axis=2).mean() > 0.03


@pytest.mark.parametrize("fatal", [signal.SIGKILL, signal.SIGSTOP])
def test_eyes_that_are_killed_or_stopped_see_again(
    companion: Companion, feed: Feed, fatal: signal.Signals
) -> None:
    table = companion.wait(TableFound).table
    companion.wait(TableRead)
    first = companion.eyes.pid
    assert first is not None
    os.kill(first, fatal)
    feed.picture = with_cards(DUKE, CAPTAIN).picture
    assert faces_seen(companion.wait(TableRead)) == ["captain", "duke"]
    assert companion.eyes.pid != first
    assert companion.eyes._settings.table == table


def test_a_camera_that_goes_and_comes_back_is_told(companion: Companion, feed: Feed) -> None:
    companion.wait(TableRead)
    feed.unplugged = True
    companion.trouble("missing")
    feed.picture = with_cards(DUKE, CAPTAIN).picture
    feed.unplugged = False
    companion.well("missing")
    assert faces_seen(companion.wait(TableRead)) == ["captain", "duke"]
    feed.frozen = True
    companion.trouble("frozen")
    feed.frozen = False
    companion.well("frozen")
    companion.wait(TableRead)
    shown, feed.picture = feed.picture, np.zeros_like(feed.picture)
    companion.trouble("black")
    feed.picture = shown
    companion.well("black")
    assert faces_seen(companion.wait(TableRead)) == ["captain", "duke"]
    assert companion.eyes.starts == 1


def test_a_table_that_was_nudged_is_found_again(companion: Companion, feed: Feed) -> None:
    before = companion.wait(TableFound).table
    (old,) = companion.wait(TableRead).cards
    feed.picture = faulty_frame(TABLE, faces_of(DECK), "nudged").picture
    companion.trouble("nudged")
    assert companion.wait(TableFound).table != before
    companion.well("nudged")
    (new,) = companion.wait(TableRead).cards
    assert old.middle is not None
    assert new.middle is not None
    assert np.hypot(old.middle[0] - new.middle[0], old.middle[1] - new.middle[1]) < 3
    assert old.card.outline != new.card.outline


def test_a_camera_that_is_not_there_yet_is_waited_for(deck: Path, tmp_path: Path) -> None:
    companion = Companion(EyesSettings(f"live:{tmp_path / 'frame.bmp'}", str(deck)))
    try:
        companion.trouble("missing")
        with feed_camera(tmp_path / "frame.bmp", with_cards(DUKE).picture):
            companion.well("missing")
            assert faces_seen(companion.wait(TableRead)) == ["duke"]
    finally:
        companion.eyes.close()


def test_a_deck_that_is_not_there_is_told_and_the_table_is_watched_all_the_same(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), with_cards(DUKE).picture)
    companion = Companion(EyesSettings(f"file:{tmp_path / 'one.png'}", str(tmp_path / "no deck")))
    try:
        companion.trouble("no deck")
        companion.wait(EyesReady)
        companion.trouble("over")
    finally:
        companion.eyes.close()


PICAMERA = """
from os import getpid
from pathlib import Path
from time import sleep

import numpy as np

HUNG = Path({hung!r})

class Picamera2:
    camera_controls, camera_properties = {{}}, {{}}
    create_video_configuration = lambda self, **wish: wish
    configure = set_controls = lambda self, what: None
    start = stop = close = lambda self: None

    def __init__(self):
        if HUNG.exists() and HUNG.read_text() == str(getpid()):
            raise RuntimeError("Camera __init__ sequence did not complete.")

    def capture_array(self, stream):
        if not HUNG.exists():
            HUNG.write_text(str(getpid()))
            {hangs}
        return np.random.default_rng().integers(80, 90, (1520, 2028, 3), np.uint8)
"""


@pytest.mark.parametrize(
    ("hangs", "told"),
    [
        ("sleep(1000)", "too slow"),
        ("self.stop = lambda: sleep(1000); raise RuntimeError('Camera frontend has timed out!')", "gone"),
    ],
    ids=["while it is read", "when it is closed"],
)
def test_a_camera_that_hangs_is_opened_by_new_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: str, told: str
) -> None:
    picamera = PICAMERA.format(hung=str(tmp_path / "hung"), hangs=hangs)
    (tmp_path / "picamera2.py").write_text(picamera)
    monkeypatch.syspath_prepend(tmp_path)
    companion = Companion(EyesSettings("pi"))
    try:
        companion.trouble(told)
        companion.wait(EyesReady)
        companion.well(told)
    finally:
        companion.eyes.close()

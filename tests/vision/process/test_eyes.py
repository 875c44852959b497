"""The camera process under supervision: it reads a table and survives camera faults."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import cv2
import pytest

from tests.given import present
from tests.tiers import slow
from tests.vision.process.live import CAPTAIN, DUKE, feed_camera, with_cards
from tests.vision.table.faulty_camera import Fault, Faulty
from tests.waiting import until
from vision.pictures import unpack_picture
from vision.process import messages
from vision.process.eyes import run_eyes
from vision.process.messages import EyesMessage, EyesReady, EyesSettings, TableFound, TableRead
from vision.process.supervision import SupervisedEyes

pytestmark = slow("eyes are a process of their own, that has to start and to find its table")
Kind = TypeVar("Kind", bound=EyesMessage)
LEFT = {"left": ((-500.0, -400.0), (0.0, -400.0), (0.0, 400.0), (-500.0, 400.0))}


class Companion:
    """Receives and stores all messages."""

    def __init__(self, settings: EyesSettings) -> None:
        self.eyes = SupervisedEyes(run_eyes, settings)
        self.heard: list[EyesMessage] = []

    def wait(self, kind: type[Kind], which: Callable[[Kind], bool] = lambda _news: True) -> Kind:
        """Return the next message of a kind; earlier ones are dropped."""
        found = list[Kind]()

        def has_come() -> bool:
            self.heard += self.eyes.news()
            while self.heard and not found:
                news = self.heard.pop(0)
                if isinstance(news, kind) and which(news):
                    found.append(news)
            return bool(found)

        until(has_come, f"no {kind.__name__}")
        return found[0]

    def trouble(self, key: str) -> None:
        self.wait(messages.TroubleBegan, lambda news: news.problem.key == key)

    def well(self, key: str) -> None:
        self.wait(messages.TroubleEnded, lambda news: news.problem.key == key)


@contextmanager
def opened(settings: EyesSettings) -> Iterator[Companion]:
    companion = Companion(settings)
    try:
        yield companion
    finally:
        companion.eyes.close()


def faces_seen(seen: TableRead) -> list[str | None]:
    return sorted((placed.card.face for placed in seen.cards), key=str)


@slow("starts the eyes twice")
def test_eyes_report_cards_and_evidence_and_go_on_when_killed(deck: Path, tmp_path: Path) -> None:
    file, evidence = tmp_path / "frame.bmp", str(tmp_path / "evidence")
    settings = EyesSettings(f"live:{file}", str(deck), zones=LEFT, evidence=evidence)
    with feed_camera(file, with_cards(DUKE).picture) as feed, opened(settings) as companion:
        assert companion.wait(EyesReady).size == (1200, 900)
        table = companion.wait(TableFound).table
        assert table.residual < 1
        (duke,) = companion.wait(TableRead).cards
        assert (duke.card.face, duke.zone) == ("duke", "left")
        assert duke.middle == pytest.approx((DUKE.x, DUKE.y), abs=4)
        feed.picture = with_cards(DUKE, CAPTAIN).picture
        happened = companion.wait(TableRead, lambda news: news.is_change)
        assert {(each.card.face, each.zone) for each in happened.cards} == {("duke", "left"), ("captain", None)}
        companion.eyes.tell(messages.KeepEvidence(happened.reading, "m", 7, "why"))
        kept = companion.wait(messages.EvidenceKept)
        assert (kept.match, kept.moment) == ("m", 7)
        assert cv2.imread(kept.file).shape == (900, 1200, 3)
        assert Path(kept.file).with_suffix(".json").exists()
        companion.eyes.tell(messages.KeepEvidence(happened.reading + 100, "m", 8))
        companion.trouble("no evidence")
        companion.eyes.tell(messages.ReadTable("please"))
        assert faces_seen(companion.wait(TableRead, lambda news: news.asked == "please")) == ["captain", "duke"]
        companion.eyes.tell(messages.TakeSnapshot())
        small = companion.wait(messages.SnapshotTaken).jpeg
        assert present(unpack_picture(small)).shape == (480, 640, 3)
        first = present(companion.eyes.pid)
        os.kill(first, signal.SIGKILL)
        feed.picture = with_cards(CAPTAIN).picture
        companion.wait(TableRead, lambda news: faces_seen(news) == ["captain"])
        assert companion.eyes.pid != first
        assert companion.eyes._settings.table == table


FAULTS: tuple[tuple[Fault, str], ...] = (("reading hangs", "too slow"), ("closing hangs", "gone"))


@slow("a hanging process is ended after seconds of silence")
def test_hanging_camera_restarts_the_eyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Faulty(tmp_path, with_cards().picture)
    monkeypatch.syspath_prepend(tmp_path)
    with opened(EyesSettings("pi")) as companion:
        companion.wait(EyesReady)
        for starts, (fault, key) in enumerate(FAULTS, 1):
            camera.fail(fault)
            companion.trouble(key)
            until(lambda starts=starts: companion.eyes.news() is not None and companion.eyes.starts > starts)
            camera.fail(None)
            companion.well(key)

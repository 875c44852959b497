"""Cards of another deck on the table: a notice names the deck until they are removed."""

from io import BytesIO
from queue import SimpleQueue
from typing import Any

import cv2
import pytest

from firmware.services import photographs
from firmware.services.photographs import NAME, OtherDecks, find_other_deck
from firmware.table.effects import NoteTrouble
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.waiting import TEST_TIMEOUT
from vision.process.messages import UnnamedCards, UnnamedCardsGone


def test_deck_of_the_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the limited process, but among few decks."""
    monkeypatch.setattr(photographs, "deck_names", lambda: ("coyote-kidult",))
    cards = (SceneCard("20", -60.0, 0.0), SceneCard("15", 60.0, 0.0))
    scene = Scene(SceneCamera(resolution=(800, 600), focal=616.0), SceneTable(plates=()), cards=cards)
    picture = cv2.imencode(".jpg", render(scene, faces_of("coyote-kidult")))[1].tobytes()
    assert find_other_deck("coup", BytesIO(picture)) == "coyote-kidult"
    assert find_other_deck("coup", BytesIO(b"no picture")) is None


def test_other_messages_pass_and_new_eyes_start_without_strangers() -> None:
    queue = SimpleQueue[Any]()
    between = OtherDecks(queue.put)
    for item in (EyesNews("seen"), EyesStarted(2), EyesGone("trace")):
        between.pass_on(item)
    told = [queue.get(timeout=TEST_TIMEOUT) for _item in range(4)]
    assert told == [EyesNews("seen"), NoteTrouble(NAME, None), EyesStarted(2), EyesGone("trace")]


def test_slow_picture_reports_nothing() -> None:
    queue = SimpleQueue[Any]()
    OtherDecks(queue.put, 0.01).pass_on(EyesNews(UnnamedCards("coup", b"no picture")))
    assert queue.get(timeout=TEST_TIMEOUT) == NoteTrouble(NAME, None)


def test_removed_cards_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, pictures = SimpleQueue[Any](), iter((EyesNews(UnnamedCardsGone()), EyesNews("seen")))

    def read(*_asked: object) -> str:
        between.pass_on(next(pictures))
        return "piquet"

    monkeypatch.setattr("firmware.services.photographs.read_file", read)
    between = OtherDecks(queue.put)
    between.pass_on(EyesNews(UnnamedCards("coup", b"a picture")))
    assert queue.get(timeout=TEST_TIMEOUT) == NoteTrouble(NAME, None)
    between.pass_on(EyesNews(UnnamedCards("ogallala", b"a picture")))
    assert queue.get(timeout=TEST_TIMEOUT) == EyesNews("seen")
    notice = Notice(NAME, {"other": "piquet", "deck": "ogallala"})
    assert queue.get(timeout=TEST_TIMEOUT) == NoteTrouble(NAME, notice)

"""Cards of another deck on the table: a notice names the deck until they are removed."""

from pathlib import Path
from queue import SimpleQueue
from typing import Any

import cv2
import pytest

from firmware.services import jobs
from firmware.services.photographs import NAME, OtherDecks
from firmware.start.games import hand_in_games
from firmware.table.effects import NoteTrouble
from firmware.table.notices import Notice
from firmware.table.watcher import EyesGone, EyesNews, EyesStarted
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.tiers import slow, tiered
from tests.waiting import TEST_TIMEOUT
from vision.process.messages import UnnamedCards, UnnamedCardsGone

SINGLE_DECK_READER = """
from firmware.start.job_process import main
from firmware.services import photographs
photographs.deck_names = lambda: ("coyote-kidult",)
main()
"""
"""Searches for the deck like the real reader, but tries only one."""


@slow("a process looks for the deck that cards are of")
def test_resembling_deck_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in_games()
    cards = (SceneCard("20", -60.0, 0.0), SceneCard("15", 60.0, 0.0))
    scene = Scene(SceneCamera(resolution=(800, 600), focal=616.0), SceneTable(plates=()), cards=cards)
    picture = cv2.imencode(".jpg", render(scene, faces_of("coyote-kidult")))[1].tobytes()
    (tmp_path / "hasty_decks.py").write_text(SINGLE_DECK_READER, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    queue = SimpleQueue[Any]()
    monkeypatch.setattr(jobs, "PROGRAM", tiered("hasty_decks", jobs.PROGRAM))
    between = OtherDecks(queue.put, TEST_TIMEOUT)
    between.pass_on(EyesNews(UnnamedCards("coup", picture)))
    notice = Notice(NAME, {"other": "coyote-kidult", "deck": "coup"})
    assert queue.get(timeout=TEST_TIMEOUT) == NoteTrouble(NAME, notice)
    between.pass_on(EyesNews(UnnamedCardsGone()))
    assert queue.get(timeout=TEST_TIMEOUT) == NoteTrouble(NAME, None)
    assert queue.empty()


def test_other_messages_pass_and_new_eyes_start_without_strangers() -> None:
    queue = SimpleQueue[Any]()
    between = OtherDecks(queue.put)
    for item in (EyesNews("seen"), EyesStarted(2), EyesGone("trace")):
        between.pass_on(item)
    told = [queue.get(timeout=TEST_TIMEOUT) for _item in range(4)]
    assert told == [EyesNews("seen"), NoteTrouble(NAME, None), EyesStarted(2), EyesGone("trace")]


@pytest.mark.parametrize("seconds", [0.01, TEST_TIMEOUT])
def test_slow_or_invalid_picture_reports_nothing(seconds: float) -> None:
    queue = SimpleQueue[Any]()
    OtherDecks(queue.put, seconds).pass_on(EyesNews(UnnamedCards("coup", b"no picture")))
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

"""A suit that lies in two rows is taught from a phone by one picture, and stays a draft until it is saved."""

from concurrent.futures import Future
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.parts import learning
from firmware.parts.learning import Teacher, draft_folder
from firmware.table.notices import Notice
from referee.kit.french_cards import CARDS, SUIT_ROWS
from tests.tiers import slow
from tests.vision.photographs import laid
from tests.waiting import until
from vision.process.messages import FrameTaken
from vision.teaching import tried_decks
from vision.teaching.taught_decks import CARD, TaughtDeck, load_deck, save_deck, save_face
from vision.teaching.tried_decks import Doubt

DECK = "french-52"


class _Door:
    """A door to eyes that take one picture, and tell nothing else."""

    def __init__(self) -> None:
        self.picture: np.ndarray | None = None

    def show(self, _order: object, kind: type) -> "Future[Any]":
        future = Future[Any]()
        if kind is FrameTaken and self.picture is not None:
            future.set_result(FrameTaken(cv2.imencode(".png", self.picture)[1].tobytes()))
        else:
            future.cancel()
        return future


@pytest.fixture
def teacher(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(learning, "known_decks", lambda: {DECK: ("hearts", "")})
    monkeypatch.setattr(learning, "face_counts", lambda _deck: {**dict.fromkeys(CARDS, 1), "back": 0})
    pausing = SimpleNamespace(enter=lambda *_: None, leave=lambda *_: None, touch=lambda: None)
    door = _Door()
    taught = Teacher(door, pausing)  # type: ignore[arg-type]
    assert taught.suit("spades") == Notice("not begun")
    assert taught.open(DECK) is None
    return SimpleNamespace(teacher=taught, door=door)


@slow("two rendered pictures of a suit")
def test_a_suit_is_kept_as_a_draft_and_what_is_left_comes_next(teacher: Any) -> None:
    above, below = SUIT_ROWS["spades"]
    teacher.door.picture = laid((above, below[:-1]))
    short = "spades: row 2 has 5 cards, 6 are wanted: lay them apart, all in sight"
    told = teacher.teacher.suit("spades")
    assert (told.key, str(told.values["why"])) == ("suit not taught", short)
    teacher.door.picture = laid((above, below))
    assert teacher.teacher.suit("spades") is None
    assert set(load_deck(draft_folder(DECK)).faces) == {*above, *below}
    assert teacher.teacher._now.course.face[-1] == "h"
    wrong = teacher.teacher.suit("clubs")
    assert wrong.key == "suit not taught"
    assert "clubs: Ac looks like As" in str(wrong.values["why"])


def test_no_picture_no_cards_and_no_such_suit_are_told(teacher: Any) -> None:
    assert teacher.teacher.suit("spades") == Notice("no frame")
    assert teacher.teacher.suit("swords") == Notice("no such face")
    teacher.door.picture = np.full((300, 400, 3), 90, np.uint8)
    assert teacher.teacher.suit("spades").key == "suit not taught"


def test_trials_go_on_beside_the_page_which_tells_how_far_they_are(
    teacher: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, may_end = Event(), Event()
    doubt, tried = Doubt("As", "2s", 0.1, "far"), list[int]()

    def try_slowly(faces: Any, _size: Any, tell: Any) -> tuple[Doubt, ...]:
        tried.append(len(faces))
        tell(1, len(faces))
        told.set()
        may_end.wait()
        return (doubt,)

    monkeypatch.setattr(tried_decks, "try_taught", try_slowly)
    monkeypatch.setattr(learning, "face_counts", lambda _deck: {"As": 1, "2s": 1})
    card = np.full((352, 252, 3), 200, np.uint8)
    save_deck(TaughtDeck(DECK, CARD, {"As": 1, "2s": 1}, {"As": (card,), "2s": (card,)}), draft_folder(DECK))
    assert teacher.teacher.open(DECK) is None
    assert teacher.teacher.lesson().pairs == ()
    told.wait()
    assert teacher.teacher.lesson().trying == (1, 2)
    may_end.set()
    until(lambda: teacher.teacher.lesson().trying is None)
    assert (teacher.teacher.lesson().pairs, tried) == ((doubt,), [2])
    # a line that was moved meanwhile makes another picture
    before = [face.shot for face in teacher.teacher.lesson().faces]
    save_face(draft_folder(DECK), "As", [card // 2])
    teacher.teacher.look_again("another")
    assert [face.shot for face in teacher.teacher.lesson().faces] == before
    teacher.teacher.look_again(DECK)
    after = [face.shot for face in teacher.teacher.lesson().faces]
    assert (after[0] != before[0], after[1] == before[1]) == (True, True)
    until(lambda: teacher.teacher.lesson().trying is None)
    assert tried == [2, 2]

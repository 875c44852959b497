"""`coyote cards teach --camera`: the camera sees card after card, and the terminal asks for the next."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import repeat
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import teach_at_table as guided
from firmware.state_folder import DECKS, state_directory
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from referee.kit.french_cards import SUIT_ROWS
from tests.firmware.conftest import Coyote
from tests.tiers import release
from tests.vision.photographs import laid
from vision.teaching.taught_decks import load_deck

CAMERA = SceneCamera(resolution=(1014, 760), focal=780.0, noise=0.0, jpeg=0)
PLACES = ((-150.0, 40.0, 4.0), (120.0, -60.0, 30.0), (60.0, 90.0, 200.0))
FRAMES = 5


@cache
def picture(*cards: SceneCard) -> np.ndarray:
    return render(Scene(CAMERA, SceneTable("felt", plates=()), SceneLight(), cards), faces_of("coup"))


def frames_of_card(face: str, places: Sequence[tuple[float, float, float]] = PLACES) -> Iterator[np.ndarray]:
    for x, y, angle in places:
        yield from repeat(picture(SceneCard(face, x, y, angle)), FRAMES)
    yield from repeat(picture(), FRAMES)


class _Table:
    """A camera over a table of cards. At the end it stops the lesson, or repeats the last view forever."""

    name = "table"

    def __init__(self, shown: Iterator[np.ndarray], *, stopped: bool) -> None:
        self.shown, self.stopped = shown, stopped

    def picture(self) -> np.ndarray | None:
        shown = next(self.shown, None)
        if shown is None and self.stopped:
            raise KeyboardInterrupt
        return shown

    def optics(self) -> None:
        """Simulate a camera with an unknown lens."""

    def lock(self) -> None:
        """Lock nothing."""

    unlock = close = lock


ShownTable = Callable[..., None]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ShownTable:
    """Return a function that sets the camera's views, after some pictures of an empty table."""

    def shows(*parts: Iterator[np.ndarray], stopped: bool = False, empty: int = 4) -> None:
        whole = (frame for part in (repeat(picture(), empty), *parts) for frame in part)
        monkeypatch.setattr(guided, "open_as_configured", lambda _name: _Table(whole, stopped=stopped))

    return shows


def deck() -> Path:
    return state_directory() / DECKS / "mine"


def test_cards_taught_before_ctrl_c_are_stored_and_rest_follows(coyote: Coyote, table: ShownTable) -> None:
    table(frames_of_card("duke"), frames_of_card("captain", PLACES[:1]), stopped=True)
    result = coyote(
        "cards teach mine --camera folder:x --like coup --face duke --face captain --face contessa", typed="\n"
    )
    assert result.code == 0
    assert all(wanted in result.out for wanted in ("lay duke", "2 of 3", "not taught yet: contessa"))
    taught = load_deck(deck())
    assert taught.counts == {"duke": 3, "captain": 3}
    assert {face: len(some) for face, some in taught.faces.items()} == {"duke": 3, "captain": 1}
    assert np.abs(taught.faces["duke"][0].astype(int) - taught.faces["duke"][2]).mean() < 12
    table(stopped=True)
    assert "lay assassin" in coyote("cards teach mine --camera folder:x --like coup", typed="\n").out


def test_two_cards_or_wrong_card_are_reported(coyote: Coyote, table: ShownTable) -> None:
    two = repeat(picture(SceneCard("duke", -150.0, 40.0), SceneCard("captain", 150.0, 40.0)), FRAMES)
    other = repeat(picture(SceneCard("captain", 120.0, -60.0, 30.0)), FRAMES)
    first = repeat(picture(SceneCard("duke", -150.0, 40.0, 4.0)), FRAMES)
    table(two, first, other, frames_of_card("duke", PLACES[1:]))
    result = coyote("cards teach mine --camera folder:x --like coup --face duke", typed="\n")
    assert "more than one card" in result.out
    assert "doesn't look like the same card" in result.out
    assert len(load_deck(deck()).faces["duke"]) == 3


@release("a suit in rows is taught from the pages at each commit (`services/test_guides.py`)")
def test_suits_in_rows_are_requested_and_early_end_stores_them(coyote: Coyote, table: ShownTable) -> None:
    above, below = SUIT_ROWS["spades"]
    shown = (laid(rows) for rows in ((above, below[:-1]), (above, below), ((), ())))
    table(shown, stopped=True, empty=0)
    result = coyote("cards teach home --rows --camera folder:x", typed="\n\n\n\n")
    assert "spades: row 2 has 5 cards, 6 are wanted" in result.out
    assert "spades: all 13 are taught" in result.out
    assert (
        "lay the hearts upright and apart: Ah 2h 3h 4h 5h 6h 7h above, 8h 9h 10h Jh Qh Kh below" in result.out
    )
    assert sorted(load_deck(state_directory() / DECKS / "home").counts) == sorted((*above, *below))


def test_faces_of_unknown_deck_are_asked_for(coyote: Coyote, table: ShownTable) -> None:
    table(frames_of_card("duke"))
    result = coyote("cards teach mine --camera folder:x", typed="\na/b\nboss\n4\n")
    assert "boss is taught" in result.out
    assert load_deck(deck()).counts == {"boss": 4}
    assert load_deck(deck()).card == (63.0, 88.0)
    table(frames_of_card("captain"))
    assert coyote("cards teach mine --camera folder:x --face captain", typed="\n").code == 0
    assert load_deck(deck()).counts == {"boss": 4, "captain": 1}


def test_rows_ended_before_first_suit_create_no_deck(coyote: Coyote, table: ShownTable) -> None:
    table(stopped=True)
    assert coyote("cards teach mine --rows --camera folder:x", typed="\n").code == 0
    assert not deck().exists()


def test_misnamed_picture_is_left_out(coyote: Coyote, tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    for number, (file, face) in enumerate({"7h__1": "7h", "7h__2": "Qs", "7h__3": "7h", "Qs": "Qs"}.items()):
        scan = cv2.resize(faces_of("piquet")(face), (252, 352), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(scans / f"{file}.png"), np.roll(scan, number, axis=1))
    result = coyote(f"cards teach mine --from {scans}")
    assert result.code == 1
    assert "7h__2.png: looks like Qs" in result.out
    assert {face: len(some) for face, some in load_deck(deck()).faces.items()} == {"7h": 2, "Qs": 1}

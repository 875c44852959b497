"""Finding the table by cards: four cards, one tap where seat 1 sits, and the middle."""

from concurrent.futures import Future
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.services import finding
from firmware.services.finding import CUT_HEIGHT, CUT_WIDTH
from firmware.storage.found_table import load_calibration, load_layout
from firmware.table.notices import Notice
from tests.firmware.services.finding_client import CAMERA, LAID, finder_of, opened
from tests.given import present
from tests.vision.slanted_views import seen_from
from vision.pictures import load_picture
from vision.process import messages
from vision.table.calibration import to_table
from vision.troubles import Problem


def test_guide_begins_with_cards_unless_markers_are_visible(tmp_path: Path) -> None:
    finder, eyes = finder_of(tmp_path)
    eyes.markers = (0, 2)
    finder.open()
    assert (finder.sight().by, eyes.done) == ("markers", [])
    finder.use("cards")
    assert (finder.sight().by, eyes.done) == ("cards", [messages.SeekCards()])


def test_four_cards_are_needed_and_shown_as_cut(tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path, 3)
    assert not present(finder.sight().laid).is_enough
    assert finder.take_cards() == Notice("few cards")
    eyes.cards = 4
    first, again = present(finder.sight().laid), present(finder.sight().laid)
    assert first.is_enough
    # picture and outlines of one message have one number
    assert first.number < again.number
    assert finder.live(first.number) == first.shown.jpeg
    cut = cv2.imdecode(np.frombuffer(present(finder.cut(again.number, 2)), np.uint8), cv2.IMREAD_COLOR)
    assert cut.shape == (CUT_HEIGHT, CUT_WIDTH, 3)
    assert finder.cut(again.number, 4) is finder.cut(99, 0) is finder.live(99) is None


def test_one_tap_seats_everybody_and_the_middle_can_be_moved(tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path)
    assert finder.take_cards() is None
    sight = finder.sight()
    assert not sight.is_seated
    assert len(sight.markers) == 4
    assert finder.keep(is_empty=False) == Notice("no place")
    assert finder.seat((4000.0, 5.0)) == finder.seat((-1.0, 5.0)) == Notice("no place")
    # seat 1 on the left of the picture, the next player at its upper edge
    assert finder.seat((20.0, 400.0)) is None
    sight = finder.sight()
    places = dict(sight.seats)
    assert sight.is_seated
    assert places[1][0] < 200
    assert places[3][0] > 1000
    assert places[2][1] < 200
    assert places[4][1] > 600
    assert {part.name for part in sight.parts} >= {"centre", "seat 1", "seat 2", "seat 3", "seat 4"}
    assert finder.centre((700.0, 420.0)) is None
    assert np.allclose(finder.sight().middle, (700.0, 420.0), atol=0.5)
    finder.stand_up()
    assert not finder.sight().is_seated
    assert finder.seat((640.0, 790.0)) is None
    assert finder.keep(is_empty=False) is None
    stored = present(load_calibration(tmp_path / "table.json"))
    assert stored.markers == {}
    assert load_picture(tmp_path / "table.png") is not None
    assert load_layout(tmp_path / "table.json").apart == (844.0, 556.0)
    # the cards have proved it
    assert eyes.done[-1] == messages.UseTable(stored, 4)
    # distances on the stored table are those of the cards
    flat = to_table(stored, seen_from(CAMERA, np.array([(card.x, card.y) for card in LAID])))
    assert np.hypot(*(flat[0] - flat[3])) == pytest.approx(np.hypot(320.0, 160.0), abs=1.5)


def test_own_deck_is_told_from_a_printed_one_of_the_same_name(tmp_path: Path) -> None:
    seen = list[str | None]()
    for folder in ("", str(tmp_path / "coup"), str(tmp_path / "decks" / "coup")):
        finder, eyes = opened(tmp_path)
        eyes.deck = folder
        finder.sight()
        finder.take_cards()
        seen.append(finder.seen_deck)
    assert seen == [None, "", "coup"]


def test_leaving_brings_the_stored_table_back(tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path)
    finder.close()
    assert eyes.done == [messages.SeekCards()] * 2
    finder.open()
    finder.sight()
    finder.take_cards()
    finder.seat((640.0, 790.0))
    finder.keep(is_empty=False)
    finder.open()
    finder.close()
    assert eyes.done[-1] == messages.UseTable(present(load_calibration(tmp_path / "table.json")))


def test_looks_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finder, eyes = opened(tmp_path)
    monkeypatch.setattr(finding, "LOOK_TIMEOUT", 0.01)
    asked = list[object]()

    def show(order: object, _kind: type) -> "Future[object]":
        asked.append(order)
        return Future()

    monkeypatch.setattr(eyes, "show", show)
    for _poll in range(3):
        finder.sight()
    assert len(asked) == 1


def test_no_cards_are_shown_while_the_camera_is_gone(tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path)
    eyes.blind = (Problem("gone", {"camera": "usb:0"}),)
    assert (finder.sight().laid, finder.sight().wrong) == (None, eyes.blind)
    assert finder.take_cards() == Notice("few cards")
    eyes.blind = ()
    assert present(finder.sight().laid).is_enough


def test_taps_show_which_outlines_are_cards(tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path)
    here = tuple(np.mean(present(finder.sight().laid).free[0], axis=0).tolist())
    assert finder.tap((5000.0, 2.0)) == Notice("no place")
    assert finder.tap((here[0], here[1])) is None
    assert finder.sight().told == messages.ShowCards((), (here,))
    assert eyes.told[-1] == messages.ShowCards((), (here,))
    # what was tapped away comes back, and a bare place is a card
    present(finder.sight().laid)
    eyes.cards = 0
    finder.sight()
    assert finder.tap((here[0] + 10.0, here[1])) is None
    assert finder.sight().told == messages.ShowCards()
    assert finder.tap((700.0, 300.0)) is None
    assert finder.sight().told == messages.ShowCards(((700.0, 300.0),))
    eyes.cards = 4
    finder.sight()
    finder.refuse()
    assert len(finder.sight().told.others) == 4
    finder.forget_taps()
    assert finder.sight().told == messages.ShowCards()


def test_table_is_cleared_for_a_picture_if_cards_have_no_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder, eyes = opened(tmp_path)
    eyes.are_named = False
    assert not present(finder.sight().laid).is_clearing
    monkeypatch.setattr(finding, "UNNAMED", 0.0)
    assert present(finder.sight().laid).is_clearing
    # it isn't asked twice
    finder.clear(is_clearing=False)
    assert not present(finder.sight().laid).is_clearing
    finder.clear()
    assert present(finder.sight().laid).is_clearing
    assert finder.take_empty() is None
    order = eyes.done[-1]
    assert isinstance(order, messages.SeekCards)
    assert order.empty
    eyes.are_named = True
    assert not present(finder.sight().laid).is_clearing
    finder.take_cards()
    finder.seat((640.0, 790.0))
    assert finder.keep(is_empty=False) is None
    # the table as it was without cards, not with their places painted over
    stored = present(load_picture(tmp_path / "table.png"))
    assert stored.shape[0] > 300

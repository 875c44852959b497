"""What the eyes make of pictures and orders, without a process or a camera."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.scene import Hand, Laid
from tests.vision.process.live import CAPTAIN, DUKE, TABLE, rendered, taught, with_cards
from vision.process.messages import (
    Calibrated,
    Expect,
    FindTable,
    Look,
    News,
    Pictured,
    Ready,
    Recovered,
    Rest,
    Seen,
    Settings,
    Snap,
    Troubled,
    UseDeck,
    UseTable,
    UseZones,
    Wake,
    remembered,
)
from vision.process.on_frame import CHECKED, Eyes, blinded, looked, obeyed, opened, read_part
from vision.process.watching import ARM, PATIENCE, STILL_FRAMES, VOTES
from vision.sightings import Reading
from vision.table.calibration import calibrate
from vision.table.cameras import WARM
from vision.table.empty_table import flat, keep_empty
from vision.troubles import Problem

ONCE = STILL_FRAMES + VOTES + 2


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return taught(tmp_path_factory.mktemp("decks") / "coup")


@cache
def bare() -> np.ndarray:
    return with_cards().picture


def calibrated(deck: Path) -> Eyes:
    """Open the eyes at a table that is known."""
    eyes, _news = opened(Settings("twin", str(deck), table=calibrate(bare())))
    return eyes


def shown(eyes: Eyes, picture: np.ndarray, frames: int = ONCE) -> tuple[Eyes, list[News]]:
    """Show a picture for some frames, with fresh noise."""
    rng, news = np.random.default_rng(frames), []
    for _frame in range(frames):
        eyes, more = looked(
            eyes, np.where(picture < 250, picture + rng.integers(0, 4, picture.shape, np.uint8), picture)
        )
        news += more
    return eyes, news


def but_far(news: list[News]) -> list[News]:
    """Leave out that the camera is far away: these pictures are small to be soon rendered."""
    return [
        each for each in news if not (isinstance(each, Troubled | Recovered) and each.problem.key == "too far")
    ]


def test_a_known_table_is_read_at_once_and_an_unknown_one_is_found_first(deck: Path) -> None:
    _eyes, news = shown(calibrated(deck), with_cards(DUKE).picture)
    assert [type(each) for each in but_far(news)] == [Ready, Seen]
    eyes, _news = opened(Settings("twin", str(deck)))
    _eyes, news = shown(eyes, with_cards(DUKE).picture, WARM + ONCE)
    assert [type(each) for each in but_far(news)] == [Ready, Calibrated, Seen]


def test_a_part_is_read_as_it_is_in_the_whole(deck: Path, tmp_path: Path) -> None:
    table = calibrate(bare())
    assert table is not None
    keep_empty(tmp_path / "table.png", flat(bare(), table))
    eyes, _news = opened(Settings("twin", str(deck), table=table, empty=str(tmp_path / "table.png")))
    assert eyes.around is not None
    assert eyes.around.lines is not None
    frame = with_cards(DUKE, CAPTAIN)
    x, y = np.mean(frame.truth[1].outline, axis=0).astype(int)
    part = read_part(eyes, frame.picture, (int(x) - 90, int(y) - 110, int(x) + 90, int(y) + 110))
    (captain,) = [card for card in part.cards if card.face == "captain"]
    assert np.abs(np.array(captain.outline) - frame.truth[1].outline).max() < 5
    whole = read_part(eyes, frame.picture, (0, 0, 1200, 900))
    assert sorted(str(card.face) for card in whole.cards) == ["captain", "duke"]
    assert whole.unexplained == ()


def test_without_a_deck_nothing_is_read() -> None:
    eyes, news = opened(Settings("twin"))
    assert news == ()
    assert read_part(eyes, bare(), (0, 0, 100, 100)) == Reading(())


def test_an_arm_that_stays_is_told_and_its_end_too(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), with_cards(DUKE).picture)
    arm = rendered(replace(TABLE, hands=(Hand(60.0, 40.0),))).picture
    eyes, news = shown(eyes, arm, PATIENCE + ONCE)
    assert Troubled(Problem("hand stays")) in news
    eyes, news = shown(eyes, with_cards(DUKE).picture)
    assert Recovered(Problem("hand stays")) in news
    assert PATIENCE + ONCE < ARM


def test_trouble_is_told_once_and_so_is_its_end(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), with_cards(DUKE).picture)
    gone = Problem("missing", {"camera": "twin"})
    eyes, news = blinded(eyes, gone)
    assert news == (Troubled(gone),)
    eyes, news = blinded(eyes, Problem("missing", {"camera": "again"}))
    assert news == ()
    eyes, told = shown(eyes, with_cards(DUKE, CAPTAIN).picture)
    assert told[0] == Recovered(gone)
    (seen,) = [each for each in told if isinstance(each, Seen)]
    assert sorted(str(each.card.face) for each in seen.cards) == ["captain", "duke"]


def test_eyes_that_rest_read_nothing(deck: Path) -> None:
    eyes, _news = obeyed(calibrated(deck), Rest())
    eyes, news = shown(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in but_far(news)] == [Ready]
    eyes, _news = obeyed(eyes, Wake())
    _eyes, news = shown(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in news] == [Seen]


def test_what_cannot_be_there_is_seen_and_said(deck: Path) -> None:
    eyes, _news = obeyed(calibrated(deck), Expect({"captain": 3}))
    _eyes, news = shown(eyes, with_cards(DUKE).picture)
    (seen,) = [each for each in news if isinstance(each, Seen)]
    assert [(each.card.face, each.card.possible) for each in seen.cards] == [("duke", False)]


def test_zones_and_tables_may_come_later(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), with_cards(DUKE).picture)
    everywhere = ((-900.0, -900.0), (900.0, -900.0), (900.0, 900.0), (-900.0, 900.0))
    for order in (UseZones({"table": everywhere}), Look("again")):
        eyes, _news = obeyed(eyes, order)
    eyes, news = shown(eyes, with_cards(DUKE).picture)
    (seen,) = [each for each in news if isinstance(each, Seen)]
    assert (seen.asked, seen.cards[0].zone) == ("again", "table")
    eyes, _news = obeyed(eyes, FindTable())
    assert eyes.around is None
    eyes, news = shown(eyes, with_cards(DUKE).picture, WARM + 1)
    assert any(isinstance(each, Calibrated) for each in news)


def test_a_table_of_another_size_is_found_anew(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), bare(), 2)
    larger = cv2.resize(with_cards(DUKE).picture, (1500, 1125))
    _eyes, news = shown(replace(eyes, unchecked=CHECKED, watch=None), larger)
    told = [type(each) for each in but_far(news)]
    assert told == [Troubled, Calibrated, Recovered, Seen]


def test_a_small_picture_is_taken_when_there_is_one(deck: Path) -> None:
    eyes = calibrated(deck)
    assert obeyed(eyes, Snap())[1] == ()
    eyes, _news = shown(eyes, bare(), 1)
    (news,) = obeyed(eyes, Snap())[1]
    assert isinstance(news, Pictured)


def test_settings_remember_what_was_told_and_found() -> None:
    table = calibrate(bare())
    assert table is not None
    settings = Settings("twin")
    for message in (UseDeck("a", {"x": 1}), Expect({"y": 2}), Calibrated(table), Rest(), Look()):
        settings = remembered(settings, message)
    assert settings == Settings("twin", "a", {"y": 2}, table, resting=True)
    assert remembered(remembered(settings, FindTable()), Wake()) == Settings("twin", "a", {"y": 2})
    assert remembered(Settings("twin"), UseTable(table)).table == table


def test_new_eyes_know_that_the_old_ones_were_blind() -> None:
    slow = Problem("too slow", {"camera": "pi"})
    settings = remembered(Settings("pi"), Troubled(slow))
    assert remembered(settings, Troubled(Problem("no marker", {"marker": 1}))) == settings
    eyes, _news = opened(settings)
    assert blinded(eyes, slow)[1] == ()
    assert Recovered(slow) in looked(eyes, bare())[1]
    assert remembered(settings, Recovered(slow)) == Settings("pi")


def test_a_laid_card_is_worth_a_happening(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), with_cards(DUKE).picture)
    _eyes, news = shown(eyes, with_cards(Laid("duke", 200.0, 60.0, 40.0)).picture, ONCE)
    assert [(each.what, each.card.card.face) for each in news if hasattr(each, "what")] == [("moved", "duke")]


def test_a_table_without_markers_isnt_read_in_pictures_of_another_size(deck: Path) -> None:
    table = calibrate(bare())
    assert table is not None
    eyes, _news = opened(Settings("twin", str(deck), table=replace(table, markers={})))
    eyes, news = shown(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in but_far(news)] == [Ready, Seen]
    eyes, news = shown(eyes, np.ascontiguousarray(with_cards(DUKE).picture[::2, ::2]))
    assert [each.problem.key for each in news if isinstance(each, Troubled)] == ["wrong size"]
    assert not any(isinstance(each, Seen) for each in news)
    _eyes, news = shown(eyes, with_cards(DUKE).picture, ONCE + 1)
    assert [type(each) for each in but_far(news)] == [Recovered, Seen]


def test_a_table_is_found_again_in_pictures_of_another_size(deck: Path) -> None:
    eyes, _news = shown(calibrated(deck), with_cards(DUKE).picture)
    _eyes, news = shown(eyes, np.ascontiguousarray(with_cards(DUKE).picture[::2, ::2]), 2 * ONCE)
    assert [type(each) for each in but_far(news)][:3] == [Troubled, Calibrated, Recovered]

"""Eyes at a table without markers: its cards give the plane, also after the camera has moved."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from tests.tiers import slow
from tests.vision.process.live import DECK, ONCE, RATE, TABLE, look_next, show_picture
from vision.process import messages
from vision.process.card_table import angle_of, places_of_named, view_problems
from vision.process.free_cards import Sought, show_cards
from vision.process.messages import EyesMessage, EyesSettings
from vision.process.on_frame import EyesState, go_without_picture, obey_order, open_eyes
from vision.process.table_frame import ASKED, TAKEN
from vision.reading.views import surroundings_at
from vision.table.calibration import save_empty_table, to_table
from vision.table.camera import WARM
from vision.table.card_plane import misfit
from vision.table.plane import as_matrix
from vision.table.values import Calibration
from vision.troubles import Problem

pytestmark = slow("rendered tables are read, before and after the camera moves")
SLANTED = aim_camera(SceneCamera(at=(0.0, 430.0, 620.0), tilt=35.0, focal=1150.0, noise=0.0, jpeg=0,
                                 resolution=(1280, 960)), 0.0, 0.0)  # fmt: skip
CARDS = (
    SceneCard("duke", -120.0, 20.0, 8.0),
    SceneCard("captain", 130.0, -30.0, -12.0),
    SceneCard("assassin", 20.0, 90.0, 70.0),
    SceneCard("contessa", 10.0, -110.0, 100.0),
)
NUDGED = replace(SLANTED, at=(SLANTED.at[0] + 30.0, *SLANTED.at[1:]), pan=SLANTED.pan + 2.0)
SIDEBOARD = SceneTable("wood", plates=(), width=1600.0, depth=1400.0)


@cache
def picture_of(cards: int, camera: SceneCamera = SLANTED) -> np.ndarray:
    return render(Scene(camera, SIDEBOARD, TABLE.light, CARDS[:cards]), faces_of(DECK))


def found_in(news: Sequence[EyesMessage]) -> list[Calibration]:
    return [each.table for each in news if isinstance(each, messages.TableFound)]


def troubles(news: Sequence[EyesMessage]) -> list[str]:
    signs = {messages.TroubleBegan: "+", messages.TroubleEnded: "-"}
    return [
        signs[type(each)] + each.problem.key
        for each in news
        if isinstance(each, (messages.TroubleBegan, messages.TroubleEnded))
    ]


def positions(news: Sequence[EyesMessage]) -> dict[str | None, tuple[float, float] | None]:
    (*_before, read) = [each for each in news if isinstance(each, messages.TableRead)]
    return {placed.card.face: placed.middle for placed in read.cards}


@cache
def opened(deck: Path) -> tuple[EyesState, tuple[EyesMessage, ...]]:
    """Show two cards, then two more, to eyes that know no table."""
    eyes, _news = open_eyes(EyesSettings("usb:0", str(deck)))
    eyes, first = show_picture(eyes, picture_of(2), WARM + ONCE)
    eyes, more = show_picture(eyes, picture_of(4))
    return eyes, (*first, *more)


@cache
def rested(deck: Path, cards: int = 4) -> EyesState:
    """Show the table until its anchor is taken."""
    eyes, _news = show_picture(opened(deck)[0], picture_of(cards), 2 * (ONCE + TAKEN))
    assert eyes.frame.anchor is not None
    return eyes


def known_places(eyes: EyesState) -> dict[str, tuple[float, float]]:
    """Return the middles of known cards in millimetres."""
    table, watch = eyes.settings.table, eyes.watch
    assert table is not None
    assert watch is not None
    return places_of_named(table, watch.known)


@slow("reads and measures a table in large pictures")
def test_steep_table_is_read_as_soon_as_it_is_measured(deck: Path) -> None:
    """Seen from the side, cards are found with the table that the guide has just measured, or not at all."""
    steep = aim_camera(
        SceneCamera(at=(0.0, 578.0, 485.0), tilt=50.0, focal=1300.0, k1=0.02, noise=0.0, jpeg=0,
                    resolution=(1600, 1200)), 0.0, 0.0)  # fmt: skip
    laid = show_cards(picture_of(4, steep), Sought({}, picture_of(0, steep)), messages.ShowCards(), None)
    table = present(laid.table)
    eyes = obey_order(open_eyes(EyesSettings("usb:0", str(deck)))[0], messages.UseTable(table))[0]
    _eyes, news = show_picture(eyes, picture_of(3, steep), WARM + ONCE)
    assert set(positions(news)) == {"duke", "captain", "assassin"}


def test_cards_give_the_table_and_more_cards_refine_it(deck: Path) -> None:
    eyes, news = opened(deck)
    assert troubles(news)[:2] == ["+lay cards", "-lay cards"]
    first, *others = found_in(news)
    assert others
    outlines = [card.outline for card in eyes.watch.known] if eyes.watch else []
    assert misfit(others[-1], outlines, (63.0, 88.0)) < misfit(first, outlines, (63.0, 88.0)) < 0.02
    where = positions(news)
    assert len(where) == 4
    # the cards' distances are right, whatever the frame
    for one, other in ((CARDS[0], CARDS[1]), (CARDS[2], CARDS[3])):
        here, there = where[one.face], where[other.face]
        assert here is not None
        assert there is not None
        assert abs(np.hypot(*np.subtract(here, there)) - np.hypot(one.x - other.x, one.y - other.y)) < 2.5
    assert eyes.around is not None
    assert eyes.around.lines is not None


def test_frame_is_carried_along_when_the_camera_moves(deck: Path) -> None:
    eyes = rested(deck)
    before, table = known_places(eyes), eyes.settings.table
    eyes, news = show_picture(eyes, picture_of(4, NUDGED), 2 * ONCE)
    assert not [key for key in troubles(news) if "move" in key]
    assert not [each for each in news if isinstance(each, messages.TableRead) and len(each.cards) != 4]
    (moved,) = found_in(news)
    assert moved != table
    after = known_places(eyes)
    assert sorted(after) == sorted(before)
    for face, where in before.items():
        assert np.hypot(*np.subtract(where, after[face])) < 1.0


def test_cards_laid_after_a_move_are_read_without_a_pause(deck: Path) -> None:
    eyes = rested(deck, 2)
    eyes, news = show_picture(eyes, picture_of(3, NUDGED), 2 * ONCE)
    assert "assassin" in positions(news)
    assert not troubles(news)


def test_drifting_camera_is_followed_in_small_steps(deck: Path) -> None:
    """A camera's arm sinks by less at a time than shows; a card is laid or taken every time."""
    eyes = rested(deck)
    before, (x, y, z) = known_places(eyes), SLANTED.at
    for step in range(1, 5):
        sunk = replace(SLANTED, at=(x, y + 1.5 * step, z))
        eyes, _news = show_picture(eyes, picture_of(4 - step % 2, sunk), ONCE + 2 * TAKEN)
    after = known_places(eyes)
    for face, where in after.items():
        assert np.hypot(*np.subtract(where, before[face])) < 5.0


def test_table_that_is_covered_part_by_part_has_not_moved(deck: Path) -> None:
    eyes, shown = rested(deck), picture_of(4).copy()
    noise = np.random.default_rng(3).normal(0, 75, shown.shape[:2]).astype(np.float32)
    rug = np.clip(120 + cv2.GaussianBlur(noise, (0, 0), 1.0), 0, 255).astype(np.uint8)[..., None]
    for edge in range(0, shown.shape[1], 320):
        shown[:, edge : edge + 320] = rug[:, edge : edge + 320]
        # few pictures a second: the question comes after as many seconds
        eyes, news = show_picture(eyes, shown, round((ASKED + 1.0) * 5.0), 5.0)
        assert not [key for key in troubles(news) if "move" in key]


@pytest.mark.parametrize("rate", [5.0, 30.0])
def test_question_comes_after_the_same_seconds_at_any_rate_and_ends_with_its_reason(
    deck: Path, rate: float
) -> None:
    eyes = rested(deck)
    other = np.asarray(cv2.flip(picture_of(0), -1), np.uint8)
    eyes, news = show_picture(eyes, other, round((ASKED - 0.5) * rate), rate)
    assert troubles(news) == []
    eyes, news = show_picture(eyes, other, round(1.5 * rate), rate)
    assert troubles(news) == ["+did the camera move"]
    eyes, news = show_picture(eyes, picture_of(4), 2 * ONCE)
    assert troubles(news) == ["-did the camera move"]
    assert sorted(known_places(eyes)) == sorted(card.face or "" for card in CARDS)


def test_answer_about_a_move_can_be_taken_back(deck: Path) -> None:
    eyes = rested(deck)
    old = eyes.settings.table
    other = np.asarray(cv2.flip(picture_of(4), -1), np.uint8)
    # the table is upside down: cards are read meanwhile, in the old frame
    eyes, news = show_picture(
        eyes, np.asarray(cv2.flip(picture_of(0), -1), np.uint8), round(ASKED * RATE) + ONCE
    )
    assert "+did the camera move" in troubles(news)
    eyes, news = obey_order(eyes, messages.SettleMove(moved=True))
    assert troubles(news) == ["-did the camera move"]
    assert eyes.settings.table is None
    eyes, news = show_picture(eyes, other, 2 * ONCE)
    assert found_in(news)
    assert len(known_places(eyes)) == 4
    eyes, news = obey_order(eyes, messages.SettleMove(moved=False))
    assert found_in(news) == [old]
    assert eyes.settings.table == old


def test_dark_picture_waits_and_nothing_is_taken(deck: Path) -> None:
    eyes = rested(deck)
    dark = np.full_like(picture_of(4), 6)
    eyes, news = show_picture(eyes, dark, ONCE + 20)
    assert troubles(news) == ["+dark"]
    assert not [each for each in news if isinstance(each, messages.TableRead)]
    eyes, news = show_picture(eyes, picture_of(4), 2 * ONCE)
    assert troubles(news) == ["-dark"]
    assert len(known_places(eyes)) == 4
    # a camera that was lost in the dark waits for nothing
    eyes, _news = show_picture(eyes, dark, ONCE)
    eyes, _news = go_without_picture(eyes, Problem("gone"))
    eyes, news = show_picture(eyes, picture_of(3), 2 * ONCE)
    assert "-dark" in troubles(news)
    assert len(known_places(eyes)) == 3


def test_table_of_an_earlier_run_is_fitted_anew_if_its_cards_do_not_fit(deck: Path) -> None:
    table = opened(deck)[0].settings.table
    assert table is not None
    x, _y, z = SLANTED.at
    other = aim_camera(replace(SLANTED, tilt=5.0, at=(x, 0.0, z)), 0.0, 0.0)
    eyes, _news = open_eyes(EyesSettings("usb:0", str(deck), table=table))
    eyes, news = show_picture(eyes, picture_of(4, other), 3 * ONCE)
    assert not [key for key in troubles(news) if "move" in key]
    assert eyes.settings.table is not None
    outlines = [card.outline for card in eyes.watch.known] if eyes.watch else []
    assert misfit(eyes.settings.table, outlines, (63.0, 88.0)) < 0.01


def test_cards_of_a_turned_phone_are_read_before_its_table_is_found(deck: Path) -> None:
    eyes, _news = opened(deck)
    upright = np.ascontiguousarray(np.rot90(picture_of(1)))
    eyes, news = show_picture(eyes, upright, 2 * ONCE)
    assert list(positions(news)) == ["duke"]
    assert eyes.settings.table is None
    eyes, news = show_picture(eyes, np.ascontiguousarray(np.rot90(picture_of(4))), 2 * ONCE)
    assert found_in(news)


def test_angle_and_size_give_advice_before_names_become_unsure(deck: Path) -> None:
    table = opened(deck)[0].settings.table
    assert table is not None
    assert abs(angle_of(table) - 35.0) < 3.0
    assert view_problems(table, (63.0, 88.0), ()) == ()
    flat = Calibration(((1.0, 0.0, 500.0), (0.0, 0.6, 400.0), (0.0, 0.0, 1.0)), (1000, 800), (1, 1, 1), 1.0, {})
    assert view_problems(flat, (85.0, 120.0), ()) == ()
    assert view_problems(flat, (63.0, 88.0), ())[:1] == (Problem("too flat", {"angle": 53, "most": 44}),)
    # a card of 90 pixels has more than enough left
    assert view_problems(flat, (90.0, 120.0), ()) == ()
    # far cards aren't better from above
    assert [each.key for each in view_problems(flat, (40.0, 60.0), ())] == ["too far"]
    assert np.allclose(to_table(flat, np.array([(500.0, 400.0)])), 0.0)


def test_camera_is_too_far_away_only_if_names_show_it(deck: Path) -> None:
    """52 pixels across a card are few, but where names are sure, nobody needs to move the camera."""
    above = Calibration(
        ((0.82, 0.0, 500.0), (0.0, 0.82, 400.0), (0.0, 0.0, 1.0)), (1000, 800), (1, 1, 1), 1.0, {}
    )
    watch = opened(deck)[0].watch
    assert watch is not None
    sure, unsure = tuple(watch.known), tuple(replace(each, sure=False) for each in watch.known)
    assert view_problems(above, (63.0, 88.0), sure) == view_problems(above, (63.0, 88.0), unsure[:3]) == ()
    assert view_problems(above, (63.0, 88.0), (*sure[:3], unsure[3])) == ()
    assert [each.key for each in view_problems(above, (63.0, 88.0), unsure)] == ["too far"]
    assert [each.key for each in view_problems(above, (55.0, 88.0), unsure[:1])] == ["too far"]


@pytest.mark.parametrize("stretched", [(0.8, 1.25), (0.85, 1.2)])
def test_table_that_hides_names_is_replaced_after_three_seconds(
    deck: Path, stretched: tuple[float, float]
) -> None:
    """A table that a person accepted may be wrong, and a camera may be put elsewhere while nobody plays."""
    true = opened(deck)[0].settings.table
    assert true is not None
    wrong = replace(true, plane=as_matrix(np.array(true.plane) @ np.diag((*stretched, 1.0))))
    eyes, _news = open_eyes(EyesSettings("usb:0", str(deck), table=wrong, fitted=4))
    eyes, news = show_picture(eyes, picture_of(4), ONCE)
    assert len(known_places(eyes)) < 2
    eyes, news = show_picture(eyes, picture_of(4), 8 * ONCE)
    assert found_in(news)
    assert len(known_places(eyes)) == 4
    outlines = [card.outline for card in eyes.watch.known] if eyes.watch else []
    assert misfit(present(eyes.settings.table), outlines, (63.0, 88.0)) < 0.01


def test_cards_are_reported_within_four_frames_of_the_hand_leaving(deck: Path) -> None:
    eyes, _news = opened(deck)
    for frame in range(6):
        reaching = picture_of(4).copy()
        reaching[450 + 5 * frame :, 500:760] = (90, 120, 180)
        eyes, _news = look_next(eyes, reaching)
    reports, frames = list[messages.TableRead](), 0
    while not reports and frames < 8:
        eyes, news = look_next(eyes, picture_of(3))
        reports, frames = [each for each in news if isinstance(each, messages.TableRead)], frames + 1
    assert frames <= 4
    assert reports[0].is_change
    assert sorted(str(each.card.face) for each in reports[0].cards) == ["assassin", "captain", "duke"]


def test_table_of_an_earlier_run_is_used_once_its_cards_fit(deck: Path) -> None:
    table = opened(deck)[0].settings.table
    assert table is not None
    eyes, _news = open_eyes(EyesSettings("usb:0", str(deck), table=table))
    eyes, news = show_picture(eyes, picture_of(4))
    assert not troubles(news)  # 96 pixels across a card
    assert eyes.fitted == 4
    where = positions(news)
    for face, middle in positions(opened(deck)[1]).items():
        now = where[face]
        assert now is not None
        assert middle is not None
        assert np.hypot(*np.subtract(now, middle)) < 1.0


def test_stored_picture_of_print_hides_no_cards(deck: Path, tmp_path: Path) -> None:
    """On newspaper, cards beside its photographs were overlooked once the empty table's picture was stored."""
    table = present(opened(deck)[0].settings.table)
    printed = np.where(
        np.add.outer(np.arange(960) // 17 % 2, np.arange(1280) // 17 % 2)[..., None] > 0, 90, 220
    )
    for bare, has_lines in ((picture_of(0), True), (np.broadcast_to(printed, (960, 1280, 3)), False)):
        file = tmp_path / "table.png"
        save_empty_table(file, np.asarray(bare, np.uint8), table)
        eyes = open_eyes(EyesSettings("usb:0", str(deck), table=table, empty=str(file)))[0]
        assert (present(eyes.around).lines is not None) == has_lines


def test_lines_of_a_checked_cloth_are_not_left_out() -> None:
    """Cards' edges run along the lines of a checked cloth everywhere."""
    checked = np.where(np.add.outer(np.arange(720) // 17 % 2, np.arange(1280) // 17 % 2), 120, 220)
    bare = {"checked": checked, "wood": picture_of(0)[..., 1]}
    flat = Calibration(((1.0, 0.0, 640.0), (0.0, 1.0, 360.0), (0.0, 0.0, 1.0)), (1280, 720), (1, 1, 1), 1.0, {})
    lines = {
        name: surroundings_at(
            flat, np.asarray(cv2.cvtColor(ground.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)
        ).lines
        for name, ground in bare.items()
    }
    assert lines["checked"] is None
    assert lines["wood"] is not None


def view(eyes: EyesState, *, is_read: bool) -> bytes:
    _eyes, (taken,) = obey_order(eyes, messages.TakeView(is_read))
    assert isinstance(taken, messages.ViewTaken)
    assert taken.is_read == is_read
    return taken.jpeg


def test_players_without_an_open_ask_get_no_picture_of_an_unread_card(deck: Path) -> None:
    eyes, _news = open_eyes(EyesSettings("usb:0", str(deck)))
    assert view(eyes, is_read=False) == view(eyes, is_read=True) == b""
    eyes = rested(deck, 2)
    before = view(eyes, is_read=True)
    assert before == view(eyes, is_read=False) != b""
    for _frame in range(ONCE):
        eyes, _news = look_next(eyes, np.asarray(picture_of(4), np.uint8))
        assert view(eyes, is_read=False) != before
        # the new cards are reported before their picture can be asked for
        known = [card.face for card in eyes.watch.known] if eyes.watch else []
        assert (view(eyes, is_read=True) in {before, b""}) or len(known) == 4
    assert view(eyes, is_read=True) == view(eyes, is_read=False) != before

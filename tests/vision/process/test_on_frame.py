"""The eyes' answers to pictures and orders, without a process or a camera."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Hand, SceneCard
from tests.vision.process.live import CAPTAIN, DUKE, TABLE, render_scene, teach_artwork, with_cards
from vision.process.messages import (
    Attend,
    CardChanged,
    Expect,
    EyesMessage,
    EyesOrder,
    EyesReady,
    EyesSettings,
    FindTable,
    FrameTable,
    ReadTable,
    Rest,
    SnapshotTaken,
    TableFound,
    TableFramed,
    TableRead,
    TakeFrame,
    TakeSnapshot,
    TroubleBegan,
    TroubleEnded,
    UnnamedCards,
    UnnamedCardsGone,
    UseDeck,
    UseTable,
    UseZones,
    Wake,
    settings_after,
)
from vision.process.on_frame import (
    CALM,
    CHECKED,
    FRAME,
    LEISURE,
    RESTED,
    UNHELD,
    EyesState,
    go_without_picture,
    holds_light,
    look_at_picture,
    obey_order,
    open_eyes,
    pause_after,
    read_part,
)
from vision.process.watching import ARM, PATIENCE, STILL_FRAMES, VOTES
from vision.sightings import Reading
from vision.table.calibration import calibrate
from vision.table.camera import WARM
from vision.table.empty_table import flatten_table, save_empty_table
from vision.table.optics import CAMERAS
from vision.table.thrift import Thrift
from vision.troubles import Problem

ONCE = STILL_FRAMES + VOTES + 2


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return teach_artwork(tmp_path_factory.mktemp("decks") / "coup")


@cache
def bare_picture() -> np.ndarray:
    return with_cards().picture


def both_decks(*cards: SceneCard) -> np.ndarray:
    """Render the table with cards of two decks."""
    ours = faces_of("coup")

    def face(name: str) -> np.ndarray:
        other, _slash, of_it = name.rpartition("/")
        return faces_of(other)(of_it) if other else ours(name)

    return render(replace(TABLE, cards=cards), face).picture


def calibrated_eyes(deck: Path) -> EyesState:
    """Open the eyes at a table that is known."""
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), table=calibrate(bare_picture())))
    return eyes


def show_picture(
    eyes: EyesState, picture: np.ndarray, frames: int = ONCE
) -> tuple[EyesState, list[EyesMessage]]:
    """Show a picture for some frames, with fresh noise."""
    rng, news = np.random.default_rng(frames), []
    for _frame in range(frames):
        eyes, more = look_at_picture(
            eyes, np.where(picture < 250, picture + rng.integers(0, 4, picture.shape, np.uint8), picture)
        )
        news += more
    return eyes, news


def happenings(news: list[EyesMessage]) -> list[tuple[str, str | None]]:
    """List what was laid, taken and moved."""
    return [(each.what, each.card.card.face) for each in news if isinstance(each, CardChanged)]


def without_distance(news: list[EyesMessage]) -> list[EyesMessage]:
    """Leave out the trouble of a distant camera: these pictures are small, to save time."""
    return [
        each
        for each in news
        if not (isinstance(each, TroubleBegan | TroubleEnded) and each.problem.key == "too far")
    ]


def test_a_known_table_is_read_at_once_and_an_unknown_one_is_found_first(deck: Path) -> None:
    _eyes, news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    assert [type(each) for each in without_distance(news)] == [EyesReady, TableRead]
    eyes, _news = open_eyes(EyesSettings("twin", str(deck)))
    _eyes, news = show_picture(eyes, with_cards(DUKE).picture, WARM + ONCE)
    assert [type(each) for each in without_distance(news)] == [EyesReady, TableFound, TableRead]


def test_a_part_is_read_as_it_is_in_the_whole(deck: Path, tmp_path: Path) -> None:
    table = calibrate(bare_picture())
    assert table is not None
    save_empty_table(tmp_path / "table.png", flatten_table(bare_picture(), table))
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), table=table, empty=str(tmp_path / "table.png")))
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


def test_while_nothing_moves_pictures_are_taken_at_leisure(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    assert pause_after(eyes) == FRAME
    at_rest, _news = show_picture(eyes, with_cards(DUKE).picture, CALM)
    assert pause_after(at_rest) == LEISURE
    laid, _news = show_picture(at_rest, with_cards(DUKE, CAPTAIN).picture, 1)
    assert pause_after(laid) == FRAME
    resting, _news = obey_order(laid, Rest())
    resting, _news = show_picture(resting, with_cards(DUKE, CAPTAIN).picture, 1)
    assert pause_after(resting) == LEISURE


@pytest.mark.parametrize("order", [ReadTable(), TakeFrame(), FrameTable(), Attend(0, None), FindTable()])
def test_who_asks_for_something_is_not_kept_waiting(deck: Path, order: EyesOrder) -> None:
    at_rest, _news = show_picture(calibrated_eyes(deck), bare_picture(), ONCE + CALM)
    assert pause_after(at_rest) == LEISURE
    asked, _news = obey_order(at_rest, order)
    assert pause_after(asked) == FRAME


def test_a_table_at_which_nothing_moves_is_seldom_checked_and_a_moved_one_soon(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), bare_picture(), ONCE)
    eyes = replace(eyes, unchecked=0)
    eyes, _news = show_picture(eyes, bare_picture(), 2 * CHECKED)
    assert eyes.unchecked == 2 * CHECKED
    # something passed, and the table lies there as before
    stirred, _news = show_picture(eyes, with_cards(DUKE).picture, ONCE)
    stirred, _news = show_picture(stirred, bare_picture(), CHECKED)
    assert stirred.unchecked < CHECKED
    rested, _news = show_picture(eyes, bare_picture(), RESTED - 2 * CHECKED + 1)
    assert rested.unchecked == 0


def test_where_memory_is_scarce_fewer_and_smaller_pictures_are_held(deck: Path) -> None:
    thrift = Thrift(held=2, widest=300)
    settings = EyesSettings("twin", str(deck), table=calibrate(bare_picture()), thrift=thrift)
    eyes, _news = open_eyes(settings)
    for cards in ((), (DUKE,), (DUKE, CAPTAIN), (CAPTAIN,)):
        eyes, _news = show_picture(eyes, with_cards(*cards).picture)
    assert eyes.reading == 4
    assert [held.number for held in eyes.shown] == [3, 4]
    for held in eyes.shown:
        shown = cv2.imdecode(np.frombuffer(held.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert max(shown.shape[:2]) == 300


def test_how_many_pixels_a_card_needs_is_the_lens_matter(deck: Path) -> None:
    lens = replace(CAMERAS["imx708"], needed=60.0)
    for optics, is_told in ((CAMERAS["imx708"], True), (lens, False)):
        _eyes, news = look_at_picture(calibrated_eyes(deck), bare_picture(), optics)
        keys = [each.problem.key for each in news if isinstance(each, TroubleBegan)]
        assert ("too far" in keys) == is_told


def test_without_a_deck_nothing_is_read() -> None:
    eyes, news = open_eyes(EyesSettings("twin"))
    assert news == ()
    assert read_part(eyes, bare_picture(), (0, 0, 100, 100)) == Reading(())


def test_an_arm_that_stays_is_told_and_its_end_too(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    arm = render_scene(replace(TABLE, hands=(Hand(60.0, 40.0),))).picture
    eyes, news = show_picture(eyes, arm, PATIENCE + ONCE)
    assert TroubleBegan(Problem("hand stays")) in news
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert TroubleEnded(Problem("hand stays")) in news
    assert PATIENCE + ONCE < ARM


def test_trouble_is_told_once_and_so_is_its_end(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    gone = Problem("missing", {"camera": "twin"})
    eyes, news = go_without_picture(eyes, gone)
    assert news == (TroubleBegan(gone),)
    eyes, news = go_without_picture(eyes, Problem("missing", {"camera": "again"}))
    assert news == ()
    eyes, told = show_picture(eyes, with_cards(DUKE, CAPTAIN).picture)
    assert told[0] == TroubleEnded(gone)
    (seen,) = [each for each in told if isinstance(each, TableRead)]
    assert sorted(str(each.card.face) for each in seen.cards) == ["captain", "duke"]


def test_a_reading_that_is_asked_for_bears_its_mark_and_forgets_nothing_before(deck: Path) -> None:
    eyes, _news = obey_order(calibrated_eyes(deck), ReadTable("first"))
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert [each.asked for each in news if isinstance(each, TableRead)] == ["first"]
    eyes, _news = obey_order(eyes, ReadTable("again"))
    assert eyes.watch is not None
    assert [card.face for card in eyes.watch.known] == ["duke"]
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert [each.asked for each in news if isinstance(each, TableRead)] == ["again"]


def test_eyes_that_rest_read_nothing(deck: Path) -> None:
    eyes, _news = obey_order(calibrated_eyes(deck), Rest())
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in without_distance(news)] == [EyesReady]
    eyes, _news = obey_order(eyes, Wake())
    _eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in news] == [TableRead]


def test_what_cannot_be_there_is_seen_and_said(deck: Path) -> None:
    eyes, _news = obey_order(calibrated_eyes(deck), Expect({"captain": 3}))
    _eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    (seen,) = [each for each in news if isinstance(each, TableRead)]
    assert [(each.card.face, each.card.possible) for each in seen.cards] == [("duke", False)]


def test_zones_and_tables_may_come_later(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    everywhere = ((-900.0, -900.0), (900.0, -900.0), (900.0, 900.0), (-900.0, 900.0))
    for order in (UseZones({"table": everywhere}), ReadTable("again")):
        eyes, _news = obey_order(eyes, order)
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    (seen,) = [each for each in news if isinstance(each, TableRead)]
    assert (seen.asked, seen.cards[0].zone) == ("again", "table")
    eyes, _news = obey_order(eyes, FindTable())
    assert eyes.around is None
    eyes, news = show_picture(eyes, with_cards(DUKE).picture, WARM + 1)
    assert any(isinstance(each, TableFound) for each in news)


def test_a_table_of_another_size_is_found_anew(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), bare_picture(), 2)
    larger = cv2.resize(with_cards(DUKE).picture, (1500, 1125))
    _eyes, news = show_picture(replace(eyes, unchecked=CHECKED, watch=None), larger)
    told = [type(each) for each in without_distance(news)]
    assert told == [TroubleBegan, TableFound, TroubleEnded, TableRead]


def test_a_small_picture_is_taken_when_there_is_one(deck: Path) -> None:
    eyes = calibrated_eyes(deck)
    assert obey_order(eyes, TakeSnapshot())[1] == ()
    eyes, _news = show_picture(eyes, bare_picture(), 1)
    (news,) = obey_order(eyes, TakeSnapshot())[1]
    assert isinstance(news, SnapshotTaken)


def test_settings_remember_what_was_told_and_found() -> None:
    table = calibrate(bare_picture())
    assert table is not None
    settings = EyesSettings("twin")
    for message in (UseDeck("a", {"x": 1}), Expect({"y": 2}), TableFound(table), Rest(), ReadTable()):
        settings = settings_after(settings, message)
    assert settings == EyesSettings("twin", "a", {"y": 2}, table, resting=True)
    assert settings_after(settings_after(settings, FindTable()), Wake()) == EyesSettings("twin", "a", {"y": 2})
    assert settings_after(EyesSettings("twin"), UseTable(table)).table == table


def test_new_eyes_know_that_the_old_ones_were_blind() -> None:
    slow = Problem("too slow", {"camera": "pi"})
    settings = settings_after(EyesSettings("pi"), TroubleBegan(slow))
    assert settings_after(settings, TroubleBegan(Problem("no marker", {"marker": 1}))) == settings
    eyes, _news = open_eyes(settings)
    assert go_without_picture(eyes, slow)[1] == ()
    assert TroubleEnded(slow) in look_at_picture(eyes, bare_picture())[1]
    assert settings_after(settings, TroubleEnded(slow)) == EyesSettings("pi")


def test_a_laid_card_is_worth_a_happening(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    _eyes, news = show_picture(eyes, with_cards(SceneCard("duke", 200.0, 60.0, 40.0)).picture, ONCE)
    assert happenings(news) == [("moved", "duke")]


COVERING = (replace(CAPTAIN, x=-126.0, y=30.0, angle=0.0), replace(CAPTAIN, x=-112.0, y=26.0, angle=20.0))
"""Places in which the captain leaves a fifth or less of the duke in sight."""


@pytest.mark.parametrize("above", COVERING)
def test_a_card_that_another_covers_stays_where_it_was_seen(deck: Path, above: SceneCard) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    eyes, news = show_picture(eyes, with_cards(DUKE, above).picture)
    assert happenings(news) == [("laid", "captain")]
    assert eyes.watch is not None
    assert [card.face for card in eyes.watch.known] == ["duke", "captain"]
    _eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert happenings(news) == [("taken", "captain")]


def test_a_card_of_which_others_leave_nothing_in_sight_stays_until_they_go_and_is_no_other_side(
    deck: Path,
) -> None:
    first, then = (replace(each, x=x, y=y) for each, x, y in ((CAPTAIN, -100.0, 10.0), (DUKE, -150.0, 20.0)))
    then = replace(then, face="contessa", x=-132.0, y=24.0, angle=-8.0, height=0.9)
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    eyes, _news = show_picture(eyes, with_cards(DUKE, replace(first, height=0.6)).picture)
    eyes, news = show_picture(eyes, with_cards(DUKE, replace(first, height=0.6), then).picture)
    assert with_cards(DUKE, first, then).truth[0].visible < 0.08
    assert happenings(news) == [("laid", "contessa")]
    eyes, news = show_picture(eyes, with_cards(replace(first, height=0.6)).picture)
    assert ("taken", "duke") in happenings(news)
    eyes, news = show_picture(eyes, with_cards(replace(first, face=None)).picture)
    assert happenings(news) == [("taken", "captain"), ("laid", None)]


@pytest.mark.parametrize("above", COVERING)
@pytest.mark.parametrize("instead", [(), (replace(DUKE, face="assassin"),)], ids=["nothing", "another"])
def test_a_card_that_was_taken_while_another_was_laid_there_is_gone(
    deck: Path, above: SceneCard, instead: tuple[SceneCard, ...]
) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    _eyes, news = show_picture(eyes, with_cards(*instead, above).picture)
    assert {("taken", "duke"), ("laid", "captain")} <= set(happenings(news))


def test_a_table_without_markers_isnt_read_in_pictures_of_another_size(deck: Path) -> None:
    table = calibrate(bare_picture())
    assert table is not None
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), table=replace(table, markers={})))
    eyes, news = show_picture(eyes, with_cards(DUKE).picture)
    assert [type(each) for each in without_distance(news)] == [EyesReady, TableRead]
    eyes, news = show_picture(eyes, np.ascontiguousarray(with_cards(DUKE).picture[::2, ::2]))
    assert [each.problem.key for each in news if isinstance(each, TroubleBegan)] == ["wrong size"]
    assert not any(isinstance(each, TableRead) for each in news)
    _eyes, news = show_picture(eyes, with_cards(DUKE).picture, ONCE + 1)
    assert [type(each) for each in without_distance(news)] == [TroubleEnded, TableRead]


def test_a_table_is_found_again_in_pictures_of_another_size(deck: Path) -> None:
    eyes, _news = show_picture(calibrated_eyes(deck), with_cards(DUKE).picture)
    _eyes, news = show_picture(eyes, np.ascontiguousarray(with_cards(DUKE).picture[::2, ::2]), 2 * ONCE)
    assert [type(each) for each in without_distance(news)][:3] == [TroubleBegan, TableFound, TroubleEnded]


def test_how_the_table_lies_is_told_once_and_the_light_is_free_meanwhile(deck: Path) -> None:
    eyes = calibrated_eyes(deck)
    assert holds_light(eyes)
    eyes, news = obey_order(eyes, FrameTable((796.0, 528.5)))
    assert news == ()
    eyes, news = look_at_picture(eyes, bare_picture(), CAMERAS["imx708"])
    (told,) = (each.framing for each in news if isinstance(each, TableFramed))
    assert told.seen == (0, 1, 2, 3)
    assert told.pose is not None
    eyes, news = look_at_picture(eyes, bare_picture(), CAMERAS["imx708_wide"])
    assert not [each for each in news if isinstance(each, TableFramed)]
    assert not holds_light(eyes)
    for _frame in range(UNHELD):
        eyes, _news = look_at_picture(eyes, bare_picture())
    assert holds_light(eyes)


def test_a_wider_lens_hangs_lower_for_the_same_picture(deck: Path) -> None:
    heights = []
    for lens in ("imx708", "imx708_wide"):
        eyes, _news = obey_order(calibrated_eyes(deck), FrameTable())
        _eyes, news = look_at_picture(eyes, bare_picture(), CAMERAS[lens])
        heights += [each.framing.pose for each in news if isinstance(each, TableFramed)]
    narrow, wide = heights
    assert narrow is not None
    assert wide is not None
    assert wide.height < 0.6 * narrow.height


def test_a_card_over_one_that_was_never_read_is_told_with_that_and_no_more_once_it_is_moved(deck: Path) -> None:
    # a card of another deck can't be read, and nothing else knows what it is
    below, above = replace(DUKE, face="20", deck="coyote-gigamic"), replace(CAPTAIN, x=-105.0, y=45.0)
    eyes, _news = show_picture(calibrated_eyes(deck), bare_picture())
    eyes, news = show_picture(eyes, both_decks(below, above))
    told = [each for each in news if isinstance(each, TableRead)]
    assert [(each.card.face, each.card.more_below) for each in told[-1].cards] == [("captain", True)]
    assert ("laid", "captain") in happenings(news)
    _eyes, news = show_picture(eyes, both_decks(above))
    told = [each for each in news if isinstance(each, TableRead)]
    assert [(each.card.face, each.card.more_below) for each in told[-1].cards] == [("captain", False)]


def test_cards_that_stay_without_a_name_are_shown_once_and_their_end_is_told(deck: Path) -> None:
    strangers = [replace(each, deck="coyote-gigamic", face="20") for each in (DUKE, CAPTAIN)]
    shown = both_decks(*strangers)
    eyes, news = show_picture(calibrated_eyes(deck), shown, ONCE + CALM + 4)
    (told,) = (each for each in news if isinstance(each, UnnamedCards))
    assert told.deck == "coup"
    assert cv2.imdecode(np.frombuffer(told.jpeg, np.uint8), cv2.IMREAD_COLOR).shape == shown.shape
    eyes, news = show_picture(eyes, shown, CALM)
    assert not any(isinstance(each, UnnamedCards | UnnamedCardsGone) for each in news)
    _eyes, news = show_picture(eyes, bare_picture(), ONCE + CALM + 4)
    assert [type(each) for each in news if isinstance(each, UnnamedCards | UnnamedCardsGone)] == [
        UnnamedCardsGone
    ]

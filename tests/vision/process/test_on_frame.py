"""Messages of the eyes for pictures and orders, without a process or a camera."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Hand, SceneCard
from tests.given import present
from tests.hardware.twin.levels import faulty_picture
from tests.tiers import slow
from tests.vision.process.live import (
    CAPTAIN,
    DUKE,
    ONCE,
    RATE,
    TABLE,
    calibrated_eyes,
    eyes_at,
    found_table,
    look_next,
    render_scene,
    show_picture,
    with_cards,
)
from vision.pictures import unpack_picture
from vision.process import messages, on_frame
from vision.process.eyes import DeckTrial
from vision.process.messages import EyesMessage, EyesOrder, EyesSettings, settings_after
from vision.process.on_frame import CALM, EyesState, obey_order, open_eyes, pause_after
from vision.process.watching import ARM, LYING, RESTLESS
from vision.reading.templates import UNTRIED
from vision.table.calibration import save_empty_table
from vision.table.camera import WARM
from vision.table.optics import CAMERAS
from vision.table.thrift import Thrift
from vision.teaching import tried_decks
from vision.teaching.taught_decks import bare_deck, load_deck, save_deck
from vision.troubles import Problem

Kind = TypeVar("Kind", bound=EyesMessage)


def both_decks(*cards: SceneCard) -> np.ndarray:
    ours = faces_of("coup")

    def face(name: str) -> np.ndarray:
        other, _slash, of_it = name.rpartition("/")
        return faces_of(other)(of_it) if other else ours(name)

    return render(replace(TABLE, cards=cards), face)


def shown(eyes: EyesState, *cards: SceneCard, frames: int = ONCE) -> tuple[EyesState, list[EyesMessage]]:
    return show_picture(eyes, with_cards(*cards).picture, frames)


def of_kind(news: Sequence[EyesMessage], kind: type[Kind]) -> list[Kind]:
    return [each for each in news if isinstance(each, kind)]


def kinds(news: list[EyesMessage]) -> list[str]:
    """Return the kinds of messages, except trouble with distance, as these pictures are small."""
    keys = [each.problem.key if hasattr(each, "problem") else "" for each in news]
    return [type(each).__name__ for each, key in zip(news, keys, strict=True) if key != "too far"]


def readings(news: list[EyesMessage]) -> list[tuple[str, list[str]]]:
    """Return each reading's request mark and sorted faces."""
    read = of_kind(news, messages.TableRead)
    return [(each.asked, sorted(str(placed.card.face) for placed in each.cards)) for each in read]


def over_more(news: list[EyesMessage]) -> list[tuple[str | None, bool]]:
    return [(each.card.face, each.card.more_below) for each in of_kind(news, messages.TableRead)[-1].cards]


def test_calibrates_unknown_table_before_reading(deck: Path) -> None:
    assert kinds(shown(calibrated_eyes(deck), DUKE)[1]) == ["EyesReady", "TableRead"]
    eyes, _news = open_eyes(EyesSettings("twin", str(deck)))
    assert kinds(shown(eyes, DUKE, frames=WARM + ONCE)[1]) == ["EyesReady", "TableFound", "TableRead"]


def test_light_is_measured_before_a_whole_picture_only_where_it_was_locked(deck: Path) -> None:
    known = eyes_at(deck, DUKE)
    seeking, _news = obey_order(known, messages.SeekCards())
    for eyes, skipped in ((seeking, 0), (replace(known, fitted=4), 0), (known, WARM)):
        asked, _news = obey_order(eyes, messages.TakeFrame())
        asked, early = shown(asked, DUKE, frames=skipped)
        assert of_kind(early, messages.FrameTaken) == []
        assert of_kind(shown(asked, DUKE, frames=1)[1], messages.FrameTaken)


def test_missing_deck_is_reported_and_table_is_watched(tmp_path: Path) -> None:
    eyes, news = open_eyes(EyesSettings("twin", str(tmp_path / "no deck"), table=found_table()))
    assert [each.problem.key for each in of_kind(news, messages.TroubleBegan)] == ["no deck"]
    assert "EyesReady" in kinds(look_next(eyes, with_cards(DUKE).picture)[1])


def test_part_reads_like_the_whole(deck: Path, tmp_path: Path) -> None:
    table, empty = found_table(), tmp_path / "table.png"
    save_empty_table(empty, with_cards().picture, table)
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), table=table, empty=str(empty)))
    assert present(eyes.around).lines is not None
    frame = with_cards(DUKE, CAPTAIN)
    x, y = np.mean(frame.truth[1].outline, axis=0).astype(int).tolist()
    part = on_frame.read_part(eyes, frame.picture, (x - 90, y - 110, x + 90, y + 110))
    (captain,) = [card for card in part.cards if card.face == "captain"]
    assert np.abs(np.array(captain.outline) - frame.truth[1].outline).max() < 5
    whole = on_frame.read_part(eyes, frame.picture, (0, 0, 1200, 900))
    assert sorted(str(card.face) for card in whole.cards) == ["captain", "duke"]
    assert whole.unexplained == ()


ORDERS: tuple[EyesOrder, ...] = (
    messages.ReadTable(), messages.TakeFrame(), messages.FrameTable(),
)  # fmt: skip


def paces(news: Iterable[object]) -> list[bool]:
    return [each.is_calm for each in news if isinstance(each, messages.PaceChanged)]


def test_idle_eyes_take_fewer_pictures(deck: Path) -> None:
    eyes = eyes_at(deck, DUKE)
    assert pause_after(eyes) == on_frame.FRAME
    at_rest, news = shown(eyes, DUKE, frames=CALM)
    assert pause_after(at_rest) == on_frame.LEISURE
    # a camera that sends pictures by itself follows
    assert paces(news) == [True]
    for order in ORDERS:
        assert pause_after(obey_order(at_rest, order)[0]) == on_frame.FRAME
    laid, news = shown(at_rest, DUKE, CAPTAIN, frames=1)
    assert (pause_after(laid), paces(news)) == (on_frame.FRAME, [False])
    lost, news = on_frame.go_without_picture(at_rest, Problem("phone lost"))
    assert (pause_after(lost), paces(news)) == (on_frame.FRAME, [False])
    resting, news = shown(obey_order(laid, messages.Rest())[0], DUKE, CAPTAIN)
    assert (pause_after(resting), news) == (on_frame.LEISURE, [messages.PaceChanged(is_calm=True)])
    news = shown(obey_order(resting, messages.Wake())[0], DUKE, CAPTAIN)[1]
    assert readings(news) == [("", ["captain", "duke"])]


def test_checks_table_rarely_at_rest_and_soon_after_motion(deck: Path) -> None:
    eyes, _news = shown(replace(eyes_at(deck), unchecked=0), frames=on_frame.CHECKED + 1)
    assert eyes.unchecked == on_frame.CHECKED + 1
    # motion passed, and the table is unchanged
    stirred, _news = shown(shown(eyes, DUKE)[0])
    assert stirred.unchecked < on_frame.CHECKED
    watch = present(eyes.watch)
    quiet = replace(
        eyes, unchecked=on_frame.RESTED - 1, watch=replace(watch, still=watch.still + on_frame.RESTED)
    )
    quiet, _news = shown(quiet, frames=1)
    assert quiet.unchecked == on_frame.RESTED
    assert shown(quiet, frames=1)[0].unchecked == 0


def test_little_memory_holds_fewer_smaller_pictures(deck: Path) -> None:
    thrift = Thrift(held=2, widest=300)
    eyes, _news = open_eyes(EyesSettings("twin", str(deck), table=found_table(), thrift=thrift))
    for cards in ((), (DUKE,), (DUKE, CAPTAIN)):
        eyes, _news = shown(eyes, *cards)
    assert (eyes.reading, [held.number for held in eyes.shown]) == (3, [2, 3])
    assert all(max(present(unpack_picture(held.jpeg)).shape[:2]) == 300 for held in eyes.shown)


def test_reports_resting_arm_and_its_end(deck: Path) -> None:
    arm = render_scene(replace(TABLE, hands=(Hand(60.0, 40.0),))).picture
    eyes, news = show_picture(eyes_at(deck, DUKE), arm, round(RESTLESS * RATE) + ONCE)
    assert messages.TroubleBegan(Problem("hand stays")) in news
    assert messages.TroubleEnded(Problem("hand stays")) in shown(eyes, DUKE)[1]
    # the notice of a phone or a sleeve that lies still ends
    assert messages.TroubleEnded(Problem("hand stays")) in show_picture(eyes, arm, round(LYING * RATE))[1]
    assert RESTLESS + ONCE / RATE < ARM


def test_reports_change_that_waits_for_its_reading(deck: Path) -> None:
    """A moving card stays unread; pages report that."""
    eyes, moved = eyes_at(deck), list[object]()
    for step in range(round(on_frame.DELAYED * RATE) + 2):
        eyes, news = shown(eyes, replace(DUKE, x=DUKE.x + 12 * (step % 2)), frames=1)
        moved += news
    assert of_kind(moved, messages.Looking) == [messages.Looking(is_looking=True)]
    assert of_kind(shown(eyes, DUKE)[1], messages.Looking) == [messages.Looking(is_looking=False)]


def test_reports_trouble_and_its_end_once(deck: Path) -> None:
    gone = Problem("missing", {"camera": "twin"})
    eyes, news = on_frame.go_without_picture(eyes_at(deck, DUKE), gone)
    assert news == (messages.TroubleBegan(gone),)
    eyes, news = on_frame.go_without_picture(eyes, Problem("missing", {"camera": "again"}))
    assert news == ()
    told = shown(eyes, DUKE, CAPTAIN)[1]
    assert told[0] == messages.TroubleEnded(gone)
    assert readings(told) == [("", ["captain", "duke"])]


def test_next_picture_answers_all_pages_once() -> None:
    eyes, _news = open_eyes(EyesSettings("twin"))
    gone, _news = on_frame.go_without_picture(shown(eyes)[0], Problem("missing", {"camera": "twin"}))
    for blind in (eyes, gone):
        asked = blind
        for order in (messages.ShowCards(), messages.TakeSnapshot(), messages.ShowCards()):
            asked, _news = obey_order(asked, order)
        news = kinds(shown(asked, frames=2)[1])
        assert (news.count("CardsShown"), news.count("SnapshotTaken")) == (1, 1)


def test_reports_impossible_card(deck: Path) -> None:
    eyes, _news = obey_order(calibrated_eyes(deck), messages.UseDeck(str(deck), {"captain": 3}))
    (seen,) = of_kind(shown(eyes, DUKE)[1], messages.TableRead)
    assert [(each.card.face, each.card.possible) for each in seen.cards] == [("duke", False)]


def test_accepts_zones_and_table_later(deck: Path) -> None:
    eyes = eyes_at(deck, DUKE)
    everywhere = ((-900.0, -900.0), (900.0, -900.0), (900.0, 900.0), (-900.0, 900.0))
    for order in (messages.UseZones({"table": everywhere}), messages.ReadTable("again")):
        eyes, _news = obey_order(eyes, order)
    (seen,) = of_kind(shown(eyes, DUKE)[1], messages.TableRead)
    assert (seen.asked, seen.cards[0].zone) == ("again", "table")
    untold, _news = open_eyes(EyesSettings("twin", str(deck)))
    assert untold.around is None
    assert present(obey_order(untold, messages.UseTable(found_table()))[0].around) is not None


def test_ordered_table_outlasts_one_found_before_the_order_arrived(deck: Path) -> None:
    ordered, settings = messages.UseTable(replace(found_table(), residual=0.5)), EyesSettings("twin", str(deck))
    eyes, found = shown(open_eyes(settings)[0], frames=WARM + ONCE)
    assert of_kind(found, messages.TableFound)
    for message in (ordered, *found, *obey_order(eyes, ordered)[1]):
        settings = settings_after(settings, message)
    assert settings.table == ordered.table


def test_recalibrates_after_picture_size_changes(deck: Path) -> None:
    eyes, _news = shown(calibrated_eyes(deck), frames=2)
    larger = cv2.resize(with_cards(DUKE).picture, (1500, 1125))
    news = show_picture(replace(eyes, unchecked=on_frame.CHECKED, watch=None), larger)[1]
    assert kinds(news) == ["TroubleBegan", "TableFound", "TroubleEnded", "TableRead"]


def test_recalibrates_after_nudge(deck: Path) -> None:
    nudged = faulty_picture(TABLE, faces_of("coup"), "nudged")
    eyes, news = show_picture(eyes_at(deck, DUKE), nudged, 2 * ONCE)
    assert kinds(news)[:3] == ["TroubleBegan", "TableFound", "TroubleEnded"]
    assert eyes.settings.table != found_table()
    assert readings(news)[-1:] == [("", ["duke"])]


def test_settings_store_orders_and_found_table() -> None:
    table, settings = found_table(), EyesSettings("twin")
    told = (messages.UseDeck("a", {"x": 1}), messages.UseDeck("a", {"y": 2}), messages.TableFound(table))
    for message in (*told, messages.Rest(), messages.ReadTable()):
        settings = settings_after(settings, message)
    assert settings == EyesSettings("twin", "a", {"y": 2}, table=table, resting=True)
    assert settings_after(settings, messages.Wake()) == EyesSettings("twin", "a", {"y": 2}, table=table)
    assert settings_after(EyesSettings("twin"), messages.UseTable(table)).table == table


def test_new_eyes_inherit_camera_trouble() -> None:
    slow = Problem("too slow", {"camera": "pi"})
    settings = settings_after(EyesSettings("pi"), messages.TroubleBegan(slow))
    hidden = messages.TroubleBegan(Problem("no marker", {"marker": 1}))
    assert settings_after(settings, hidden) == settings
    eyes, _news = open_eyes(settings)
    assert on_frame.go_without_picture(eyes, slow)[1] == ()
    assert messages.TroubleEnded(slow) in look_next(eyes, with_cards().picture)[1]
    assert settings_after(settings, messages.TroubleEnded(slow)) == EyesSettings("pi")


def test_frames_table_once_with_automatic_exposure(deck: Path) -> None:
    eyes = calibrated_eyes(deck)
    assert on_frame.holds_light(eyes)
    eyes, news = obey_order(eyes, messages.FrameTable((796.0, 528.5)))
    assert news == ()
    eyes, news = look_next(eyes, with_cards().picture, CAMERAS["imx708"])
    (told,) = (each.framing for each in of_kind(news, messages.TableFramed))
    assert told.seen == (0, 1, 2, 3)
    assert told.pose is not None
    eyes, news = look_next(eyes, with_cards().picture, CAMERAS["imx708_wide"])
    assert not of_kind(news, messages.TableFramed)
    assert not on_frame.holds_light(shown(eyes, frames=on_frame.UNHELD - 3)[0])
    assert on_frame.holds_light(shown(eyes, frames=on_frame.UNHELD - 2)[0])


def test_reports_card_over_unread_one_until_moved(deck: Path) -> None:
    # a card of another deck can't be read
    below, above = replace(DUKE, face="20", deck="coyote-gigamic"), replace(CAPTAIN, x=-105.0, y=45.0)
    eyes, news = show_picture(eyes_at(deck), both_decks(below, above))
    assert over_more(news) == [("captain", True)]
    assert of_kind(news, messages.TableRead)[-1].is_change
    assert over_more(show_picture(eyes, both_decks(above))[1]) == [("captain", False)]


def test_reports_unnamed_cards_and_their_end_once(deck: Path) -> None:
    strangers = both_decks(*(replace(each, deck="coyote-gigamic", face="20") for each in (DUKE, CAPTAIN)))
    eyes, news = show_picture(calibrated_eyes(deck), strangers, ONCE + CALM + 4)
    (told,) = of_kind(news, messages.UnnamedCards)
    assert told.deck == "coup"
    assert present(unpack_picture(told.jpeg)).shape == strangers.shape
    eyes, news = show_picture(eyes, strangers, CALM)
    assert not {"UnnamedCards", "UnnamedCardsGone"} & {*kinds(news)}
    news = shown(eyes, frames=ONCE + CALM + 4)[1]
    assert [kind for kind in kinds(news) if kind.startswith("Unnamed")] == ["UnnamedCardsGone"]


@slow("a deck is tried as a table tries it at its first evening")
def test_eyes_use_deck_trial_once_finished(deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {face: load_deck(deck).faces[face] for face in ("captain", "duke")}
    deck, tried = tmp_path / "few", str(tmp_path / "tried")
    save_deck(bare_deck("few", (63.0, 88.0), dict.fromkeys(few, 3), few), deck)
    untried, trial = open_eyes(EyesSettings("twin", str(deck), tried=tried))[0], DeckTrial()
    # eyes start before the trial ends
    assert present(untried.deck).certainty is UNTRIED
    assert trial.go_on(untried) is untried
    trial.wait()
    learned = trial.go_on(untried)
    certainty = present(learned.deck).certainty
    assert certainty is not UNTRIED
    assert trial.go_on(learned) is learned
    monkeypatch.setattr(tried_decks, "try_deck", lambda *_things: pytest.fail("it is tried"))
    again = present(open_eyes(EyesSettings("twin", str(deck), tried=tried))[0].deck)
    assert again.certainty == certainty
    # without a folder for results, nothing is tried
    forgetful, trial = open_eyes(EyesSettings("twin", str(deck)))[0], DeckTrial()
    for _look in range(2):
        assert trial.go_on(forgetful) is forgetful
        trial.wait()


def test_eyes_watch_for_badly_cut_faces(deck: Path) -> None:
    eyes = calibrated_eyes(deck)
    eyes = replace(eyes, deck=replace(present(eyes.deck), doubtful=frozenset({"duke"})))
    eyes, _more = shown(eyes, frames=1)
    assert present(eyes.watch).doubtful == {"duke"}

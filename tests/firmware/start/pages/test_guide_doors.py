"""Finding the table and teaching a deck from a phone, with the real eyes over rendered frames."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from firmware.core.notices import Notice
from firmware.storage.eyes_settings import load_calibration
from firmware.storage.found_table import load_layout
from firmware.storage.places import decks_directory, drafts_directory
from hardware.twin.rendering.scene import SceneCard
from referee.games.catalogue import GAMES
from tests.firmware.core.tables import until
from tests.firmware.start.pages.guided import APART, PLACES, Guided, open_guided_table
from tests.referee.tables import new_match
from vision.table.calibration import to_pixels
from vision.table.empty_table import load_empty_table
from vision.teaching.lessons import PLACEMENTS
from vision.teaching.taught_decks import TaughtDeck, load_deck, save_deck
from webui.doors.guides import FindingProgress

FACES = ("duke", "assassin", "captain")
TAPS = ((-398.0, -264.25), (398.0, -264.25), (398.0, 264.25), (-398.0, 264.25))


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    # a frame may take long on a busy machine
    monkeypatch.setattr("firmware.doors.finding.PATIENCE", 120.0)
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Guided]:
    with open_guided_table(new_match(GAMES["coup"], "rule text", 3), tmp_path) as each:
        yield each


def is_paused(table: Guided) -> bool:
    return table.companion.door.state().is_paused


def keys(sight: FindingProgress) -> list[str]:
    return [each.key for each in sight.wrong]


# the table


def test_the_table_is_found_looked_at_turned_and_kept(table: Guided) -> None:
    finder = table.guides.table
    assert finder.keep(is_empty=True) == Notice("not found")
    finder.open()
    until(lambda: is_paused(table))
    assert finder.find(None) is None
    sight = finder.sight()
    assert sight.is_open
    assert not sight.is_kept
    assert (sight.size, len(sight.markers)) == ((1200, 900), 4)
    assert keys(sight) == ["too far"]
    assert sight.apart is not None
    assert np.allclose(sight.apart, APART, atol=2)
    assert [part.name for part in sight.parts] == ["centre", "proof", "discard", "seat 1", "seat 2", "seat 3"]
    first = {part.name: part.middle for part in sight.parts}
    assert first["seat 1"][1] > 700
    finder.turn()
    moved = {part.name: part.middle for part in finder.sight().parts}
    assert moved["seat 1"] == first["seat 2"]
    assert moved["centre"] == first["centre"]
    shown = finder.photograph()
    assert shown is not None
    assert shown.startswith(b"\xff\xd8")
    assert finder.keep(is_empty=True) is None
    until(lambda: not is_paused(table))
    kept = load_calibration(table.file)
    assert kept is not None
    assert load_layout(table.file).first == 1
    assert load_empty_table(table.file.with_suffix(".png")) is not None
    until(lambda: table.kept_settings["table"] == kept and len(table.kept_settings["zones"]) == 6)  # type: ignore[arg-type]
    assert finder.sight().is_kept
    assert finder.photograph() is None


def test_it_is_told_how_the_table_lies(table: Guided, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.doors.finding.SOON", 120.0)
    finder = table.guides.table
    assert finder.sight().framing is None
    finder.open()
    sight = finder.sight()
    assert sight.framing is not None
    assert (sight.framing.seen, sight.framing.size) == (4, (1200, 900))
    assert [gauge.word for gauge in sight.framing.gauges] == ["count", "sharp", "good"]
    # a small picture: from where it sees all of this table, cards have too few pixels in it
    assert sight.framing.way == "closer"
    assert sight.framing.move is not None
    assert sight.framing.move.key == "move closer"
    assert keys(sight) == []
    picture = table.feed.picture.copy()
    picture[:450, :600] = picture[450, 600]
    table.feed.picture = picture
    until(lambda: getattr(finder.sight().framing, "seen", 4) == 3)
    assert finder.find(None) is None
    assert finder.sight().framing is None


def test_the_markers_can_be_printed(table: Guided) -> None:
    assert table.guides.table.markers().startswith(b"%PDF")


def test_a_table_without_markers_is_tapped(table: Guided) -> None:
    finder = table.guides.table
    finder.open()
    assert finder.tap(TAPS, APART) == Notice("no frame")
    assert finder.find(APART) is None
    assert finder.keep(is_empty=False) is None
    by_markers = load_calibration(table.file)
    assert by_markers is not None
    taps = tuple((float(x), float(y)) for x, y in to_pixels(by_markers, np.array(TAPS)))
    finder.open()
    assert finder.find(None) is None
    assert finder.tap(taps, APART) is None
    assert finder.sight().markers == (taps,)
    assert finder.keep(is_empty=False) is None
    tapped = load_calibration(table.file)
    assert tapped is not None
    assert np.abs(to_pixels(tapped, np.array(TAPS)) - np.array(taps)).max() < 1
    assert load_layout(table.file).apart == APART


@pytest.mark.parametrize(
    ("taps", "apart"),
    [
        (((-1.0, 5.0), (900.0, 5.0), (900.0, 800.0), (5.0, 800.0)), APART),
        (((5.0, 5.0), (1200.0, 5.0), (900.0, 800.0), (5.0, 800.0)), APART),
        (((5.0, 800.0), (900.0, 800.0), (900.0, 5.0), (5.0, 5.0)), APART),
        (((5.0, 5.0), (100.0, 5.0), (200.0, 5.0), (5.0, 800.0)), APART),
        (((5.0, 5.0), (900.0, 5.0), (900.0, 800.0)), APART),
        (((5.0, 5.0), (900.0, 5.0), (900.0, 800.0), (5.0, 800.0)), (0.0, 300.0)),
        (((5.0, 5.0), (900.0, 5.0), (900.0, 800.0), (5.0, 800.0)), (float("nan"), 300.0)),
        (((5.0, 5.0), (900.0, 5.0), (900.0, float("inf")), (5.0, 800.0)), APART),
    ],
)
def test_taps_that_make_no_table_change_nothing(
    table: Guided, taps: tuple[tuple[float, float], ...], apart: tuple[float, float]
) -> None:
    finder = table.guides.table
    finder.open()
    assert finder.find(None) is None
    before = finder.sight()
    assert finder.tap(taps, apart) == Notice("no corners")
    assert finder.sight() == before


def test_what_hides_a_marker_is_told_and_nothing_is_kept(table: Guided) -> None:
    finder = table.guides.table
    picture = table.feed.picture.copy()
    picture[:450, :600] = picture[450, 600]
    table.feed.picture = picture
    finder.open()
    assert finder.find(None) is None
    sight = finder.sight()
    assert len(sight.markers) == 3
    assert sight.parts == ()
    assert keys(sight) == ["marker hidden", "too far"]
    assert finder.keep(is_empty=True) == Notice("not found")
    assert not table.file.exists()


def test_a_camera_that_gives_nothing_is_told(table: Guided, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.doors.finding.PATIENCE", 0.05)
    table.feed.unplugged = True
    until(table.companion.door.troubles)
    table.guides.table.open()
    assert table.guides.table.find(None) == Notice("no frame")


def test_a_disk_that_takes_nothing_is_told_and_the_picture_stays(
    table: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = table.guides.table
    finder.open()
    assert finder.find(None) is None

    def full(*_parts: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.doors.finding.keep_table", full)
    assert finder.keep(is_empty=True) == Notice("not written", {"why": "No space left on device"})
    assert finder.sight().parts


# a deck


def lay_card(table: Guided, face: str, number: int) -> None:
    x, y, angle = PLACES[number]
    table.lay(SceneCard(face, x, y, angle))


def lay_three_times(table: Guided, face: str) -> None:
    """Lay a card in three places, and take it away."""
    teacher = table.guides.teaching
    for number in range(PLACEMENTS):
        lay_card(table, face, number)
        reach(table, "turn" if number + 1 < PLACEMENTS else "away", number + 1)
    table.lay()
    until(lambda: (lesson := teacher.lesson()) is not None and lesson.task in {"lay", "done"})


def reach(table: Guided, task: str, placed: int = 0) -> None:
    teacher = table.guides.teaching
    until(
        lambda: (
            (lesson := teacher.lesson()) is not None
            and lesson.task == task
            and (task == "away" or lesson.placed == placed)
        )
    )


def clear_table(table: Guided) -> None:
    """Say that the table is empty, and wait until it is known."""
    table.guides.teaching.bare()
    until(lambda: (lesson := table.guides.teaching.lesson()) is not None and lesson.task != "bare")


def test_three_faces_are_taught_and_the_match_is_read_by_them(table: Guided) -> None:
    teacher = table.guides.teaching
    assert teacher.lesson() is None
    offered = {(deck.name, deck.edition) for deck in teacher.decks()}
    assert offered >= {("coyote-gigamic", "gigamic"), ("coyote-kidult", "kidult"), ("coup", "")}
    assert teacher.open("coup") is None
    until(lambda: is_paused(table))
    clear_table(table)
    for face in FACES:
        lesson = teacher.lesson()
        assert lesson is not None
        assert lesson.face == face
        lay_three_times(table, face)
    lesson = teacher.lesson()
    assert lesson is not None
    shots = {face.name: face.shot for face in lesson.faces}
    assert {face for face, shot in shots.items() if shot} == set(FACES)
    assert len(set(shots.values())) == len(FACES) + 1
    assert (teacher.picture(shots["duke"]) or b"").startswith(b"\xff\xd8")
    assert teacher.picture("") is None
    assert teacher.count("duke", 4) is None
    draft = load_deck(drafts_directory(os.environ) / "coup")
    assert {face: len(some) for face, some in draft.faces.items()} == dict.fromkeys(FACES, PLACEMENTS)
    assert not decks_directory(os.environ).exists()
    assert teacher.save() is None
    deck = load_deck(decks_directory(os.environ) / "coup")
    assert deck.counts == {"duke": 4, "assassin": 3, "captain": 3}
    assert not (drafts_directory(os.environ) / "coup").exists()
    until(lambda: table.kept_settings["deck"] == str(decks_directory(os.environ) / "coup"))
    until(lambda: not is_paused(table))


def teach_twice(table: Guided) -> None:
    """Teach two placements of the Duke."""
    assert table.guides.teaching.open("coup") is None
    clear_table(table)
    for number in range(2):
        lay_card(table, "duke", number)
        reach(table, "turn", number + 1)


@pytest.mark.parametrize("fatal", [signal.SIGKILL, signal.SIGSTOP])
def test_eyes_that_die_in_the_middle_lose_no_placement(table: Guided, fatal: signal.Signals) -> None:
    teach_twice(table)
    assert table.eyes is not None
    pid = table.eyes.pid
    assert pid is not None
    os.kill(pid, fatal)
    reach(table, "bare", 2)
    table.lay()
    clear_table(table)
    lay_card(table, "duke", 2)
    reach(table, "away")
    assert len(load_deck(drafts_directory(os.environ) / "coup").faces["duke"]) == PLACEMENTS


def test_what_was_begun_goes_on_later_and_may_be_thrown_away(table: Guided) -> None:
    teacher = table.guides.teaching
    assert teacher.open("coup") is None
    clear_table(table)
    lay_three_times(table, "duke")
    teacher.close()
    until(lambda: not is_paused(table))
    (deck,) = (deck for deck in teacher.decks() if deck.name == "coup")
    assert (deck.drafted, deck.taught, deck.has_draft) == (1, 0, True)
    assert teacher.open("coup") is None
    lesson = teacher.lesson()
    assert lesson is not None
    assert (lesson.task, lesson.face) == ("bare", "assassin")
    assert teacher.discard("coup") is None
    assert teacher.lesson() is None
    (deck,) = (deck for deck in teacher.decks() if deck.name == "coup")
    assert not deck.has_draft


def test_a_card_is_laid_again_left_out_and_asked_for(table: Guided) -> None:
    teacher = table.guides.teaching
    teach_twice(table)
    assert teacher.back() is None
    reach(table, "turn", 1)
    assert teacher.back() is None
    reach(table, "away")
    table.lay()
    reach(table, "lay")
    assert teacher.skip() is None
    lesson = teacher.lesson()
    assert lesson is not None
    assert lesson.face == "assassin"
    assert teacher.again("contessa") is None
    lesson = teacher.lesson()
    assert lesson is not None
    assert (lesson.task, lesson.face) == ("lay", "contessa")


def test_what_is_seen_is_told(table: Guided) -> None:
    teacher = table.guides.teaching
    assert teacher.open("coup") is None
    clear_table(table)
    saw = lambda what: until(lambda: (lesson := teacher.lesson()) is not None and lesson.saw == what)  # noqa: E731
    table.lay(SceneCard("duke", -120.0, 20.0), SceneCard("captain", 130.0, -30.0))
    saw("several")
    lay_three_times(table, "duke")
    lay_card(table, "duke", 0)
    until(lambda: (lesson := teacher.lesson()) is not None and lesson.alike == "duke")
    lay_card(table, "contessa", 1)
    saw("another card")
    assert teacher.lesson() is not None
    lesson = teacher.lesson()
    assert lesson is not None
    assert len(lesson.outline) == 4


@pytest.mark.parametrize("deck", ["", "../coup", "coup/../..", "bridge", "coup\0", "Coup"])
def test_a_deck_that_no_game_has_is_refused(table: Guided, deck: str, state: Path) -> None:
    teacher = table.guides.teaching
    assert teacher.open(deck) == Notice("no such deck")
    assert teacher.discard(deck) == Notice("no such deck")
    assert teacher.lesson() is None
    assert not state.exists()


def test_faces_and_counts_that_no_deck_has_are_refused(table: Guided) -> None:
    teacher = table.guides.teaching
    assert teacher.count("duke", 3) == Notice("not begun")
    assert teacher.again("duke") == Notice("not begun")
    assert teacher.save() == Notice("not begun")
    assert teacher.back() == Notice("not begun")
    assert teacher.open("coup") is None
    for face in ("../duke", "20", ""):
        assert teacher.again(face) == Notice("no such face")
        assert teacher.count(face, 3) == Notice("no such face")
    assert teacher.count("duke", -1) == Notice("no such face")
    assert teacher.count("duke", 1000) == Notice("no such face")
    assert teacher.save() == Notice("nothing taught")


def test_a_full_disk_costs_a_placement_and_no_more(table: Guided, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher = table.guides.teaching
    teach_twice(table)
    fails = [True]

    def full(taught: TaughtDeck, folder: Path) -> None:
        if fails:
            raise OSError(28, "No space left on device")
        save_deck(taught, folder)

    monkeypatch.setattr("firmware.storage.deck_drafts.save_deck", full)
    lay_card(table, "duke", 2)
    until(lambda: (lesson := teacher.lesson()) is not None and lesson.wrong)
    lesson = teacher.lesson()
    assert lesson is not None
    assert (lesson.task, lesson.placed) == ("turn", 2)
    fails.clear()
    table.lay()
    until(lambda: (lesson := teacher.lesson()) is not None and lesson.saw == "empty")
    lay_card(table, "duke", 2)
    reach(table, "away")


def test_a_draft_that_is_broken_is_told_and_can_be_thrown_away(table: Guided) -> None:
    draft = drafts_directory(os.environ) / "coup"
    draft.mkdir(parents=True)
    (draft / "deck.json").write_text("{", encoding="utf-8")
    teacher = table.guides.teaching
    told = teacher.open("coup")
    assert told.key == "deck trouble"
    assert teacher.discard("coup") is None
    assert teacher.open("coup") is None

"""Finding the table and teaching a deck from a phone, with the real eyes over rendered frames."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.services import learning
from firmware.services.card_lines import read_sheet
from firmware.services.finding import Pausing, TableFinder, gauges_of, visible_parts
from firmware.services.learning import TeachableDeck, Teacher, TeachingProgress, draft_folder
from firmware.state_folder import DECKS, DRAFTS, state_directory
from firmware.storage.found_table import divide_table, load_calibration, load_layout
from firmware.table.notices import Notice
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.scene import SceneCard
from referee.games.catalogue import GAMES
from referee.kit.french_cards import CARDS, SUIT_ROWS
from referee.match import Match
from tests.firmware.table.tables import EyedTable, HeldDisk
from tests.given import present
from tests.referee.tables import new_match
from tests.tiers import slow, tiered
from tests.vision.photographs import laid
from tests.vision.process.live import Feed, feed_camera, with_cards
from tests.waiting import until
from vision.card_cuts import CutCard
from vision.pictures import load_picture
from vision.process.messages import EyesSettings, FrameTaken
from vision.table.values import Calibration
from vision.teaching import tried_decks
from vision.teaching.lessons import PLACEMENTS
from vision.teaching.taught_decks import CARD, bare_deck, load_deck, save_deck, save_face
from vision.teaching.tried_decks import Doubt

CODE_DISTANCE = (796.0, 528.5)  # distance between the centres of the codes on the shown table
PLACES = ((-120.0, 20.0, 4.0), (110.0, -40.0, 30.0), (30.0, 50.0, 190.0))
FACES = ("duke", "assassin", "captain")


class Guided(EyedTable):
    """Eyes, a loop, and guides."""

    def __init__(self, match: Match, folder: Path, feed: Feed) -> None:
        self.feed, self.file = feed, folder / "table.json"
        settings = EyesSettings(f"live:{feed.file}", empty=str(self.file.with_suffix(".png")))
        super().__init__(match, folder, settings, HeldDisk, 1)
        home = self.file, lambda layout, seats: divide_table(layout, seats, (844.0, 556.0), mat=False)
        pausing = Pausing(self.client)
        self.finder, self.teacher = (
            TableFinder(self.client, home, pausing),
            Teacher(self.client, pausing, folder),
        )

    def lay(self, *cards: SceneCard) -> None:
        self.feed.picture = with_cards(*cards).picture

    @property
    def kept_settings(self) -> Mapping[str, object]:
        """Return the settings that replaced eyes would start from."""
        settings: EyesSettings = self.eyes._settings
        return {"table": settings.table, "zones": settings.zones, "deck": settings.deck}


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    # a frame may take long on a busy machine
    monkeypatch.setattr("firmware.services.finding.SNAPSHOT_TIMEOUT", 120.0)
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Guided]:
    with feed_camera(tmp_path / "frame.bmp", with_cards().picture) as feed:
        each = Guided(new_match(GAMES["coup"], "rule text", 3), tmp_path, feed)
        try:
            yield each
        finally:
            each.close()


def is_paused(table: Guided) -> bool:
    return table.client.state().is_paused


def full(*_parts: object) -> None:
    raise OSError(28, "No space left on device")


# the table


def test_outline_is_within_half_a_scan_step() -> None:
    """A step is eight pixels; the table's centre is at 500, 400, and one pixel is a millimetre."""
    corners = ((-100.0, -80.0), (100.0, -80.0), (100.0, 80.0), (-100.0, 80.0))
    to_picture = ((1.0, 0.0, 500.0), (0.0, 1.0, 400.0), (0.0, 0.0, 1.0))
    plain = Calibration(to_picture, (1000, 800), (1, 1, 1), 1.0, {})
    (part,) = visible_parts(plain, {"centre": corners})
    assert np.abs(np.mean(part.outline, axis=0) - (500, 400)).max() <= 4


@slow("the real eyes look for a table, also one that is half hidden")
def test_table_is_found_checked_rotated_and_stored(table: Guided, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.services.finding.LOOK_TIMEOUT", 120.0)
    finder = table.finder
    assert finder.sight().framing is None
    assert finder.keep(is_empty=True) == Notice("not found")
    finder.open()
    until(lambda: is_paused(table))
    sight = finder.sight()
    assert sight.framing is not None
    assert (len(sight.framing.seen), sight.framing.size) == (4, (1200, 900))
    assert [gauge.word for gauge in gauges_of(sight.framing)] == ["count", "sharp", "good"]
    # a small picture: from a distance that shows all of this table, cards have too few pixels
    assert sight.framing.moves[0].way == "closer"
    assert sight.wrong == ()
    bare = table.feed.picture
    table.feed.picture = hidden = bare.copy()
    hidden[:450, :600] = hidden[450, 600]
    until(lambda: len(getattr(finder.sight().framing, "seen", "")) == 3)
    assert finder.find(None) is None
    sight = finder.sight()
    assert (sight.framing, len(sight.markers), sight.parts) == (None, 3, ())
    assert [each.key for each in sight.wrong] == ["marker hidden", "too far"]
    assert finder.keep(is_empty=True) == Notice("not found")
    assert not table.file.exists()
    table.feed.picture = bare
    until(lambda: finder.find(None) is None and len(finder.sight().markers) == 4)
    sight = finder.sight()
    assert (sight.is_open, sight.is_kept, sight.size) == (True, False, (1200, 900))
    assert [each.key for each in sight.wrong] == ["too far"]
    assert sight.layout.apart is not None
    assert np.allclose(sight.layout.apart, CODE_DISTANCE, atol=2)
    assert [part.name for part in sight.parts] == ["centre", "proof", "discard", "seat 1", "seat 2", "seat 3"]
    first = {part.name: part.middle for part in sight.parts}
    assert first["seat 1"][1] > 700
    finder.turn()
    moved = {part.name: part.middle for part in finder.sight().parts}
    assert (moved["seat 1"], moved["centre"]) == (first["seat 2"], first["centre"])
    assert (finder.photograph() or b"").startswith(b"\xff\xd8")
    with monkeypatch.context() as patch:
        patch.setattr("firmware.services.finding.keep_table", full)
        assert finder.keep(is_empty=True) == Notice("not written", {"why": "No space left on device"})
    assert finder.sight().parts
    assert finder.keep(is_empty=True) is None
    until(lambda: not is_paused(table))
    kept = present(load_calibration(table.file))
    assert load_layout(table.file).first == 1
    assert load_picture(table.file.with_suffix(".png")) is not None
    until(lambda: table.kept_settings["table"] == kept and len(table.kept_settings["zones"]) == 6)  # type: ignore[arg-type]
    assert finder.sight().is_kept
    assert finder.photograph() is None


@slow("the real eyes, and then a dead camera")
def test_impossible_distances_and_a_dead_camera_are_reported(
    table: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = table.finder
    monkeypatch.setattr("firmware.services.finding.LOOK_TIMEOUT", 120.0)
    finder.open()
    for wrong_apart in ((5.0, 5.0), (CODE_DISTANCE[0], 2 * CODE_DISTANCE[1]), (0.0, 300.0)):
        assert finder.find(wrong_apart) == Notice("not so far apart")
    assert finder.find(CODE_DISTANCE) is None
    assert finder.keep(is_empty=False) is None
    monkeypatch.setattr("firmware.services.finding.SNAPSHOT_TIMEOUT", 0.05)
    monkeypatch.setattr("firmware.services.finding.LOOK_TIMEOUT", 0.05)
    table.feed.unplugged = True
    until(table.client.troubles)
    finder.open()
    assert finder.sight().by == "cards"
    assert finder.find(None) == Notice("no frame")


# a deck


def lay_card(table: Guided, face: str, number: int) -> None:
    x, y, angle = PLACES[number]
    table.lay(SceneCard(face, x, y, angle))


def lesson_of(table: Guided) -> TeachingProgress:
    return present(table.teacher.lesson())


def await_lesson(table: Guided, is_it: Callable[[TeachingProgress], bool]) -> None:
    until(lambda: (lesson := table.teacher.lesson()) is not None and is_it(lesson))


def reach(table: Guided, task: str, placed: int = 0) -> None:
    await_lesson(table, lambda lesson: lesson.task == task and (task == "away" or lesson.placed == placed))


def lay_three_times(table: Guided, face: str) -> None:
    lay_before_last(table, face)
    lay_card(table, face, PLACEMENTS - 1)
    reach(table, "away")
    table.lay()
    await_lesson(table, lambda lesson: lesson.task in {"lay", "done"})


def lay_before_last(table: Guided, face: str) -> None:
    for number in range(PLACEMENTS - 1):
        lay_card(table, face, number)
        reach(table, "turn", number + 1)


def begin_teaching(table: Guided) -> None:
    assert table.teacher.open("coup") is None
    clear_table(table)


def clear_table(table: Guided) -> None:
    table.teacher.bare()
    await_lesson(table, lambda lesson: lesson.task != "bare")


@slow("three faces are what a deck needs, and the eyes read by them; meanwhile they die")
def test_three_faces_are_taught_and_used_in_match(table: Guided) -> None:
    teacher, draft = table.teacher, state_directory() / DRAFTS / "coup"
    assert teacher.lesson() is None
    offered = {(deck.name, deck.edition) for deck in teacher.decks()}
    assert offered >= {("coyote-gigamic", "gigamic"), ("coyote-kidult", "kidult"), ("coup", "")}
    begin_teaching(table)
    until(lambda: is_paused(table))
    lay_three_times(table, "duke")
    assert lesson_of(table).face == "assassin"
    lay_card(table, "duke", 0)
    await_lesson(table, lambda lesson: lesson.alike == "duke" and len(lesson.outline) == 4)
    table.lay()
    await_lesson(table, lambda lesson: lesson.saw == "empty")
    assert teacher.back() is None
    reach(table, "lay")
    lay_before_last(table, "assassin")
    # hanging eyes are replaced like dead ones, and no placement is lost
    os.kill(present(table.eyes.pid), tiered(signal.SIGKILL, signal.SIGSTOP))
    reach(table, "bare", PLACEMENTS - 1)
    table.lay()
    clear_table(table)
    lay_card(table, "assassin", PLACEMENTS - 1)
    reach(table, "away")
    table.lay()
    await_lesson(table, lambda lesson: lesson.face == "captain")
    lay_three_times(table, "captain")
    shots = {face.name: face.shot for face in lesson_of(table).faces}
    assert {face for face, shot in shots.items() if shot} == set(FACES)
    assert len(set(shots.values())) == len(FACES) + 1
    assert (teacher.picture(shots["duke"]) or b"").startswith(b"\xff\xd8")
    assert teacher.picture("") is None
    assert teacher.count("duke", 4) is None
    drafted = load_deck(draft).faces
    assert {face: len(some) for face, some in drafted.items()} == dict.fromkeys(FACES, PLACEMENTS)
    assert not (state_directory() / DECKS).exists()
    assert teacher.save() is None
    deck = state_directory() / DECKS / "coup"
    assert load_deck(deck).counts == {"duke": 4, "assassin": 3, "captain": 3}
    # each was stored with its background, in its original position
    sheet = read_sheet(deck)
    assert (sheet.told.kind, sheet.told.count, sheet.odd) == ("table", PLACEMENTS * len(FACES), ())
    assert not draft.exists()
    until(lambda: table.kept_settings["deck"] == str(deck) and not is_paused(table))
    # undoing needs no shell: the printed cards are drawn for the eyes
    assert teacher.forget("coup") is None
    assert not deck.exists()
    drawn = table.file.with_name("coup")
    until(lambda: table.kept_settings["deck"] == str(drawn))
    assert set(load_deck(drawn).faces) > set(PRINTED["coup"].counts)


@slow("a face is taught twice, and what was begun goes on")
def test_full_disk_costs_one_placement_and_draft_can_be_resumed_or_discarded(
    table: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = table.teacher

    def coup() -> TeachableDeck:
        (deck,) = (deck for deck in teacher.decks() if deck.name == "coup")
        return deck

    begin_teaching(table)
    lay_before_last(table, "duke")
    with monkeypatch.context() as patch:
        patch.setattr("firmware.storage.decks.save_deck", full)
        lay_card(table, "duke", 2)
        await_lesson(table, lambda lesson: bool(lesson.wrong))
        assert (lesson_of(table).task, lesson_of(table).placed) == ("turn", 2)
    table.lay()
    await_lesson(table, lambda lesson: lesson.saw == "empty")
    for placed in (1, 0):
        assert teacher.back() is None
        await_lesson(table, lambda lesson, placed=placed: lesson.placed == placed)  # type: ignore[misc]
    reach(table, "lay")
    assert teacher.skip() is None
    assert lesson_of(table).face == "assassin"
    assert teacher.again("contessa") is None
    assert (lesson_of(table).task, lesson_of(table).face) == ("lay", "contessa")
    assert teacher.again("duke") is None
    lay_three_times(table, "duke")
    teacher.close()
    until(lambda: not is_paused(table))
    assert (coup().drafted, coup().taught, coup().has_draft) == (1, 0, True)
    assert teacher.open("coup") is None
    assert (lesson_of(table).task, lesson_of(table).face) == ("bare", "assassin")
    assert teacher.discard("coup") is None
    assert teacher.lesson() is None
    assert not coup().has_draft
    draft = state_directory() / DRAFTS / "coup"
    draft.mkdir(parents=True)
    (draft / "deck.json").write_text("{", encoding="utf-8")
    assert getattr(teacher.open("coup"), "key", "") == "deck trouble"
    assert teacher.discard("coup") is None


def test_unknown_decks_faces_and_counts_are_rejected(table: Guided, state: Path) -> None:
    teacher = table.teacher
    for deck in ("", "../coup", "coup/../..", "bridge", "coup\0", "Coup"):
        assert teacher.open(deck) == teacher.discard(deck) == teacher.forget(deck) == Notice("no such deck")
    assert teacher.lesson() is None
    assert not state.exists()
    not_begun = (teacher.count("duke", 3), teacher.again("duke"), teacher.save(), teacher.back())
    assert not_begun == (Notice("not begun"),) * 4
    assert teacher.open("coup") is None
    for face in ("../duke", "20", ""):
        assert teacher.again(face) == teacher.count(face, 3) == Notice("no such face")
    assert teacher.count("duke", -1) == teacher.count("duke", 1000) == Notice("no such face")
    assert teacher.save() == Notice("nothing taught")


# a suit from one picture, and trials

FRENCH = "french-52"


class _Door:
    """A client to eyes that take one picture and report nothing else."""

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
def teacher(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(learning, "known_decks", lambda: {FRENCH: ("hearts", "")})
    monkeypatch.setattr(learning, "face_counts", lambda _deck: {**dict.fromkeys(CARDS, 1), "back": 0})
    pausing = SimpleNamespace(enter=lambda *_: None, leave=lambda *_: None, touch=lambda: None)
    client = _Door()
    taught = Teacher(client, pausing, Path())  # type: ignore[arg-type]
    assert taught.suit("spades") == Notice("not begun")
    assert taught.open(FRENCH) is None
    return SimpleNamespace(teacher=taught, client=client)


@slow("two rendered pictures of a suit")
def test_suit_is_stored_as_draft_and_missing_faces_follow(teacher: Any) -> None:
    above, below = SUIT_ROWS["spades"]
    teacher.client.picture = laid((above, below[:-1]))
    short = "spades: row 2 has 5 cards, 6 are wanted: lay them apart, all in sight"
    told = teacher.teacher.suit("spades")
    assert (told.key, str(told.values["why"])) == ("suit not taught", short)
    teacher.client.picture = laid((above, below))
    assert teacher.teacher.suit("spades") is None
    assert set(load_deck(draft_folder(FRENCH)).faces) == {*above, *below}
    assert teacher.teacher._now.course.face[-1] == "h"
    wrong = teacher.teacher.suit("clubs")
    assert wrong.key == "suit not taught"
    assert "clubs: Ac looks like As" in str(wrong.values["why"])


def test_missing_picture_cards_or_suit_is_reported(teacher: Any) -> None:
    assert teacher.teacher.suit("spades") == Notice("no frame")
    assert teacher.teacher.suit("swords") == Notice("no such face")
    teacher.client.picture = np.full((300, 400, 3), 90, np.uint8)
    assert teacher.teacher.suit("spades").key == "suit not taught"


def test_trials_run_in_background_with_progress_on_page(teacher: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told, may_end = Event(), Event()
    doubt, tried = Doubt("As", "2s", 0.1, "far"), list[int]()

    def try_slowly(faces: Any, _size: Any, report: Any) -> tuple[Doubt, ...]:
        tried.append(len(faces))
        report(1, len(faces))
        told.set()
        may_end.wait()
        return (doubt,)

    monkeypatch.setattr(tried_decks, "try_taught", try_slowly)
    monkeypatch.setattr(learning, "face_counts", lambda _deck: {"As": 1, "2s": 1})
    card = np.full((352, 252, 3), 200, np.uint8)
    save_deck(bare_deck(FRENCH, CARD, {"As": 1, "2s": 1}, {"As": (card,), "2s": (card,)}), draft_folder(FRENCH))
    assert teacher.teacher.open(FRENCH) is None
    assert teacher.teacher.lesson().pairs == ()
    told.wait()
    assert teacher.teacher.lesson().trying == (1, 2)
    may_end.set()
    until(lambda: teacher.teacher.lesson().trying is None)
    assert (teacher.teacher.lesson().pairs, tried) == ((doubt,), [2])
    # an outline moved meanwhile makes another picture
    before = [face.shot for face in teacher.teacher.lesson().faces]
    save_face(draft_folder(FRENCH), "As", [CutCard(card // 2)])
    teacher.teacher.look_again("another")
    assert [face.shot for face in teacher.teacher.lesson().faces] == before
    teacher.teacher.look_again(FRENCH)
    after = [face.shot for face in teacher.teacher.lesson().faces]
    assert (after[0] != before[0], after[1] == before[1]) == (True, True)
    until(lambda: teacher.teacher.lesson().trying is None)
    assert tried == [2, 2]

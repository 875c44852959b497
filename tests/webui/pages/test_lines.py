"""Pages that find the table, learn a deck, and adjust the outlines of its cards."""

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec import Struct

from firmware.services.card_lines import CardLines, CutSheet, correct_lines
from firmware.services.learning import LessonFace, TeachableDeck, TeachingProgress, taught_folder
from referee.kit.french_cards import CARDS as FRENCH
from tests.given import present
from tests.webui.fakes import FOUND, FakeFinder, FakeTeacher
from tests.webui.laid_deck import lay_deck
from tests.webui.room import Browser, Room, match_of, room_with
from vision.teaching.taught_decks import load_deck, load_kept_deck, save_deck

CARDS = "/host/teach/cards"


class Looked(Struct, frozen=True, eq=False):
    """A room whose table has a learned deck, and the host's browser."""

    room: Room
    host: Browser
    teacher: FakeTeacher

    @property
    def sheet(self) -> CutSheet:
        return present(CardLines(self.room.client).sheet("coup"))


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looked:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert lay_deck("coup", 2) == ("duke", "assassin")
    teacher = FakeTeacher()
    room = room_with(match_of(), tmp_path, teacher=teacher)
    return Looked(room, room.browser().host(), teacher)


def corners_on(page: str) -> dict[str, Any]:
    return dict(re.findall(r'name="([xy]\d)" value="([^"]*)"', page))


def test_odd_outlines_come_first_with_a_reason(looked: Looked) -> None:
    page = looked.host.get(f"{CARDS}/coup").text
    assert "5 of 7 were cut out by their outlines on the table; look at these 2." in page
    told = re.findall(r"</i>([^<]*)</b><small>([^<]*)<", page)
    assert set(told) == {
        ("Duke", "A side of the line has no edge"),
        ("Assassin", "A corner of the line is off"),
    }
    assert page.count("small.jpg") == 7
    # the first is open beside the list
    assert 'name="what" value="keep"' in page
    assert f'href="{CARDS}/coup"' in looked.host.get("/host/teach").text
    gone = looked.host.get(f"{CARDS}/piquet")
    assert (gone.status_code, "← History" in gone.text) == (404, False)
    assert looked.host.get(f"{CARDS}/coup/duke/2").status_code == 404


def test_moved_outline_is_saved_and_the_next_card_opens(looked: Looked) -> None:
    one = f"{CARDS}/coup/duke/1"
    before = load_deck(taught_folder("coup")).faces["duke"][0]
    fields = corners_on(looked.host.get(one).text)
    told = looked.host.send(one, one, **fields, corner=2, what="right")
    moved = corners_on(told.text)
    assert [name for name, value in fields.items() if moved[name] != value] == ["x2"]
    assert 0 < float(moved["x2"]) - float(fields["x2"]) < 0.01
    # nothing is saved before the confirmation
    assert (load_deck(taught_folder("coup")).faces["duke"][0] == before).all()
    out = {"x0": 0.1, "y0": 0.1, "x1": 0.9, "y1": 0.1, "x2": 0.9, "y2": 0.9, "x3": 0.1, "y3": 0.9}
    shown = looked.host.get(f"{one}/card.jpg?" + "&".join(f"{name}={value}" for name, value in out.items()))
    assert shown.mimetype == "image/jpeg"
    kept = looked.host.send(one, one, **out, what="keep")
    assert (kept.status_code, kept.location) == (303, f"{CARDS}/coup/assassin/1")
    assert looked.teacher.asked == [("look_again", "coup")]
    duke = next(each for each in looked.sheet.pictures if each.face == "duke")
    assert (duke.why, duke.cut.by_hand, duke.cut.corners[0]) == (None, True, (0.1, 0.1))
    after = load_deck(taught_folder("coup")).faces["duke"][0]
    learnt = cv2.imdecode(np.frombuffer(shown.data, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(after.astype(np.float64) - learnt).mean() < 4 < np.abs(after.astype(float) - before).mean()
    last = f"{CARDS}/coup/assassin/1"
    same = corners_on(looked.host.get(last).text)
    untouched = load_deck(taught_folder("coup")).faces["assassin"][0]
    assert looked.host.send(last, last, **same, what="keep").location == f"{CARDS}/coup"
    # confirming an unchanged outline changes no picture
    assert (load_deck(taught_folder("coup")).faces["assassin"][0] == untouched).all()
    assert looked.sheet.odd == ()


def test_all_outlines_can_be_confirmed_at_once(looked: Looked) -> None:
    looked.teacher.told["decks"] = lambda: (TeachableDeck("coup", "coup", "", 7, 7, 0),)
    assert looked.host.send(f"{CARDS}/coup", f"{CARDS}/coup/right").location == f"{CARDS}/coup"
    page = looked.host.get(f"{CARDS}/coup").text
    assert "All 7 were cut out by their outlines on the table." in page
    assert "Learn all 7" in page
    assert looked.host.send(f"{CARDS}/coup", f"{CARDS}/coup/learn").location == "/host/teach"


def test_face_is_relearned_from_its_picture(looked: Looked) -> None:
    one = f"{CARDS}/coup/duke/1"
    assert looked.host.send(one, one, what="again").location == "/host/teach"
    assert looked.teacher.asked == [("open", "coup"), ("again", "duke")]


WRONG = (
    {"what": ""},
    {"what": "up", "corner": 4},
    {"what": "sideways", "corner": 1},
    {"what": "keep", "x0": "nan"},
    {"what": "keep", "x0": "1.5"},
    {"what": "keep", "x1": "0.1", "x0": "0.9"},
    {"what": "keep", "x0": "9" * 400},
)


def test_rejects_invalid_outline(looked: Looked) -> None:
    one = f"{CARDS}/coup/duke/1"
    before = looked.sheet
    for wrong in WRONG:
        assert looked.host.send(one, one, **wrong).status_code == 400, wrong
    assert looked.sheet == before


def test_outline_pages_are_host_only(looked: Looked) -> None:
    seat, one = looked.room.browser().sit(0), f"{CARDS}/coup/duke/1"
    before = looked.sheet
    for name in ("whole.jpg", "small.jpg", "card.jpg?x0=0"):
        assert seat.get(f"{one}/{name}").status_code == 403
    assert looked.host.get(f"{one}/card.jpg?x0=0").status_code == 404
    for path in (f"{CARDS}/coup", one):
        assert seat.get(path).status_code == 303
    for path, fields in (
        (one, {"what": "again"}),
        *((f"{CARDS}/coup/{what}", {}) for what in ("right", "learn", "back")),
    ):
        assert seat.post(path, **fields).status_code == 403
    assert looked.sheet == before
    assert looked.teacher.asked == []


def test_deck_without_background_can_be_trimmed(looked: Looked) -> None:
    home = taught_folder("coup")
    save_deck(load_deck(home), home)
    assert {each.wide for each in load_kept_deck(home).cards["duke"]} == {None}
    assert "All 7 were taught before backgrounds were stored." in looked.host.get(f"{CARDS}/coup").text
    one = f"{CARDS}/coup/duke/1"
    page = looked.host.get(one).text
    assert "its outline can only be moved inward" in page
    fields = {**corners_on(page), "y0": 0.1, "y1": 0.1}
    assert looked.host.send(one, one, **fields, what="keep").status_code == 303
    duke = next(each for each in looked.sheet.pictures if each.face == "duke")
    assert duke.cut.corners[0] == (0.0, 0.1)
    # the trimmed part is still stored, and can be restored
    assert present(load_kept_deck(home).cards["duke"][0].wide).cut.size == (252, 352)


def test_automatic_correction_is_shown_and_undone_with_one_tap(looked: Looked) -> None:
    before = [each.cut.corners for each in looked.sheet.pictures]
    assert f'action="{CARDS}/coup/back"' not in looked.host.get(f"{CARDS}/coup").text
    correct_lines(taught_folder("coup"), (0.05, 0.05, 0.05, 0.05))
    assert looked.sheet.is_corrected
    page = looked.host.get(f"{CARDS}/coup").text
    assert "These outlines were adjusted from cards on the table." in page
    assert f'action="{CARDS}/coup/back"' in page
    assert looked.host.send(f"{CARDS}/coup", f"{CARDS}/coup/back").location == f"{CARDS}/coup"
    after = looked.sheet
    assert not after.is_corrected
    assert sorted(each.cut.corners for each in after.pictures) == sorted(before)
    # a person has confirmed them
    assert all(each.cut.by_hand for each in after.pictures)


def test_detected_outlines_are_host_only(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, finder=FakeFinder(sight=lambda: FOUND))
    host = room.browser().host()
    page = host.get("/host/table").text
    assert ">3 Chloé &lt;b&gt;</text>" in page
    assert ">9</text>" in page
    files = {"picture.jpg": b"\xff\xd8jpeg", "live.jpg": b"\xff\xd8live", "cut/3.jpg": b"\xff\xd8cut"}
    for file, content in {**files, "markers.pdf": b"%PDF-markers"}.items():
        assert host.get(f"/host/table/{file}").data == content
        assert room.browser().sit(0).get(f"/host/table/{file}").status_code == 403
    assert host.get("/host/table/cut/4.jpg").status_code == 404


def test_standard_deck_is_listed_by_suit_with_ticks(tmp_path: Path) -> None:
    teacher = FakeTeacher()
    room = room_with(match_of(), tmp_path, teacher=teacher)
    host = room.browser().host()
    deck = TeachableDeck("french-52", "coup", "", 52, 0, 13)
    faces = tuple(LessonFace(card, 1, "drafted" if card[-1] == "s" else "missing") for card in FRENCH)
    teacher.told["lesson"] = lambda: TeachingProgress(deck, faces, "lay", "Ah", 0, 3, "")
    page = host.get("/host/teach").text
    ways = re.findall(r'name="suit" value="(\w+)">\s*<button class="\w+">([^<]*)<', page)
    named = ("✓ Spades", "Hearts", "Diamonds", "Clubs")
    assert ways == [(name.removeprefix("✓ ").lower(), name) for name in named]
    assert host.send("/host/teach", "/host/teach/suit", suit="hearts").status_code == 303
    assert host.send("/host/teach", "/host/teach/suit", suit="swords").status_code == 400
    assert room.browser().sit(0).post("/host/teach/suit", suit="hearts").status_code == 403
    assert teacher.asked == [("suit", "hearts")]
    teacher.told["lesson"] = lambda: TeachingProgress(deck, faces[:-1], "lay", "Ah", 0, 3, "")
    assert "/host/teach/suit" not in host.get("/host/teach").text

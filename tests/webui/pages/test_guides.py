"""Finding the table and teaching a deck, on the pages: who may, what is shown, and what is typed."""

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from referee.games.catalogue import GAMES
from tests.webui.fakes import FOUND, LESSON, FakeFinder, FakeTeacher
from tests.webui.room import ADDRESS, FakeDoor, Room, hidden_fields, match_of, unlimited_attempts
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.doors.guides import (
    CameraFraming,
    FindingProgress,
    Gauge,
    Guides,
    LookalikePair,
)
from webui.server.app import create_app

CORNERS = {f"{axis}{corner}": str(10 + corner) for axis in "xy" for corner in range(4)}


class Guided:
    """A room with guides in it."""

    def __init__(self, folder: Path) -> None:
        """Set it up."""
        self.finder, self.teacher = FakeFinder(), FakeTeacher()
        door, links_file = FakeDoor(match_of()), LinksFile(folder / "links.json")
        spoken = {code: language(code) for code in languages()}
        services = Services(
            door, links_file, spoken, "en", lambda told, _listener: f"told: {told}", lambda: ADDRESS,
            guides=Guides(self.finder, self.teacher),
        )  # fmt: skip
        self.room = Room(door, links_file, create_app(services, unlimited_attempts()))
        self.host = self.room.browser().host()


@pytest.fixture
def guides(tmp_path: Path) -> Guided:
    return Guided(tmp_path)


POSTS = (
    *(f"/host/table/{step}" for step in ("open", "close", "find", "tap", "turn", "keep")),
    *(
        f"/host/teach/{s}"
        for s in ("open", "close", "bare", "back", "skip", "again", "count", "save", "discard")
    ),
)


def test_only_the_host_may(guides: Guided) -> None:
    guides.finder.shown, guides.teacher.now = FOUND, LESSON
    phone = guides.room.browser().sit(0)
    for page in ("/host/table", "/host/teach"):
        assert phone.get(page).status_code == 303
        assert phone.get(page).location == "/host"
    assert phone.get("/host/table/picture.jpg").status_code == 403
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for address in POSTS:
        assert phone.post(address, **form, **CORNERS, deck="coup", face="duke", count=1).status_code == 403
        assert guides.host.post(address, deck="coup", face="duke", count=1).status_code == 403
        assert guides.host.get(address).status_code in {404, 405}
    assert guides.finder.asked == guides.teacher.asked == []


def test_the_host_page_leads_there(guides: Guided, room: Room) -> None:
    links = ('href="/host/table"', 'href="/host/teach"')
    assert all(link in guides.host.get("/host/more").text for link in links)
    without = room.browser().host()
    assert not any(link in without.get("/host/more").text for link in links)
    assert without.get("/host/table").status_code == 404


# the table


def test_a_table_is_found_step_by_step(guides: Guided) -> None:
    host, finder = guides.host, guides.finder
    assert host.send("/host/table", "/host/table/open").location == "/host/table"
    finder.shown = FindingProgress(is_open=True, wrong=("dark",))
    page = host.get("/host/table").text
    assert "told: dark" in page
    assert 'src="/host/picture.jpg"' in page
    assert host.send("/host/table", "/host/table/find", across="", down="").status_code == 303
    assert host.send("/host/table", "/host/table/find", across="844,5", down=" 556 ").status_code == 303
    assert host.send("/host/table", "/host/table/close").status_code == 303
    assert finder.asked == [("open",), ("find", None), ("find", (844.5, 556.0)), ("close",)]


GAUGES = (Gauge("markers", 41.2, "count"), Gauge("focus", 80.0, "sharp"), Gauge("light", 20.0, "too dark"))
OUTLINE = ((20.0, 10.0), (80.0, 10.0), (80.0, 50.0), (20.0, 50.0))


def test_the_page_says_how_to_move_the_camera(guides: Guided) -> None:
    host, finder = guides.host, guides.finder
    framing = CameraFraming((100, 60), OUTLINE, 3, GAUGES, "look left", "tilt it")  # type: ignore[arg-type]
    finder.shown = FindingProgress(is_open=True, framing=framing)
    page = host.get("/host/table").text
    assert page.count("told: tilt it") == 2
    assert 'points="20.0,10.0 80.0,10.0 80.0,50.0 20.0,50.0 "' in page
    assert page.count('class="arrow"') == 1
    assert "rotate(270)" in page
    assert "Bring the markers into the outline." in page
    assert 'class="share" y="2.5" width="41.2"' in page
    assert all(word in page for word in ("3 of 4", "sharp", "too dark"))
    assert page.count('<li class="good">') == 1
    assert 'class="choice" form="find"' in page


def test_a_camera_that_hangs_well_needs_no_move(guides: Guided) -> None:
    gauges = (Gauge("markers", 92.0, "count"), *GAUGES[1:])
    guides.finder.shown = FindingProgress(is_open=True, framing=CameraFraming((100, 60), OUTLINE, 4, gauges))
    page = guides.host.get("/host/table").text
    assert "Good. All four markers lie well." in page
    assert 'class="needed well"' in page
    assert 'class="arrow"' not in page
    assert 'class="say" form="find"' in page


@pytest.mark.parametrize("way", ["raise", "lower", "turn left", "turn right", "up", "look down", "closer"])
def test_each_way_has_its_arrows(guides: Guided, way: str) -> None:
    framing = CameraFraming((100, 60), OUTLINE, 4, GAUGES, way, "move")  # type: ignore[arg-type]
    guides.finder.shown = FindingProgress(is_open=True, framing=framing)
    arrows = guides.host.get("/host/table").text.count('class="arrow"')
    assert arrows == {"raise": 4, "lower": 4, "closer": 0}.get(way, 1)


def test_the_host_gets_the_markers_to_print(guides: Guided, room: Room) -> None:
    got = guides.host.get("/host/table/markers.pdf")
    assert (got.status_code, got.headers["Content-Type"]) == (200, "application/pdf")
    assert room.browser().get("/host/table/markers.pdf").status_code in {403, 404}


def test_what_was_found_is_drawn_and_kept(guides: Guided) -> None:
    host, finder = guides.host, guides.finder
    finder.shown = FOUND
    page = host.get("/host/table").text
    assert 'points="10.0,10.0 300.0,10.0 300.0,200.0 10.0,200.0 "' in page
    assert ">3 Chloé &lt;b&gt;</text>" in page
    assert ">9</text>" in page
    assert host.get("/host/table/picture.jpg").data == b"\xff\xd8jpeg"
    assert host.send("/host/table", "/host/table/turn").status_code == 303
    assert host.send("/host/table", "/host/table/keep", empty=1).status_code == 303
    assert host.send("/host/table", "/host/table/keep").status_code == 303
    assert finder.asked == [("turn",), ("keep", True), ("keep", False)]


def test_what_is_wrong_is_told_on_the_page(guides: Guided) -> None:
    guides.finder.shown, guides.finder.answer = FOUND, "the disk is full"
    response = guides.host.send("/host/table", "/host/table/keep")
    assert response.status_code == 409
    assert "told: the disk is full" in response.text
    assert "polygon" in response.text


def test_corners_are_tapped(guides: Guided) -> None:
    host, finder = guides.host, guides.finder
    finder.shown = replace(FOUND, parts=(), wrong=("hidden",))
    sent = host.send("/host/table", "/host/table/tap", **CORNERS, across="600", down="400.25")
    assert sent.status_code == 303
    assert finder.asked == [("tap", ((10.0, 10.0), (11.0, 11.0), (12.0, 12.0), (13.0, 13.0)), (600.0, 400.25))]


@pytest.mark.parametrize(
    "wrong",
    [
        {"x0": ""},
        {"y3": "-1"},
        {"x1": "nan"},
        {"x1": "inf"},
        {"x2": "1e3"},
        {"across": ""},
        {"down": "٣"},
        {"y0": "9" * 40},
    ],
)
def test_taps_that_are_no_numbers_are_refused(guides: Guided, wrong: dict[str, str]) -> None:
    guides.finder.shown = replace(FOUND, parts=())
    fields = {**CORNERS, "across": "600", "down": "400", **wrong}
    assert guides.host.send("/host/table", "/host/table/tap", **fields).status_code == 400
    assert guides.finder.asked == []


def test_half_a_distance_is_refused(guides: Guided) -> None:
    guides.finder.shown = FindingProgress(is_open=True)
    assert guides.host.send("/host/table", "/host/table/find", across="844", down="x").status_code == 400
    assert guides.finder.asked == []


# a deck


def test_a_deck_is_chosen(guides: Guided) -> None:
    page = guides.host.get("/host/teach").text
    assert "Coyote, Gigamic" in page
    assert "Coup" in page
    for step in ("open", "discard"):
        assert guides.host.send("/host/teach", f"/host/teach/{step}", deck="coup").status_code == 303
    assert guides.teacher.asked == [("open", "coup"), ("discard", "coup")]


@pytest.mark.parametrize("deck", ["", "../coup", "coup/", "piquet", "coup\0"])
def test_decks_that_are_not_offered_are_refused(guides: Guided, deck: str) -> None:
    for step in ("open", "discard"):
        assert guides.host.send("/host/teach", f"/host/teach/{step}", deck=deck).status_code == 400
    assert guides.teacher.asked == []


def test_a_lesson_shows_what_to_do_and_what_is_seen(guides: Guided) -> None:
    guides.teacher.now = LESSON
    words = GAMES["coup"].words.faces
    page = guides.host.get("/host/teach").text
    assert f"Now move {words['captain'].one}" in page
    assert "1 of 3 places" in page
    assert "I see a card." in page
    assert "a card&#39;s back" in page
    assert 'points="10.0,10.0' in page
    for step in ("back", "skip", "bare", "save", "close"):
        assert guides.host.send("/host/teach", f"/host/teach/{step}").status_code == 303
    fields = hidden_fields(guides.host.get("/host/teach").text, "/host/teach/count")
    assert fields["face"] == "duke"
    assert (
        guides.host.post("/host/teach/count", **{**fields, "face": "captain", "count": "4"}).status_code == 303
    )
    assert guides.host.send("/host/teach", "/host/teach/again", face="duke").status_code == 303
    assert guides.teacher.asked == [
        ("back",), ("skip",), ("bare",), ("save",), ("close",), ("count", "captain", 4), ("again", "duke"),
    ]  # fmt: skip


def test_the_deck_fills_up_with_pictures_that_the_camera_took(guides: Guided) -> None:
    guides.teacher.now, words = LESSON, GAMES["coup"].words.faces
    page = guides.host.get("/host/teach").text
    (duke, captain, back) = re.findall(r'<li class="([a-z ]+)"><button name="face"', page)
    assert (duke, captain, back) == ("drafted", "missing next", "missing")
    assert page.count("/host/teach/picture/0a1b.jpg") == 1
    assert f'aria-label="{words["duke"].one}: taught just now"' in page
    assert guides.host.get("/host/teach/picture/0a1b.jpg").data == b"\xff\xd8face"
    assert guides.host.get("/host/teach/picture/ffff.jpg").status_code == 404
    assert guides.room.browser().sit(0).get("/host/teach/picture/0a1b.jpg").status_code == 403


@pytest.mark.parametrize("task", ["lay", "turn", "away"])
def test_the_page_never_claims_that_the_table_is_empty(guides: Guided, task: Any) -> None:
    guides.teacher.now = replace(LESSON, task=task, saw="empty", outline=())
    page = guides.host.get("/host/teach").text
    assert "I see nothing new." in page
    assert ("Does a card lie there already?" in page) == (task != "away")
    assert not re.search("table is empty|empty table(?! again)", page)


def test_what_is_waited_for_without_a_card_in_hand_shows_none(guides: Guided) -> None:
    guides.teacher.now = replace(LESSON, task="bare", saw="", outline=())
    assert 'class="hand' not in guides.host.get("/host/teach").text


@pytest.mark.parametrize("task", ["bare", "lay", "turn", "away", "done"])
@pytest.mark.parametrize(
    "saw", ["", "empty", "card", "several", "unclear", "reaching", "upright", "another card"]
)
@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_step_has_words(guides: Guided, task: Any, saw: str, code: str) -> None:
    pairs = (LookalikePair("duke", "captain"), LookalikePair("back", "back"))
    guides.teacher.now = replace(LESSON, task=task, saw=saw, alike="duke", wrong=("x",), pairs=pairs)
    page = guides.host.get("/host/teach", {"Accept-Language": code})
    assert page.status_code == 200
    assert "told: x" in page.text


@pytest.mark.parametrize(
    "fields",
    [
        {"face": "20", "count": "1"},
        {"face": "duke", "count": "-1"},
        {"face": "duke", "count": "1000"},
        {"face": "../x", "count": "1"},
        {"face": "duke", "count": "٣"},
    ],
)
def test_faces_and_counts_that_make_no_sense_are_refused(guides: Guided, fields: dict[str, str]) -> None:
    guides.teacher.now = LESSON
    hidden = hidden_fields(guides.host.get("/host/teach").text, "/host/teach/back")
    assert guides.host.post("/host/teach/count", **hidden, **fields).status_code == 400
    guides.teacher.now = None
    assert guides.host.post("/host/teach/again", **hidden, face="duke").status_code == 400
    assert guides.teacher.asked == []

"""Finding the table and teaching a deck, on the pages: who may, what is shown, and what is typed."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from referee.games.catalogue import GAMES
from tests.webui.room import ADDRESS, FakeDoor, Room, hidden_fields, match_of, patient
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.doors.guides import (
    FindingProgress,
    Guides,
    LessonFace,
    LookalikePair,
    TablePart,
    TeachableDeck,
    TeachingProgress,
)
from webui.server.app import create_app

SQUARE = ((10.0, 10.0), (300.0, 10.0), (300.0, 200.0), (10.0, 200.0))
FOUND = FindingProgress(
    is_open=True, photograph=3, size=(1200, 900), markers=(SQUARE,), apart=(844.0, 556.0),
    parts=tuple(TablePart(name, SQUARE, (100.0, 90.0)) for name in ("centre", "seat 3", "seat 9")),
)  # fmt: skip
COUP = TeachableDeck("coup", "coup", "", 2, 0, 1, has_draft=True)
LESSON = TeachingProgress(
    COUP,
    (LessonFace("duke", 3, "drafted"), LessonFace("captain", 2, "missing"), LessonFace("back", 0, "missing")),
    "turn",
    "captain",
    1,
    3,
    "card",
    size=(1200, 900),
    outline=SQUARE,
)
CORNERS = {f"{axis}{corner}": str(10 + corner) for axis in "xy" for corner in range(4)}


class FakeFinder:
    """A finder that notes what is asked."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.asked: list[Any] = []
        self.shown, self.answer = FindingProgress(), None

    def sight(self) -> FindingProgress:
        """Show."""
        return self.shown

    def photograph(self) -> bytes | None:
        """Give a picture once there is one."""
        return b"\xff\xd8jpeg" if self.shown.photograph else None

    def __getattr__(self, name: str) -> Any:
        """Note a step."""

        def step(*values: Any, **more: Any) -> Any:
            self.asked.append((name, *values, *more.values()))
            return self.answer

        return step


class FakeTeacher(FakeFinder):
    """A teacher that notes what is asked."""

    def __init__(self) -> None:
        """Begin with a deck to choose."""
        super().__init__()
        self.now: TeachingProgress | None = None

    def decks(self) -> tuple[TeachableDeck, ...]:
        """List two."""
        return (COUP, TeachableDeck("coyote-gigamic", "coyote", "gigamic", 20, 20, 0))

    def lesson(self) -> TeachingProgress | None:
        """Show."""
        return self.now


class Guided:
    """A room with guides in it."""

    def __init__(self, folder: Path) -> None:
        """Set it up."""
        self.finder, self.teacher = FakeFinder(), FakeTeacher()
        door, links_file = FakeDoor(match_of()), LinksFile(folder / "links.json")
        spoken = {code: language(code) for code in languages()}
        handed = Services(
            door, links_file, spoken, "en", lambda told, _listener: f"told: {told}", lambda: ADDRESS,
            guides=Guides(self.finder, self.teacher),
        )  # fmt: skip
        self.room = Room(door, links_file, create_app(handed, patient()))
        self.host = self.room.browser().host()


@pytest.fixture
def guided(tmp_path: Path) -> Guided:
    return Guided(tmp_path)


POSTS = (
    *(f"/host/table/{step}" for step in ("open", "close", "find", "tap", "turn", "keep")),
    *(
        f"/host/teach/{s}"
        for s in ("open", "close", "bare", "back", "skip", "again", "count", "save", "discard")
    ),
)


def test_only_the_host_may(guided: Guided) -> None:
    guided.finder.shown, guided.teacher.now = FOUND, LESSON
    phone = guided.room.browser().sit(0)
    for page in ("/host/table", "/host/teach"):
        assert phone.get(page).status_code == 303
        assert phone.get(page).location == "/host"
    assert phone.get("/host/table/picture.jpg").status_code == 403
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for address in POSTS:
        assert phone.post(address, **form, **CORNERS, deck="coup", face="duke", count=1).status_code == 403
        assert guided.host.post(address, deck="coup", face="duke", count=1).status_code == 403
        assert guided.host.get(address).status_code in {404, 405}
    assert guided.finder.asked == guided.teacher.asked == []


def test_the_host_page_leads_there(guided: Guided, room: Room) -> None:
    links = ('href="/host/table"', 'href="/host/teach"')
    assert all(link in guided.host.get("/host").text for link in links)
    without = room.browser().host()
    assert not any(link in without.get("/host").text for link in links)
    assert without.get("/host/table").status_code == 404


# the table


def test_a_table_is_found_step_by_step(guided: Guided) -> None:
    host, finder = guided.host, guided.finder
    assert host.send("/host/table", "/host/table/open").location == "/host/table"
    finder.shown = FindingProgress(is_open=True, wrong=("dark",))
    page = host.get("/host/table").text
    assert "told: dark" in page
    assert 'src="/host/picture.jpg"' in page
    assert host.send("/host/table", "/host/table/find", across="", down="").status_code == 303
    assert host.send("/host/table", "/host/table/find", across="844,5", down=" 556 ").status_code == 303
    assert host.send("/host/table", "/host/table/close").status_code == 303
    assert finder.asked == [("open",), ("find", None), ("find", (844.5, 556.0)), ("close",)]


def test_what_was_found_is_drawn_and_kept(guided: Guided) -> None:
    host, finder = guided.host, guided.finder
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


def test_what_is_wrong_is_told_on_the_page(guided: Guided) -> None:
    guided.finder.shown, guided.finder.answer = FOUND, "the disk is full"
    response = guided.host.send("/host/table", "/host/table/keep")
    assert response.status_code == 409
    assert "told: the disk is full" in response.text
    assert "polygon" in response.text


def test_corners_are_tapped(guided: Guided) -> None:
    host, finder = guided.host, guided.finder
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
def test_taps_that_are_no_numbers_are_refused(guided: Guided, wrong: dict[str, str]) -> None:
    guided.finder.shown = replace(FOUND, parts=())
    fields = {**CORNERS, "across": "600", "down": "400", **wrong}
    assert guided.host.send("/host/table", "/host/table/tap", **fields).status_code == 400
    assert guided.finder.asked == []


def test_half_a_distance_is_refused(guided: Guided) -> None:
    guided.finder.shown = FindingProgress(is_open=True)
    assert guided.host.send("/host/table", "/host/table/find", across="844", down="x").status_code == 400
    assert guided.finder.asked == []


# a deck


def test_a_deck_is_chosen(guided: Guided) -> None:
    page = guided.host.get("/host/teach").text
    assert "Coyote, Gigamic" in page
    assert "Coup" in page
    for step in ("open", "discard"):
        assert guided.host.send("/host/teach", f"/host/teach/{step}", deck="coup").status_code == 303
    assert guided.teacher.asked == [("open", "coup"), ("discard", "coup")]


@pytest.mark.parametrize("deck", ["", "../coup", "coup/", "piquet", "coup\0"])
def test_decks_that_are_not_offered_are_refused(guided: Guided, deck: str) -> None:
    for step in ("open", "discard"):
        assert guided.host.send("/host/teach", f"/host/teach/{step}", deck=deck).status_code == 400
    assert guided.teacher.asked == []


def test_a_lesson_shows_what_to_do_and_what_is_seen(guided: Guided) -> None:
    guided.teacher.now = LESSON
    words = GAMES["coup"].words.faces
    page = guided.host.get("/host/teach").text
    assert f"Now move {words['captain'].one}" in page
    assert "1 of 3 places" in page
    assert "I see a card." in page
    assert "a card&#39;s back" in page
    assert 'points="10.0,10.0' in page
    for step in ("back", "skip", "bare", "save", "close"):
        assert guided.host.send("/host/teach", f"/host/teach/{step}").status_code == 303
    fields = hidden_fields(guided.host.get("/host/teach").text, "/host/teach/count")
    assert fields["face"] == "duke"
    assert (
        guided.host.post("/host/teach/count", **{**fields, "face": "captain", "count": "4"}).status_code == 303
    )
    assert guided.host.send("/host/teach", "/host/teach/again", face="duke").status_code == 303
    assert guided.teacher.asked == [
        ("back",), ("skip",), ("bare",), ("save",), ("close",), ("count", "captain", 4), ("again", "duke"),
    ]  # fmt: skip


@pytest.mark.parametrize("task", ["bare", "lay", "turn", "away", "done"])
@pytest.mark.parametrize(
    "saw", ["", "empty", "card", "several", "unclear", "reaching", "upright", "another card"]
)
@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_step_has_words(guided: Guided, task: Any, saw: str, code: str) -> None:
    pairs = (LookalikePair("duke", "captain"), LookalikePair("back", "back"))
    guided.teacher.now = replace(LESSON, task=task, saw=saw, alike="duke", wrong=("x",), pairs=pairs)
    page = guided.host.get("/host/teach", {"Accept-Language": code})
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
def test_faces_and_counts_that_make_no_sense_are_refused(guided: Guided, fields: dict[str, str]) -> None:
    guided.teacher.now = LESSON
    hidden = hidden_fields(guided.host.get("/host/teach").text, "/host/teach/back")
    assert guided.host.post("/host/teach/count", **hidden, **fields).status_code == 400
    guided.teacher.now = None
    assert guided.host.post("/host/teach/again", **hidden, face="duke").status_code == 400
    assert guided.teacher.asked == []

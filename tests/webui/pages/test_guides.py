"""Finding the table and teaching a deck, on the pages: what is asked of the guides, and what is refused."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from tests.webui.fakes import FOUND, LESSON, FakeFinder, FakeTeacher
from tests.webui.room import hidden_fields, match_of, room_with
from webui.doors.guides import FindingProgress, Guides

CORNERS = {f"{axis}{corner}": str(10 + corner) for axis in "xy" for corner in range(4)}


@pytest.fixture
def guides(tmp_path: Path) -> Any:
    """Give a host's browser, the finder and the teacher."""
    finder, teacher = FakeFinder(), FakeTeacher()
    room = room_with(match_of(), tmp_path, guides=Guides(finder, teacher))
    return SimpleNamespace(room=room, host=room.browser().host(), finder=finder, teacher=teacher)


# the table


def test_a_table_is_found_step_by_step(guides: Any) -> None:
    host, finder = guides.host, guides.finder
    assert host.send("/host/table", "/host/table/open").location == "/host/table"
    finder.told["sight"] = lambda: FindingProgress(is_open=True, wrong=("dark",))
    assert "told: dark" in host.get("/host/table").text
    assert host.send("/host/table", "/host/table/find", across="", down="").status_code == 303
    assert host.send("/host/table", "/host/table/find", across="844,5", down=" 556 ").status_code == 303
    assert host.send("/host/table", "/host/table/find", across="844", down="x").status_code == 400
    assert host.send("/host/table", "/host/table/close").status_code == 303
    assert finder.asked == [("open",), ("find", None), ("find", (844.5, 556.0)), ("close",)]


def test_what_was_found_is_shown_to_the_host_alone_and_kept(guides: Any) -> None:
    host, finder = guides.host, guides.finder
    finder.told["sight"] = lambda: FOUND
    page = host.get("/host/table").text
    assert ">3 Chloé &lt;b&gt;</text>" in page
    assert ">9</text>" in page
    for file, content in (("picture.jpg", b"\xff\xd8jpeg"), ("markers.pdf", b"%PDF-markers")):
        assert host.get(f"/host/table/{file}").data == content
        assert guides.room.browser().sit(0).get(f"/host/table/{file}").status_code == 403
    assert host.send("/host/table", "/host/table/turn").status_code == 303
    assert host.send("/host/table", "/host/table/keep", empty=1).status_code == 303
    assert host.send("/host/table", "/host/table/keep").status_code == 303
    assert finder.asked == [("turn",), ("keep", True), ("keep", False)]
    finder.answers["keep"] = "the disk is full"
    response = host.send("/host/table", "/host/table/keep")
    assert (response.status_code, "told: the disk is full" in response.text) == (409, True)


WRONG = {"x0": "", "y3": "-1", "x1": "nan", "x2": "1e3", "across": "", "down": "٣", "y0": "9" * 40}


@pytest.mark.parametrize("field", WRONG)
def test_taps_that_are_no_numbers_are_refused(guides: Any, field: str) -> None:
    guides.finder.told["sight"] = lambda: replace(FOUND, parts=())
    fields = {**CORNERS, "across": "600", "down": "400", field: WRONG[field]}
    assert guides.host.send("/host/table", "/host/table/tap", **fields).status_code == 400
    assert guides.finder.asked == []


# a deck


def test_only_a_deck_that_is_offered_is_chosen(guides: Any) -> None:
    for deck in ("coup", "", "../coup", "coup/", "piquet", "coup\0"):
        for step in ("open", "discard"):
            sent = guides.host.send("/host/teach", f"/host/teach/{step}", deck=deck)
            assert sent.status_code == (303 if deck == "coup" else 400)
    assert guides.teacher.asked == [("open", "coup"), ("discard", "coup")]


def test_each_step_of_a_lesson_is_taken(guides: Any) -> None:
    guides.teacher.told["lesson"] = lambda: LESSON
    for step in ("back", "skip", "bare", "save", "close"):
        assert guides.host.send("/host/teach", f"/host/teach/{step}").status_code == 303
    fields = hidden_fields(guides.host.get("/host/teach").text, "/host/teach/count")
    counted = guides.host.post("/host/teach/count", **{**fields, "face": "captain", "count": "999"})
    assert counted.status_code == 303
    assert guides.host.send("/host/teach", "/host/teach/again", face="duke").status_code == 303
    assert guides.teacher.asked == [
        ("back",), ("skip",), ("bare",), ("save",), ("close",), ("count", "captain", 999), ("again", "duke"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("face", "count"),
    [("20", "1"), ("../x", "1"), ("duke", "-1"), ("duke", "1000"), ("duke", "٣"), ("duke", "")],
)
def test_faces_and_counts_that_make_no_sense_are_refused(guides: Any, face: str, count: str) -> None:
    guides.teacher.told["lesson"] = lambda: LESSON
    hidden = hidden_fields(guides.host.get("/host/teach").text, "/host/teach/back")
    assert guides.host.post("/host/teach/count", **hidden, face=face, count=count).status_code == 400
    guides.teacher.told["lesson"] = lambda: None
    assert guides.host.post("/host/teach/again", **hidden, face="duke").status_code == 400
    assert guides.teacher.asked == []

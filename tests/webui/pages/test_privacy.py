"""What is kept, on the host's page: by its bounds, what is off says so, and an evening is forgotten."""

from pathlib import Path
from typing import get_args

import pytest

from tests.webui.fakes import FakePrivacy
from tests.webui.room import FakeStatus, Room, hidden_fields, match_of, room_with
from webui.doors.privacy import Kept, KeptKind
from webui.drawing.privacy_words import BOUNDS, NAMES
from webui.pages.privacy import TOLD

HOME = "/host/privacy"
FORGET = f"{HOME}/forget"
DAY = "2026-11-21"


@pytest.fixture
def privacy() -> FakePrivacy:
    return FakePrivacy(
        Kept("matches", count=7, size=1_500_000, since="2026-10-03"),
        Kept("pictures", most=200_000_000),
        Kept("club", where=("Club of the fens",)),
        Kept("webhooks", is_on=False),
        Kept("broker", where=("house.local",)),
    )


@pytest.fixture
def room(tmp_path: Path, privacy: FakePrivacy) -> Room:
    return room_with(match_of(), tmp_path, privacy=privacy)


def test_each_kind_has_a_name_and_bounds() -> None:
    assert set(NAMES) == set(BOUNDS) == set(get_args(KeptKind))
    assert set(NAMES) > TOLD


def test_it_says_how_much_since_when_within_which_bounds_and_what_is_off(room: Room) -> None:
    host = room.browser().host()
    assert HOME in host.get("/host/more").text
    text = host.get(HOME).text
    assert "7, 2 MB, since 2026-10-03" in text
    assert "At most 200 MB" in text
    assert "<b>Camera pictures that rulings rest on</b> <span>nothing yet</span>" in text
    assert '<b>Other programs</b> <span class="tag">off</span>' in text
    # what can't be reached from here
    assert "The club Club of the fens keeps what it was sent." in text
    assert "(house.local)" in text


def test_an_evening_is_forgotten_by_one_form_that_asks_before(room: Room, privacy: FakePrivacy) -> None:
    host = room.browser().host()
    page = host.get(HOME).text
    assert page.count('<details class="sure">') == 2
    assert f"{DAY}, matches: 3" in page
    host.get(f"{FORGET}?day={DAY}")
    assert privacy.done == []
    response = host.send(HOME, FORGET, day=DAY)
    assert response.headers["Refresh"].endswith(f"; url={HOME}")
    response.close()
    assert privacy.done == [DAY, "restarted"]


def test_nobody_else_sees_it_or_forgets_anything(room: Room, privacy: FakePrivacy) -> None:
    for phone in (room.browser(), room.browser().sit(0)):
        assert phone.get(HOME).status_code == 303
        assert phone.post(FORGET, form="", day=DAY).status_code == 403
    host = room.browser().host()
    assert host.post(FORGET, form="stolen", day=DAY).status_code == 403
    assert privacy.done == []


@pytest.mark.parametrize("day", ["", "2026-11-20", "../../x", "<b>", DAY * 400])
def test_an_evening_that_isnt_there_is_refused_in_one_line(room: Room, privacy: FakePrivacy, day: str) -> None:
    said = room.browser().host().send(HOME, FORGET, day=day)
    assert said.status_code == 404
    assert "kept any more." in said.text
    assert privacy.done == []


def test_what_hinders_it_is_told_and_the_table_plays_on(room: Room, privacy: FakePrivacy) -> None:
    privacy.why = "the disk is full"
    said = room.browser().host().send(HOME, FORGET, day=DAY)
    assert (said.status_code, privacy.done) == (409, [])
    assert "the disk is full" in said.text


def test_what_isnt_forgotten_to_the_last_trace_is_told(room: Room, privacy: FakePrivacy) -> None:
    host = room.browser().host()
    assert "last trace" not in host.get(HOME).text
    privacy.unfinished = True
    assert "last trace" in host.get(HOME).text


def test_in_memory_nothing_is_forgotten_for_good(room: Room, privacy: FakePrivacy) -> None:
    host = room.browser().host()
    form = host.get(HOME).text
    room.door.kept = FakeStatus(is_saving=False)
    assert "Nothing is saved just now" in host.get(HOME).text
    assert FORGET not in host.get(HOME).text
    assert FORGET in form
    said = host.post(FORGET, **hidden_fields(form, FORGET))
    assert (said.status_code, privacy.done) == (409, [])


def test_a_table_that_keeps_nothing_has_no_such_page(tmp_path: Path) -> None:
    host = room_with(match_of(), tmp_path).browser().host()
    assert host.get(HOME).status_code == 404
    assert HOME not in host.get("/host/more").text


def test_clips_are_forgotten_at_once_also_where_no_more_are_kept(tmp_path: Path) -> None:
    privacy = FakePrivacy(Kept("clips", is_on=False, count=3, size=4_000_000, most=80_000_000))
    host = room_with(match_of(), tmp_path, privacy=privacy).browser().host()
    assert '<b>Clips of rulings</b> <span class="tag">off, 3, 4 MB</span>' in host.get(HOME).text
    assert host.post(f"{HOME}/forget-clips").status_code == 403
    assert privacy.done == []
    assert host.send(HOME, f"{HOME}/forget-clips").status_code == 303
    assert privacy.done == ["clips"]


def test_without_clips_none_are_to_be_forgotten(room: Room) -> None:
    assert "Forget all clips" not in room.browser().host().get(HOME).text

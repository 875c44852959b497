"""Somebody leaves in the running match, somebody else plays on: on the seat's phone, on the host's page."""

from pathlib import Path

import pytest

from referee.contract import Answer
from referee.match import arrival_at, hear
from tests.given import allowed
from tests.webui.matches import call_coyote, open_round
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(call_coyote(match_of()), tmp_path)


def names(room: Room) -> tuple[str, ...]:
    return room.door.match.setup.names


def form_of(phone: Browser) -> str:
    """Give the token of forms that this browser has, from a form for anybody."""
    return hidden_fields(phone.get("/seat").text, "/seat/take")["form"]


def hand_on(phone: Browser, name: str = "Zoé") -> int:
    return phone.send("/seat/other", "/seat/other", name=name).status_code


def test_the_seats_own_phone_shows_nothing_until_the_other_person_says_so(room: Room) -> None:
    phone = room.browser().sit(1)
    asked = phone.get("/seat/other").text
    assert "Who plays on for Bo?" in asked
    assert hand_on(phone) == 303
    assert names(room)[1] == "Zoé"
    waiting = phone.get("/seat").text
    assert "Zoé sits here now" in waiting
    assert 'id="question"' not in waiting
    assert next(phone.client.get("/events/seat").iter_encoded()).startswith(b"event: gone")
    assert phone.send("/seat", "/seat/other/here").status_code == 303
    assert "You are Zoé." in phone.get("/seat").text
    assert room.door.joined[-1:] == ["Zoé"]


def test_it_can_be_undone_until_the_other_person_has_answered(room: Room) -> None:
    phone = room.browser().sit(1)
    hand_on(phone)
    phone.send("/seat", "/seat/other/undo")
    assert names(room)[1] == "Bo"
    assert "You are Bo." in phone.get("/seat").text
    hand_on(phone)
    phone.send("/seat", "/seat/other/here")
    assert "Undo: Bo plays on" in phone.get("/seat").text
    phone.send("/seat", "/seat/other/undo")
    assert (names(room)[1], arrival_at(room.door.match, 1) is None) == ("Bo", False)


def test_who_has_answered_stays(tmp_path: Path) -> None:
    room = room_with(open_round(match_of()), tmp_path)
    phone = room.browser().sit(0)
    hand_on(phone)
    phone.send("/seat", "/seat/other/here")
    match = room.door.match
    undo = hidden_fields(phone.get("/seat").text, "/seat/other/undo")
    room.door.tell(allowed(hear(match, Answer(match.number, "announce", 3, 0))))
    assert "Undo:" not in phone.get("/seat").text
    phone.post("/seat/other/undo", **undo)
    assert names(room)[0] == "Zoé"


def test_another_phone_with_the_seats_code_takes_it_from_the_one_that_waits(room: Room) -> None:
    phone = room.browser().sit(1)
    hand_on(phone)
    other = room.browser().sit(1)
    assert "You are Zoé." in other.get("/seat").text
    gone = phone.get("/seat").text
    assert "You are Zoé." not in gone
    assert "sits here now" not in gone


def test_other_devices_of_who_leaves_see_nothing_more(room: Room) -> None:
    phone, tablet = room.browser().sit(1), room.browser().sit(1)
    hand_on(phone)
    assert "You are" not in tablet.get("/seat").text
    assert tablet.post("/seat/other/here", form=form_of(tablet)).status_code == 303
    assert "You are" not in tablet.get("/seat").text


@pytest.mark.parametrize("name", ["", "  ", "Ana", "ana", "\x1b[2J"])
def test_a_name_that_cannot_be_is_told_to_the_phone_and_nothing_changes(room: Room, name: str) -> None:
    phone = room.browser().sit(1)
    assert hand_on(phone, name) in {400, 409}
    assert names(room)[1] == "Bo"
    assert "You are Bo." in phone.get("/seat").text


def test_nobody_hands_on_a_seat_that_is_not_theirs(room: Room) -> None:
    stranger = room.browser()
    for address in ("/seat/other", "/seat/other/here", "/seat/other/undo"):
        stranger.post(address, name="Zoé")
        stranger.post(address, name="Zoé", form=form_of(stranger))
    seated = room.browser().sit(1)
    seated.post("/seat/other", name="Zoé")
    seated.get("/seat/other?name=Zo%C3%A9")
    assert names(room)[1] == "Bo"


def test_the_host_says_who_plays_on_and_takes_it_back(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    assert "Somebody else plays on" in host.get("/host/people/1").text
    host.send("/host/people/1", "/host/people/1/now", name="Zoé")
    assert names(room)[1] == "Zoé"
    assert "You are" not in phone.get("/seat").text
    assert "Undo: Bo plays on" in host.get("/host/people").text
    host.send("/host/people", "/host/people/1/now", name="Bo")
    assert names(room)[1] == "Bo"
    assert host.send("/host/people/1", "/host/people/1/now", name="Ana").status_code == 409
    form = hidden_fields(host.get("/host/people").text, "/host/people/everybody-out")
    assert host.post("/host/people/9/now", **form, name="Zoé").status_code == 400
    assert host.post("/host/people/1/now", **form, name=" ").status_code == 400


def test_only_the_host_says_so_for_others(room: Room) -> None:
    phone = room.browser().sit(0)
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post("/host/people/1/now", name="Zoé", **form).status_code == 403
    assert names(room)[1] == "Bo"

"""Players enter names: at a free seat before the first answer, or when they replace somebody."""

from pathlib import Path

import pytest

from firmware.storage.people.evening import held_seats
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import hear, seat_person
from tests.firmware.playing import match_at
from tests.given import allowed
from tests.webui.fakes import FakeTwin
from tests.webui.matches import call_coyote, open_round
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with

COUP = GAMES["coup"]


@pytest.fixture
def fresh(tmp_path: Path) -> Room:
    """A table with unnamed seats, as after its first start, in French."""
    names = ("Place 1", "Place 2", "Place 3")
    return room_with(match_at("2026-01-02T20:00:00+01:00", *names, game=COUP), tmp_path)


def come(phone: Browser, seat: int, name: str) -> int:
    code = phone.links.codes[seat]
    return phone.send(f"/seat?code={code}", "/seat/take", name=name).status_code


def names(room: Room) -> tuple[str, ...]:
    return room.client.match.setup.names


def test_players_name_their_seats_and_codes_remain_valid(fresh: Room) -> None:
    ana, bo, other = (fresh.browser() for _phone in range(3))
    codes = ana.links.codes
    asked = ana.send("/seat", "/seat/take", code=codes[0].lower())
    assert (asked.status_code, 'name="name" value=""' in asked.text) == (200, True)
    assert held_seats(ana.links) == set()
    assert come(ana, 0, "  Ana  ") == 303
    assert ana.links.codes[1:] == codes[1:]
    assert come(bo, 1, "Chloé <b>") == 303
    assert names(fresh) == ("Ana", "Chloé <b>", "Place 3")
    assert fresh.client.joined == ["Ana", "Chloé <b>"]
    assert ana.links.matches == 1
    # a code admits one phone; the seat's new code admits one more, and doesn't rename it
    assert other.send("/seat", "/seat/take", code=codes[0], name="Eve").status_code == 403
    assert other.send("/seat", "/seat/take", code=ana.links.codes[0], name="Eve").status_code == 303
    assert all("You are Ana." in phone.get("/seat").text for phone in (ana, other))


def test_taken_name_is_refused_without_using_the_code(fresh: Room) -> None:
    ana, bo = fresh.browser().host(), fresh.browser()
    assert come(ana, 0, "Ana") == 303
    code = bo.links.codes[1]
    for name in ("ANA", "x" * 41, "a\tb\u202e"):
        assert come(bo, 1, name) == 409
    refused = bo.send(f"/seat?code={code}", "/seat/take", name="ana")
    assert f'name="code" value="{code}"' in refused.text
    assert 'name="name" value="ana"' in refused.text
    assert held_seats(bo.links) == {0}
    assert come(bo, 1, "Bo") == 303


def test_host_given_name_is_suggested_and_fixed_by_an_answer(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    bo, late = room.browser(), room.browser()
    assert 'name="name" value="Bo"' in bo.get(f"/seat?code={bo.links.codes[1]}").text
    assert come(bo, 1, "Bo") == 303
    room.client.match = open_round(room.client.match, 1)
    code = late.links.codes[0]
    assert 'name="name"' not in late.get(f"/seat?code={code}").text
    assert late.send("/seat", "/seat/take", code=code, name="Eve").status_code == 303
    assert names(room)[:2] == ("Ana", "Bo")


def test_person_takes_over_a_bot_by_code(tmp_path: Path) -> None:
    match = allowed(seat_person(open_round(match_of()), 1, "Vix"))
    room = room_with(match, tmp_path, twin=FakeTwin())
    phone, other = room.browser(), room.browser()
    code = phone.links.codes[1]
    asked = phone.send("/seat", "/seat/take", code=code)
    assert 'name="name" value=""' in asked.text
    assert come(phone, 1, "Ana") == 409
    assert come(phone, 1, "Zoé") == 303
    assert (names(room)[1], "You are Zoé." in phone.get("/seat").text) == ("Zoé", True)
    # if a bot plays for a named person, that person may return
    assert other.send("/seat", "/seat/take", code=other.links.codes[2]).status_code == 303
    assert names(room)[2] == match_of().setup.names[2]


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(call_coyote(match_of()), tmp_path)


def hand_over(phone: Browser, name: str = "Zoé") -> int:
    return phone.send("/seat/other", "/seat/other", name=name).status_code


def test_new_player_phone_stays_empty_until_confirmed(room: Room) -> None:
    phone, tablet = room.browser().sit(1), room.browser().sit(1)
    assert hand_over(phone) == 303
    assert names(room)[1] == "Zoé"
    waiting = phone.get("/seat").text
    assert "Zoé sits here now" in waiting
    assert 'id="question"' not in waiting
    assert next(phone.client.get("/events/seat").iter_encoded()).startswith(b"event: gone")
    # other devices of the leaver lose the seat, and can't confirm
    form = hidden_fields(tablet.get("/seat").text, "/seat/take")["form"]
    assert tablet.post("/seat/other/here", form=form).status_code == 303
    assert "You are" not in tablet.get("/seat").text
    assert phone.send("/seat", "/seat/other/here").status_code == 303
    assert "You are Zoé." in phone.get("/seat").text
    assert room.client.joined[-1:] == ["Zoé"]
    # a second tap announces nobody again
    assert phone.post("/seat/other/here", form=phone.form("/seat")).status_code == 303
    assert room.client.joined.count("Zoé") == 1


def test_takeover_can_be_undone_until_an_answer(tmp_path: Path) -> None:
    room = room_with(open_round(match_of()), tmp_path)
    phone = room.browser().sit(0)
    for is_here in (False, True):
        hand_over(phone)
        if is_here:
            phone.send("/seat", "/seat/other/here")
        phone.send("/seat", "/seat/other/undo")
        assert "You are Ana." in phone.get("/seat").text
        assert names(room)[0] == "Ana"
    hand_over(phone)
    phone.send("/seat", "/seat/other/here")
    match = room.client.match
    undo = hidden_fields(phone.get("/seat").text, "/seat/other/undo")
    room.client.tell(allowed(hear(match, Answer(match.number, "announce", 3, 0))))
    assert "/seat/other/undo" not in phone.get("/seat").text
    phone.post("/seat/other/undo", **undo)
    assert names(room)[0] == "Zoé"


@pytest.mark.parametrize("name", ["", "  ", "Ana", "ana", "Ana\u034f", "\u3164", "\x1b[2J"])
def test_invalid_name_is_reported_and_changes_nothing(room: Room, name: str) -> None:
    phone = room.browser().sit(1)
    assert hand_over(phone, name) in {400, 409}
    assert names(room)[1] == "Bo"
    assert "You are Bo." in phone.get("/seat").text


def test_host_replaces_a_player_and_undoes_it(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    assert "Someone else plays on" in host.get("/host/people/1").text
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

"""Who sits down says a name: at a seat that nobody holds, before the first answer, and at no other's cost."""

from pathlib import Path

import pytest

from firmware.storage.people.evening import held_seats
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, seat_person
from tests.given import allowed
from tests.webui.fakes import FakeTwin
from tests.webui.matches import open_round
from tests.webui.room import Browser, Room, match_of, room_with

COUP = GAMES["coup"]


@pytest.fixture
def fresh(tmp_path: Path) -> Room:
    """A table whose seats have no names so far, as it is after its first start, in French."""
    match = begin(
        Setup(COUP, COUP.rules.house(), ("Place 1", "Place 2", "Place 3"), begun="2026-01-02T20:00:00+01:00")
    )
    assert isinstance(match, Match)
    return room_with(match, tmp_path)


def come(phone: Browser, seat: int, name: str) -> int:
    code = phone.links.codes[seat]
    return phone.send(f"/seat?code={code}", "/seat/take", name=name).status_code


def names(room: Room) -> tuple[str, ...]:
    return room.door.match.setup.names


def test_three_friends_name_their_own_seats_and_their_codes_stay_good(fresh: Room) -> None:
    ana, bo, chloe = (fresh.browser() for _phone in range(3))
    codes = ana.links.codes
    assert 'name="name" value=""' in ana.get(f"/seat?code={codes[0]}").text
    assert come(ana, 0, "  Ana  ") == 303
    assert names(fresh) == ("Ana", "Place 2", "Place 3")
    assert ana.links.codes[1:] == codes[1:]
    assert [come(bo, 1, "Bo"), come(chloe, 2, "Chloé <b>")] == [303, 303]
    assert names(fresh) == ("Ana", "Bo", "Chloé <b>")
    assert fresh.door.joined == ["Ana", "Bo", "Chloé <b>"]
    assert all(f"You are {name}." in phone.get("/seat").text for phone, name in ((ana, "Ana"), (bo, "Bo")))
    assert ana.links.matches == 1


def test_a_name_of_another_seat_is_refused_and_the_code_is_not_used_up(fresh: Room) -> None:
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


def test_one_code_seats_one_phone_whatever_names_are_said(fresh: Room) -> None:
    ana, other = fresh.browser(), fresh.browser()
    code = ana.links.codes[0]
    assert come(ana, 0, "Ana") == 303
    assert other.send("/seat", "/seat/take", code=code, name="Eve").status_code == 403
    # the seat's new code lets one more phone in, and doesn't name it again
    assert other.send("/seat", "/seat/take", code=ana.links.codes[0], name="Eve").status_code == 303
    assert names(fresh)[0] == "Ana"
    assert "You are Ana." in other.get("/seat").text


def test_who_types_the_code_of_a_seat_without_a_name_is_asked_for_one(fresh: Room) -> None:
    phone = fresh.browser()
    asked = phone.send("/seat", "/seat/take", code=phone.links.codes[2].lower())
    assert asked.status_code == 200
    assert 'name="name" value=""' in asked.text
    assert held_seats(phone.links) == set()
    assert come(phone, 2, "Chloé") == 303


def test_a_name_that_the_host_wrote_is_suggested_and_stays_once_an_answer_is_given(room: Room) -> None:
    bo, late = room.browser(), room.browser()
    assert 'name="name" value="Bo"' in bo.get(f"/seat?code={bo.links.codes[1]}").text
    assert come(bo, 1, "Bo") == 303
    room.door.match = open_round(room.door.match, 1)
    code = late.links.codes[0]
    assert 'name="name"' not in late.get(f"/seat?code={code}").text
    assert late.send("/seat", "/seat/take", code=code, name="Eve").status_code == 303
    assert names(room)[:2] == ("Ana", "Bo")


def test_who_types_a_bots_code_says_a_name_and_plays_on_from_then(tmp_path: Path) -> None:
    match = allowed(seat_person(open_round(match_of()), 1, "Vix"))
    room = room_with(match, tmp_path, twin=FakeTwin())
    phone, other = room.browser(), room.browser()
    code = phone.links.codes[1]
    asked = phone.send("/seat", "/seat/take", code=code)
    assert 'name="name" value=""' in asked.text
    assert come(phone, 1, "Ana") == 409
    assert come(phone, 1, "Zoé") == 303
    assert (names(room)[1], "You are Zoé." in phone.get("/seat").text) == ("Zoé", True)
    # where a bot plays for somebody who was named, that is who comes
    assert other.send("/seat", "/seat/take", code=other.links.codes[2]).status_code == 303
    assert names(room)[2] == match_of().setup.names[2]

"""The host link: take back, correct, again, codes."""

from referee.contract import Answer, Option
from referee.games.coyote.house import House
from referee.match import Correct, Match, TakeBack, enter
from tests.webui.coyote_round import open_round
from tests.webui.room import Room, hidden_fields, match_of

POSTS = ("/host/back", "/host/correct/0", "/host/again", "/host/code/0")


def announce_three(room: Room) -> None:
    match = open_round(room.door.match)
    after = enter(match, Answer(match.number, "announce", 3, 0))
    assert isinstance(after, Match)
    room.door.match = after


def test_without_the_pin_nothing_is_shown_or_done(room: Room) -> None:
    announce_three(room)
    phone = room.browser().sit(0)
    codes = phone.links.codes
    for page in ("/host", "/host/correct/0", "/host/correct/99"):
        text = phone.get(page).text
        assert 'name="pin"' in text
        assert not any(code in text for code in codes)
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for address in POSTS:
        assert phone.post(address, **form, moment=2, strike=1).status_code == 403
    assert room.door.entries == []
    assert room.door.agains == 0
    assert phone.links.codes == codes


def test_a_wrong_pin_is_refused(room: Room) -> None:
    for pin in ("", "000000x", "é"):
        response = room.browser().send("/host", "/host/enter", pin=pin)
        assert response.status_code == 403
        assert "Wrong PIN." in response.text


def test_the_host_needs_the_form_too(room: Room) -> None:
    host = room.browser().host()
    for address in POSTS:
        assert host.post(address).status_code == 403
    assert room.door.entries == []


def test_the_host_is_told_what_is_wrong(room: Room) -> None:
    room.door.wrong = ("the camera",)
    assert "told: the camera" in room.browser().host().get("/host").text


def test_the_host_takes_back(room: Room) -> None:
    announce_three(room)
    assert room.browser().host().send("/host", "/host/back").status_code == 303
    assert room.door.entries == [TakeBack(2, 0)]


def test_the_host_corrects_an_answer_by_its_number(room: Room) -> None:
    announce_three(room)
    host = room.browser().host()
    assert "Ana: 3" in host.get("/host").text
    assert "/host/correct/1" in host.get("/host").text
    assert host.send("/host/correct/1", "/host/correct/1", number=5).status_code == 303
    assert room.door.entries == [Correct(2, 1, 5)]
    assert "The record is corrected." in host.get("/").text


def test_the_host_strikes(room: Room) -> None:
    announce_three(room)
    assert room.browser().host().send("/host/correct/1", "/host/correct/1", strike=1).status_code == 303
    assert room.door.entries == [Correct(2, 1)]


def test_a_correction_that_is_not_legal_or_stale_is_refused(room: Room) -> None:
    announce_three(room)
    host = room.browser().host()
    hidden = hidden_fields(host.get("/host/correct/1").text, "/host/correct/1")
    assert host.post("/host/correct/1", **hidden, number=-4).status_code == 409
    assert host.post("/host/correct/1", **hidden, number="x").status_code == 400
    assert host.post("/host/correct/77", **hidden, number=3).status_code == 409
    assert host.post("/host/correct/1", **{**hidden, "moment": 1}, number=4).status_code == 409
    assert host.post("/host/correct/1", **{**hidden, "match": ""}, number=4).status_code == 409
    assert room.door.match.number == 2


def test_another_match_is_asked_for_once_this_one_is_over(room: Room) -> None:
    host = room.browser().host()
    assert "Play again" not in host.get("/host").text
    over = match_of(seats=2, house=House(limit=1))
    for ask, value, seat in (
        ("opener", Option("opens", seat=0), None),
        ("announce", 5, 0),
        ("turn", Option("coyote"), 1),
        ("reveal", ("10", "5"), None),
    ):
        after = enter(over, Answer(over.number, ask, value, seat))
        assert isinstance(after, Match)
        over = after
    room.door.match = over
    assert host.send("/host", "/host/again").status_code == 303
    assert room.door.agains == 1


def test_a_new_code_throws_the_old_phone_out(room: Room) -> None:
    host, phone = room.browser().host(), room.browser().sit(1)
    assert host.send("/host", "/host/code/1").status_code == 303
    assert "You are" not in phone.get("/seat").text
    assert "You are Bo." in room.browser().sit(1).get("/seat").text
    form = hidden_fields(host.get("/host").text, "/host/code/1")
    assert host.post("/host/code/9", **form).status_code == 400

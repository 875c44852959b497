"""The host link: health, take back, correct, again, codes."""

import re
from pathlib import Path
from random import Random

from referee.contract import Answer, Option, Reason
from referee.games.coyote.house import House
from referee.match import Correct, Match, Step, TakeBack, enter
from tests.referee.tables import after_any
from tests.webui.coyote_round import open_round
from tests.webui.room import FakeStatus, Room, hidden_fields, match_of, room_with
from webui.doors.messages import Concern
from webui.drawing.controls import why_not_back

POSTS = ("/host/back", "/host/correct/0", "/host/again", "/host/code/0")

CONCERNS = {
    "glare": Concern("camera"),
    "gone": Concern("camera", is_grave=True),
    "stuck": Concern("buttons"),
}


def health(page: str) -> list[str]:
    """Read the three words."""
    lines = page.partition('class="health"')[2].partition("</ul>")[0].split("<li>")[1:]
    return [" ".join(re.sub("<[^>]*>", "", line).split()) for line in lines]


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


def test_a_button_that_is_grey_says_why(room: Room) -> None:
    bottom = room.browser().host().get("/host").text.partition('action="/host/back"')[2].partition("</form>")[0]
    assert "disabled" in bottom
    assert "<small>There is nothing to take back.</small>" in bottom
    announce_three(room)
    bottom = room.browser().host().get("/host").text.partition('action="/host/back"')[2].partition("</form>")[0]
    assert "disabled" not in bottom
    assert "<small>Ana: 3" in bottom


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
    late = host.post("/host/correct/1", **{**hidden, "moment": 1}, number=4)
    assert late.status_code == 409
    assert "Somebody has answered meanwhile" in late.text
    assert host.post("/host/correct/1", **{**hidden, "match": ""}, number=4).status_code == 409
    assert room.door.match.number == 2


def _has_shown_cards(match: Match) -> bool:
    """Tell whether the last answer can't be taken back, as it brought cards to light."""
    last = match.position
    refusal = why_not_back(match, last.answer.seat) if isinstance(last, Step) else None
    return refusal is not None and refusal.reason == Reason.SEEN_BACK


def test_the_host_is_told_to_correct_what_cannot_be_taken_back(tmp_path: Path) -> None:
    match, rng = match_of(), Random(5)
    while not _has_shown_cards(match):
        match = after_any(match, rng)
    page = room_with(match, tmp_path).browser().host().get("/host").text
    assert "correct the answer in the list instead" in page
    assert "only the host" not in page


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
    assert host.send("/host/people/1", "/host/code/1").status_code == 303
    assert "You are" not in phone.get("/seat").text
    assert "You are Bo." in room.browser().sit(1).get("/seat").text
    form = hidden_fields(host.get("/host/people/1").text, "/host/code/1")
    assert host.post("/host/code/9", **form).status_code == 400


def test_a_code_is_held_out_by_itself(room: Room) -> None:
    host, phone = room.browser().host(), room.browser().sit(0)
    codes, pin = host.links.codes, host.links.pin
    assert phone.get("/host/people/1").location == "/host"
    assert host.get("/host/people/99").location == "/host"
    assert [code for code in codes if code in host.get("/host/people").text] == []
    for seat, code in enumerate(codes):
        page = host.get(f"/host/people/{seat}").text
        assert [each for each in (*codes, pin) if each in page] == [code]


def test_what_is_seldom_needed_lies_one_level_down_and_only_for_the_host(room: Room) -> None:
    host, phone = room.browser().host(), room.browser().sit(0)
    for page in ("/host/more", "/host/people"):
        assert phone.get(page).location == "/host"
        assert f'href="{page}' in host.get("/host").text
    assert not any(code in host.get("/host").text for code in host.links.codes)
    assert host.links.pin not in host.get("/host").text


def test_nearby_numbers_correct_one_that_was_misheard(room: Room) -> None:
    announce_three(room)
    page = room.browser().host().get("/host/correct/1").text
    assert re.findall(r'name="number" value="(\d+)"', page) == ["1", "2", "4", "5", "6", "7"]


def test_the_host_sees_in_three_words_how_the_table_is(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, concern=lambda message: CONCERNS[str(message)])
    host = room.browser().host()
    assert health(host.get("/host").text) == ["Camera sees", "Record is safe", "Buttons work"]
    links = re.findall(r'href="([^"#]*)#([^"]*)"><i class="lamp', host.get("/host").text)
    assert links == [("/host/check", "camera"), ("/host/more", "box"), ("/host/check", "buttons")]
    assert all(f'id="{section}"' in host.get("/host/check").text for section in ("camera", "buttons"))
    room.door.wrong = ("glare", "stuck")
    assert health(host.get("/host").text) == ["Camera sees badly", "Record is safe", "Buttons one is stuck"]
    room.door.wrong, room.door.kept = ("glare", "gone"), FakeStatus(is_saving=False)
    assert health(host.get("/host").text) == ["Camera is blind", "Record isn&#39;t saved", "Buttons work"]

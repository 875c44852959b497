"""Why? What rests on a picture is shown with it; who has a seat may contest it, and the host corrects."""

from pathlib import Path

import pytest

from referee.contract import Answer, Show
from referee.match import Correct, Match, enter
from tests.referee.games.coup_d_etat.script import dealt
from tests.webui.coyote_round import JPEG, READING, REVEAL, call_coyote, keep_picture, reveal_cards
from tests.webui.room import Room, hidden_fields, match_of, room_with
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import SecondLook
from webui.drawing.camera_rulings import camera_answers, related_answers

WHY = f"/why/{REVEAL}"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    keep_picture(tmp_path)
    return room_with(reveal_cards(match_of()), tmp_path)


def correct_reading(room: Room, **value: object) -> None:
    match = room.door.match
    after = enter(match, Correct(match.number, REVEAL, **value))  # type: ignore[arg-type]
    assert isinstance(after, Match)
    room.door.match = after


def test_the_score_asks_why_beside_what_the_camera_answered(room: Room) -> None:
    page = room.browser().get("/").text
    assert page.count(f'href="{WHY}"') == 1
    assert 'href="/why/2"' not in page
    assert "Why? Answer 3" in page


def test_a_phone_that_says_the_cards_needs_no_picture(tmp_path: Path) -> None:
    room = room_with(call_coyote(match_of()), tmp_path)
    fields = {"card-20": 1, "card-10": 2}
    room.browser().sit(0).send("/seat", "/seat/answer", **fields)
    assert room.door.match.number == REVEAL + 1
    assert "/why/" not in room.browser().get("/").text
    assert room.browser().get(WHY).status_code == 404


def test_what_the_second_camera_did_is_told_of_each_card_and_its_picture_is_shown(tmp_path: Path) -> None:
    parts: tuple[SecondLook, ...] = ("settled", "agreed", "disputed", "added")
    sidecar = Sidecar("1", REVEAL + 1, READING, "reveal", parts=parts)
    for jpeg in (JPEG, b"from aside"):
        keep_evidence(tmp_path / "evidence", jpeg, sidecar)
    browser = room_with(reveal_cards(match_of()), tmp_path).browser()
    page = browser.get(WHY).text
    words = ("named it", "agreed", "saw something else", "could read it", "took this picture at the same time")
    assert [page.count(word) for word in words] == [1] * 5
    assert f'src="{WHY}/table.jpg"' in page
    assert browser.get(f"{WHY}/table.jpg").data == b"from aside"


def test_a_reading_of_one_camera_says_nothing_of_a_second(room: Room) -> None:
    assert "econd camera" not in room.browser().get(WHY).text


def test_the_picture_and_what_was_read_are_shown(room: Room) -> None:
    page = room.browser().get(WHY).text
    for words in (
        "20, 10, 10",
        f'src="{WHY}.jpg"',
        'alt="The table at answer 3',
        "sure, 93%",
        "10 (2%)",
        "face down",
        "On the table: 20, 10, 10.",
    ):
        assert words in page, words
    assert page.count("Could also be") == 3
    assert "back (" not in page
    assert "not kept" not in page
    assert "Contest these" not in page


def test_the_picture_is_asked_for_again_each_time(room: Room) -> None:
    phone = room.browser()
    first = phone.get(f"{WHY}.jpg")
    assert (first.data, first.mimetype) == (JPEG, "image/jpeg")
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = phone.get(f"{WHY}.jpg", {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("page", ["/why/0", "/why/99", "/why/999999999999999999999", "/why/4"])
def test_an_answer_without_a_picture_is_told(room: Room, page: str) -> None:
    response = room.browser().get(page)
    assert response.status_code == 404
    assert "No answer with that number has a picture." in response.text
    assert room.browser().get(f"{page}.jpg").status_code == 404


PATHS = ("../links.json", "%2e%2e%2flinks.json", "3%00.jpg", "-3", "3.json", "x.jpg")


@pytest.mark.parametrize("page", [f"/why/{path}" for path in PATHS])
def test_nothing_that_a_phone_says_names_a_file(room: Room, page: str) -> None:
    response = room.browser().get(page)
    assert response.status_code == 404
    assert "pin" not in response.text


def test_the_picture_of_another_match_is_not_shown(tmp_path: Path) -> None:
    keep_picture(tmp_path, match="2")
    keep_picture(tmp_path, match="11")
    room = room_with(reveal_cards(match_of()), tmp_path)
    assert "No picture available." in room.browser().get(WHY).text
    assert room.browser().get(f"{WHY}.jpg").status_code == 404
    assert "No picture available." in room.browser().get("/why").text


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"match":"1"}', b"\xff\xfe", None])
def test_a_broken_reading_is_one_line_below_its_picture(tmp_path: Path, content: bytes | None) -> None:
    sidecar = keep_picture(tmp_path).with_suffix(".json")
    sidecar.unlink()
    if content is not None:
        sidecar.write_bytes(content)
    room = room_with(reveal_cards(match_of()), tmp_path)
    page = room.browser().get(WHY).text
    assert page.count("The reading is lost") == 1
    assert f'src="{WHY}.jpg"' in page
    assert room.browser().host().get(f"/host/correct/{REVEAL}").status_code == 200


def test_what_was_struck_is_shown_no_more(room: Room) -> None:
    correct_reading(room)
    assert room.browser().get(WHY).status_code == 404
    assert room.browser().get(f"{WHY}.jpg").status_code == 404
    assert "/why/" not in room.browser().get("/").text


def test_what_was_corrected_says_so(room: Room) -> None:
    correct_reading(room, value=("20", "10", "15"))
    page = room.browser().get(WHY).text
    assert "corrected by the host" in page
    assert "<strong>20, 10, 15</strong>" in page


def test_the_list_tells_the_rulings(room: Room) -> None:
    page = room.browser().get("/why").text
    assert "20, 10, 10" in page
    assert "Bo calls Coyote" not in page
    assert f'href="{WHY}"' in page


def test_a_seat_contests_and_the_table_and_the_host_hear_it(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    assert phone.send(WHY, f"{WHY}/contest").status_code == 303
    assert room.door.actions == [("Bo", REVEAL)]
    assert "Bo contests the cards of answer 3." in room.browser().get(WHY).text
    top = host.get("/host").text.partition("The seats")[0]
    assert "Bo contests the cards of answer 3." in top
    assert f'href="/host/correct/{REVEAL}"' in top
    correct_reading(room, value=("20", "10", "15"))
    assert "contests" not in host.get("/host").text


def test_the_host_lets_the_cards_stand(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    phone.send(WHY, f"{WHY}/contest")
    hidden = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post(f"{WHY}/stands", **hidden).status_code == 403
    assert "contests" in host.get("/host").text
    assert host.send("/host", f"{WHY}/stands").status_code == 303
    assert "contests" not in host.get("/host").text


def test_who_has_no_seat_or_no_form_contests_nothing(room: Room) -> None:
    looker, phone = room.browser(), room.browser().sit(1)
    hidden = hidden_fields(phone.get(WHY).text, f"{WHY}/contest")
    assert looker.post(f"{WHY}/contest", **hidden).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "form": "x"}).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "match": "x"}).status_code == 409
    assert phone.post("/why/2/contest", **hidden).status_code == 404
    assert phone.get(f"{WHY}/contest").status_code == 405
    assert room.door.actions == []


def test_no_player_contests_all_the_time(room: Room) -> None:
    phone = room.browser().sit(1)
    codes = [phone.send(WHY, f"{WHY}/contest").status_code for _time in range(4)]
    assert codes == [303, 303, 303, 429]
    assert len(room.door.actions) == 3


def test_the_host_gets_what_else_it_could_be_first(room: Room) -> None:
    page = room.browser().host().get(f"/host/correct/{REVEAL}").text
    pairs = (("15", "10"), ("10", "20"), ("2", "20"), ("1", "10"))
    runners_up = (f"<b>{right}</b><small>instead of {wrong}</small>" for right, wrong in pairs)
    places = [page.index(text) for text in (*runners_up, "How many of each?")]
    assert places == sorted(places)
    offered = page.partition('id="guessed"')[2].partition("How many of each?")[0]
    assert "instead of" in offered
    assert "back" not in offered
    assert 'name="card-10" type="number" inputmode="numeric" min="0" max="3" value="2"' in page


def test_one_tap_puts_one_card_right(room: Room) -> None:
    host = room.browser().host()
    page = f"/host/correct/{REVEAL}"
    assert host.send(page, page, cards='["20","15","10"]').status_code == 303
    assert room.door.entries == [Correct(REVEAL + 1, REVEAL, ("20", "15", "10"))]


@pytest.mark.parametrize("cards", ["", "20", "[", "[1]", '{"a":1}', "[" * 3000, '["1"]' * 2])
def test_a_list_of_cards_that_is_none_is_refused(room: Room, cards: str) -> None:
    host = room.browser().host()
    page = f"/host/correct/{REVEAL}"
    hidden = hidden_fields(host.get(page).text, page)
    assert host.post(page, **hidden, cards=cards).status_code == 400
    assert room.door.entries == []


def test_a_revoke_is_told_with_the_pictures_of_both_tricks(tmp_path: Path) -> None:
    """A player discards a seven on a king of hearts, and has a heart in the second trick."""
    first = by_camera(dealt().declines(1, "victory").match, ["Kh", "7c", "8h", "9h"])
    second = by_camera(first, ["10h", "Jh", "Ah"])
    ground = next(
        each for each in camera_answers(second) if any(ruling.key == "revoke" for ruling in each.rulings)
    )
    denied = next(each.number for each in camera_answers(second) if each.step.answer.value == ("7c",))
    assert related_answers(second, ground) == (denied,)
    room = room_with(second, tmp_path)
    assert f'href="/why/{denied}"' in room.browser().get(f"/why/{ground.number}").text


def by_camera(match: Match, cards: list[str]) -> Match:
    """Let cards fall, one after another."""
    for card in cards:
        ask = next(ask for ask in match.asks if isinstance(ask, Show))
        after = enter(match, Answer(match.number, ask.key, (card,), None, "camera"))
        assert isinstance(after, Match), (card, after)
        match = after
    return match

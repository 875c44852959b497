"""A phone as second eye: who may send what, and that nothing counts before a tap."""

from pathlib import Path
from threading import Thread
from typing import get_args

import pytest
from msgspec.structs import replace

from referee.contract import Answer, Option
from referee.match import Correct, Match, TakeBack, enter
from tests.webui.coyote_round import REVEAL, call_coyote, keep_picture, reveal_cards
from tests.webui.fakes import SURE, FakeReader
from tests.webui.photographing import PAGE, post_form, send_photo
from tests.webui.room import Room, hidden_fields, match_of, room_with
from webui.doors.companion import Guess, Photograph, ReadCard, UnreadPhotograph, UnreadReason
from webui.pages.photograph import LONGEST

GUESSES = (Guess("15", 0.5), Guess("back", 0.4), Guess("5", 0.3))
UNSURE = (*SURE[:2], ReadCard(None, False, True, True, 0.5, GUESSES))


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def room(tmp_path: Path, reader: FakeReader) -> Room:
    return room_with(call_coyote(match_of()), tmp_path, photographs=reader)


def test_a_photograph_is_read_and_counts_once_it_is_agreed_to(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    assert f'href="{PAGE}"' in phone.get("/seat").text
    response = send_photo(phone)
    assert (response.status_code, response.headers["Location"]) == (303, f"{PAGE}/read")
    assert reader.sent == [b"photograph"]
    page = phone.get(f"{PAGE}/read").text
    assert "I read: 20, 10, 10. Right?" in page
    assert "Face down, not counted: 1." in page
    assert phone.get("/photo.jpg").data == b"a picture"
    assert room.door.entries == []
    hidden = hidden_fields(page, "/seat/answer")
    assert phone.post("/seat/answer", **hidden, cards='["20","10","10"]').status_code == 303
    assert room.door.entries == [Answer(REVEAL, "reveal", ("20", "10", "10"), None, "phone")]


def test_what_lies_under_a_card_unread_is_told(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    send_photo(phone)
    assert "More lies under" not in phone.get(f"{PAGE}/read").text
    reader.says = Photograph((replace(SURE[0], is_over_more=True), *SURE[1:]), b"")
    send_photo(phone)
    assert "More lies under 20, or beside it, than I can read" in phone.get(f"{PAGE}/read").text


def test_what_the_tables_own_camera_says_of_a_card_is_told(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    reader.says = Photograph((replace(SURE[0], second="settled"), *SURE[1:]), b"")
    send_photo(phone)
    page = phone.get(f"{PAGE}/read").text
    assert "Named by the table&#39;s own camera: 20." in page
    assert "differently" not in page
    reader.says = Photograph((*SURE[:2], replace(UNSURE[-1], second="disputed")), b"")
    send_photo(phone)
    page = phone.get(f"{PAGE}/read").text
    assert "see a card differently: choose what it is." in page
    assert "Named by" not in page


def test_cards_of_another_deck_are_told(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    reader.says = Photograph((), b"", looks_like="piquet")
    send_photo(phone)
    page = phone.get(f"{PAGE}/read").text
    assert "These look like cards of piquet, not of " in page


def test_a_large_photograph_comes_through_whole(room: Room, reader: FakeReader) -> None:
    content = bytes(range(256)) * 4096 * 15
    assert send_photo(room.browser().sit(1), content).status_code == 303
    assert reader.sent == [content]


def test_unsure_cards_are_chosen_by_a_person(room: Room, reader: FakeReader) -> None:
    reader.says = Photograph(UNSURE, b"")
    phone = room.browser().sit(0)
    send_photo(phone)
    page = phone.get(f"{PAGE}/read").text
    assert "Right?" not in page
    assert 'name="read-1" value="20" required checked' in page
    assert 'name="read-3" value="15" required>' in page
    assert "back" not in page.partition("Card 3")[2].partition("Take another")[0]
    hidden = hidden_fields(page, "/seat/answer")
    fields = {"read-1": "20", "read-2": "10", "read-3": "5"}
    assert phone.post("/seat/answer", **hidden, **fields).status_code == 303
    assert room.door.entries == [Answer(REVEAL, "reveal", ("20", "10", "5"), None, "phone")]


def test_a_card_too_many_can_be_left_out(room: Room, reader: FakeReader) -> None:
    reader.says = Photograph((*SURE[:3], ReadCard("15", True, True, True, 0.9)), b"")
    phone = room.browser().sit(0)
    send_photo(phone)
    page = phone.get(f"{PAGE}/read").text
    assert "3 cards should lie there, not 4." in page
    assert "Right?" not in page
    fields = {"read-1": "20", "read-2": "10", "read-3": "10", "read-4": ""}
    phone.post("/seat/answer", **hidden_fields(page, "/seat/answer"), **fields)
    assert room.door.entries == [Answer(REVEAL, "reveal", ("20", "10", "10"), None, "phone")]


def test_no_card_is_told(room: Room, reader: FakeReader) -> None:
    reader.says = Photograph((), b"")
    phone = room.browser().sit(0)
    send_photo(phone)
    assert "I see no cards" in phone.get(f"{PAGE}/read").text


@pytest.mark.parametrize("why", get_args(UnreadReason))
def test_what_can_not_be_read_is_told_where_another_is_taken(
    room: Room, reader: FakeReader, why: UnreadReason
) -> None:
    reader.says = UnreadPhotograph(why)
    response = send_photo(room.browser().sit(1))
    assert response.status_code == 422
    assert response.text.count('role="alert"') == 1
    assert 'type="file"' in response.text


def test_only_who_is_asked_for_cards_may_send(room: Room, reader: FakeReader) -> None:
    seated, looker, host = room.browser().sit(1), room.browser(), room.browser().host()
    hidden = hidden_fields(seated.get(PAGE).text, PAGE)
    for phone in (looker, host):
        assert post_form(phone, PAGE, b"photograph", **hidden).status_code == 403
        assert phone.get(PAGE).status_code == 303
    for page in ("/seat/photo/announce", "/seat/photo/nothing", f"/host/photo/{REVEAL}", "/host/photo/99"):
        assert post_form(seated, page, b"photograph", **hidden).status_code == 403
    assert reader.sent == []
    assert room.door.entries == []


def test_a_body_from_a_seat_that_is_not_asked_is_never_parsed(room: Room, reader: FakeReader) -> None:
    content = b"--x\r\n" * 1000
    response = room.browser().client.post(PAGE, data=content, content_type="multipart/form-data; boundary=x")
    assert response.status_code == 403
    assert reader.sent == []


def test_the_form_has_to_be_ours(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    assert send_photo(phone, form="x").status_code == 403
    assert post_form(phone, PAGE, b"photograph").status_code == 403
    assert reader.sent == []


def test_without_a_photograph_nothing_is_read(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    hidden = hidden_fields(phone.get(PAGE).text, PAGE)
    assert phone.post(PAGE, **hidden).status_code == 400
    assert phone.post(PAGE, **hidden, photo="text").status_code == 400
    for content in (b"", b"nonsense", b"--x\r\n\r\n"):
        response = phone.client.post(PAGE, data=content, content_type="multipart/form-data; boundary=x")
        assert response.status_code == 403
    assert reader.sent == []


def test_a_photograph_that_is_too_large_is_one_line(room: Room, reader: FakeReader) -> None:
    response = send_photo(room.browser().sit(1), bytes(LONGEST + 1))
    assert response.status_code == 413
    assert "larger than 20 MB" in response.text
    assert reader.sent == []


def test_everything_else_stays_small(room: Room) -> None:
    phone = room.browser().sit(1)
    hidden = hidden_fields(phone.get("/seat").text, "/seat/answer")
    assert phone.post("/seat/answer", **hidden, more="x" * 20_000).status_code == 413


def test_one_at_a_time(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    reader.may_end.clear()
    codes: list[int] = []
    first = Thread(target=lambda: codes.append(send_photo(phone).status_code))
    first.start()
    assert reader.begun.wait(10)
    assert send_photo(phone).status_code == 429
    reader.may_end.set()
    first.join()
    assert codes == [303]
    assert len(reader.sent) == 1
    assert send_photo(phone).status_code == 303


def test_not_all_the_time(room: Room) -> None:
    phone = room.browser().sit(1)
    assert [send_photo(phone).status_code for _time in range(7)] == [303] * 6 + [429]


def test_what_was_read_is_the_phones_own(room: Room) -> None:
    phone, other = room.browser().sit(1), room.browser().sit(0)
    send_photo(phone)
    assert other.get("/photo.jpg").status_code == 404
    assert room.browser().get("/photo.jpg").status_code == 404
    assert other.get(f"{PAGE}/read").headers["Location"] == PAGE


def test_a_photograph_of_an_earlier_moment_asks_nothing(room: Room) -> None:
    phone = room.browser().sit(1)
    send_photo(phone)
    taken_back = enter(room.door.match, TakeBack(REVEAL, 1))
    assert isinstance(taken_back, Match)
    again = enter(taken_back, Answer(REVEAL + 1, "turn", Option("coyote"), 1))
    assert isinstance(again, Match)
    room.door.match = again
    assert phone.get(f"{PAGE}/read").headers["Location"] == PAGE


def test_the_host_puts_cards_right_by_a_photograph(tmp_path: Path, reader: FakeReader) -> None:
    keep_picture(tmp_path)
    room = room_with(reveal_cards(match_of()), tmp_path, photographs=reader)
    reader.says = Photograph((ReadCard("15", True, True, True, 0.9), *SURE[1:]), b"")
    host, page = room.browser().host(), f"/host/photo/{REVEAL}"
    assert f'href="{page}"' in host.get(f"/host/correct/{REVEAL}").text
    assert 'href="/host/photo/1"' not in host.get("/host/correct/1").text
    assert send_photo(host, page=page).status_code == 303
    read = host.get(f"{page}/read").text
    assert "I read: 15, 10, 10. Right?" in read
    goes_to = f"/host/correct/{REVEAL}"
    assert host.post(goes_to, **hidden_fields(read, goes_to), cards='["15","10","10"]').status_code == 303
    assert room.door.entries == [Correct(REVEAL + 1, REVEAL, ("15", "10", "10"))]

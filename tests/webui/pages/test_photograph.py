"""Evidence of cards: photos by phone count once confirmed; seats object to pictures, and the host corrects."""

import re
from functools import partial
from pathlib import Path
from threading import Thread
from typing import get_args

import pytest
from werkzeug.test import TestResponse

from firmware.services.photographs import (
    EvidenceFiles,
    Photograph,
    PhotographEvidence,
    ReadCard,
    UnreadReason,
    cards_read,
)
from firmware.table.client import TableSummary
from firmware.table.notices import Notice
from referee.contract import Answer, Option, Show
from referee.legal import ask_named
from referee.match import Correct, TakeBack, hear
from tests.given import allowed, present
from tests.referee.games.coup_d_etat.script import dealt
from tests.webui.fakes import SURE, FakeReader, read_card
from tests.webui.matches import (
    JPEG,
    READING,
    REVEAL,
    SHOWN,
    call_coyote,
    keep_picture,
    prove_duke,
    reveal_cards,
)
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from vision.sightings import RunnerUp
from webui.server.uploads import MAX_PICTURE_BYTES
from webui.views.alternatives import camera_answers, related_answers

PAGE = "/seat/photo/reveal"
PICTURED = Photograph(cards_read(READING.cards), b"the room", PhotographEvidence(JPEG, READING))
"""A photograph of the three cards, and one face down."""


def send_photo(phone: Browser, content: bytes = b"photograph", page: str = PAGE, **fields: str) -> TestResponse:
    return post_form(phone, page, content, **{**hidden_fields(phone.get(page).text, page), **fields})


def post_form(phone: Browser, page: str, content: bytes, **fields: str) -> TestResponse:
    """Submit a form like a browser: its fields first, then the file."""
    part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    head = "".join(part.format(*field) for field in fields.items())
    file = '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body = (head + file).encode() + content + b"\r\n--x--\r\n"
    return phone.client.post(page, data=body, content_type="multipart/form-data; boundary=x")


def review(phone: Browser, page: str = PAGE, goes_to: str = "/seat/answer") -> dict[str, str]:
    assert send_photo(phone, page=page).status_code == 303
    return hidden_fields(phone.get(f"{page}/read").text, goes_to)


GUESSES = (RunnerUp("15", 0.5), RunnerUp("back", 0.4), RunnerUp("5", 0.3))
UNSURE = (*SURE[:2], read_card(None, sure=False, score=0.5, guesses=GUESSES))


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def room(tmp_path: Path, reader: FakeReader) -> Room:
    return room_with(call_coyote(match_of()), tmp_path, photographs=reader)


@pytest.mark.parametrize(
    ("cards", "chosen"),
    [
        (UNSURE, ("20", "10", "5")),
        # one card too many is omitted
        ((*SURE[:3], read_card("15")), ("20", "10", "10", "")),
    ],
)
def test_uncertain_cards_are_chosen_by_a_person(
    room: Room, reader: FakeReader, cards: tuple[ReadCard, ...], chosen: tuple[str, ...]
) -> None:
    reader.says = Photograph(cards, b"")
    phone = room.browser().sit(0)
    hidden = review(phone)
    assert 'value="back"' not in phone.get(f"{PAGE}/read").text
    fields = {f"read-{number}": card for number, card in enumerate(chosen, 1)}
    assert phone.post("/seat/answer", **hidden, **fields).status_code == 303
    assert room.client.entries == [Answer(REVEAL, "reveal", chosen[:3], None, "phone")]


@pytest.mark.parametrize("why", get_args(UnreadReason))
def test_unreadable_photo_asks_for_another(room: Room, reader: FakeReader, why: UnreadReason) -> None:
    reader.says = why
    response = send_photo(room.browser().sit(1))
    assert response.status_code == 422
    assert response.text.count('role="alert"') == 1
    assert 'type="file"' in response.text


def test_only_asked_seats_send_photos_of_a_bearable_size(room: Room, reader: FakeReader) -> None:
    seated, looker, host = room.browser().sit(1), room.browser(), room.browser().host()
    hidden = hidden_fields(seated.get(PAGE).text, PAGE)
    for phone in (looker, host):
        assert post_form(phone, PAGE, b"photograph", **hidden).status_code == 403
        assert phone.get(PAGE).status_code == 303
    for page in ("/seat/photo/announce", "/seat/photo/nothing", f"/host/photo/{REVEAL}", "/host/photo/99"):
        assert post_form(seated, page, b"photograph", **hidden).status_code == 403
    assert send_photo(seated, bytes(MAX_PICTURE_BYTES + 5000)).status_code == 413
    assert (reader.sent, room.client.entries) == ([], [])


def test_photos_are_serialised_and_rate_limited(room: Room, reader: FakeReader) -> None:
    phone = room.browser().sit(1)
    reader.may_end.clear()
    codes: list[int] = []
    first = Thread(target=lambda: codes.append(send_photo(phone).status_code))
    first.start()
    assert reader.begun.wait(60)
    assert send_photo(phone).status_code == 429
    reader.may_end.set()
    first.join()
    assert (codes, len(reader.sent)) == ([303], 1)
    other = room.browser().sit(0)
    codes = [send_photo(other).status_code for _time in range(7)]
    assert codes == [303] * 6 + [429]


def test_photo_reading_belongs_to_phone_and_moment(room: Room) -> None:
    phone, other = room.browser().sit(1), room.browser().sit(0)
    send_photo(phone)
    assert other.get("/photo.jpg").status_code == room.browser().get("/photo.jpg").status_code == 404
    assert other.get(f"{PAGE}/read").headers["Location"] == PAGE
    assert phone.get(f"{PAGE}/read").status_code == 200
    for entry in (TakeBack(REVEAL, 1), Answer(REVEAL + 1, "turn", Option("coyote"), 1)):
        room.client.match = allowed(hear(room.client.match, entry))
    assert phone.get(f"{PAGE}/read").headers["Location"] == PAGE


WHY, CORRECT = f"/why/{REVEAL}", f"/host/correct/{REVEAL}"
CARDS = '["20","10","10"]'


def kept_files(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "evidence").glob("*"))


def test_photo_counts_once_confirmed_and_becomes_evidence(
    room: Room, reader: FakeReader, tmp_path: Path
) -> None:
    reader.says = PICTURED
    phone, other, content = room.browser().sit(1), room.browser().sit(0), bytes(range(256)) * 4096 * 15
    assert send_photo(phone, content).headers["Location"] == f"{PAGE}/read"
    assert reader.sent == [content]
    page = phone.get(f"{PAGE}/read").text
    assert "I read: 20, 10, 10. Right?" in page
    assert phone.get("/photo.jpg").data == b"the room"
    assert (room.client.entries, kept_files(tmp_path)) == ([], [])
    hidden = hidden_fields(page, "/seat/answer")
    # another phone's photo is no evidence
    before = room.client.match
    other.send("/seat", "/seat/answer", photograph=hidden["photograph"], cards=CARDS)
    assert (len(room.client.entries), kept_files(tmp_path)) == (1, [])
    room.client.match = before
    assert phone.post("/seat/answer", **hidden, cards=CARDS).status_code == 303
    assert room.client.entries[1:] == [Answer(REVEAL, "reveal", SHOWN, None, "phone")]
    assert kept_files(tmp_path) == [f"1.{REVEAL + 1:06d}.{kind}" for kind in ("jpg", "json")]
    assert f'href="{WHY}"' in room.browser().get("/").text
    page = room.browser().get(WHY).text
    assert "A phone took this picture" in page
    assert "by hand" not in page
    assert room.browser().get(f"{WHY}.jpg").data == JPEG


BY_HAND = {"card-20": "1", "card-10": "2"}
FORMS = (
    BY_HAND,
    {"cards": '["10","20","10"]'},
    {"cards": '[ "20","10","10"]'},
    {"read-1": "20", "read-2": "10"},
    {"read-1": "20", "read-2": "10", "read-3": "10", "read-4": ""},
    {"read-1": "x3", "read-2": "10", "read-3": "10"},
    # no form field determines a file name
    *({"photograph": mark, "cards": CARDS} for mark in ("", "../1", "1.000004", "é" * 50)),
)


@pytest.mark.parametrize("fields", FORMS)
def test_manually_entered_cards_have_no_photo_evidence(
    room: Room, reader: FakeReader, tmp_path: Path, fields: dict[str, str]
) -> None:
    reader.says = PICTURED
    phone = room.browser().sit(1)
    phone.post("/seat/answer", **{**review(phone), **fields})
    assert len(room.client.entries) == 1
    assert kept_files(tmp_path) == []
    assert room.browser().get(WHY).status_code == 404


def test_correction_by_photo_stores_it_as_evidence(tmp_path: Path, reader: FakeReader) -> None:
    keep_picture(tmp_path)
    reader.says = Photograph(PICTURED.cards, b"", PhotographEvidence(b"\xff\xd8corrected", READING))
    seen_room = room_with(reveal_cards(match_of()), tmp_path, photographs=reader)
    host = seen_room.browser().host()
    assert seen_room.browser().get(f"{WHY}.jpg").data == JPEG
    hidden = review(host, f"/host/photo/{REVEAL}", CORRECT)
    fields = {"read-1": "20", "read-2": "15", "read-3": "10"}
    assert host.post(CORRECT, **hidden, **fields).status_code == 303
    assert seen_room.client.entries == [Correct(REVEAL + 1, REVEAL, ("20", "15", "10"))]
    for here in (seen_room, room_with(seen_room.client.match, tmp_path)):
        page = here.browser().get(WHY).text
        assert "chosen by hand: 15" in page
        assert "corrected by the host" in page
        assert here.browser().get(f"{WHY}.jpg").data == b"\xff\xd8corrected"
    seen_room.client.match = allowed(
        hear(seen_room.client.match, Correct(seen_room.client.match.number, REVEAL))
    )
    assert seen_room.browser().get(WHY).status_code == 404


def test_photo_is_dropped_if_it_cannot_be_kept_for_its_match(tmp_path: Path) -> None:
    status = [TableSummary(id=1), TableSummary(id=2)]
    files = EvidenceFiles(tmp_path, lambda: status[0])
    with files.expect_photograph(REVEAL) as keep:
        assert files.photographed_answers() == {REVEAL}
        # a new match begins
        status.pop(0)
        keep(present(PICTURED.evidence), ())
    assert (files.photographed_answers(), list(tmp_path.iterdir())) == (frozenset(), [])
    (tmp_path / "evidence").write_bytes(b"no folder")
    reported = list[str]()
    files = EvidenceFiles(tmp_path / "evidence", partial(TableSummary, 1), reported.append)
    with files.expect_photograph(REVEAL) as keep:
        keep(present(PICTURED.evidence), ())
    assert (files.photographed_answers(), len(reported)) == (frozenset(), 1)


# evidence of the table's own camera


@pytest.fixture
def ruled(tmp_path: Path) -> Room:
    keep_picture(tmp_path)
    return room_with(reveal_cards(match_of()), tmp_path)


def test_pictures_are_of_this_match_and_its_camera_answers(tmp_path: Path) -> None:
    keep_picture(tmp_path, match="2")
    keep_picture(tmp_path, match="11")
    ruled = room_with(reveal_cards(match_of()), tmp_path)
    assert ruled.browser().get("/").text.count('href="/why/') == 1
    assert f'src="{WHY}.jpg"' not in ruled.browser().get(WHY).text
    odd = (
        "0",
        "99",
        "9" * 21,
        "4",
        "../links.json",
        "%2e%2e%2flinks.json",
        "3%00.jpg",
        "-3",
        "3.json",
        "x.jpg",
    )
    for path in (str(REVEAL), *odd):
        assert ruled.browser().get(f"/why/{path}.jpg").status_code == 404, path
    for path in odd:
        assert ruled.browser().get(f"/why/{path}").status_code == 404, path
    # cards that were typed have none
    ruled.client.match = call_coyote(match_of())
    ruled.browser().sit(0).send("/seat", "/seat/answer", **{"card-20": 1, "card-10": 2})
    assert ruled.client.match.number == REVEAL + 1
    assert "/why/" not in ruled.browser().get("/").text
    assert ruled.browser().get(WHY).status_code == 404


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"match":"1"}', b"\xff\xfe", None])
def test_unreadable_reading_shows_one_line(tmp_path: Path, content: bytes | None) -> None:
    sidecar = keep_picture(tmp_path).with_suffix(".json")
    sidecar.unlink()
    if content is not None:
        sidecar.write_bytes(content)
    ruled = room_with(reveal_cards(match_of()), tmp_path)
    page = ruled.browser().get(WHY).text
    assert page.count("The reading is lost") == 1
    assert f'src="{WHY}.jpg"' in page
    assert ruled.browser().host().get(CORRECT).status_code == 200


def test_objection_remains_until_the_host_decides(ruled: Room) -> None:
    looker, phone, host = ruled.browser(), ruled.browser().sit(1), ruled.browser().host()
    hidden = hidden_fields(phone.get(WHY).text, f"{WHY}/contest")
    assert looker.post(f"{WHY}/contest", **hidden).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "form": "x"}).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "match": "x"}).status_code == 409
    assert phone.post("/why/2/contest", **hidden).status_code == 404
    assert phone.get(f"{WHY}/contest").status_code == 405
    assert ruled.client.actions == []
    for stand in (True, False):
        assert phone.send(WHY, f"{WHY}/contest").status_code == 303
        assert "Bo contests the cards of answer 3." in ruled.browser().get(WHY).text
        assert phone.post(f"{WHY}/stands", **hidden).status_code == 403
        assert f'href="{CORRECT}"' in host.get("/host").text.partition("The seats")[0]
        if stand:
            assert host.send("/host", f"{WHY}/stands").status_code == 303
        else:
            ruled.client.match = allowed(hear(ruled.client.match, Correct(4, REVEAL, ("20", "10", "15"))))
        assert "contests" not in host.get("/host").text
    assert [phone.send(WHY, f"{WHY}/contest").status_code for _time in range(2)] == [303, 429]
    assert ruled.client.actions == [("do", Notice("contested", {"name": "Bo", "answer": REVEAL}))] * 3


def test_host_corrects_a_card_with_one_tap(ruled: Room) -> None:
    host = ruled.browser().host()
    page = host.get(CORRECT).text
    misread = re.findall(r"<b>(\S+) was really …</b>(.*?)</form>", page, re.DOTALL)
    groups = [(card, re.findall(r"<b>(\S+)</b>", tiles)) for card, tiles in misread]
    assert groups == [("10", ["15", "1"]), ("20", ["10", "2"])]
    assert "The total is 45" in misread[0][1]
    assert page.index("was really") < page.index("How many of each?")
    assert "Answers after it: 1." in host.get(f"/host/correct/{REVEAL - 1}").text
    for cards in ("", "20", "[", "[1]", '{"a":1}', "[" * 3000, '["1"]' * 2):
        assert host.send(CORRECT, CORRECT, cards=cards).status_code == 400
    assert ruled.client.entries == []
    assert host.send(CORRECT, CORRECT, cards='["20","15","10"]').status_code == 303
    assert ruled.client.entries == [Correct(REVEAL + 1, REVEAL, ("20", "15", "10"))]


def test_revoke_shows_pictures_of_both_tricks(tmp_path: Path) -> None:
    """A player discards a seven on a king of hearts, and has a heart in the second trick."""
    match = dealt().declines(1, "victory").match
    for card in ("Kh", "7c", "8h", "9h", "10h", "Jh", "Ah"):
        ask = next(ask for ask in match.asks if isinstance(ask, Show))
        match = allowed(hear(match, Answer(match.number, ask.key, (card,), None, "camera")))
    ground = next(
        each for each in camera_answers(match) if any(ruling.key == "revoke" for ruling in each.rulings)
    )
    denied = next(each.number for each in camera_answers(match) if each.step.answer.value == ("7c",))
    assert related_answers(match, ground) == (denied,)
    ruled = room_with(match, tmp_path)
    assert f'href="/why/{denied}"' in ruled.browser().get(f"/why/{ground.number}").text


@pytest.mark.parametrize(
    ("card", "counts"),
    [
        (read_card("duke"), True),
        (read_card("assassin"), False),
        (read_card(None, sure=False, guesses=(RunnerUp("duke", 0.5),)), False),
    ],
)
def test_photo_of_another_card_proves_no_claim(tmp_path: Path, card: ReadCard, counts: bool) -> None:
    match, reader = prove_duke(), FakeReader()
    reader.says = Photograph((card,), b"")
    prove = present(ask_named(match.asks, "prove"))
    room = room_with(match, tmp_path, photographs=reader)
    phone = room.browser().sit(prove.seats[0])
    hidden = review(phone, "/seat/photo/prove")
    fields = {**hidden_fields(phone.get("/seat").text, "/seat/answer"), "photograph": hidden["photograph"]}
    for card_field in ({"card": "duke"}, {"read-1": "duke"}):
        room.client.match = match
        answer = phone.post("/seat/answer", **{**fields, "ask": "prove", **card_field})
        assert (answer.status_code, room.client.match is match) == ((303, False) if counts else (409, True))

"""Rulings show their pictures; seats may object, and the host corrects."""

import re
from pathlib import Path

import pytest

from firmware.table.notices import Notice
from referee.contract import Answer, Show
from referee.match import Correct, hear
from tests.given import allowed
from tests.referee.games.coup_d_etat.script import dealt
from tests.webui.matches import REVEAL, call_coyote, keep_picture, reveal_cards
from tests.webui.room import Room, hidden_fields, match_of, room_with
from webui.views.alternatives import camera_answers, related_answers

WHY, CORRECT = f"/why/{REVEAL}", f"/host/correct/{REVEAL}"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    keep_picture(tmp_path)
    return room_with(reveal_cards(match_of()), tmp_path)


def test_pictures_are_of_this_match_and_its_camera_answers(tmp_path: Path) -> None:
    keep_picture(tmp_path, match="2")
    keep_picture(tmp_path, match="11")
    room = room_with(reveal_cards(match_of()), tmp_path)
    assert room.browser().get("/").text.count('href="/why/') == 1
    assert f'src="{WHY}.jpg"' not in room.browser().get(WHY).text
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
        assert room.browser().get(f"/why/{path}.jpg").status_code == 404, path
    for path in odd:
        assert room.browser().get(f"/why/{path}").status_code == 404, path
    # cards that were typed have none
    room.client.match = call_coyote(match_of())
    room.browser().sit(0).send("/seat", "/seat/answer", **{"card-20": 1, "card-10": 2})
    assert room.client.match.number == REVEAL + 1
    assert "/why/" not in room.browser().get("/").text
    assert room.browser().get(WHY).status_code == 404


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"match":"1"}', b"\xff\xfe", None])
def test_unreadable_reading_shows_one_line(tmp_path: Path, content: bytes | None) -> None:
    sidecar = keep_picture(tmp_path).with_suffix(".json")
    sidecar.unlink()
    if content is not None:
        sidecar.write_bytes(content)
    room = room_with(reveal_cards(match_of()), tmp_path)
    page = room.browser().get(WHY).text
    assert page.count("The reading is lost") == 1
    assert f'src="{WHY}.jpg"' in page
    assert room.browser().host().get(CORRECT).status_code == 200


def test_objection_remains_until_the_host_decides(room: Room) -> None:
    phone, host = room.browser().sit(1), room.browser().host()
    hidden = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    for stand in (True, False):
        assert phone.send(WHY, f"{WHY}/contest").status_code == 303
        assert "Bo contests the cards of answer 3." in room.browser().get(WHY).text
        assert phone.post(f"{WHY}/stands", **hidden).status_code == 403
        assert f'href="{CORRECT}"' in host.get("/host").text.partition("The seats")[0]
        if stand:
            assert host.send("/host", f"{WHY}/stands").status_code == 303
        else:
            room.client.match = allowed(hear(room.client.match, Correct(4, REVEAL, ("20", "10", "15"))))
        assert "contests" not in host.get("/host").text
    assert room.client.actions == [("say", Notice("contested", {"name": "Bo", "answer": REVEAL}))] * 2


def test_objections_need_seat_and_form_and_are_limited(room: Room) -> None:
    looker, phone = room.browser(), room.browser().sit(1)
    hidden = hidden_fields(phone.get(WHY).text, f"{WHY}/contest")
    assert looker.post(f"{WHY}/contest", **hidden).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "form": "x"}).status_code == 403
    assert phone.post(f"{WHY}/contest", **{**hidden, "match": "x"}).status_code == 409
    assert phone.post("/why/2/contest", **hidden).status_code == 404
    assert phone.get(f"{WHY}/contest").status_code == 405
    assert room.client.actions == []
    codes = [phone.send(WHY, f"{WHY}/contest").status_code for _time in range(4)]
    assert (codes, len(room.client.actions)) == ([303, 303, 303, 429], 3)


def test_host_corrects_a_card_with_one_tap(room: Room) -> None:
    host = room.browser().host()
    page = host.get(CORRECT).text
    misread = re.findall(r"<b>(\S+) was really …</b>(.*?)</form>", page, re.DOTALL)
    groups = [(card, re.findall(r"<b>(\S+)</b>", tiles)) for card, tiles in misread]
    assert groups == [("10", ["15", "1"]), ("20", ["10", "2"])]
    assert "The total is 45" in misread[0][1]
    assert page.index("was really") < page.index("How many of each?")
    assert "Answers after it: 1." in host.get(f"/host/correct/{REVEAL - 1}").text
    for cards in ("", "20", "[", "[1]", '{"a":1}', "[" * 3000, '["1"]' * 2):
        assert host.send(CORRECT, CORRECT, cards=cards).status_code == 400
    assert room.client.entries == []
    assert host.send(CORRECT, CORRECT, cards='["20","15","10"]').status_code == 303
    assert room.client.entries == [Correct(REVEAL + 1, REVEAL, ("20", "15", "10"))]


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
    room = room_with(match, tmp_path)
    assert f'href="/why/{denied}"' in room.browser().get(f"/why/{ground.number}").text

"""Which card is this? Only phones of seats that may see the card ask; the first answer counts."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.table.naming import UnknownOnTable
from referee.kit.french_cards import CARDS
from tests.webui.matches import UNKNOWN, name_question, outline
from tests.webui.room import Browser, Room, match_of, orders, room_with
from vision.process.messages import NameCard, UndoName

CARD = "/seat/card"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return room_with(match_of(), tmp_path)


def tell(phone: Browser, **fields: object) -> int:
    return phone.send("/seat", CARD, **fields).status_code


def test_phone_names_a_card_and_anybody_takes_it_back(room: Room) -> None:
    match = room.client.match
    room.ask_names(name_question(match, 7, before=1))
    ana, bo = room.browser().sit(0), room.browser().sit(1)
    assert "Which card is before Bo?" in ana.get("/seat").text
    page = bo.get("/seat").text
    assert "Which card is before you?" in page
    assert page.count('<button class="t ') == 15
    assert bo.get(f"{CARD}/7.jpg").data == UNKNOWN + b"\x07"
    assert bo.get(f"{CARD}/7.jpg").headers["Cache-Control"] == "no-store"
    assert tell(ana, face="3") == 303
    order = NameCard(outline(7), "3", match.setup.begun, match.number, "seat 1")
    assert orders(room) == [order]
    page = bo.get("/seat").text
    assert "Ana: this is 3." in page
    assert f'action="{CARD}"' not in page
    assert bo.send("/seat", f"{CARD}/undo").status_code == 303
    assert orders(room) == [order, UndoName("3", match.setup.begun, match.number)]
    assert "Which card is before Bo?" in ana.get("/seat").text


def test_thing_that_is_no_card_is_asked_for_again_only_if_it_is_unknown(room: Room) -> None:
    match = room.client.match
    room.ask_names(name_question(match, 7))
    ana = room.browser().sit(0)
    assert tell(ana, face="") == 303
    page = ana.get("/seat").text
    assert "move it a little" in page
    assert f"{CARD}/undo" not in page
    assert orders(room) == [NameCard(outline(7), "", match.setup.begun, match.number, "seat 1")]
    # the eyes still don't know it
    room.ask_names(name_question(match, 7))
    assert f'action="{CARD}"' in ana.get("/seat").text


def test_likely_card_is_compared_with_its_earlier_picture(room: Room) -> None:
    asked = name_question(room.client.match, 7, like=("3", "5"), earlier=b"earlier")
    room.ask_names(asked)
    ana = room.browser().sit(0)
    page = ana.get("/seat").text
    assert "Yes, 3" in page
    assert ana.get(f"{CARD}/7/earlier.jpg").data == b"earlier"
    assert room.browser().get(f"{CARD}/7/earlier.jpg").status_code == 404
    # a poor match has no preset answer
    poor = UnknownOnTable(7, replace(asked.unknown.card, is_good=False))
    room.ask_names(replace(asked, unknown=poor))
    page = ana.get("/seat").text
    assert "Yes, 3" not in page
    assert page.count('<button class="t" name="face"') == 2


def test_seat_that_may_not_see_a_card_gets_no_picture(room: Room) -> None:
    room.ask_names(name_question(room.client.match, 7, seats=(1, 2), before=0, is_open=False))
    ana, bo = room.browser().sit(0), room.browser().sit(1)
    page = ana.get("/seat").text
    assert f"{CARD}/7.jpg" not in page
    assert "Bo, Chloé &lt;b&gt; can name a card for the table; you may not see it." in page
    assert bo.get(f"{CARD}/7.jpg").status_code == 200
    strangers = (ana, room.browser(), room.browser().host())
    assert [phone.get(f"{CARD}/7.jpg").status_code for phone in strangers] == [404, 404, 404]
    fields = {"number": 7, "face": "3", "form": bo.form("/seat")}
    assert [phone.post(CARD, **fields).status_code for phone in strangers[:2]] == [403, 403]
    assert orders(room) == []


def test_whoever_does_not_know_a_card_is_not_asked_again_at_this_moment(room: Room) -> None:
    match = room.client.match
    room.ask_names(name_question(match, 7))
    ana, bo = room.browser().sit(0), room.browser().sit(1)
    assert tell(ana) == 303
    page = ana.get("/seat").text
    assert "The others are asked now." in page
    assert f'action="{CARD}"' not in page
    assert "Which card is this?" in bo.get("/seat").text
    assert ana.send("/seat", f"{CARD}/undo").status_code == 303
    assert "Which card is this?" in ana.get("/seat").text
    assert tell(ana) == 303
    # the next moment asks again
    room.client.match = replace(match, number=match.number + 1)
    assert "Which card is this?" in ana.get("/seat").text
    assert orders(room) == []


def test_stale_or_wrong_answers_name_nothing(room: Room) -> None:
    room.ask_names(name_question(room.client.match, 7))
    ana = room.browser().sit(0)
    for fields in ({"number": 8, "face": "3"}, {"number": "x", "face": "3"}, {"number": 7, "face": "duke"}):
        assert tell(ana, **fields) == 409
    assert ana.post(CARD, number=7, face="3").status_code == 403
    assert ana.send("/seat", CARD, number=7).status_code == 303
    assert tell(room.browser().sit(1), face="back") == 303
    assert [each.face for each in orders(room) if isinstance(each, NameCard)] == ["back"]


def test_screen_shows_open_cards_only(room: Room) -> None:
    match = room.client.match
    screen = room.screen()
    room.ask_names(name_question(match, 7))
    assert f"{CARD}/7.jpg" in screen.get("/screen").text
    assert screen.get(f"{CARD}/7.jpg").status_code == 200
    room.ask_names(name_question(match, 8, seats=(1,), is_open=False))
    page = screen.get("/screen").text
    assert f"{CARD}/8.jpg" not in page
    assert "The phones of Bo ask which card this is." in page
    assert screen.get(f"{CARD}/8.jpg").status_code == 404


def test_faces_of_52_cards_are_keys_by_suit_and_stay_in_place(room: Room) -> None:
    asked = name_question(room.client.match, 7)
    deck = replace(asked.ask.deck, counts=dict.fromkeys(CARDS, 1))
    cards = replace(asked.ask, deck=deck, among={**deck.counts, "Ks": 0})
    room.ask_names(replace(asked, ask=cards))
    page = room.browser().sit(0).get("/seat").text
    assert page.count('class="keys suit-') == 4
    spades = page.split('class="keys suit-s"')[1].split("</div>")[0]
    assert re.findall('value="([^"]+)" aria-label="([^"]+)"', spades)[:3] == [
        ("As", "As"), ("Ks", "Ks"), ("Qs", "Qs")
    ]  # fmt: skip
    assert spades.count("<s>") == 1

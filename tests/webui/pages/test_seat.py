"""Links of seats and the host: their access, permitted answers, and results."""

import re
from concurrent.futures import Future
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from firmware.table.client import TableSummary
from hardware.twin.player import play_on
from referee.contract import Answer, Choice, Option, Show
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Correct, TakeBack, hear
from tests.given import allowed, present
from tests.plugins.played import match_after
from tests.referee.tables import after_any
from tests.webui.matches import call_coyote, open_round, prove_duke
from tests.webui.room import Room, hidden_fields, match_of, room_with, said
from webui.access.viewers import SEAT, cookie_name, hint_mark, read_hints, with_hint_heard
from webui.pages.players import entering


def test_player_answers_and_takes_back_only_for_itself_and_once(room: Room) -> None:
    room.client.match = open_round(room.client.match)
    phone, other = room.browser().sit(0), room.browser().sit(1)
    old, page = hidden_fields(phone.get("/seat").text, "/seat/answer"), other.get("/seat").text
    assert 'action="/seat/answer"' not in page
    form = {**hidden_fields(page, "/seat/back"), "ask": "announce", "seat": "0"}
    assert other.post("/seat/answer", **form, number=3).status_code == 409
    assert other.post("/seat/answer", **old, number=3).status_code == 403
    assert phone.post("/seat/answer", **{**old, "match": "0" * 12}, number=3).status_code == 409
    assert phone.post("/seat/hand-over", form="").status_code == 403
    assert room.client.match.number == 1
    assert phone.post("/seat/answer", **old, number=3).status_code == 303
    assert 'action="/seat/back"' not in other.get("/seat").text
    # a second tap comes too late
    assert "That answers an earlier question" in phone.post("/seat/answer", **old, number=3).text
    assert phone.post("/seat/answer", **old, number=3, at="twin").headers["Location"] == "/twin#asked"
    assert phone.send("/seat", "/seat/back").status_code == 303
    assert room.client.entries[-1] == TakeBack(2, 0)


def test_one_tap_claims_an_unowned_card(room: Room) -> None:
    """Chloé's card was seen, those of Ana and Bo could be swapped: as soon as Bo names his, all are known."""
    called = call_coyote(match_of(), 30)
    room.client.match = allowed(
        hear(called, Answer(3, "reveal", ("20", "10", "5"), None, "camera", owners=(None, None, 2)))
    )
    phone, other, known = (room.browser().sit(seat) for seat in (1, 0, 2))
    page = phone.get("/seat").text
    assert (page.count("claim-it"), known.get("/seat").text.count("claim-it")) == (2, 0)
    form = hidden_fields(page, "/seat/mine")
    own = hidden_fields(known.get("/seat").text, "/seat/hand-over")["form"]
    assert known.post("/seat/mine", **{**form, "form": own}, face="20").status_code == 409
    for face in ("5", "15", ""):
        assert phone.post("/seat/mine", **form, face=face).status_code == 409
    assert room.client.entries == []
    assert phone.post("/seat/mine", **form, face="10").status_code == 303
    assert room.client.entries == [Correct(4, 3, ("20", "10", "5"), (None, 1, 2))]
    assert [(ruling.key, ruling.values) for ruling in room.client.match.rulings] == [
        ("was-of", {"seat": 1, "card": "10"})
    ]
    assert re.findall('class="whose[^>]*>([^<]*)<', phone.get("/seat").text) == [
        "Ana",
        "yours",
        "Chloé &lt;b&gt;",
    ]
    assert "claim-it" not in other.get("/seat").text
    assert phone.post("/seat/mine", **form, face="20").status_code == 409


def test_seat_transfer_voids_old_codes(room: Room) -> None:
    phone = room.browser().sit(0)
    old = phone.links.codes[0]
    response = phone.send("/seat", "/seat/hand-over")
    assert old != phone.links.codes[0]
    assert phone.links.codes[0] in response.text
    assert phone.client.get_cookie(cookie_name(phone.links, SEAT)) is None
    assert phone.send("/seat", "/seat/take", code=old).status_code == 403
    # a code is accepted however it is typed
    code = phone.links.codes[2]
    assert phone.send("/seat", "/seat/take", code=f" {code[:2].lower()} {code[2:]} ").status_code == 303
    assert room.browser().send("/seat", "/seat/take", code=code).status_code == 403
    assert "You are Chloé &lt;b&gt;." in phone.get("/seat").text


def test_unresponsive_or_unsaving_table_is_reported(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering.result_or_why, "__defaults__", (0.0,))
    phone = room.browser().sit(0)
    late, cancelled, kept = Future[Any](), Future[Any](), Future[Any]()
    cancelled.cancel()
    kept.set_result(said("the disk is full"))
    for future, words in ((late, "answered yet"), (cancelled, "shutting down"), (kept, "the disk is full")):
        monkeypatch.setattr(room.client, "submit", lambda _entry, _begun, future=future: future)
        response = phone.send("/seat", "/seat/answer", option='{"word":"opens","seat":0}')
        assert (response.status_code, words in response.text) == (409, True)


def test_earlier_pages_can_answer_an_open_window(tmp_path: Path) -> None:
    match = open_round(match_of(GAMES["coup"]))
    claimed = allowed(hear(match, Answer(match.number, "action", Option("tax"), 0)))
    room = room_with(claimed, tmp_path)
    first, second = room.browser().sit(1), room.browser().sit(2)
    forms = [hidden_fields(phone.get("/seat").text, "/seat/answer") for phone in (first, second)]
    for phone, hidden in zip((first, second), forms, strict=True):
        sent = {**hidden, "option": '{"word":"pass"}'}
        assert phone.post("/seat/answer", **sent).status_code == 303


def with_cards_asked(folder: Path) -> tuple[Room, Show]:
    match = match_of(GAMES["coup"], 3)
    rng = Random(1)
    while not isinstance(ask := match.asks[0], Show):
        match = after_any(match, rng)
    return room_with(match, folder), ask


def test_only_entitled_seats_reject_a_likely_card(tmp_path: Path) -> None:
    room, ask = with_cards_asked(tmp_path)
    match, face = room.client.match, next(face for face, count in ask.among.items() if count)
    asked, other, host = (
        room.browser().sit(ask.seats[0]),
        room.browser().sit((ask.seats[0] + 1) % 3),
        room.browser().host(),
    )
    assert '/no"' not in asked.get("/seat").text + host.get("/host").text
    room.client.summary = TableSummary(
        1, taking=Answer(match.number, ask.key, (face,), None, "camera", likely=face)
    )
    assert '/seat/no"' not in other.get("/seat").text
    other_form = hidden_fields(other.get("/seat").text, "/seat/hand-over")
    form = hidden_fields(asked.get("/seat").text, "/seat/no")
    assert form["face"] == face
    for phone, fields, code in (
        (other, {**other_form, "match": form["match"], "moment": form["moment"], "face": face}, 403),
        (asked, {**form, "form": ""}, 403),
        (asked, {**form, "moment": match.number - 1}, 409),
        (asked, {**form, "match": ""}, 409),
    ):
        assert phone.post("/seat/no", **fields).status_code == code
    assert asked.post("/host/no", **form).status_code == 403
    assert room.client.actions == []
    assert asked.post("/seat/no", **form).status_code == 303
    assert host.send("/host", "/host/no").status_code == 303
    assert room.client.actions == [("deny_likely", face, match.number)] * 2


def test_uncertain_card_is_confirmed_by_tap(tmp_path: Path) -> None:
    room, ask = with_cards_asked(tmp_path)
    match = room.client.match
    guesses = [face for face, count in ask.among.items() if count][:2]
    likely = tuple(Answer(match.number, ask.key, (face,), None, "camera") for face in guesses)
    asked, other = room.browser().sit(ask.seats[0]), room.browser().sit((ask.seats[0] + 1) % 3)
    assert 'class="likely"' not in asked.get("/seat").text
    room.client.summary = TableSummary(1, likely=likely)
    assert 'class="likely"' not in other.get("/seat").text
    form = asked.get("/seat").text.partition('class="likely"')[2].partition("</form>")[0]
    offered = [unescape(value) for value in re.findall(r'name="cards" value="([^"]*)"', form)]
    assert offered == [f'["{face}"]' for face in guesses]
    hidden = hidden_fields(f'action="/seat/answer"{form}</form>', "/seat/answer")
    assert asked.post("/seat/answer", **{**hidden, "cards": offered[1]}).status_code == 303
    answer = room.client.match.entry
    assert isinstance(answer, Answer)
    assert (answer.value, answer.sense) == ((guesses[1],), "phone")


CORRECT = "/host/correct/1"


@pytest.fixture
def told(room: Room) -> Room:
    match = open_round(room.client.match)
    room.client.match = allowed(hear(match, Answer(match.number, "announce", 3, 0)))
    return room


def test_host_takes_back_corrects_and_strikes(told: Room) -> None:
    host, match = told.browser().host(), told.client.match
    for address, fields, entry in (
        ("/host/back", {}, TakeBack(2, 0)),
        (CORRECT, {"number": 5}, Correct(2, 1, 5)),
        (CORRECT, {"strike": 1}, Correct(2, 1)),
    ):
        told.client.match = match
        assert host.send("/host" if not fields else address, address, **fields).status_code == 303
        assert told.client.entries[-1] == entry


def test_rejects_illegal_or_stale_correction(told: Room) -> None:
    host = told.browser().host()
    hidden = hidden_fields(host.get(CORRECT).text, CORRECT)
    for address, changed, code in (
        (CORRECT, {"number": -4}, 409),
        *((CORRECT, {"number": wrong}, 400) for wrong in ("x", "", "1.5", "٣", "--1", "9" * 40)),
        ("/host/correct/77", {"number": 3}, 409),
        (CORRECT, {"number": 4, "moment": 1}, 409),
        (CORRECT, {"number": 4, "match": ""}, 409),
    ):
        assert host.post(address, **{**hidden, **changed}).status_code == code
    assert told.client.match.number == 2


def test_number_is_corrected_to_a_call(told: Room) -> None:
    told.client.match = allowed(hear(told.client.match, Answer(2, "announce", 5, 1)))
    host, page = told.browser().host(), "/host/correct/2"
    assert "It was: Coyote!" in host.get(page).text
    for option, code in (("", 400), ('{"word":"opens"}', 409), ('{"word":"coyote"}', 303)):
        assert told.client.match.number == 3
        assert host.send(page, page, ask="turn", option=option).status_code == code
    assert told.client.entries[-2:] == [Correct(3, 2), Answer(4, "turn", Option("coyote"), 1, "phone")]
    assert {ask.key for ask in told.client.match.asks} == {"reveal"}


def test_rematch_is_offered_at_match_end(told: Room) -> None:
    host, phone = told.browser().host(), told.browser().sit(0)
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post("/seat/again", **form).status_code == 303
    assert "/host/again" not in host.get("/host").text
    assert told.client.count("begin_again") == 0
    over = play_on(told.client.match, Random(3))
    for browser, page in ((host, "/host"), (phone, "/seat")):
        told.client.match = over
        assert browser.send(page, f"{page}/again").status_code == 303
        assert told.client.match.number == 0


def test_code_page_shows_only_the_code(told: Room) -> None:
    host = told.browser().host()
    codes, pin = host.links.codes, host.links.pin
    assert host.get("/host/people/99").location == "/host"
    assert not any(each in host.get(page).text for page in ("/host", "/host/people") for each in codes)
    for seat, code in enumerate(codes):
        page = host.get(f"/host/people/{seat}").text
        assert [each for each in (*codes, pin) if each in page] == [code]


def test_player_and_card_are_chosen_in_sequence(tmp_path: Path) -> None:
    match = match_after("love-letter", 3, ("guard",))
    (guess,) = (ask for ask in match.asks if isinstance(ask, Choice))
    room = room_with(match, tmp_path)
    phone = room.browser().sit(0)
    page = phone.get("/seat").text
    values = map(unescape, re.findall(r'name="option" value="([^"]*)"', page))
    sent = [msgspec.json.decode(value, type=Option) for value in values]
    assert sorted(map(str, sent)) == sorted(map(str, guess.options))
    assert [page.count(f'role="group" aria-label="{name}"') for name in match.setup.names] == [0, 1, 1]
    phone.send("/seat", "/seat/answer", option=msgspec.json.encode(sent[3]).decode())
    heard = room.client.entries[-1]
    assert isinstance(heard, Answer)
    assert heard.value == sent[3]


def test_claimed_card_counts_once_somebody_else_has_seen_it(tmp_path: Path) -> None:
    match = prove_duke()
    prove = present(ask_named(match.asks, "prove"))
    (claimant,) = prove.seats
    room = room_with(match, tmp_path)
    mine, others = room.browser().sit(claimant), room.browser().sit((claimant + 1) % len(match.setup.names))
    shown = {"ask": "prove", "card": "duke"}
    assert mine.send("/seat", "/seat/answer", **shown).status_code == 409
    assert room.client.match is match
    assert "I saw the Duke" not in mine.get("/seat").text
    assert "I saw the Duke" in others.get("/seat").text
    ways = [
        (others, "/seat/answer", shown),
        (room.browser().host(), "/host/saw", {}),
        # another card is an admission
        (mine, "/seat/answer", {**shown, "card": "captain"}),
    ]
    for browser, address, fields in ways:
        room.client.match = match
        assert browser.send(address.rpartition("/")[0], address, **fields).status_code == 303
        assert room.client.match.number == match.number + 1


def test_hints_have_five_letters_and_two_hundred_are_stored() -> None:
    marks = [hint_mark("coup", f"ask {number}") for number in range(201)]
    assert {len(mark) for mark in marks} == {5}
    assert len(set(marks)) == 201
    cookie = ""
    for mark in marks:
        cookie = with_hint_heard(read_hints(cookie), mark)
    assert len(cookie) == 5 * 200
    assert read_hints(cookie + marks[0]).seen == read_hints(cookie).seen
    assert not read_hints("".join(marks[:3])).wants(marks[2])
    assert read_hints("".join(marks[:3])).wants(marks[3])

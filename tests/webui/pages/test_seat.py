"""The seat link: who gets in, what a seat may say, and what becomes of it."""

import re
from concurrent.futures import Future
from html import unescape
from pathlib import Path
from random import Random

import msgspec
import pytest

from hardware.twin.player import any_answer, play_on
from referee.contract import Answer, Ask, Choice, Done, Number, Option, Show, Value
from referee.games.catalogue import GAMES
from referee.match import Match, TakeBack, enter, log
from tests.referee.tables import after_any
from tests.webui.coyote_round import open_round
from tests.webui.room import Browser, FakeStatus, Room, hidden_fields, match_of, room_with
from webui.access.guess_limits import FIRST_WAIT, FREE, GuessLimit
from webui.drawing.controls import CARD


def fields_of(ask: Ask, value: Value) -> dict[str, object]:
    """Say a value as the page's own controls send it."""
    match ask, value:
        case Number(), int():
            return {"number": value}
        case Choice(), Option():
            return {"option": msgspec.json.encode(value).decode()}
        case Show(count=1), (card,):
            return {"card": card}
        case Show(), tuple():
            return {f"{CARD}{face}": value.count(face) for face in ask.among}
        case _:
            assert isinstance(ask, Done)
            return {}


def say(phone: Browser, ask: Ask, value: Value) -> int:
    """Answer an ask on a fresh page."""
    page = phone.get("/seat").text
    for form in page.split("<form")[1:]:
        if f'name="ask" value="{ask.key}"' in form:
            hidden = hidden_fields(f"<form{form}", "/seat/answer")
            return phone.post("/seat/answer", **{**hidden, **fields_of(ask, value)}).status_code
    raise AssertionError(f"{ask.key} isn't on the page")


def test_a_seat_says_what_the_last_answer_brought(tmp_path: Path) -> None:
    room = room_with(open_round(match_of()), tmp_path)
    phone = room.browser().sit(0)
    phone.client.set_cookie("hints", "off")
    announce = next(ask for ask in room.door.match.asks if ask.key == "announce")
    assert say(phone, announce, 7) == 303
    assert re.search(r'<p class="just-now">.*Ana says 7\.', phone.get("/seat").text)


@pytest.mark.parametrize("game", ["coyote", "coup"])
def test_who_is_out_is_not_told_to_wait_for_a_turn(game: str, tmp_path: Path) -> None:
    match, rng = match_of(GAMES[game], 4), Random(5)
    while not (outs := [each.seat for each in GAMES[game].standings(match.state) if each.out]):
        match = after_any(match, rng)
    room = room_with(match, tmp_path)
    assert "You are out of this match" in room.browser().sit(outs[0]).get("/seat").text
    asked = {seat for ask in match.asks for seat in ask.seats}
    waits = next(seat for seat in range(4) if seat not in {*outs, *asked})
    page = room.browser().sit(waits).get("/seat").text
    assert "this page changes by itself when you are asked" in page
    assert "You are out of this match" not in page


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_whole_match_is_played_on_phones(game: object, tmp_path: Path) -> None:
    rng = Random(5)
    match = match_of(game, 4)  # type: ignore[arg-type]
    room = room_with(match, tmp_path)
    phones = [room.browser().sit(seat) for seat in range(4)]
    for _turn in range(150):
        match = room.door.match
        if not match.asks:
            break
        answer = any_answer(match.asks, match.number, rng)
        ask = next(ask for ask in match.asks if ask.key == answer.ask)
        assert say(phones[answer.seat or 0], ask, answer.value) == 303
        heard = room.door.match.entry
        assert isinstance(heard, Answer)
        assert (heard.ask, heard.seat, heard.sense) == (answer.ask, answer.seat, "phone")
        assert heard.value == answer.value or sorted(heard.value) == sorted(answer.value)  # type: ignore[arg-type]
    else:
        assert len(log(room.door.match)) == 150


def test_a_number_may_be_typed(room: Room) -> None:
    room.door.match = open_round(room.door.match)
    phone = room.browser().sit(0)
    assert phone.send("/seat", "/seat/answer", number="", other="17").status_code == 303
    assert room.door.entries[-1] == Answer(1, "announce", 17, 0, "phone")


def test_a_number_that_is_not_legal_is_refused_in_words(room: Room) -> None:
    room.door.match = open_round(room.door.match)
    response = room.browser().sit(0).send("/seat", "/seat/answer", number="0")
    assert response.status_code == 409
    assert "0 is too low: say 1 or more." in response.text
    assert 'name="number"' in response.text


@pytest.mark.parametrize("number", ["", "x", "1.5", "9" * 40, "٣", "--1"])
def test_what_is_no_number_is_refused(room: Room, number: str) -> None:
    room.door.match = open_round(room.door.match)
    response = room.browser().sit(0).send("/seat", "/seat/answer", number=number)
    assert response.status_code == 400
    assert room.door.entries == []


def test_a_stale_tap_is_refused_kindly_and_the_fresh_page_is_there(room: Room) -> None:
    room.door.match = open_round(room.door.match)
    phone = room.browser().sit(0)
    old = hidden_fields(phone.get("/seat").text, "/seat/answer")
    assert phone.post("/seat/answer", **old, number=3).status_code == 303
    response = phone.post("/seat/answer", **old, number=3)
    assert response.status_code == 409
    assert "That answers an earlier question" in response.text
    assert "Ana says 3." in response.text


def test_a_tap_for_another_match_is_refused(room: Room) -> None:
    phone = room.browser().sit(0)
    hidden = hidden_fields(phone.get("/seat").text, "/seat/answer")
    response = phone.post("/seat/answer", **{**hidden, "match": "0" * 12}, option='{"word":"opens","seat":0}')
    assert response.status_code == 409
    assert room.door.entries == []


def test_a_seat_answers_for_itself_alone(room: Room) -> None:
    room.door.match = open_round(room.door.match, 1)
    phone = room.browser().sit(0)
    page = phone.get("/seat").text
    assert 'action="/seat/answer"' not in page
    assert "Bo is thinking." in page
    hidden = {**hidden_fields(page, "/seat/back"), "ask": "announce", "seat": "1"}
    response = phone.post("/seat/answer", **hidden, number=3)
    assert response.status_code == 409
    assert "It is the turn of Bo." in response.text


def test_without_a_seat_nothing_is_heard(room: Room) -> None:
    phone = room.browser()
    assert 'action="/seat/answer"' not in phone.get("/seat").text
    form = hidden_fields(phone.get("/seat").text, "/seat/take")
    for address in ("/seat/answer", "/seat/back", "/seat/hand-over"):
        assert phone.post(address, **form, ask="opener").status_code == 403
    assert room.door.entries == []


def test_a_form_of_another_browser_is_refused(room: Room) -> None:
    phone, other = room.browser().sit(0), room.browser().sit(1)
    hidden = hidden_fields(other.get("/seat").text, "/seat/answer")
    response = phone.post("/seat/answer", **hidden, option='{"word":"opens","seat":0}')
    assert response.status_code == 403
    assert phone.post("/seat/hand-over", form="").status_code == 403
    assert room.door.entries == []


def test_an_answer_is_taken_back_by_who_gave_it(room: Room) -> None:
    room.door.match = open_round(room.door.match)
    phone, other = room.browser().sit(0), room.browser().sit(1)
    phone.send("/seat", "/seat/answer", number=3)
    assert 'action="/seat/back"' not in other.get("/seat").text
    assert phone.send("/seat", "/seat/back").status_code == 303
    assert room.door.entries[-1] == TakeBack(2, 0)
    assert "The last answer is taken back." in phone.get("/").text


def test_a_code_is_read_however_it_is_typed(room: Room) -> None:
    phone = room.browser()
    code = phone.links.codes[2]
    page = phone.get(f"/seat?code={code}")
    assert f'value="{code}"' in page.text
    typed = f" {code[:2].lower()} {code[2:]} "
    assert phone.send("/seat", "/seat/take", code=typed).status_code == 303
    assert "You are Chloé &lt;b&gt;." in phone.get("/seat").text


def test_a_phone_can_move_to_another_seat(room: Room) -> None:
    phone = room.browser().sit(0)
    other = phone.links.codes[1]
    assert "You are Ana." in phone.get("/seat?code=USED").text
    page = f"/seat?code={other}"
    assert phone.send(page, "/seat/take", code=other).status_code == 303
    assert "You are Bo." in phone.get("/seat").text


def test_cookies_are_kept_from_scripts_and_other_sites(room: Room) -> None:
    phone = room.browser()
    response = phone.send("/seat", "/seat/take", code=phone.links.codes[0])
    for cookie in (response.headers["Set-Cookie"], room.browser().get("/seat").headers["Set-Cookie"]):
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie


def test_wrong_codes_make_a_stranger_wait_longer_each_time(tmp_path: Path) -> None:
    now = [0.0]
    room = room_with(match_of(), tmp_path, GuessLimit(clock=lambda: now[0]))
    phone = room.browser()
    code = phone.links.codes[0]
    for _try in range(FREE):
        assert phone.send("/seat", "/seat/take", code="????").status_code == 403
    for wait in (FIRST_WAIT, 2 * FIRST_WAIT):
        assert phone.send("/seat", "/seat/take", code=code).status_code == 429
        assert phone.send("/host", "/host/enter", pin=phone.links.pin).status_code == 429
        now[0] += wait
        assert phone.send("/seat", "/seat/take", code="????").status_code == 403
    now[0] += 4 * FIRST_WAIT
    assert phone.send("/seat", "/seat/take", code=code).status_code == 303


def test_a_known_phone_comes_in_by_the_pin_while_strangers_at_its_address_guess(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, GuessLimit(clock=lambda: 0.0))
    seated, stranger = room.browser().sit(0), room.browser()
    for _try in range(FREE + 1):
        stranger.send("/host", "/host/enter", pin="0")
    assert stranger.send("/host", "/host/enter", pin=stranger.links.pin).status_code == 429
    assert seated.send("/host", "/host/enter", pin=seated.links.pin).status_code == 303


def test_a_known_phone_that_guesses_waits_too(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, GuessLimit(clock=lambda: 0.0))
    seated = room.browser().sit(0)
    for _try in range(FREE):
        assert seated.send("/host", "/host/enter", pin="0").status_code == 403
    assert seated.send("/host", "/host/enter", pin=seated.links.pin).status_code == 429


def test_right_codes_make_no_phone_wait(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, GuessLimit(clock=lambda: 0.0))
    for _try in range(2 * FREE):
        room.browser().sit(0).host()
    for _try in range(FREE):
        assert room.browser().send("/seat", "/seat/take", code="????").status_code == 403
    assert room.browser().send("/host", "/host/enter", pin="0").status_code == 429


def test_the_host_sees_what_strangers_tried(room: Room) -> None:
    room.browser().send("/host", "/host/enter", pin="0")
    assert "127.0.0.1 has typed wrong codes or PINs (1)." in room.browser().host().get("/host").text


def test_everybody_sees_that_the_table_pauses(room: Room) -> None:
    phone = room.browser().sit(0)
    assert "Paused: no answer counts" not in phone.get("/seat").text
    room.door.pause()
    for page in ("/", "/seat"):
        assert "Paused: no answer counts" in phone.get(page).text


def test_a_seat_is_handed_over(room: Room) -> None:
    phone = room.browser().sit(0)
    old = phone.links.codes[0]
    response = phone.send("/seat", "/seat/hand-over")
    new = phone.links.codes[0]
    assert new in response.text
    assert new != old
    assert "You are" not in phone.get("/seat").text
    assert room.browser().send("/seat", "/seat/take", code=old).status_code == 403
    assert "You are Ana." in room.browser().sit(0).get("/seat").text


def test_phones_stay_in_when_the_table_starts_again(tmp_path: Path) -> None:
    before = room_with(match_of(), tmp_path)
    token = before.browser().sit(1).token
    file = tmp_path / "links.json"
    assert file.stat().st_mode & 0o777 == 0o600
    phone = room_with(match_of(), tmp_path).browser()
    phone.client.set_cookie("seat", token)
    assert "You are Bo." in phone.get("/seat").text


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"secret":1}', b"\xff"])
def test_a_damaged_file_makes_new_links(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "links.json").write_bytes(damage)
    assert room_with(match_of(), tmp_path).browser().sit(0).get("/seat").status_code == 200


def test_a_seat_that_this_match_does_not_have_is_closed_to_all(tmp_path: Path) -> None:
    room = room_with(match_of(seats=4), tmp_path)
    phone = room.browser().sit(3)
    code = phone.links.codes[3]
    room.door.match = match_of(seats=3)
    assert "You are" not in phone.get("/seat").text
    assert phone.send("/seat", "/seat/take", code=code).status_code == 403


def test_a_table_that_does_not_answer_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.pages.entering.PATIENCE", 0)
    phone = room.browser().sit(0)
    futures = [Future[Match](), Future[Match]()]
    futures[1].cancel()
    monkeypatch.setattr(room.door, "submit", lambda _entry, _begun: futures.pop(0))
    for words in ("hasn't answered yet", "shutting down"):
        response = phone.send("/seat", "/seat/answer", option='{"word":"opens","seat":0}')
        assert response.status_code == 409
        assert words in response.text.replace("&#39;", "'")


def test_what_could_not_be_kept_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    future: Future[str] = Future()
    future.set_result("the disk is full")
    monkeypatch.setattr(room.door, "submit", lambda _entry, _begun: future)
    response = room.browser().sit(0).send("/seat", "/seat/answer", option='{"word":"opens","seat":0}')
    assert response.status_code == 409
    assert "told: the disk is full" in response.text


def test_a_window_stays_open_to_earlier_pages(tmp_path: Path) -> None:
    match = open_round(match_of(GAMES["coup"]))
    claimed = enter(match, Answer(match.number, "action", Option("tax"), 0))
    assert isinstance(claimed, Match)
    room = room_with(claimed, tmp_path)
    first, second = room.browser().sit(1), room.browser().sit(2)
    ask = claimed.asks[0]
    forms = [hidden_fields(phone.get("/seat").text, "/seat/answer") for phone in (first, second)]
    for phone, hidden in zip((first, second), forms, strict=True):
        sent = {**hidden, **fields_of(ask, Option("pass"))}
        assert phone.post("/seat/answer", **sent).status_code == 303


def test_what_the_clock_answers_says_how_long_it_waits(tmp_path: Path) -> None:
    match = match_of(GAMES["coup"], 3)
    for _turn in range(200):
        if any(ask.deadline for ask in match.asks):
            break
        after = enter(match, any_answer(match.asks, match.number, Random(match.number)))
        assert isinstance(after, Match)
        match = after
    ask = next(ask for ask in match.asks if ask.deadline)
    room = room_with(match, tmp_path)
    asked, other = room.browser().sit(ask.seats[0]), room.browser()
    room.door.kept = FakeStatus(ends={ask.key: 1234.5})
    for page in (asked.get("/seat").text, other.get("/").text):
        assert 'data-ends="1234.5" data-left="# s left"' in page
        assert "8 s to answer" in page
    room.door.kept = FakeStatus(is_paused=True)
    assert "data-ends" not in other.get("/").text
    assert "8 s to answer" in other.get("/").text


def test_a_hint_is_told_until_it_is_put_away(room: Room) -> None:
    room.door.match = open_round(room.door.match)
    phone = room.browser().sit(0)
    hint = "You see every card but your own."
    page = phone.get("/seat").text
    assert hint in page
    marks = re.findall(r'name="hint" value="(\w+)"', page)
    assert phone.send("/seat", "/seat/hint", hint=marks[-1]).status_code == 303
    assert hint not in phone.get("/seat").text
    assert phone.send("/seat", "/seat/hint", hint="on").status_code == 303
    assert hint in phone.get("/seat").text
    assert phone.send("/seat", "/seat/hint", hint="off").status_code == 303
    assert 'class="hint"' not in phone.get("/seat").text
    assert room.browser().post("/seat/hint", hint="off").status_code == 403


def test_another_match_begins_from_a_seat_once_this_one_is_over(tmp_path: Path) -> None:
    match = match_of()
    room = room_with(match, tmp_path)
    phone = room.browser().sit(0)
    form = hidden_fields(phone.get("/seat").text, "/seat/hand-over")
    assert phone.post("/seat/again", **form).status_code == 303
    assert room.door.agains == 0
    room.door.match = play_on(match, Random(3))
    assert phone.send("/seat", "/seat/again").status_code == 303
    assert room.door.agains == 1
    assert room.browser().post("/seat/again").status_code == 403


def test_what_cannot_be_chosen_says_why(tmp_path: Path) -> None:
    match = match_of(GAMES["coup"])
    after = enter(match, any_answer(match.asks, match.number, Random(1)))
    assert isinstance(after, Match)
    room = room_with(after, tmp_path)
    (seat,) = after.asks[0].seats
    page = room.browser().sit(seat).get("/seat").text
    assert re.search(r'aria-disabled="true".*?coup.*?That costs 7, you have 2\.', page, re.DOTALL)


def test_a_card_of_which_the_camera_is_not_certain_is_a_tap(tmp_path: Path) -> None:
    match = match_of(GAMES["coup"], 3)
    rng = Random(1)
    while not isinstance(match.asks[0], Show):
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after
    ask, room = match.asks[0], room_with(match, tmp_path)
    guesses = [face for face, count in ask.among.items() if count][:2]
    likely = tuple(Answer(match.number, ask.key, (face,), None, "camera") for face in guesses)
    asked, other = room.browser().sit(ask.seats[0]), room.browser().sit((ask.seats[0] + 1) % 3)
    assert 'class="likely"' not in asked.get("/seat").text
    room.door.kept = FakeStatus(likely=likely)
    assert 'class="likely"' not in other.get("/seat").text
    form = asked.get("/seat").text.partition('class="likely"')[2].partition("</form>")[0]
    offered = [unescape(value) for value in re.findall(r'name="cards" value="([^"]*)"', form)]
    assert offered == [f'["{face}"]' for face in guesses]
    hidden = hidden_fields(f'action="/seat/answer"{form}</form>', "/seat/answer")
    assert asked.post("/seat/answer", **{**hidden, "cards": offered[1]}).status_code == 303
    answer = room.door.match.entry
    assert isinstance(answer, Answer)
    assert (answer.value, answer.sense) == ((guesses[1],), "phone")

"""A new match or a rematch: game, names, house rules; conflicts are reported, and input is preserved."""

import re
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from werkzeug.test import TestResponse

from firmware.integrations.club_messages import ClubNote, NotedSeat
from firmware.services.own_club import ClubLinkStatus
from firmware.storage.errors import JournalError
from firmware.storage.journal import Journal
from firmware.storage.match_history import History
from firmware.table.client import TableSummary
from referee.contract import Answer, Game, Option, Refusal
from referee.games.catalogue import GAMES
from referee.house_rules import house_from
from referee.match import standing_answers
from referee.summaries import day_of
from tests.given import allowed
from tests.referee.tables import after_any
from tests.webui.fakes import CallRecorder, FakeTwin
from tests.webui.matches import play_match
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.server.drawn_pages import picture_of
from webui.views.match_form import begin_agreed_match, form_of_match, read_form

OLIPHANTE = {"edition": "oliphante", "skip_tokens": "2"}


def fields(page: str) -> dict[str, list[str]]:
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", page):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if said.get("type") not in {"checkbox", "radio"} or " checked" in tag:
            sent.setdefault(said["name"], []).append(said.get("value", ""))
    for name, options in re.findall(r'<select name="([^"]*)">(.*?)</select>', page, re.DOTALL):
        sent[name] = re.findall(r'value="([^"]*)"(?= selected)', options) or [options.split('"')[1]]
    return sent


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_unchanged_form_starts_with_default_rules(room: Room, game: Game) -> None:
    host = room.browser().host()
    sent = fields(host.get(f"/host/new?game={game.name}").text)
    assert host.client.post("/host/new", data=sent).status_code == 303
    assert room.client.match.setup.game is game
    assert room.client.match.setup.house == game.rules.house()
    assert room.client.match.setup.names == ("Ana", "Bo", "Chloé &lt;b&gt;")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_form_restores_previous_choices(game: Game) -> None:
    for house in game.rules.settings.values():
        match = match_of(game, game.rules.seats(house).start, house)
        form = form_of_match(match)
        said = {f"seat-{seat}": [name] for seat, name in enumerate(form.names)}
        said |= {f"rule-{name}": text.split(",") for name, text in form.agreed.items() if text != "false"}
        again = allowed(begin_agreed_match(game, read_form(game, said), ""))
        assert (again.setup.house, again.setup.names) == (house, match.setup.names)


def test_conflicting_choices_are_reported_and_preserved(room: Room) -> None:
    host, before = room.browser().host(), room.client.match
    sent = fields(host.get("/host/new?game=coyote").text)
    for change, line in (
        ({"seat-1": ["Ana"]}, "Every player needs a name"),
        ({"seat-0": [""], "seat-1": [""], "seat-2": [" "]}, "can play this, not 0"),
        ({"rule-edition": ["mine"]}, "edition can&#39;t be"),
        ({"rule-edition": ["oliphante"], "rule-skip_tokens": ["-1"]}, "skip_tokens can&#39;t be"),
        ({"rule-edition": ["oliphante"], "rule-skip_tokens": ["9"]}, "there can be 0 to 8 tokens"),
    ):
        page = host.client.post("/host/new", data={**sent, **change})
        assert page.status_code == 400
        assert line in page.text
        assert "Chloé" in page.text or "seat-2" in change
    assert room.client.match is before


TYPED = {"seat-0": "Ana", "seat-1": "Bo", "seat-3": "Chloé"}


@pytest.fixture
def twin_room(twin: FakeTwin, tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, twin=twin)


def test_newcomer_is_seated_with_bots(twin_room: Room, twin: FakeTwin) -> None:
    browser = twin_room.computer()
    asked = browser.send("/welcome", "/welcome", game="ogallala").location
    assert "Who are you?" in browser.get(asked).text
    # bot names in any case and unprintable names are refused
    assert browser.send(asked, "/welcome/me", name="\x1b[2J").status_code == 400
    assert browser.post("/welcome/me", game="ogallala", name="Zoé").status_code == 403
    assert browser.send(asked, "/welcome/me", name="vix").location == "/twin"
    setup = twin_room.client.match.setup
    assert (setup.game.name, setup.names) == ("ogallala", ("vix", "Pip", "Nox"))
    assert setup.house == setup.game.rules.house()
    assert twin.seats == {1, 2}
    assert "You are vix." in browser.get("/seat").text
    assert browser.get(asked).location == "/host/new?game=ogallala&me=0"
    assert browser.post("/welcome/me", game="coup").location == "/welcome"
    # a seated device is asked for its player
    assert browser.send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup&me=0"
    assert twin_room.computer().send("/welcome", "/welcome", game="coup").location == "/host/new?game=coup&me=1"


def test_three_taps_start_against_bots_of_chosen_strength(twin_room: Room, twin: FakeTwin) -> None:
    browser = twin_room.computer()
    chosen = browser.send("/welcome", "/welcome", game="coup", names="first")
    assert chosen.location == "/host/new?game=coup&me=0"
    assert 'name="bots" value="on" checked' in browser.get(chosen.location).text
    fields = {**hidden_fields(browser.get(chosen.location).text, "/host/new"), **TYPED, "me": "3"}
    assert browser.post("/host/new", **fields, bots="on").location == "/twin"
    setup = twin_room.client.match.setup
    assert (setup.game.name, setup.names) == ("coup", ("Ana", "Bo", "Chloé"))
    assert (twin.seats, twin.strength) == ({0, 1}, "plain")
    assert "You are Chloé." in browser.get("/seat").text
    for wished, got in (("strong", "strong"), ("unbeatable", "strong"), ("beginner", "beginner")):
        browser.post("/host/new", **fields, bots="on", strength=wished)
        assert twin.strength == got
    browser.post("/host/new", **fields)
    assert twin.seats == set()


def begin_coyote(browser: Browser, me: int) -> TestResponse:
    names = browser.get(browser.send("/welcome", "/welcome", game="coyote", names="first").location)
    return browser.post("/host/new", **hidden_fields(names.text, "/host/new"), **TYPED, me=str(me))


def test_new_match_gives_no_seat_to_another_person(twin_room: Room) -> None:
    ana, other = twin_room.computer(), twin_room.computer()
    begin_coyote(ana, 0)
    before = twin_room.client.match
    answer = begin_coyote(other, 0)
    assert answer.status_code == 409
    assert "Choose another one" in answer.text
    assert twin_room.client.match is before
    assert "You are Ana." in ana.get("/seat").text
    assert begin_coyote(ana, 0).location == "/twin"


def test_corrected_house_rule_preserves_fitting_answers(room: Room) -> None:
    host = room.browser().host()
    answers = (Answer(0, "opener", Option("opens", seat=1)), Answer(1, "announce", 9, 1))
    for answer in answers:
        room.client.submit(answer)
    before, setup = room.client.match, room.client.match.setup
    assert 'href="/host/rules"' in host.get("/host").text
    sent = {**fields(host.get("/host/rules").text), "rule-direction_persists": ["true"]}
    assert host.client.post("/host/rules", data=sent).status_code == 303
    mended = room.client.match
    assert (mended.setup.house.direction_persists, mended.setup.names) == (True, setup.names)
    assert mended.setup.begun != setup.begun
    assert tuple(step.answer for step in standing_answers(mended)) == answers
    assert fields(host.get("/host/new").text)["rule-direction_persists"] == ["true"]
    assert mended.asks == before.asks
    # an outdated page and conflicting choices change nothing
    assert host.client.post("/host/rules", data=sent).status_code == 403
    sent = {**fields(host.get("/host/rules").text), "rule-edition": ["mine"]}
    assert host.client.post("/host/rules", data=sent).status_code == 400
    assert room.client.match is mended


def test_host_may_have_no_seat_and_bots_play_all(twin_room: Room, twin: FakeTwin) -> None:
    browser = twin_room.computer()
    assert begin_coyote(browser, 0).location == "/twin"
    page = browser.get("/host/new?game=coyote&me=0").text
    sent = {**hidden_fields(page, "/host/new"), **TYPED, "me": "", "bots": "on"}
    assert browser.post("/host/new", **sent).location == "/host"
    assert twin.seats == {0, 1, 2}
    assert "You are Ana." not in browser.get("/seat").text


@pytest.mark.parametrize("is_going_on", [True, False])
def test_club_round_starts_with_one_tap(tmp_path: Path, *, is_going_on: bool) -> None:
    """Names, game and house rules come from the club; a running match is shown first."""
    seats = [NotedSeat(name) for name in ("Dov", "Emi", "Gül")]
    status = ClubLinkStatus("Café", "Table 8", note=ClubNote("Fridays 1/4", "", "coyote", seats, OLIPHANTE))
    before = after_any(match_of(), Random(2)) if is_going_on else match_of()
    room = room_with(before, tmp_path, club=CallRecorder(status=lambda: status))
    host = room.browser().host()
    page = host.get("/host").text
    assert ('href="/host/new">Seat them' in page, 'action="/host/seated"' in page) == (
        is_going_on,
        not is_going_on,
    )
    assert 'href="/host/new">Seat them' in host.get("/host/club").text
    if is_going_on:
        assert host.post("/host/seated", **fields(host.get("/host/new").text)).location == "/host/new"
        assert room.client.match is before
        assert host.client.post("/host/new", data=fields(host.get("/host/new").text)).status_code == 303
    else:
        assert host.post("/host/seated", **hidden_fields(page, "/host/seated")).location == "/host"
    setup = room.client.match.setup
    assert (setup.game.name, setup.names) == ("coyote", ("Dov", "Emi", "Gül"))
    assert (setup.house.edition, setup.house.skip_tokens) == ("oliphante", 2)
    assert "Seat them" not in host.get("/host").text + host.get("/host/club").text
    assert "Dov" in host.get("/host/new?game=coup").text


# a rematch


COYOTE = GAMES["coyote"]
AFAR = "192.0.2.44"


def by_other_rules() -> Struct:
    house = house_from(COYOTE, {"edition": "kidult", "powers": "double"})
    assert not isinstance(house, Refusal)
    return house


def room_of(journal: Journal, folder: Path, **more: Any) -> Room:
    """A table after an evening: Coyote with Eve, then with other rules without her; two matches are open."""
    journal.begin(play_match(COYOTE, ("Ana", "Bo", "Eve")))
    journal.begin(play_match(COYOTE, ("Bo", "Ana", "Pip"), house=by_other_rules()))
    journal.begin(play_match(GAMES["coup"], ("Zoé", "Max"), moments=3))
    journal.begin(play_match(COYOTE, ("Seat 1", "Seat 2"), moments=0))
    return room_with(match_of(), folder, history=History(folder / "journal.sqlite3"), **more)


def chosen(page: str) -> dict[str, bool]:
    boxes = re.findall(r'<input type="checkbox" name="name" value="([^"]*)"( checked)?>', page)
    return {unescape(name): bool(is_chosen) for name, is_chosen in boxes}


def begin_again(browser: Browser, **names: list[str]) -> int:
    fields = hidden_fields(browser.get("/welcome").text, "/welcome/again")
    return browser.client.post("/welcome/again", data={**fields, **names}).status_code


def test_rematch_starts_with_one_tap(journal: Journal, tmp_path: Path) -> None:
    room = room_of(journal, tmp_path)
    host, before = room.browser(AFAR).host(), room.client.match
    page = host.get("/welcome").text
    assert "Coyote, 3 of you." in page
    assert chosen(page) == {"Bo": True, "Ana": True, "Pip": True, "Eve": False, "Zoé": False, "Max": False}
    # too few players, an old page, a forged form, another device
    assert begin_again(host, name=["Ana"]) == 400
    assert begin_again(host, name=["Ana", "Bo"], number=["1"]) == 404
    assert begin_again(host, name=["Ana", "Bo"], form=["forged"]) == 403
    assert room.browser(AFAR).client.post("/welcome/again", data={"name": "Ana"}).location == "/host"
    assert room.client.match is before
    assert begin_again(host, name=["Ana", "Bo", "Pip", "Eve", "Mallory"]) == 303
    setup = room.client.match.setup
    assert (setup.game, setup.names) == (COYOTE, ("Bo", "Ana", "Pip", "Eve"))
    assert setup.house == by_other_rules() != COYOTE.rules.house()


def test_rematch_on_simulated_table_fills_seats_with_bots(journal: Journal, tmp_path: Path) -> None:
    twin = FakeTwin()
    room = room_of(journal, tmp_path, twin=twin)
    browser = room.computer()
    assert begin_again(browser, name=["Pip", "Ana", "Bo"]) == 303
    assert twin.seats == {1, 2}
    assert "You are Bo." in browser.get("/seat").text


def test_no_rematch_offer_with_forgotten_name_or_running_match(journal: Journal, tmp_path: Path) -> None:
    room = room_of(journal, tmp_path)
    host = room.browser(AFAR).host()
    journal.forget("Bo")
    assert "/welcome/again" not in host.get("/welcome").text
    journal.begin(play_match(COYOTE, ("Ana", "Eve")))
    assert chosen(host.get("/welcome").text) == {
        "Ana": True,
        "Eve": True,
        "Pip": False,
        "Zoé": False,
        "Max": False,
    }
    room.client.match = play_match(COYOTE, ("Ana", "Bo"), moments=3)
    assert "/welcome/again" not in host.get("/welcome").text


def screen_of(room: Room) -> Browser:
    screen = room.browser(AFAR).host()
    assert screen.send("/screen", "/screen/ask").status_code == 303
    return screen


def refuse(_path: Path) -> None:
    raise JournalError("journal disk")


def test_screen_recalls_the_last_evening_until_someone_joins(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = room_of(journal, tmp_path)
    room.client.summary = TableSummary(id=None)
    screen = screen_of(room)
    recalled = screen.get("/screen").text
    assert "Coyote, 3 of you." in recalled
    assert all(f"{name}</b>" in recalled for name in ("Bo", "Ana", "Pip", "Eve"))
    assert not any(code in recalled for code in screen.links.codes)
    with monkeypatch.context() as unread:
        unread.setattr("firmware.storage.match_history.open_readonly", refuse)
        assert "3 of you." not in screen.get("/screen").text
    room.browser(AFAR).sit(1)
    assert "3 of you." not in (seated := screen.get("/screen").text)
    assert screen.links.codes[0] in seated


@pytest.mark.parametrize("is_saving", [True, False])
def test_finished_match_shows_the_evening_qr_code(journal: Journal, tmp_path: Path, is_saving: bool) -> None:
    room = room_of(journal, tmp_path)
    room.client.match = play_match(COYOTE, ("Ana", "Bo", "Eve"))
    room.client.summary = TableSummary(id=2, is_saving=is_saving)
    screen = screen_of(room)
    text = screen.get("/screen").text
    day = day_of(room.client.match.setup.begun)
    address = str(picture_of(f"http://192.0.2.7:8000/evenings/{day}"))
    assert (address in text) == is_saving
    assert screen.get(f"/evenings/{day}").status_code == 200
    assert not any(code in text for code in screen.links.codes)

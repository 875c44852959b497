"""Compatibility begins with 1.0.0: all that it has stored opens and comes to the same rulings.

`tests/compatibility/writing.py` wrote it.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

from firmware.services.photographs import EvidenceFiles
from firmware.storage.access_point import WIFI_ACCESS, WifiAccess
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.club import MEMBERSHIP, Outbox, WaitingCall, read_outbox
from firmware.storage.configuration import LOUDSPEAKER, effective_settings, read_choice, settings_in
from firmware.storage.found_table import load_calibration
from firmware.storage.journal import OpenedJournal, open_journal, open_matches, open_readonly, read_again
from firmware.storage.match_history import History
from firmware.storage.match_marks import FORGOTTEN_MARKS, OWNERS, is_kept_paused
from firmware.storage.own_secrets import deal_secret
from firmware.storage.people.links_file import read_links
from firmware.storage.wired_board import KEPT_BUTTONS, KEPT_FAULTS, WIRED_BOARD, BoardFaults, WiredBoard
from firmware.table.client import TableSummary
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox, UsbButton
from referee.contract import Answer, Number
from referee.legal import ask_named
from referee.match import Match
from referee.record import read_record
from tests.compatibility.described import describe_deck, describe_match, is_part, list_rulings
from tests.compatibility.writing import NAMES, TABLE
from tests.firmware.playing import kept_lines
from tests.given import present
from tests.webui.room import Browser, Room, hidden_fields, room_with
from vision.pictures import load_picture
from vision.teaching.taught_decks import load_deck
from webui.access.viewers import HOST, SCREEN, SEAT, cookie_name

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILES = sorted((FIXTURES / "v1.0.0" / "matches").glob("*.jsonl"))
MATCHES = {int(file.stem): file for file in FILES}
RUNNING = max(MATCHES)


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    """Unpack a copy, because opening it may migrate it."""
    with ZipFile(FIXTURES / "v1.0.0.zip") as packed:
        packed.extractall(tmp_path)
    state = tmp_path / "state"
    return TablePlaces(state, state / "journal.sqlite3", tmp_path / "configuration" / "coyote.toml")


@pytest.fixture
def opened(here: TablePlaces) -> Iterator[OpenedJournal]:
    with open_journal(here.journal) as opened:
        yield opened


@pytest.fixture
def place(here: TablePlaces) -> Room:
    with open_readonly(here.journal) as journal:
        match = present(present(read_again(journal, RUNNING)).match)
    # a link to the club would go on looking for it after the test
    MEMBERSHIP.drop(here.state)
    made = room_with(match, here.state)
    made.client.summary = TableSummary(RUNNING)
    return made


def expected(name: str) -> Any:
    return msgspec.json.decode((FIXTURES / "v1.0.0" / "expected" / f"{name}.json").read_bytes())


def must_be_as_written(number: int, match: Match) -> None:
    found = {**describe_match(match), "rulings": list_rulings(match)}
    written = expected(f"{number:02}")
    ranked, now = written.pop("standings"), {each["seat"]: each for each in found["standings"]}
    for each in ranked:
        # a later version may rank players whom 1.0.0 left equal, such as those who left a match of Coup
        ahead = sum(other["place"] <= each["place"] for other in ranked)
        assert each["place"] <= now[each["seat"]]["place"] <= ahead
        assert is_part({**each, "place": now[each["seat"]]["place"]}, now[each["seat"]])
    for name, value in written.items():
        assert is_part(value, found[name]), (name, value, found[name])


# matches


def test_journal_opens_completely(here: TablePlaces, opened: OpenedJournal) -> None:
    assert opened.repairs() == ()
    assert [kept.id for kept in opened.journal.matches()] == [*MATCHES]
    [resumed] = open_matches(opened.journal)
    assert resumed.id == RUNNING
    assert is_kept_paused(here.state, present(resumed.match), RUNNING)
    assert {match.number for match in History(here.journal).all()} == MATCHES.keys()


@pytest.mark.parametrize("number", MATCHES)
def test_match_of_journal_and_file_replays_to_the_same_rulings(number: int, opened: OpenedJournal) -> None:
    resumed = present(read_again(opened.journal, number))
    reading = read_record(MATCHES[number].read_text(encoding="utf-8").splitlines())
    assert (resumed.fault, reading.fault, reading.gaps) == (None, None, ())
    for match in (resumed.match, reading.match):
        must_be_as_written(number, present(match))


# people


def with_cookie(place: Room, kind: str, token: str) -> Browser:
    browser = place.browser()
    browser.client.set_cookie(cookie_name(browser.links, kind), token)
    return browser


def test_phones_and_screen_retain_their_rights(place: Room) -> None:
    for seat, token in enumerate(("phone-of-ana", "phone-of-bo")):
        assert f"You are {NAMES[seat]}." in with_cookie(place, SEAT, token).get("/seat").text
    host = with_cookie(place, HOST, "phone-of-the-host")
    assert 'action="/host/enter"' not in host.get("/host").text
    assert 'data-live="/events/screen"' in with_cookie(place, SCREEN, "the-screen").get("/screen").text


def test_codes_and_pin_admit_new_phones(here: TablePlaces, place: Room) -> None:
    kept = present(read_links(here.state / "links.json"))
    assert (kept.pin, kept.codes) == ("12345678", ("NEWERAA", "NEWERBA", "CODECAA", "CODEDAA"))
    for seat, code in enumerate(kept.codes):
        browser = place.browser()
        assert browser.send("/seat", "/seat/take", code=code).status_code == 303
        assert f"You are {NAMES[seat]}." in browser.get("/seat").text
    browser = place.browser()
    assert browser.send("/host", "/host/enter", pin=kept.pin).status_code == 303
    assert 'action="/host/enter"' not in browser.get("/host").text


def test_a_seated_phone_answers_in_the_running_match(place: Room) -> None:
    ask = ask_named(place.client.match.asks, "announce")
    assert isinstance(ask, Number)
    browser = place.browser().sit(ask.seats[0])
    forms = [f"<form{form}" for form in browser.get("/seat").text.split("<form")]
    form = next(form for form in forms if 'name="ask" value="announce"' in form)
    response = browser.post("/seat/answer", **hidden_fields(form, "/seat/answer"), number=ask.least)
    assert response.status_code == 303
    number = place.client.match.number - 1
    assert place.client.entries == [Answer(number, "announce", ask.least, ask.seats[0], "phone")]


# settings, board, decks, the table, the club


def test_configuration_and_host_settings_are_restored(here: TablePlaces) -> None:
    settings = settings_in(here.configuration)
    assert (settings.camera.name, settings.play.seats) == ("usb:0", NAMES[:4])
    assert settings.play.house == {"edition": "kidult", "powers": "all"}
    holding = effective_settings(settings, here.state)
    assert (holding.told, holding.settings.sound.volume) == ((), 35)
    assert read_choice(here.state).language == "fr"
    assert LOUDSPEAKER.read(here.state).card == "Headphones"
    assert WIFI_ACCESS.read(here.state) == WifiAccess("Coyote", "a password")


def test_board_its_faults_and_usb_buttons_are_restored(here: TablePlaces) -> None:
    assert WIRED_BOARD.read(here.state) == WiredBoard("fab", "confirmed")
    assert KEPT_FAULTS.read(here.state) == BoardFaults("fab", (Key("call", 2),), (Lamp("red", 0),))
    assert KEPT_BUTTONS.read(here.state) == (UsbButton(UsbBox("Encoder", "usb-1/input0"), 288, 0),)


def test_table_decks_and_ruling_picture_are_restored(here: TablePlaces) -> None:
    assert load_calibration(here.state / "table.json") == TABLE
    assert present(load_picture(here.state / "table.png")).shape == (88, 63, 3)
    for home, deck in expected("decks").items():
        assert describe_deck(load_deck(here.state / home)) == deck
    evidence = EvidenceFiles(here.state / "evidence", partial(TableSummary, RUNNING)).now()
    assert {at: [card.face for card in present(each.cards())] for at, each in evidence.items()} == {11: ["10"]}


def test_club_deal_and_forgotten_names_are_restored(here: TablePlaces) -> None:
    assert present(MEMBERSHIP.read(here.state)).table == "kitchen"
    assert read_outbox(here.journal) == Outbox("0123456789abcdef", 7, 2, (WaitingCall("c1", "{}"),))
    assert deal_secret(here.state) == bytes(range(32))
    assert (len(FORGOTTEN_MARKS.read(here.state)), [*OWNERS.read(here.state)]) == (1, [f"{RUNNING}"])


# its backup


def test_backup_restores_into_an_empty_folder(here: TablePlaces, tmp_path: Path) -> None:
    new = tmp_path / "new"
    there = TablePlaces(new, new / "journal.sqlite3", new / "coyote.toml")
    staged = stage(tmp_path / "backup.zip", there)
    assert (staged.left_out, staged.unread) == ((), 0)
    assert finish_restore(there)
    assert kept_lines(there.journal) == kept_lines(here.journal)
    assert settings_in(there.configuration).play.seats == NAMES[:4]
    assert describe_deck(load_deck(new / "decks/kitchen")) == expected("decks")["decks/kitchen"]
    assert load_calibration(new / "table.json") == TABLE

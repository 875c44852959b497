"""What version 0.1.0 has kept: all of it opens, comes to the same rulings, and keeps phones in their seats.

Its own code made it: `tests/fixtures/make_state.py`, which the history has up to commit a9afd00b.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from firmware.services.photographs import EvidenceFiles
from firmware.state_folder import (
    DECKS,
    DRAFTS,
    EVIDENCE,
    FOUND_TABLE,
    JOURNAL,
    LINKS,
    configuration_path,
    state_directory,
)
from firmware.storage.configuration import effective_settings, read_choice, settings_in
from firmware.storage.found_table import load_calibration, load_layout
from firmware.storage.journal import OpenedJournal, open_journal, open_matches, open_readonly, read_again
from firmware.storage.people.links_file import LinksFile, read_links
from firmware.table.client import TableSummary as Numbered
from referee.contract import Answer, Number
from referee.legal import ask_named
from referee.match import Match, moments
from tests.given import present
from tests.webui.room import Browser, Room, hidden_fields, room_with
from vision.pictures import load_picture
from vision.teaching.taught_decks import TaughtDeck, load_deck


class Phone(Struct, frozen=True):
    """A phone: its cookies, which seat it has, whether it is the host's."""

    whose: str
    cookies: Mapping[str, str]
    seat: int | None
    is_host: bool = False


class Kept(Struct, frozen=True):
    """All that isn't a match, and which match is open."""

    open: int
    phones: tuple[Phone, ...]
    codes: tuple[str, ...]  # with which phones without a cookie take the seats
    pin: str
    configured: Mapping[str, Any]
    holding: Mapping[str, Any]  # the configuration with what was chosen laid over it
    language: str
    table: Mapping[str, Any]
    empty: tuple[int, int]  # width and height of the picture of the empty table
    deck: Mapping[str, Any]
    draft: Mapping[str, Any]
    evidence: Mapping[int, Mapping[int, tuple[str, ...]]]
    """By match and answer, the faces that were read."""


def describe_deck(taught: TaughtDeck) -> dict[str, Any]:
    """Tell how many a deck has of each face, and a digest of the pixels of each picture."""
    pictures = {
        face: tuple(sha256(each.tobytes()).hexdigest()[:16] for each in some)
        for face, some in taught.faces.items()
    }
    return as_json({"name": taught.name, "card": taught.card, "counts": taught.counts, "pictures": pictures})


def describe_match(match: Match) -> dict[str, Any]:
    setup, asks = match.setup, [(ask.key, ask.seats) for ask in match.asks]
    agreed = {
        "game": setup.game.name,
        **{name: getattr(setup, name) for name in ("names", "begun", "after", "house")},
    }
    standings = setup.game.rules.standings(match.state)
    now = {"entries": match.number, "asks": asks, "standings": standings, "outcome": match.outcome}
    return as_json({**agreed, **now})


def as_json(value: object) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return said


def list_rulings(match: Match) -> list[Any]:
    every = list(moments(match))[::-1]
    return [[str(each.number), ruling.key, as_json(ruling.values)] for each in every for ruling in each.rulings]


FIXTURE = Path(__file__).parent.parent / "fixtures" / "v0.1.0"
EXPECTED = FIXTURE / "expected"
KEPT = msgspec.json.decode((EXPECTED / "kept.json").read_bytes(), type=Kept)
MATCHES = sorted(int(file.stem.removeprefix("match-")) for file in EXPECTED.glob("match-*.json"))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the table be the kept one: a copy of it, as opening may bring it up to date."""
    for name, variable in (("state", "STATE_DIRECTORY"), ("configuration", "CONFIGURATION_DIRECTORY")):
        shutil.copytree(FIXTURE / name, tmp_path / name)
        monkeypatch.setenv(variable, str(tmp_path / name))


@pytest.fixture
def opened() -> Iterator[OpenedJournal]:
    with open_journal(state_directory() / JOURNAL) as opened:
        yield opened


def is_part(expected: Any, found: Any) -> bool:
    """Tell whether all that was expected is there; later versions may add settings and house rules."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return all(name in found and is_part(value, found[name]) for name, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        return len(expected) == len(found) and all(map(is_part, expected, found))
    return bool(expected == found)


def read_match(opened: OpenedJournal, number: int) -> Match:
    resumed = present(read_again(opened.journal, number))
    assert resumed.fault is None
    assert resumed.match is not None
    return resumed.match


# the journal


def test_the_journal_opens_whole_and_lists_every_match(opened: OpenedJournal) -> None:
    assert opened.repairs() == ()
    assert [kept.id for kept in opened.journal.matches()] == MATCHES
    assert [resumed.id for resumed in open_matches(opened.journal)] == [KEPT.open]


@pytest.mark.parametrize("number", MATCHES)
def test_a_match_replays_to_the_same_rulings(number: int, opened: OpenedJournal) -> None:
    match = read_match(opened, number)
    lines = (EXPECTED / f"match-{number:02}.rulings").read_text(encoding="utf-8").splitlines()
    parts = (line.split(" ", 2) for line in lines)
    expected = [[moment, key, msgspec.json.decode(values)] for moment, key, values in parts]
    assert is_part(expected, list_rulings(match)), "a ruling may say more than in 0.1.0, and nothing else"
    facts = msgspec.json.decode((EXPECTED / f"match-{number:02}.json").read_bytes())
    found = describe_match(match)
    for name, value in facts.items():
        assert is_part(value, found[name]), (name, value, found[name])


# the phones


def room() -> Room:
    with open_readonly(state_directory() / JOURNAL) as journal:
        resumed = read_again(journal, KEPT.open)
    assert resumed is not None
    assert resumed.match is not None
    made = room_with(resumed.match, state_directory())
    made.client.kept = Numbered(KEPT.open)
    return made


def take_out(phone: Phone, place: Room) -> Browser:
    browser = place.browser()
    for name, value in phone.cookies.items():
        browser.client.set_cookie(name, value)
    return browser


def test_the_links_are_read_and_no_new_ones_are_drawn() -> None:
    before = present(read_links(state_directory() / LINKS))
    match = room().client.match
    after = LinksFile(state_directory() / LINKS, lambda: match).evening()
    assert (after.secret, after.pin, list(after.codes)) == (before.secret, KEPT.pin, list(KEPT.codes))
    kept = present(read_links(state_directory() / LINKS))
    assert [person.name for person in kept.people] == list(match.setup.names)


@pytest.mark.parametrize("phone", KEPT.phones, ids=lambda phone: phone.whose)
def test_a_phone_keeps_its_seat(phone: Phone) -> None:
    place = room()
    browser = take_out(phone, place)
    page = browser.get("/seat").text
    told = "".join(re.findall(r">You are (.*?)\.<", page))
    names = place.client.match.setup.names
    assert [seat for seat, name in enumerate(names) if name in told] == (
        [] if phone.seat is None else [phone.seat]
    )
    assert ('action="/seat/take"' in page) == (phone.seat is None)
    assert ('action="/host/enter"' not in browser.get("/host").text) == phone.is_host


def test_the_codes_and_the_pin_still_let_new_phones_in() -> None:
    place = room()
    for seat, code in enumerate(KEPT.codes):
        browser = place.browser()
        assert browser.send("/seat", "/seat/take", code=code).status_code == 303
        assert place.client.match.setup.names[seat] in browser.get("/seat").text.split("</h1>")[0]
    browser = place.browser()
    assert browser.send("/host", "/host/enter", pin=KEPT.pin).status_code == 303
    assert 'action="/host/enter"' not in browser.get("/host").text


def test_a_seated_phone_answers_in_the_open_match() -> None:
    place = room()
    ask = ask_named(place.client.match.asks, "announce")
    assert isinstance(ask, Number)
    phone = next(phone for phone in KEPT.phones if phone.seat in ask.seats)
    browser = take_out(phone, place)
    forms = [f"<form{form}" for form in browser.get("/seat").text.split("<form")]
    form = next(form for form in forms if 'name="ask" value="announce"' in form)
    response = browser.post("/seat/answer", **hidden_fields(form, "/seat/answer"), number=ask.least)
    assert response.status_code == 303
    number = place.client.match.number - 1
    assert place.client.entries == [Answer(number, "announce", ask.least, phone.seat, "phone")]


# settings, decks, the table


def test_the_configuration_and_what_was_chosen_hold() -> None:
    settings, state = settings_in(configuration_path()), state_directory()
    assert is_part(KEPT.configured, msgspec.to_builtins(settings))
    holding = effective_settings(settings, state)
    assert holding.told == ()
    assert is_part(KEPT.holding, msgspec.to_builtins(holding.settings))
    assert read_choice(state).language == KEPT.language


def test_the_table_is_known() -> None:
    file = state_directory() / FOUND_TABLE
    table, layout = load_calibration(file), load_layout(file)
    assert table is not None
    known = {name: value for name, value in KEPT.table.items() if name != "patches"}  # nothing reads them
    assert is_part(known, {**as_json(table), "layout": as_json(layout)})
    empty = present(load_picture(file.with_suffix(".png")))
    assert empty.shape[1::-1] == KEPT.empty


def test_the_taught_deck_and_the_draft_load() -> None:
    for home, deck in ((DECKS, KEPT.deck), (DRAFTS, KEPT.draft)):
        assert describe_deck(load_deck(state_directory() / home / deck["name"])) == deck


# evidence


def test_evidence_is_found_by_answer() -> None:
    assert KEPT.evidence
    for number, answers in KEPT.evidence.items():
        evidence = EvidenceFiles(state_directory() / EVIDENCE, partial(Numbered, number))
        kept = evidence.now()
        assert kept.keys() == frozenset(answers)
        for heard_at, faces in answers.items():
            assert tuple(card.face for card in present(kept[heard_at].cards())) == faces
            assert present(kept[heard_at].jpeg()).startswith(b"\xff\xd8")

"""The host's pages of own decks: what is known, keeping, renaming, and learning the rest."""

from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from firmware.state_folder import DECKS
from firmware.storage.cards_choice import CARDS_CHOICE, choose_deck
from firmware.table.client import TableSummary
from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from tests.webui.matches import name_question
from tests.webui.room import Room, hidden_fields, match_of, move_on, orders, room_with
from vision.process.messages import ChangeFace, DeckGrew, NameCard, UndoNames, UseDeck, Wake
from vision.teaching import tried_decks
from vision.teaching.draft_deck import Origin
from vision.teaching.stored_drafts import DRAFT, DraftFile
from vision.teaching.taught_decks import bare_deck, save_deck
from vision.teaching.tried_decks import Doubt

HOME, DECK = "/host/teach", "/host/teach/coup"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Return a table that learns a deck for Coup, of which it knows two faces."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(
        tried_decks, "try_taught", lambda *_values, **_named: (Doubt("duke", "captain", 0.1, "far"),)
    )
    faces = {face: (np.full((88, 63, 3), 90, np.uint8),) for face in ("duke", "captain", "summary")}
    counts = {"duke": 3, "captain": 3, "summary": 1}
    save_deck(bare_deck("Our Coup", (63, 88), counts, faces), tmp_path / DECKS / "coup")
    choose_deck(tmp_path, "coup", "coup", "Our Coup")
    return room_with(match_of(GAMES["coup"]), tmp_path)


def test_decks_are_shown_to_the_host_only(room: Room) -> None:
    host = room.browser().host()
    page = host.get(HOME).text
    assert "Our Coup" in page
    assert f'href="{DECK}"' in page
    page = host.get(DECK).text
    assert page.count('class="missing"') == 3
    picture = f"{DECK}/duke/" + page.split(f'src="{DECK}/duke/')[1].split('"')[0]
    assert host.get(picture).data.startswith(b"\xff\xd8")
    guest = room.browser().sit(1)
    assert guest.get(DECK).location == "/host"
    assert guest.get(picture).status_code == 403
    assert host.get(f"{HOME}/other").location == HOME


def test_deck_is_changed_kept_and_thrown_away(room: Room, tmp_path: Path) -> None:
    host = room.browser().host()
    for fields in ({"face": "duke", "to": "contessa"}, {"face": "duke"}):
        assert host.send(DECK, f"{DECK}/change", **fields).location == DECK
    assert host.send(DECK, f"{DECK}/change", face="king").status_code == 409
    for title in ("", "a/b", "coup"):
        assert host.send(DECK, f"{DECK}/keep", title=title).status_code == 400
    assert host.send(DECK, f"{DECK}/keep", title=" Anna's  Coup ").location == DECK
    assert CARDS_CHOICE.read(tmp_path).learning == {}
    changed = [each for each in orders(room) if isinstance(each, ChangeFace)]
    assert changed == [ChangeFace("duke", "contessa"), ChangeFace("duke")]
    assert isinstance(used := orders(room)[-1], UseDeck)
    assert used.learns == "Anna's Coup"
    while "Checking" in (page := host.get(DECK).text):
        pass
    assert "Duke and Captain look alike" in page
    assert host.send(DECK, f"{DECK}/away").location == HOME
    assert not (tmp_path / DECKS / "coup").exists()


def test_host_takes_back_what_one_player_said(room: Room, tmp_path: Path) -> None:
    match, host = room.client.match, room.browser().host()
    assert "Take back what" not in host.get(DECK).text
    said = {"duke": ("seat 2", match.setup.begun), "captain": ("seat 1", "another match")}
    origins = {face: (Origin(source, (0, 0), by, 0),) for face, (by, source) in said.items()}
    (tmp_path / DECKS / "coup" / DRAFT).write_bytes(msgspec.json.encode(DraftFile(origins)))
    page = host.get(DECK).text
    assert page.count("Take back what") == 1
    assert "Take back what Bo said" in page
    assert host.send(DECK, f"{DECK}/unname").location == DECK
    assert orders(room)[-1] == UndoNames(match.setup.begun, "seat 2")
    assert host.send(DECK, f"{DECK}/unname", seat="x").status_code == 400
    fields = hidden_fields(host.get(DECK).text, f"{DECK}/unname")
    assert host.post(f"{HOME}/other/unname", **fields).location == HOME
    assert room.browser().sit(1).post(f"{DECK}/unname", seat=1).status_code == 403


def test_rest_of_the_deck_is_learnt_while_the_table_pauses(room: Room) -> None:
    host = room.browser().host()
    assert host.send(DECK, f"{DECK}/rest").location == DECK
    assert orders(room) == [Wake()]
    assert room.client.summary.is_paused
    assert "Lay the missing cards on the table" in host.get(DECK).text
    asked = name_question(room.client.match, 7)
    room.client.summary = TableSummary(1, is_paused=True, unknown=(asked.unknown,))
    page = host.get(DECK).text
    assert "Which card is this?" in page
    assert host.get("/seat/card/7.jpg").status_code == 200
    named = host.send(DECK, "/seat/card", face="assassin")
    assert named.location == DECK
    match = room.client.match
    assert orders(room)[-1] == NameCard(asked.unknown.card.outline, "assassin", match.setup.begun, 0, "host")
    assert host.send(DECK, f"{DECK}/rest").location == DECK
    assert not room.client.summary.is_paused
    # a match whose cards are hidden is not disturbed
    move_on(room, Random(1))
    before = orders(room)
    assert host.send(DECK, f"{DECK}/rest").status_code == 409
    assert orders(room) == before


def test_host_is_asked_to_keep_the_deck_after_the_match(room: Room) -> None:
    host = room.browser().host()
    assert "Keep this deck?" not in host.get("/host").text
    room.client.tell(play_on(room.client.match, Random(1)))
    page = host.get("/host").text
    assert "6 of 15 cards are known. Keep this deck?" in page
    assert f'href="{DECK}"' in page


def test_host_without_a_seat_names_open_cards_and_sees_names_in_doubt(room: Room) -> None:
    host = room.browser().host()
    asked = name_question(room.client.match, 7)
    hidden = name_question(room.client.match, 8, is_open=False)
    room.client.summary = TableSummary(1, questions=(hidden, asked))
    page = host.get("/host").text
    assert "Which card is this?" in page
    assert "/seat/card/8.jpg" not in page
    assert host.send("/host", "/seat/card", face="duke").location == "/host"
    assert [each.outline for each in orders(room)] == [asked.unknown.card.outline]
    room.client.deck = DeckGrew(("duke",), taken_back=("captain",))
    assert "In doubt: Captain" in host.get("/host").text


def test_number_of_cards_in_the_box_is_set_once_all_faces_are_known(room: Room, tmp_path: Path) -> None:
    host = room.browser().host()
    assert f'action="{DECK}/count"' not in host.get(DECK).text
    CARDS_CHOICE.keep(tmp_path, CARDS_CHOICE.read(tmp_path).__class__())
    save_deck(bare_deck("coup", (63, 88), {"duke": 3}, {}), tmp_path / DECKS / "coup")
    assert host.send(DECK, f"{DECK}/count", face="duke", count="4").location == DECK
    assert 'value="4"' in host.get(DECK).text
    for face, count in (("duke", "many"), ("duke", "٣"), ("duke", ""), ("duke", "-1")):
        assert host.send(DECK, f"{DECK}/count", face=face, count=count).status_code == 400
    for face, count in (("captain2", "1"), ("../x", "1"), ("contessa", "1")):
        assert host.send(DECK, f"{DECK}/count", face=face, count=count).status_code == 409


@pytest.mark.parametrize("folder", ["piquet", "coup-3", "..%2Fcoup", "coup%00", "coup-%D9%A3"])
def test_other_folders_are_no_decks(room: Room, folder: str) -> None:
    host = room.browser().host()
    assert host.get(f"{HOME}/{folder}").status_code in {303, 404}
    form = host.get(HOME).text
    assert "coup-3" not in form
    fields = {"form": host.form(DECK)}
    for step in ("away", "suit", "count", "change", "keep", "rest"):
        more = {"suit": "hearts", "face": "duke", "count": "1", "title": "x"}
        code = host.post(f"{HOME}/{folder}/{step}", **fields, **more).status_code
        assert code in {303, 404}, step
    assert "Our Coup" in host.get(HOME).text
    assert orders(room) == []
    assert not room.client.summary.is_paused

"""The end of a match on each page: who won, how each place was reached, and what comes next."""

import re
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table.client import TableSummary
from referee.games.catalogue import GAMES
from referee.match import ENDED_EARLY, EndMatch
from tests.given import present
from tests.webui.fakes import FakeTwin
from tests.webui.matches import open_round, play_match
from tests.webui.room import Room, hidden_fields, match_of, move_on, room_with

NAMES = ("Ana", "Bo", "Chloé")
MATCH = play_match(GAMES["coyote"], NAMES)
(WINNER,) = present(MATCH.outcome).winners
OTHERS = tuple(seat for seat in range(len(NAMES)) if seat != WINNER)
WON = f"{NAMES[WINNER]} wins"
AGAIN, RANKS = "Again with the same people", 'class="ranks"'


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(MATCH, tmp_path, twin=FakeTwin())


def test_winner_and_others_read_their_own_result(room: Room) -> None:
    won = room.browser().sit(WINNER).get("/seat").text
    assert "You won!" in won
    assert " of 3</p>" not in won
    places = {each.seat: each.place for each in MATCH.setup.game.rules.standings(MATCH.state)}
    for seat in OTHERS:
        page = room.browser().sit(seat).get("/seat").text
        assert WON in page
        assert f"You are {'2nd' if places[seat] == 2 else '3rd'} of 3" in page
        assert page.index(RANKS) < page.index(AGAIN)


@pytest.mark.parametrize("page", ["/seat", "/host", "/twin"])
@pytest.mark.parametrize("is_saving", [True, False])
def test_main_button_plays_again(room: Room, page: str, *, is_saving: bool) -> None:
    room.client.summary = TableSummary(1, is_saving=is_saving)
    shown = room.browser().sit(0).host().get(page).text
    assert len(re.findall(rf'<button class="say"[^>]*>{AGAIN}', shown)) == 1
    assert 'href="/welcome"' in shown
    # an unsaved match has neither film nor picture
    assert is_saving or ("/film" not in shown and "/score.png" not in shown)


def test_simulated_table_shows_the_last_reveal_before_the_end(tmp_path: Path) -> None:
    twin = FakeTwin()
    showing = twin.table(0)
    twin.table = lambda _seat: replace(showing, is_showing=True)  # type: ignore[method-assign]
    page = room_with(MATCH, tmp_path, twin=twin).browser().sit(0).get("/twin").text
    assert RANKS not in page
    assert 'id="hurry"' in page


# a match that the host ends early


ENDED = "The host has ended the match: nobody wins it."


def test_only_the_host_ends_a_running_match(tmp_path: Path) -> None:
    running = room_with(match_of(), tmp_path)
    host, guest, screen = running.browser().sit(0).host(), running.browser().sit(1), running.browser()
    assert "/host/end" not in host.get("/host").text
    running.client.match = open_round(match_of())
    assert "/host/end" not in guest.get("/seat").text
    fields = hidden_fields(host.get("/host").text, "/host/end")
    assert guest.post("/host/end", **fields).status_code == 403
    assert host.post("/host/end", **{**fields, "match": "another"}).status_code == 409
    # play goes on until the host has confirmed
    number = move_on(running, Random(1)).number
    assert host.post("/host/end", **fields).status_code == 303
    assert running.client.entries == [EndMatch(number)]
    assert running.client.match.outcome == ENDED_EARLY
    for page in (host.get("/seat"), guest.get("/seat"), screen.get("/")):
        assert ENDED in page.text
    assert "/seat/again" in guest.get("/seat").text
    assert "/seat/back" not in host.get("/seat").text
    control = host.get("/host").text
    assert "/host/again" in control
    assert "/host/end" not in control
    assert 'action="/host/back"' not in control

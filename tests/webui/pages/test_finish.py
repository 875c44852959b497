"""The end of a match on each page: who won, how each place was reached, and what comes next."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.table.client import TableSummary
from referee.games.catalogue import GAMES
from tests.given import present
from tests.webui.fakes import FakeTwin
from tests.webui.matches import play_match
from tests.webui.room import Room, room_with

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
    room.client.kept = TableSummary(1, is_saving=is_saving)
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

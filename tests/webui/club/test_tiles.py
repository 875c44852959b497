"""Tiles of the club's screen: the one fact, who is awaited, who is ahead; nothing hidden."""

from datetime import UTC, datetime, timedelta
from gettext import NullTranslations

import pytest

from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.public_moment import public_moment
from referee.telling import listener_at
from tests.webui.matches import play_match
from webui.club.doors import ClubCall, ClubTable
from webui.club.tiles import Tile, tile_of

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)
PLAIN = NullTranslations()


def drawn(table: ClubTable) -> Tile:
    return tile_of(table, PLAIN, lambda at: f"{at:%H:%M}")


def table_at(game: Game, moments: int = 10**6, **more: object) -> ClubTable:
    match = play_match(game, ("Ana", "Bo", "Chloé"), moments=moments)
    moment = public_moment(match, listener_at(match.setup, PLAIN))
    whole = {"began": NOW, "updated": NOW + timedelta(minutes=28), **more}
    return ClubTable("table-1", "1", is_there=True, moment=moment, **whole)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_fact_and_says_who_is_awaited(game: str) -> None:
    for moments in range(1, 40, 3):
        tile = drawn(table_at(GAMES[game], moments))
        assert tile.key
        assert tile.line
        assert tile.state in {"plays", "over"}


def test_a_match_that_is_over_names_who_has_won_and_how_long_it_took() -> None:
    tile = drawn(table_at(GAMES["coyote"]))
    assert (tile.state, tile.line, tile.lamp) == ("over", "won in 28 min", "")
    assert tile.key in {"Ana", "Bo", "Chloé"}


def test_a_table_that_is_called_by_its_number_is_shown_by_it() -> None:
    titles = ("Table 8", "Table 12b", "Salon 3", "Table ", "Table 4 5")
    assert [drawn(ClubTable("t", title, is_there=True)).number for title in titles] == ["8", "", "", "", ""]


def test_a_call_goes_before_everything() -> None:
    call = ClubCall("table-1", "0" * 16, "Bo", "8 or 9?", "open", "", NOW)
    tile = drawn(table_at(GAMES["coyote"], 5, call=call))
    assert (tile.state, tile.lamp, tile.line) == ("calls", "red", "calls the director")


def test_a_table_that_is_away_says_since_when() -> None:
    away = drawn(ClubTable("table-1", "1", is_there=False, seen=NOW))
    assert (away.state, away.line) == ("away", "away since 20:00")
    assert drawn(ClubTable("table-1", "1", is_there=False)).line == "not heard yet"
    assert drawn(ClubTable("table-1", "1", is_there=True)).line == "Nobody plays yet."

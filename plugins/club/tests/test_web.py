"""The club's pages: signed cookies, form input, and tiles of tables in each state."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from club.tournament.values import Movement, Problem
from club.views import ClubCall, ClubTable
from club.web.access import read_signed, sign
from club.web.exports import number_text
from club.web.forms import numbers_in, text_in, whole
from club.web.tiles import Tile, tile_of
from club.web.words import MOVEMENTS, PROBLEMS
from referee.games.catalogue import GAMES
from referee.public_moment import public_moment
from tests.webui.matches import play_match

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)
PLAIN = NullTranslations()


@given(text=st.text("0123456789 ", max_size=20), secret=st.text(min_size=1), other=st.text(min_size=1))
def test_only_signed_values_are_read(text: str, secret: str, other: str) -> None:
    cookie = sign(secret, "person", text)
    assert read_signed(secret, "person", cookie) == text
    assert read_signed(secret, "entrant", cookie) == ""
    assert read_signed(other, "person", cookie) == (text if other == secret else "")


@given(text=st.text())
def test_any_input_is_parsed_or_ignored(text: str) -> None:
    assert read_signed("secret", "person", text) == ""
    assert whole(text) >= 0
    assert len(text_in({"why": text}, "why")) <= 200
    assert "\n" not in text_in({"why": text}, "why")
    assert all(number >= 0 for number in numbers_in(text))


def test_points_have_no_trailing_zeros() -> None:
    points = ((6, 1), (5, 2), (2, 3), (1, 10))
    assert [number_text(Fraction(*each)) for each in points] == ["6", "2.5", "0.67", "0.1"]


def test_all_problems_and_movements_have_texts() -> None:
    assert set(PROBLEMS) == set(Problem)
    assert set(MOVEMENTS) == set(Movement)


def drawn(table: ClubTable) -> Tile:
    return tile_of(table, PLAIN, lambda at: f"{at:%H:%M}")


def table_at(game: str, moments: int = 10**6, **more: object) -> ClubTable:
    match = play_match(GAMES[game], ("Ana", "Bo", "Chloé"), moments=moments)
    moment = public_moment(match, PLAIN)
    whole = {"began": NOW, "updated": NOW + timedelta(minutes=28), **more}
    return ClubTable("table-1", "1", is_there=True, moment=moment, **whole)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_shows_a_fact_and_the_awaited_player(game: str) -> None:
    for moments in range(1, 40, 6):
        tile = drawn(table_at(game, moments))
        assert tile.key
        assert tile.line
        assert tile.state in {"plays", "over"}


def test_tile_shows_table_status_calls_first() -> None:
    call = ClubCall("table-1", "0" * 16, "Bo", "8 or 9?", "open", "", NOW)
    over = drawn(table_at("coyote"))
    assert (over.state, over.line, over.lamp) == ("over", "won in 28 min", "")
    assert over.key in {"Ana", "Bo", "Chloé"}
    calls = drawn(table_at("coyote", 5, call=call))
    assert (calls.state, calls.lamp, calls.line) == ("calls", "red", "calls the director")
    away = drawn(ClubTable("table-1", "1", is_there=False, seen=NOW))
    assert (away.state, away.line) == ("away", "away since 20:00")
    assert drawn(ClubTable("table-1", "1", is_there=False)).line == "not connected yet"
    assert drawn(ClubTable("table-1", "1", is_there=True)).line == "Nobody plays yet."

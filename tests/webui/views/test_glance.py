"""The table at a glance on a phone that waits: order, answers, newest numbers; no hidden card."""

from collections.abc import Iterator
from random import Random

import pytest

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.moment_view import MomentView, view_of
from referee.showing import board_of
from tests.given import allowed
from tests.plugins.installed import OUR_GAMES, game_of
from tests.referee.tables import random_moments
from webui.views.controls import controls_of
from webui.views.glance import Glance
from webui.views.looks import LookBook
from webui.views.seat_view import seat_view

ENGLISH = language("en")
BOOK = LookBook(Looks())
NAMES = ("Ana", "Bo", "Chloé", "Dédé")
MOST = 41  # moments of a match


def moments_of(game: Game, seed: int = 0, most: int = MOST) -> Iterator[Match]:
    house = next(iter(game.rules.settings.values()))
    seats = min(len(NAMES), max(game.rules.seats(house)))
    match = allowed(begin(Setup(game, house, NAMES[:seats], begun="2026-11-24T20:00:00+00:00")))
    return random_moments(match, Random(f"glance {game.name} {seed}"), most)


def glance(match: Match, seat: int) -> Glance | None:
    """Return what a seat's phone shows while it waits."""
    told = view_of(match, ENGLISH, seat)
    is_waiting = not controls_of(told, seat, told.grids)
    shown = seat_view(told, seat, {}, BOOK.look_of(match), is_waiting=is_waiting)["glance"]
    return shown if is_waiting and isinstance(shown, Glance) else None


def waiting(match: Match) -> Iterator[tuple[int, Glance]]:
    for seat in range(len(match.setup.names)):
        shown = glance(match, seat)
        if shown is not None:
            yield seat, shown


def faces_on_table(told: MomentView) -> frozenset[str]:
    """Return the faces that a reader may see."""
    facts = (value.value for each in told.facts for value in each.fact.values.values())
    rows = (face for each in told.rows for face in each.row.faces)
    cells = (face for grid in told.grids for line in grid.rows for face in line)
    return frozenset(face for face in (*facts, *rows, *cells) if isinstance(face, str))


def faces_in(shown: Glance) -> frozenset[str]:
    drawn = {face for row in shown.rows for has in row.plate.has for face, _name in has.faces}
    lines = (*shown.grid.lines, *shown.grid.whole) if shown.grid is not None else ()
    squares = {square.card for line in lines for square in line.squares}
    badges = {row.plate.badge for row in shown.rows} | {
        tie.value for row in shown.rows for tie in row.plate.ties
    }
    return frozenset(filter(None, drawn | squares | badges))


def games() -> list[str]:
    return sorted({*GAMES, *OUR_GAMES})


@pytest.mark.parametrize("name", games())
def test_glance_lists_every_player_and_hides_what_the_table_hides(name: str) -> None:
    """Players come in the order of play, and the only awaited one is lit, even after a reveal."""
    shown_once = False
    for match in moments_of(GAMES[name] if name in GAMES else game_of(name)):
        public = faces_on_table(view_of(match, ENGLISH))
        awaited = {seat for ask in match.asks for seat in ask.seats}
        for seat, shown in waiting(match):
            shown_once = True
            assert faces_in(shown) <= public
            seats, turn = [row.plate.seat for row in shown.rows], board_of(match, seat).turn
            assert sorted(seats) == list(range(len(match.setup.names)))
            assert [row.plate.seat for row in shown.rows if row.is_own] == [seat]
            assert seats[0] == ((seat + 1) % len(seats) if turn is None else turn)
            lit = {row.plate.seat for row in shown.rows if row.is_lit}
            assert lit == (awaited if len(awaited) == 1 else {turn} - {None})
            if name == "coyote":
                check_last_bids(match, seat, shown)
    assert shown_once


def check_last_bids(match: Match, seat: int, shown: Glance) -> None:
    said = match.setup.game.shown.board(match.state).trail
    assert [(each.number, each.is_own) for each in shown.said] == [
        (each.number, each.seat == seat) for each in said[-3:]
    ]
    rows = {row.plate.seat: row.said for row in shown.rows}
    assert {each.seat: rows[each.seat] for each in said} == {each.seat: each.number for each in said}

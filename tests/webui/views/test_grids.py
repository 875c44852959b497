"""Grids: every option has one button, on its cell, with a text that names the position."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from firmware.language.catalogues import language
from referee.answers_view import Chooser, answers_view
from referee.cells import count_cell
from referee.contract import Choice, Game, Option, Span
from referee.games.ogallala import OGALLALA
from referee.match import Match
from referee.sentences import Listener
from tests.referee.tables import after_any, every_table, new_match
from tests.webui.room import Room, match_of, room_with
from webui.views.controls import asks_of, control_of, value_of
from webui.views.grids import grids_of


def moments_of(game: Game, rules: str, seats: int, most: int = 40) -> Iterator[Match]:
    match, rng = new_match(game, rules, seats), Random(f"grids {rules} {seats}")
    while match.asks and match.number < most:
        yield match
        match = after_any(match, rng)


@every_table
def test_every_option_has_one_button(game: Game, rules: str, seats: int) -> None:
    listener = Listener(game.words, tuple(f"P{seat}" for seat in range(seats)), language("en"))
    for match in moments_of(game, rules, seats):
        for seat in range(seats):
            grids = grids_of(match, seat)
            for ask in asks_of(match.asks, seat):
                chooser = Chooser(listener, game, match.state, seat, grids)
                control = control_of(answers_view(chooser, ask), grids, seat)
                squares = [
                    (sheet.seat, line.number, square)
                    for sheet in control.sheets
                    for line in sheet.lines
                    for square in line.squares
                ]
                marks = [
                    (owner, row, square.column, mark) for owner, row, square in squares for mark in square.marks
                ]
                for owner, row, column, mark in marks:
                    option = msgspec.json.decode(mark.value, type=Option)
                    grid = next(grid for grid in grids if grid.seat == owner)
                    assert option.cell is not None
                    assert count_cell(grid, option.cell) == (column - 1, row - 1)
                    assert option.seat in (None, owner)
                    assert mark.label
                    assert mark.text in mark.label
                if isinstance(ask, Choice):
                    values = [button.value for button in control.buttons] + [mark.value for *_at, mark in marks]
                    said = [value_of(ask, {"option": value}) for value in values]
                    assert len(said) == len(ask.options)
                    assert set(said) == set(ask.options)


@pytest.fixture
def room_of_canoes(tmp_path: object) -> Room:
    match = match_of(OGALLALA, 2)
    rng = Random(4)
    while match.number < 40:
        match = after_any(match, rng)
    return room_with(match, tmp_path)  # type: ignore[arg-type]


def test_seat_compares_a_row_with_the_record(room_of_canoes: Room) -> None:
    room, phone = room_of_canoes, room_of_canoes.browser().sit(0)
    assert 'href="/audit"' in phone.get("/seat").text
    grid = next(grid for grid in grids_of(room.client.match, 0) if grid.rows)
    name = f"{grid.seat}-{grid.first[0]}-{grid.first[1]}-{len(grid.rows[0])}"
    assert name in phone.get("/audit").text
    assert phone.send("/audit", "/audit/begin", span=name).status_code == 200
    assert room.client.kept.auditing == Span(grid.seat, grid.first, len(grid.rows[0]))
    assert "Comparing" in phone.get("/audit").text
    assert "record agree" in phone.send("/audit", "/audit/compare").text
    assert room.client.actions == [("compare_audit",)]
    phone.send("/audit", "/audit/end")
    assert room.client.kept.auditing is None
    assert phone.post("/audit/compare").status_code == 403
    assert phone.send("/audit", "/audit/begin", span="7-7-7-7").status_code == 409
    assert room.browser().get("/audit").status_code == 303
    assert room.client.actions == [("compare_audit",)]

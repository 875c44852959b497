"""Exports of a tournament: tables for spreadsheets, and JSON; pure."""

import csv
from collections.abc import Iterable, Mapping
from fractions import Fraction
from io import StringIO

import msgspec

from club.views import TournamentView
from webui.drawing.exports import MARK, safe_cell

STANDINGS = ("place", "number", "name", "points", "won", "met", "played", "byes", "penalty")
RESULTS = ("round", "table", "game", "number", "name", "seat", "place", "corrected", "match")


def number_text(points: Fraction) -> str:
    """Write points: parts of one with two digits."""
    return str(points) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")


def standings_table(tournament: TournamentView) -> str:
    """Write a row for each person."""
    return _table(
        STANDINGS,
        (
            {
                **{column: getattr(each, column) for column in STANDINGS},
                "points": number_text(each.points),
                "met": number_text(each.met),
            }
            for each in tournament.standings
        ),
    )


def results_table(tournament: TournamentView) -> str:
    """Write a row for each seat of each table; a place that isn't known yet stays empty."""
    return _table(
        RESULTS,
        (
            {
                "round": the_round.number,
                "table": seats.table,
                "game": seats.game,
                "number": who.number,
                "name": who.name,
                "seat": seat + 1,
                "place": seats.places[seat] if seats.places else "",
                "corrected": int(seats.is_corrected),
                "match": "" if seats.match is None else seats.match,
            }
            for the_round in tournament.rounds
            for seats in the_round.seats
            for seat, who in enumerate(seats.people)
        ),
    )


def tournament_data(tournament: TournamentView) -> bytes:
    """Write everything as JSON; points as decimals."""
    whole = {
        "schema": "coyote-tournament/1",
        "title": tournament.title,
        "movement": tournament.movement,
        "points": tournament.points,
        "bye": tournament.bye,
        "is_over": tournament.is_over,
        "rounds": [
            {"number": each.number, "byes": each.byes, "tables": each.seats} for each in tournament.rounds
        ],
        "standings": [
            {**msgspec.structs.asdict(each), "points": float(each.points), "met": float(each.met)}
            for each in tournament.standings
        ],
        "penalties": tournament.penalties,
    }
    return msgspec.json.encode(whole)


def _table(columns: tuple[str, ...], rows: Iterable[Mapping[str, str | int]]) -> str:
    out = StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows({column: safe_cell(value) for column, value in row.items()} for row in rows)
    return MARK + out.getvalue()

"""Exports of a tournament: CSV tables and JSON; pure."""

import csv
from collections.abc import Iterable
from fractions import Fraction
from io import StringIO

import msgspec

from club.views import TournamentView
from webui.views.exports import MARK, safe_cell

STANDINGS = ("place", "number", "name", "points", "won", "met", "played", "byes", "penalty")
RESULTS = ("round", "table", "game", "number", "name", "seat", "place", "corrected", "match")


def number_text(points: Fraction) -> str:
    """Format points, with fractions as two decimals."""
    return str(points) if points.denominator == 1 else f"{float(points):.2f}".rstrip("0")


def standings_table(tournament: TournamentView) -> str:
    return _table(STANDINGS, ([getattr(each, name) for name in STANDINGS] for each in tournament.standings))


def results_table(tournament: TournamentView) -> str:
    rows = (
        (
            *(the_round.number, at.table, at.game, who.number, who.name, seat + 1),
            *(at.places[seat] if at.places else "", int(at.is_corrected), "" if at.match is None else at.match),
        )
        for the_round in tournament.rounds
        for at in the_round.seats
        for seat, who in enumerate(at.people)
    )
    return _table(RESULTS, rows)


def tournament_data(tournament: TournamentView) -> bytes:
    """Return the whole tournament as JSON, with points as decimals."""
    whole = {
        "schema": "coyote-tournament/1",
        "title": tournament.plan.title,
        "movement": tournament.plan.movement,
        "points": tournament.plan.points,
        "bye": tournament.plan.bye,
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


def _table(columns: Iterable[str], rows: Iterable[Iterable[str | int | Fraction]]) -> str:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(
        [safe_cell(number_text(value) if isinstance(value, Fraction) else value) for value in row]
        for row in rows
    )
    return MARK + out.getvalue()

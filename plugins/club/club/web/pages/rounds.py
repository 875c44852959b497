"""The director's rounds: drawing, swapping, sending, the clock, results, corrections, slips to print."""

from collections.abc import Sequence
from secrets import randbelow

from flask import Blueprint, Response, request

from club.tournament import rounds
from club.tournament.values import Correction, Result, Tournament
from club.views import RoundView, TableSeats
from club.web.drawn_pages import ClubPages
from club.web.forms import number_in, text_in, whole
from club.web.pages.acting import act_on, by_and_at, by_director, for_director

ROUND = "/director/round"
SEEDS = 2**31


def rounds_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("rounds", __name__), RoundPages(pages)
    blueprint.get(ROUND)(for_director(pages, page.show))
    blueprint.get(f"{ROUND}/results")(for_director(pages, page.results))
    blueprint.get("/print/seats")(page.slips)
    for name, act in (
        ("draw", page.draw),
        ("swap", page.swap),
        ("send", page.send),
        ("clock", page.turn_clock),
        ("move", page.move),
        ("correct", page.correct),
    ):
        blueprint.post(f"{ROUND}/{name}")(by_director(pages, act))
    return blueprint


class RoundPages:
    """Handles the rounds."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages, self._services = pages, pages.services

    def show(self) -> Response:
        """Show the round that is drawn, or the one that is played."""
        current = self._services.tournaments.current()
        last = current.rounds[-1] if current is not None and current.rounds else None
        return self._pages.page(
            "round", {"tournament": current, "last": last, "here": "round", "open": _open(last)}
        )

    def results(self) -> Response:
        """Show the results of a round, each with a form to correct it."""
        current = self._services.tournaments.current()
        every = () if current is None else current.rounds
        number = whole(request.args.get("round", ""), len(every))
        shown = next((each for each in every if each.number == number), None)
        return self._pages.page("results", {"tournament": current, "shown": shown, "here": "round"})

    def slips(self) -> Response:
        """Show who sits where, to print and cut."""
        current = self._services.tournaments.current()
        shown = current.rounds[-1] if current is not None and current.rounds else None
        return self._pages.page("slips", {"tournament": current, "shown": shown})

    def draw(self) -> Response:
        """Draw a round."""
        return act_on(
            self._pages, lambda was, results, _now: rounds.draw_round(was, results, randbelow(SEEDS)), ROUND
        )

    def swap(self) -> Response:
        """Let two people change places: the two that were ticked."""
        chosen = [whole(each) for each in request.form.getlist("swap")]
        one, other = chosen if len(chosen) == 2 else (0, 0)
        return act_on(self._pages, lambda was, _results, _now: rounds.swap(was, one, other), ROUND)

    def send(self) -> Response:
        """Send the round to phones and tables."""
        return act_on(self._pages, lambda was, _results, now: rounds.send_round(was, now), ROUND)

    def turn_clock(self) -> Response:
        """Stop the clock, let it run on, or change its minutes."""
        what = request.form.get("what", "")

        def turned(was: Tournament, _results: Sequence[Result], now: float) -> Tournament:
            if what in {"stop", "start"}:
                return (rounds.stop_clock if what == "stop" else rounds.start_clock)(was, now)
            return rounds.add_minutes(was, {"more": 5, "less": -5}.get(what, 0))

        return act_on(self._pages, turned, ROUND)

    def move(self) -> Response:
        """Let the people of a table sit at another."""
        form, number = request.form, number_in(request.form, "round")
        table, to = form.get("table", ""), form.get("to", "")
        return act_on(
            self._pages,
            lambda was, _results, _now: rounds.move_table(was, number, table, to),
            f"{ROUND}/results?round={number}",
        )

    def correct(self) -> Response:
        """Write a result as the director says it; by a button, the table's own counts again."""
        form, number = request.form, number_in(request.form, "round")
        # without that button, no places at all mean a form that is wrong
        places = () if "own" in form else tuple(map(whole, form.getlist("place"))) or (0,)

        def corrected(was: Tournament, _results: Sequence[Result], now: float) -> Tournament:
            by, at = by_and_at(self._pages, now)
            said = Correction(form.get("table", ""), places, by, text_in(form, "why"), at)
            return rounds.correct_result(was, number, said)

        return act_on(self._pages, corrected, f"{ROUND}/results?round={number}")


def _open(last: RoundView | None) -> list[TableSeats]:
    return [] if last is None else [each for each in last.seats if not each.places]

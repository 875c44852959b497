"""The director's rounds: drawing, swapping, sending, the clock, results, corrections, slips to print."""

from flask import Blueprint, Response, request

from club.views import Correct, Draw, Move, RoundView, Send, Swap, TableSeats, Turn
from club.web.drawn_pages import ClubPages
from club.web.forms import number_in, text_in, whole
from club.web.pages.acting import act_on, by_director, for_director

ROUND = "/director/round"


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
        rounds = () if current is None else current.rounds
        number = whole(request.args.get("round", ""), len(rounds))
        shown = next((each for each in rounds if each.number == number), None)
        return self._pages.page("results", {"tournament": current, "shown": shown, "here": "round"})

    def slips(self) -> Response:
        """Show who sits where, to print and cut."""
        current = self._services.tournaments.current()
        shown = current.rounds[-1] if current is not None and current.rounds else None
        return self._pages.page("slips", {"tournament": current, "shown": shown})

    def draw(self) -> Response:
        """Draw a round."""
        return act_on(self._pages, Draw(), ROUND)

    def swap(self) -> Response:
        """Let two people change places: the two that were ticked."""
        chosen = [whole(each) for each in request.form.getlist("swap")]
        one, other = chosen if len(chosen) == 2 else (0, 0)
        return act_on(self._pages, Swap(one, other), ROUND)

    def send(self) -> Response:
        """Send the round."""
        return act_on(self._pages, Send(), ROUND)

    def turn_clock(self) -> Response:
        """Stop the clock, let it run on, or change its minutes."""
        what = request.form.get("what", "")
        minutes = {"more": 5, "less": -5}.get(what, 0)
        return act_on(self._pages, Turn("minutes" if minutes else what, minutes), ROUND)

    def move(self) -> Response:
        """Let the people of a table sit at another."""
        form = request.form
        then = f"{ROUND}/results?round={number_in(form, 'round')}"
        return act_on(
            self._pages, Move(number_in(form, "round"), form.get("table", ""), form.get("to", "")), then
        )

    def correct(self) -> Response:
        """Write a result as the director says it."""
        form, number = request.form, number_in(request.form, "round")
        places = () if "own" in form else tuple(whole(each) for each in form.getlist("place"))
        # without the button for it, no places at all mean a form that is wrong, not the table's own result
        said = Correct(
            number, form.get("table", ""), places or (() if "own" in form else (0,)), text_in(form, "why")
        )
        return act_on(self._pages, said, f"{ROUND}/results?round={number}")


def _open(last: RoundView | None) -> list[TableSeats]:
    return [] if last is None else [each for each in last.seats if not each.places]

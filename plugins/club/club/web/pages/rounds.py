"""The director's rounds: drawing, swapping, sending, the clock, results, corrections, slips to print."""

from secrets import randbelow

from flask import Blueprint, Response, request

from club.tournament import rounds
from club.tournament.values import Correction, Tournament
from club.tournaments import KeptTournament
from club.web.drawn_pages import pages
from club.web.forms import number_in, text_in, whole
from club.web.pages.acting import changing, for_director

ROUND = "/director/round"
RESULTS = f"{ROUND}/results?round={{round}}"
SEEDS = 2**31
blueprint = Blueprint("rounds", __name__)


@blueprint.get(ROUND)
@for_director
def show() -> Response:
    """Show the round that is drawn, or the one that is played."""
    current = pages.current
    last = current.rounds[-1] if current is not None and current.rounds else None
    unfinished = [] if last is None else [each for each in last.seats if not each.places]
    return pages.page("round", tournament=current, last=last, here="round", open=unfinished)


@blueprint.get(f"{ROUND}/results")
@for_director
def results() -> Response:
    """Show the results of a round, each with a form to correct it."""
    current = pages.current
    every = () if current is None else current.rounds
    number = whole(request.args.get("round", ""), len(every))
    shown = next((each for each in every if each.number == number), None)
    return pages.page("results", tournament=current, shown=shown, here="round")


@blueprint.get("/print/seats")
def slips() -> Response:
    """Show who sits where, to print and cut."""
    current = pages.current
    shown = current.rounds[-1] if current is not None and current.rounds else None
    return pages.page("slips", tournament=current, shown=shown)


@changing(blueprint, f"{ROUND}/draw", ROUND)
def draw(kept: KeptTournament) -> Tournament:
    """Draw a round."""
    return rounds.draw_round(kept.tournament, kept.results, randbelow(SEEDS))


@changing(blueprint, f"{ROUND}/swap", ROUND)
def swap(kept: KeptTournament) -> Tournament:
    """Let two people change places: the two that were ticked."""
    chosen = [whole(each) for each in request.form.getlist("swap")]
    return rounds.swap(kept.tournament, *(chosen if len(chosen) == 2 else (0, 0)))


@changing(blueprint, f"{ROUND}/send", ROUND)
def send(kept: KeptTournament) -> Tournament:
    """Send the round to phones and tables."""
    return rounds.send_round(kept.tournament, kept.now)


@changing(blueprint, f"{ROUND}/clock", ROUND)
def turn_clock(kept: KeptTournament) -> Tournament:
    """Stop the clock, let it run on, or change its minutes."""
    what = request.form.get("what", "")
    if what in {"stop", "start"}:
        return (rounds.stop_clock if what == "stop" else rounds.start_clock)(kept.tournament, kept.now)
    return rounds.add_minutes(kept.tournament, {"more": 5, "less": -5}.get(what, 0))


@changing(blueprint, f"{ROUND}/move", RESULTS)
def move(kept: KeptTournament) -> Tournament:
    """Let the people of a table sit at another."""
    form = request.form
    return rounds.move_table(
        kept.tournament, number_in(form, "round"), form.get("table", ""), form.get("to", "")
    )


@changing(blueprint, f"{ROUND}/correct", RESULTS)
def correct(kept: KeptTournament) -> Tournament:
    """Write a result as the director says it; by a button, the table's own counts again."""
    form = request.form
    # without that button, no places at all mean a form that is wrong
    places = () if "own" in form else tuple(map(whole, form.getlist("place"))) or (0,)
    said = Correction(form.get("table", ""), places, pages.director, text_in(form, "why"), kept.date)
    return rounds.correct_result(kept.tournament, number_in(form, "round"), said)

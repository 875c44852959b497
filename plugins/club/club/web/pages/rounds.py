"""The director's rounds: draw, swap, send, clock, results, corrections and printed slips."""

from secrets import randbelow

from flask import Blueprint, Response, request

from club.tournament import rounds
from club.tournament.values import Correction, Tournament
from club.tournaments import KeptTournament
from club.views import TournamentView
from club.web.drawn_pages import pages
from club.web.forms import number_in, text_in, whole
from club.web.pages.acting import ask_first, by_director, change_tournament, changing, for_director
from referee.contract.words import phrase

ROUND = "/director/round"
RESULTS = f"{ROUND}/results?round={{round}}"
blueprint = Blueprint("rounds", __name__)


@blueprint.get(ROUND)
@for_director
def show() -> Response:
    """Show the drawn round or the current one."""
    current = pages.current
    last = current.rounds[-1] if current is not None and current.rounds else None
    unfinished = [] if last is None else [each for each in last.seats if not each.places]
    return pages.page("round", tournament=current, last=last, here="round", open=unfinished)


@blueprint.get(f"{ROUND}/results")
@for_director
def results() -> Response:
    current = pages.current
    every = () if current is None else current.rounds
    number = whole(request.args.get("round", ""), len(every))
    shown = next((each for each in every if each.number == number), None)
    return pages.page("results", tournament=current, shown=shown, here="round")


@blueprint.get("/print/seats")
def slips() -> Response:
    current = pages.current
    shown = current.rounds[-1] if current is not None and current.rounds else None
    return pages.page("slips", tournament=current, shown=shown)


@changing(blueprint, f"{ROUND}/draw", ROUND)
def draw(kept: KeptTournament) -> Tournament:
    return rounds.draw_round(kept.tournament, kept.results, randbelow(2**31))


@changing(blueprint, f"{ROUND}/swap", ROUND)
def swap(kept: KeptTournament) -> Tournament:
    """Swap the two selected people."""
    chosen = [whole(each) for each in request.form.getlist("swap")]
    return rounds.swap(kept.tournament, *(chosen if len(chosen) == 2 else (0, 0)))


@blueprint.post(f"{ROUND}/send")
@by_director
def send() -> Response:
    doubts = () if (current := pages.current) is None else _doubts(current)
    if doubts and (asked := ask_first(" ".join(doubts), pages.say(phrase("Send anyway")))) is not None:
        return asked
    return change_tournament(lambda kept: rounds.send_round(kept.tournament, kept.now), ROUND)


def _doubts(current: TournamentView) -> tuple[str, ...]:
    """Return warnings before sending a round: unfinished and offline tables."""
    silent = {table.name for table in pages.services.tables.tables() if not table.is_there}
    playing = [seats.title for each in current.rounds[-1:] for seats in each.seats if not seats.places]
    away = [seats.title for seats in (current.draft.seats if current.draft else ()) if seats.table in silent]
    warnings = (
        (phrase("Still playing the previous round: {tables}. Their players will be called away."), playing),
        (phrase("Offline: {tables}. They receive the round once they are back."), away),
    )
    return tuple(pages.say(text, tables=", ".join(tables)) for text, tables in warnings if tables)


@changing(blueprint, f"{ROUND}/clock", ROUND)
def turn_clock(kept: KeptTournament) -> Tournament:
    what = request.form.get("what", "")
    if what in {"stop", "start"}:
        return (rounds.stop_clock if what == "stop" else rounds.start_clock)(kept.tournament, kept.now)
    return rounds.add_minutes(kept.tournament, {"more": 5, "less": -5}.get(what, 0))


@changing(blueprint, f"{ROUND}/move", RESULTS)
def move(kept: KeptTournament) -> Tournament:
    form = request.form
    return rounds.move_table(
        kept.tournament, number_in(form, "round"), form.get("table", ""), form.get("to", "")
    )


@changing(blueprint, f"{ROUND}/correct", RESULTS)
def correct(kept: KeptTournament) -> Tournament:
    form = request.form
    # without that button, missing places mean an invalid form
    places = () if "own" in form else tuple(map(whole, form.getlist("place"))) or (0,)
    correction = Correction(form.get("table", ""), places, pages.director, text_in(form, "why"), kept.date)
    return rounds.correct_result(kept.tournament, number_in(form, "round"), correction)

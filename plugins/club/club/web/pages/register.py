"""Pages for people's own phones: registration, seat, profiles, and deleting one's data."""

from flask import Blueprint, Response, abort, request

from club.people import PersonRow
from club.tournament.values import NotPossible
from club.views import RoundView, TableSeats, TournamentView
from club.web.access import ENTRANT, PERSON, may_send, with_numbers
from club.web.drawn_pages import pages
from club.web.forms import number_in, text_in
from referee.contract.words import phrase
from webui.access.origins import network_of
from webui.pages.players.entering import redirect_to
from webui.views.words import Texts

blueprint = Blueprint("register", __name__)


@blueprint.get("/me")
def show() -> Response:
    return _page()


@blueprint.post("/me/enter")
def enter() -> Response:
    if not may_send(request, pages.viewer):
        return _page(pages.say(Texts.stale_form), 403)
    current = pages.current
    if current is None or current.is_over:
        return _page(pages.say(phrase("No tournament is open now.")), 409)
    if not pages.registering.may_try(network_of(request.remote_addr or "")):
        return _page(pages.say(Texts.too_often), 429)
    services, name, agrees = pages.services, text_in(request.form, "name"), request.form.get("agrees") == "1"
    known = _people()
    same = next((each.id for each in known if each.name == name), None)
    # a person isn't stored if the tournament rejects them
    try:
        number, kept = services.people.enter(current.id, name, same, agrees=agrees)
    except NotPossible as why:
        return _page(pages.problem(why), 409)
    response = with_numbers(services, redirect_to("/me"), ENTRANT, current.id, number)
    if kept is None or kept == same:
        return response
    return with_numbers(services, response, PERSON, *(each.id for each in known), kept)


@blueprint.post("/me/forget")
def forget() -> Response:
    known, person = pages.viewer.people, number_in(request.form, "person")
    if not may_send(request, pages.viewer) or person not in known:
        return _page(pages.say(Texts.stale_form), 403)
    pages.services.people.forget(person)
    text = phrase("Your profile is deleted. Ask the director to delete your name from your matches, too.")
    response = pages.refuse(pages.say(text), "/me", 200)
    return with_numbers(pages.services, response, PERSON, *(each for each in known if each != person))


@blueprint.get("/people/<int:number>")
def profile(number: int) -> Response:
    people = pages.services.people
    person = people.person(number) if number < 2**63 else None
    if person is None:
        abort(404)
    return pages.page("profile", person=person, matches=people.matches_of(number)[:20])


def _people() -> list[PersonRow]:
    """Return the people whom this phone may delete; others with the same name aren't included."""
    found = (pages.services.people.person(number) for number in pages.viewer.people)
    return [each for each in found if each is not None]


def _page(why: str = "", code: int = 200) -> Response:
    current = pages.current
    tournament, number = pages.viewer.entrant or (0, 0)
    entrant = None
    if current is not None and tournament == current.id:
        entrant = next((each for each in current.standings if each.number == number), None)
    return pages.page(
        "me",
        code,
        tournament=current,
        entrant=entrant,
        seat=None if entrant is None or current is None else _place(current, entrant.number),
        people=_people(),
        why=why,
    )


def _place(current: TournamentView, number: int) -> tuple[RoundView, TableSeats | None, int] | None:
    """Return a player's round and seat in the last sent round; no table means a bye."""
    if not current.rounds:
        return None
    last = current.rounds[-1]
    for seats in last.seats:
        for seat, who in enumerate(seats.people, 1):
            if who.number == number:
                return last, seats, seat
    return (last, None, 0) if any(who.number == number for who in last.byes) else None

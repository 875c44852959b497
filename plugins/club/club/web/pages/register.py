"""People's own phones: taking part, one's place, profiles, ratings, and being forgotten."""

from flask import Blueprint, Response, abort, request

from club.tournament.values import NotPossible
from club.views import RoundView, StandingRow, TableSeats, TournamentView
from club.web.access import ENTRANT, PERSON, ClubViewer, club_viewer, may_send, with_entrant, with_person
from club.web.drawn_pages import ClubPages
from club.web.forms import text_in
from firmware.parts.attempt_limits import AttemptLimit
from referee.contract.words import phrase
from webui.access.origins import network_of
from webui.drawing.words import Texts
from webui.pages.players.entering import redirect_to

SHOWN = 20
"""Matches on a profile."""
FAMILY = 40
"""People whom one network may register within a minute: a club's phones share one."""


def register_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("register", __name__), PhonePages(pages)
    blueprint.get("/me")(page.show)
    blueprint.post("/me/enter")(page.enter)
    blueprint.post("/me/forget")(page.forget)
    blueprint.get("/people/<int:number>")(page.profile)
    blueprint.get("/ratings")(page.ratings)
    return blueprint


class PhonePages:
    """Handles what people do with their own phones."""

    def __init__(self, pages: ClubPages) -> None:
        """Remember the pages; not too many may register at once."""
        self._pages, self._services = pages, pages.services
        self._attempts = AttemptLimit(each=FAMILY, most=5 * FAMILY)

    def show(self) -> Response:
        """Show one's place, or how to take part."""
        return self._page()

    def enter(self) -> Response:
        """Let a person take part, and keep them if they agree."""
        viewer = club_viewer(self._services, request)
        if not may_send(request, viewer):
            return self._page(self._pages.say(viewer, Texts.stale_form), 403)
        current = self._services.tournaments.current()
        if current is None or current.is_over:
            return self._page(self._pages.say(viewer, phrase("No tournament is open now.")), 409)
        if not self._attempts.may_try(network_of(request.remote_addr or "")):
            return self._page(self._pages.say(viewer, Texts.too_often), 429)
        return self._enter(viewer, current)

    def _enter(self, viewer: ClubViewer, current: TournamentView) -> Response:
        name, agrees = text_in(request.form, "name"), request.form.get("agrees") == "1"
        known = None if viewer.person is None else self._services.people.person(viewer.person)
        person = viewer.person if known is not None and known.name == name else None
        # no person is kept whom the tournament doesn't take
        try:
            number, kept = self._services.tournaments.enter(current.id, name, person, agrees=agrees)
        except NotPossible as why:
            return self._page(self._pages.problem(viewer, why), 409)
        response = with_entrant(self._services, redirect_to("/me"), current.id, number)
        return response if kept is None else with_person(self._services, response, kept)

    def forget(self) -> Response:
        """Forget the person whose phone this is."""
        viewer = club_viewer(self._services, request)
        if not may_send(request, viewer) or viewer.person is None:
            return self._page(self._pages.say(viewer, Texts.stale_form), 403)
        self._services.people.forget(viewer.person)
        response = self._pages.page(
            "refused",
            {
                "why": self._pages.say(
                    viewer, phrase("Your name is deleted here. Each table deletes it as soon as it is heard.")
                ),
                "back": "/",
            },
        )
        for cookie in (PERSON, ENTRANT):
            response.delete_cookie(cookie)
        return response

    def profile(self, number: int) -> Response:
        """Show a person who has agreed to be kept."""
        person = self._services.people.person(number) if number < 2**63 else None
        if person is None:
            abort(404)
        rated = [each for each in self._services.people.ratings() if each.person == number]
        matches = self._services.people.matches_of(number)[:SHOWN]
        return self._pages.page("profile", {"person": person, "rated": rated, "matches": matches})

    def ratings(self) -> Response:
        """Rank people by game and edition."""
        every = self._services.people.ratings()
        kinds = sorted({(each.game, each.edition) for each in every})
        shown = [(kind, [each for each in every if (each.game, each.edition) == kind]) for kind in kinds]
        return self._pages.page("ratings", {"shown": shown})

    def _page(self, why: str = "", code: int = 200) -> Response:
        viewer, current = club_viewer(self._services, request), self._services.tournaments.current()
        entrant = _entered(viewer, current)
        values = {
            "tournament": current,
            "entrant": entrant,
            "seat": None if entrant is None or current is None else _place(current, entrant.number),
            "person": None if viewer.person is None else self._services.people.person(viewer.person),
            "why": why,
        }
        return self._pages.page("me", values, code)


def _entered(viewer: ClubViewer, current: TournamentView | None) -> StandingRow | None:
    """Find the standing of the viewer in the tournament that stands."""
    if viewer.entrant is None or current is None or viewer.entrant[0] != current.id:
        return None
    return next((each for each in current.standings if each.number == viewer.entrant[1]), None)


def _place(current: TournamentView, number: int) -> tuple[RoundView, TableSeats | None, int] | None:
    """Find where a player sits in the round that was sent last; at no table means sitting out."""
    last = current.rounds[-1] if current.rounds else None
    if last is None:
        return None
    for seats in last.seats:
        for seat, who in enumerate(seats.people):
            if who.number == number:
                return last, seats, seat + 1
    return (last, None, 0) if any(who.number == number for who in last.byes) else None

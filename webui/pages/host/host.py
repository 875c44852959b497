"""Host's control room: health, people, recent answers, pause and undo; the rest is one level down."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import Response, request
from msgspec.structs import replace

from firmware.language.speaking import problem_text
from firmware.storage.people.links import is_same
from firmware.storage.state_place import cures
from firmware.table.naming import unseen_faces
from firmware.table.notices import is_unsaved
from referee.contract import Answer
from referee.contract.words import Phrase, phrase
from referee.finish_view import finish_of
from referee.match import EndMatch, Match, Step, TakeBack, is_going_on
from referee.moment_view import view_of
from referee.sentences import Language, Listener, value_text
from vision.troubles import Problem
from webui.access.guess_limits import Kind
from webui.access.joining import empty_seat, enter_as_host
from webui.access.viewers import Viewer, evening_of, is_own_computer, may_send
from webui.pages.host.correcting import answer_lines
from webui.pages.host.people import PEOPLE, code_values, people_values
from webui.pages.page import Page, get, post
from webui.pages.players import entering
from webui.pages.players.claiming import CLAIM_PAGE, waits_for_host
from webui.pages.players.photograph import Contests
from webui.pages.players.reaching import waiting_wifi
from webui.server.drawn_pages import Pages, match_id, wifi_square
from webui.views.controls import ClaimedCard, claimed_card, may_take_back, taken_soon
from webui.views.health import health_of
from webui.views.naming_view import naming_view, own_face_name
from webui.views.screen_view import winners_text
from webui.views.words import Texts, match_title, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

INCIDENTS: Mapping[Kind, Phrase] = {
    "guess": phrase("Wrong codes or PINs from {address}: {count}."),
    "flood": phrase("Too many connections from {address}; closed: {count}."),
    "other-site": phrase("Forms of another site sent by {address}: {count}."),
}
STILL_UNSAVED = phrase("Nothing is saved yet. Fix the problem, then try again.")
SHOWN = 8  # most lines in the list of failed guesses
NEWEST = 4  # answers shown unfolded


class HostPage(Page):
    """Pages of the control room."""

    def __init__(self, table: "Table", pages: Pages, entrance: entering.Entrance, contests: Contests) -> None:
        super().__init__(table, pages)
        self._entrance, self._contests = entrance, contests

    @get("/host")
    def show(self) -> Response:
        """Show the control room or the PIN page; a table without a host redirects to the claim page."""
        if waits_for_host(self._table) and not self._viewer().is_host:
            return entering.redirect_to(CLAIM_PAGE)
        return self.draw()

    @get("/host/more", "host")
    def list_pages(self, viewer: Viewer) -> Response:
        title = match_title(self._table.client.moment(), self._language(viewer))
        return self._draw("more", viewer, {"title": title})

    @get(PEOPLE, "host")
    def show_people(self, viewer: Viewer) -> Response:
        return self._draw("people", viewer, people_values(self._table, request))

    @get(f"{PEOPLE}/<int:seat>", "host")
    def show_code(self, viewer: Viewer, seat: int) -> Response:
        values = code_values(self._table, request, seat)
        if values is None:
            return entering.redirect_to("/host")
        also = self._table.address.named()
        addresses = {"address": f"{self._table.address.own()}join", "also": also and f"{also}join"}
        return self._draw("seat_code", viewer, {**addresses, **values, "wifi": wifi_square(self._table)})

    @post("/host/enter")
    def come_in(self) -> Response:
        viewer, guesses = self._viewer(), self._entrance.pins
        rejection = entering.attempt_rejection(self._table, viewer, guesses, request)
        if rejection is not None:
            return self.draw(rejection)
        is_right = is_same(evening_of(self._table).pin, "".join(request.form.get("pin", "").split()))
        entering.note_guess(guesses, self._entrance.incidents, request, is_right=is_right)
        if not is_right:
            return self.draw(self._rejection(viewer, Texts.wrong_pin, 403))
        return enter_as_host(self._table, request, entering.redirect_to("/host"))

    @post("/host/here")
    def lead_from_here(self) -> Response:
        """Make the browser on this computer a host, unless the computer is a Raspberry Pi at a real table."""
        viewer = self._viewer()
        if not self._sits_here() or not may_send(request, viewer):
            return self.draw(self._rejection(viewer, Texts.stale_form, 403))
        return enter_as_host(self._table, request, entering.redirect_to("/host"))

    @post("/host/back", "host")
    def take_back(self, viewer: Viewer) -> Response:
        moment = entering.form_moment(self._table, request)
        if moment is None:
            return self.draw(entering.stale_rejection(self._table, viewer))
        back = TakeBack(moment, _last_seat(self._table.client.moment()))
        return self._lead_on(entering.enter(self._table, viewer, back))

    @post("/host/end", "host")
    def end(self, viewer: Viewer) -> Response:
        """End the match at its current moment, even if play continued while the host confirmed."""
        if entering.form_moment(self._table, request) is None:
            return self.draw(entering.stale_rejection(self._table, viewer))
        return self._lead_on(entering.enter(self._table, viewer, EndMatch(self._table.client.moment().number)))

    @post("/host/no", "host")
    def say_no(self, viewer: Viewer) -> Response:
        return self._lead_on(entering.say_no(self._table, viewer, request))

    @post("/host/saw", "host")
    def confirm_claim(self, viewer: Viewer) -> Response:
        moment, claim = entering.form_moment(self._table, request), self._claim(viewer)
        if moment is None or claim is None:
            return self.draw(entering.stale_rejection(self._table, viewer))
        seen = Answer(moment, claim.ask.key, (claim.face,), None, "phone")
        return self._lead_on(entering.enter(self._table, viewer, seen))

    def _claim(self, viewer: Viewer) -> ClaimedCard | None:
        """Return the card of a claim that people confirm, because nothing knows where the cards are."""
        told = view_of(self._table.client.moment(), self._language(viewer))
        return None if self._table.twin.is_there else claimed_card(told)

    @post("/host/again", "host")
    def again(self, viewer: Viewer) -> Response:
        if entering.form_moment(self._table, request) is None:
            return self.draw(entering.stale_rejection(self._table, viewer))
        self._table.client.ask_rematch()
        return entering.redirect_to("/host")

    @post("/host/save", "host")
    def save_again(self, viewer: Viewer) -> Response:
        """Retry saving. A table that started in memory restarts instead."""
        if self._table.place.unsaved is not None:
            return self._restart(viewer)
        saved = entering.result_or_why(self._table.client.save_again())
        if saved is not True:
            return self.draw(self._rejection(viewer, saved or STILL_UNSAVED, 409))
        return entering.redirect_to("/seat" if request.form.get("from") == "seat" else "/host")

    @post("/host/code/<int:seat>", "host")
    def new_code(self, viewer: Viewer, seat: int) -> Response:
        """Give a seat a new code; the phone with the old one loses the seat."""
        if seat >= len(self._table.client.moment().setup.names):
            return self.draw(self._rejection(viewer, Texts.not_understood, 400))
        empty_seat(self._table, seat)
        return entering.redirect_to(f"{PEOPLE}/{seat}")

    def _lead_on(self, rejection: entering.Rejection | None) -> Response:
        return entering.redirect_to("/host") if rejection is None else self.draw(rejection)

    def _turn_away(self) -> Response:
        return self.draw(self._rejection(self._viewer(), Texts.stale_form, 403))

    @get("/host/enter")
    def draw(self, rejection: entering.Rejection | None = None) -> Response:
        return self._draw_forms(
            lambda viewer: (
                ("host", self._host_values(viewer))
                if viewer.is_host
                else ("pin", {"sits_here": self._sits_here()})
            ),
            rejection,
        )

    def _sits_here(self) -> bool:
        return self._table.cards.is_led_here and is_own_computer(self._table, request)

    def _host_values(self, viewer: Viewer) -> dict[str, object]:
        match, listener = self._table.client.moment(), self._listener(viewer)
        answers, language = answer_lines(match, listener), self._language(viewer)
        state, told = self._table.client.state(), view_of(match, language)
        return {
            **people_values(self._table, request),
            **self._trouble_values(viewer, language),
            "wifi": waiting_wifi(self._table, request),
            "match": match_id(match),
            "moment": match.number,
            "title": match_title(match, language),
            "last": answers[0] if answers else None,
            "may_take_back": may_take_back(match, _last_seat(match)),
            "is_over": match.outcome is not None,
            "finish": finish_of(match, language),
            "winners": winners_text(told),
            "record": state.id if state.is_saving else None,
            **self._club_values(match),
            **self._learning_values(viewer, match, listener),
            "is_paused": state.is_paused,
            "taking": taken_soon(state.taking, told),
            "claim": self._claim(viewer),
            "answers": answers[:NEWEST],
            "earlier": answers[NEWEST:],
            "contests": [
                (each.heard_at, listener.names[each.seat], value_text(listener, each.value))
                for each in self._contests.contests_in(match)
            ],
        }

    def _learning_values(self, viewer: Viewer, match: Match, listener: Listener) -> Mapping[str, object]:
        """Return the question for a host without a seat, the deck to keep, and names that are in doubt."""
        naming, shelf, news = self._table.naming, self._table.decks, self._table.client.deck
        unkept = shelf.unkept() if match.outcome is not None else None
        taken_back = () if news is None else news.taken_back
        hidden = unseen_faces(match, viewer.seat, dict.fromkeys(taken_back, (match.number,)))
        return {
            "naming": None if viewer.seat is not None else naming_view(self._table, match, viewer, listener),
            "unkept": unkept,
            "known": None if unkept is None else naming.known(naming.unseen(viewer.seat)),
            "doubted": ", ".join(own_face_name(listener, face) for face in taken_back if face not in hidden),
        }

    def _club_values(self, match: Match) -> Mapping[str, object]:
        """Return the club's seating unless it is already in play, and whether the club is unreachable."""
        club = self._table.club.status()
        is_awaited = bool(club.seats) and club.seats != match.setup.names
        is_away = bool(club.club) and not club.is_connected and not club.is_refused
        return {
            "seated": club if is_awaited else None,
            "is_free": not is_going_on(match),
            "is_club_away": is_away,
        }

    def _trouble_values(self, viewer: Viewer, language: Language) -> Mapping[str, object]:
        troubles, place = self._table.client.troubles(), self._table.place
        unsaved = next(filter(is_unsaved, troubles), None)
        if unsaved is not None:
            place = replace(place, unsaved=Problem(unsaved.key))
        return {
            "health": health_of(
                troubles,
                is_saving=self._table.client.state().is_saving,
                has_buttons=self._table.board.has_buttons(),
            ),
            "wrong": self._pages.trouble_sentences(viewer),
            "camera": self._pages.camera(viewer, "host"),
            "incidents": [
                page_text(language, INCIDENTS[each.kind], address=each.address, count=each.count)
                for each in self._entrance.incidents.recent()[:SHOWN]
            ],
            "cures": tuple(problem_text(step, language) for step in cures(place)),
        }


def _last_seat(match: Match) -> int | None:
    position = match.position
    return position.answer.seat if isinstance(position, Step) else None

"""Seat page: claim a seat, answer for it, hand it over."""

from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from flask import Response, request
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.links import CODE
from firmware.table.hosting import name_seat, play_on
from referee.contract import Answer, Choice, Number
from referee.contract.words import Phrase, phrase
from referee.legal import ask_named
from referee.match import Match, TakeBack
from referee.moment_view import view_of
from referee.verdicts import say_whose
from webui.access import viewers
from webui.access.joining import give_up_seat, join_by_code, join_free_seat, may_be_named, unnamed
from webui.access.origins import network_of
from webui.pages.page import Drawing, Page, get, post
from webui.pages.players import entering
from webui.pages.players.entering import Entrance, Rejection
from webui.pages.players.photograph import PhotographKeeper, seat_key
from webui.pages.players.playing_on import arriving_values, offered_seat, said_name
from webui.server.drawn_pages import Pages, picture_of, seat_address
from webui.views.controls import asks_of, claimed_card, value_of
from webui.views.words import Texts, match_title

if TYPE_CHECKING:
    from firmware.services.table import Table

QUESTION = "/seat#question"
"""Address of the next question on the seat page; keyboard focus continues there."""
TWIN = "/twin#asked"
"""Address of the next question at the simulated table, for players who answer there."""


class SeatPage(Page):
    """Pages of the seats."""

    def __init__(self, table: "Table", pages: Pages, entrance: Entrance, keeper: PhotographKeeper) -> None:
        super().__init__(table, pages)
        self._entrance = entrance
        self._keeper = keeper
        # if two phones use the same code, only the first may name the seat
        self._naming = Lock()

    @get("/seat")
    def show(self) -> Response:
        return self._page(code=request.args.get("code", ""))

    @post("/seat/take")
    def take(self) -> Response:
        viewer = self._viewer()
        rejection = entering.attempt_rejection(self._table, viewer, self._entrance.codes, request)
        if rejection is not None:
            return self._page(rejection)
        code = request.form.get("code", "")
        if "name" not in request.form and self._wants_name(code):
            entering.note_guess(self._entrance.codes, self._entrance.incidents, request, is_right=True)
            return self._page(code=code)
        with self._naming:
            token = self._sit(viewer, code)
        is_right = token is not None
        entering.note_guess(self._entrance.codes, self._entrance.incidents, request, is_right=is_right)
        if isinstance(token, Rejection):
            return self._page(token, code)
        if token is None:
            return self._reject(viewer, phrase("No seat has this code. Check it and try again."), 403)
        return viewers.with_right(self._table, entering.redirect_to("/seat"), viewers.SEAT, token)

    def _sit(self, viewer: viewers.Viewer, code: str) -> str | Rejection | None:
        """Seat a phone by code under the name it entered. Returns None for a wrong code."""
        table, name = self._table, said_name()
        seat = evenings.seat_with_code(viewers.evening_of(table), code)
        if seat is None or not name or not may_be_named(table, seat):
            return join_by_code(table, request, code)
        come = play_on if table.twin.is_there else name_seat
        result = entering.await_result(table, viewer, table.client.host(partial(come, seat, name)))
        return result if isinstance(result, Rejection) else join_free_seat(table, request, seat, name)

    @post("/seat/ask")
    def ask_back(self) -> Response:
        viewer, token = self._viewer(), self._token()
        if not viewers.may_send(request, viewer):
            return self._reject(viewer, Texts.stale_form, 403)
        self._table.links.change(lambda evening: evenings.ask_back(evening, token))
        return entering.redirect_to("/seat")

    @post("/seat/answer", "seat")
    def answer(self, viewer: viewers.Viewer) -> Response:
        answer = _read_answer(self._table, viewer)
        if isinstance(answer, Rejection):
            return self._explain(answer)
        match = self._table.client.moment()
        answer = self._with_witness(viewer, match, answer)
        if isinstance(answer, Rejection):
            return self._page(answer)
        why = self._table.twin.prepare(match, answer, tuple(request.form.getlist("give")))
        if why is not None:
            return self._reject(viewer, why, 409)
        ask, key = ask_named(match.asks, answer.ask), seat_key(match, answer.moment, answer.ask)
        return self._explain(self._keeper.enter(viewer, answer, ask, key))

    def _with_witness(self, viewer: viewers.Viewer, match: Match, answer: Answer) -> Answer | Rejection:
        """Let others confirm the card of a claim: at a real table, a tap of its player proves nothing."""
        claim = claimed_card(view_of(match, self._language(viewer), viewer.seat))
        is_proof = claim is not None and (answer.ask, answer.value) == (claim.ask.key, (claim.face,))
        if claim is None or not is_proof or self._table.twin.is_there:
            return answer
        if viewer.seat not in claim.ask.seats:
            return replace(answer, seat=None)
        seen = {(each.ask, each.value) for each in self._table.client.state().likely}
        key = seat_key(match, answer.moment, answer.ask)
        is_seen = (answer.ask, answer.value) in seen or self._keeper.has_photograph_of(claim.face, viewer, key)
        return answer if is_seen else Rejection(claim.instruction, 409)

    @post("/seat/no", "seat")
    def say_no(self, viewer: viewers.Viewer) -> Response:
        taking = self._table.client.state().taking
        asks = () if viewer.seat is None else asks_of(self._table.client.moment().asks, viewer.seat)
        if taking is not None and ask_named(asks, taking.ask) is None:
            return self._reject(viewer, Texts.not_understood, 403)
        return self._explain(entering.say_no(self._table, viewer, request))

    @post("/seat/mine", "seat")
    def say_mine(self, viewer: viewers.Viewer) -> Response:
        match = self._table.client.moment()
        is_now = viewer.seat is not None and entering.form_moment(self._table, request) == match.number
        said = say_whose(match, viewer.seat or 0, request.form.get("face", "")) if is_now else None
        if said is None:
            return self._explain(entering.stale_rejection(self._table, viewer))
        return self._explain(entering.enter(self._table, viewer, said))

    @post("/seat/back", "seat")
    def take_back(self, viewer: viewers.Viewer) -> Response:
        moment = entering.form_moment(self._table, request)
        if moment is None:
            return self._explain(entering.stale_rejection(self._table, viewer))
        why = self._table.twin.why_not_back(self._table.client.moment())
        if why is not None:
            return self._reject(viewer, why, 409)
        return self._explain(entering.enter(self._table, viewer, TakeBack(moment, viewer.seat)))

    @post("/seat/hand-over", "seat")
    def hand_over(self, viewer: viewers.Viewer) -> Response:
        code = give_up_seat(self._table, self._token())
        values = {"code": code, "picture": picture_of(seat_address(self._table, code))}
        response = Response(self._pages.page("handed_over", viewer, values))
        return viewers.without_seat(self._table, response)

    @post("/seat/again", "seat")
    def play_again(self, _viewer: viewers.Viewer) -> Response:
        if self._table.client.moment().outcome is not None:
            self._table.client.ask_rematch()
        return entering.redirect_to(QUESTION)

    @post("/seat/hint", "seat")
    def hear_hint(self, viewer: viewers.Viewer) -> Response:
        seen = viewers.with_hint_heard(viewer.hints, request.form.get("hint", ""))
        return viewers.with_cookie(entering.redirect_to(QUESTION), viewers.HINTS, seen)

    def _token(self) -> str:
        return viewers.token_in(viewers.evening_of(self._table), request.cookies, viewers.SEAT)

    def _explain(self, rejection: Rejection | None) -> Response:
        """Redirect to the page of the answer; if it was rejected, show why on a fresh page."""
        is_at_twin = request.form.get("at") == "twin"
        moment = entering.form_moment(self._table, request)
        # bots or the clock were faster; the simulated table shows what they did
        is_late = is_at_twin and moment != self._table.client.moment().number
        if rejection is not None and not is_late:
            return self._page(rejection)
        return entering.redirect_to(TWIN if is_at_twin else QUESTION)

    def _turn_away(self) -> Response:
        viewer = self._viewer()
        return self._reject(viewer, Texts.seat_gone if viewer.seat is None else Texts.stale_form, 403)

    def _reject(self, viewer: viewers.Viewer, text: Phrase, code: int) -> Response:
        return self._page(self._rejection(viewer, text, code))

    def _page(self, rejection: Rejection | None = None, code: str = "") -> Response:
        def draw(viewer: viewers.Viewer) -> Drawing:
            if viewer.seat is None or code:
                return self._take_page(viewer, code)
            part = self._pages.part("seat", self._table.client.moment(), viewer)
            return "seat", {"part": part, "live": "seat"}

        return self._draw_forms(draw, rejection)

    def _take_page(self, viewer: viewers.Viewer, code: str) -> Drawing:
        token, evening = self._token(), viewers.evening_of(self._table)
        arriving = arriving_values(self._table, token)
        if arriving is not None and not code:
            return "arriving", arriving
        back, device = evenings.seat_offered_to(evening, token), evenings.person_device(evening, token)
        names = () if evening.match is None else evening.match.names
        seat = self._seat_of_code(evening, code)
        return "take", {
            "code": code[:CODE],
            "title": match_title(self._table.client.moment(), self._language(viewer)),
            "offered": None if seat is None else offered_seat(names, seat, evenings.held_seats(evening)),
            "called": None if seat is None else self._called(evening, seat, token),
            "name": None if back is None else names[back],
            "is_asking": device is not None and device.is_asking,
            "had_seat": bool(token) and viewer.seat is None and back is None,
        }

    def _called(self, evening: evenings.Evening, seat: int, token: str) -> str | None:
        """Suggest a name: the host's, or this phone's own for an unnamed seat; None if the name is settled."""
        if evening.match is None or not may_be_named(self._table, seat):
            return None
        name, person = evening.match.names[seat], evenings.find_person(evening, token)
        mine = "" if person is None else person.name
        is_nobodys = name in unnamed(self._table, seat) or self._table.twin.is_there
        return said_name() or (mine if is_nobodys else name)

    def _wants_name(self, code: str) -> bool:
        """Return whether the code's seat has no name yet, so that its player must enter one."""
        seat = evenings.seat_with_code(viewers.evening_of(self._table), code)
        if seat is None or not may_be_named(self._table, seat):
            return False
        is_bot = self._table.twin.is_there
        return is_bot or self._table.client.moment().setup.names[seat] in unnamed(self._table, seat)

    def _seat_of_code(self, evening: evenings.Evening, code: str) -> int | None:
        """Return the seat of a code. A wrong code in a link counts as a guess."""
        if request.method == "POST":
            # a submitted code was counted when it was submitted
            return evenings.seat_with_code(evening, code) if code else None
        network, looks = network_of(request.remote_addr or ""), self._entrance.looks
        if not code or not looks.may_try(network):
            return None
        seat = evenings.seat_with_code(evening, code)
        if seat is not None:
            looks.take_right(network)
        return seat


def _read_answer(table: "Table", viewer: viewers.Viewer) -> Answer | Rejection:
    moment, match = entering.form_moment(table, request), table.client.moment()
    ask = ask_named(match.asks, request.form.get("ask", ""))
    if moment is None or ask is None:
        return entering.stale_rejection(table, viewer)
    try:
        value = value_of(ask, request.form)
    except ValueError:
        has_chosen = request.form.get("option") or request.form.get("cell")
        no_choice = Texts.not_understood if has_chosen or not isinstance(ask, Choice) else Texts.no_choice
        why = Texts.no_number if isinstance(ask, Number) else no_choice
        return entering.rejection_for(table, viewer, why, 400)
    # an ask to the whole table has no seat
    return Answer(moment, ask.key, value, viewer.seat if ask.seats else None, "phone")

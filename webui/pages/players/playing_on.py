"""Replace a player in the running match, from the seat's own phone."""

from collections.abc import Sequence
from functools import partial
from math import cos, pi, sin
from typing import TYPE_CHECKING

from flask import Response, request
from msgspec import Struct

from firmware.storage.people.evening import Evening, arrive, arriving_seat, hand_on, held_seats, seat_named_in
from firmware.storage.people.links import draw_codes
from firmware.table.hosting import play_on
from referee.contract.words import phrase
from referee.match import Arrival, arrival_at
from referee.moment_view import view_of
from webui.access.joining import welcome_person
from webui.access.viewers import SEAT, Viewer, evening_of, token_in
from webui.pages.page import Drawing, Page, get, post
from webui.pages.players.entering import Rejection, await_result, redirect_to
from webui.views.words import match_title

if TYPE_CHECKING:
    from firmware.services.table import Table

KNOWN = 3  # most names of earlier players to suggest


class PlayingOnPage(Page):
    """Pages for handing a seat to another person."""

    @get("/seat/other")
    def show(self) -> Response:
        viewer = self._viewer()
        if viewer.seat is None or self._table.client.moment().outcome is not None:
            return redirect_to("/seat")
        return self._ask()

    def _ask(self, rejection: Rejection | None = None) -> Response:
        def draw(viewer: Viewer) -> Drawing:
            arriving = arriving_values(self._table, self._token())
            return ("other", self._values(viewer.seat or 0)) if arriving is None else ("arriving", arriving)

        return self._draw_forms(draw, rejection)

    def _values(self, seat: int) -> dict[str, object]:
        match, language = self._table.client.moment(), self._language(self._viewer())
        return {
            "look": self._pages.book.look_of(match),
            "title": match_title(match, language),
            "number": seat + 1,
            "counts": view_of(match, language).player(seat).counts,
            "name": match.setup.names[seat],
            "known": known_names(evening_of(self._table)),
            "has_twin": self._table.twin.is_there,
        }

    @post("/seat/other", "seat")
    def name(self, viewer: Viewer) -> Response:
        """Hand the viewer's seat to a new player; everybody is notified before this phone shows anything."""
        seat, name = viewer.seat or 0, said_name()
        if not name:
            return self._ask(self._rejection(viewer, phrase("Choose who plays on."), 400))
        return self._hand_on(viewer, seat, name, is_arriving=True)

    def _hand_on(self, viewer: Viewer, seat: int, name: str, *, is_arriving: bool) -> Response:
        result = await_result(self._table, viewer, self._table.client.host(partial(play_on, seat, name)))
        if isinstance(result, Rejection):
            return self._ask(result)
        token = self._token()

        def change(evening: Evening) -> Evening:
            (fresh,) = draw_codes(1, evening.codes)
            return hand_on(evening, token, seat, fresh, is_arriving=is_arriving)

        self._table.links.change(change)
        return redirect_to("/seat")

    @post("/seat/other/here", "browser")
    def arrive(self, _viewer: Viewer) -> Response:
        token = self._token()
        if arriving_seat(evening_of(self._table), token) is not None:
            after = self._table.links.change(lambda evening: arrive(evening, token))
            welcome_person(self._table, after, token)
        return redirect_to("/seat")

    @post("/seat/other/undo", "browser")
    def undo(self, viewer: Viewer) -> Response:
        """Return the seat to its previous player, unless the new one has answered."""
        waiting = arriving_seat(evening_of(self._table), self._token())
        seat = viewer.seat if waiting is None else waiting
        came = None if seat is None else open_arrival(self._table, seat)
        if seat is None or came is None:
            return redirect_to("/seat")
        return self._hand_on(viewer, seat, came.before, is_arriving=False)

    def _token(self) -> str:
        return token_in(evening_of(self._table), request.cookies, SEAT)

    def _turn_away(self) -> Response:
        """Redirect to the seat page, which shows this phone's current state."""
        return redirect_to("/seat")


def said_name() -> str:
    return " ".join(request.form.get("name", "").split())


def open_arrival(table: "Table", seat: int) -> Arrival | None:
    """Return the newcomer at a seat who hasn't answered yet; until then the change can be undone."""
    match = table.client.moment()
    came = arrival_at(match, seat) if seat < len(match.setup.names) and match.outcome is None else None
    return None if came is None or came.has_answered else came


def known_names(evening: Evening) -> tuple[str, ...]:
    seated = () if evening.match is None else evening.match.names
    known = (person.name for person in reversed(evening.people))
    return tuple(name for name in known if seat_named_in(seated, name) is None)[:KNOWN]


def arriving_values(table: "Table", token: str) -> dict[str, object] | None:
    """Return template values for a phone that waits for the new player; None if it doesn't."""
    evening = evening_of(table)
    seat = arriving_seat(evening, token)
    if seat is None or evening.match is None:
        return None
    names, came = evening.match.names, arrival_at(table.client.moment(), seat)
    return {
        "name": names[seat],
        "before": None if came is None else came.before,
        "may_undo": open_arrival(table, seat) is not None,
        "offered": offered_seat(names, seat, held_seats(evening)),
    }


# table drawing on a phone that opens a seat's code


SIZE, MIDDLE = 320, 160
REACH = 122  # distance of names from the centre
LETTER, PADDING, HEIGHT = 8.6, 18, 32
"""Width of a letter, horizontal padding and height of a label."""
ROOMY_SEATS = 6  # with up to this many seats, names have room for more letters
LONG, SHORT = 10, 6


class Chair(Struct, frozen=True):
    """Label of a seat in the drawing, and its position."""

    text: str
    kind: str  # "you" for the offered seat, "free" for an empty one
    x: float
    y: float
    wide: float


def offered_seat(names: Sequence[str], seat: int, held: frozenset[int]) -> dict[str, object]:
    """Draw the table around a seat; the first seat is at the upper left, as on the screen."""
    count = len(names)
    beside = dict.fromkeys(names[(seat + step) % count] for step in (-1, 1))
    chairs = tuple(
        _chair(name, "you" if place == seat else "" if place in held else "free", place, count)
        for place, name in enumerate(names)
    )
    return {"number": seat + 1, "name": names[seat], "beside": tuple(beside), "chairs": chairs}


def _chair(name: str, kind: str, place: int, count: int) -> Chair:
    letters = LONG if count <= ROOMY_SEATS or kind == "you" else SHORT
    text = name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"
    angle = 2 * pi * (place - 0.5) / count - pi / 2
    wide = len(text) * LETTER + PADDING
    x = min(max(MIDDLE + REACH * cos(angle), wide / 2 + 2), SIZE - wide / 2 - 2)
    return Chair(text, kind, round(x, 1), round(MIDDLE + REACH * sin(angle), 1), round(wide, 1))

"""Grant host rights to the first phone, or replace a forgotten PIN, after proof of presence at the table."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from flask import Response, request
from msgspec import Struct

from firmware.services.screen_user import is_screen_user
from firmware.storage.people.evening import Device, Evening, claim_table, replace_pin
from firmware.storage.people.links import CLAIM, draw_pin, draw_token
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice
from referee.contract.words import Phrase, phrase
from referee.match import is_going_on
from referee.sentences import Language
from webui.access.joining import kind_of
from webui.access.origins import is_local, network_of
from webui.access.viewers import HOST, VISITOR, Viewer, evening_of, is_own_computer, with_right
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Entrance, Rejection, attempt_rejection, note_guess, redirect_to
from webui.server.drawn_pages import Pages, picture_of, wifi_square
from webui.views.health import health_of
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

CLAIM_PAGE = "/claim"


class Shown(Struct, frozen=True):
    """Claim number shown on the computer's own screen."""

    code: str
    is_first: bool  # the table never had a host: the number fills the screen


def waits_for_host(table: "Table") -> bool:
    """Return whether the first phone at the table can still become host."""
    return table.presence.is_there and not evening_of(table).has_had_host


def may_show_number(table: "Table") -> bool:
    """Return whether the request comes from the computer's own screen, which may run as a user of its own."""
    ports = request.environ.get("REMOTE_PORT"), request.environ.get("SERVER_PORT")
    is_screen = is_local(request) and is_screen_user(*(int(port or 0) for port in ports))
    return table.presence.is_there and (is_screen or is_own_computer(table, request))


def shown_on_screen(table: "Table") -> Shown | None:
    """Return the claim to show on the computer's own screen; None on other devices or without a claim."""
    if not may_show_number(table):
        return None
    is_first = not evening_of(table).has_had_host
    code = table.presence.code_for_screen(is_wanted=is_first)
    return Shown(code, is_first) if code else None


class ClaimPage(Page):
    """Page where a phone proves its presence, and the number for the computer's own screen."""

    def __init__(self, table: "Table", pages: Pages, entrance: Entrance) -> None:
        super().__init__(table, pages)
        self._presence, self._entrance = table.presence, entrance

    @post(f"{CLAIM_PAGE}/tell", "browser")
    def tell(self, viewer: Viewer) -> Response:
        if self._presence.tell():
            return redirect_to(CLAIM_PAGE)
        why = phrase("During a game, the table gives its number for half a minute every ten minutes.")
        return self._reject(viewer, why, 429)

    @post(f"{CLAIM_PAGE}/blink", "browser")
    def blink(self, viewer: Viewer) -> Response:
        if is_going_on(self._table.client.moment()):
            return self._reject(viewer, phrase("A game is in progress. Try again once it is over."), 409)
        network = network_of(request.remote_addr or "")
        if self._presence.blink(request.cookies[VISITOR], network):
            return redirect_to(CLAIM_PAGE)
        seconds = self._presence.wait(network)
        why = (
            phrase(
                "Not yet: another phone is first, or a button was just pressed. Try again in {seconds} seconds."
            )
            if seconds
            else phrase("Another phone is asking right now. If it isn't yours, don't press a blinking button.")
        )
        return self._reject(viewer, why, 429, seconds=seconds)

    @post(CLAIM_PAGE, "browser")
    def claim(self, viewer: Viewer) -> Response:
        """Grant host rights if the number is right or the blinking button was pressed."""
        said = request.form.get("number")
        if said is None:
            is_proven = self._presence.take_presses(request.cookies[VISITOR])
            return self._let_in() if is_proven else self._reject(viewer, Texts.stale_form, 409)
        rejection = attempt_rejection(self._table, viewer, self._entrance.claims, request)
        if rejection is not None:
            return self.show(rejection)
        is_right = self._presence.try_code(said)
        note_guess(self._entrance.claims, self._entrance.incidents, request, is_right=is_right)
        if is_right:
            return self._let_in()
        why = phrase("Wrong number. Look or listen again: it may have changed.")
        return self._reject(viewer, why, 403)

    @get("/screen/number")
    def number_on_screen(self) -> Response:
        shown = shown_on_screen(self._table)
        if shown is None:
            return Response(status=204)
        return Response(number_told(shown, self._language(self._viewer())), 200, mimetype="text/plain")

    def _let_in(self) -> Response:
        """Make this phone a host: the first host, or one with a new PIN that replaces the forgotten one."""
        token, pin = draw_token(), draw_pin()
        device = Device(token, kind_of(request), since=self._table.links.now())

        def change(evening: Evening) -> Evening:
            change = partial(replace_pin, pin=pin) if evening.has_had_host else claim_table
            return change(evening, device=device)

        after = self._table.links.change(change)
        self._table.client.say(Notice(NoticeKey.PIN_RENEWED if after.pin == pin else NoticeKey.HAS_HOST))
        viewer = self._viewer()
        values = {"pin": grouped(after.pin), "is_new": after.pin == pin, **self._look()}
        return with_right(self._table, Response(self._pages.page("claimed", viewer, values)), HOST, token)

    @get(CLAIM_PAGE)
    def show(self, rejection: Rejection | None = None) -> Response:
        if self._viewer().is_host:
            return redirect_to("/host")
        said = "".join(request.args.get("number", "").split())[:CLAIM]
        values = {
            "is_first": not evening_of(self._table).has_had_host,
            "ways": self._presence.ways(),
            "is_told": self._presence.is_told(),
            "said": said if said.isascii() and said.isdecimal() else "",
            "turn": self._presence.turn(request.cookies.get(VISITOR, "")),
            "is_played": is_going_on(self._table.client.moment()),
            **self._look(),
        }
        return self._draw_forms(lambda _viewer: ("claim", values), rejection)

    def _look(self) -> Mapping[str, object]:
        match = self._table.client.moment()
        look = self._pages.book.look_of(match)
        return {"look": look, "scene": look.poster_scene(is_small=True)}

    def _reject(self, viewer: Viewer, text: Phrase, code: int, **values: object) -> Response:
        return self.show(Rejection(self._say(viewer, text, **values), code))

    def _turn_away(self) -> Response:
        return self._reject(self._viewer(), Texts.stale_form, 403)


def grouped(figures: str) -> str:
    """Split digits into two groups, as people read them out."""
    half = len(figures) // 2
    return f"{figures[:half]} {figures[half:]}"


def number_told(shown: Shown, language: Language) -> str:
    return page_text(
        language,
        phrase("A phone at the table asks for the host's PIN. Its number: {code}"),
        code=grouped(shown.code),
    )


def claim_values(table: "Table", shown: Shown) -> Mapping[str, object]:
    return {
        "shown": shown,
        "code": grouped(shown.code),
        "square": picture_of(f"{table.address.own()}claim?number={shown.code}"),
        "wifi": wifi_square(table),
        "addresses": plain_addresses(table),
        "health": health_of(
            table.client.troubles(),
            is_saving=table.client.state().is_saving,
            has_buttons=table.board.has_buttons(),
        ),
    }


def plain_addresses(table: "Table") -> list[str]:
    addresses = (table.address.named(), table.address.own())
    return [each.removeprefix("http://").rstrip("/") for each in addresses if each]

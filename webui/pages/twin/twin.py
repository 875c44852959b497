"""Simulated table as seen from a seat, with controls for its cards and buttons."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
from flask import Flask, Request, Response, abort, request
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people.evening import held_seats
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import Notice, sentence_for
from firmware.twin.simulated_board import BoardOutput
from firmware.twin.simulated_table import MISCHIEF, RequestedPose, SimulatedTable, TableView
from referee.contract import Answer, Option
from referee.contract.words import Phrase, phrase
from referee.finish_view import finish_of
from referee.match import Match
from referee.moment_view import MomentView, view_of
from referee.summaries import day_of
from webui.access import viewers
from webui.access.joining import join_free_seat
from webui.pages.page import Drawing, Page, Route, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.pages.twin import room
from webui.pages.twin.offers import absent_seats, is_stuck, offered
from webui.pages.twin.real_cards import may_lead
from webui.server.connection_limits import ConnectionLimit, Places
from webui.server.drawn_pages import Pages, match_id
from webui.server.events import HEADERS, KIND, RETRY, event_text, too_many_watching
from webui.views.alternatives import pictured_answers
from webui.views.bots import animals_of
from webui.views.controls import Control, asks_of, bare_questions, controls_of, may_take_back
from webui.views.score_board import score_of
from webui.views.screen_view import layout_of, winners_text
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

MAX_STREAMS, PER_ADDRESS = 60, 30  # most pages watching the table at once, in total and per address
TICK = 0.1  # seconds between checks of the table
BEAT = 4.0  # seconds between heartbeats
DAY = "public, max-age=86400"
FARTHEST = 2000.0  # largest distance in millimetres and angle in degrees accepted from a form
ROLES = ("call", "second", "table", "push", "turn")

LAMP_COLOURS: Mapping[str, Phrase] = {
    "dark": phrase("dark"),
    "green": phrase("green"),
    "red": phrase("red"),
    "amber": phrase("amber"),
}

PRESSES: Mapping[str, Phrase] = {"long": phrase("Long press"), "double": phrase("Double press")}

MISCHIEF_TEXTS: Mapping[str, Phrase] = {
    "hand": phrase("A hand stays in the picture"),
    "extra": phrase("There is one card too many"),
    "unplugged": phrase("The camera is unplugged"),
    "frozen": phrase("The camera is frozen"),
    "black": phrase("The camera picture is black"),
    "glare": phrase("A lamp reflects on a card"),
    "dirty": phrase("The buttons bounce"),
    "wrong": phrase("There is a wrong card"),
}
"""Faults that can be caused on purpose at the simulated table; the most common ones come first."""


class TwinPage(Page):
    """Page of the simulated table."""

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._twin = table.twin
        self._places = Places(
            ConnectionLimit(MAX_STREAMS, PER_ADDRESS), ConnectionLimit(MAX_STREAMS, PER_ADDRESS)
        )

    def add_routes(self, app: Flask) -> None:
        super().add_routes(app)
        for name, act in SEAT_ACTIONS.items():
            self._add_route(app, Route(f"/twin/{name}", "POST", "seat"), partial(self.act_for_seat, act))
        for name, deed in TABLE_ACTIONS.items():
            self._add_route(app, Route(f"/twin/{name}", "POST", "player"), partial(self.act_on_table, deed))

    @get("/twin/camera.jpg")
    def camera(self) -> Response:
        picture = self._twin.camera()
        return Response(status=204) if picture is None else Response(picture, 200, mimetype="image/jpeg")

    @get("/twin/card/<deck>/<face>.png")
    def picture(self, deck: str, face: str) -> Response:
        picture = self._twin.picture(deck, face)
        if picture is None:
            abort(404)
        return Response(picture, 200, {"Cache-Control": DAY}, mimetype="image/png")

    @get("/twin/events")
    def events(self) -> Response:
        asked = Request(request.environ)
        place = self._places.take_stream(viewers.find_known_device(self._table, asked.cookies), asked.environ)
        if place is None:
            return too_many_watching(self._table, self._viewer())
        response = Response(self._table_events(asked), 200, HEADERS, KIND)
        response.call_on_close(place.leave)
        return response

    def _table_events(self, asked: Request) -> Iterator[str]:
        """Poll the table and yield its changes; heartbeats detect closed pages."""
        drawn, lamps, beat, seen = "", BoardOutput((), None, None), monotonic(), None
        yield f"{RETRY}{event_text('clock', f'{monotonic():.3f}')}"
        with closing(self._table.client.subscribe()) as listening:
            while True:
                sight = _unlit(self._sight(viewers.viewer_of(self._table, asked), asked))
                if sight.viewer.seat is not None:
                    self._twin.bots.note_watching()
                if sight != seen:
                    seen, fresh = sight, self._pages.page("twin_part", sight.viewer, self._room_values(sight))
                    if fresh != drawn:
                        drawn, lamps = fresh, BoardOutput((), None, None)
                        yield event_text("table", drawn)
                shine = self._twin.shining.read_output()
                if shine != lamps:
                    lamps = shine
                    yield event_text("lamps", msgspec.json.encode(shine).decode())
                if monotonic() > beat + BEAT:
                    beat = monotonic()
                    yield event_text("beat", "")
                news = listening.next(TICK)
                if news is not None and not isinstance(news, Match) and not self._is_early(news):
                    text = sentence_for(news, self._listener(sight.viewer))
                    yield event_text("notice", text)

    def _is_early(self, news: object) -> bool:
        """Return whether a notice misses cards that nobody has laid yet."""
        return (
            isinstance(news, Notice) and news.key == NoticeKey.CARDS_MISSING and not self._twin.has_laid_all()
        )

    @post("/twin/sit", "browser")
    def sit(self, viewer: viewers.Viewer) -> Response:
        """Claim a free seat without a code, for a person at the table's own machine."""
        seat = _whole_number(request.form.get("seat", ""))
        is_here = viewers.is_own_computer(self._table, request)
        is_free = is_here and seat is not None and seat in self._free_seats(viewer)
        token = join_free_seat(self._table, request, seat) if is_free and seat is not None else None
        if token is None:
            return self._reject(viewer, Texts.twin_not_free, 403)
        return viewers.with_right(self._table, redirect_to("/twin"), viewers.SEAT, token)

    @post("/twin/press", "seat")
    def press(self, viewer: viewers.Viewer) -> Response:
        return self.act_on_table(_press, viewer)

    def act_for_seat(self, act: "SeatAction", viewer: viewers.Viewer) -> Response:
        is_done = viewer.seat is not None and act(self._twin, viewer.seat, request.form)
        return self._lead_on(viewer, is_done)

    def act_on_table(self, act: "TableAction", viewer: viewers.Viewer) -> Response:
        return self._lead_on(viewer, act(self._table, viewer, request.form))

    def _lead_on(self, viewer: viewers.Viewer, is_done: object) -> Response:
        # a bot was faster; the next moment shows what it did
        is_late = request.form.get("moment") not in {None, str(self._table.client.moment().number)}
        if is_done is False and not is_late:
            return self._reject(viewer, phrase("That isn't possible right now."), 409)
        return Response(status=204) if _is_quiet() else redirect_to("/twin")

    def _turn_away(self) -> Response:
        viewer = self._viewer()
        lacks_seat = viewer.seat is None and request.path.removeprefix("/twin/") in {*SEAT_ACTIONS, "press"}
        return self._reject(viewer, phrase("Take a seat first.") if lacks_seat else Texts.stale_form, 403)

    def _reject(self, viewer: viewers.Viewer, text: Phrase, code: int) -> Response:
        rejection = self._rejection(viewer, text, code)
        return Response(rejection.why, code, mimetype="text/plain") if _is_quiet() else self.show(rejection)

    @get("/twin")
    def show(self, rejection: Rejection | None = None) -> Response:
        def draw(viewer: viewers.Viewer) -> Drawing:
            sight = self._sight(viewer, request)
            free = self._free_seats(viewer) if viewers.is_own_computer(self._table, request) else ()
            # if another match has started, viewers with an old seat watch as spectators
            return "twin", {**self._room_values(sight), "free": free, "viewer": sight.viewer}

        return self._draw_forms(draw, rejection)

    def _sight(self, viewer: viewers.Viewer, asked: Request) -> "TwinSight":
        """Return the table as a viewer sees it; if another match has started, as everybody sees it."""
        client = self._table.client
        match, seen, state = client.moment(), self._twin.table(viewer.seat), client.state()
        if viewer.seat is not None and not viewers.is_seated_in(viewer, match):
            viewer = replace(viewer, seat=None, match=None)
            seen = self._twin.table(None)
        wrong = self._pages.trouble_sentences(viewer)
        lamps = self._twin.shining.read_output()
        leads = may_lead(self._table, viewer, asked)
        return TwinSight(viewer, match, seen, lamps, wrong, state.is_paused, state.ends, leads)

    def _room_values(self, sight: "TwinSight") -> dict[str, object]:
        match, viewer = sight.match, sight.viewer
        full = view_of(match, self._language(viewer), viewer.seat)
        number = room.number_told(full)
        return {
            **self._ask_values(sight, full),
            **self._scored_values(sight, full),
            **self._board_values(sight, full),
            **self._end_values(full),
            "table": sight.table,
            "told": full,
            "awaited": room.awaited_text(full.short, sight.table),
            "situation": room.around_number(full.situation_to_all, number, match.setup.names),
            "decisive": room.decisive_of(full),
            # cards in long rows would overlap on the cloth
            "long_rows": full.key_rows if layout_of(full) == "rows" and not sight.table.is_showing else (),
            "backdrop": self._pages.book.look_of(match).scene(full.board),
            "limits": full.board.limits,
            "names": match.setup.names,
            "animals": animals_of(match.setup.names),
            "face": full.face,
            "wrong": sight.wrong,
            "is_paused": sight.is_paused,
            # the host may let bots play at any seat, a player only at their own
            "switchable": range(len(match.setup.names)) if viewer.is_host else [viewer.seat],
            # seats that aren't asked see the subject only once
            "watched": bare_questions(full) if full.situation_to_all else (),
            "mischief": MISCHIEF_TEXTS,
            "leads": sight.leads,
        }

    def _scored_values(self, sight: "TwinSight", full: MomentView) -> dict[str, object]:
        """Return the revealed scene, and what plates and story show beside it."""
        match, table = sight.match, sight.table
        answers = pictured_answers(match, self._table.evidence.photographed_answers())
        score = score_of(full, answers, dict(sight.ends))
        scene = full.short.scene if table.is_showing else None
        is_counted = room.is_counted(scene)
        # plates and story show the result only after the cards were counted
        before = (
            view_of(match.before, full.listener.language, full.seat) if is_counted and match.before else full
        )
        asides = () if scene is None else scene.asides
        return {
            "score": score,
            "clocks": score.clocks,
            "room": room.room_of(before, score, table, sight.lamps),
            "news": score.news if before is full else score_of(before, answers).news,
            "reveal": scene,
            "is_counted": is_counted,
            "aside": next((each for each in asides if table.chairs[each.seat].is_bot), None),
        }

    def _board_values(self, sight: "TwinSight", full: MomentView) -> dict[str, object]:
        """Return the lamps, and the seat's buttons."""
        match, seat = sight.match, sight.viewer.seat
        return {
            "lamps": sight.lamps,
            "colours": LAMP_COLOURS,
            "presses": PRESSES,
            "press_texts": {}
            if seat is None
            else {role: room.press_text(full, seat, role) for role in room.SEAT_BUTTONS},
            "press_hint": "" if seat is None else room.press_hint(full, seat),
            "has_console": bool(match.setup.game.feel.gestures or self._pages.book.look_of(match).dome),
        }

    def _end_values(self, full: MomentView) -> dict[str, object]:
        """Return the result with its picture, and the page of the evening; nothing of them during a match."""
        match = full.match
        finish = finish_of(match, full.listener.language, full.seat)
        if finish is None:
            return {"finish": None}
        evening = day_of(match.setup.begun)
        return {
            "finish": finish,
            "winners": winners_text(full),
            "ending": self._pages.book.look_of(match).scene(full.board, is_over=True, is_small=True),
            "evening": evening,
            "evening_code": self._pages.evening_picture(evening),
        }

    def _ask_values(self, sight: "TwinSight", told: MomentView) -> dict[str, object]:
        match, seat = sight.match, sight.viewer.seat
        controls = () if seat is None else self._offered(match, seat, controls_of(told, seat, told.grids))
        mine = () if seat is None else asks_of(match.asks, seat)
        counts = {ask.key: self._twin.cards_to_choose(match, ask, seat or 0) for ask in mine}
        gifts = {key: room.gift_of(told, key, found) for key, found in counts.items() if found is not None}
        numbers = {each.ask: room.useful_numbers(each) for each in controls if each.kind == "number"}
        return {
            "match": match_id(match),
            "moment": match.number,
            "controls": controls,
            "numbers": numbers,
            "gifts": gifts,
            # during a scene, nothing on the page says what a lifted card is for
            "giving": "" if sight.table.is_showing else next(iter(gifts), ""),
            "asking_sheets": [sheet for control in controls for sheet in control.sheets],
            "sheet_controls": {sheet.seat: control for control in controls for sheet in control.sheets},
            "may_take_back": seat is not None and self._may_take_back(match, seat),
            "is_stuck": seat is not None and is_stuck(controls, sight.table, seat),
            "absent": () if controls else absent_seats(match, self._present_seats(sight.table)),
        }

    def _may_take_back(self, match: Match, seat: int) -> bool:
        return may_take_back(match, seat) and self._twin.why_not_back(match) is None

    def _offered(self, match: Match, seat: int, controls: tuple[Control, ...]) -> tuple[Control, ...]:
        def allows(ask: str, option: Option) -> bool:
            return self._twin.is_possible(match, Answer(match.number, ask, option, seat))

        return offered(controls, allows, {ask.key for ask in match.asks if ask.seats != (seat,)})

    def _present_seats(self, table: TableView) -> frozenset[int]:
        """Return the seats that bots play or people hold."""
        bots = {seat for seat, chair in enumerate(table.chairs) if chair.is_bot}
        return frozenset(bots) | held_seats(viewers.evening_of(self._table))

    def _free_seats(self, viewer: viewers.Viewer) -> tuple[int, ...]:
        if viewer.seat is not None:
            return ()
        held = held_seats(viewers.evening_of(self._table))
        return tuple(seat for seat in range(len(self._twin.table(None).chairs)) if seat not in held)


class TwinSight(Struct, frozen=True):
    """Values for rendering a viewer's page."""

    viewer: viewers.Viewer
    match: Match
    table: TableView
    lamps: BoardOutput
    wrong: tuple[str, ...]
    is_paused: bool
    ends: tuple[tuple[str, float], ...]
    leads: bool  # whether the viewer is the host, or at the table's own computer


def _unlit(sight: TwinSight) -> TwinSight:
    """Return the table with its lights off: they have their own events, and blink while the rest stays."""
    lamps, digits = sight.lamps, None if sight.lamps.digits is None else ""
    attention = None if lamps.attention is None else False
    return replace(sight, lamps=BoardOutput((), attention, digits))


Form = Mapping[str, str]
SeatAction = Callable[[SimulatedTable, int, Form], object]
TableAction = Callable[["Table", viewers.Viewer, Form], object]
"""Action on the simulated table; returns False if it failed."""


def _lay(twin: SimulatedTable, seat: int, form: Form) -> bool:
    place, where = _whole_number(form.get("place", "")), form.get("where", "")
    if place is None:
        return False
    return twin.lay(seat, where, place, _pose(form) if "x" in form else None)


def _move(twin: SimulatedTable, seat: int, form: Form) -> bool:
    number, pose = _whole_number(form.get("number", "")), _pose(form)
    return number is not None and pose is not None and twin.move(seat, number, pose)


def _with_numbers(deed: Callable[[SimulatedTable], Callable[..., bool]], *names: str) -> SeatAction:
    def act(twin: SimulatedTable, seat: int, form: Form) -> bool:
        numbers = [_whole_number(form.get(name, "")) for name in names]
        return None not in numbers and deed(twin)(seat, *numbers)

    return act


SEAT_ACTIONS: dict[str, SeatAction] = {
    "lay": _lay,
    "move": _move,
    "lift": _with_numbers(lambda twin: twin.lift, "number"),
    "take": _with_numbers(lambda twin: twin.take, "number"),
    "withdraw": lambda twin, seat, _form: twin.withdraw(seat),
    "me": lambda twin, seat, form: (twin.bots.play_for if form.get("bot") == "on" else twin.leave)(seat),
}


def _press(table: "Table", viewer: viewers.Viewer, form: Form) -> bool:
    """Press a button, or turn or push the dial; a player works what the table shares only at the own ask."""
    twin, role, how = table.twin, form.get("role", ""), form.get("how", "short")
    if viewer.seat is None or role not in ROLES or how not in {"short", "long", "double"}:
        return False
    if role in {"call", "second"}:
        return twin.press(viewer.seat, "second" if role == "second" else "call", how)
    is_own = room.is_shared_for(table.client.moment(), viewer.seat, role)
    if not (is_own or may_lead(table, viewer, request)):
        return False
    if role == "turn":
        clicks = _whole_number(form.get("clicks", ""))
        return clicks is not None and twin.turn(clicks)
    return twin.press(None, "push", "short") if role == "push" else twin.press(None, "call", how)


def _switch_bot(table: "Table", viewer: viewers.Viewer, form: Form) -> bool:
    twin, seat = table.twin, _whole_number(form.get("seat", ""))
    chairs = twin.table(None).chairs
    if seat is None or not 0 <= seat < len(chairs) or not (viewer.is_host or viewer.seat == seat):
        return False
    (twin.leave if chairs[seat].is_bot else twin.bots.play_for)(seat)
    return True


def _do_mischief(table: "Table", viewer: viewers.Viewer, form: Form) -> bool:
    twin, what = table.twin, form.get("what", "")
    if not may_lead(table, viewer, request):
        return False
    if what == "well":
        twin.set_right()
        return True
    return what in MISCHIEF and twin.mischief(what)


TABLE_ACTIONS: dict[str, TableAction] = {
    "hurry": lambda table, _viewer, _form: table.twin.bots.hurry(),
    "skip": lambda table, _viewer, _form: table.twin.bots.skip(),
    "bot": _switch_bot,
    "mischief": _do_mischief,
    "again": lambda table, _viewer, _form: table.client.ask_rematch(),
    "bring": lambda table, _viewer, form: (
        table.twin.world.put_back() if form.get("back") == "1" else table.twin.bring()
    ),
}


def _is_quiet() -> bool:
    return request.form.get("quiet") == "1"


def _whole_number(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else None


def _pose(form: Form) -> RequestedPose | None:
    """Parse the position of a card; None if it is invalid or out of range."""
    try:
        x, y, angle = (float(form.get(name, "0")) for name in ("x", "y", "angle"))
    except ValueError:
        return None
    if not all(abs(number) <= FARTHEST for number in (x, y, angle)):
        return None
    ups = {"1": True, "0": False}
    return RequestedPose(x, y, angle, ups.get(form.get("up", "")))

"""Template rendering; self-updating parts are cached for viewers who see the same."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from io import StringIO
from threading import Lock
from typing import TYPE_CHECKING

import segno
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace
from segno.helpers import make_wifi_data

from firmware.storage.people.evening import held_seats
from firmware.table.client import TableSummary
from firmware.table.notices import PLAYERS, LastingTrouble, is_unsaved, sentence_for
from referee.finish_view import finish_of
from referee.match import Match, arrival_at
from referee.moment_view import MomentView, view_of
from referee.sentences import Language
from referee.showing import moods_of
from referee.summaries import day_of
from vision.troubles import TroubleError
from webui.access import viewers
from webui.access.viewers import Viewer
from webui.server.templates import Drawer, say_in
from webui.views.alternatives import pictured_answers
from webui.views.bots import BOT_NAMES, animals_of
from webui.views.camera_view import CameraRow, camera_row, is_in_row
from webui.views.controls import claimed_card, controls_of, may_take_back, with_likely
from webui.views.last_time import LastTime, last_time_of
from webui.views.looks import Look
from webui.views.naming_view import NamingView, naming_view
from webui.views.overlay_view import OverlayView, moment_before_call, overlay_of
from webui.views.score_board import score_of
from webui.views.screen_view import layout_of, screen_of, winners_text
from webui.views.seat_view import first_clock, seat_view

if TYPE_CHECKING:
    from firmware.services.table import Table

DRAWN = 64
CAMERA_PARTS = frozenset({"seat", "screen"})  # parts with the camera's row and the question about a card
LOOKED_AT = 12  # newest matches searched for the last game and its players


class WifiSquare(Struct, frozen=True):
    """The table's own Wi-Fi, with the QR code that joins it."""

    name: str
    password: str

    @property
    def picture(self) -> Markup:
        return picture_of(make_wifi_data(self.name, self.password, "WPA"))


class Joining(Struct, frozen=True):
    """Ways to join, as the table's screen shows them."""

    free: tuple[tuple[str, str], ...] = ()
    wifi: WifiSquare | None = None
    newest: str = ""
    last: LastTime | None = None
    is_ready: bool = False  # all players have joined this match, and nobody has answered yet


class PartContent(Struct, frozen=True, kw_only=True):
    """Values from which a part is rendered."""

    name: str
    match: Match
    viewer: Viewer
    wrong: tuple[str, ...]
    unsaved_for: tuple[str, ...]  # troubles that explain why nothing is saved
    state: TableSummary
    bots: frozenset[int]
    photographed: frozenset[int]  # answers based on a phone's photo
    joining: Joining
    naming: NamingView | None = None
    camera: CameraRow | None = None

    @property
    def unsaved(self) -> int | None:
        """Return the number of a finished, unsaved match, so that it can be downloaded."""
        return None if self.state.is_saving or self.match.outcome is None else self.state.id


class Pages:
    """Renders templates, and caches parts."""

    def __init__(self, table: "Table") -> None:
        self._table, self._lock = table, Lock()
        self.drawer = Drawer(table.looks)
        self.book, self.files = self.drawer.book, self.drawer.files
        self._templates = self.drawer.templates
        self._drawn = lru_cache(DRAWN)(self._draw)

    def page(self, name: str, viewer: Viewer, values: Mapping[str, object]) -> str:
        language = viewers.viewer_language(self._table, viewer)
        everywhere: dict[str, object] = {
            "say": say_in(language),
            "lang": viewer.language,
            "viewer": viewer,
            "live": "",
            "look": self.book.look_of(self._table.client.moment()),
            "has_twin": self._table.twin.is_there,
            "has_view": self._table.client.picture_size[0] > 0 and not self._table.twin.is_there,
            "has_board": self._table.board.is_there,
            "has_power": self._table.power.is_there,
            "can_prove": self._table.presence.is_there,
        }
        return self._templates.get_template(f"{name}.html").render({**everywhere, **values})

    def part(self, name: str, match: Match, viewer: Viewer) -> str:
        if name == "seat" and not viewers.is_seated_in(viewer, match):
            # in another match the seat may be another person's
            name, viewer = "score", Viewer(viewer.language)
        camera = self.camera(viewer, name)
        troubles = self._table.client.troubles()
        if name in CAMERA_PARTS:
            troubles = tuple(each for each in troubles if not self.reports_in_row(each))
        if name == "seat" and not viewer.is_host:
            # only the host can fix equipment such as camera and board
            troubles = tuple(each for each in troubles if each.key in PLAYERS)
        sight = PartContent(
            name=name,
            match=match,
            viewer=viewer,
            wrong=self._worded(troubles, viewer),
            unsaved_for=self._worded(filter(is_unsaved, troubles), viewer),
            state=self._table.client.state(),
            bots=self._table.twin.bot_seats(),
            photographed=self._table.evidence.photographed_answers(),
            joining=self._joining(match, viewer) if name == "screen" else Joining(),
            naming=self._naming(match, viewer) if name in CAMERA_PARTS else None,
            camera=camera,
        )
        # threads that wait for the lock find the part in the cache
        with self._lock:
            return self._drawn(sight)

    def naming(self, viewer: Viewer) -> tuple[NamingView, ...]:
        """Return the question about an unknown card that a stream shows besides the current moment."""
        view = self._naming(self._table.client.moment(), viewer)
        return () if view is None else (view,)

    def camera(self, viewer: Viewer, page: str) -> CameraRow | None:
        """Return the camera's row for a page; a simulated table has none."""
        client = self._table.client
        if self._table.twin.is_there or page not in {*CAMERA_PARTS, "host"}:
            return None
        match, listener = client.moment(), viewers.listener_of(self._table, viewer)
        # a shared screen shows no seat's cards, even on a player's device
        seat = viewer.seat if viewers.is_seated_in(viewer, match) and page != "screen" else None
        return camera_row(self._table.view, client.troubles(), match, seat, listener)

    def reports_in_row(self, trouble: LastingTrouble) -> bool:
        """Return whether the camera's row reports a trouble, so that no notice or alarm repeats it."""
        return is_in_row(trouble) and not self._table.twin.is_there

    def _naming(self, match: Match, viewer: Viewer) -> NamingView | None:
        if match is not self._table.client.moment() or not (viewer.seat is not None or viewer.is_screen):
            return None
        shown = viewer if viewers.is_seated_in(viewer, match) else Viewer(viewer.language)
        listener = viewers.listener_of(self._table, viewer)
        return naming_view(self._table, match, shown, listener)

    def _joining(self, match: Match, viewer: Viewer) -> Joining:
        free, evening = self.free_seats(viewer), viewers.evening_of(self._table)
        joined = [(device, person.name) for person in evening.people for device in person.devices]
        # a phone has joined for this match, and nobody has answered
        has_joined = any(device.is_in and device.joined == evening.matches for device, _name in joined)
        is_ready = viewer.is_screen and not free and match.number == 0 and has_joined
        wifi = wifi_square(self._table) if free else None
        since = ((device.since, name) for device, name in joined)
        newest = max(since, default=(0.0, ""))[1] if free or is_ready else ""
        # show the last game only while the table's automatic first match is untouched and all seats are free
        is_untouched = self._table.client.state().id is None and match.number == 0
        is_recalled = is_untouched and len(free) == len(match.setup.names)
        last = self.last_time(viewers.viewer_language(self._table, viewer)) if is_recalled else None
        return Joining(free, wifi, newest, last, is_ready)

    def trouble_sentences(self, viewer: Viewer) -> tuple[str, ...]:
        """Return the sentences of all troubles that the camera's row doesn't report."""
        troubles = self._table.client.troubles()
        return self._worded((each for each in troubles if not self.reports_in_row(each)), viewer)

    def _worded(self, troubles: Iterable[LastingTrouble], viewer: Viewer) -> tuple[str, ...]:
        listener = viewers.listener_of(self._table, viewer)
        return tuple(sentence_for(each, listener) for each in troubles)

    def free_seats(self, viewer: Viewer) -> tuple[tuple[str, str], ...]:
        """Return names and codes of free seats, for the table's screen only."""
        if not viewer.is_screen:
            return ()
        evening = viewers.evening_of(self._table)
        held, names = held_seats(evening), () if evening.match is None else evening.match.names
        codes = zip(names, evening.codes, strict=False)
        return tuple(each for seat, each in enumerate(codes) if seat not in held)

    def last_time(self, language: Language) -> LastTime | None:
        try:
            return last_time_of(self._table.history.entries(0, LOOKED_AT), language)
        except (OSError, TroubleError):
            # the history page shows the error; a new match can start anyway
            return None

    def evening_picture(self, day: str) -> Markup | None:
        """Return the code of an evening's page; None without a day."""
        return picture_of(f"{self._table.address.own()}evenings/{day}") if day else None

    def join_values(self) -> dict[str, object]:
        address = self._table.address.own()
        return {"address": address, "also": self._table.address.named(), "picture": picture_of(address)}

    def _draw(self, sight: PartContent) -> str:
        language = viewers.viewer_language(self._table, sight.viewer)
        told, values = view_of(sight.match, language, sight.viewer.seat), dict[str, object]()
        match sight.name:
            case "overlay":
                values["overlay"] = overlay_at(sight.match, language, self.book.look_of(sight.match))
            case "score":
                values = {
                    **self._scored(sight, told),
                    **self._shown_values(sight, view_of(sight.match, language), is_small=True),
                }
            case "screen":
                values = self._screen_values(sight, view_of(sight.match, language))
            case "seat":
                values = {**self._scored(sight, told), **self._seat_values(sight, told)}
        template = self._templates.get_template(f"{sight.name}_part.html")
        return template.render({**self._part_values(sight, told), **values})

    def _part_values(self, sight: PartContent, told: MomentView) -> dict[str, object]:
        match, names = sight.match, sight.match.setup.names
        return {
            "say": say_in(told.listener.language),
            "viewer": sight.viewer,
            "look": self.book.look_of(match),
            "match": match_id(match),
            "moment": match.number,
            "moods": " ".join(sorted(moods_of(match))),
            "told": told,
            "winners": winners_text(told),
            "wrong": sight.wrong,
            "is_paused": sight.state.is_paused,
            "naming": sight.naming,
            "camera": sight.camera,
            "unsaved": sight.unsaved,
            "unsaved_for": sight.unsaved_for,
            "animals": {
                name: animal
                for seat, (name, animal) in enumerate(zip(names, animals_of(names), strict=True))
                if seat in sight.bots
            },
        }

    def _scored(self, sight: PartContent, told: MomentView) -> dict[str, object]:
        pictured = pictured_answers(sight.match, sight.photographed)
        return {
            "score": score_of(told, pictured, dict(sight.state.ends)),
            "finish": finish_of(sight.match, told.listener.language, sight.viewer.seat),
            "record": sight.state.id,
        }

    def _seat_values(self, sight: PartContent, told: MomentView) -> dict[str, object]:
        match, seat = sight.match, sight.viewer.seat or 0
        controls, game = controls_of(told, seat, told.grids), match.setup.game.name
        look = self.book.look_of(match)
        claim = None if self._table.twin.is_there else claimed_card(told)
        if claim is not None:
            controls = tuple(replace(each, is_witnessed=each.proof is not None) for each in controls)
        # hints for the first ask of each kind, with marks to remember them by
        hints = ((viewers.hint_mark(game, each.ask), each.hint) for each in controls if each.hint)
        return {
            "controls": [with_likely(each, sight.state.likely, sight.state.taking, told) for each in controls],
            "claim": claim,
            "hint": next((hint for hint in hints if sight.viewer.hints.wants(hint[0])), None),
            "seat": seat_view(told, seat, dict(sight.state.ends), look, is_waiting=not controls),
            "board": told.board,
            "reveal": None if told.outcome is not None else told.short.scene,
            "verdict": told.short.verdict,
            "layout": layout_of(told),
            "has_twin": self._table.twin.is_there,
            "may_take_back": may_take_back(match, seat),
            "came": arrival_at(match, seat),
        }

    def _screen_values(self, sight: PartContent, told: MomentView) -> dict[str, object]:
        match, joining = sight.match, sight.joining
        address, named = self._table.address.own(), self._table.address.named()
        free = [(name, code, picture_of(seat_address(self._table, code))) for name, code in joining.free]
        # an evening can be shared once its match is over
        is_kept = match.outcome is not None and sight.state.id is not None and sight.unsaved is None
        day = day_of(match.setup.begun) if is_kept else ""
        has_free = bool(free) or joining.is_ready
        return {
            **self._shown_values(sight, told, has_free=has_free),
            "free": free,
            "wifi": joining.wifi,
            "newest": joining.newest,
            "last": joining.last,
            "bot_names": BOT_NAMES,
            "begin_code": picture_of(f"{address}welcome"),
            "evening_code": self.evening_picture(day),
            "finish": finish_of(match, told.listener.language),
            "names": match.setup.names,
            "free_by_name": {name: seat for name, *seat in free},
            "address": address.removeprefix("http://").rstrip("/"),
            "also": named.removeprefix("http://").rstrip("/"),
            "join_code": picture_of(f"{address}seat"),
        }

    def _shown_values(
        self, sight: PartContent, told: MomentView, *, has_free: bool = False, is_small: bool = False
    ) -> dict[str, object]:
        look, clock = self.book.look_of(sight.match), first_clock(told, dict(sight.state.ends))
        return {"screen": screen_of(told, look, clock, has_free=has_free, is_small=is_small)}


def overlay_at(match: Match, language: Language, look: Look) -> OverlayView:
    before = moment_before_call(match)
    before_call = None if before is None else view_of(before, language).short
    return overlay_of(view_of(match, language).short, before_call, look)


def match_id(match: Match) -> str:
    """Return an id of a match, so that forms from another match can be detected."""
    return sha256(match.setup.begun.encode()).hexdigest()[:12]


@lru_cache(DRAWN)
def picture_of(address: str) -> Markup:
    """Return a cached QR code for an address or Wi-Fi; the text is our own and needs no escaping."""
    # use the fewest modules, then the best error correction that fits into them
    drawn = segno.make(address, error="l", micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    return Markup(drawn)  # noqa: S704


def qr_in_letters(address: str) -> str:
    drawn = StringIO()
    segno.make(address, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def seat_address(table: "Table", code: str) -> str:
    return f"{table.address.own()}seat?code={code}"


def wifi_square(table: "Table") -> WifiSquare | None:
    access = table.wifi.access()
    return None if access is None else WifiSquare(access.name, access.password)

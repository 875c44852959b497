"""People of the evening on the host's page: their devices, requests for seats, and removal."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from flask import Request, Response, request
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.people.links import device_id, draw_pin, is_same
from firmware.table.hosting import play_on
from referee.announcing import LEVELS, Level
from referee.contract.words import Phrase, phrase
from referee.match import Arrival
from webui.access.joining import change_devices, host_device, known_device, let_device_in
from webui.access.viewers import RIGHTS, Viewer, evening_of, token_in
from webui.pages.page import Page, post
from webui.pages.players.entering import Rejection, await_result, read_number, redirect_to
from webui.pages.players.playing_on import known_names, open_arrival, said_name
from webui.server.drawn_pages import picture_of, seat_address
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

PEOPLE = "/host/people"
MINUTE = 60
SILENCE = 1  # minutes without contact before the host sees a warning
SEAT_DIGITS = 2
WORD = 4  # characters of a device id that identify a screen to people

LEVEL_WORDS: Mapping[Level, Phrase] = {
    "off": phrase("nothing"),
    "rulings": phrase("rulings"),
    "play": phrase("play by play"),
}


class DeviceRow(Struct, frozen=True):
    """A device as shown to the host; its id is not its token."""

    id: str
    kind: str
    minutes: int
    heard: int | None  # minutes since the last contact; None if there was none since the start
    word: str = ""
    is_own: bool = False
    is_in: bool = True
    is_asking: bool = False


class SeatRow(Struct, frozen=True):
    """A seat, and the devices of the seated player."""

    number: int
    name: str
    devices: tuple[DeviceRow, ...]
    is_bot: bool = False
    came: Arrival | None = None
    """Newcomer of the running match who hasn't answered yet."""

    @property
    def lamp(self) -> str:
        """Return green if a device made contact recently, amber if none did, or empty without devices."""
        if not self.devices:
            return ""
        heard = [device.heard for device in self.devices if device.heard is not None]
        return "green" if heard and min(heard) <= SILENCE else "amber"


class PeopleActions(Page):
    """Host's actions on people and their devices."""

    @post("/host/people/out", "host")
    def put_device_out(self, _viewer: Viewer) -> Response:
        return self._change_device(evenings.put_out)

    @post("/host/people/everybody-out", "host")
    def put_all_out(self, _viewer: Viewer) -> Response:
        return self._change(lambda evening: evenings.put_everybody_out(evening, host_device(evening, request)))

    @post("/host/pin", "host")
    def renew_pin(self, _viewer: Viewer) -> Response:
        pin = draw_pin()
        return self._change(lambda now: evenings.renew_pin(now, pin, host_device(now, request)), "#hosts")

    @post("/host/screen", "host")
    def confirm_screen(self, _viewer: Viewer) -> Response:
        return self._change_device(partial(evenings.confirm_screen, now=self._table.links.now()))

    @post("/host/sound", "host")
    def switch_sound(self, _viewer: Viewer) -> Response:
        is_on = request.form.get("sound") == "on"
        return self._change(lambda evening: replace(evening, has_sound=is_on))

    @post("/host/announcer", "host")
    def choose_announcer(self, viewer: Viewer) -> Response:
        level = next((each for each in LEVELS if each == request.form.get("level")), None)
        if level is None:
            return self._draw("fault", viewer, {"why": Texts.not_understood}, 400)
        return self._change(lambda evening: replace(evening, announcer=level), "#announcer")

    @post("/host/people/let-in", "host")
    def let_in(self, viewer: Viewer) -> Response:
        which, seat = request.form.get("device", ""), read_number(request.form.get("seat", ""), SEAT_DIGITS)
        if seat is None or not let_device_in(self._table, which, seat):
            return self._draw("fault", viewer, {"why": phrase("This device is no longer known.")}, 409)
        return redirect_to(_page_of_form())

    @post("/host/people/<int:seat>/now", "host")
    def let_play_on(self, viewer: Viewer, seat: int) -> Response:
        name = said_name()
        if not name or seat >= len(self._table.client.moment().setup.names):
            return self._draw("fault", viewer, {"why": Texts.not_understood}, 400)
        result = await_result(self._table, viewer, self._table.client.host(partial(play_on, seat, name)))
        if isinstance(result, Rejection):
            return self._draw("unsent", viewer, {"rejection": result, "home": f"{PEOPLE}/{seat}"})
        return redirect_to(PEOPLE)

    def _change_device(self, act: Callable[[Evening, str], Evening]) -> Response:
        which = request.form.get("device", "")

        def change(evening: Evening) -> Evening:
            device = known_device(evening, which)
            return evening if device is None else act(evening, device.token)

        return self._change(change)

    def _change(self, change: Callable[[Evening], Evening], place: str = "") -> Response:
        change_devices(self._table, change)
        return redirect_to(_page_of_form() + place)

    def _turn_away(self) -> Response:
        return self._draw("fault", self._viewer(), {"why": Texts.stale_form}, 403)


def _page_of_form() -> str:
    return PEOPLE if request.form.get("from") == "people" else "/host"


def people_values(table: "Table", asked: Request) -> dict[str, object]:
    evening = evening_of(table)
    absent = [(person.name, each) for person in evening.people for each in person.devices if not each.is_in]
    # requests come first
    absent.sort(key=lambda each: not each[1].is_asking)
    return {
        "seats": _seat_rows(table, asked),
        # devices without a seat: last owner, and possible seats
        "absent": [
            {"name": name, "device": _row(table, each, asked), "seats": _possible_seats(evening, name)}
            for name, each in absent
        ],
        "hosts": [_row(table, device, asked) for device in evening.hosts],
        "screens": [_row(table, device, asked) for device in evening.screens],
        "cameras": [_row(table, device, asked) for device in evening.cameras],
        "has_sound": evening.has_sound,
        "levels": tuple((level, LEVEL_WORDS[level]) for level in LEVELS),
        "level": evening.announcer,
        "pin": evening.pin,
        "known": known_names(evening),
        "is_open": table.client.moment().outcome is None,
    }


def _seat_rows(table: "Table", asked: Request) -> tuple[SeatRow, ...]:
    bots, evening, rows = table.twin.bot_seats(), evening_of(table), list[SeatRow]()
    for seat, name in enumerate(() if evening.match is None else evening.match.names):
        holders = [each for each in evening.people if evenings.seat_named_in((name,), each.name) is not None]
        devices = (device for person in holders for device in person.devices)
        here = tuple(_row(table, each, asked) for each in devices if each.is_in)
        rows.append(SeatRow(seat, name, here, seat in bots, open_arrival(table, seat)))
    return tuple(rows)


def _row(table: "Table", device: Device, asked: Request) -> DeviceRow:
    """Return a device's details for the host, without its token."""
    now, heard = table.links.now(), table.links.heard(device.token)
    own = (token_in(evening_of(table), asked.cookies, kind) for kind in RIGHTS)
    return DeviceRow(
        id=device_id(device.token),
        kind=device.kind,
        minutes=int(max(0.0, now - device.since) // MINUTE),
        heard=None if heard is None else int(max(0.0, now - heard) // MINUTE),
        word=screen_word(device),
        is_own=any(is_same(device.token, token) for token in own),
        is_in=device.is_in,
        is_asking=device.is_asking,
    )


def screen_word(device: Device) -> str:
    return device_id(device.token)[:WORD].upper()


def code_values(table: "Table", asked: Request, seat: int) -> dict[str, object] | None:
    """Return a seat's code and QR code for its player; None if there is no such seat."""
    evening, seats = evening_of(table), _seat_rows(table, asked)
    if seat >= min(len(seats), len(evening.codes)):
        return None
    code = evening.codes[seat]
    waiting = (row for row in (*seats[seat + 1 :], *seats[:seat]) if not (row.devices or row.is_bot))
    return {
        "seat": seats[seat],
        "code": code,
        "picture": picture_of(seat_address(table, code)),
        "next": next(waiting, None),
        "known": known_names(evening),
        "is_open": table.client.moment().outcome is None,
    }


def _possible_seats(evening: Evening, name: str) -> tuple[tuple[int, str], ...]:
    """Return the possible seats of a device: the one with its person's name, else all free ones."""
    names = () if evening.match is None else evening.match.names
    own = evenings.seat_named_in(names, name)
    if own is not None:
        return ((own, names[own]),)
    held = evenings.held_seats(evening)
    return tuple((seat, other) for seat, other in enumerate(names) if seat not in held)

"""Seat a device: by code, by the host, or at the simulated table's own machine; the table is notified."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from flask import Request, Response

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.people.links import device_id, draw_codes, draw_token
from firmware.table.hosting import announce_joined
from referee.contract.words import phrase
from webui.access.viewers import HOST, SEAT, evening_of, token_in, with_right
from webui.views.bots import BOT_NAMES
from webui.views.words import page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""Platforms in User-Agent headers; the first match names the device."""


def join_by_code(table: "Table", request: Request, code: str) -> str | None:
    """Seat a device by code, and use the code up. Returns the device's token; None for a wrong code."""
    return _join(table, request, lambda evening: evenings.seat_with_code(evening, code))


def may_be_named(table: "Table", seat: int) -> bool:
    """Return whether a newcomer may enter a name: at a free seat, before the first answer.

    At the simulated table, a person may replace a bot or take an unnamed seat, and enter a name at any time.
    """
    is_free, match = seat not in evenings.held_seats(evening_of(table)), table.client.moment()
    if table.twin.is_there:
        is_nobodys = match.setup.names[seat] in {*BOT_NAMES, *unnamed(table, seat)}
        return is_free and is_nobodys and match.outcome is None
    return is_free and match.number == 0


def unnamed(table: "Table", seat: int) -> frozenset[str]:
    """Return the seat's placeholder names in all languages."""
    languages = table.languages.values()
    return frozenset(page_text(each, phrase("Seat {number}"), number=seat + 1) for each in languages)


def join_free_seat(table: "Table", request: Request, seat: int, name: str | None = None) -> str | None:
    """Seat a device without a code at a free seat, and return its token.

    With a name, only if the seat still has that name; its code was replaced when it was renamed.
    """

    def find_seat(evening: Evening) -> int | None:
        names = () if evening.match is None else evening.match.names
        is_free = seat in range(len(names)) and name in {None, names[seat]}
        return seat if is_free and seat not in evenings.held_seats(evening) else None

    return _join(table, request, find_seat)


def _join(table: "Table", request: Request, find_seat: Callable[[Evening], int | None]) -> str | None:
    token, before = draw_token(), token_in(evening_of(table), request.cookies, SEAT)

    def change(evening: Evening) -> Evening:
        seat = find_seat(evening)
        if seat is None:
            return evening
        (fresh,) = draw_codes(1, evening.codes)
        device = Device(token, kind_of(request), since=table.links.now())
        return evenings.join_seat(evenings.forget_device(evening, before), seat, device, fresh)

    after = table.links.change(change)
    if evenings.person_device(after, token) is None:
        return None
    welcome_person(table, after, token)
    return token


def welcome_person(table: "Table", evening: Evening, token: str) -> None:
    """Remove the bot from a newcomer's seat, and notify the whole table."""
    seat = evenings.seat_of(evening, token)
    if seat is None or evening.match is None:
        return
    table.links.hear(token)
    table.twin.leave(seat)
    table.client.host(partial(announce_joined, evening.match.names[seat]))


def let_device_in(table: "Table", which: str, seat: int) -> bool:
    """Seat a known device on the host's behalf. Returns False if the device is no longer known."""

    def change(evening: Evening) -> Evening:
        device = known_device(evening, which)
        if device is None:
            return evening
        return evenings.let_in(evening, device.token, seat, table.links.now(), draw_codes(1, evening.codes)[0])

    after = table.links.change(change)
    device = known_device(after, which)
    if device is None or evenings.seat_of(after, device.token) != seat:
        return False
    welcome_person(table, after, device.token)
    return True


def empty_seat(table: "Table", seat: int) -> Evening:
    """Free a seat: its devices lose their access, and it gets a new code."""
    return table.links.change(lambda now: evenings.leave_seat(now, seat, draw_codes(1, now.codes)[0]))


def give_up_seat(table: "Table", token: str) -> str:
    """Free the seat of a device. Returns the seat's new code; empty if the device had no seat."""
    code = draw_codes(1)[0]

    def change(evening: Evening) -> Evening:
        seat = evenings.seat_of(evening, token)
        return evening if seat is None or code in evening.codes else evenings.leave_seat(evening, seat, code)

    return code if code in table.links.change(change).codes else ""


def change_devices(table: "Table", change: Callable[[Evening], Evening]) -> Evening:
    """Change the evening; the frames of a browser that is no longer the camera are forgotten."""
    before = evenings.camera_of(evening_of(table))
    after = table.links.change(change)
    now = evenings.camera_of(after)
    if before is not None and (now is None or now.token != before.token):
        table.camera.stop()
    return after


def enter_as_host(table: "Table", request: Request, response: Response) -> Response:
    token = draw_token()
    device = Device(token, kind_of(request), since=table.links.now())
    table.links.change(lambda evening: evenings.admit_host(evening, device))
    return with_right(table, response, HOST, token)


def known_device(evening: Evening, which: str) -> Device | None:
    """Return a device by its id on the host's page."""
    people = (device for person in evening.people for device in person.devices)
    everything = (*people, *evening.hosts, *evening.screens, *evening.cameras)
    return next((device for device in everything if device_id(device.token) == which), None)


def host_device(evening: Evening, request: Request) -> str:
    """Return the token of the host who sent the request; empty for anyone else."""
    device = evenings.find_device(evening.hosts, token_in(evening, request.cookies, HOST))
    return "" if device is None else device.token


def kind_of(request: Request) -> str:
    """Return a browser's platform; empty if unknown."""
    said = request.headers.get("User-Agent", "")
    return next((kind for kind in KINDS if kind in said), "")

"""Letting a device in: by a code, by the host, or at the simulated table's own machine; the table is told."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from flask import Request, Response

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.people.links import device_id, draw_codes, draw_token
from firmware.table.hosting import announce_joined
from webui.access.viewers import HOST, SEAT, evening_of, token_in, with_right
from webui.needs import HasLinks, HasTwin, ViewerNeeds
from webui.views.bots import BOT_NAMES

KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""What browsers say they run on; the first that fits names the device."""


class JoiningNeeds(ViewerNeeds, HasTwin, Protocol):
    """What letting a device in needs of a table: a bot makes room."""


def join_by_code(table: JoiningNeeds, request: Request, code: str) -> str | None:
    """Let a device in as the person of the seat with a code, which is used up; give its token."""
    return _join(table, request, lambda evening: evenings.seat_with_code(evening, code))


def may_be_named(table: JoiningNeeds, seat: int) -> bool:
    """Return whether who sits down at a seat may say a name: before the first answer, where no person sits.

    An animal has its own name: whoever takes over from it says one at any time, and plays on from then.
    """
    is_free, match = seat not in evenings.held_seats(evening_of(table)), table.client.moment()
    if table.twin.is_there:
        return is_free and match.setup.names[seat] in BOT_NAMES and match.outcome is None
    return is_free and match.number == 0


def join_free_seat(table: JoiningNeeds, request: Request, seat: int, name: str | None = None) -> str | None:
    """Let a device in at a seat that no person holds, without a code; give its token.

    With a name, only if the seat, whose code is another one since it got that name, still has it.
    """

    def find_seat(evening: Evening) -> int | None:
        names = () if evening.match is None else evening.match.names
        is_free = seat in range(len(names)) and name in {None, names[seat]}
        return seat if is_free and seat not in evenings.held_seats(evening) else None

    return _join(table, request, find_seat)


def _join(table: JoiningNeeds, request: Request, find_seat: Callable[[Evening], int | None]) -> str | None:
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


def welcome_person(table: JoiningNeeds, evening: Evening, token: str) -> None:
    """Send a bot from the seat of a device that has just come in, and tell the whole table."""
    seat = evenings.seat_of(evening, token)
    if seat is None or evening.match is None:
        return
    table.links.hear(token)
    table.twin.leave(seat)
    table.client.host(partial(announce_joined, evening.match.names[seat]))


def let_device_in(table: JoiningNeeds, which: str, seat: int) -> bool:
    """Let a known device in at a seat, as the host says; False if it isn't known any more."""

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


def empty_seat(table: HasLinks, seat: int) -> Evening:
    """Let a seat go, so that all its devices are out, and draw its code anew."""
    return table.links.change(lambda now: evenings.leave_seat(now, seat, draw_codes(1, now.codes)[0]))


def give_up_seat(table: HasLinks, token: str) -> str:
    """Let go of the seat that a device holds; give the seat's new code, or nothing if it holds none."""
    code = draw_codes(1)[0]

    def change(evening: Evening) -> Evening:
        seat = evenings.seat_of(evening, token)
        return evening if seat is None or code in evening.codes else evenings.leave_seat(evening, seat, code)

    return code if code in table.links.change(change).codes else ""


def enter_as_host(table: HasLinks, request: Request, response: Response) -> Response:
    token = draw_token()
    device = Device(token, kind_of(request), since=table.links.now())
    table.links.change(lambda evening: evenings.admit_host(evening, device))
    return with_right(table, response, HOST, token)


def known_device(evening: Evening, which: str) -> Device | None:
    """Find any device by the name that the host's page has for it."""
    people = (device for person in evening.people for device in person.devices)
    everything = (*people, *evening.hosts, *evening.screens)
    return next((device for device in everything if device_id(device.token) == which), None)


def host_device(evening: Evening, request: Request) -> str:
    """Give the token of the host who asks; empty if none does."""
    device = evenings.find_device(evening.hosts, token_in(evening, request.cookies, HOST))
    return "" if device is None else device.token


def kind_of(request: Request) -> str:
    """Return what a browser runs on; empty if it doesn't say."""
    said = request.headers.get("User-Agent", "")
    return next((kind for kind in KINDS if kind in said), "")

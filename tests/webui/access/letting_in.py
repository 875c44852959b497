"""Devices admitted without a page, for tests that send their own requests."""

from msgspec import Struct

from firmware.storage.people import evening as evenings
from firmware.storage.people.evening import Device, Evening
from firmware.storage.people.links import draw_codes, table_mark
from firmware.storage.people.links_file import LinksFile

HOST_TOKEN = "token-of-the-host"  # noqa: S105 - only for tests
SEAT_TOKEN = "token-of-seat-{seat}"  # noqa: S105 - the same


class AdmittedSeat(Struct, frozen=True):
    """A seat: its code, and the token of the device that holds it."""

    code: str
    token: str


class Admitted(Struct, frozen=True):
    """Access data of a table with a device at each seat, and one of the host."""

    secret: str
    pin: str
    host: str
    seats: tuple[AdmittedSeat, ...]

    def cookie(self, kind: str) -> str:
        return f"{kind}-{table_mark(self.secret)}"


def with_all_seats(evening: Evening) -> Evening:
    if evenings.find_device(evening.hosts, HOST_TOKEN) is None:
        evening = evenings.admit_host(evening, Device(HOST_TOKEN))
    for seat in range(len(evening.codes)):
        token = SEAT_TOKEN.format(seat=seat)
        if evenings.person_device(evening, token) is None:
            evening = evenings.join_seat(evening, seat, Device(token), draw_codes(1, evening.codes)[0])
    return evening


def admitted(evening: Evening) -> Admitted:
    tokens = (SEAT_TOKEN.format(seat=seat) for seat in range(len(evening.codes)))
    seats = tuple(AdmittedSeat(code, token) for code, token in zip(evening.codes, tokens, strict=True))
    return Admitted(evening.secret, evening.pin, HOST_TOKEN, seats)


def admit_all(links: LinksFile) -> Admitted:
    return admitted(links.change(with_all_seats))


def release_seat(links: LinksFile, seat: int) -> None:
    links.change(lambda evening: evenings.leave_seat(evening, seat, draw_codes(1, evening.codes)[0]))

"""The people of the evening: names with their devices, and their seats in the current match; pure.

A device's rights belong to its person. A seat is found by the person's name in the current match and never
stored as a number. In another match or order, a device therefore never gets another person's seat.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people.links import is_same
from referee.announcing import Level
from referee.match import Match, name_key

FORM = 2
"""Format of the file that stores an evening."""
DAY = 24 * 3600.0
"""Seconds of running time after which a device needs the code, the PIN or the host again."""
CROWD, POCKET, SCREENS, CAMERAS = 60, 6, 8, 4
"""Most people, devices of a person or of hosts, screens, and browsers that ask to be the camera."""


class Device(Struct, frozen=True, omit_defaults=True):
    """A browser by the token in its cookie."""

    token: str
    kind: str = ""  # the platform that the browser reports, such as "iPhone"
    since: float = 0.0  # when it was admitted, in seconds of running time
    joined: int = 0  # number of the evening's matches when it was admitted
    is_in: bool = True  # whether it has rights; otherwise it is only known
    is_asking: bool = False
    network: str = ""  # the network address of a browser that asks to be the camera
    is_arriving: bool = False
    """Whether it waits at a seat while the next person takes over; until then it sees nothing."""


class Person(Struct, frozen=True, omit_defaults=True):
    """A name and its devices."""

    name: str
    devices: tuple[Device, ...] = ()


class SeatedMatch(Struct, frozen=True):
    """The match that people are seated in: its start and the names by seat."""

    begun: str
    names: tuple[str, ...]


class Evening(Struct, frozen=True):
    """Everybody admitted, and the secrets that admit others."""

    secret: str  # the key for form tokens
    pin: str
    form: int = FORM
    ran: float = 0.0  # seconds that the table has run, as last stored
    match: SeatedMatch | None = None
    matches: int = 0  # number of matches that people were seated in
    codes: tuple[str, ...] = ()  # the code of each seat of the current match
    people: tuple[Person, ...] = ()
    hosts: tuple[Device, ...] = ()
    screens: tuple[Device, ...] = ()
    cameras: tuple[Device, ...] = ()  # the browser that is the camera, and those that ask
    has_sound: bool = False
    announcer: Level = "off"
    has_had_host: bool = True
    """Whether the table ever had a host."""


def seated_match(match: Match) -> SeatedMatch:
    return SeatedMatch(match.setup.begun, match.setup.names)


# identification


def find_device(devices: Sequence[Device], token: str) -> Device | None:
    """Find a device by its token; compares all of them for constant time."""
    fits = [device for device in devices if is_same(device.token, token)]
    return fits[0] if fits else None


def find_person(evening: Evening, token: str) -> Person | None:
    fits = [person for person in evening.people if find_device(person.devices, token) is not None]
    return fits[0] if fits else None


def person_device(evening: Evening, token: str) -> Device | None:
    """Find a person's device by its token, with or without rights."""
    return find_device([device for person in evening.people for device in person.devices], token)


def seat_named_in(names: Sequence[str], name: str) -> int | None:
    return next((seat for seat, other in enumerate(names) if name_key(other) == name_key(name)), None)


def seat_of(evening: Evening, token: str) -> int | None:
    """Return the seat that a device may see and answer for, in the evening's match only."""
    return _seat_if(evening, token, lambda device: device.is_in and not device.is_arriving)


def arriving_seat(evening: Evening, token: str) -> int | None:
    return _seat_if(evening, token, lambda device: device.is_in and device.is_arriving)


def seat_offered_to(evening: Evening, token: str) -> int | None:
    """Return the seat of a name that a device once had; it may ask the host for it."""
    return _seat_if(evening, token, lambda device: not device.is_in)


def _seat_if(evening: Evening, token: str, fits: Callable[[Device], bool]) -> int | None:
    person, device = find_person(evening, token), person_device(evening, token)
    if person is None or device is None or evening.match is None or not fits(device):
        return None
    return seat_named_in(evening.match.names, person.name)


def held_seats(evening: Evening) -> frozenset[int]:
    """Return the seats held by people with an admitted device."""
    names, people = () if evening.match is None else evening.match.names, evening.people
    here = (each for each in people if any(device.is_in for device in each.devices))
    held = (seat_named_in(names, person.name) for person in here)
    return frozenset(seat for seat in held if seat is not None)


def seat_with_code(evening: Evening, code: str) -> int | None:
    """Return the seat with a code, in any case or spacing; compares all for constant time."""
    typed = "".join(code.split()).upper()
    fits = [is_same(each, typed) for each in evening.codes]
    return fits.index(True) if True in fits else None


# arrivals


def sit_down(evening: Evening, match: Match, fresh: Sequence[str]) -> Evening:
    """Seat people by name in another match; people not in it lose their rights, and new names get new codes."""
    table = seated_match(match)
    if evening.match == table:
        return evening
    before = () if evening.match is None else evening.match.names
    kept = dict(zip(before, evening.codes, strict=False))
    codes = tuple(kept.get(name, code) for name, code in zip(table.names, fresh, strict=False))
    seated = frozenset(map(name_key, table.names))
    people = tuple(each if name_key(each.name) in seated else _without_right(each) for each in evening.people)
    is_another = evening.match is None or evening.match.begun != table.begun
    count = evening.matches + is_another
    return replace(evening, match=table, matches=count, codes=codes, people=people)


def _without_right(person: Person) -> Person:
    known = (replace(device, is_in=False, is_asking=False) for device in person.devices)
    return replace(person, devices=tuple(known))


def join_seat(evening: Evening, seat: int, device: Device, fresh: str) -> Evening:
    """Admit a device as the person of a seat, and replace the seat's used code."""
    if evening.match is None or not 0 <= seat < len(evening.match.names):
        return evening
    name = evening.match.names[seat]
    let_in = replace(device, joined=evening.matches, is_in=True, is_asking=False)
    without = forget_device(evening, device.token)
    there = next((person for person in without.people if name_key(person.name) == name_key(name)), Person(name))
    others = tuple(person for person in without.people if name_key(person.name) != name_key(name))
    # a person with a phone of their own doesn't share the other one
    devices = (device for device in there.devices if not device.is_arriving)
    joined = replace(there, name=name, devices=(*devices, let_in)[-POCKET:])
    codes = (*evening.codes[:seat], fresh, *evening.codes[seat + 1 :])
    return replace(without, people=(*others, joined)[-CROWD:], codes=codes)


def let_in(evening: Evening, token: str, seat: int, now: float, fresh: str) -> Evening:
    device = person_device(evening, token)
    if device is None:
        return evening
    return join_seat(evening, seat, replace(device, since=now, is_arriving=False), fresh)


def hand_on(evening: Evening, token: str, seat: int, fresh: str, *, is_arriving: bool) -> Evening:
    """Leave a device at a seat whose person has changed; it waits until the next person confirms."""
    device = person_device(evening, token)
    if device is None or seat in held_seats(evening):
        return evening
    return join_seat(evening, seat, replace(device, is_arriving=is_arriving), fresh)


def arrive(evening: Evening, token: str) -> Evening:
    return _change_device(evening, token, is_arriving=False)


def ask_back(evening: Evening, token: str) -> Evening:
    is_theirs = seat_offered_to(evening, token) is not None
    return _change_device(evening, token, is_asking=True) if is_theirs else evening


def admit_host(evening: Evening, device: Device) -> Evening:
    others = tuple(host for host in evening.hosts if host.token != device.token)
    return replace(evening, hosts=(*others, device)[-POCKET:], has_had_host=True)


def claim_table(evening: Evening, device: Device) -> Evening:
    """Admit the first device as a host; once there was one, others need the PIN."""
    return evening if evening.has_had_host else admit_host(evening, device)


# departures


def forget_device(evening: Evening, token: str) -> Evening:
    """Forget a person's device; a person without devices is forgotten, too."""
    if person_device(evening, token) is None:
        return evening
    people = ((each, tuple(its for its in each.devices if its.token != token)) for each in evening.people)
    return replace(evening, people=tuple(replace(person, devices=kept) for person, kept in people if kept))


def leave_seat(evening: Evening, seat: int, fresh: str) -> Evening:
    if evening.match is None or not 0 <= seat < len(evening.match.names):
        return evening
    name = name_key(evening.match.names[seat])
    people = tuple(person for person in evening.people if name_key(person.name) != name)
    return replace(evening, people=people, codes=(*evening.codes[:seat], fresh, *evening.codes[seat + 1 :]))


def put_out(evening: Evening, token: str) -> Evening:
    without = forget_device(evening, token)
    hosts = tuple(host for host in without.hosts if host.token != token)
    screens = tuple(screen for screen in without.screens if screen.token != token)
    cameras = tuple(camera for camera in without.cameras if camera.token != token)
    return replace(without, hosts=hosts, screens=screens, cameras=cameras)


def put_everybody_out(evening: Evening, keep: str = "") -> Evening:
    """End the evening: revoke all rights except one host's, screens' and the camera's; people stay known."""
    hosts = tuple(host for host in evening.hosts if host.token == keep)
    return replace(evening, people=tuple(map(_without_right, evening.people)), hosts=hosts)


def forget_name(evening: Evening, name: str) -> Evening:
    """Forget a person with all devices; if the match has the name, the next start seats people again."""
    people = tuple(person for person in evening.people if name_key(person.name) != name_key(name))
    if evening.match is not None and seat_named_in(evening.match.names, name) is not None:
        return replace(evening, people=people, match=None, codes=())
    return evening if len(people) == len(evening.people) else replace(evening, people=people)


def names_of(evening: Evening) -> tuple[str, ...]:
    seated = () if evening.match is None else evening.match.names
    return (*seated, *(person.name for person in evening.people))


def expire(evening: Evening, now: float) -> Evening:
    def is_over(device: Device) -> bool:
        return device.is_in and now - device.since >= DAY

    def aged(device: Device) -> Device:
        return replace(device, is_in=False, is_asking=False) if is_over(device) else device

    hosts = tuple(host for host in evening.hosts if not is_over(host))
    aged_evening = _change_devices(evening, aged)
    return aged_evening if hosts == evening.hosts else replace(aged_evening, hosts=hosts)


def renew_pin(evening: Evening, pin: str, keep: str = "") -> Evening:
    return replace(evening, pin=pin, hosts=tuple(host for host in evening.hosts if host.token == keep))


def replace_pin(evening: Evening, pin: str, device: Device) -> Evening:
    """Replace a forgotten PIN and grant host rights to the requesting device; other hosts stay."""
    return admit_host(replace(evening, pin=pin), device)


def ask_screen(evening: Evening, device: Device) -> Evening:
    confirmed = tuple(screen for screen in evening.screens if screen.is_in)
    asking = tuple(screen for screen in evening.screens if not screen.is_in and screen.token != device.token)
    if find_device(confirmed, device.token) is not None:
        return evening
    waiting = (*asking, replace(device, is_in=False, is_asking=True))[-SCREENS:]
    return replace(evening, screens=(*confirmed, *waiting))


def confirm_screen(evening: Evening, token: str, now: float) -> Evening:
    """Make a requesting device a screen of the table after the host's approval; the newest screens stay."""
    asked = find_device(evening.screens, token)
    if asked is None or asked.is_in:
        return evening
    others = tuple(screen for screen in evening.screens if screen.token != token)
    asking = (each for each in others if not each.is_in)
    now_in = replace(asked, is_in=True, is_asking=False, since=now)
    confirmed = (*(each for each in others if each.is_in), now_in)
    return replace(evening, screens=(*confirmed[-SCREENS:], *asking))


def camera_of(evening: Evening) -> Device | None:
    """Return the browser that the host has confirmed as the camera."""
    return next((camera for camera in evening.cameras if camera.is_in), None)


def ask_camera(evening: Evening, device: Device) -> Evening:
    """Add a browser that asks to be the camera, unless its network asks already or too many do."""
    asking = [camera.network for camera in evening.cameras if camera.is_asking]
    is_known = find_device(evening.cameras, device.token) is not None
    if is_known or device.network in asking or len(asking) >= CAMERAS:
        return evening
    return replace(evening, cameras=(*evening.cameras, replace(device, is_in=False, is_asking=True)))


def use_camera(evening: Evening, device: Device, now: float) -> Evening:
    """Make a browser the camera; the one before loses that right."""
    used = camera_of(evening)
    if used is not None and used.token == device.token:
        return evening
    asking = (each for each in evening.cameras if each.is_asking and each.token != device.token)
    camera = replace(device, is_in=True, is_asking=False, network="", since=now)
    return replace(evening, cameras=(camera, *asking))


def confirm_camera(evening: Evening, token: str, now: float) -> Evening:
    asked = find_device(evening.cameras, token)
    return evening if asked is None else use_camera(evening, asked, now)


def _change_device(evening: Evening, token: str, **values: bool) -> Evening:
    return _change_devices(evening, lambda each: replace(each, **values) if each.token == token else each)


def _change_devices(evening: Evening, change: Callable[[Device], Device]) -> Evening:
    """Change people's devices; return the same evening if none changes."""
    people = tuple(replace(person, devices=tuple(map(change, person.devices))) for person in evening.people)
    return evening if people == evening.people else replace(evening, people=people)

"""From bouncing contacts to short, long and double presses; chords are refused, stuck buttons are named.

A press counts at its first edge, at once, however short it is. It is over when the contact has been open and
still for a while, so nothing counts twice: neither bounce nor a finger that trembles. No clock is read here:
time is the stamp of the next edge, or what `settle_contact` is given.

Which gestures mean anything is said when the button goes down. Where only a short press does, it counts as soon
as the button is down; there is no wait for a gesture without a meaning.
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from firmware.board_events import ButtonFreed, ButtonStuck, Chord
from hardware.board.board import Key
from referee.contract import Gesture

STILL = 0.025
"""Seconds without an edge after which an open contact is at rest; the worst ones bounce for 20 ms."""
LATE = 0.05  # seconds by which an edge may be heard late, when the machine is busy


class Contact(Struct, frozen=True, gc=False):
    """A contact: what it counts as, what it showed last, and since when."""

    is_down: bool = False
    shows_down: bool = False
    since: float = 0.0


class ContactChange(Struct, frozen=True, gc=False):
    """A contact that went down or up, with the stamp that counts."""

    is_down: bool
    at: float


def hear_edge(contact: Contact, at: float, *, is_down: bool) -> tuple[Contact, tuple[ContactChange, ...]]:
    """Hear an edge: what it leaves of the contact, and what is known by it."""
    contact, over = settle_contact(contact, at)
    pressed = (ContactChange(is_down=True, at=at),) if is_down and not contact.is_down else ()
    return Contact(contact.is_down or is_down, is_down, at), over + pressed


def settle_contact(contact: Contact, now: float) -> tuple[Contact, tuple[ContactChange, ...]]:
    over = contact_due(contact)
    if over is None or now < over:
        return contact, ()
    return Contact(since=contact.since), (ContactChange(is_down=False, at=contact.since),)


def contact_due(contact: Contact) -> float | None:
    return contact.since + STILL if contact.is_down and not contact.shows_down else None


LONG = 0.6  # seconds that make a press a long one
SURE = STILL + LATE  # seconds after which no release is told any more that was before
DOUBLE = 0.3
"""Seconds within which the second press of a double one comes, after the first one has ended."""
CHORD = 0.015  # seconds for which a button waits for another one beside it
STUCK = 10.0  # seconds after which a held button is stuck


class Press(Struct, frozen=True, gc=False):
    """A press that was made: of what, how, and when the button went down."""

    key: Key
    gesture: Gesture
    at: float


PressEvent = Press | Chord | ButtonStuck | ButtonFreed


class Finger(Struct, frozen=True, gc=False):
    """A button that is down, or was a moment ago: since when, until when, and whether its press is settled."""

    key: Key
    down_at: float
    wanted: frozenset[Gesture] = frozenset()
    up_at: float | None = None
    is_settled: bool = False
    is_stuck: bool = False


class Place(Struct, frozen=True, gc=False):
    """The buttons of one place that are in use; a button with a neighbour waits a moment for a chord."""

    has_neighbours: bool = False
    fingers: tuple[Finger, ...] = ()


PlaceEvents = tuple[Place, tuple[PressEvent, ...]]


def hold_button(place: Place, key: Key, at: float) -> Place:
    """Note a button that was down at the start: no press, but it may be stuck."""
    return _with_fingers(place, (*place.fingers, Finger(key, at, is_settled=True)))


def change_button(place: Place, key: Key, turn: ContactChange, wanted: frozenset[Gesture]) -> PlaceEvents:
    place, before = settle_presses(place, turn.at)
    place, heard = (
        _finger_down(place, key, turn.at, wanted) if turn.is_down else _finger_up(place, key, turn.at)
    )
    place, after = settle_presses(place, turn.at)
    return place, before + heard + after


def settle_presses(place: Place, now: float) -> PlaceEvents:
    fingers, heard = [], list[PressEvent]()
    for finger in place.fingers:
        gesture: Gesture | None = None
        if not finger.is_settled and now >= _due(place, finger):
            gesture = "long" if _is_long(finger) and "long" in finger.wanted else "short"
            heard.append(Press(finger.key, gesture, finger.down_at))
        is_held = finger.up_at is None and now >= finger.down_at + STUCK
        if is_held and not finger.is_stuck:
            heard.append(ButtonStuck(finger.key, now))
        is_settled, is_stuck = finger.is_settled or gesture is not None, finger.is_stuck or is_held
        fingers.append(replace(finger, is_settled=is_settled, is_stuck=is_stuck))
    return _with_fingers(place, fingers), tuple(heard)


def due(place: Place) -> float | None:
    """Return when to look again, if nothing moves before."""
    return min((_due(place, finger) for finger in place.fingers if not finger.is_stuck), default=None)


def open_since(place: Place) -> float | None:
    """Give the time since which a press is open: later presses wait for it."""
    return min((finger.down_at for finger in place.fingers if not finger.is_settled), default=None)


def _finger_down(place: Place, key: Key, at: float, wanted: frozenset[Gesture]) -> PlaceEvents:
    """Begin a press; with another button of the place down it is a chord, and what was open is dropped."""
    if any(finger.key != key and finger.up_at is None and not finger.is_stuck for finger in place.fingers):
        settled = [replace(finger, is_settled=True) for finger in place.fingers]
        return _with_fingers(place, (*settled, Finger(key, at, is_settled=True))), (Chord(key, at),)
    again = next((finger for finger in place.fingers if finger.key == key), None)
    others = [finger for finger in place.fingers if finger.key != key]
    if again is None or at > (again.up_at or at) + DOUBLE:
        alone = () if again is None else (Press(key, "short", again.down_at),)
        return _with_fingers(place, (*others, Finger(key, at, wanted))), alone
    second = Finger(key, at, is_settled=True)
    return _with_fingers(place, (*others, second)), (Press(key, "double", again.down_at),)


def _finger_up(place: Place, key: Key, at: float) -> PlaceEvents:
    fingers = [replace(finger, up_at=at) if finger.key == key else finger for finger in place.fingers]
    freed = [ButtonFreed(key, at) for finger in fingers if finger.key == key and finger.is_stuck]
    return _with_fingers(place, fingers), tuple(freed)


def _with_fingers(place: Place, fingers: Iterable[Finger]) -> Place:
    kept = tuple(finger for finger in fingers if finger.up_at is None or not finger.is_settled)
    return Place(place.has_neighbours, kept)


def _due(place: Place, finger: Finger) -> float:
    """Return when it is settled what a press is; after that, when it has to be taken for stuck."""
    if finger.is_settled:
        return finger.down_at + STUCK
    alone = finger.down_at + (CHORD if place.has_neighbours else 0)
    if finger.wanted <= {"short"}:
        return alone
    if finger.up_at is None:
        return finger.down_at + LONG + SURE
    waits = "double" in finger.wanted and not _is_long(finger)
    return max(alone, finger.up_at + DOUBLE + LATE) if waits else alone


def _is_long(finger: Finger) -> bool:
    return finger.up_at is None or finger.up_at >= finger.down_at + LONG


HELD = 0.02  # seconds for which a press waits for an earlier one that comes late
TIE = 0.0001  # seconds between stamps below which presses are a tie: interrupts are late by as much

Thing = TypeVar("Thing")


Waiting = tuple[tuple[float, Thing], ...]
"""What is held back, with its stamps, in their order."""


def hold_back(waiting: Waiting[Thing], at: float, thing: Thing) -> Waiting[Thing]:
    return tuple(sorted((*waiting, (at, thing)), key=itemgetter(0)))


def take_ready(
    waiting: Waiting[Thing], now: float, held: float = HELD, open_since: float | None = None
) -> tuple[Waiting[Thing], list[tuple[Thing, ...]]]:
    """Give what has waited for long enough, and is earlier than any press that is still open; ties together."""
    groups: list[tuple[Thing, ...]] = []
    while waiting and waiting[0][0] + held <= now and _is_before(waiting[0][0], open_since):
        tied = sum(at <= waiting[0][0] + TIE for at, _thing in waiting)
        groups.append(tuple(thing for _at, thing in waiting[:tied]))
        waiting = waiting[tied:]
    return waiting, groups


def waiting_due(waiting: Waiting[Thing], held: float = HELD, open_since: float | None = None) -> float | None:
    """Give the time to look again; a press that waits for an open one is ready when that one is settled."""
    return waiting[0][0] + held if waiting and _is_before(waiting[0][0], open_since) else None


def _is_before(at: float, open_since: float | None) -> bool:
    return open_since is None or at + TIE < open_since

"""From bouncing contacts to short, long and double presses; chords are refused, stuck buttons reported.

A press counts from its first edge, however short it is. It ends once the contact has been open and still for a
while, so neither bounce nor a trembling finger counts twice. No clock is read: the time is that of the next
edge or the argument of `settle_contact`.

The gestures with a meaning are fixed when the button goes down. If only a short press has one, it counts at
once, without waiting for other gestures.
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from firmware.board_events import ButtonFreed, ButtonStuck, Chord
from hardware.board.board import Key
from referee.contract import Gesture

DEBOUNCE = 0.025
"""Seconds without an edge before an open contact is at rest; the worst contacts bounce for 20 ms."""
EDGE_LATENCY = 0.05  # seconds by which a busy machine may report an edge late


class Contact(Struct, frozen=True, gc=False):
    """A contact: whether it counts as down, its last level, and the time of that level."""

    is_down: bool = False
    shows_down: bool = False
    since: float = 0.0


class ContactChange(Struct, frozen=True, gc=False):
    """A contact that went down or up, and the time that counts."""

    is_down: bool
    at: float


def hear_edge(contact: Contact, at: float, *, is_down: bool) -> tuple[Contact, tuple[ContactChange, ...]]:
    """Apply an edge; returns the new state and the changes that are now certain."""
    contact, over = settle_contact(contact, at)
    pressed = (ContactChange(is_down=True, at=at),) if is_down and not contact.is_down else ()
    return Contact(contact.is_down or is_down, is_down, at), over + pressed


def settle_contact(contact: Contact, now: float) -> tuple[Contact, tuple[ContactChange, ...]]:
    over = contact_due(contact)
    if over is None or now < over:
        return contact, ()
    return Contact(since=contact.since), (ContactChange(is_down=False, at=contact.since),)


def contact_due(contact: Contact) -> float | None:
    return contact.since + DEBOUNCE if contact.is_down and not contact.shows_down else None


LONG_PRESS = 0.6  # seconds down that make a press long
RELEASE_CERTAIN = DEBOUNCE + EDGE_LATENCY  # seconds after which no earlier release can arrive
DOUBLE_PRESS_GAP = 0.3
"""Maximum seconds from the end of a press to the second press of a double."""
CHORD_DELAY = 0.015  # seconds for which a press waits for a neighbouring button
STUCK_AFTER = 10.0  # seconds down before a button counts as stuck


class Press(Struct, frozen=True, gc=False):
    """A completed press: its button, its gesture, and the time the button went down."""

    key: Key
    gesture: Gesture
    at: float


PressEvent = Press | Chord | ButtonStuck | ButtonFreed


class Finger(Struct, frozen=True, gc=False):
    """A button that is down or was just released, and the state of its press."""

    key: Key
    down_at: float
    wanted: frozenset[Gesture] = frozenset()
    up_at: float | None = None
    is_settled: bool = False
    is_stuck: bool = False


class Place(Struct, frozen=True, gc=False):
    """The active buttons of a seat, the table or the dial; with neighbours, presses wait for chords."""

    has_neighbours: bool = False
    fingers: tuple[Finger, ...] = ()


PlaceEvents = tuple[Place, tuple[PressEvent, ...]]


def hold_button(place: Place, key: Key, at: float) -> Place:
    """Register a button that was down at the start: not a press, but it may be stuck."""
    return _with_fingers(place, (*place.fingers, Finger(key, at, is_settled=True)))


def change_button(place: Place, key: Key, turn: ContactChange, wanted: frozenset[Gesture]) -> PlaceEvents:
    place, before = settle_presses(place, turn.at)
    place, events = (
        _finger_down(place, key, turn.at, wanted) if turn.is_down else _finger_up(place, key, turn.at)
    )
    place, after = settle_presses(place, turn.at)
    return place, before + events + after


def settle_presses(place: Place, now: float) -> PlaceEvents:
    fingers, events = [], list[PressEvent]()
    for finger in place.fingers:
        gesture: Gesture | None = None
        if not finger.is_settled and now >= _due(place, finger):
            gesture = "long" if _is_long(finger) and "long" in finger.wanted else "short"
            events.append(Press(finger.key, gesture, finger.down_at))
        is_held = finger.up_at is None and now >= finger.down_at + STUCK_AFTER
        if is_held and not finger.is_stuck:
            events.append(ButtonStuck(finger.key, now))
        is_settled, is_stuck = finger.is_settled or gesture is not None, finger.is_stuck or is_held
        fingers.append(replace(finger, is_settled=is_settled, is_stuck=is_stuck))
    return _with_fingers(place, fingers), tuple(events)


def due(place: Place) -> float | None:
    """Return the time to check again if no edge comes before."""
    return min((_due(place, finger) for finger in place.fingers if not finger.is_stuck), default=None)


def open_since(place: Place) -> float | None:
    """Return the start of the oldest open press; later presses wait for it."""
    return min((finger.down_at for finger in place.fingers if not finger.is_settled), default=None)


def _finger_down(place: Place, key: Key, at: float, wanted: frozenset[Gesture]) -> PlaceEvents:
    """Begin a press; if another button of the place is down, it is a chord and open presses are dropped."""
    if any(finger.key != key and finger.up_at is None and not finger.is_stuck for finger in place.fingers):
        settled = [replace(finger, is_settled=True) for finger in place.fingers]
        return _with_fingers(place, (*settled, Finger(key, at, is_settled=True))), (Chord(key, at),)
    again = next((finger for finger in place.fingers if finger.key == key), None)
    others = [finger for finger in place.fingers if finger.key != key]
    if again is None or at > (again.up_at or at) + DOUBLE_PRESS_GAP:
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
    """Return the time at which the press is settled, or at which a settled one counts as stuck."""
    if finger.is_settled:
        return finger.down_at + STUCK_AFTER
    alone = finger.down_at + (CHORD_DELAY if place.has_neighbours else 0)
    if finger.wanted <= {"short"}:
        return alone
    if finger.up_at is None:
        return finger.down_at + LONG_PRESS + RELEASE_CERTAIN
    waits = "double" in finger.wanted and not _is_long(finger)
    return max(alone, finger.up_at + DOUBLE_PRESS_GAP + EDGE_LATENCY) if waits else alone


def _is_long(finger: Finger) -> bool:
    return finger.up_at is None or finger.up_at >= finger.down_at + LONG_PRESS


REORDER_DELAY = 0.02  # seconds for which a press waits for an earlier one that arrives late
TIE_WINDOW = 0.0001  # seconds between timestamps below which presses tie; interrupts are late by as much

Thing = TypeVar("Thing")


Waiting = tuple[tuple[float, Thing], ...]
"""Held-back items with their timestamps, oldest first."""


def hold_back(waiting: Waiting[Thing], at: float, thing: Thing) -> Waiting[Thing]:
    return tuple(sorted((*waiting, (at, thing)), key=itemgetter(0)))


def take_ready(
    waiting: Waiting[Thing], now: float, held: float = REORDER_DELAY, open_since: float | None = None
) -> tuple[Waiting[Thing], list[tuple[Thing, ...]]]:
    """Return items that waited for `held` seconds and precede any open press; ties are grouped."""
    groups: list[tuple[Thing, ...]] = []
    while waiting and waiting[0][0] + held <= now and _is_before(waiting[0][0], open_since):
        tied = sum(at <= waiting[0][0] + TIE_WINDOW for at, _thing in waiting)
        groups.append(tuple(thing for _at, thing in waiting[:tied]))
        waiting = waiting[tied:]
    return waiting, groups


def waiting_due(
    waiting: Waiting[Thing], held: float = REORDER_DELAY, open_since: float | None = None
) -> float | None:
    """Return the time to check again; None while the first item waits for an open press."""
    return waiting[0][0] + held if waiting and _is_before(waiting[0][0], open_since) else None


def _is_before(at: float, open_since: float | None) -> bool:
    return open_since is None or at + TIE_WINDOW < open_since

"""State of all buttons and the dial: edges in, events out; no pins, clock or threads.

The caller feeds each edge with the match that was current at the edge's timestamp. When no edge is left, it
calls `look` at the time that `due` returns.
"""

from collections.abc import Collection, Iterable
from itertools import chain, pairwise
from typing import Literal

from msgspec import Struct

from firmware.board.inputs import presses
from firmware.board.inputs.meaning import ButtonMeaning, has_rivals, meaning_of, void_press
from firmware.board.inputs.menus import push_dial, step_back
from firmware.board.inputs.menus import turn_dial as dial_turned
from firmware.board_events import (
    BoardAnswers,
    BoardEvent,
    DialMoved,
    DialRested,
    DialState,
    DirectorHeld,
    Edge,
    OffHeld,
    PressUnderstood,
    VoidPress,
)
from hardware.board.board import Board, Key, keys
from referee.contract import Answer, Gesture
from referee.match import Match

DIAL_REORDER_DELAY = 0.005  # seconds; an edge of the dial waits this long for an earlier one of the other wire
DIAL_REST_DELAY = 0.4  # seconds without a turn before the dial's choice is spoken
HOLD_SECONDS = 5.0  # seconds to hold the dial to shut down, or a seat's button to call the director


class ButtonInput:
    """The state of every button and of the dial."""

    def __init__(self, board: Board, by_usb: Collection[Key] = ()) -> None:
        """Start with all buttons released; `by_usb` adds buttons that are not on the board."""
        every = {*keys(board), *by_usb}
        self._contacts = {key: presses.Contact() for key in every}
        self._neighbours = {key: _neighbours(every, key) for key in every}
        self._places = {_place_of(key): presses.Place(bool(self._neighbours[key])) for key in every}
        self._meant: dict[Key, ButtonMeaning] = {}
        self._held_answers: presses.Waiting[Answer] = ()
        self._turned: presses.Waiting[Edge] = ()
        self._encoder = Encoder()
        self._dial = DialState()
        self._dialled_at: Match | None = None
        self._rests_at: float | None = None
        self._off_since: float | None = None
        self._off_is_told = False
        self._down = dict[Key, float]()
        """Time at which each pressed button went down."""

    def dial(self, match: Match) -> DialState:
        """Return the dial's choice if it was turned at this moment."""
        return self._dial if self._dialled_at is match else DialState()

    def hold(self, down: Iterable[Key], at: float) -> None:
        """Register buttons that were down at the start; these are not presses."""
        for key in down:
            self._contacts[key] = presses.Contact(is_down=True, shows_down=True, since=at)
            self._places[_place_of(key)] = presses.hold_button(self._places[_place_of(key)], key, at)

    def feed(self, edge: Edge, match: Match) -> list[BoardEvent]:
        if edge.wire.role in {"a", "b"}:
            self._turned = presses.hold_back(self._turned, edge.at, edge)
            return []
        key, events = edge.wire, self._turn_dial(edge.at, match)
        for other in self._neighbours[key]:
            # edges of two wires may arrive out of order, but by no more than this
            self._contacts[other], turns = presses.settle_contact(
                self._contacts[other], edge.at - presses.REORDER_DELAY
            )
            events += self._move_button(other, turns, match)
        self._contacts[key], turns = presses.hear_edge(self._contacts[key], edge.at, is_down=edge.is_down)
        return events + self._move_button(key, turns, match)

    def look(self, now: float, match: Match) -> list[BoardEvent]:
        """Settle everything that depends on time alone, allowing for edges that arrive late."""
        events = self._turn_dial(now, match)
        for key, contact in self._contacts.items():
            self._contacts[key], turns = presses.settle_contact(contact, now - presses.EDGE_LATENCY)
            events += self._move_button(key, turns, match)
        for name, place in self._places.items():
            self._places[name], pressed = presses.settle_presses(place, now)
            events += self._events_of(pressed, match)
        self._held_answers, groups = presses.take_ready(
            self._held_answers, now, presses.REORDER_DELAY, self._open_since()
        )
        events += [BoardAnswers(group) for group in groups]
        if self._rests_at is not None and now >= self._rests_at:
            self._rests_at = None
            dial = self.dial(match)
            events += [] if dial.at is None else [DialRested(dial)]
        off_at = self._off_due()
        if off_at is not None and now >= off_at:
            self._off_is_told = True
            events.append(OffHeld(now))
        return events

    def due(self) -> float | None:
        contacts = map(presses.contact_due, self._contacts.values())
        dues = [
            presses.waiting_due(self._held_answers, presses.REORDER_DELAY, self._open_since()),
            presses.waiting_due(self._turned, DIAL_REORDER_DELAY),
            self._rests_at,
            self._off_due(),
            # slightly later, because adding and subtracting floats isn't exact
            *(at + presses.EDGE_LATENCY + presses.TIE_WINDOW for at in contacts if at is not None),
            *map(presses.due, self._places.values()),
        ]
        return min((at for at in dues if at is not None), default=None)

    def oldest_pending(self) -> float | None:
        """Return the time of the oldest unsettled press; no clock may answer before it."""
        first = self._held_answers[0][0] if self._held_answers else None
        return min((at for at in (first, self._open_since()) if at is not None), default=None)

    def _move_button(self, key: Key, turns: Iterable[presses.ContactChange], match: Match) -> list[BoardEvent]:
        """Move a button; the match at the time it goes down decides the meaning of the press."""
        events: list[BoardEvent] = []
        for turn in turns:
            place = self._places[_place_of(key)]
            if turn.is_down and not any(finger.key == key for finger in place.fingers):
                self._meant[key] = meaning_of(match, key)
            wanted = self._meant[key].wanted if key in self._meant else frozenset[Gesture]()
            place, pressed = presses.change_button(place, key, turn, wanted)
            self._places[_place_of(key)] = place
            events += self._events_of(pressed, match)
            events += self._hear_hold(key, turn, match)
            if key.role == "push":
                events += self._hear_off(turn)
        return events

    # Releasing a button after five seconds shuts down (dial) or calls the director (seat).
    #
    # The release counts because a wire that touches ground is never released and becomes stuck. Holding the
    # dial answers nothing: a push counts at its end, and a long push is one step back. Only seats that are not
    # asked can call the director; the press of an asked seat is an answer.

    def _hear_hold(self, key: Key, turn: presses.ContactChange, match: Match) -> list[BoardEvent]:
        if turn.is_down:
            self._down[key] = turn.at
            return []
        down = self._down.pop(key, turn.at)
        asks = (self._meant[key].match if key in self._meant else match).asks
        # without any ask the match is over, and a press begins the next one
        is_idle = bool(asks) and not any(key.seat in ask.seats for ask in asks)
        if key.seat is None or key.role != "call" or not is_idle:
            return []
        return [DirectorHeld(key.seat, turn.at)] if HOLD_SECONDS <= turn.at - down < presses.STUCK_AFTER else []

    def _hear_off(self, turn: presses.ContactChange) -> list[BoardEvent]:
        since, is_told = self._off_since, self._off_is_told
        self._off_since, self._off_is_told = turn.at if turn.is_down else None, False
        # people can't have meant an option that wasn't shown yet
        is_meant = not turn.is_down and is_told and since is not None and turn.at < since + presses.STUCK_AFTER
        return [OffHeld(turn.at, is_let_go=True)] if is_meant else []

    def _off_due(self) -> float | None:
        return None if self._off_since is None or self._off_is_told else self._off_since + HOLD_SECONDS

    def _events_of(self, pressed: Iterable[presses.PressEvent], match: Match) -> list[BoardEvent]:
        events: list[BoardEvent] = []
        for press in pressed:
            events += self._press_events(press, match) if isinstance(press, presses.Press) else [press]
        return events

    def _press_events(self, press: presses.Press, match: Match) -> list[BoardEvent]:
        """Return the events of a press: an answer (held back if rivals may answer) or a step of the dial."""
        meant = self._meant.get(press.key) or meaning_of(match, press.key)
        stood = meant.match
        is_rivalled = press.gesture in meant.rivalled
        if press.key.role == "push":
            result = self._push_dial(press, stood)
            is_rivalled = isinstance(result, Answer) and has_rivals(stood, result)
        else:
            result = meant.answers.get(press.gesture) or void_press(stood, press)
        match result:
            case VoidPress():
                return [result]
            case DialState():
                return [PressUnderstood(press.key, press.at), *self._set_dial(stood, result, press.at)]
            case Answer() if is_rivalled:
                self._held_answers = presses.hold_back(self._held_answers, press.at, result)
                return [PressUnderstood(press.key, press.at)]
            case Answer():
                return [PressUnderstood(press.key, press.at), BoardAnswers((result,))]

    def _push_dial(self, press: presses.Press, match: Match) -> Answer | DialState | VoidPress:
        dial = self.dial(match)
        if press.gesture == "long":
            return step_back(dial)
        self._rests_at = None
        return push_dial(match, dial) or void_press(match, press)

    def _open_since(self) -> float | None:
        return min(
            (at for at in map(presses.open_since, self._places.values()) if at is not None), default=None
        )

    def _turn_dial(self, now: float, match: Match) -> list[BoardEvent]:
        self._turned, groups = presses.take_ready(self._turned, now, DIAL_REORDER_DELAY)
        steps = []
        for edge in chain.from_iterable(groups):
            wire: Wire = "a" if edge.wire.role == "a" else "b"
            self._encoder, step = turn_by_edge(self._encoder, wire, edge.at, is_high=not edge.is_down)
            steps += [step] if step else []
        if not steps:
            return []
        dial = self.dial(match)
        for step in steps:
            dial = dial_turned(match, dial, step)
        return self._set_dial(match, dial, now)

    def _set_dial(self, match: Match, dial: DialState, at: float) -> list[BoardEvent]:
        self._dial, self._dialled_at = dial, match
        self._rests_at = None if dial.at is None else at + DIAL_REST_DELAY
        return [] if dial.at is None else [DialMoved(dial)]


PlaceName = tuple[Literal["seat", "table", "dial"], int | None]


def _place_of(key: Key) -> PlaceName:
    if key.role == "push":
        return "dial", None
    return ("table", None) if key.seat is None else ("seat", key.seat)


def _neighbours(every: Collection[Key], key: Key) -> tuple[Key, ...]:
    return tuple(other for other in every if other != key and _place_of(other) == _place_of(key))


# Rotary encoder: turns the edges of its two wires into steps; fast turns give larger steps.

Wire = Literal["a", "b"]

_CLOCKWISE = ((True, True), (False, True), (False, False), (True, False), (True, True))
_QUARTERS = {(*before, *after): 1 for before, after in pairwise(_CLOCKWISE)}
_QUARTERS |= {(*after, *before): -1 for before, after in pairwise(_CLOCKWISE)}
"""Levels of a and b before and after an edge, as a quarter click: clockwise if a falls first.

A bounce cancels itself.
"""

MIN_QUARTERS = 2
"""Minimum quarters of a click when both wires are back at rest; some of the four may be missed."""
ACCELERATION: tuple[tuple[float, int], ...] = ((0.015, 10), (0.035, 5), (0.07, 2))
"""Maximum seconds since the last click in the same direction, and the steps of a click that fast."""


class Encoder(Struct, frozen=True, gc=False):
    """A dial: its wires (high at rest), the quarters since the last click, that click's time and direction."""

    a: bool = True
    b: bool = True
    quarters: int = 0
    clicked_at: float = float("-inf")
    way: int = 0


def turn_by_edge(encoder: Encoder, wire: Wire, at: float, *, is_high: bool) -> tuple[Encoder, int]:
    """Apply an edge; returns the steps that it completes, negative anticlockwise, usually 0."""
    a, b = (is_high, encoder.b) if wire == "a" else (encoder.a, is_high)
    quarters = encoder.quarters + _QUARTERS.get((encoder.a, encoder.b, a, b), 0)
    if not (a and b):
        return Encoder(a, b, quarters, encoder.clicked_at, encoder.way), 0
    if abs(quarters) < MIN_QUARTERS:
        return Encoder(a, b, 0, encoder.clicked_at, encoder.way), 0
    way = 1 if quarters > 0 else -1
    return Encoder(a, b, 0, at, way), way * _worth(encoder, way, at)


def _worth(encoder: Encoder, way: int, at: float) -> int:
    gap = at - encoder.clicked_at
    fitting = (worth for most, worth in ACCELERATION if gap <= most)
    return next(fitting, 1) if way == encoder.way else 1

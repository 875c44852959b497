"""All hands at the board: edges go in, and what they mean comes out; no pin, no clock, no thread.

Whoever owns it feeds every edge with the match that stood at its stamp, and, when no edge is left to feed,
looks again at what is due.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from firmware.senses.buttons import Edge
from firmware.senses.debounce import LATE, Contact, Turn, edge, settled
from firmware.senses.debounce import due as contact_due
from firmware.senses.dial import Encoder, Wire
from firmware.senses.dial import edge as dial_edge
from firmware.senses.meaning import Nothing, dialled, has_rivals, meant, number_asked, wanted
from firmware.senses.order import HELD, Waiting, kept, ready
from firmware.senses.order import due as waiting_due
from firmware.senses.presses import Chord, Freed, Place, Press, Pressed, Stuck, open_since, turned, waited
from firmware.senses.presses import due as place_due
from hardware.board.board import Board, Key, keys
from referee.contract import Answer
from referee.match import Match

DIAL_HELD = 0.005
"""Seconds for which an edge of the dial waits for the other wire's."""


class Understood(Struct, frozen=True):
    """A press that means something: its button can be answered at once, before the referee has heard it."""

    key: Key
    at: float


class Dialled(Struct, frozen=True):
    """The number on the dial now."""

    number: int


class Said(Struct, frozen=True):
    """Answers for the referee; several are from presses that no stamp can tell apart."""

    answers: tuple[Answer, ...]


Event = Understood | Dialled | Said | Nothing | Chord | Stuck | Freed


class Hands:
    """What every button and the dial are in the middle of."""

    def __init__(self, board: Board) -> None:
        """Begin with everything at rest."""
        self._contacts = {key: Contact() for key in keys(board)}
        self._places = {_place_of(key): Place(_has_neighbours(board, key)) for key in keys(board)}
        self._stood: dict[Key, Match] = {}
        self._said: Waiting[Answer] = Waiting()
        self._turned: Waiting[Edge] = Waiting()
        self._encoder = Encoder()
        self._number: int | None = None
        self._number_at = -1

    def dialled(self, match: Match) -> int | None:
        """Give the number on the dial, if it was turned since this moment began."""
        return self._number if self._number_at == match.number else None

    def feed(self, heard: Edge, match: Match) -> list[Event]:
        """Hear an edge; the match is the one that stood at its stamp."""
        if heard.wire.role in {"a", "b"}:
            self._turned = kept(self._turned, heard.at, heard)
            return []
        key, events = heard.wire, self._dial(heard.at, match)
        self._contacts[key], turns = edge(self._contacts[key], heard.at, is_down=heard.is_down)
        return events + self._moved(key, turns, match)

    def look(self, now: float, match: Match) -> list[Event]:
        """Settle what time settles, allowing for edges that are heard late."""
        events = self._dial(now, match)
        for key, contact in self._contacts.items():
            self._contacts[key], turns = settled(contact, now - LATE)
            events += self._moved(key, turns, match)
        for name, place in self._places.items():
            self._places[name], pressed = waited(place, now)
            events += self._made(pressed, match)
        return events + self._ordered(now)

    def due(self) -> float | None:
        """Tell when to look again, if no edge comes before."""
        dues = [
            waiting_due(self._said, HELD, self._open_since()),
            waiting_due(self._turned, DIAL_HELD),
            *(at + LATE for at in map(contact_due, self._contacts.values()) if at is not None),
            *map(place_due, self._places.values()),
        ]
        return min((at for at in dues if at is not None), default=None)

    def _moved(self, key: Key, turns: Iterable[Turn], match: Match) -> list[Event]:
        """Let a button go down or up; the match that stands when it goes down decides what that means."""
        events: list[Event] = []
        for turn in turns:
            place = self._places[_place_of(key)]
            if turn.is_down and not any(finger.key == key for finger in place.fingers):
                self._stood[key] = match
            place, pressed = turned(place, key, turn, wanted(self._stood.get(key, match), key))
            self._places[_place_of(key)] = place
            events += self._made(pressed, match)
        return events

    def _made(self, pressed: Iterable[Pressed], match: Match) -> list[Event]:
        events: list[Event] = []
        for press in pressed:
            events += self._meant(press, match) if isinstance(press, Press) else [press]
        return events

    def _meant(self, press: Press, match: Match) -> list[Event]:
        """Say what a press means; where others could answer too, it is held back for its order."""
        stood = self._stood.get(press.key, match)
        answer = meant(stood, press, self.dialled(stood))
        if isinstance(answer, Nothing):
            return [answer]
        understood = Understood(press.key, press.at)
        if not has_rivals(stood, answer):
            return [understood, Said((answer,))]
        self._said = kept(self._said, press.at, answer)
        return [understood]

    def _ordered(self, now: float) -> list[Event]:
        self._said, groups = ready(self._said, now, HELD, self._open_since())
        return [Said(group) for group in groups]

    def _open_since(self) -> float | None:
        return min((at for at in map(open_since, self._places.values()) if at is not None), default=None)

    def _dial(self, now: float, match: Match) -> list[Event]:
        """Turn the dial by the edges that have waited for long enough."""
        self._turned, groups = ready(self._turned, now, DIAL_HELD)
        steps = [step for group in groups for heard in group for step in self._step(heard)]
        ask = number_asked(match)
        if ask is None or not steps:
            return []
        for step in steps:
            self._number, self._number_at = dialled(ask, self.dialled(match), step), match.number
        return [Dialled(self._number)] if self._number is not None else []

    def _step(self, heard: Edge) -> list[int]:
        wire: Wire = "a" if heard.wire.role == "a" else "b"
        self._encoder, step = dial_edge(self._encoder, wire, heard.at, is_high=not heard.is_down)
        return [step] if step else []


PlaceName = tuple[Literal["seat", "table", "dial"], int | None]


def _place_of(key: Key) -> PlaceName:
    """Name the place of a button: a seat's, the table's, or the dial's."""
    if key.role == "push":
        return "dial", None
    return ("table", None) if key.seat is None else ("seat", key.seat)


def _has_neighbours(board: Board, key: Key) -> bool:
    return sum(_place_of(other) == _place_of(key) for other in keys(board)) > 1

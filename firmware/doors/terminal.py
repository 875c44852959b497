"""The companion in a terminal: what is told is printed, what is typed is an answer, or moves the twin."""

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from threading import Event, Thread
from typing import Literal, get_args

import click
from msgspec import Struct

from firmware.cli import terminal
from firmware.core.cards import show_ask, zone_name
from firmware.core.door import News, Result, TableDoor
from firmware.core.notices import Notice, sentence_for
from firmware.language.speaking import _
from firmware.twin.world import Fault, Fingers, World
from hardware.board.board import Key
from referee.contract import Refusal
from referee.contract.cards import face_named
from referee.match import Match
from referee.telling import tell_refusal

LOOK = 0.2

HELP = _("""\
The table is simulated; this moves it:
  press 2            press the button of seat 2; press 2 long, press 2 double, press 2 second
  press              press the table's button
  turn 5, turn -1    turn the dial; push pushes it
  lay                lay the cards that are asked for, as they really are; lay 20 x2 lays others
  sweep              take all cards off the table
  peek               where every card really is
  fault unplugged    the camera fails: unplugged, frozen, black; fault alone makes it well
  again              another match, once this one is over
Anything else is an answer, as in coyote play:""")


class Simulation(Struct, frozen=True, eq=False):
    """What the twin can be moved by."""

    world: World
    fingers: Fingers


class Printer:
    """Prints what is told, in a thread of its own: a terminal that is held still holds nobody up."""

    def __init__(self, door: TableDoor) -> None:
        """Begin to listen."""
        self._listening = door.subscribe()
        self._match = door.moment()
        self._over = Event()
        self._thread = Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Print no more."""
        self._over.set()
        self._thread.join(1)
        self._listening.close()

    def _run(self) -> None:
        while not self._over.is_set():
            news = self._listening.next(LOOK)
            if news is not None:
                _say(self._lines(news))

    def _lines(self, news: News) -> list[str]:
        if not isinstance(news, Match):
            return [sentence_for(news, terminal.listener_of(self._match))]
        self._match = news
        listener = terminal.listener_of(news)
        asked = terminal.tell_asks if news.asks else terminal.standings
        return [*terminal.tell_moment(listener, news), *asked(listener, news)]


class Keyboard:
    """Reads what is typed, in a thread of its own."""

    def __init__(self, door: TableDoor, leave: Callable[[], None], simulation: Simulation | None) -> None:
        """Begin to read."""
        self._door, self._leave, self._simulation = door, leave, simulation
        Thread(target=self._run, name="keyboard", daemon=True).start()

    def _run(self) -> None:
        for typed in sys.stdin:
            text = " ".join(typed.split())
            if text.casefold() == "quit":
                break
            if text:
                _say(self._obey(text))
        else:
            return
        self._leave()

    def _obey(self, text: str) -> list[str]:
        """Move the twin, or answer."""
        word, *rest = text.split()
        if word == "help":
            return [*([HELP] if self._simulation else []), terminal.HELP]
        if word == "again":
            self._door.ask_rematch()
            return []
        command = COMMANDS.get(word.casefold())
        if self._simulation is not None and command is not None:
            return command(self._simulation, self._door.moment(), rest)
        return self._answer(text)

    def _answer(self, text: str) -> list[str]:
        match = self._door.moment()
        listener = terminal.listener_of(match)
        tellings = {"score": terminal.standings, "log": terminal.answers}
        if text in tellings:
            return tellings[text](listener, match)
        try:
            entry = terminal.parse_entry(listener, match, text)
        except terminal.MisreadError as problem:
            return [str(problem)]
        # not by a callback: the loop would call it, and wait for a terminal that is held still
        return _reply_lines(match, self._door.submit(entry))


def _reply_lines(match: Match, heard: "Future[Result]") -> list[str]:
    """Wait, and tell why an answer wasn't accepted; one that was is told as a moment."""
    listener = terminal.listener_of(match)
    try:
        result = heard.result()
    except CancelledError:
        return []
    match result:
        case Refusal():
            return [tell_refusal(listener, result)]
        case Notice():
            return [sentence_for(result, listener)]
        case _:
            return []


# what moves the twin


def _press(simulation: Simulation, _match: Match, words: list[str]) -> list[str]:
    seat = int(words[0]) - 1 if words and words[0].isdecimal() else None
    how = words[-1] if words and not words[-1].isdecimal() else "short"
    role: Literal["second", "call"] = "second" if how == "second" else "call"
    return _board_reply(simulation.fingers.press(Key(role, seat), how))


def _turn(simulation: Simulation, _match: Match, words: list[str]) -> list[str]:
    clicks = words[0] if words else "1"
    return _board_reply(clicks.removeprefix("-").isdecimal() and simulation.fingers.turn(int(clicks)))


def _push(simulation: Simulation, _match: Match, _words: list[str]) -> list[str]:
    return _board_reply(simulation.fingers.press(Key("push")))


def _lay(simulation: Simulation, match: Match, words: list[str]) -> list[str]:
    ask = show_ask(match)
    if ask is None:
        return [_("No cards are asked for now.")]
    faces = [face_named(ask.deck, word) for word in words]
    strange = next((face for face in faces if face not in ask.deck.counts), None)
    if strange is not None:
        return [_("There is no card {card}.").format(card=strange)]
    return [_("Laid: {cards}").format(cards=" ".join(simulation.world.lay(match, ask, faces or None)))]


def _sweep(simulation: Simulation, _match: Match, _words: list[str]) -> list[str]:
    simulation.world.sweep()
    return []


def _peek(simulation: Simulation, match: Match, _words: list[str]) -> list[str]:
    truth = simulation.world.truth(match).items()
    return [f"{zone_name(zone)}: {' '.join(cards)}" for zone, cards in truth if cards]


def _fault(simulation: Simulation, _match: Match, words: list[str]) -> list[str]:
    simulation.world.fault = next((fault for fault in get_args(Fault) if fault in words), None)
    return []


def _board_reply(is_done: bool) -> list[str]:
    return [] if is_done else [_("The board has no such button, or no dial.")]


COMMANDS: Mapping[str, Callable[[Simulation, Match, list[str]], list[str]]] = {
    "press": _press,
    "turn": _turn,
    "push": _push,
    "lay": _lay,
    "sweep": _sweep,
    "peek": _peek,
    "fault": _fault,
}


def _say(lines: list[str]) -> None:
    for line in lines:
        click.echo(line)
